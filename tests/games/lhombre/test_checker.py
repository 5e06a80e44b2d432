"""The independent check of L'Hombre finds nothing wrong with what the domain records, and finds what is altered."""

from collections.abc import Sequence

import pytest

from tests.games.checking import (
    CheckerTests,
    act,
    deals,
    drawn_from_below,
    occasions,
    of_type,
    one_more,
    played_on_in,
    revoked,
    stopped_too_soon,
)
from tests.games.lhombre.checker import CONTRACTS, OUTCOMES, still, turns, worth
from tests.games.lhombre.habits import HABITS
from tests.golden.labels import shown
from tests.support.checker import violations
from tests.support.checker.matadors import PACK, TRUMPS, playable
from tests.support.for_each import for_each
from tests.support.recording import Envelope, game, habitual

FACTS = {
    "bid-made": ("self", "shown"),
    "cards-exchanged": ("count", "drawn"),
    "deal-abandoned": ("cards",),
}
VALUES = (PACK, OUTCOMES, tuple(CONTRACTS))


@pytest.mark.parametrize(("players", "most"), [(3, 99), (4, 96)])
def test_a_long_game_is_intact(players: int, most: int) -> None:
    assert violations(game(1, {"players": players}, most, HABITS)) == []


# what the rules say


@pytest.mark.parametrize(("dealer", "players", "order"), [(0, 4, [3, 1, 0]), (2, 4, [1, 3, 2]), (0, 3, [2, 1, 0])])
def test_lh_1_2_forehand_middlehand_backhand(dealer: int, players: int, order: list[int]) -> None:
    assert turns(dealer, players) == order


def test_lh_2_3_trumps() -> None:
    assert TRUMPS == {
        "s": ["As", "2s", "Ac", "Ks", "Qs", "Js", "7s", "6s", "5s", "4s", "3s"],
        "h": ["As", "7h", "Ac", "Ah", "Kh", "Qh", "Jh", "2h", "3h", "4h", "5h", "6h"],
        "d": ["As", "7d", "Ac", "Ad", "Kd", "Qd", "Jd", "2d", "3d", "4d", "5d", "6d"],
        "c": ["As", "2c", "Ac", "Kc", "Qc", "Jc", "7c", "6c", "5c", "4c", "3c"],
    }


@for_each(
    "hand, led, may",
    [
        ("As Kh 5c", "Qh", "Kh"),
        ("As Kh 5h", "Qd", "As Kh 5h"),
        ("As 7d 5c", "Qd", "As 7d 5c"),
        ("As 7d 2d", "Qd", "As 7d 2d"),
        ("Ac 5c", "7d", "Ac"),
        ("Ac 5c", "As", "Ac"),
        ("As 5c", "7d", "As 5c"),
        ("Ac Kc", "Qc", "Kc"),
        ("As Qs", "Ks", "Qs"),
    ],
)
def test_lh_7_2_what_may_be_played_with_diamonds_for_trumps(hand: str, led: str, may: str) -> None:
    assert playable(hand.split(), led, "d") == may.split()


@for_each(
    "contract, tricks, expected",
    [
        ("solo", (5, 4, 0), ("win", 2)),
        ("spade-solo", (4, 3, 2), ("win", 3)),
        ("tourne", (4, 4, 1), ("bete", -1)),
        ("grand-tourne", (3, 3, 3), ("bete", -2)),
        ("tourne", (1, 4, 4), ("kodille", -2)),
        ("grand-tourne", (4, 0, 5), ("kodille", -3)),
        ("simple-nolo", (0, 9, 0), ("win", 2)),
        ("simple-nolo", (1, 4, 4), ("bete", -2)),
        ("simple-nolo", (4, 5, 0), ("kodille", -5)),
        ("pure-nolo", (2, 3, 4), ("kodille", -5)),
        ("nolo-ouvert", (6, 3, 0), ("kodille", -8)),
    ],
)
def test_lh_8_what_tricks_come_to(contract: str, tricks: tuple[int, int, int], expected: tuple[str, int]) -> None:
    mine, *theirs = tricks
    due = worth(contract, mine, theirs)
    assert (due.outcome, due.amount) == expected


