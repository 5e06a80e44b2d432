"""The independent check of Burraco finds nothing wrong with what the domain records, and finds alterations."""

from collections.abc import Callable

import pytest

from tests.games.burraco.checker import PACK, learns, placed, value
from tests.games.burraco.habits import HABITS
from tests.support.altering import Breach, breached, deals, follow_up, moved, of_type, one_more, unnoticed
from tests.support.checker import violations
from tests.support.for_each import for_each
from tests.support.recording import Envelope, habitual

FACTS = {
    "table-opened": ("deals", "seed_commitment", "seed"),
    "game-started": ("first_dealer", "draws"),
    "cards-dealt": ("deal", "dealer", "card_commitments", "lines", "cards", "talon", "seed", "shown"),
    "card-drawn": ("seat", "card"),
    "pile-taken": ("seat", "cards"),
    "meld-laid": ("seat", "meld", "cards", "wild"),
    "card-added": ("seat", "meld", "card", "cards", "wild", "burraco"),
    "card-discarded": ("seat", "closes", "idle"),
    "pozzetto-taken": ("seat", "pozzetto"),
    "pozzetto-opened": ("seat", "cards"),
    "deal-scored": ("deal", "outcome", "lines", "totals", "seed", "sides"),
    "game-finished": ("totals", "winners", "reason", "lines"),
}
VALUES = (
    PACK,
    ("closed", "stock-exhausted", "stalemate"),
    ("target passed", "last deal scored"),
    ("clean", "semi-clean", "dirty"),
)


@for_each("number", range(6))
def test_games_of_the_domain_are_intact(number: int) -> None:
    assert violations(habitual(HABITS, number)) == []


@pytest.mark.parametrize("number", [0, 1])
def test_a_fact_rewritten_is_found(number: int) -> None:
    assert unnoticed(HABITS, number, FACTS, VALUES) == []


@pytest.mark.parametrize("number", range(2))
def test_an_event_left_out_doubled_or_moved_is_found(number: int) -> None:
    assert moved(HABITS, number) == []


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
    return next((place for deal in deals(events) for place in of_type(events, deal, kind) if fits(events[place])), None)


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
    for deal in deals(events):
        for place in of_type(events, deal, "pile-taken"):
            taken, after = events[place]["public"]["cards"], events[place + 1]
            if len(taken) == 1 and after["type"] == "card-discarded":
                after["public"]["card"] = taken[0]
                return True
    return False


def wild_card_stayed(events: list[Envelope]) -> bool:
    """A wild card does not move to where it belongs."""
    for deal in deals(events):
        for place in of_type(events, deal, "card-added"):
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
    for deal in deals(events):
        for place in of_type(events, deal, "pozzetto-taken"):
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


@for_each(
    "breach, message",
    [
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
    ],
)
def test_a_breach_of_the_rules_is_found(breach: Breach, message: str) -> None:
    for found in breached(HABITS, breach):
        assert any(message in violation for violation in found), found
