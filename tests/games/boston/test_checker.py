"""The independent check of Boston finds nothing wrong with what the domain records, and finds what is altered."""

from copy import deepcopy
from types import SimpleNamespace
from typing import Any

from tests.games.boston.checker import LADDER, OUTCOMES, PACK, SUPPORTED, BostonDeal
from tests.games.boston.habits import HABITS
from tests.games.checking import (
    Breach,
    CheckerTests,
    act,
    deals,
    first,
    hand_of,
    needs,
    of_type,
    one_more,
    partner_unpaid,
    played_on,
    revoke,
    stopped_too_soon,
)
from tests.golden.games import events as golden_events
from tests.support.altering import forge
from tests.support.checker import violations
from tests.support.for_each import for_each
from tests.support.recording import Envelope

FACTS = {
    "bid-made": ("shown",),
    "deal-scored": ("declarer", "supporter", "contract", "suit"),
}


# breaches of the rules


def bids_too_low(events: list[Envelope], deal: list[int]) -> None:
    bids = of_type(events, deal, "bid-made")
    needs(len(bids) > 1)
    events[bids[-1]]["public"] |= {"contract": "five", "suit": "s"}


def bids_without_aces(events: list[Envelope], deal: list[int]) -> None:
    bids = of_type(events, deal, "bid-made")
    needs(len(bids) == 1)
    events[bids[0]]["public"] |= {"contract": "four-ace-misere", "shown": ["As", "Ah", "Ad", "Ac"]}


def shows_aces(events: list[Envelope], deal: list[int]) -> None:
    events[first(events, deal, "bid-made")]["public"]["shown"] = ["As"]


def bids_piccolissimo(events: list[Envelope], deal: list[int]) -> None:
    needs(not events[0]["public"]["options"]["piccolissimo"])
    events[first(events, deal, "bid-made")]["public"]["contract"] = "piccolissimo"


def speaks_out_of_turn(events: list[Envelope], deal: list[int]) -> None:
    place = first(events, deal, "bid-passed")
    events[place] = act(events, place, "bid-passed", seat=(events[place]["public"]["seat"] + 1) % 4)


def another_answers(events: list[Envelope], deal: list[int]) -> None:
    place = first(events, deal, "support-answered")
    public = events[place]["public"]
    seat = (public["seat"] + 1) % 4
    events[place] = act(events, place, "support-answered", seat=seat, accepted=public["accepted"])


def puts_down_what_is_not_held(events: list[Envelope], deal: list[int]) -> None:
    event = events[first(events, deal, "card-put-down")]
    seat = event["public"]["seat"]
    event["sealed"][f"seat:{seat}"]["data"]["card"] = hand_of(events, deal, (seat + 1) % 4)[0]


def hides_a_card(events: list[Envelope], deal: list[int]) -> None:
    events[first(events, deal, "hand-exposed")]["public"]["cards"].pop()


def thrown_in_and_booked(events: list[Envelope], deal: list[int]) -> None:
    public = events[deal[-1]]["public"]
    needs(public["outcome"] != "thrown-in")
    public["outcome"] = "thrown-in"


def played_on_before_the_twelfth(events: list[Envelope], deal: list[int]) -> None:
    """A card is played when all is settled."""
    needs(len(of_type(events, deal, "trick-won")) < 12)
    played_on(events, deal)


# Four-ace misère, which chance seldom deals


def broken_twice(events: list[Envelope], _: list[int]) -> None:
    """What was played freely was to be played once."""
    events[0]["public"]["options"]["four_ace_revoke"] = "once"


def broken_by_another(events: list[Envelope], deal: list[int]) -> None:
    """Declarer's contract is another, in which nobody may break the rule."""
    for place in of_type(events, deal, "bid-made"):
        events[place]["public"] |= {"contract": "grande-misere", "shown": []}
    events[deal[-1]]["public"]["contract"] = "grande-misere"


@for_each("alter, rule", [(broken_twice, "BO-6.4"), (broken_by_another, " in hand")])
def test_the_right_to_break_the_rule_of_suit_is_checked(alter: Breach, rule: str) -> None:
    events = deepcopy(golden_events("boston", "four-aces-free"))
    alter(events, deals(events)[0])
    found = violations(forge(events))
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
    values = (PACK, OUTCOMES, LADDER, tuple("shdc"))
    intact = range(17)
    long = (({"piccolissimo": True, "five_base": 4, "four_ace_revoke": "free"}, 24),)
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
        (played_on_before_the_twelfth, "all is settled"),
        (partner_unpaid, "BO-9.1"),
        (one_more, "BO-9.1"),
        (thrown_in_and_booked, "BO-9.1"),
    )
