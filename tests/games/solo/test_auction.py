"""SO-3.1, SO-3.3 and SO-3.4: the auction. Seat 0 is at the dealer's left, seat 3 deals."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest

from domain.games.solo import SOLO
from domain.games.solo.acts import Ask, Pass, SoloAction, Yes
from domain.games.solo.events import BidAsked, BidHeld, QueenShown
from domain.games.solo.state import Auction, Declaration, State
from domain.kernel.rejection import Code
from domain.parts.auction import BidPassed
from domain.seats import Seat
from tests.games.solo.checker import auction as held_at_last
from tests.games.solo.checker import may_pass
from tests.games.solo.tables import SoloLive, dealt
from tests.support.for_each import for_each

ACTIONS: dict[str, SoloAction] = {"ask": Ask(), "yes": Yes(), "pass": Pass()}
HANDS = {0: "As", 1: "Qs", 2: "Qc", 3: "Ac"}


def auction(*bids: str, both: Seat | None = None) -> SoloLive:
    """A table after these bids, each by whose turn it is; `both` holds both black queens."""
    live = dealt(HANDS if both is None else {both: "Qc Qs"})
    for bid in bids:
        live.do(bid)
    return live


class Sequel(NamedTuple):
    """A whole auction: what was said, by whom, of which level, and what the others could have said; who holds what."""

    said: tuple[tuple[Seat, str, int | None], ...]
    choices: tuple[tuple[str, ...], ...]
    holder: Seat | None
    level: int


def auctions(order: Sequence[Seat], both: Seat | None = None) -> Iterator[Sequel]:
    """Every auction that there can be, by the checker's rules; `both` is the seat with both black queens (SO-3.3)."""
    script: list[str] = []
    while True:
        sequel = _auction(order, both, script)
        yield sequel
        bids = [bid for _, bid, _ in sequel.said]
        while bids and bids[-1] == sequel.choices[len(bids) - 1][-1]:
            bids.pop()
        if not bids:
            return
        choices = sequel.choices[len(bids) - 1]
        script = [*bids[:-1], choices[choices.index(bids[-1]) + 1]]


def _auction(order: Sequence[Seat], both: Seat | None, script: Sequence[str]) -> Sequel:
    """The auction that begins with this script and goes on with what stands first."""
    said: list[tuple[Seat, str, int | None]] = []
    choices: list[tuple[str, ...]] = []

    def says(seat: Seat, level: int, event: str) -> bool:
        word = {"bid-asked": "ask", "bid-held": "yes"}[event]
        open_to = (word, "pass") if may_pass(level, both=seat == both) else (word,)
        bid = script[len(said)] if len(said) < len(script) else open_to[0]
        choices.append(open_to)
        said.append((seat, bid, None if bid == "pass" else level))
        return bid != "pass"

    holder, level = held_at_last(order, says)
    return Sequel(tuple(said), tuple(choices), holder, level)


def enumerated(state: State, choices: tuple[tuple[str, ...], ...] = ()) -> Iterator[Sequel]:
    """Every auction that the offers allow from here."""
    if not isinstance(state, Auction) or state.common.auction.turn is None:
        holder = state.declarer if isinstance(state, Declaration) else None
        level = state.level if isinstance(state, Declaration) else 0
        said = tuple((one.seat, one.bid, one.level) for one in state.common.auction.said)
        yield Sequel(said, choices, holder, level)
        return
    (seat,) = SOLO.decider.to_act(state)
    offered = tuple(offer.type for offer in SOLO.decider.offers(state, seat))
    assert all(SOLO.decider.offers(state, other) == () for other in range(4) if other != seat)
    for bid in offered:
        after = SOLO.decider.evolve(state, SOLO.decider.decide(state, seat, ACTIONS[bid]))
        yield from enumerated(after, (*choices, offered))


@pytest.mark.parametrize("dealer", range(4))
def test_so_3_1_exactly_the_auctions_that_the_rule_allows(dealer: int) -> None:
    order = [(dealer + step) % 4 for step in (1, 2, 3, 4)]
    expected = list(auctions(order))
    found = list(enumerated(dealt(HANDS, dealer=dealer).table.deal_state))
    assert len(expected) == len(set(expected)) == 305
    assert set(found) == set(expected)
    assert len(found) == len(expected)


