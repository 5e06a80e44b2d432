"""The independent check of Burraco finds nothing wrong with what the domain records, and finds alterations."""

from collections.abc import Callable

from tests.games.burraco.checker import PACK, learns, placed, value
from tests.games.burraco.habits import HABITS
from tests.games.checking import CheckerTests, deals, follow_up, occasions, of_type, one_more
from tests.support.recording import Envelope

FACTS = {
    "cards-dealt": ("shown",),
    "card-drawn": ("card",),
    "pile-taken": ("cards",),
    "meld-laid": ("meld", "cards", "wild"),
    "card-added": ("meld", "card", "cards", "wild", "burraco"),
    "card-discarded": ("closes", "idle"),
    "pozzetto-taken": ("pozzetto",),
    "pozzetto-opened": ("cards",),
    "deal-scored": ("sides",),
    "game-finished": ("reason",),
}
VALUES = (
    PACK,
    ("closed", "stock-exhausted", "stalemate"),
    ("target passed", "last deal scored"),
    ("clean", "semi-clean", "dirty"),
)


# what the rules say


def test_bu_11_1_who_learns_which_card() -> None:
    every = learns(3, {"players": 4})
    assert every[:5] == [("seat:0",), ("seat:1",), ("seat:2",), ("seat:3",), ("seat:0",)]
    assert every[66] == ("public",)
    assert {*every[44:66], *every[67:]} == {()}


def test_bu_2_3_all_cards_are_worth_1000() -> None:
    assert sum(map(value, PACK)) == 4 * 30 + 8 * (20 + 15 + 6 * 10 + 5 * 5)


# breaches of the rules


def first(events: list[Envelope], kind: str, fits: Callable[[Envelope], bool]) -> int | None:
    """The place of the first such event of a deal."""
    return next((place for _, place in occasions(events, kind) if fits(events[place])), None)


def drew_another(events: list[Envelope]) -> bool:
    """A player draws the card under the top one."""
    draws = of_type(events, deals(events)[0], "card-drawn")
    sections = [next(iter(events[place]["sealed"].values()))["data"] for place in draws[:2]]
    sections[0]["card"], sections[1]["card"] = sections[1]["card"], sections[0]["card"]
    return True


def took_part_of_the_pile(events: list[Envelope]) -> bool:
    """A player leaves the lowest card of the pile."""
    place = first(events, "pile-taken", lambda event: len(event["public"]["cards"]) > 1)
    if place is None:
        return False
    events[place]["public"]["cards"].pop(0)
    return True


def returned_the_only_card(events: list[Envelope]) -> bool:
    """Who took a pile of one card discards it."""
    for _, place in occasions(events, "pile-taken"):
        taken, after = events[place]["public"]["cards"], events[place + 1]
        if len(taken) == 1 and after["type"] == "card-discarded":
            after["public"]["card"] = taken[0]
            return True
    return False


def wild_card_stayed(events: list[Envelope]) -> bool:
    """A wild card does not move to where it belongs."""
    for _, place in occasions(events, "card-added"):
        public = events[place]["public"]
        if public["wild"]:
            public["cards"].remove(public["wild"])
            public["cards"].append(public["wild"])
            if placed(public["cards"]) != (tuple(public["cards"]), public["wild"]):
                return True
    return False


def added_to_the_others(events: list[Envelope]) -> bool:
    """A card is added to a meld of the other side."""
    for deal in deals(events):
        owners = {
            events[place]["public"]["meld"]: events[place]["public"]["seat"] % 2
            for place in of_type(events, deal, "meld-laid")
        }
        for place in of_type(events, deal, "card-added"):
            public = events[place]["public"]
            others = [meld for meld, side in owners.items() if side != public["seat"] % 2 and meld < public["meld"]]
            if others:
                public["meld"] = others[0]
                return True
    return False


def looked_too_soon(events: list[Envelope]) -> bool:
    """A pozzetto that waits is looked at at once."""
    for deal, place in occasions(events, "pozzetto-taken"):
        if events[place - 1]["type"] == "card-discarded":
            opened = [other for other in of_type(events, deal, "pozzetto-opened") if other > place]
            if opened:
                events.insert(place + 1, events.pop(opened[0]))
                follow_up(events, place + 1)
                return True
    return False


def second_pozzetto(events: list[Envelope]) -> bool:
    """A side takes the other pozzetto."""
    place = first(events, "pozzetto-taken", lambda event: event["public"]["pozzetto"] == 1)
    if place is None:
        return False
    events[place]["public"]["pozzetto"] = 2
    return True


def closed_without(events: list[Envelope]) -> bool:
    """A discard that does not close is said to."""
    place = first(events, "card-discarded", lambda event: not event["public"]["closes"])
    if place is None:
        return False
    events[place]["public"]["closes"] = True
    return True


def idle_not_counted(events: list[Envelope]) -> bool:
    """An idle turn is not counted."""
    place = first(events, "card-discarded", lambda event: event["public"]["idle"] > 0)
    if place is None:
        return False
    events[place]["public"]["idle"] = 0
    return True


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    rewritten = (0, 1)
    moved = range(2)
    breaches = (
        (drew_another, "BU-4.1"),
        (took_part_of_the_pile, "BU-4.1"),
        (returned_the_only_card, "BU-4.2"),
        (wild_card_stayed, "BU-5.4"),
        (added_to_the_others, "BU-6.2"),
        (looked_too_soon, "comes where"),
        (second_pozzetto, "BU-8.1"),
        (closed_without, "BU-9.2"),
        (idle_not_counted, "BU-9.4"),
        (one_more, "BU-10.7"),
    )
