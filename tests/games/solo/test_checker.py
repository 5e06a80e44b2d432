"""The independent check of Solo finds nothing wrong with what the domain records, and finds what is altered."""

from tests.games.checking import (
    CheckerTests,
    act,
    first,
    follow_up,
    hand_of,
    needs,
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
from tests.support.for_each import for_each
from tests.support.recording import Envelope

FACTS = {
    "bid-asked": ("level",),
    "bid-held": ("level",),
    "queen-shown": ("card",),
    "contract-declared": ("game", "called", "level"),
    "deal-scored": ("declarer", "partner", "game", "level"),
}


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
    return [seat for seat in range(4) if {*hand_of(events, deal, seat)} >= {*cards}]


def asks_for_too_much(events: list[Envelope], deal: list[int]) -> None:
    asked = [events[place]["public"] for place in of_type(events, deal, "bid-asked")]
    needs(len(asked) > 1 and asked[1]["level"] < 6)
    asked[1]["level"] += 1


def passes_with_black_queens(events: list[Envelope], deal: list[int], type_: str) -> None:
    """Who holds both black queens passes instead, though the level binds."""
    bound = holders(events, deal, "Qc", "Qs")
    place = first(events, deal, type_, lambda public: public["seat"] in bound and public["level"] <= 3)
    events[place] = act(events, place, "bid-passed", seat=events[place]["public"]["seat"])


def black_queens_pass(events: list[Envelope], deal: list[int]) -> None:
    passes_with_black_queens(events, deal, "bid-asked")


def black_queens_say_no(events: list[Envelope], deal: list[int]) -> None:
    passes_with_black_queens(events, deal, "bid-held")


def declares(events: list[Envelope], deal: list[int]) -> Envelope:
    public: Envelope = events[first(events, deal, "contract-declared")]["public"]
    return public


def redeclared(events: list[Envelope], public: Envelope, name: str, *, color: bool) -> None:
    """Another game is declared."""
    suit = events[0]["public"]["options"]["color"]
    trump = suit if color else next(each for each in "shdc" if each != suit)
    public |= {"game": name, "trump": trump, "level": LEVELS[name] + color, "called": None}


def call_an_ace(events: list[Envelope], deal: list[int], public: Envelope) -> None:
    """Declarer calls an ace that another holds."""
    public["called"] = "Ah" if public["seat"] not in holders(events, deal, "Ah") else "As"


def black_queens_take_a_partner(events: list[Envelope], deal: list[int]) -> None:
    public = declares(events, deal)
    needs(public["seat"] in holders(events, deal, "Qc", "Qs"))
    redeclared(events, public, "simple", color=True)
    call_an_ace(events, deal, public)


def declares_less_than_held(events: list[Envelope], deal: list[int]) -> None:
    held = of_type(events, deal, "bid-held", "bid-asked")
    needs(held and events[held[-1]]["public"]["level"] >= 4)
    redeclared(events, declares(events, deal), "solo", color=False)


def plays_alone_when_all_passed(events: list[Envelope], deal: list[int]) -> None:
    needs(of_type(events, deal, "queen-shown"))
    redeclared(events, declares(events, deal), "solo", color=True)


def calls_own_ace(events: list[Envelope], deal: list[int]) -> None:
    public = declares(events, deal)
    own = [ace for ace in ("As", "Ah", "Ad", "Ac") if public["seat"] in holders(events, deal, ace)]
    needs(public["game"] == "simple" and own)
    public["called"] = own[0]


def calls_a_king(events: list[Envelope], deal: list[int]) -> None:
    public = declares(events, deal)
    others = [king for king in ("Ks", "Kh", "Kd", "Kc") if public["seat"] not in holders(events, deal, king)]
    needs(public["game"] == "simple" and public["called"][0] == "A" and others)
    public["called"] = others[0]


def calls_when_alone(events: list[Envelope], deal: list[int]) -> None:
    public = declares(events, deal)
    needs(public["game"] == "solo")
    call_an_ace(events, deal, public)


def partner_shown_too_late(events: list[Envelope], deal: list[int]) -> None:
    """The partner is shown only after the next card."""
    place = first(events, deal, "partner-shown")
    needs(events[place + 1]["type"] == "card-played")
    events[place], events[place + 1] = events[place + 1], events[place]
    follow_up(events, place + 1)


def revoke(events: list[Envelope], deal: list[int]) -> None:
    """Who followed plays a later card of another suit in its place."""
    trump = declares(events, deal)["trump"]
    revoked(events, deal, lambda card: trump if card in trumps(trump) else card[1])


def black_queen_follows_its_printed_suit(events: list[Envelope], deal: list[int]) -> None:
    """A black queen is played to a plain lead of its printed suit by who holds others of that suit."""
    plain = {*PACK} - {*trumps(declares(events, deal)["trump"])}

    def fits(led: str | None, mine: str, its: str) -> bool:
        return led in plain and mine in plain and its in ("Qc", "Qs") and led[1] == mine[1] == its[1]

    swapped(events, deal, fits)


def twelve_to_an_opponent(events: list[Envelope], deal: list[int]) -> None:
    """The line is another player's, the totals fitting."""
    own, other = events[deal[-1]]["public"]["lines"][:2]
    for later in events:
        if "totals" in later["public"]:
            totals, to = later["public"]["totals"], (own["seat"] + 1) % 4
            totals[own["seat"]] -= own["amount"]
            totals[to] += own["amount"]
    players = {e["public"]["seat"]: e["public"]["player"] for e in events if e["type"] == "seat-taken"}
    own["seat"] = (own["seat"] + 1) % 4
    own["account"] = other["with"] = f"player:{players[own['seat']]}"


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = (PACK, ("made", "failed"), tuple(LEVELS))
    intact = range(14)
    long = tuple(({"color": color}, 96) for color in "shdc")
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
