"""The independent check of Solo finds nothing wrong with what the domain records, and finds what is altered."""

from typing import Any

from tests.games.checking import (
    CheckerTests,
    act,
    deals,
    follow_up,
    occasions,
    of_type,
    one_more,
    partner_unpaid,
    played_on,
    revoked,
    stopped_too_soon,
    swapped,
)
from tests.games.solo.checker import LEVELS, PACK, callable_cards, fates, trumps
from tests.games.solo.habits import HABITS
from tests.support.checker import violations
from tests.support.for_each import for_each
from tests.support.recording import Envelope, game

FACTS = {
    "bid-asked": ("level",),
    "bid-held": ("level",),
    "queen-shown": ("card",),
    "contract-declared": ("game", "called", "level"),
    "deal-scored": ("declarer", "partner", "game", "level"),
}
VALUES = (PACK, ("made", "failed"), tuple(LEVELS))


def test_a_long_game_is_intact() -> None:
    assert violations(game(1, {"color": "d"}, 96, HABITS)) == []


# what the rules say


def test_so_1_3_trumps() -> None:
    assert trumps("c") == ["Qc", "7c", "Qs", "Ac", "Kc", "Jc", "Tc", "9c", "8c"]
    assert trumps("h") == ["Qc", "7h", "Qs", "Ah", "Kh", "Qh", "Jh", "Th", "9h", "8h"]


def test_so_2_1_a_king_is_called_by_who_holds_all_aces() -> None:
    assert callable_cards(["As", "Kh"]) == ["Ah", "Ad", "Ac"]
    assert callable_cards(["As", "Ah", "Ad", "Ac", "Kh"]) == ["Ks", "Kd", "Kc"]
    assert callable_cards([rank + suit for rank in "AK" for suit in "shdc"]) == []


@for_each(
    "row, still",
    [
        (("simple", 4, 3), {"made", "failed"}),
        (("simple", 5, 0), {"made"}),
        (("solo", 0, 4), {"failed"}),
        (("solo", 0, 3), {"made", "failed"}),
        (("tout", 7, 0), {"made", "failed"}),
        (("tout", 0, 1), {"failed"}),
        (("tout", 8, 0), {"made"}),
    ],
)
def test_so_4_3_what_may_still_come_of_a_game(row: tuple[str, int, int], still: set[str]) -> None:
    assert fates(*row) == still


# breaches of the rules


def holders(events: list[Envelope], deal: list[int], *cards: str) -> list[int]:
    """Who was dealt all these cards."""
    sealed: dict[str, Any] = events[deal[0]]["sealed"]
    hands = {seat: {each["card"] for each in sealed[f"seat:{seat}"]["data"]["cards"]} for seat in range(4)}
    return [seat for seat, hand in hands.items() if hand >= set(cards)]


def asks_for_too_much(events: list[Envelope]) -> bool:
    for deal in deals(events):
        for place in of_type(events, deal, "bid-asked")[1:]:
            events[place]["public"]["level"] += 1
            return events[place]["public"]["level"] <= 6
    return False


def black_queens_pass(events: list[Envelope]) -> bool:
    """Who is bound to ask passes instead."""
    for deal, place in occasions(events, "bid-asked"):
        seat, level = events[place]["public"]["seat"], events[place]["public"]["level"]
        if seat in holders(events, deal, "Qc", "Qs") and level <= 3:
            events[place] = act(events, place, "bid-passed", seat=seat)
            return True
    return False


def black_queens_say_no(events: list[Envelope]) -> bool:
    for deal, place in occasions(events, "bid-held"):
        seat, level = events[place]["public"]["seat"], events[place]["public"]["level"]
        if seat in holders(events, deal, "Qc", "Qs") and level <= 3:
            events[place] = act(events, place, "bid-passed", seat=seat)
            return True
    return False


def declares(events: list[Envelope], deal: list[int]) -> Envelope:
    public: Envelope = events[of_type(events, deal, "contract-declared")[0]]["public"]
    return public


def redeclared(events: list[Envelope], public: Envelope, name: str, *, color: bool) -> None:
    """Another game is declared."""
    suit = events[0]["public"]["options"]["color"]
    trump = suit if color else next(each for each in "shdc" if each != suit)
    public |= {"game": name, "trump": trump, "level": LEVELS[name] + color, "called": None}


def black_queens_take_a_partner(events: list[Envelope]) -> bool:
    for deal in deals(events):
        public = declares(events, deal)
        if public["seat"] in holders(events, deal, "Qc", "Qs"):
            redeclared(events, public, "simple", color=True)
            public["called"] = "Ah" if public["seat"] not in holders(events, deal, "Ah") else "As"
            return True
    return False


