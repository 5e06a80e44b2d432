"""The independent check of L'Hombre finds nothing wrong with what the domain records, and finds what is altered."""

from collections.abc import Sequence

import pytest

from tests.games.checking import (
    CheckerTests,
    act,
    drawn_from_below,
    first,
    needs,
    of_type,
    one_more,
    played_on,
    revoked,
    stopped_too_soon,
)
from tests.games.lhombre.checker import ABANDONABLE, CONTRACTS, GAMES, NOLOS, OUTCOMES, still, turns, worth
from tests.games.lhombre.habits import HABITS
from tests.golden.labels import shown
from tests.support.checker.matadors import PACK, TRUMPS, playable
from tests.support.for_each import for_each
from tests.support.recording import Envelope, habitual

FACTS = {
    "bid-made": ("self", "shown"),
    "cards-exchanged": ("count", "drawn"),
    "deal-abandoned": ("cards",),
}


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


def declared(events: list[Envelope], deal: list[int], *contracts: str) -> Envelope:
    """What was declared in a deal of one of these contracts, or of any. Raises NoOccasion."""
    public: Envelope = events[first(events, deal, "contract-declared")]["public"]
    needs(public["contract"] in (contracts or CONTRACTS))
    return public


def bids_no_higher(events: list[Envelope], deal: list[int]) -> None:
    bids = [events[place]["public"] for place in of_type(events, deal, "bid-made")]
    needs(len(bids) > 1)
    bids[1] |= {"contract": bids[0]["contract"], "self": False}


def self_by_who_comes_later(events: list[Envelope], deal: list[int]) -> None:
    bids = [events[place]["public"] for place in of_type(events, deal, "bid-made")]
    needs(len(bids) > 1)
    bids[1] |= {"contract": bids[0]["contract"], "self": True, "shown": []}


def bid_of_tourne(events: list[Envelope], deal: list[int]) -> Envelope:
    """The bid of a tourné. Raises NoOccasion."""
    public: Envelope = events[first(events, deal, "bid-made", lambda bid: bid["contract"] == "tourne")]["public"]
    return public


def grand_tourne_without_the_aces(events: list[Envelope], deal: list[int]) -> None:
    bid_of_tourne(events, deal).update(contract="grand-tourne", shown=["As", "Ac"])


def a_bid_that_shows_an_ace(events: list[Envelope], deal: list[int]) -> None:
    bid_of_tourne(events, deal)["shown"] = ["As"]


def made_into_what_it_may_not_be(events: list[Envelope], deal: list[int]) -> None:
    declared(events, deal, "pure-nolo")["contract"] = "nolo-ouvert"


def no_trumps_named(events: list[Envelope], deal: list[int]) -> None:
    declared(events, deal, "simple-game", "solo")["trump"] = None


def spade_game_in_hearts(events: list[Envelope], deal: list[int]) -> None:
    declared(events, deal, "spade-game")["trump"] = "h"


def exchanges_in_a_hand_contract(events: list[Envelope], deal: list[int]) -> None:
    seat = declared(events, deal, "pure-nolo")["seat"]
    place = of_type(events, deal, "card-played")[0]
    exchange = act(events, place, "cards-exchanged", seat=seat, count=0)
    section = {"data": {"discarded": [], "drawn": []}, "salt": "00" * 32}
    events.insert(place, exchange | {"sealed": {f"seat:{seat}": section}})


def revoke(events: list[Envelope], deal: list[int]) -> None:
    """Who followed in a nolo plays a later card of another suit in its place."""
    declared(events, deal, *NOLOS)
    revoked(events, deal, players=3)


def played_on_in_a_hand_contract(events: list[Envelope], deal: list[int]) -> None:
    """A card is led when declarer of a hand contract has lost already."""
    declared(events, deal, "pure-nolo", "nolo-ouvert")
    played_on(events, deal)


def abandoned_too_late(events: list[Envelope], deal: list[int]) -> None:
    """Declarer abandons after the first trick."""
    seat = declared(events, deal, *ABANDONABLE)["seat"]
    place = first(events, deal, "trick-won") + 1
    events.insert(place, act(events, place, "deal-abandoned", seat=seat, cards=[]))


def abandoned_where_none_may(events: list[Envelope], deal: list[int]) -> None:
    seat = declared(events, deal, "solo")["seat"]
    place = first(events, deal, "card-played")
    events.insert(place, act(events, place, "deal-abandoned", seat=seat, cards=[]))


def hand_not_exposed(events: list[Envelope], deal: list[int]) -> None:
    del events[first(events, deal, "hand-exposed")]


def all_tricks_silently(events: list[Envelope], deal: list[int]) -> None:
    del events[first(events, deal, "all-tricks-undertaken")]


def stops_at_the_fourth_trick(events: list[Envelope], deal: list[int]) -> None:
    seat = declared(events, deal, *GAMES)["seat"]
    won = of_type(events, deal, "trick-won")
    needs(len(won) > 4)
    events.insert(won[3] + 1, act(events, won[3] + 1, "play-stopped", seat=seat))


def payer_unpaid(events: list[Envelope], deal: list[int]) -> None:
    lines = events[deal[-1]]["public"]["lines"]
    needs(len(lines) > 2)
    del lines[:2]


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (PACK, OUTCOMES, tuple(CONTRACTS))
    intact = range(220)
    """So many games show all that must be seen in a long run."""
    long = (({"players": 3}, 99), ({"players": 4}, 96))
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
        (played_on_in_a_hand_contract, "all is settled"),
        (abandoned_too_late, "LH-8.4"),
        (abandoned_where_none_may, "LH-8.4"),
        (hand_not_exposed, "hand-exposed should follow"),
        (all_tricks_silently, "all-tricks-undertaken should follow"),
        (stops_at_the_fourth_trick, "play-stopped comes where card-played should"),
        (payer_unpaid, "LH-9.1"),
        (one_more, "LH-9.1"),
    )

    def test_games_show_all_that_must_be_seen_in_a_long_run(self) -> None:
        seen = {label for number in self.intact for label in shown("lhombre", habitual(HABITS, number))}
        assert {*HABITS.few, *HABITS.many, "grand-tourne", "tout made", "tout failed", "event play-stopped"} <= seen
