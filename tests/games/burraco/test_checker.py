"""The independent check of Burraco finds nothing wrong with what the domain records, and finds alterations."""

from tests.games.burraco.checker import PACK, learns, placed, value
from tests.games.burraco.habits import HABITS
from tests.games.checking import CheckerTests, NoOccasion, first, follow_up, needs, of_type, one_more
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


# what the rules say


def test_bu_11_1_who_learns_which_card() -> None:
    every = learns(3, {"players": 4})
    assert every[:5] == [("seat:0",), ("seat:1",), ("seat:2",), ("seat:3",), ("seat:0",)]
    assert every[66] == ("public",)
    assert {*every[44:66], *every[67:]} == {()}


def test_bu_2_3_all_cards_are_worth_1000() -> None:
    assert sum(map(value, PACK)) == 4 * 30 + 8 * (20 + 15 + 6 * 10 + 5 * 5)


# breaches of the rules


def drew_another(events: list[Envelope], deal: list[int]) -> None:
    """A player draws the card under the top one."""
    draws = of_type(events, deal, "card-drawn")
    sections = [next(iter(events[place]["sealed"].values()))["data"] for place in draws[:2]]
    sections[0]["card"], sections[1]["card"] = sections[1]["card"], sections[0]["card"]


def took_part_of_the_pile(events: list[Envelope], deal: list[int]) -> None:
    """A player leaves the lowest card of the pile."""
    events[first(events, deal, "pile-taken", lambda taken: len(taken["cards"]) > 1)]["public"]["cards"].pop(0)


def returned_the_only_card(events: list[Envelope], deal: list[int]) -> None:
    """Who took a pile of one card discards it."""
    taken = [place for place in of_type(events, deal, "pile-taken") if len(events[place]["public"]["cards"]) == 1]
    at_once = [place for place in taken if events[place + 1]["type"] == "card-discarded"]
    needs(at_once)
    (events[at_once[0] + 1]["public"]["card"],) = events[at_once[0]]["public"]["cards"]


def wild_card_stayed(events: list[Envelope], deal: list[int]) -> None:
    """A wild card does not move to where it belongs."""
    for place in of_type(events, deal, "card-added"):
        public = events[place]["public"]
        wild = public["wild"]
        at_the_end = [*(card for card in public["cards"] if card != wild), wild]
        if wild and placed(at_the_end) != (tuple(at_the_end), wild):
            public["cards"] = at_the_end
            return
    raise NoOccasion


def added_to_the_others(events: list[Envelope], deal: list[int]) -> None:
    """A card is added to a meld of the other side."""
    laid = [events[place]["public"] for place in of_type(events, deal, "meld-laid")]
    added = [events[place]["public"] for place in of_type(events, deal, "card-added")]
    others = [
        (card, meld["meld"])
        for card in added
        for meld in laid
        if meld["seat"] % 2 != card["seat"] % 2 and meld["meld"] < card["meld"]
    ]
    needs(others)
    card, meld = others[0]
    card["meld"] = meld


def looked_too_soon(events: list[Envelope], deal: list[int]) -> None:
    """A pozzetto that waits is looked at at once."""
    opened = of_type(events, deal, "pozzetto-opened")
    waiting = [
        (place + 1, later)
        for place in of_type(events, deal, "pozzetto-taken")
        for later in opened
        if events[place - 1]["type"] == "card-discarded" and later > place
    ]
    needs(waiting)
    at_once, later = waiting[0]
    events.insert(at_once, events.pop(later))
    follow_up(events, at_once)


def second_pozzetto(events: list[Envelope], deal: list[int]) -> None:
    """A side takes the other pozzetto."""
    place = first(events, deal, "pozzetto-taken", lambda taken: taken["pozzetto"] == 1)
    events[place]["public"]["pozzetto"] = 2


def closed_without(events: list[Envelope], deal: list[int]) -> None:
    """A discard that does not close is said to."""
    place = first(events, deal, "card-discarded", lambda discarded: not discarded["closes"])
    events[place]["public"]["closes"] = True


def idle_not_counted(events: list[Envelope], deal: list[int]) -> None:
    """An idle turn is not counted."""
    place = first(events, deal, "card-discarded", lambda discarded: discarded["idle"] > 0)
    events[place]["public"]["idle"] = 0


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (
        PACK,
        ("closed", "stock-exhausted", "stalemate"),
        ("target passed", "last deal scored"),
        ("clean", "semi-clean", "dirty"),
    )
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
