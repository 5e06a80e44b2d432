"""The independent check of King finds nothing wrong with what the domain records, and finds what is altered."""

from tests.games.checking import (
    CheckerTests,
    act,
    first,
    needs,
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


def test_the_checkers_own_table() -> None:
    costs = [(len(penalty.cards) or len(penalty.tricks)) * penalty.amount for penalty in PENALTIES.values()]
    assert costs == [260, 260, 200, 240, 160, 180]


# breaches of the rules


def does_not_open(events: list[Envelope], deal: list[int]) -> None:
    """Who must open the auction passes instead."""
    needs(events[0]["public"]["options"]["auction_opening"] == "forced")
    place = first(events, deal, "auction-opened") + 1
    events[place] = act(events, place, "bid-passed", seat=events[place]["public"]["seat"])


def bids_no_more(events: list[Envelope], deal: list[int]) -> None:
    bids = of_type(events, deal, "bid-made")
    needs(len(bids) > 1)
    events[bids[1]]["public"]["tricks"] = events[bids[0]]["public"]["tricks"]


def bids_out_of_turn(events: list[Envelope], deal: list[int]) -> None:
    place = first(events, deal, "bid-made")
    dealer, tricks = events[deal[0]]["public"]["dealer"], events[place]["public"]["tricks"]
    events[place] = act(events, place, "bid-made", seat=dealer, tricks=tricks)


def seller_names_trumps(events: list[Envelope], deal: list[int]) -> None:
    """The dealer names trumps that another has bought."""
    needs(of_type(events, deal, "bid-made"))
    (place,) = of_type(events, deal, "trumps-named")
    dealer, trump = events[deal[0]]["public"]["dealer"], events[place]["public"]["trump"]
    events[place] = act(events, place, "trumps-named", seat=dealer, trump=trump)


def buyer_says_up_or_down(events: list[Envelope], deal: list[int]) -> None:
    needs(of_type(events, deal, "bid-made"))
    (place,) = of_type(events, deal, "direction-declared")
    buyer, direction = events[place - 1]["public"]["seat"], events[place]["public"]["direction"]
    events[place] = act(events, place, "direction-declared", seat=buyer, direction=direction)


def leads_a_heart(events: list[Envelope], deal: list[int]) -> None:
    needs(events[0]["public"]["options"]["heart_leads"] == "restricted" and events[deal[0]]["deal"] == 2)
    swapped(events, deal, lambda led, mine, its: led is None and its[1] == "h" != mine[1])


def price_unpaid(events: list[Envelope], deal: list[int]) -> None:
    lines = events[deal[-1]]["public"]["lines"]
    needs(lines[-1]["kind"] == "price")
    del lines[-2:]


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (PACK, ("stopped", "played-out"), ("up", "down"), tuple(AIMS))
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
