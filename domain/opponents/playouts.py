"""Playing a deal on to its end by chance, to learn what it may be worth."""

from collections.abc import Callable, Sequence
from itertools import islice, product
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.action import Action, tag_of
from domain.kernel.game import Game, Score, State
from domain.kernel.offers import Field, Offer, OneOf, OneOfLists
from domain.picking import Chance, pick_value
from domain.seats import Seat

LONGEST = 2000
"""The most events of a playout: by chance, some games need not end."""


SOME = 8
"""The values that are tried of a field whose values are not listed."""


class Endless(Exception):
    """The deal does not end, or nobody must act in it."""


class Playouts(Struct, frozen=True):
    """Plays deals of one game by chance: every act that is offered is as likely as another."""

    game: Game
    chance: Chance

    def ended(self, state: State, version: int) -> Score:
        """The result of the deal, played on from this state of the house. Raises Endless."""
        decider = self.game.decider
        for number in range(version + 1, version + LONGEST):
            event = decider.next_automatic(state)
            if event is None:
                score = decider.score(state)
                if score is not None:
                    return score
                seats = decider.to_act(state)
                if not seats:
                    break
                event = decider.decide(state, seats[0], self.any_act(decider.offers(state, seats[0])))
            state = decider.evolve(state, replace(event, version=number))
        raise Endless

    def any_act(self, offers: Sequence[Offer]) -> Action:
        """An act that one of the offers describes. Raises Endless if there is none."""
        if not offers:
            raise Endless
        offer = offers[self.chance(len(offers))] if len(offers) > 1 else offers[0]
        return self.act(offer, {name: pick_value(field, self.chance) for name, field in offer.fields.items()})

    def act(self, offer: Offer, fields: dict[str, Any]) -> Action:
        """The act of the offer's type with these fields."""
        kind = next(kind for kind in self.game.action_types if tag_of(kind) == offer.type)
        return kind(**fields)


def own_amount(score: Score, seat: Seat) -> int:
    """What the seat's account gains by the score."""
    gained = sum(one.amount for one in score.transfers if one.account == seat)
    return gained - sum(one.amount for one in score.transfers if one.counter == seat)


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
