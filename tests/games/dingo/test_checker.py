"""The independent check of Dingo finds nothing wrong with what the domain records, and finds what is altered."""

from tests.games.checking import CheckerTests, deals, hand_of, occasions, of_type, one_more
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
VALUES = (PACK, tuple(RANKS))


def test_dg_8_4_ties() -> None:
    rabbits = {"rabbits": ["K", None, "3", "Q"]}
    assert of_equals([0, 3], 1, rabbits) == [0]
    assert of_equals([1, 2], 1, rabbits) == [2]
    assert of_equals([0, 3], 4, rabbits) == [0, 3]


# breaches of the rules


def discards_an_ace(events: list[Envelope]) -> bool:
    """A player discards an ace in place of another card."""
    for deal, place in occasions(events, "card-discarded"):
        seat = events[place]["public"]["seat"]
        for card in hand_of(events, deal, seat):
            if card[0] == "A":
                events[place]["public"]["card"] = card
                return True
    return False


def passes_to_another(events: list[Envelope]) -> bool:
    place = of_type(events, deals(events)[0], "card-passed")[0]
    public = events[place]["public"]
    old, public["to"] = public["to"], (public["to"] + 1) % 4
    events[place]["sealed"][f"seat:{public['to']}"] = events[place]["sealed"].pop(f"seat:{old}")
    return True


def tells_the_receiver_another_card(events: list[Envelope]) -> bool:
    place = of_type(events, deals(events)[0], "card-passed")[0]
    public = events[place]["public"]
    data = events[place]["sealed"][f"seat:{public['to']}"]["data"]
    data["card"] = next(card for card in PACK if card != data["card"])
    return True


def is_asked_out_of_turn(events: list[Envelope]) -> bool:
    for _, place in occasions(events, "wolf-passed"):
        events[place]["public"]["seat"] = (events[place]["public"]["seat"] + 1) % 4
        events[place]["actor"] = f"seat:{events[place]['public']['seat']}"
        return True
    return False


def robs_the_rabbit(events: list[Envelope]) -> bool:
    """The rabbit goes to the dingo player."""
    for _, place in occasions(events, "hunt-ended"):
        score = events[place]["public"]["score"]
        if len(score) == 3 and events[place]["public"]["rank"] != "A":
            score[1]["seat"] = score[2]["seat"]
            return True
    return False


def ace_played_too_late(events: list[Envelope]) -> bool:
    for _, place in occasions(events, "ace-shown"):
        events[place]["type"] = "rabbit-played"
        return True
    return False


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
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
