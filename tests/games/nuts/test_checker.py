"""The independent check of Nuts finds nothing wrong with what the domain records, and finds alterations."""

from itertools import pairwise

import pytest

from tests.games.checking import CheckerTests, act, deals, follow_up, of_type, one_more
from tests.games.nuts.checker import PACK, Layout, builds, learns, portions
from tests.games.nuts.habits import HABITS
from tests.support.checker import violations
from tests.support.recording import Envelope, game

FACTS = {
    "cards-dealt": ("shown",),
    "stock-turned": ("count", "top"),
    "card-built": ("card", "from", "uncovered"),
    "card-founded": ("card", "from", "uncovered", "foundation"),
    "shift-made": ("shift",),
    "game-finished": ("reason",),
}
VALUES = (
    PACK,
    ("nuts", "stuck", "stalled"),
    ("target passed", "last deal scored"),
    ("reserve", "discards", "tableau"),
)


@pytest.mark.parametrize("options", HABITS.option_sets, ids=str)
def test_hands_played_by_chance_are_intact(options: dict[str, object]) -> None:
    assert violations(game(1, options, 2, HABITS)) == []


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


def built_on_another_column(events: list[Envelope]) -> bool:
    """A card comes to a column that it does not go onto."""
    for place in of_type(events, deals(events)[0], "card-built"):
        public = events[place]["public"]
        public["column"] = public["column"] % 4 + 1
        return True
    return False


def founded_too_soon(events: list[Envelope]) -> bool:
    """A card is founded before the one on which it lies."""
    founded = of_type(events, deals(events)[0], "card-founded")
    for first, second in pairwise(founded):
        one, other = events[first]["public"], events[second]["public"]
        if one["foundation"] == other["foundation"] and one["seat"] != other["seat"]:
            for name in ("public", "actor"):
                events[first][name], events[second][name] = events[second][name], events[first][name]
            return True
    return False


def stuck_twice(events: list[Envelope]) -> bool:
    """A player who is stuck says so again."""
    for place in of_type(events, deals(events)[0], "stuck-said"):
        if events[place + 1]["type"] != "shift-made":
            events.insert(place + 1, act(events, place, "stuck-said", seat=events[place]["public"]["seat"]))
            return True
    return False


def no_shift(events: list[Envelope]) -> bool:
    """All are stuck, and the house does nothing."""
    for place in of_type(events, deals(events)[0], "shift-made"):
        del events[place]
        return True
    return False


def shift_too_soon(events: list[Envelope]) -> bool:
    """The house makes a shift though not all are stuck."""
    deal = deals(events)[0]
    for place in of_type(events, deal, "stock-turned")[:1]:
        events.insert(place + 1, {**events[place], "type": "shift-made", "public": {"shift": 1}, "actor": "house"})
        follow_up(events, place + 1)
        return True
    return False


def called_with_cards_left(events: list[Envelope]) -> bool:
    """Nuts is called for a player who holds cards of the reserve."""
    for place in of_type(events, deals(events)[0], "nuts-called"):
        seat = events[place]["public"]["seat"]
        events[place]["public"]["seat"] = 1 - min(seat, 1)
        return True
    return False


def clock_too_soon(events: list[Envelope]) -> bool:
    """The clock says stuck for everybody before the time has run out."""
    place = of_type(events, deals(events)[0], "stock-turned")[-1]
    event = act(events, place, "all-stuck", seat=0)
    events.insert(place + 1, {**event, "public": {}, "actor": "clock"})
    return bool(events[0]["public"]["options"]["stall"])


def another_wins(events: list[Envelope]) -> bool:
    """The winner is another."""
    winners = events[-1]["public"]["winners"]
    winners[:] = [1 - min(winners[0], 1)]
    return len(winners) == 1


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    rewritten = (0, 1, 4)
    moved = (0, 1)
    at_once = ("stock-turned", "pile-flipped", "card-built", "card-founded", "stuck-said")
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
