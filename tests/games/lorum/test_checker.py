"""The independent check of Lórum finds nothing wrong with what the domain records, and finds what is altered."""

from tests.games.checking import CheckerTests, act, deals, follow_up, of_type, one_more, other_grounds, revoked, swapped
from tests.games.lorum.checker import COSTS, OUTCOMES, PACK, kind_of
from tests.games.lorum.habits import HABITS
from tests.support.recording import Envelope

FACTS = {
    "card-turned": ("card", "opening"),
    "trick-kept": ("trick",),
    "card-counted": ("count",),
    "card-added": ("next",),
}
VALUES = (PACK, OUTCOMES)


def test_the_checkers_own_table() -> None:
    assert {kind: sum(row.cards.values()) or 8 * row.trick for kind, row in COSTS.items()} == {
        kind: row.whole for kind, row in COSTS.items()
    }


# breaches of the rules


def of_kind(events: list[Envelope], kind: int) -> list[list[int]]:
    """The places of the events of each deal of this kind."""
    return [deal for deal in deals(events) if kind_of(events[deal[0]]["deal"]) == kind]


def revokes(events: list[Envelope]) -> bool:
    return any(revoked(events, deal) for kind in (2, 3) for deal in of_kind(events, kind))


def leads_a_heart(events: list[Envelope]) -> bool:
    for deal in of_kind(events, 1):
        first = events[of_type(events, deal, "card-played")[0]]["public"]["card"]
        if swapped(events, deal, lambda _, mine, its, first=first: mine == first and its[1] == "h"):
            return True
    return False


def follows_suit_though_blind(events: list[Envelope]) -> bool:
    """A card is said to stand in a place where another does."""
    for deal in of_kind(events, 4):
        turned = of_type(events, deal, "card-turned")
        for place in turned:
            others = [each for each in turned if events[each]["public"]["seat"] == events[place]["public"]["seat"]]
            if len(others) > 1:
                one, two = (events[each]["public"] for each in others[:2])
                one["place"], two["place"] = two["place"], one["place"]
                return True
    return False


def names_an_empty_place(events: list[Envelope]) -> bool:
    for deal in of_kind(events, 4):
        turned = of_type(events, deal, "card-turned")
        if len(turned) > 4:
            seat = events[turned[4]]["public"]["seat"]
            before = next(each for each in turned[:4] if events[each]["public"]["seat"] == seat)
            events[turned[4]]["public"]["place"] = events[before]["public"]["place"]
            return True
    return False


def leader_wins_though_nobody_followed(events: list[Envelope]) -> bool:
    for deal in of_kind(events, 4):
        for place in of_type(events, deal, "trick-kept"):
            events[place]["type"] = "trick-won"
            return True
    return False


def hides_a_hand_from_another(events: list[Envelope]) -> bool:
    """In Hairy Ape a seat gets its own cards, and not another's."""
    for deal in of_kind(events, 4):
        sealed = events[deal[0]]["sealed"]
        if events[0]["public"]["options"]["hairy_ape"] == "blind":
            sealed["seat:0"]["data"], sealed["seat:1"]["data"] = sealed["seat:1"]["data"], sealed["seat:0"]["data"]
            return True
    return False


def counts_wrongly(events: list[Envelope]) -> bool:
    for deal in of_kind(events, 5):
        events[of_type(events, deal, "card-counted")[3]]["public"]["count"] += 1
        return True
    return False


def goes_on_past_the_last_mark(events: list[Envelope]) -> bool:
    for deal in of_kind(events, 5):
        played = {events[place]["public"]["card"] for place in of_type(events, deal, "card-counted")}
        last = events[deal[-2]]["public"]
        seat = (last["seat"] + 1) % 4
        held = [one["card"] for one in events[deal[0]]["sealed"][f"seat:{seat}"]["data"]["cards"]]
        left = [card for card in held if card not in played]
        if left:
            more = act(events, deal[-1], "card-counted", seat=seat, card=left[0], count=last["count"])
            events.insert(deal[-1], more)
            follow_up(events, deal[-1] + 1)
            return True
    return False


def breaks_a_sequence(events: list[Envelope]) -> bool:
    """Who must play the next card plays another one."""
    for deal in of_kind(events, 6):
        played = of_type(events, deal, "card-added")
        for index, place in enumerate(played[1:], 1):
            mine, before = events[place]["public"], events[played[index - 1]]["public"]
            for later in played[index + 1 :]:
                its = events[later]["public"]
                if mine["seat"] != before["seat"] == before["next"]:
                    continue
                if its["seat"] == mine["seat"] != before["seat"]:
                    mine["card"], its["card"] = its["card"], mine["card"]
                    return True
    return False


def names_another_as_next(events: list[Envelope]) -> bool:
    for deal in of_kind(events, 6):
        public = events[of_type(events, deal, "card-added")[0]]["public"]
        public["next"] = (public["next"] + 1) % 4
        return True
    return False


def passes_though_able(events: list[Envelope]) -> bool:
    for deal in of_kind(events, 7):
        place = of_type(events, deal, "card-laid")[1]
        events[place] = act(events, place, "turn-passed", seat=events[place]["public"]["seat"])
        return True
    return False


def lays_what_does_not_fit(events: list[Envelope]) -> bool:
    """A player lays the second card of the hand where the third should lie."""
    for deal in of_kind(events, 7):
        laid = of_type(events, deal, "card-laid")
        start = events[laid[0]]["public"]["card"][0]
        one, *others = [
            each for each in laid[1:] if events[each]["public"]["seat"] == events[laid[1]]["public"]["seat"]
        ]
        far = [each for each in others if events[each]["public"]["card"][0] != start]
        if far:
            mine, its = events[one]["public"], events[far[-1]]["public"]
            mine["card"], its["card"] = its["card"], mine["card"]
            return True
    return False


def another_deals_too_soon(events: list[Envelope]) -> bool:
    place = deals(events)[1][0]
    events[place]["public"]["dealer"] = (events[place]["public"]["dealer"] + 1) % 4
    return True


def pot_not_taken(events: list[Envelope]) -> bool:
    for deal in of_kind(events, 7):
        del events[deal[-1]]["public"]["lines"][-2:]
        return True
    return False


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
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
