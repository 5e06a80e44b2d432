"""The independent check of Nuts finds nothing wrong with what the domain records, and finds alterations."""

from itertools import pairwise

from tests.games.checking import CheckerTests, act, first, follow_up, needs, of_type, one_more
from tests.games.nuts.checker import PACK, Layout, builds, learns, portions
from tests.games.nuts.habits import HABITS
from tests.support.recording import Envelope

FACTS = {
    "cards-dealt": ("shown",),
    "stock-turned": ("count", "top"),
    "card-built": ("card", "from", "uncovered"),
    "card-founded": ("card", "from", "uncovered", "foundation"),
    "shift-made": ("shift",),
    "game-finished": ("reason",),
}


# what the rules say


def test_nu_3_2_whose_each_place_is() -> None:
    assert portions(1, {"players": 3}) == [0] * 52 + [1] * 52 + [2] * 52
    every = learns(1, {"players": 2})
    assert [place for place, to in enumerate(every) if to] == [0, 13, 14, 15, 16, 52, 65, 66, 67, 68]


def test_nu_5_2_what_goes_onto_what() -> None:
    assert [card for card in PACK[:52] if builds(card, "0.8s")] == ["0.7h", "0.7d"]
    assert [card for card in PACK[:52] if builds(card, "0.Ah")] == []


def test_nu_7_3_a_pile_turned_over() -> None:
    layout = Layout([])
    layout.discards = [{"card": card} for card in ("first", "second", "third")]
    assert [one["card"] for one in layout.turned_over()] == ["third", "second", "first"]
    assert layout.discards == []


# breaches of the rules


def built_on_another_column(events: list[Envelope], deal: list[int]) -> None:
    """A card comes to a column that it does not go onto."""
    public = events[first(events, deal, "card-built")]["public"]
    public["column"] = public["column"] % 4 + 1


def founded_too_soon(events: list[Envelope], deal: list[int]) -> None:
    """A card is founded before the one on which it lies."""
    founded = [events[place] for place in of_type(events, deal, "card-founded")]
    pairs = [
        (one, other)
        for one, other in pairwise(founded)
        if one["public"]["foundation"] == other["public"]["foundation"] and one["actor"] != other["actor"]
    ]
    needs(pairs)
    one, other = pairs[0]
    for name in ("public", "actor"):
        one[name], other[name] = other[name], one[name]


def stuck_twice(events: list[Envelope], deal: list[int]) -> None:
    """A player who is stuck says so again."""
    said = [place for place in of_type(events, deal, "stuck-said") if events[place + 1]["type"] != "shift-made"]
    needs(said)
    events.insert(said[0] + 1, act(events, said[0], "stuck-said", seat=events[said[0]]["public"]["seat"]))


def no_shift(events: list[Envelope], deal: list[int]) -> None:
    """All are stuck, and the house does nothing."""
    del events[first(events, deal, "shift-made")]


def shift_too_soon(events: list[Envelope], deal: list[int]) -> None:
    """The house makes a shift though not all are stuck."""
    place = first(events, deal, "stock-turned")
    events.insert(place + 1, {**events[place], "type": "shift-made", "public": {"shift": 1}, "actor": "house"})
    follow_up(events, place + 1)


def called_with_cards_left(events: list[Envelope], deal: list[int]) -> None:
    """Nuts is called for a player who holds cards of the reserve."""
    public = events[first(events, deal, "nuts-called")]["public"]
    public["seat"] = 1 - min(public["seat"], 1)


def clock_too_soon(events: list[Envelope], deal: list[int]) -> None:
    """The clock says stuck for everybody before the time has run out."""
    needs(events[0]["public"]["options"]["stall"])
    place = of_type(events, deal, "stock-turned")[-1]
    event = act(events, place, "all-stuck", seat=0)
    events.insert(place + 1, {**event, "public": {}, "actor": "clock"})


def another_wins(events: list[Envelope], _: list[int]) -> None:
    """The winner is another."""
    winners = events[-1]["public"]["winners"]
    winners[:] = [1 - min(winners[0], 1)]


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (
        PACK,
        ("nuts", "stuck", "stalled"),
        ("target passed", "last deal scored"),
        ("reserve", "discards", "tableau"),
    )
    rewritten = (0, 1, 4)
    moved = (0, 1)
    at_once = ("stock-turned", "pile-flipped", "card-built", "card-founded", "stuck-said")
    long = tuple((options, 2) for options in HABITS.option_sets)
    breaches = (
        (built_on_another_column, "NU-5"),
        (founded_too_soon, "NU-5.3"),
        (stuck_twice, "NU-4.5"),
        (no_shift, "shift-made should follow"),
        (shift_too_soon, "shift-made comes where"),
        (called_with_cards_left, "NU-8.1"),
        (clock_too_soon, "NU-7.5"),
        (one_more, "NU-9.3"),
        (another_wins, "NU-1.2"),
    )
