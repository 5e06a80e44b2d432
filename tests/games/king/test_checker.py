"""The independent check of King finds nothing wrong with what the domain records, and finds what is altered."""

import pytest

from tests.games.king.checker import AIMS, PACK, PENALTIES
from tests.games.king.habits import HABITS
from tests.support.altering import Breach, act, breached, deals, follow_up, moved, of_type, one_more, unnoticed
from tests.support.checker import violations
from tests.support.for_each import for_each
from tests.support.recording import Envelope, habitual

FACTS = {
    "table-opened": ("deals", "seed_commitment", "seed"),
    "game-started": ("first_dealer", "draws"),
    "cards-dealt": ("deal", "dealer", "card_commitments", "lines", "cards", "talon", "seed"),
    "trumps-named": ("seat",),
    "auction-opened": ("seat",),
    "bid-made": ("seat",),
    "bid-passed": ("seat",),
    "direction-declared": ("seat", "direction"),
    "card-played": ("seat",),
    "trick-won": ("seat", "trick"),
    "deal-scored": ("deal", "outcome", "lines", "totals", "seed", "aim", "buyer", "price"),
    "game-finished": ("totals", "winners", "lines"),
}
VALUES = (PACK, ("stopped", "played-out"), ("up", "down"), tuple(AIMS))


@pytest.mark.parametrize("number", range(5))
def test_games_of_the_domain_are_intact(number: int) -> None:
    assert violations(habitual(HABITS, number)) == []


@pytest.mark.parametrize("number", [1])
def test_a_fact_rewritten_is_found(number: int) -> None:
    assert unnoticed(HABITS, number, FACTS, VALUES, each=2) == []


@pytest.mark.parametrize("number", [2])
def test_an_event_left_out_doubled_or_moved_is_found(number: int) -> None:
    assert moved(HABITS, number) == []


def test_the_checkers_own_table() -> None:
    costs = [(len(penalty.cards) or len(penalty.tricks)) * penalty.amount for penalty in PENALTIES.values()]
    assert costs == [260, 260, 200, 240, 160, 180]


# breaches of the rules


def does_not_open(events: list[Envelope]) -> bool:
    """Who must open the auction passes instead."""
    for deal in deals(events):
        for place in of_type(events, deal, "auction-opened"):
            if events[0]["public"]["options"]["auction_opening"] == "forced":
                seat = events[place + 1]["public"]["seat"]
                events[place + 1] = act(events, place + 1, "bid-passed", seat=seat)
                return True
    return False


def bids_no_more(events: list[Envelope]) -> bool:
    for deal in deals(events):
        bids = of_type(events, deal, "bid-made")
        if len(bids) > 1:
            events[bids[1]]["public"]["tricks"] = events[bids[0]]["public"]["tricks"]
            return True
    return False


def bids_out_of_turn(events: list[Envelope]) -> bool:
    for deal in deals(events):
        for place in of_type(events, deal, "bid-made"):
            dealer = events[deal[0]]["public"]["dealer"]
            tricks = events[place]["public"]["tricks"]
            events[place] = act(events, place, "bid-made", seat=dealer, tricks=tricks)
            return True
    return False


def seller_names_trumps(events: list[Envelope]) -> bool:
    """The dealer names trumps that another has bought."""
    for deal in deals(events):
        if of_type(events, deal, "bid-made"):
            (place,) = of_type(events, deal, "trumps-named")
            dealer, trump = events[deal[0]]["public"]["dealer"], events[place]["public"]["trump"]
            events[place] = act(events, place, "trumps-named", seat=dealer, trump=trump)
            return True
    return False


def buyer_says_up_or_down(events: list[Envelope]) -> bool:
    for deal in deals(events):
        if of_type(events, deal, "bid-made"):
            (place,) = of_type(events, deal, "direction-declared")
            buyer, direction = events[place - 1]["public"]["seat"], events[place]["public"]["direction"]
            events[place] = act(events, place, "direction-declared", seat=buyer, direction=direction)
            return True
    return False


def swapped(events: list[Envelope], deal: list[int], *, lead: bool) -> bool:
    """A player plays a later card instead: to a lead one of another suit, or leads a heart instead of another card."""
    played = of_type(events, deal, "card-played")
    for index, place in enumerate(played):
        mine, led = events[place]["public"], events[played[index - index % 4]]["public"]["card"]
        for later in played[index + 1 :]:
            its = events[later]["public"]
            if its["seat"] != mine["seat"] or (index % 4 == 0) != lead:
                continue
            if (its["card"][1] == "h" != mine["card"][1]) if lead else (mine["card"][1] == led[1] != its["card"][1]):
                mine["card"], its["card"] = its["card"], mine["card"]
                return True
    return False


def revokes(events: list[Envelope]) -> bool:
    return any(swapped(events, deal, lead=False) for deal in deals(events))


def leads_a_heart(events: list[Envelope]) -> bool:
    restricted = events[0]["public"]["options"]["heart_leads"] == "restricted"
    return restricted and swapped(events, deals(events)[1], lead=True)


def stops_too_soon(events: list[Envelope]) -> bool:
    deal = deals(events)[0]
    del events[deal[-6] : deal[-1]]
    follow_up(events, deal[-6])
    return True


def plays_on(events: list[Envelope]) -> bool:
    """A card is played when all that counts has been captured."""
    for deal in deals(events):
        played = {events[place]["public"]["card"] for place in of_type(events, deal, "card-played")}
        if len(played) < len(PACK):
            leader = events[deal[-2]]["public"]["seat"]
            cards = [each["card"] for each in events[deal[0]]["sealed"][f"seat:{leader}"]["data"]["cards"]]
            card = next(each for each in cards if each not in played)
            events.insert(deal[-1], act(events, deal[-1], "card-played", seat=leader, card=card))
            follow_up(events, deal[-1] + 1)
            return True
    return False


def price_unpaid(events: list[Envelope]) -> bool:
    for deal in deals(events):
        lines = events[deal[-1]]["public"]["lines"]
        if lines[-1]["kind"] == "price":
            del lines[-2:]
            return True
    return False


def other_grounds(events: list[Envelope]) -> bool:
    """A line cites one event less."""
    lines = events[deals(events)[0][-1]]["public"]["lines"]
    for line in lines[:2]:
        line["events"] = line["events"][1:]
    return True


@for_each(
    "breach, message",
    [
        (does_not_open, "KG-5.3"),
        (bids_no_more, "KG-5.2"),
        (bids_out_of_turn, "KG-5.2"),
        (seller_names_trumps, "KG-5.6"),
        (buyer_says_up_or_down, "KG-5.7"),
        (revokes, "KG-3.2"),
        (leads_a_heart, "KG-3.4"),
        (stops_too_soon, "deal-scored comes where card-played should"),
        (plays_on, "all is settled"),
        (one_more, "KG-7.1"),
        (price_unpaid, "KG-7.1"),
        (other_grounds, "KG-7.1"),
    ],
)
def test_a_breach_of_the_rules_is_found(breach: Breach, message: str) -> None:
    for found in breached(HABITS, breach):
        assert any(message in violation for violation in found), found
