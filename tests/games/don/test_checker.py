"""The independent check of Nine-Card Don finds nothing wrong with what the domain records, and finds alterations."""

from tests.games.checking import CheckerTests, first, follow_up, needs, one_more, played_on, revoked, stopped_too_soon
from tests.games.don.checker import PACK, at_once, learns, towards_game
from tests.games.don.habits import HABITS
from tests.support.recording import Envelope

FACTS = {
    "hand-opened": ("cards",),
    "trick-won": ("trick", "points", "score"),
    "deal-scored": ("sides",),
    "game-finished": ("reason",),
}


# what the rules say


def test_nd_2_3_who_learns_which_card() -> None:
    every = learns(3, {})
    assert every[:5] == [("seat:0",), ("seat:1",), (), ("seat:3",), ("seat:0",)]
    assert every[36:] == [()] * 16


def test_nd_4_2_all_cards_that_score_are_44_points() -> None:
    assert [sum(at_once(card, trump) for card in PACK) for trump in "shdc"] == [44] * 4


def test_nd_5_1_all_cards_that_count_are_80() -> None:
    assert sum(map(towards_game, PACK)) == 80


# breaches of the rules


def revoke(events: list[Envelope], deal: list[int]) -> None:
    """Who followed, but not to the first trick, plays a later card of another suit in its place."""
    revoked(events, deal[deal.index(first(events, deal, "trick-won")) :])


def opened_late(events: list[Envelope], deal: list[int]) -> None:
    """The partner's hand is opened only after the second card."""
    place = first(events, deal, "hand-opened")
    events[place], events[place + 1] = events[place + 1], events[place]
    follow_up(events, place + 1)


def opened_to_another(events: list[Envelope], deal: list[int]) -> None:
    """The hand that is opened, and whose section it is, is an opponent's."""
    event = events[first(events, deal, "hand-opened")]
    seat = event["public"]["seat"]
    other = (seat + 1) % 4
    event["public"]["seat"] = other
    event["sealed"][f"seat:{other}"] = event["sealed"].pop(f"seat:{seat}")


def partner_sees_at_once(events: list[Envelope], deal: list[int]) -> None:
    """The pitcher's partner gets the cards with the deal."""
    events[deal[0]]["sealed"] |= events[first(events, deal, "hand-opened")]["sealed"]


def trick_to_another(events: list[Envelope], deal: list[int]) -> None:
    """The last trick of a deal goes to the winner's partner, so that the score stays."""
    won = events[deal[-2]]["public"]
    won["seat"] = (won["seat"] + 2) % 4


def point_not_scored(events: list[Envelope], deal: list[int]) -> None:
    """A scoring card is left out."""
    events[first(events, deal, "trick-won", lambda won: won["points"])]["public"]["points"].pop()


def game_to_nobody(events: list[Envelope], deal: list[int]) -> None:
    """The points for game are not booked, the totals fitting."""
    scored = events[deal[-1]]["public"]
    for_game = [line for line in scored["lines"] if line["kind"] == "game"]
    needs(for_game)
    scored["lines"] = [line for line in scored["lines"] if line["kind"] != "game"]
    for later in events[deal[-1] :]:
        for line in for_game:
            if "totals" in later["public"] and line["seat"] is not None:
                later["public"]["totals"][line["seat"]] -= line["amount"]


def one_partner_wins(events: list[Envelope], _: list[int]) -> None:
    """The winner's partner is no winner."""
    events[-1]["public"]["winners"].pop()


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (PACK, ("target-reached", "game-won", "game-equal"), ("target reached", "last deal scored"))
    intact = range(10)
    long = (({"target": 91}, 99), ({"target": 121}, 99))
    rewritten = (0, 1, 3)
    moved = range(4)
    breaches = (
        (revoke, " in hand"),
        (opened_late, "hand-opened should follow"),
        (opened_to_another, "ND-2.3"),
        (partner_sees_at_once, "sealed for"),
        (stopped_too_soon, "deal-scored comes where card-played should"),
        (played_on, "all is settled"),
        (trick_to_another, "ND-3.3"),
        (point_not_scored, "ND-3.3"),
        (game_to_nobody, "ND-7.2"),
        (one_more, "ND-7.2"),
        (one_partner_wins, "ND-7.3"),
    )
