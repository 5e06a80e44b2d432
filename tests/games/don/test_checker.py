"""The independent check of Nine-Card Don finds nothing wrong with what the domain records, and finds alterations."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.games.don.checker import PACK, at_once, learns, towards_game
from tests.games.don.habits import HABITS
from tests.support.altering import Breach, act, breached, deals, follow_up, moved, of_type, one_more, unnoticed
from tests.support.checker import violations
from tests.support.for_each import for_each
from tests.support.recording import Envelope, game, habitual

FACTS = {
    "table-opened": ("deals", "seed_commitment", "seed"),
    "game-started": ("first_dealer", "draws"),
    "cards-dealt": ("deal", "dealer", "card_commitments", "lines", "cards", "talon", "seed"),
    "card-played": ("seat",),
    "hand-opened": ("seat", "cards"),
    "trick-won": ("seat", "trick", "points", "score"),
    "deal-scored": ("deal", "outcome", "lines", "totals", "seed", "sides"),
    "game-finished": ("totals", "winners", "reason", "lines"),
}
VALUES = (PACK, ("target-reached", "game-won", "game-equal"), ("target reached", "last deal scored"))


@for_each("number", range(10))
def test_games_of_the_domain_are_intact(number: int) -> None:
    assert violations(habitual(HABITS, number)) == []


@pytest.mark.parametrize("target", [91, 121])
def test_a_long_game_is_intact(target: int) -> None:
    assert violations(game(1, {"target": target}, 99, HABITS)) == []


@pytest.mark.parametrize("number", [0, 1, 3])
def test_a_fact_rewritten_is_found(number: int) -> None:
    assert unnoticed(HABITS, number, FACTS, VALUES) == []


@pytest.mark.parametrize("number", range(4))
def test_an_event_left_out_doubled_or_moved_is_found(number: int) -> None:
    assert moved(HABITS, number) == []


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


def played_cards(events: list[Envelope], deal: list[int]) -> Iterator[tuple[int, int]]:
    """The place of each card played in the deal, and of the one led to its trick."""
    for number, place in enumerate(cards := of_type(events, deal, "card-played")):
        yield place, cards[number // 4 * 4]


def revoke(events: list[Envelope]) -> bool:
    """Who followed plays a later card of another suit in its place."""
    for deal in deals(events):
        every = list(played_cards(events, deal))
        for number, (place, lead) in enumerate(every):
            for later, _ in every[number + 1 :]:
                first, mine, its = (events[each]["public"] for each in (lead, place, later))
                alike = first["card"][1] == mine["card"][1] != its["card"][1]
                if lead not in (place, every[0][1]) and mine["seat"] == its["seat"] and alike:
                    mine["card"], its["card"] = its["card"], mine["card"]
                    return True
    return False


def opened_late(events: list[Envelope]) -> bool:
    """The partner's hand is opened only after the second card."""
    place = of_type(events, deals(events)[0], "hand-opened")[0]
    events[place], events[place + 1] = events[place + 1], events[place]
    follow_up(events, place + 1)
    return True


def opened_to_another(events: list[Envelope]) -> bool:
    """The hand that is opened, and whose section it is, is an opponent's."""
    event = events[of_type(events, deals(events)[0], "hand-opened")[0]]
    seat = event["public"]["seat"]
    other = (seat + 1) % 4
    event["public"]["seat"] = other
    event["sealed"][f"seat:{other}"] = event["sealed"].pop(f"seat:{seat}")
    return True


def partner_sees_at_once(events: list[Envelope]) -> bool:
    """The pitcher's partner gets the cards with the deal."""
    deal = deals(events)[0]
    dealt, opened = events[deal[0]], events[of_type(events, deal, "hand-opened")[0]]
    dealt["sealed"] |= opened["sealed"]
    return True


def stopped_too_soon(events: list[Envelope]) -> bool:
    """The last trick of a deal is not played."""
    for deal in deals(events):
        if events[deal[-1]]["public"]["outcome"] != "target-reached":
            del events[deal[-6] : deal[-1]]
            follow_up(events, deal[-6])
            return True
    return False


def played_on(events: list[Envelope]) -> bool:
    """A card is played when a side has reached the target."""
    for deal in deals(events):
        if events[deal[-1]]["public"]["outcome"] != "target-reached":
            continue
        cards = {events[place]["public"]["card"] for place in of_type(events, deal, "card-played")}
        seat = events[deal[-2]]["public"]["seat"]
        opened = of_type(events, deal, "cards-dealt", "hand-opened")
        sections: list[dict[str, Any]] = [events[place]["sealed"].get(f"seat:{seat}") for place in opened]
        held = [each["card"] for section in sections if section for each in section["data"]["cards"]]
        left = [card for card in held if card not in cards]
        if left:
            events.insert(deal[-1], act(events, deal[-1], "card-played", seat=seat, card=left[0]))
            follow_up(events, deal[-1] + 1)
            return True
    return False


def trick_to_another(events: list[Envelope]) -> bool:
    """The last trick of a deal goes to the winner's partner, so that the score stays."""
    for deal in deals(events):
        won = events[deal[-2]]["public"]
        won["seat"] = (won["seat"] + 2) % 4
        return True
    return False


def point_not_scored(events: list[Envelope]) -> bool:
    """A scoring card is left out."""
    for deal in deals(events):
        for place in of_type(events, deal, "trick-won"):
            if events[place]["public"]["points"]:
                events[place]["public"]["points"].pop()
                return True
    return False


def game_to_nobody(events: list[Envelope]) -> bool:
    """The points for game are not booked, the totals fitting."""
    for deal in deals(events):
        scored = events[deal[-1]]["public"]
        for_game = [line for line in scored["lines"] if line["kind"] == "game"]
        if not for_game:
            continue
        scored["lines"] = [line for line in scored["lines"] if line["kind"] != "game"]
        for later in events[deal[-1] :]:
            for line in for_game:
                if "totals" in later["public"] and line["seat"] is not None:
                    later["public"]["totals"][line["seat"]] -= line["amount"]
        return True
    return False


def one_partner_wins(events: list[Envelope]) -> bool:
    """The winner's partner is no winner."""
    events[-1]["public"]["winners"].pop()
    return True


@for_each(
    "breach, message",
    [
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
    ],
)
def test_a_breach_of_the_rules_is_found(breach: Breach, message: str) -> None:
    for found in breached(HABITS, breach):
        assert any(message in violation for violation in found), found
