"""Playing a deal on to its end by chance, to learn what it may be worth."""

from collections.abc import Callable, Sequence
from itertools import islice, product
from typing import Any

from msgspec.structs import replace

from domain.kernel.action import Action, tag_of
from domain.kernel.course import Standing
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game, Score, State
from domain.kernel.offers import Field, Offer, OneOf, OneOfLists, Text
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

FEW = 3
"""A card after the one before it is judged by itself once it was played so often there."""

ENOUGH = 8
"""From so many times on it is judged by nothing else."""


class Endless(Exception):
    """The deal does not end, or nobody must act in it."""


class Mean:
    """The mean of what was gained."""

    __slots__ = ("_sum", "number", "value")

    def __init__(self) -> None:
        self.number, self._sum, self.value = 0, 0.0, float("-inf")

    def add(self, gained: float) -> None:
        """Takes in what was gained once more."""
        self.number += 1
        self._sum += gained
        self.value = self._sum / self.number


class Lessons:
    """What the acts of each seat brought to it, after the very act before them and after any."""

    def __init__(self, seats: int) -> None:
        self._means: list[dict[Action, Mean]] = [{} for _ in range(seats)]
        self._after: list[dict[Action | None, dict[Action, Mean]]] = [{} for _ in range(seats)]

    def knows(self, seat: Seat, action: Action) -> bool:
        """Whether a playout had the seat act so."""
        return action in self._means[seat]

    def add(self, seat: Seat, last: Action | None, action: Action, gained: float) -> None:
        """Takes in what a playout brought to a seat that acted so after this last act."""
        for means in (self._means[seat], self._after[seat].setdefault(last, {})):
            mean = means.get(action)
            if mean is None:
                mean = means[action] = Mean()
            mean.add(gained)

    def best(self, seat: Seat, last: Action | None, acts: Sequence[Action], first: int) -> Action:
        """The act that brought most in the mean, of equal ones the next from the first on; one that was never taken
        comes before all.
        """
        means, after = self._means[seat], self._after[seat].get(last, {})
        best, most = acts[first], float("-inf")
        for index in range(first - len(acts), first):
            action = acts[index]
            mean, own = means.get(action), after.get(action)
            if mean is None:
                return action
            value = mean.value
            if own is not None and own.number >= FEW:
                value = own.value if own.number >= ENOUGH else (own.value + value) / 2
            if value > most:
                best, most = action, value
        return best


class Playouts:
    """Plays deals of one game on.

    A playout that learns nothing has any card played, and the mildest act taken elsewhere. Others have those played
    that turned out well, or now and then any card, so that no card is forgotten. What counts is the mean of a card
    after the very one that was played before it and, as long as that was seldom, of the card alone: the n-gram
    selection technique of Tak, Winands and Björnsson, "N-Grams and the Last-Good-Reply Policy Applied in General Game
    Playing" (2012), with n up to 2. The seat that is to choose learns so to declare and to exchange, too.
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
        self._acts: dict[tuple[str, object], Action] = {}
        self._learner = learner
        self._standing = standing if to_target(game.course) else None
        self._learns = learner is not None and game.thumb is None
        self._lessons: dict[Action | None, Lessons] = {}
        self._current = Lessons(seats)
        self._taken: list[tuple[Seat, Action | None, Action]] = []
        """The acts of the playout from which it learns, each after the one before it."""
        self._last: Action | None = None
        """The newest of them."""

    def gained(self, state: State, version: int, about: Action | None = None) -> list[float]:
        """What each seat gains by the deal, played on from this state of the house. Raises Endless.

        What is learned about one act counts for playouts about the same one.
        """
        self._taken.clear()
        self._last, self.strayed = None, False
        lessons = self._current = self.lessons_about(about)
        score = self.ended(state, version)
        more = None if self._standing is None else won(self.game.course, self._standing, score)
        gained = gains(score, self.seats, more)
        for seat, last, action in self._taken:
            lessons.add(seat, last, action, gained[seat])
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
            state = decider.evolve(state, replace(event, version=number))
        raise Endless

    def _acted(self, state: State, seats: Sequence[Seat]) -> Event[Payload]:
        """The event of the next act: of a seat that must act or, in a game without turns, of any that would."""
        decider = self.game.decider
        for seat in seats[:1] or self._any_order():
            offers = decider.offers(state, seat)
            action = (self._learned_act if self._learns else self.usual_act)(state, seat, offers)
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
            acts = self._cards(playing)
            action = self._best(seat, acts) if acts and self.chance(SELDOM) else self.any_act(playing)
        elif seat == self._learner and offers:
            acts = candidates([offer for offer in offers if not is_talk(offer)], MOST, self.act)
            best = self._best(seat, acts)
            action = best if self.chance(SELDOM) else acts[self.chance(len(acts))]
            self.strayed |= action != best or not self._current.knows(seat, action)
        else:
            return self.usual_act(state, seat, offers)
        self._taken.append((seat, self._last, action))
        self._last = action
        return action

    def _cards(self, offers: Sequence[Offer]) -> list[Action]:
        """The acts that say nothing but a card; none if some of the offers ask for more."""
        acts: list[Action] = []
        for offer in offers:
            field = offer.fields["card"]
            if len(offer.fields) > 1 or not isinstance(field, OneOf):
                return []
            for card in field.values:
                act = self._acts.get((offer.type, card))
                if act is None:
                    act = self._acts[offer.type, card] = self.act(offer, {"card": card})
                acts.append(act)
        return acts

    def _best(self, seat: Seat, acts: Sequence[Action]) -> Action:
        """The act that brought most so far."""
        return acts[0] if len(acts) == 1 else self._current.best(seat, self._last, acts, self.chance(len(acts)))

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
