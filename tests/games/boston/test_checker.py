"""The independent check of Boston finds nothing wrong with what the domain records, and finds what is altered."""

from collections.abc import Callable
from copy import deepcopy
from types import SimpleNamespace
from typing import Any

import pytest

from tests.games.boston.checker import LADDER, OUTCOMES, PACK, SUPPORTED, BostonDeal
from tests.games.boston.habits import HABITS
from tests.games.checking import (
    CheckerTests,
    act,
    deals,
    hand_of,
    occasions,
    of_type,
    one_more,
    partner_unpaid,
    played_on_in,
    revoke,
    stopped_too_soon,
)
from tests.golden.games import events as golden_events
from tests.support.altering import forge
from tests.support.checker import violations
from tests.support.for_each import for_each
from tests.support.recording import Envelope, game

FACTS = {
    "bid-made": ("shown",),
    "deal-scored": ("declarer", "supporter", "contract", "suit"),
}
VALUES = (PACK, OUTCOMES, LADDER, tuple("shdc"))


def recorded(name: str) -> list[Envelope]:
    """A recorded game, at positions of a log."""
    events: list[Envelope] = deepcopy(golden_events("boston", name))
    return forge(events)


def test_a_long_game_is_intact() -> None:
    assert violations(game(1, {"piccolissimo": True, "five_base": 4, "four_ace_revoke": "free"}, 24, HABITS)) == []


# breaches of the rules


def of_deal(events: list[Envelope], deal: list[int], type_: str) -> list[dict[str, Any]]:
    """The public payloads of this type in the deal."""
    return [events[place]["public"] for place in of_type(events, deal, type_)]


def bids_too_low(events: list[Envelope]) -> bool:
    for deal in deals(events):
        bids = of_deal(events, deal, "bid-made")
        if len(bids) > 1:
            bids[-1] |= {"contract": "five", "suit": "s"}
            return True
    return False


def bids_without_aces(events: list[Envelope]) -> bool:
    for deal in deals(events):
        bids = of_deal(events, deal, "bid-made")
        if len(bids) == 1:
            bids[0] |= {"contract": "four-ace-misere", "shown": ["As", "Ah", "Ad", "Ac"]}
            return True
    return False


def shows_aces(events: list[Envelope]) -> bool:
    for deal in deals(events):
        for public in of_deal(events, deal, "bid-made"):
            public["shown"] = ["As"]
            return True
    return False


def bids_piccolissimo(events: list[Envelope]) -> bool:
    if events[0]["public"]["options"]["piccolissimo"]:
        return False
    for deal in deals(events):
        for public in of_deal(events, deal, "bid-made")[:1]:
            public["contract"] = "piccolissimo"
            return True
    return False


def speaks_out_of_turn(events: list[Envelope]) -> bool:
    for _, place in occasions(events, "bid-passed"):
        seat = (events[place]["public"]["seat"] + 1) % 4
        events[place] = act(events, place, "bid-passed", seat=seat)
        return True
    return False


def another_answers(events: list[Envelope]) -> bool:
    for _, place in occasions(events, "support-answered"):
        public = events[place]["public"]
        seat = (public["seat"] + 1) % 4
        events[place] = act(events, place, "support-answered", seat=seat, accepted=public["accepted"])
        return True
    return False


def puts_down_what_is_not_held(events: list[Envelope]) -> bool:
    for deal, place in occasions(events, "card-put-down"):
        seat = events[place]["public"]["seat"]
        other = hand_of(events, deal, (seat + 1) % 4)[0]
        events[place]["sealed"][f"seat:{seat}"]["data"]["card"] = other
        return True
    return False


def hides_a_card(events: list[Envelope]) -> bool:
    for deal in deals(events):
        for public in of_deal(events, deal, "hand-exposed"):
            public["cards"] = public["cards"][:-1]
            return True
    return False


def thrown_in_and_booked(events: list[Envelope]) -> bool:
    for deal in deals(events):
        public = events[deal[-1]]["public"]
        if public["outcome"] != "thrown-in":
            public["outcome"] = "thrown-in"
            return True
    return False


def played_on(events: list[Envelope]) -> bool:
    """A card is played when all is settled."""
    tricks = {deal[0]: len(of_type(events, deal, "trick-won")) for deal in deals(events)}
    return any(played_on_in(events, deal) for deal in deals(events) if tricks[deal[0]] < 12)


# Four-ace misère, which chance seldom deals


def broken_twice(events: list[Envelope]) -> None:
    """What was played freely was to be played once."""
    events[0]["public"]["options"]["four_ace_revoke"] = "once"


def broken_by_another(events: list[Envelope]) -> None:
    """Declarer's contract is another, in which nobody may break the rule."""
    deal = deals(events)[0]
    for public in of_deal(events, deal, "bid-made"):
        public |= {"contract": "grande-misere", "shown": []}
    events[deal[-1]]["public"]["contract"] = "grande-misere"


@pytest.mark.parametrize("alter", [broken_twice, broken_by_another])
def test_the_right_to_break_the_rule_of_suit_is_checked(alter: Callable[[list[Envelope]], None]) -> None:
    events = recorded("four-aces-free")
    alter(events)
    found = violations(forge(events))
    rule = " in hand" if alter is broken_by_another else "BO-6.4"
    assert any(rule in violation for violation in found), found


@for_each(
    "tricks, revoke, breaks, broken",
    [
        (0, "once", 0, False),
        (9, "once", 0, False),
        (9, "once", 1, True),
        (10, "once", 0, True),
        (9, "free", 3, False),
        (10, "free", 0, True),
    ],
)
def test_how_often_and_how_long_declarer_may(*, tricks: int, revoke: str, breaks: int, broken: bool) -> None:
    """Of a deal of which so many tricks are played and the rule was broken so often."""
    deal: Any = object.__new__(BostonDeal)
    found: list[str] = []
    deal.table = SimpleNamespace(must=lambda holds, _, rule: None if holds else found.append(rule))
    deal.options = {"four_ace_revoke": revoke}
    deal.contract, deal.declarer, deal.won, deal.breaks = "four-ace-misere", 0, [1] * tricks, breaks
    deal.hands = {0: ["As", "Ah"]}
    assert deal.played(0, "Ah", "2s") == "Ah"
    assert found == (["BO-6.4"] if broken else [])
    assert deal.hands == {0: ["As"]}


def test_supported_contracts_owe_three_or_four() -> None:
    assert SUPPORTED == {"five": 3, "six": 4, "seven": 4, "eight": 4}


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    intact = range(17)
    rewritten = (0, 1, 4, 16)
    rewritten_each = 2
    moved = range(3)
    breaches = (
        (bids_too_low, "BO-3.3"),
        (bids_without_aces, "BO-3.7"),
        (shows_aces, "BO-3.7"),
        (bids_piccolissimo, "BO-4.3"),
        (speaks_out_of_turn, "BO-3.1"),
        (another_answers, "BO-5.2"),
        (puts_down_what_is_not_held, "BO-5.3"),
        (hides_a_card, "BO-5.4"),
        (revoke, " in hand"),
        (stopped_too_soon, "deal-scored comes where card-played should"),
        (played_on, "all is settled"),
        (partner_unpaid, "BO-9.1"),
        (one_more, "BO-9.1"),
        (thrown_in_and_booked, "BO-9.1"),
    )
