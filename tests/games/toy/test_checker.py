"""The independent check of the toy finds nothing wrong with what the domain records, and finds what is altered."""

import pytest

from tests.games.toy.checker import PACK, makes_sets
from tests.games.toy.habits import HABITS
from tests.support.altering import Breach, act, breached, deals, follow_up, moved, of_type, unnoticed
from tests.support.checker import violations
from tests.support.for_each import for_each
from tests.support.recording import Envelope, habitual

FACTS = {
    "table-opened": ("deals", "seed_commitment", "seed"),
    "player-ready": ("seat",),
    "cards-dealt": ("deal", "card_commitments", "lines", "cards", "talon", "seed", "shown", "rejected"),
    "card-passed": ("seat", "to"),
    "pledge-made": ("seat",),
    "pledges-opened": ("pledges",),
    "card-laid": ("seat",),
    "cards-captured": ("seat",),
    "card-turned": ("seat", "turned"),
    "batch-dealt": ("batch", "cards"),
    "stock-renewed": ("renewal", "card_commitments", "stock"),
    "deal-scored": ("deal", "outcome", "lines", "totals", "captured", "seed"),
    "game-finished": ("totals", "winners", "lines"),
}
VALUES = (PACK, ("won", "level", "lapsed"))


@for_each("number", range(6))
def test_games_of_the_domain_are_intact(number: int) -> None:
    assert violations(habitual(HABITS, number)) == []


@pytest.mark.parametrize("number", range(4))
def test_a_fact_rewritten_is_found(number: int) -> None:
    assert unnoticed(HABITS, number, FACTS, VALUES) == []


@pytest.mark.parametrize("number", range(4))
def test_an_event_left_out_doubled_or_moved_is_found(number: int) -> None:
    assert moved(HABITS, number, ("player-ready", "pledge-made")) == []


def test_ty_3_2_cards_that_make_sets() -> None:
    assert makes_sets(["2s.1", "Ah.1", "3c.2", "4d.1", "Ad.1", "As.1"], 4)
    assert not makes_sets(["3s.1", "3c.2", "2d.1"], 4)


# breaches of the rules


def deals_while_one_is_not_ready(events: list[Envelope]) -> bool:
    place = next(place for place, event in enumerate(events) if event["type"] == "cards-dealt")
    del events[place - 1]
    follow_up(events, place - 1)
    return True


def plays_on_after_the_target(events: list[Envelope]) -> bool:
    """The game goes on as if its target were a higher one."""
    options = events[0]["public"]["options"]
    scores = [event["public"]["totals"] for event in events if event["type"] == "deal-scored"]
    if len(scores) < 2 or max(scores[0]) < 1:
        return False
    options["target"] = 1
    return True


def snaps_when_cards_differ(events: list[Envelope]) -> bool:
    for deal in deals(events):
        for place in of_type(events, deal, "cards-captured"):
            if events[place + 1]["type"] in ("card-laid", "cards-captured", "card-turned"):
                events.insert(place + 1, act(events, place + 1, "snapped", seat=1))
                return True
    return False


def lapses_at_once(events: list[Envelope]) -> bool:
    """The clock records that a turn's time has run out, a second after the turn began."""
    for deal in deals(events):
        for place in of_type(events, deal, "card-laid")[:1]:
            seat = events[place]["public"]["seat"]
            lapse = act(events, place, "turn-lapsed", seat=seat) | {"actor": "clock"}
            events[place : deal[-1]] = [lapse]
            follow_up(events, place + 1)
            return True
    return False


@pytest.mark.parametrize(
    ("breach", "message"),
    [
        (deals_while_one_is_not_ready, "before the players are ready"),
        (plays_on_after_the_target, "where game-finished should follow"),
        (snaps_when_cards_differ, "TY-3.4"),
        (lapses_at_once, "TY-3.6"),
    ],
)
def test_a_breach_of_the_rules_is_found(breach: Breach, message: str) -> None:
    for found in breached(HABITS, breach):
        assert any(message in violation for violation in found), found
