"""The independent check of Tëtka finds nothing wrong with what the domain records, and finds what is altered."""

from functools import partial
from itertools import pairwise

from tests.games.checking import (
    CheckerTests,
    NoOccasion,
    needs,
    of_type,
    one_more,
    other_grounds,
    revoke,
    stopped_too_soon,
)
from tests.games.tetka.checker import CHECKER, NUMBERS, PACK, learns
from tests.games.tetka.habits import HABITS
from tests.support.checker.record import one_by_one
from tests.support.recording import Envelope

FACTS = {
    "cards-dealt": ("shown",),
}


# what the rules say


def test_te_2_3_everybody_learns_the_last_card_alone() -> None:
    for dealer in range(4):
        audiences = learns(dealer, {})
        assert [place for place, each in enumerate(audiences) if "public" in each] == [51]
        assert audiences[51] == (f"seat:{dealer}", "public")
        assert one_by_one(CHECKER, dealer, {})[51] == dealer


def test_te_4_4_the_numbers_of_the_ranks() -> None:
    assert [NUMBERS[rank] for rank in "A23456789TJQK"] == list(range(1, 14))


# breaches of the rules


def another_wins(events: list[Envelope], deal: list[int]) -> None:
    won = events[of_type(events, deal, "trick-won")[-1]]["public"]
    won["seat"] = (won["seat"] + 1) % 4


def line_left_out(events: list[Envelope], deal: list[int], rule: str) -> None:
    """A penalty of the first deal that is due is not booked, the totals fitting."""
    needs(events[deal[0]]["deal"] == 1)
    lines = events[deal[-1]]["public"]["lines"]
    at = next((at for at, line in enumerate(lines) if line["rule"] == rule), None)
    if at is None:
        raise NoOccasion
    own = lines[at]
    for later in events[deal[-1] :]:
        if "totals" in later["public"]:
            later["public"]["totals"][own["seat"]] -= own["amount"]
    del lines[at : at + 2]


def two_queens_in_one_line(events: list[Envelope], deal: list[int]) -> None:
    """The points are the same, but a line for each queen is missing."""
    lines = events[deal[-1]]["public"]["lines"]
    queens = [at for at, line in enumerate(lines) if line["rule"] == "TE-4.3" and line["seat"] is not None]
    pairs = [pair for pair in pairwise(queens) if lines[pair[0]]["events"] == lines[pair[1]]["events"]]
    needs(pairs)
    first, second = pairs[0]
    for at in (0, 1):
        lines[first + at]["amount"] *= 2
    del lines[second : second + 2]


def most_tricks_to_another_equal(events: list[Envelope], deal: list[int]) -> None:
    winners = [events[place]["public"]["seat"] for place in of_type(events, deal, "trick-won")]
    equals = [seat for seat in range(4) if winners.count(seat) == max(map(winners.count, range(4)))]
    lines = events[deal[-1]]["public"]["lines"]
    most = [line for line in lines if line["rule"] == "TE-4.6"]
    needs(len(equals) > 1 and most)
    own, counter = most
    other = next(seat for seat in equals if seat != own["seat"])
    players = {e["public"]["seat"]: e["public"]["player"] for e in events if e["type"] == "seat-taken"}
    for later in events[deal[-1] :]:
        if "totals" in later["public"]:
            later["public"]["totals"][own["seat"]] += 1
            later["public"]["totals"][other] -= 1
    own["seat"] = other
    own["account"] = counter["with"] = f"player:{players[other]}"


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (PACK, ("nine-points", "eight-points"))
    long = (({}, 24),)
    rewritten = (0, 4)
    moved = range(3)
    breaches = (
        (revoke, "TE-3.2"),
        (another_wins, "TE-3.2"),
        (stopped_too_soon, "deal-scored comes where card-played should"),
        *((partial(line_left_out, rule=f"TE-4.{n}"), f"'TE-4.{n}'") for n in range(1, 7)),
        (two_queens_in_one_line, "'TE-4.3'"),
        (most_tricks_to_another_equal, "'TE-4.6'"),
        (other_grounds, "TE-5.2"),
        (one_more, "TE-5.2"),
    )
