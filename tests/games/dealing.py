"""What many games' tests of a table and its deals ask, each of its own game."""

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from domain.kernel.dealing import DealtTalon
from domain.kernel.event import Event
from domain.kernel.rejection import Code, Rejected
from domain.seats import Audience, Seat
from domain.table.actions import TakeSeat
from domain.table.events import CardsDealt, GameStarted
from tests.support.games import Live


def assert_full(live: Live, seats: int) -> None:
    """The table has so many seats, all taken, and one more player finds none."""
    assert len(live.table.players) == seats
    assert live.refused(TakeSeat("somebody else")).code is Code.TABLE_FULL


def assert_deals(tables: type[Live], rule: str, *, may: Iterable[int] = (), never: Iterable[int]) -> None:
    """A game may be agreed for these numbers of deals, and by the rule never for those."""
    for deals in may:
        assert tables.opened(deals=deals).table.deals == deals
    for deals in never:
        with pytest.raises(Rejected) as refused:
            tables.opened(deals=deals)
        assert (refused.value.code, refused.value.rule) == (Code.RULE_VIOLATION, rule), deals


def assert_no_options(options: type[Any], *wrong: Mapping[str, object]) -> None:
    """None of these are options of the game."""
    for each in wrong:
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(each, options)


def first_dealers(tables: type[Live], games: int = 60) -> set[Seat | None]:
    """The seats that are drawn as first dealers of so many games."""
    return {tables.started(seed=bytes([number]) * 32).of(GameStarted)[0].first_dealer for number in range(games)}


def assert_deal_moves(live: Live) -> None:
    """The seat that was drawn deals first, and then always the one to the left."""
    dealers = [event.dealer for event in live.of(CardsDealt)]
    assert dealers[0] == live.of(GameStarted)[0].first_dealer
    assert all(after == (before + 1) % len(live.seats) for before, after in pairwise(dealers))


def positions(event: Event[Any], audience: Audience) -> list[int]:
    """The places of the deal whose cards this section opens."""
    section: Any = event.sealed[audience]
    return [opening.position for opening in (section.talon if isinstance(section, DealtTalon) else section.cards)]
