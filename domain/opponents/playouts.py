"""Playing a deal on to its end by chance, to learn what it may be worth."""

from collections.abc import Callable, Sequence
from itertools import islice, product
from typing import Any

from msgspec.structs import asdict, replace

from domain.cards import Card
from domain.kernel.action import Action, tag_of
from domain.kernel.course import Standing
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game, State
from domain.kernel.offers import Field, Offer, OneOf, OneOfLists, SomeOf, Text
from domain.kernel.worth import Score
from domain.opponents.lessons import Before, Lessons, Move
from domain.opponents.winning import to_target, won
from domain.picking import Chance, pick_value
from domain.seats import Seat

LONGEST = 2000
"""The most events of a playout: by chance, some games need not end."""

MOST = 24
"""The most candidates of one offer."""

SELDOM = 4
"""Any card is played once in so many times."""

SOME = 8
"""The values that are tried of a field whose values are not listed."""

DISCARD = "discard"
"""The field of an act for cards that a seat discards."""


class Endless(Exception):
    """The deal does not end, or nobody must act in it."""


class Playouts:
    """Plays deals of one game on.

    In a playout that learns nothing, any card is played, and the mildest act is taken elsewhere.

    In others a seat plays the card that brought most so far, or now and then any card, so that none is forgotten. What
    counts is the mean of a card after the first and the last card of its trick; where it was seldom played after them,
    after the first; otherwise the mean of the card alone. This is the n-gram selection technique of Tak, Winands and
    Björnsson, "N-Grams and the Last-Good-Reply Policy Applied in General Game Playing" (2012), for tricks. Of an act
    that says more than a card, the values that are listed are learned, and those that are composed are left to chance.
    A seat discards the cards that brought it less than others. The seat that is to choose learns to declare as well.
    """

    def __init__(
        self, game: Game, chance: Chance, seats: int, learner: Seat | None = None, standing: Standing | None = None
    ) -> None:
        """`learner` is the seat that is to choose, if playouts learn. With the standing before the deal, it counts what
        the deal wins or loses in a game to a target.
        """
        self.game = game
        self.chance = chance
        self.seats = seats
        """The number of seats."""
        self.strayed = False
        """Whether the learner tried something in the last playout that it does not think best. What it brought then
        says little about the acts before.
        """
        self._kinds = {tag_of(kind): kind for kind in game.action_types}
        self._acts: dict[tuple[object, ...], Action] = {}
        self._learner = learner
        self._standing = standing if to_target(game.course) else None
        self.learns = learner is not None and game.thumb is None
        """Whether playouts learn from each other."""
        self._lessons: dict[Action | None, Lessons] = {}
        self._current = Lessons(seats)
        self._taken: list[tuple[Seat, Before, Move]] = []
        """The moves of the playout from which it learns, each with what lay before it."""
        self._before: Before = ()
        """What lies before the next move."""

    def gained(
        self, state: State, version: int, trick: Sequence[Action] = (), about: Action | None = None
    ) -> list[float]:
        """What each seat gains by the deal, played on from this state of the house. Raises Endless.

        `trick` has the acts by which the cards of a trick were played that is not complete, if there is one. What is
        learned about one act counts for playouts about the same one.
        """
        self._taken.clear()
        self.strayed = False
        self._before = ()
        if self.learns:
            for action in trick:
                self._note(self._move_of(action))
        lessons = self._current = self.lessons_about(about)
        score = self.ended(state, version)
        more = None if self._standing is None else won(self.game.course, self._standing, score)
        gained = gains(score, self.seats, more)
        for seat, before, move in self._taken:
            lessons.add(seat, before, move, gained[seat])
        return gained

    def lessons_about(self, act: Action | None) -> Lessons:
        """What playouts about this act have learned; None stands for all cards."""
        return self._lessons.setdefault(act, Lessons(self.seats))

    def ended(self, state: State, version: int) -> Score:
        """The result of the deal, played on from this state of the house. Raises Endless."""
        decider, thumb = self.game.decider, self.game.thumb
        left = thumb.horizon if thumb is not None else 0
        for number in range(version + 1, version + LONGEST):
            event = decider.next_automatic(state)
            if event is None:
                seats = decider.to_act(state)
                # A deal in which somebody must act is not over.
                score = None if seats else decider.score(state)
                if score is not None:
                    return score
                left -= 1
                if left == 0 and thumb is not None and thumb.over is not None:
                    score = decider.score(thumb.over(state, number))
                    if score is not None:
                        return score
                event = self._acted(state, seats)
            else:
                # What happens without an act ends a trick.
                self._before = ()
            state = decider.evolve(state, replace(event, version=number))
        raise Endless

    def _acted(self, state: State, seats: Sequence[Seat]) -> Event[Payload]:
        """The event of the next act: of a seat that must act or, in a game without turns, of any that would."""
        decider = self.game.decider
        for seat in seats[:1] or self._any_order():
            offers = decider.offers(state, seat)
            action = (self._learned_act if self.learns else self.usual_act)(state, seat, offers)
            if action is not None:
                return decider.decide(state, seat, action)
        raise Endless

    def _any_order(self) -> list[Seat]:
        first = self.chance(self.seats)
        return [(first + step) % self.seats for step in range(self.seats)]

    def usual_act(self, state: State, seat: Seat, offers: Sequence[Offer]) -> Action | None:
        """The act of a seat in a playout: by the game's rule of thumb; without one any card, where one is to be played,
        and the mildest act elsewhere.
        """
        if not offers:
            return None
        if self.game.thumb is not None:
            offer = self.game.thumb.policy(state, seat, offers, self.chance)
            return None if offer is None else self.any_act((offer,))
        playing = [offer for offer in offers if "card" in offer.fields]
        return self.any_act(playing) if playing else self.game.decider.default_action(state, seat)

    def _learned_act(self, state: State, seat: Seat, offers: Sequence[Offer]) -> Action | None:
        """The act of a seat in a playout that learns."""
        playing = [offer for offer in offers if "card" in offer.fields]
        if playing:
            return self._played(seat, playing)
        giving = discarding(offers)
        if giving:
            one = giving[self.chance(len(giving)) if len(giving) > 1 else 0]
            return self._discarded(seat, *one) or self.usual_act(state, seat, offers)
        if seat != self._learner or not offers:
            return self.usual_act(state, seat, offers)
        acts = candidates([offer for offer in offers if not is_talk(offer)], MOST, self.act)
        best = acts[self._best(seat, acts)]
        action = best if self.chance(SELDOM) else acts[self.chance(len(acts))]
        self.strayed |= action != best or not self._current.knows(seat, action)
        self._take(seat, action)
        return action

    def _played(self, seat: Seat, offers: Sequence[Offer]) -> Action:
        """The act by which the seat plays a card."""
        moves: list[Move] = []
        of: list[Offer] = []
        for offer in offers:
            lists = [field.values for field in offer.fields.values() if isinstance(field, OneOf)]
            whole = len(lists) == len(offer.fields)
            for values in product(*lists):
                said = (offer.type, *values)
                moves.append(self._whole(offer, said) if whole else said)
                of.append(offer)
        number = self._best(seat, moves) if self.chance(SELDOM) else self.chance(len(moves))
        move = moves[number]
        self._take(seat, move)
        return move if isinstance(move, Action) else self._completed(of[number], move)

    def _completed(self, offer: Offer, move: tuple[object, ...]) -> Action:
        """An act of the offer that says this much. The rest is left to chance."""
        listed = iter(move[1:])
        fields = {
            name: next(listed) if isinstance(field, OneOf) else pick_value(field, self.chance)
            for name, field in offer.fields.items()
        }
        return self.act(offer, fields)

    def discards(self, seat: Seat, offer: Offer, field: SomeOf) -> list[Action]:
        """The acts by which the seat discards the cards that brought it least, one act for each number of cards; none
        while it played few.
        """
        leads = self.lessons_about(None).leads(seat, field.values)
        return [self._discard(offer, leads[:number]) for number in range(field.min, field.max + 1)] if leads else []

    def _discarded(self, seat: Seat, offer: Offer, field: SomeOf) -> Action | None:
        """The act by which the seat discards the cards that brought it less than others; None while it played few."""
        leads = self._current.leads(seat, field.values)
        number = sum(lead < 0 for lead, _ in leads)
        return self._discard(offer, leads[: max(field.min, min(field.max, number))]) if leads else None

    def _discard(self, offer: Offer, leads: Sequence[tuple[float, Card]]) -> Action:
        """The act that discards these cards. What else it says is left to chance."""
        others = {name: pick_value(field, self.chance) for name, field in offer.fields.items() if name != DISCARD}
        return self.act(offer, {**others, DISCARD: tuple([card for _, card in leads])})

    def _whole(self, offer: Offer, move: tuple[object, ...]) -> Action:
        """The act of a move that says all of it."""
        act = self._acts.get(move)
        if act is None:
            act = self._acts[move] = self.act(offer, dict(zip(offer.fields, move[1:], strict=True)))
        return act

    def _move_of(self, action: Action) -> Move:
        """The move that an act is."""
        fields = asdict(action).values()
        values = [value for value in fields if not isinstance(value, tuple)]
        return action if len(values) == len(fields) else (tag_of(type(action)), *values)

    def _take(self, seat: Seat, move: Move) -> None:
        """Remembers that the seat makes the move, to learn from it."""
        self._taken.append((seat, self._before, move))
        self._note(move)

    def _note(self, move: Move) -> None:
        """Remembers that the move lies before the next one."""
        self._before = (*self._before[:1], move)

    def _best(self, seat: Seat, moves: Sequence[Move]) -> int:
        """The index of the move that brought most so far."""
        return 0 if len(moves) == 1 else self._current.best(seat, self._before, moves, self.chance(len(moves)))

    def any_act(self, offers: Sequence[Offer]) -> Action:
        """An act that one of the offers describes. Raises Endless if there is none."""
        if not offers:
            raise Endless
        offer = offers[self.chance(len(offers))] if len(offers) > 1 else offers[0]
        return self.act(offer, {name: pick_value(field, self.chance) for name, field in offer.fields.items()})

    def act(self, offer: Offer, fields: dict[str, Any]) -> Action:
        """The act of the offer's type with these fields."""
        return self._kinds[offer.type](**fields)