@for_each(
    "contract, winners, outcomes",
    [
        ("solo", "000001", ["win -1"]),
        ("solo", "1000001", ["win"]),
        ("solo", "00000", ["win", "win +1", "win -1"]),
        ("solo", "000000", ["win +1", "win -1"]),
        ("solo", "0000", ["bete", "kodille", "win", "win +1", "win -1"]),
        ("solo", "10000", ["bete", "kodille", "win"]),
        ("solo", "11111", ["kodille"]),
        ("solo", "00001112", ["bete", "win"]),
        ("solo", "000000000", ["win +1"]),
        ("pure-nolo", "11112220", ["bete", "kodille"]),
        ("nolo-ouvert", "00", ["kodille"]),
        ("simple-nolo", "00000000", ["kodille", "kodille"]),
    ],
)
def test_lh_8_5_what_may_still_come_of_a_deal(contract: str, winners: str, outcomes: Sequence[str]) -> None:
    left = still(contract, [int(winner) for winner in winners])
    assert sorted(f"{due.outcome} {due.tout:+}".removesuffix(" +0") for due in left) == outcomes


# breaches of the rules


def declared(events: list[Envelope], deal: list[int]) -> Envelope | None:
    """What was declared in a deal."""
    places = of_type(events, deal, "contract-declared")
    return events[places[0]]["public"] if places else None


def bids_no_higher(events: list[Envelope]) -> bool:
    for deal in deals(events):
        bids = of_type(events, deal, "bid-made")
        if len(bids) > 1:
            events[bids[1]]["public"] |= {"contract": events[bids[0]]["public"]["contract"], "self": False}
            return True
    return False


def self_by_who_comes_later(events: list[Envelope]) -> bool:
    for deal in deals(events):
        bids = of_type(events, deal, "bid-made")
        if len(bids) > 1:
            first, second = (events[place]["public"] for place in bids[:2])
            second |= {"contract": first["contract"], "self": True, "shown": []}
            return True
    return False


def grand_tourne_without_the_aces(events: list[Envelope]) -> bool:
    for _, place in occasions(events, "bid-made"):
        if events[place]["public"]["contract"] == "tourne":
            events[place]["public"] |= {"contract": "grand-tourne", "shown": ["As", "Ac"]}
            return True
    return False


def a_bid_that_shows_an_ace(events: list[Envelope]) -> bool:
    for _, place in occasions(events, "bid-made"):
        if events[place]["public"]["contract"] == "tourne":
            events[place]["public"]["shown"] = ["As"]
            return True
    return False


def made_into_what_it_may_not_be(events: list[Envelope]) -> bool:
    for deal in deals(events):
        public = declared(events, deal)
        if public and public["contract"] == "pure-nolo":
            public["contract"] = "nolo-ouvert"
            return True
    return False


def no_trumps_named(events: list[Envelope]) -> bool:
    for deal in deals(events):
        public = declared(events, deal)
        if public and public["contract"] in ("simple-game", "solo"):
            public["trump"] = None
            return True
    return False


def spade_game_in_hearts(events: list[Envelope]) -> bool:
    for deal in deals(events):
        public = declared(events, deal)
        if public and public["contract"] == "spade-game":
            public["trump"] = "h"
            return True
    return False


def exchanges_in_a_hand_contract(events: list[Envelope]) -> bool:
    for deal in deals(events):
        public = declared(events, deal)
        if public and public["contract"] == "pure-nolo":
            place = of_type(events, deal, "card-played")[0]
            exchange = act(events, place, "cards-exchanged", seat=public["seat"], count=0)
            section = {"data": {"discarded": [], "drawn": []}, "salt": "00" * 32}
            events.insert(place, exchange | {"sealed": {f"seat:{public['seat']}": section}})
            return True
    return False


