"""The independent check of the toy finds nothing wrong with what the domain records, and finds what is altered."""

from tests.games.checking import CheckerTests, act, follow_up, occasions
from tests.games.toy.checker import PACK, makes_sets
from tests.games.toy.habits import HABITS
from tests.support.recording import Envelope

FACTS = {
    "player-ready": ("seat",),
    "cards-dealt": ("shown", "rejected"),
    "card-passed": ("to",),
    "pledges-opened": ("pledges",),
    "card-turned": ("turned",),
    "batch-dealt": ("batch", "cards"),
    "stock-renewed": ("renewal", "card_commitments", "stock"),
    "deal-scored": ("captured",),
}
VALUES = (PACK, ("won", "level", "lapsed"))


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
    for _, place in occasions(events, "cards-captured"):
        if events[place + 1]["type"] in ("card-laid", "cards-captured", "card-turned"):
            events.insert(place + 1, act(events, place + 1, "snapped", seat=1))
            return True
    return False


def lapses_at_once(events: list[Envelope]) -> bool:
    """The clock records that a turn's time has run out, a second after the turn began."""
    for deal, place in occasions(events, "card-laid"):
        seat = events[place]["public"]["seat"]
        lapse = act(events, place, "turn-lapsed", seat=seat) | {"actor": "clock"}
        events[place : deal[-1]] = [lapse]
        follow_up(events, place + 1)
        return True
    return False


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    rewritten = range(4)
    moved = range(4)
    at_once = ("player-ready", "pledge-made")
    breaches = (
        (deals_while_one_is_not_ready, "before the players are ready"),
        (plays_on_after_the_target, "where game-finished should follow"),
        (snaps_when_cards_differ, "TY-3.4"),
        (lapses_at_once, "TY-3.6"),
    )