def gains(score: Score, seats: int, more: Sequence[int] | None = None) -> list[float]:
    """What the score, and perhaps more, brings to each seat, less what it brings to another seat in the mean."""
    gained = [0] * seats if more is None else list(more)
    for one in score.transfers:
        for party, amount in ((one.account, one.amount), (one.counter, -one.amount)):
            if isinstance(party, int):
                gained[party] += amount
    total = sum(gained)
    return [own - (total - own) / (seats - 1) for own in gained]


def candidates(offers: Sequence[Offer], most: int, act: Callable[[Offer, dict[str, Any]], Action]) -> list[Action]:
    """The acts that the offers describe; if they are more than `most` of an offer, some of them, without chance."""
    return [
        act(offer, dict(zip(offer.fields, values, strict=True)))
        for offer in offers
        for values in islice(product(*map(_values, offer.fields.values())), most)
    ]


def _values(field: Field) -> Sequence[Any]:
    """The values of a field that are tried: all that are listed, or a few."""
    match field:
        case OneOf(values) | OneOfLists(values):
            return values
        case _:
            return list(dict.fromkeys(pick_value(field, _always(turn)) for turn in range(SOME)))


def _always(turn: int) -> Chance:
    """No chance: the same numbers each time, others for another turn."""
    return lambda number: turn % number


def is_talk(offer: Offer) -> bool:
    """Whether the act is to say something."""
    return any(isinstance(field, Text) for field in offer.fields.values())


def discarding(offers: Sequence[Offer]) -> list[tuple[Offer, SomeOf]]:
    """The offers to discard some of the cards of a hand, each with its field for them."""
    fields = [(offer, offer.fields.get(DISCARD)) for offer in offers]
    return [(offer, field) for offer, field in fields if isinstance(field, SomeOf)]
