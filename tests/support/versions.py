"""Crocodile under versions of its rules that come after today's, each of which differs from that in one point."""

from functools import partial
from typing import Any, ClassVar, Union

from msgspec.structs import replace

from domain.games.crocodile import CROCODILE
from domain.games.crocodile.acts import Bid
from domain.games.crocodile.contracts import BONUSES, ContractName
from domain.games.crocodile.scoring import SCORING, worth
from domain.kernel.action import Action
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game, rescored
from domain.kernel.offers import Offer
from domain.seats import Seat

BONUSES_2 = BONUSES | {"primeras": replace(BONUSES["primeras"], silent=2)}
"""A silent Primeras is worth twice the contract, not once (CR-10.3)."""

CROCODILE_2: Game = replace(
    rescored(CROCODILE, replace(SCORING, worth=partial(worth, bonuses=BONUSES_2))),
    rulebook=replace(
        CROCODILE.rulebook,
        version=CROCODILE.rulebook.version + 1,
        tables={**CROCODILE.rulebook.tables, "bonuses": tuple(BONUSES_2.values())},
    ),
    earlier=(*CROCODILE.earlier, CROCODILE),
)


class BidLevel(Action, frozen=True, tag="bid"):
    """Today's `Bid`, whose field `contract` is called `level`."""

    RULE: ClassVar = Bid.RULE
    ORDER: ClassVar = Bid.ORDER

    level: ContractName


def _decide(state: Any, seat: Seat, action: Any) -> Event[Payload]:
    return CROCODILE.decider.decide(state, seat, Bid(action.level) if isinstance(action, BidLevel) else action)


def _action_of(event: Event[Payload]) -> Action | None:
    action = CROCODILE.decider.action_of(event)
    return BidLevel(action.contract) if isinstance(action, Bid) else action


def _offers(state: Any, seat: Seat) -> tuple[Offer, ...]:
    return tuple(
        Offer("bid", {"level": offer.fields["contract"]}) if offer.type == "bid" else offer
        for offer in CROCODILE.decider.offers(state, seat)
    )


CROCODILE_LEVELS: Game = replace(
    CROCODILE,
    rulebook=replace(CROCODILE.rulebook, version=CROCODILE.rulebook.version + 1),
    actions=Union[(BidLevel, *(action for action in CROCODILE.action_types if action is not Bid))],
    decider=replace(CROCODILE.decider, decide=_decide, action_of=_action_of, offers=_offers),
    earlier=(*CROCODILE.earlier, CROCODILE),
)
"""Bids name a `level` instead of a `contract`. Events, and so records, are those of today's version."""