def declares_less_than_held(events: list[Envelope]) -> bool:
    for deal in deals(events):
        held = of_type(events, deal, "bid-held", "bid-asked")
        if held and events[held[-1]]["public"]["level"] >= 4:
            redeclared(events, declares(events, deal), "solo", color=False)
            return True
    return False


def plays_alone_when_all_passed(events: list[Envelope]) -> bool:
    for deal in deals(events):
        if of_type(events, deal, "queen-shown"):
            redeclared(events, declares(events, deal), "solo", color=True)
            return True
    return False


def calls_own_ace(events: list[Envelope]) -> bool:
    for deal in deals(events):
        public = declares(events, deal)
        own = [ace for ace in ("As", "Ah", "Ad", "Ac") if public["seat"] in holders(events, deal, ace)]
        if public["game"] == "simple" and own:
            public["called"] = own[0]
            return True
    return False


def calls_a_king(events: list[Envelope]) -> bool:
    for deal in deals(events):
        public = declares(events, deal)
        others = [king for king in ("Ks", "Kh", "Kd", "Kc") if public["seat"] not in holders(events, deal, king)]
        if public["game"] == "simple" and public["called"][0] == "A" and others:
            public["called"] = others[0]
            return True
    return False


def calls_when_alone(events: list[Envelope]) -> bool:
    for deal in deals(events):
        public = declares(events, deal)
        if public["game"] == "solo":
            public["called"] = "Ah" if public["seat"] not in holders(events, deal, "Ah") else "As"
            return True
    return False


def partner_shown_too_late(events: list[Envelope]) -> bool:
    """The partner is shown only after the next card."""
    for _, place in occasions(events, "partner-shown"):
        if events[place + 1]["type"] == "card-played":
            events[place], events[place + 1] = events[place + 1], events[place]
            follow_up(events, place + 1)
            return True
    return False


def revoke(events: list[Envelope]) -> bool:
    """Who followed plays a later card of another suit in its place."""
    for deal in deals(events):
        trump = declares(events, deal)["trump"]
        if revoked(events, deal, lambda card, trump=trump: trump if card in trumps(trump) else card[1]):
            return True
    return False


def black_queen_follows_its_printed_suit(events: list[Envelope]) -> bool:
    """A black queen is played to a plain lead of its printed suit by who holds others of that suit."""
    for deal in deals(events):
        plain = {*PACK} - {*trumps(declares(events, deal)["trump"])}
        if swapped(
            events,
            deal,
            lambda led, mine, its, plain=plain: (
                led in plain and mine in plain and its in ("Qc", "Qs") and led[1] == mine[1] == its[1]
            ),
        ):
            return True
    return False


def twelve_to_an_opponent(events: list[Envelope]) -> bool:
    """The line is another player's, the totals fitting."""
    scored = events[deals(events)[0][-1]]["public"]
    own, other = scored["lines"][:2]
    for later in events:
        if "totals" in later["public"]:
            totals, to = later["public"]["totals"], (own["seat"] + 1) % 4
            totals[own["seat"]] -= own["amount"]
            totals[to] += own["amount"]
    players = {e["public"]["seat"]: e["public"]["player"] for e in events if e["type"] == "seat-taken"}
    own["seat"] = (own["seat"] + 1) % 4
    own["account"] = other["with"] = f"player:{players[own['seat']]}"
    return True


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    intact = range(14)
    rewritten = (0, 5, 12, 13)
    moved = range(6)
    breaches = (
        (asks_for_too_much, "SO-3.1"),
        (black_queens_pass, "SO-3.3"),
        (black_queens_say_no, "SO-3.3"),
        (black_queens_take_a_partner, "SO-3.3"),
        (declares_less_than_held, "SO-3.2"),
        (plays_alone_when_all_passed, "SO-3.4"),
        (calls_own_ace, "SO-2.1"),
        (calls_a_king, "SO-2.1"),
        (calls_when_alone, "SO-2.1"),
        (partner_shown_too_late, "partner-shown should follow"),
        (revoke, " in hand"),
        (black_queen_follows_its_printed_suit, " in hand"),
        (stopped_too_soon, "deal-scored comes where card-played should"),
        (played_on, "all is settled"),
        (partner_unpaid, "SO-4.2"),
        (one_more, "SO-4.2"),
        (twelve_to_an_opponent, "SO-4.2"),
    )
