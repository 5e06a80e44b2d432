"""The independent check of Khanhoo finds nothing wrong with what the domain records, and finds what is altered."""

import pytest

from tests.games.checking import CheckerTests, act, first, follow_up, needs, of_type, one_more
from tests.games.khanhoo.checker import HAND, JOKER, PACK, ROWS, Cards, divided, in_order, is_meld, melds_in, portions
from tests.games.khanhoo.habits import HABITS
from tests.support.recording import Envelope

FACTS = {
    "stock-drawn": ("drawn",),
    "discard-drawn": ("card",),
    "discard-taken": ("card",),
    "bumps-announced": ("bumps", "standing"),
    "meld-laid": ("meld", "cards"),
    "stock-renewed": ("renewal", "card_commitments", "stock"),
    "hands-shown": ("hands",),
    "deal-scored": ("out", "divisions"),
    "game-finished": ("reason",),
}


# what the rules say


@pytest.mark.parametrize(("players", "stock"), [(2, 30), (3, 15), (4, 0)])
def test_kh_3_1_what_lies_where(players: int, stock: int) -> None:
    places = portions(0, {"players": players})
    assert [places.count(seat) for seat in (*range(players), None)].count(HAND) == players - 1 + (stock == HAND)
    assert places.count(1) == HAND + 1
    assert places.count(None) == stock


def test_kh_5_11_the_joker_among_all_melds() -> None:
    assert ("khanhoo", ("2s.1", "3d.1", JOKER)) in melds_in(["2s.1", "3d.1", JOKER])
    assert not is_meld("aces", ["As.1", "2s.1", JOKER])
    assert not is_meld("aces", ["As.1", "As.1", "Ah.1"])


def test_kh_8_4_of_equal_divisions_the_first() -> None:
    cards: Cards = in_order(["3h.1", "4h.1", "5h.2", "6h.1", "9s.2"])
    assert divided(cards, without_rest=False) == ((0, ("6h.1", "5h.2", "4h.1", "3h.1")),)
    assert divided(cards, without_rest=True) is None


# breaches of the rules


def yields(events: list[Envelope], deal: list[int]) -> None:
    """The turn goes on as if the next player had challenged, who has not."""
    place = first(events, deal, "bump-yielded")
    seat = events[place]["public"]["seat"]
    section = {"data": {"meld": "khanhoo", "cards": []}, "salt": "00" * 32}
    event = act(events, place, "bump-challenged", seat=seat, meld="khanhoo")
    events[place] = event | {"sealed": {f"seat:{seat}": section}}


def claims_too_much(events: list[Envelope], deal: list[int]) -> None:
    """A bump is named another meld, everywhere."""
    answers = [(place, events[place]["public"]["seat"]) for place in of_type(events, deal, "claim-answered")]
    claims = [(place, seat, events[place]["sealed"][f"seat:{seat}"]["data"]) for place, seat in answers]
    aces = [each for each in claims if each[2]["meld"] == "aces"]
    needs(aces)
    place, seat, claim = aces[0]
    for later in events[place : deal[-1]]:
        for bump in (*later["public"].get("bumps", ()), later["public"]):
            if bump.get("seat") == seat and "meld" in bump:
                bump["meld"] = "triplet"
    claim["meld"] = "triplet"


def two_bumps(events: list[Envelope], deal: list[int]) -> Envelope:
    """What is announced of two bumps."""
    public: Envelope = events[first(events, deal, "bumps-announced", lambda public: len(public["bumps"]) == 2)][
        "public"
    ]
    return public


def bump_overlooked(events: list[Envelope], deal: list[int]) -> None:
    """A bump is not announced."""
    public = two_bumps(events, deal)
    public["bumps"] = [bump for bump in public["bumps"] if bump["seat"] == public["standing"]]


def other_bump_stands(events: list[Envelope], deal: list[int]) -> None:
    """Of two bumps the other one is said to stand."""
    public = two_bumps(events, deal)
    (public["standing"],) = {bump["seat"] for bump in public["bumps"]} - {public["standing"]}


def not_asked(events: list[Envelope], deal: list[int]) -> None:
    """A claim is announced before all have answered."""
    place = first(events, deal, "bumps-announced", lambda public: not public["bumps"])
    del events[place - 1]
    follow_up(events, place - 1)


def renewed_too_soon(events: list[Envelope], deal: list[int]) -> None:
    """The stock is renewed once more at once."""
    place = first(events, deal, "stock-renewed")
    events.insert(place + 1, {**events[place]})


def out_without_melds(events: list[Envelope], deal: list[int]) -> None:
    """A discard is said to go out."""
    events[first(events, deal, "card-discarded")]["type"] = "went-out"


def played_on_after_the_limit(events: list[Envelope], _: list[int]) -> None:
    """The limit was a lower one."""
    options = events[0]["public"]["options"]
    needs(options["turn_limit"] != 10)
    options["turn_limit"] = 10


def hand_divided_worse(events: list[Envelope], deal: list[int]) -> None:
    """A meld of a hand is left out, with its lines, the totals fitting."""
    divided = [each["melds"] for each in events[deal[-1]]["public"]["divisions"] if each["melds"]]
    needs(divided)
    divided[0].pop()


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (PACK, ROWS, ("went-out", "all-laid", "undecided"), ("target reached", "last deal scored"))
    rewritten = (1, 2)
    rewritten_each = 2
    moved = (1, 5)
    at_once = ("claim-answered",)
    breaches = (
        (yields, "KH-6.4"),
        (claims_too_much, "KH-6.2"),
        (bump_overlooked, "KH-6.3"),
        (other_bump_stands, "KH-6.3"),
        (not_asked, "bumps-announced comes where claim-answered should"),
        (renewed_too_soon, "stock-renewed comes where"),
        (out_without_melds, "KH-7.1"),
        (played_on_after_the_limit, "where hands-shown should follow"),
        (hand_divided_worse, "KH-8.5"),
        (one_more, "KH-8.5"),
    )
