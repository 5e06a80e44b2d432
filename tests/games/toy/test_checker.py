"""The independent check of the toy finds nothing wrong with what the domain records, and finds what is altered."""

from tests.games.checking import CheckerTests, act, first, follow_up, needs, of_type
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


def test_ty_3_2_cards_that_make_sets() -> None:
    assert makes_sets(["2s.1", "Ah.1", "3c.2", "4d.1", "Ad.1", "As.1"], 4)
    assert not makes_sets(["3s.1", "3c.2", "2d.1"], 4)


# breaches of the rules


def deals_while_one_is_not_ready(events: list[Envelope], deal: list[int]) -> None:
    del events[deal[0] - 1]
    follow_up(events, deal[0] - 1)


def plays_on_after_the_target(events: list[Envelope], _: list[int]) -> None:
    """The game goes on as if its target were a higher one."""
    scores = [event["public"]["totals"] for event in events if event["type"] == "deal-scored"]
    needs(len(scores) > 1 and max(scores[0]) > 0)
    events[0]["public"]["options"]["target"] = 1


def snaps_when_cards_differ(events: list[Envelope], deal: list[int]) -> None:
    goes_on = ("card-laid", "cards-captured", "card-turned")
    captures = of_type(events, deal, "cards-captured")
    after = [place + 1 for place in captures if events[place + 1]["type"] in goes_on]
    needs(after)
    events.insert(after[0], act(events, after[0], "snapped", seat=1))


def lapses_at_once(events: list[Envelope], deal: list[int]) -> None:
    """The clock records that a turn's time has run out, a second after the turn began."""
    place = first(events, deal, "card-laid")
    seat = events[place]["public"]["seat"]
    events[place : deal[-1]] = [act(events, place, "turn-lapsed", seat=seat) | {"actor": "clock"}]
    follow_up(events, place + 1)


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (PACK, ("won", "level", "lapsed"))
    rewritten = range(4)
    moved = range(4)
    at_once = ("player-ready", "pledge-made")
    breaches = (
        (deals_while_one_is_not_ready, "before the players are ready"),
        (plays_on_after_the_target, "where game-finished should follow"),
        (snaps_when_cards_differ, "TY-3.4"),
        (lapses_at_once, "TY-3.6"),
    )
