"""The independent check of Lórum finds nothing wrong with what the domain records, and finds what is altered."""

from tests.games.checking import (
    CheckerTests,
    NoOccasion,
    act,
    first,
    follow_up,
    hand_of,
    needs,
    of_type,
    one_more,
    other_grounds,
    revoked,
    swapped,
)
from tests.games.lorum.checker import COSTS, OUTCOMES, PACK, kind_of
from tests.games.lorum.habits import HABITS
from tests.support.recording import Envelope

FACTS = {
    "card-turned": ("card", "opening"),
    "trick-kept": ("trick",),
    "card-counted": ("count",),
    "card-added": ("next",),
}


def test_the_checkers_own_table() -> None:
    assert {kind: sum(row.cards.values()) or 8 * row.trick for kind, row in COSTS.items()} == {
        kind: row.whole for kind, row in COSTS.items()
    }


# breaches of the rules


def is_kind(events: list[Envelope], deal: list[int], *kinds: int) -> None:
    """Raises NoOccasion unless the deal is of one of these kinds."""
    needs(kind_of(events[deal[0]]["deal"]) in kinds)


def revokes(events: list[Envelope], deal: list[int]) -> None:
    is_kind(events, deal, 2, 3)
    revoked(events, deal)


def leads_a_heart(events: list[Envelope], deal: list[int]) -> None:
    is_kind(events, deal, 1)
    led = events[first(events, deal, "card-played")]["public"]["card"]
    swapped(events, deal, lambda _, mine, its: mine == led and its[1] == "h")


def follows_suit_though_blind(events: list[Envelope], deal: list[int]) -> None:
    """A card is said to stand in a place where another does."""
    is_kind(events, deal, 4)
    turned = [events[place]["public"] for place in of_type(events, deal, "card-turned")]
    pairs = [
        (one, two) for place, one in enumerate(turned) for two in turned[place + 1 :] if one["seat"] == two["seat"]
    ]
    needs(pairs)
    one, two = pairs[0]
    one["place"], two["place"] = two["place"], one["place"]


def names_an_empty_place(events: list[Envelope], deal: list[int]) -> None:
    is_kind(events, deal, 4)
    turned = [events[place]["public"] for place in of_type(events, deal, "card-turned")]
    needs(len(turned) > 4)
    turned[4]["place"] = next(each["place"] for each in turned[:4] if each["seat"] == turned[4]["seat"])


def leader_wins_though_nobody_followed(events: list[Envelope], deal: list[int]) -> None:
    is_kind(events, deal, 4)
    events[first(events, deal, "trick-kept")]["type"] = "trick-won"


def hides_a_hand_from_another(events: list[Envelope], deal: list[int]) -> None:
    """In Hairy Ape a seat gets its own cards, and not another's."""
    is_kind(events, deal, 4)
    needs(events[0]["public"]["options"]["hairy_ape"] == "blind")
    sealed = events[deal[0]]["sealed"]
    sealed["seat:0"]["data"], sealed["seat:1"]["data"] = sealed["seat:1"]["data"], sealed["seat:0"]["data"]


def counts_wrongly(events: list[Envelope], deal: list[int]) -> None:
    is_kind(events, deal, 5)
    events[of_type(events, deal, "card-counted")[3]]["public"]["count"] += 1


def goes_on_past_the_last_mark(events: list[Envelope], deal: list[int]) -> None:
    is_kind(events, deal, 5)
    played = {events[place]["public"]["card"] for place in of_type(events, deal, "card-counted")}
    last = events[deal[-2]]["public"]
    seat = (last["seat"] + 1) % 4
    left = [card for card in hand_of(events, deal, seat) if card not in played]
    needs(left)
    more = act(events, deal[-1], "card-counted", seat=seat, card=left[0], count=last["count"])
    events.insert(deal[-1], more)
    follow_up(events, deal[-1] + 1)


def breaks_a_sequence(events: list[Envelope], deal: list[int]) -> None:
    """Who must play the next card plays another one."""
    is_kind(events, deal, 6)
    played = [events[place]["public"] for place in of_type(events, deal, "card-added")]
    for index, mine in enumerate(played[1:], 1):
        before = played[index - 1]
        for its in played[index + 1 :]:
            if mine["seat"] != before["seat"] == before["next"]:
                continue
            if its["seat"] == mine["seat"] != before["seat"]:
                mine["card"], its["card"] = its["card"], mine["card"]
                return
    raise NoOccasion


def names_another_as_next(events: list[Envelope], deal: list[int]) -> None:
    is_kind(events, deal, 6)
    public = events[first(events, deal, "card-added")]["public"]
    public["next"] = (public["next"] + 1) % 4


def passes_though_able(events: list[Envelope], deal: list[int]) -> None:
    is_kind(events, deal, 7)
    place = of_type(events, deal, "card-laid")[1]
    events[place] = act(events, place, "turn-passed", seat=events[place]["public"]["seat"])


def lays_what_does_not_fit(events: list[Envelope], deal: list[int]) -> None:
    """A player lays the second card of the hand where the third should lie."""
    is_kind(events, deal, 7)
    start, *laid = [events[place]["public"] for place in of_type(events, deal, "card-laid")]
    mine, *others = [public for public in laid if public["seat"] == laid[0]["seat"]]
    far = [public for public in others if public["card"][0] != start["card"][0]]
    needs(far)
    mine["card"], far[-1]["card"] = far[-1]["card"], mine["card"]


def another_deals_too_soon(events: list[Envelope], deal: list[int]) -> None:
    needs(events[deal[0]]["deal"] == 2)
    public = events[deal[0]]["public"]
    public["dealer"] = (public["dealer"] + 1) % 4


def pot_not_taken(events: list[Envelope], deal: list[int]) -> None:
    is_kind(events, deal, 7)
    del events[deal[-1]]["public"]["lines"][-2:]


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (PACK, OUTCOMES)
    intact = range(3)
    rewritten = (0,)
    rewritten_each = 2
    moved = (1,)
    breaches = (
        (revokes, "LO-3.1"),
        (leads_a_heart, "LO-3.2"),
        (follows_suit_though_blind, "LO-4.2"),
        (names_an_empty_place, "LO-4.2"),
        (leader_wins_though_nobody_followed, "trick-kept should"),
        (hides_a_hand_from_another, "LO-4.1"),
        (counts_wrongly, "LO-5.1"),
        (goes_on_past_the_last_mark, "all is settled"),
        (breaks_a_sequence, "LO-6.2"),
        (names_another_as_next, "LO-6.6"),
        (passes_though_able, "LO-7.3"),
        (lays_what_does_not_fit, "LO-7.2"),
        (another_deals_too_soon, "LO-1.2"),
        (one_more, "LO-9.2"),
        (pot_not_taken, "LO-9.2"),
        (other_grounds, "LO-9.2"),
    )
