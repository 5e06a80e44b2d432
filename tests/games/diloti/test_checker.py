"""The independent check of Diloti finds nothing wrong with what the domain records, and finds alterations."""

import copy

import pytest

from tests.games.checking import CheckerTests, NoOccasion, first, follow_up, needs, one_more
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


def swapped_in_a_batch(events: list[Envelope], deal: list[int]) -> None:
    """Two players get each other's cards of a batch."""
    sealed = events[first(events, deal, "batch-dealt")]["sealed"]
    one, other = (sealed[f"seat:{seat}"]["data"] for seat in (0, 1))
    one["cards"], other["cards"] = other["cards"], one["cards"]


def lay_instead(event: Envelope) -> None:
    """The card that takes something is laid instead."""
    public = event["public"]
    event |= {"type": "card-laid", "public": {"seat": public["seat"], "card": public["card"]}}


def court_laid_beside_its_like(events: list[Envelope], deal: list[int]) -> None:
    """A court card that takes another is laid instead."""
    needs(events[0]["public"]["options"]["court_lay"] == "never-past-a-match")
    lay_instead(events[first(events, deal, "cards-captured", lambda taken: taken["card"][0] in "KQJ")])


def owner_laid(events: list[Envelope], deal: list[int]) -> None:
    """Who owns a declaration lays the numeral instead of taking something."""
    owners: dict[int, int] = {}
    for place in deal:
        public = events[place]["public"]
        for number in public.get("declarations", ()):
            owners.pop(number)
        if events[place]["type"] == "cards-captured" and public["seat"] in owners.values() and value(public["card"]):
            lay_instead(events[place])
            return
        if events[place]["type"] == "declaration-made":
            owners[public["declaration"]] = public["seat"]
    raise NoOccasion


def took_too_much(events: list[Envelope], deal: list[int]) -> None:
    """A capture with a numeral takes one card of another value more."""
    loose = [opening["card"] for opening in events[deal[0]]["public"]["shown"]]
    for place in deal:
        event, public = events[place], events[place]["public"]
        loose = [card for card in loose if card not in public.get("loose", ())]
        if event["type"] == "cards-captured" and value(public["card"]):
            more = [card for card in loose if value(card) % value(public["card"])]
            if more:
                for name in ("loose", "taken"):
                    public[name] = sorted([*public[name], more[0]], key=PACK.index)
                return
        if event["type"] == "card-laid":
            loose.append(public["card"])
    raise NoOccasion


def declared_another_value(events: list[Envelope], deal: list[int]) -> None:
    """A declaration is said to have a value that the card and the loose one do not make."""
    plain = first(events, deal, "declaration-made", lambda made: not made["declarations"] and len(made["loose"]) == 1)
    public = events[plain]["public"]
    public["value"] = public["value"] % 10 + 1


def declared_without_a_card(events: list[Envelope], deal: list[int]) -> None:
    """A card that was laid makes a declaration with a loose one instead, and no card of its value is kept."""
    loose = [opening["card"] for opening in events[deal[0]]["public"]["shown"]]
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
                    return
            loose.append(public["card"])
        loose = [card for card in loose if card not in public.get("loose", ())]
    raise NoOccasion


def xeri_claimed(events: list[Envelope], deal: list[int]) -> None:
    """A capture that leaves something is said to be a xeri."""
    events[first(events, deal, "cards-captured", lambda taken: not taken["xeri"])]["public"]["xeri"] = True


def declaration_renumbered(events: list[Envelope], deal: list[int]) -> None:
    """A declaration is said to be in more sets than it is."""
    events[first(events, deal, "declaration-made")]["public"]["sets"] += 1


def rest_to_another(events: list[Envelope], deal: list[int]) -> None:
    """What is left goes to who did not capture last."""
    public = events[first(events, deal, "rest-taken")]["public"]
    public["seat"] = (public["seat"] + 1) % 2


def rest_left(events: list[Envelope], deal: list[int]) -> None:
    """What is left stays where it is."""
    place = first(events, deal, "rest-taken")
    del events[place]
    follow_up(events, place)


def redeal_claimed(events: list[Envelope], deal: list[int]) -> None:
    """Cards are said to be rejected that never lay on the table."""
    needs("rejected" not in events[deal[0]]["public"])
    events[deal[0]]["public"]["rejected"] = [["2s", "2h", "2d", "Kc"]]


def test_a_redeal_that_is_not_told_is_found() -> None:
    events = copy.deepcopy(golden_events("diloti", "redeal"))
    (dealt,) = [event for event in events if event["type"] == "cards-dealt"]
    assert dealt["public"].pop("rejected")
    assert any("DL-3.1" in violation for violation in violations(forge(events)))


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (
        PACK,
        ("most-cards", "cards-equal", "nothing-captured"),
        ("target reached", "last deal scored"),
    )
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
