"""The independent check of Dingo finds nothing wrong with what the domain records, and finds what is altered."""

import pytest

from tests.games.dingo.checker import PACK, RANKS, of_equals
from tests.games.dingo.habits import HABITS
from tests.support.altering import Breach, breached, deals, moved, of_type, one_more, unnoticed
from tests.support.checker import violations
from tests.support.for_each import for_each
from tests.support.recording import Envelope, habitual

FACTS = {
    "table-opened": ("deals", "seed_commitment", "seed"),
    "game-started": ("first_dealer", "draws"),
    "cards-dealt": ("deal", "dealer", "card_commitments", "lines", "cards", "talon", "seed"),
    "card-discarded": ("seat",),
    "card-passed": ("seat", "to"),
    "dingo-played": ("rank", "seat", "card"),
    "hunt-off": ("rank",),
    "wolf-played": ("seat",),
    "wolf-passed": ("seat",),
    "wolves-played": ("seat",),
    "rabbit-played": ("seat", "card"),
    "ace-shown": ("seat", "card"),
    "hunt-ended": ("rank", "score", "penalty"),
    "hand-exposed": ("seat", "cards"),
    "deal-scored": ("deal", "outcome", "lines", "totals", "seed", "rabbits"),
    "game-finished": ("totals", "winners", "lines"),
}
VALUES = (PACK, tuple(RANKS))


@for_each("number", range(6))
def test_games_of_the_domain_are_intact(number: int) -> None:
    assert violations(habitual(HABITS, number)) == []


@pytest.mark.parametrize("number", [0, 2])
def test_a_fact_rewritten_is_found(number: int) -> None:
    assert unnoticed(HABITS, number, FACTS, VALUES, each=2) == []


@pytest.mark.parametrize("number", [1, 3])
def test_an_event_left_out_doubled_or_moved_is_found(number: int) -> None:
    assert moved(HABITS, number) == []


def test_dg_8_4_ties() -> None:
    rabbits = {"rabbits": ["K", None, "3", "Q"]}
    assert of_equals([0, 3], 1, rabbits) == [0]
    assert of_equals([1, 2], 1, rabbits) == [2]
    assert of_equals([0, 3], 4, rabbits) == [0, 3]


# breaches of the rules


def discards_an_ace(events: list[Envelope]) -> bool:
    """A player discards an ace in place of another card."""
    for deal in deals(events):
        for place in of_type(events, deal, "card-discarded"):
            seat = events[place]["public"]["seat"]
            dealt = [each["card"] for each in events[deal[0]]["sealed"][f"seat:{seat}"]["data"]["cards"]]
            for card in dealt:
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
    for deal in deals(events):
        for place in of_type(events, deal, "wolf-passed"):
            events[place]["public"]["seat"] = (events[place]["public"]["seat"] + 1) % 4
            events[place]["actor"] = f"seat:{events[place]['public']['seat']}"
            return True
    return False


def robs_the_rabbit(events: list[Envelope]) -> bool:
    """The rabbit goes to the dingo player."""
    for deal in deals(events):
        for place in of_type(events, deal, "hunt-ended"):
            score = events[place]["public"]["score"]
            if len(score) == 3 and events[place]["public"]["rank"] != "A":
                score[1]["seat"] = score[2]["seat"]
                return True
    return False


def ace_played_too_late(events: list[Envelope]) -> bool:
    for deal in deals(events):
        for place in of_type(events, deal, "ace-shown"):
            events[place]["type"] = "rabbit-played"
            return True
    return False


@for_each(
    "breach, message",
    [
        (discards_an_ace, "DG-4.1"),
        (passes_to_another, "DG-4.3"),
        (tells_the_receiver_another_card, "DG-4.4"),
        (is_asked_out_of_turn, "DG-5.2"),
        (robs_the_rabbit, "DG-5.5"),
        (one_more, "DG-8.1"),
        (ace_played_too_late, "rabbit-played comes where ace-shown should"),
    ],
)
def test_a_breach_of_the_rules_is_found(breach: Breach, message: str) -> None:
    for found in breached(HABITS, breach):
        assert any(message in violation for violation in found), found
