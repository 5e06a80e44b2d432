"""The independent check of Diloti finds nothing wrong with what the domain records, and finds alterations."""

import copy
from collections.abc import Callable, Iterator

import pytest

from tests.games.checking import CheckerTests, deals, follow_up, occasions, one_more
from tests.games.diloti.checker import PACK, draw, learns, portions, splits, value
from tests.games.diloti.habits import HABITS
from tests.golden.games import events as golden_events
from tests.support.altering import forge
from tests.support.checker import violations
from tests.support.recording import Envelope

FACTS = {
    "cards-dealt": ("shown", "rejected"),
    "cards-captured": ("loose", "declarations", "taken", "xeri"),
    "declaration-made": ("value", "declarations", "declaration", "cards", "sets"),
    "batch-dealt": ("batch", "cards"),
    "rest-taken": ("cards",),
    "deal-scored": ("sides",),
    "game-finished": ("reason",),
}
VALUES = (
    PACK,
    ("most-cards", "cards-equal", "nothing-captured"),
    ("target reached", "last deal scored"),
)


# what the rules say


def test_dl_10_1_who_learns_which_card() -> None:
    every = learns(1, {"players": 2})
    assert every[:13] == [("seat:0",)] * 6 + [("seat:1",)] * 6 + [("public",)]
    assert {*every[16:]} == {()}
    assert portions(2, {"players": 4})[:7] == [3, 3, 3, 3, 3, 3, 0]


def test_dl_3_3_a_redeal_leaves_the_hands_as_they_are() -> None:
    asked: list[str] = []

    def shuffle(label: str, cards: list[str]) -> list[str]:
        asked.append(label)
        courts = [card for card in cards if card[0] in "KQJ"]
        return [
            *courts,
            *sorted((card for card in cards if card not in courts), key=lambda card: (card[0] != "2", card)),
        ]

    options = {"players": 2, "redeal": "court"}
    drawn, rejected = draw(shuffle, PACK, options)  # type: ignore[arg-type] # lists are passed
    assert (asked, rejected) == (["codille-deal"], [])
    assert [card[0] for card in drawn[12:16]] == ["2"] * 4


@pytest.mark.parametrize(
    ("numbers", "total", "whole"),
    [
        ((8, 6, 5, 3, 2), 8, True),
        ((2, 3, 5, 5), 10, False),
        ((5, 5), 10, True),
        ((), 7, True),
        ((4, 4, 4, 4, 4), 10, False),
    ],
)
def test_dl_5_2_numbers_fall_into_sets(numbers: tuple[int, ...], total: int, whole: bool) -> None:
    assert splits(numbers, total) is whole


# breaches of the rules


def places(events: list[Envelope], kind: str, fits: Callable[[Envelope], bool] = lambda _: True) -> Iterator[int]:
    """The places of such events of all deals."""
    return (place for _, place in occasions(events, kind) if fits(events[place]))


def swapped_in_a_batch(events: list[Envelope]) -> bool:
    """Two players get each other's cards of a batch."""
    for place in places(events, "batch-dealt"):
        one, other = (events[place]["sealed"][f"seat:{seat}"]["data"] for seat in (0, 1))
        one["cards"], other["cards"] = other["cards"], one["cards"]
        return True
    return False


def court_laid_beside_its_like(events: list[Envelope]) -> bool:
    """A court card that takes another is laid instead."""
    option = events[0]["public"]["options"]["court_lay"]
    for place in places(events, "cards-captured", lambda event: event["public"]["card"][0] in "KQJ"):
        if option == "never-past-a-match":
            public = events[place]["public"]
            events[place] |= {"type": "card-laid", "public": {"seat": public["seat"], "card": public["card"]}}
            return True
    return False


def owner_laid(events: list[Envelope]) -> bool:
    """Who owns a declaration lays the numeral instead of taking something."""
    owned: set[int] = set()
    for deal in deals(events):
        owners: dict[int, int] = {}
        for place in deal:
            public = events[place]["public"]
            for number in public.get("declarations", ()):
                owners.pop(number)
            owned = set(owners.values())
            if events[place]["type"] == "cards-captured" and public["seat"] in owned and value(public["card"]):
                events[place] |= {"type": "card-laid", "public": {"seat": public["seat"], "card": public["card"]}}
                return True
            if events[place]["type"] == "declaration-made":
                owners[public["declaration"]] = public["seat"]
    return False


