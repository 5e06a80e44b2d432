"""BO-5: supporters, discards, open hands, and what a seat knows."""

import pytest

from domain.games.boston import BOSTON
from domain.games.boston.events import CardOfDiscard, CardPutDown, SupportAnswered
from domain.games.boston.meta import Options
from domain.kernel.rejection import Code
from domain.parts.tricks import HandExposed
from domain.record.envelope import served
from tests.games.boston.checker import DISCARDING, LADDER, OPEN, SUPPORTED
from tests.games.boston.tables import BostonLive, dealt, played, shared_out
from tests.support.for_each import for_each

WIDE = Options(piccolissimo=True)


@for_each("contract", [name for name in LADDER if name != "four-ace-misere"])
def test_bo_5_1_in_five_to_eight_declarer_calls_or_plays_alone(contract: str) -> None:
    live = dealt({}, options=WIDE)
    live.bid_out(2, contract)
    assert (live.phase == "support") == (contract in SUPPORTED)
    if contract in SUPPORTED:
        assert live.to_act == (2,)
        assert live.types(2) == {"play-alone", "call"}
        live.refuses(1, "call", Code.NOT_YOUR_TURN, "BO-5.1")
    else:
        live.refuses(2, "call", Code.WRONG_PHASE, "BO-5.3" if contract in DISCARDING else "BO-6.1")


def test_bo_5_1_alone() -> None:
    live = dealt({})
    live.bid_out(2, "five")
    live.do("play-alone")
    assert (live.phase, live.turn) == ("play", 0)
    assert live.view("public")["contract"]["supporter"] is None


def called(contract: str = "six", declarer: int = 2) -> BostonLive:
    """A deal in which declarer has called for a supporter."""
    live = dealt({})
    live.bid_out(declarer, contract)
    live.do("call")
    return live


def test_bo_5_2_the_others_answer_in_turn_from_declarers_left() -> None:
    live = called()
    for seat in (3, 0, 1):
        assert live.to_act == (seat,)
        assert live.types(seat) == {"answer"}
        live.do("answer", accept=False)
    assert live.phase == "play"
    assert live.view("public")["contract"]["supporter"] is None
    assert [(one.seat, one.accepted) for one in live.of(SupportAnswered)] == [(3, False), (0, False), (1, False)]


@pytest.mark.parametrize("declined", range(3))
def test_bo_5_2_the_first_to_accept_is_the_supporter_and_nobody_else_is_asked(declined: int) -> None:
    live = called()
    for _ in range(declined):
        live.do("answer", accept=False)
    supporter = live.turn
    live.do("answer", accept=True)
    assert live.phase == "play"
    assert live.view("public")["contract"]["supporter"] == supporter == (3 + declined) % 4
    assert len(live.view("public")["contract"]["answers"]) == declined + 1


def test_bo_5_2_declarer_can_neither_refuse_nor_take_the_call_back() -> None:
    live = called()
    assert live.types(2) == set()
    live.refuses(2, "play-alone", Code.WRONG_PHASE, "BO-5.2")
    live.refuses(2, "answer", Code.NOT_YOUR_TURN, "BO-5.2", accept=False)
    live.do("answer", accept=True)
    live.refuses(2, "play-alone", Code.WRONG_PHASE, "BO-6.1")


@for_each("contract", [name for name in LADDER if name != "four-ace-misere"])
def test_bo_5_3_who_discards(contract: str) -> None:
    live = dealt({}, options=WIDE)
    live.bid_out(1, contract)
    assert (live.phase == "discard") == (contract in DISCARDING)


def discarding(contract: str = "petite-misere") -> BostonLive:
    """A deal in which seat 1 is to put a card down."""
    live = dealt({1: "As Ks"}, options=WIDE)
    live.bid_out(1, contract)
    return live


def test_bo_5_3_declarer_puts_down_any_card_of_the_hand() -> None:
    live = discarding()
    (fields,) = live.offered(1, "put-down")
    assert set(fields["card"]["one_of"]) == set(live.hand(1))
    other = live.hand(0)[0]
    detail = live.refuses(1, "put-down", Code.RULE_VIOLATION, "BO-5.3", card=other)
    assert detail == f"you do not hold {other}"
    live.refuses(0, "put-down", Code.NOT_YOUR_TURN, "BO-5.3", card=other)


@pytest.mark.parametrize("contract", ["petite-misere", "piccolissimo"])
def test_bo_5_3_nobody_else_sees_it(contract: str) -> None:
    live = discarding(contract)
    live.do("put-down", card="As")
    (event,) = [event for event in live.events if isinstance(event.public, CardPutDown)]
    assert event.sealed == {"seat:1": CardOfDiscard("As")}
    assert live.put_down_seen("seat:1") == (["As"], 0)
    for audience in ("public", "seat:0", "seat:2", "seat:3"):
        assert live.put_down_seen(audience) == ([], 1)
        assert live.hand_seen(audience, 1) == ([], 12)
        assert b"As" not in served(live.records[event.version - 1], audience, over=False)


def test_bo_5_3_everybody_is_told_when_the_deal_is_over() -> None:
    live = played("petite-misere", shared_out(13))
    version = next(event.version for event in live.events if isinstance(event.public, CardPutDown))
    assert b'"card":"' in served(live.records[version - 1], "public", over=True)
    assert b'"card":"' not in served(live.records[version - 1], "public", over=False)


@pytest.mark.parametrize("contract", ["petite-misere", "petite-misere-ouverte"])
def test_bo_5_3_twelve_tricks_are_played_and_each_other_keeps_a_card(contract: str) -> None:
    live = played(contract, shared_out(0))
    assert [event.public.trick for event in live.events if event.public.TYPE == "trick-won"] == list(range(1, 13))
    version = next(event.version for event in live.events if event.public.TYPE == "deal-scored")
    seats = live.view("public", version - 1)["seats"]
    assert [seat["hand"]["hidden"] for seat in seats] == [0, 1, 1, 1]


@pytest.mark.parametrize("contract", OPEN)
def test_bo_5_4_an_open_hand_lies_open_before_the_first_lead(contract: str) -> None:
    live = dealt({})
    live.bid_out(1, contract)
    if live.phase == "discard":
        live.do("put-down", card=live.hand(1)[4])
    (exposed,) = live.of(HandExposed)
    assert exposed.cards == live.hand(1)
    assert live.events[-1].public == exposed
    for audience in live.audiences:
        assert live.hand_seen(audience, 1) == ([*live.hand(1)], 0)
    assert live.view("public")["contract"]["exposed"] is True
    assert live.view("public", live.version - 1)["to_act"] == ()


@for_each("contract", [name for name in LADDER if name not in (*OPEN, "four-ace-misere")])
def test_bo_5_5_else_each_knows_the_own_cards_alone(contract: str) -> None:
    live = dealt({}, options=WIDE)
    live.bid_out(0, contract)
    if live.phase == "support":
        live.do("play-alone")
    if live.phase == "discard":
        live.do("put-down", card=live.hand(0)[0])
    live.do("play", card=live.hand(0)[0])
    for viewer in range(4):
        seats = live.view(f"seat:{viewer}")["seats"]
        assert [seat["hand"]["hidden"] == 0 for seat in seats] == [seat == viewer for seat in range(4)]
    assert not live.view("public")["contract"]["exposed"]


def test_bo_5_5_nobody_may_talk() -> None:
    live = called()
    assert [live.types(seat) for seat in (0, 1, 2)] == [set(), set(), set()]
    assert "talk" not in BOSTON.words.acts