@pytest.mark.parametrize("both", range(4))
def test_so_3_3_exactly_the_auctions_that_both_black_queens_allow(both: int) -> None:
    expected = list(auctions(range(4), both))
    assert len(expected) < len(list(auctions(range(4))))
    assert {sequel.holder for sequel in expected} == {0, 1, 2, 3}
    assert not any(sequel.holder is None for sequel in expected)
    found = list(enumerated(dealt({both: "Qc Qs"}).table.deal_state))
    assert set(found) == set(expected)
    assert len(found) == len(expected)


@for_each(
    "bids, turn, open_to",
    [
        ("", 0, {"ask", "pass"}),
        ("pass", 1, {"ask", "pass"}),
        ("pass pass pass", 3, {"ask", "pass"}),
        ("ask", 1, {"ask", "pass"}),
        ("ask ask", 0, {"yes", "pass"}),
        ("ask ask yes", 1, {"ask", "pass"}),
        ("ask ask pass", 2, {"ask", "pass"}),
        ("ask ask yes pass", 2, {"ask", "pass"}),
        ("ask ask yes pass ask", 0, {"yes", "pass"}),
        ("ask ask pass ask", 1, {"yes", "pass"}),
        ("ask ask pass ask pass", 3, {"ask", "pass"}),
        ("ask pass pass ask", 0, {"yes", "pass"}),
    ],
)
def test_so_3_1_who_speaks_and_what_may_be_said(bids: str, turn: int, open_to: set[str]) -> None:
    live = auction(*bids.split())
    assert (live.phase, live.to_act, live.types(turn)) == ("auction", (turn,), open_to)
    for kind in {"ask", "yes", "pass"} - open_to:
        live.refuses(turn, kind, Code.RULE_VIOLATION, "SO-3.1")
    for other in {0, 1, 2, 3} - {turn}:
        assert live.offers(other) == ()
        for kind in ("ask", "yes", "pass"):
            live.refuses(other, kind, Code.NOT_YOUR_TURN, "SO-3.1")


@for_each(
    "bids, level, holder, asker, asked",
    [
        ("", 0, None, 0, 1),
        ("pass pass", 0, None, 2, 1),
        ("ask", 1, 0, 1, 2),
        ("ask ask", 1, 0, 1, 2),
        ("ask ask yes", 2, 0, 1, 3),
        ("ask ask pass", 2, 1, 2, 3),
        ("ask ask pass ask", 2, 1, 2, 3),
        ("ask ask yes pass ask", 2, 0, 2, 3),
        ("ask pass pass pass", 1, 0, None, None),
        ("ask ask yes ask yes ask yes ask yes ask pass", 6, 1, None, None),
        ("pass pass pass pass", 0, None, None, None),
    ],
)
def test_so_3_1_the_view_shows_the_level_and_who_asks_whom(
    bids: str, level: int, holder: int | None, asker: int | None, asked: int | None
) -> None:
    live = auction(*bids.split())
    question = {"level": level, "holder": holder, "asker": asker, "asked": asked}
    assert all(live.view(audience)["question"] == question for audience in live.audiences)


@for_each(
    "bids, declarer, level",
    [
        ("ask pass pass pass", 0, 1),
        ("pass ask pass pass", 1, 1),
        ("pass pass pass ask", 3, 1),
        ("ask ask pass pass pass", 1, 2),
        ("ask ask yes pass pass pass", 0, 2),
        ("ask ask yes ask pass pass pass", 1, 3),
        ("ask pass pass ask pass", 3, 2),
        ("ask ask yes ask yes ask yes ask yes ask yes", 0, 6),
        ("ask ask yes ask yes ask yes ask yes ask pass", 1, 6),
        ("ask ask pass ask pass ask pass", 3, 4),
    ],
)
def test_so_3_1_the_last_holder_is_declarer(bids: str, declarer: int, level: int) -> None:
    live = auction(*bids.split())
    question = live.table.deal_state.common.auction
    assert (question.winner, question.level) == (declarer, level)
    # At level 6 only one game is left, and is declared by itself.
    assert (live.phase, live.to_act) == (("play", (0,)) if level == 6 else ("declaration", (declarer,)))


def test_so_3_1_after_level_six_nobody_is_asked() -> None:
    live = auction("pass", "ask", *["ask", "yes"] * 5)
    assert (live.phase, live.view("public")["contract"]["declarer"]) == ("play", 1)
    assert live.said()[-1] == (1, "yes", 6)
    assert all(seat != 3 for seat, _, _ in live.said())


