"""The independent check of King finds nothing wrong with what the domain records, and finds what is altered."""

from tests.games.checking import (
    CheckerTests,
    act,
    deals,
    occasions,
    of_type,
    one_more,
    other_grounds,
    played_on,
    revoke,
    stopped_too_soon,
    swapped,
)
from tests.games.king.checker import AIMS, PACK, PENALTIES
from tests.games.king.habits import HABITS
from tests.support.recording import Envelope

FACTS = {
    "direction-declared": ("direction",),
    "deal-scored": ("aim", "buyer", "price"),
}
VALUES = (PACK, ("stopped", "played-out"), ("up", "down"), tuple(AIMS))


def test_the_checkers_own_table() -> None:
    costs = [(len(penalty.cards) or len(penalty.tricks)) * penalty.amount for penalty in PENALTIES.values()]
    assert costs == [260, 260, 200, 240, 160, 180]


# breaches of the rules


def does_not_open(events: list[Envelope]) -> bool:
    """Who must open the auction passes instead."""
    for _, place in occasions(events, "auction-opened"):
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
    for deal, place in occasions(events, "bid-made"):
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


def leads_a_heart(events: list[Envelope]) -> bool:
    restricted = events[0]["public"]["options"]["heart_leads"] == "restricted"
    return restricted and swapped(
        events, deals(events)[1], lambda led, mine, its: led is None and its[1] == "h" != mine[1]
    )


def price_unpaid(events: list[Envelope]) -> bool:
    for deal in deals(events):
        lines = events[deal[-1]]["public"]["lines"]
        if lines[-1]["kind"] == "price":
            del lines[-2:]
            return True
    return False


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    intact = range(5)
    rewritten = (1,)
    rewritten_each = 2
    moved = (2,)
    breaches = (
        (does_not_open, "KG-5.3"),
        (bids_no_more, "KG-5.2"),
        (bids_out_of_turn, "KG-5.2"),
        (seller_names_trumps, "KG-5.6"),
        (buyer_says_up_or_down, "KG-5.7"),
        (revoke, "KG-3.2"),
        (leads_a_heart, "KG-3.4"),
        (stopped_too_soon, "deal-scored comes where card-played should"),
        (played_on, "all is settled"),
        (one_more, "KG-7.1"),
        (price_unpaid, "KG-7.1"),
        (other_grounds, "KG-7.1"),
    )
