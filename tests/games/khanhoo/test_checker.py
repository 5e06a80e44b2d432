"""The independent check of Khanhoo finds nothing wrong with what the domain records, and finds what is altered."""

import pytest

from tests.games.checking import CheckerTests, act, deals, follow_up, occasions, of_type, one_more
from tests.games.khanhoo.checker import HAND, JOKER, PACK, ROWS, Cards, divided, in_order, is_meld, melds_in, portions
from tests.games.khanhoo.habits import HABITS
from tests.support.recording import Envelope

FACTS = {
    "stock-drawn": ("drawn",),
    "discard-drawn": ("card",),
    "discard-taken": ("card",),
    "bumps-announced": ("bumps", "standing"),
    "meld-laid": ("meld", "cards"),
    "stock-renewed": ("renewal", "card_commitments", "stock"),
    "hands-shown": ("hands",),
    "deal-scored": ("out", "divisions"),
    "game-finished": ("reason",),
}
VALUES = (PACK, ROWS, ("went-out", "all-laid", "undecided"), ("target reached", "last deal scored"))


# what the rules say


@pytest.mark.parametrize(("players", "stock"), [(2, 30), (3, 15), (4, 0)])
def test_kh_3_1_what_lies_where(players: int, stock: int) -> None:
    places = portions(0, {"players": players})
    assert [places.count(seat) for seat in (*range(players), None)].count(HAND) == players - 1 + (stock == HAND)
    assert places.count(1) == HAND + 1
    assert places.count(None) == stock


def test_kh_5_11_the_joker_among_all_melds() -> None:
    assert ("khanhoo", ("2s.1", "3d.1", JOKER)) in melds_in(["2s.1", "3d.1", JOKER])
    assert not is_meld("aces", ["As.1", "2s.1", JOKER])
    assert not is_meld("aces", ["As.1", "As.1", "Ah.1"])


def test_kh_8_4_of_equal_divisions_the_first() -> None:
    cards: Cards = in_order(["3h.1", "4h.1", "5h.2", "6h.1", "9s.2"])
    assert divided(cards, without_rest=False) == ((0, ("6h.1", "5h.2", "4h.1", "3h.1")),)
    assert divided(cards, without_rest=True) is None


# breaches of the rules


def yields(events: list[Envelope]) -> bool:
    """The turn goes on as if the next player had challenged, who has not."""
    for _, place in occasions(events, "bump-yielded"):
        seat = events[place]["public"]["seat"]
        event = act(events, place, "bump-challenged", seat=seat, meld="khanhoo")
        section = {"data": {"meld": "khanhoo", "cards": []}, "salt": "00" * 32}
        events[place] = event | {"sealed": {f"seat:{seat}": section}}
        return True
    return False


def claims_too_much(events: list[Envelope]) -> bool:
    """A bump is named another meld, everywhere."""
    for deal, place in occasions(events, "claim-answered"):
        seat = events[place]["public"]["seat"]
        claim = events[place]["sealed"][f"seat:{seat}"]["data"]
        if claim["meld"] == "aces":
            for later in events[place : deal[-1]]:
                for bump in (*later["public"].get("bumps", ()), later["public"]):
                    if bump.get("seat") == seat and "meld" in bump:
                        bump["meld"] = "triplet"
            claim["meld"] = "triplet"
            return True
    return False


def bump_overlooked(events: list[Envelope]) -> bool:
    """A bump is not announced."""
    for _, place in occasions(events, "bumps-announced"):
        bumps = events[place]["public"]["bumps"]
        if len(bumps) == 2:
            standing = events[place]["public"]["standing"]
            bumps[:] = [bump for bump in bumps if bump["seat"] == standing]
            return True
    return False


def other_bump_stands(events: list[Envelope]) -> bool:
    """Of two bumps the other one is said to stand."""
    for _, place in occasions(events, "bumps-announced"):
        public = events[place]["public"]
        if len(public["bumps"]) == 2:
            (public["standing"],) = {bump["seat"] for bump in public["bumps"]} - {public["standing"]}
            return True
    return False


def not_asked(events: list[Envelope]) -> bool:
    """A claim is announced before all have answered."""
    for _, place in occasions(events, "bumps-announced"):
        if not events[place]["public"]["bumps"]:
            del events[place - 1]
            follow_up(events, place - 1)
            return True
    return False


def renewed_too_soon(events: list[Envelope]) -> bool:
    """The stock is renewed once more at once."""
    for _, place in occasions(events, "stock-renewed"):
        events.insert(place + 1, {**events[place]})
        return True
    return False


def out_without_melds(events: list[Envelope]) -> bool:
    """A discard is said to go out."""
    for deal in deals(events):
        place = of_type(events, deal, "card-discarded")[0]
        events[place]["type"] = "went-out"
        return True
    return False


def played_on_after_the_limit(events: list[Envelope]) -> bool:
    """The limit was a lower one."""
    options = events[0]["public"]["options"]
    if options["turn_limit"] == 10:
        return False
    options["turn_limit"] = 10
    return True


def hand_divided_worse(events: list[Envelope]) -> bool:
    """A meld of a hand is left out, with its lines, the totals fitting."""
    for deal in deals(events):
        scored = events[deal[-1]]["public"]
        for each in scored["divisions"]:
            if each["melds"]:
                each["melds"].pop()
                return True
    return False


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    rewritten = (1, 2)
    rewritten_each = 2
    moved = (1, 5)
    at_once = ("claim-answered",)
    breaches = (
        (yields, "KH-6.4"),
        (claims_too_much, "KH-6.2"),
        (bump_overlooked, "KH-6.3"),
        (other_bump_stands, "KH-6.3"),
        (not_asked, "bumps-announced comes where claim-answered should"),
        (renewed_too_soon, "stock-renewed comes where"),
        (out_without_melds, "KH-7.1"),
        (played_on_after_the_limit, "where hands-shown should follow"),
        (hand_divided_worse, "KH-8.5"),
        (one_more, "KH-8.5"),
    )
