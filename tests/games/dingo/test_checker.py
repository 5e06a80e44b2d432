"""The independent check of Dingo finds nothing wrong with what the domain records, and finds what is altered."""

from tests.games.checking import CheckerTests, first, hand_of, needs, of_type, one_more
from tests.games.dingo.checker import PACK, RANKS, of_equals
from tests.games.dingo.habits import HABITS
from tests.support.recording import Envelope

FACTS = {
    "card-passed": ("to",),
    "dingo-played": ("rank", "card"),
    "hunt-off": ("rank",),
    "rabbit-played": ("card",),
    "ace-shown": ("card",),
    "hunt-ended": ("rank", "score", "penalty"),
    "deal-scored": ("rabbits",),
}


def test_dg_8_4_ties() -> None:
    rabbits = {"rabbits": ["K", None, "3", "Q"]}
    assert of_equals([0, 3], 1, rabbits) == [0]
    assert of_equals([1, 2], 1, rabbits) == [2]
    assert of_equals([0, 3], 4, rabbits) == [0, 3]


# breaches of the rules


def discards_an_ace(events: list[Envelope], deal: list[int]) -> None:
    """A player discards an ace in place of another card."""
    seats = [(place, events[place]["public"]["seat"]) for place in of_type(events, deal, "card-discarded")]
    aces = [(place, card) for place, seat in seats for card in hand_of(events, deal, seat) if card[0] == "A"]
    needs(aces)
    place, card = aces[0]
    events[place]["public"]["card"] = card


def passes_to_another(events: list[Envelope], deal: list[int]) -> None:
    place = first(events, deal, "card-passed")
    public = events[place]["public"]
    old, public["to"] = public["to"], (public["to"] + 1) % 4
    events[place]["sealed"][f"seat:{public['to']}"] = events[place]["sealed"].pop(f"seat:{old}")


def tells_the_receiver_another_card(events: list[Envelope], deal: list[int]) -> None:
    place = first(events, deal, "card-passed")
    data = events[place]["sealed"][f"seat:{events[place]['public']['to']}"]["data"]
    data["card"] = next(card for card in PACK if card != data["card"])


def is_asked_out_of_turn(events: list[Envelope], deal: list[int]) -> None:
    event = events[first(events, deal, "wolf-passed")]
    event["public"]["seat"] = (event["public"]["seat"] + 1) % 4
    event["actor"] = f"seat:{event['public']['seat']}"


def robs_the_rabbit(events: list[Envelope], deal: list[int]) -> None:
    """The rabbit goes to the dingo player."""
    hunt = first(events, deal, "hunt-ended", lambda ended: len(ended["score"]) == 3 and ended["rank"] != "A")
    score = events[hunt]["public"]["score"]
    score[1]["seat"] = score[2]["seat"]


def ace_played_too_late(events: list[Envelope], deal: list[int]) -> None:
    events[first(events, deal, "ace-shown")]["type"] = "rabbit-played"


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (PACK, tuple(RANKS))
    rewritten = (0, 2)
    rewritten_each = 2
    moved = (1, 3)
    breaches = (
        (discards_an_ace, "DG-4.1"),
        (passes_to_another, "DG-4.3"),
        (tells_the_receiver_another_card, "DG-4.4"),
        (is_asked_out_of_turn, "DG-5.2"),
        (robs_the_rabbit, "DG-5.5"),
        (one_more, "DG-8.1"),
        (ace_played_too_late, "rabbit-played comes where ace-shown should"),
    )