def test_so_3_1_what_is_said_is_told_to_all() -> None:
    live = auction("pass", "ask", "ask", "yes", "ask", "pass", "pass")
    calls = [event.public for event in live.events if isinstance(event.public, BidAsked | BidHeld | BidPassed)]
    assert calls == [
        BidPassed(0),
        BidAsked(1, 1),
        BidAsked(2, 2),
        BidHeld(1, 2),
        BidAsked(2, 3),
        BidPassed(1),
        BidPassed(3),
    ]
    expected = [
        (0, "pass", None),
        (1, "ask", 1),
        (2, "ask", 2),
        (1, "yes", 2),
        (2, "ask", 3),
        (1, "pass", None),
        (3, "pass", None),
    ]
    for audience in live.audiences:
        said = [(one["seat"], one["bid"], one["level"]) for one in live.view(audience)["auction"]]
        assert said == expected


@for_each(
    "both, bids, word",
    [
        (0, "", "ask"),
        (3, "pass pass pass", "ask"),
        (1, "ask", "ask"),
        (1, "ask ask yes", "ask"),
        (0, "ask ask", "yes"),
        (0, "ask ask yes ask", "yes"),
        (2, "ask ask pass", "ask"),
    ],
)
def test_so_3_3_both_black_queens_may_not_pass_up_to_level_three(both: int, bids: str, word: str) -> None:
    live = auction(*bids.split(), both=both)
    assert (live.turn, live.types(both)) == (both, {word})
    live.refuses(both, "pass", Code.RULE_VIOLATION, "SO-3.3")
    live.do(word)


@pytest.mark.parametrize(
    ("both", "bids"),
    [
        (0, "ask ask yes ask yes ask"),
        (1, "ask ask yes ask yes"),
        (2, "ask ask yes ask pass"),
        (3, "ask ask yes ask pass pass"),
    ],
)
def test_so_3_3_from_level_four_on_they_may(both: int, bids: str) -> None:
    live = auction(*bids.split(), both=both)
    assert live.turn == both
    assert "pass" in live.types(both)
    live.do("pass")


def test_so_3_3_one_black_queen_binds_nobody() -> None:
    live = auction()
    for _ in range(3):
        live.do("pass")
    assert live.phase == "auction"


def test_so_3_3_who_is_bound_is_told_to_nobody_else() -> None:
    bound, free = auction("ask", "ask", both=0), auction("ask", "ask")
    for audience in ("public", "seat:1", "seat:2", "seat:3"):
        one, other = bound.view(audience), free.view(audience)
        assert {name: one[name] for name in one if name != "seats"} == {
            name: other[name] for name in other if name != "seats"
        }
    assert bound.to_act == free.to_act


@for_each("holder", range(4))
@for_each("dealer", range(4))
def test_so_3_4_when_all_pass_the_queen_of_clubs_is_shown(holder: int, dealer: int) -> None:
    live = dealt({holder: "Qc 9h", (holder + 1) % 4: "Qs"}, dealer=dealer)
    for _ in range(4):
        live.do("pass")
    event = live.events[-1]
    assert (event.public, event.actor) == (QueenShown(holder, "Qc"), "house")
    assert (live.phase, live.to_act) == ("declaration", (holder,))
    live.refuses(holder, "pass", Code.WRONG_PHASE, "SO-3.4")
    live.refuses((holder + 1) % 4, "declare", Code.NOT_YOUR_TURN, "SO-3.4", game="simple", trump="h", called="Ac")


def test_so_3_4_the_queen_is_known_to_all_until_it_is_played() -> None:
    live = auction(*["pass"] * 4)
    for audience in live.audiences:
        hand = live.view(audience)["seats"][2]["hand"]
        assert "Qc" in hand["known"]
        assert len(hand["known"]) + hand["hidden"] == 8
    assert live.view("public")["seats"][2]["hand"] == {"known": ("Qc",), "hidden": 7}
    live.do("declare", game="simple", trump="h", called="Ac")
    while "Qc" in live.hand(2):
        assert "Qc" in live.view("seat:1")["seats"][2]["hand"]["known"]
        cards = live.offered(live.turn, "play")[0]["card"]["one_of"]
        live.do("play", card="Qc" if "Qc" in cards else cards[0])
    assert "Qc" not in live.view("seat:1")["seats"][2]["hand"]["known"]


@pytest.mark.parametrize("kind", ["declare", "play"])
def test_nothing_but_questions_and_answers_has_a_place_in_the_auction(kind: str) -> None:
    fields = {"declare": {"game": "solo", "trump": "s"}, "play": {"card": "As"}}[kind]
    for seat in range(4):
        auction("ask").refuses(seat, kind, Code.WRONG_PHASE, "SO-3.1", **fields)