def took_too_much(events: list[Envelope]) -> bool:
    """A capture with a numeral takes one card of another value more."""
    for deal in deals(events):
        loose = [opening["card"] for opening in events[deal[0]]["public"]["shown"]]
        for place in deal:
            event, public = events[place], events[place]["public"]
            loose = [card for card in loose if card not in public.get("loose", ())]
            if event["type"] == "cards-captured" and value(public["card"]):
                more = [card for card in loose if value(card) % value(public["card"])]
                if more:
                    for name in ("loose", "taken"):
                        public[name] = sorted([*public[name], more[0]], key=PACK.index)
                    return True
            if event["type"] == "card-laid":
                loose.append(public["card"])
    return False


def declared_another_value(events: list[Envelope]) -> bool:
    """A declaration is said to have a value that the card and the loose one do not make."""
    for place in places(events, "declaration-made", lambda event: not event["public"]["declarations"]):
        public = events[place]["public"]
        if len(public["loose"]) == 1:
            public["value"] = public["value"] % 10 + 1
            return True
    return False


def declared_without_a_card(events: list[Envelope]) -> bool:
    """A card that was laid makes a declaration with a loose one instead, and no card of its value is kept."""
    for deal in deals(events):
        dealt = events[deal[0]]
        loose = [opening["card"] for opening in dealt["public"]["shown"]]
        hands: dict[int, list[str]] = {}
        for place in deal:
            event, public = events[place], events[place]["public"]
            for audience, section in event["sealed"].items():
                if audience.startswith("seat:"):
                    hands[int(audience[5:])] = [opening["card"] for opening in section["data"]["cards"]]
            if "card" not in public:
                continue
            hands[public["seat"]].remove(public["card"])
            if event["type"] == "card-laid":
                kept = [value(card) for card in hands[public["seat"]]]
                for other in loose:
                    total = value(public["card"]) + value(other)
                    if value(public["card"]) and value(other) and total <= 10 and total not in kept:
                        cards = sorted([public["card"], other], key=PACK.index)
                        new = {"value": total, "loose": [other], "declarations": [], "cards": cards, "sets": 1}
                        event |= {"type": "declaration-made", "public": {**public, **new, "declaration": 1}}
                        return True
                loose.append(public["card"])
            loose = [card for card in loose if card not in public.get("loose", ())]
    return False


def xeri_claimed(events: list[Envelope]) -> bool:
    """A capture that leaves something is said to be a xeri."""
    for place in places(events, "cards-captured", lambda event: not event["public"]["xeri"]):
        events[place]["public"]["xeri"] = True
        return True
    return False


def declaration_renumbered(events: list[Envelope]) -> bool:
    """A declaration is said to be in more sets than it is."""
    for place in places(events, "declaration-made"):
        events[place]["public"]["sets"] += 1
        return True
    return False


def rest_to_another(events: list[Envelope]) -> bool:
    """What is left goes to who did not capture last."""
    for place in places(events, "rest-taken"):
        events[place]["public"]["seat"] = (events[place]["public"]["seat"] + 1) % 2
        return True
    return False


def rest_left(events: list[Envelope]) -> bool:
    """What is left stays where it is."""
    place = next(places(events, "rest-taken"), None)
    if place is None:
        return False
    del events[place]
    follow_up(events, place)
    return True


def redeal_claimed(events: list[Envelope]) -> bool:
    """Cards are said to be rejected that never lay on the table."""
    for place in places(events, "cards-dealt", lambda event: "rejected" not in event["public"]):
        events[place]["public"]["rejected"] = [["2s", "2h", "2d", "Kc"]]
        return True
    return False


def test_a_redeal_that_is_not_told_is_found() -> None:
    events = copy.deepcopy(golden_events("diloti", "redeal"))
    (dealt,) = [event for event in events if event["type"] == "cards-dealt"]
    assert dealt["public"].pop("rejected")
    assert any("DL-3.1" in violation for violation in violations(forge(events)))


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    rewritten = (0, 1)
    moved = range(2)
    breaches = (
        (swapped_in_a_batch, "DL-3.2"),
        (court_laid_beside_its_like, "DL-4.2"),
        (owner_laid, "DL-4.3"),
        (took_too_much, "DL-5.2"),
        (declared_another_value, "DL-6.2.2"),
        (declared_without_a_card, "DL-6.2.4"),
        (xeri_claimed, "DL-8.1"),
        (declaration_renumbered, "DL-6.3"),
        (rest_to_another, "DL-9.2"),
        (rest_left, "rest-taken"),
        (redeal_claimed, "DL-3.1"),
        (one_more, "DL-9.8"),
    )