def revoke(events: list[Envelope]) -> bool:
    """Who followed in a nolo plays a later card of another suit in its place."""
    nolos = [
        deal for deal in deals(events) if (public := declared(events, deal)) and CONTRACTS[public["contract"]].nolo
    ]
    return any(revoked(events, deal, players=3) for deal in nolos)


def played_on(events: list[Envelope]) -> bool:
    """A card is led when declarer of a hand contract has lost already."""
    hand_contracts = [
        deal
        for deal in deals(events)
        if (public := declared(events, deal)) and public["contract"] in ("pure-nolo", "nolo-ouvert")
    ]
    return any(played_on_in(events, deal) for deal in hand_contracts)


def abandoned_too_late(events: list[Envelope]) -> bool:
    """Declarer abandons after the first trick."""
    for deal in deals(events):
        public = declared(events, deal)
        won = of_type(events, deal, "trick-won")
        if public and CONTRACTS[public["contract"]].may_abandon and won:
            abandoned = act(events, won[0] + 1, "deal-abandoned", seat=public["seat"], cards=[])
            events.insert(won[0] + 1, abandoned)
            return True
    return False


def abandoned_where_none_may(events: list[Envelope]) -> bool:
    for deal in deals(events):
        public = declared(events, deal)
        played = of_type(events, deal, "card-played")
        if public and public["contract"] == "solo" and played:
            events.insert(played[0], act(events, played[0], "deal-abandoned", seat=public["seat"], cards=[]))
            return True
    return False


def hand_not_exposed(events: list[Envelope]) -> bool:
    for _, place in occasions(events, "hand-exposed"):
        del events[place]
        return True
    return False


def all_tricks_silently(events: list[Envelope]) -> bool:
    for _, place in occasions(events, "all-tricks-undertaken"):
        del events[place]
        return True
    return False


def stops_at_the_fourth_trick(events: list[Envelope]) -> bool:
    for deal in deals(events):
        won = of_type(events, deal, "trick-won")
        public = declared(events, deal)
        if public and len(won) > 4 and not CONTRACTS[public["contract"]].nolo:
            events.insert(won[3] + 1, act(events, won[3] + 1, "play-stopped", seat=public["seat"]))
            return True
    return False


def payer_unpaid(events: list[Envelope]) -> bool:
    for deal in deals(events):
        lines = events[deal[-1]]["public"]["lines"]
        if len(lines) > 2:
            del lines[:2]
            return True
    return False


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    intact = range(220)
    """So many games show all that must be seen in a long run."""
    rewritten = range(12)
    moved = range(6)
    breaches = (
        (bids_no_higher, "LH-4.3"),
        (self_by_who_comes_later, "LH-4.3"),
        (grand_tourne_without_the_aces, "LH-4.5"),
        (a_bid_that_shows_an_ace, "LH-4.5"),
        (made_into_what_it_may_not_be, "LH-5.1"),
        (no_trumps_named, "LH-5.1"),
        (spade_game_in_hearts, "LH-5.1"),
        (drawn_from_below, "LH-6.1"),
        (exchanges_in_a_hand_contract, "cards-exchanged comes where card-played should"),
        (revoke, "LH-7.1"),
        (stopped_too_soon, "deal-scored comes where card-played should"),
        (played_on, "all is settled"),
        (abandoned_too_late, "LH-8.4"),
        (abandoned_where_none_may, "LH-8.4"),
        (hand_not_exposed, "hand-exposed should follow"),
        (all_tricks_silently, "all-tricks-undertaken should follow"),
        (stops_at_the_fourth_trick, "play-stopped comes where card-played should"),
        (payer_unpaid, "LH-9.1"),
        (one_more, "LH-9.1"),
    )

    def test_games_of_the_domain_are_intact(self) -> None:
        seen: set[str] = set()
        for number in self.intact:
            events = habitual(HABITS, number)
            assert violations(events) == [], number
            seen |= shown("lhombre", events)
        assert {*HABITS.few, *HABITS.many, "grand-tourne", "tout made", "tout failed", "event play-stopped"} <= seen
