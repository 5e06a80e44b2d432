"""Playing a deal on to its end by chance, to learn what it may be worth."""

from collections.abc import Callable, Sequence
from itertools import islice, product
from typing import Any

from msgspec.structs import replace

from domain.kernel.action import Action, tag_of
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game, Score, State
from domain.kernel.offers import Field, Offer, OneOf, OneOfLists
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


class Endless(Exception):
    """The deal does not end, or nobody must act in it."""


class _Mean:
    """The mean of what was gained."""

    __slots__ = ("_number", "_sum", "value")

    def __init__(self) -> None:
        self._number, self._sum, self.value = 0, 0.0, 0.0

    def add(self, gained: float) -> None:
        self._number += 1
        self._sum += gained
        self.value = self._sum / self._number


class Playouts:
    """Plays deals of one game on, and learns from each which acts turn out well (move-average sampling).

    A seat takes the card with the best mean so far, or now and then any card, so that no card is forgotten.
    """

    def __init__(self, game: Game, chance: Chance, seats: int) -> None:
        self.game = game
        self.chance = chance
        self.seats = seats
        """The number of seats."""
        self._kinds = {tag_of(kind): kind for kind in game.action_types}
        self._acts: dict[tuple[str, object], Action] = {}
        self._means: list[dict[Action, _Mean]] = [{} for _ in range(seats)]
        self._taken: list[tuple[Seat, Action]] = []

    def gained(self, state: State, version: int) -> list[float]:
        """What each seat gains by the deal, played on from this state of the house. Raises Endless."""
        self._taken.clear()
        gained = gains(self.ended(state, version), self.seats)
        for seat, action in self._taken:
            mean = self._means[seat].get(action)
            if mean is None:
                mean = self._means[seat][action] = _Mean()
            mean.add(gained[seat])
        return gained

    def ended(self, state: State, version: int) -> Score:
        """The result of the deal, played on from this state of the house. Raises Endless."""
        decider, thumb = self.game.decider, self.game.thumb
        left = thumb.horizon if thumb is not None else 0
        for number in range(version + 1, version + LONGEST):
            event = decider.next_automatic(state)
            if event is None:
                score = decider.score(state)
                if score is not None:
                    return score
                left -= 1
                if left == 0 and thumb is not None and thumb.over is not None:
                    score = decider.score(thumb.over(state, number))
                    if score is not None:
                        return score
                event = self._acted(state)
            state = decider.evolve(state, replace(event, version=number))
        raise Endless

    def _acted(self, state: State) -> Event[Payload]:
        """The event of the next act: of a seat that must act or, in a game without turns, of any that would."""
        decider = self.game.decider
        for seat in decider.to_act(state)[:1] or self._any_order():
            action = self.usual_act(state, seat, decider.offers(state, seat))
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
        if not playing:
            return self.game.decider.default_action(state, seat)
        cards = self._cards(playing)
        action = self._best_so_far(seat, cards) if cards and self.chance(SELDOM) else self.any_act(playing)
        self._taken.append((seat, action))
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

    def _best_so_far(self, seat: Seat, acts: Sequence[Action]) -> Action:
        """The act whose playouts brought most to the seat in the mean; one that was never taken comes first."""
        if len(acts) == 1:
            return acts[0]
        means, first = self._means[seat], self.chance(len(acts))
        best, most = acts[first], float("-inf")
        for index in range(first - len(acts), first):
            mean = means.get(acts[index])
            if mean is None:
                return acts[index]
            if mean.value > most:
                best, most = acts[index], mean.value
        return best

    def any_act(self, offers: Sequence[Offer]) -> Action:
        """An act that one of the offers describes. Raises Endless if there is none."""
        if not offers:
            raise Endless
        offer = offers[self.chance(len(offers))] if len(offers) > 1 else offers[0]
        return self.act(offer, {name: pick_value(field, self.chance) for name, field in offer.fields.items()})

    def act(self, offer: Offer, fields: dict[str, Any]) -> Action:
        """The act of the offer's type with these fields."""
        return self._kinds[offer.type](**fields)


def gains(score: Score, seats: int) -> list[float]:
    """What the score brings to each seat, less what it brings to another seat in the mean."""
    gained = [0] * seats
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
