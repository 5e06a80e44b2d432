"""CR-9: outcomes, concession, booking. Winners: 0 is declarer, 1 and 2 the opponents, unless a seat is named."""

from collections.abc import Callable
from itertools import product

import pytest

from domain.games.crocodile.contracts import RESULTS
from domain.games.crocodile.events import DealConceded
from domain.games.crocodile.meta import Options
from domain.kernel.rejection import Code
from domain.parts.tricks import TrickWon
from tests.games.crocodile.checker import CONTRACTS, NEGATIVE, POSITIVE
from tests.support.for_each import for_each
from tests.support.games import PLAYERS, Live, declared, exchange_nothing, played

IF_LOST = Options(contraprimeras="if-lost")
CONCEDABLE = [name for name, row in CONTRACTS.items() if row["concede"]]


def contract_line(live: Live, declarer: int = 0) -> tuple[str, str, int]:
    """Outcome, rule and amount of the contract."""
    ((_, rule, amount),) = [line for line in live.booked(declarer) if line[0] == "contract"]
    return live.score.outcome, rule, amount


@for_each("contract", POSITIVE)
@for_each("first", [(1, 1, 1, 1, 1), (2, 2, 2, 2, 2), (1, 2, 1, 2, 1), (2, 1, 1, 1, 1)])
def test_cr_9_1_contraprimeras(contract: str, first: tuple[int, ...]) -> None:
    live = played(contract, first)
    assert contract_line(live) == ("contraprimeras", "CR-9.1", -4 * CONTRACTS[contract]["value"])


@for_each("contract", POSITIVE)
@for_each(
    "winners",
    [
        (0, 0, 0, 0, 0, 1, 1, 1, 1),
        (1, 2, 1, 2, 0, 0, 0, 0, 0),
        (0, 1, 2, 0, 1, 2, 0, 0, 1),
        (0, 1, 1, 1, 2, 2, 0, 0, 0),
        (0, 0, 0, 0, 0, 0, 0, 0, 0),
    ],
)
def test_cr_9_2_victory(contract: str, winners: tuple[int, ...]) -> None:
    assert contract_line(played(contract, winners)) == ("victory", "CR-9.2", CONTRACTS[contract]["value"])


@for_each("contract", POSITIVE)
@for_each(
    "winners",
    [
        (0, 0, 0, 0, 1, 1, 1, 1, 2),
        (0, 0, 0, 0, 2, 2, 2, 2, 1),
        (0, 1, 2, 0, 1, 2, 0, 1, 2),
        (1, 1, 1, 2, 2, 2, 0, 0, 0)[::-1],
    ],
)
def test_cr_9_3_simple_remis(contract: str, winners: tuple[int, ...]) -> None:
    assert contract_line(played(contract, winners)) == ("simple-remis", "CR-9.3", -CONTRACTS[contract]["value"])


@for_each("contract", POSITIVE)
@for_each("at", range(5))
def test_cr_9_4_piccolo_remis(contract: str, at: int) -> None:
    winners = [1, 2, 1, 2, 1, 2, 1, 2]
    winners.insert(at, 0)
    assert contract_line(played(contract, winners)) == ("piccolo-remis", "CR-9.4", -CONTRACTS[contract]["value"])


@pytest.mark.parametrize("at", range(5, 9))
def test_cr_9_4_not_where_the_opponents_won_the_first_five(at: int) -> None:
    winners = [1, 2, 1, 2, 1, 2, 1, 2]
    winners.insert(at, 0)
    assert contract_line(played("play", winners)) == ("contraprimeras", "CR-9.1", -8)


@for_each("contract", POSITIVE)
@for_each(
    "winners",
    [
        (0, 1, 1, 1, 1, 1, 0, 0, 0),
        (0, 0, 1, 1, 1, 2, 2, 2, 2),
        (0, 0, 1, 1, 1, 1, 2, 2, 2),
        (0, 0, 0, 1, 1, 1, 1, 2, 2),
        (0, 1, 1, 1, 1, 1, 1, 1, 1),
        (0, 2, 2, 2, 2, 2, 1, 1, 1),
    ],
)
def test_cr_9_5_crocodile_lunch(contract: str, winners: tuple[int, ...]) -> None:
    assert contract_line(played(contract, winners)) == ("crocodile-lunch", "CR-9.5", -2 * CONTRACTS[contract]["value"])


@pytest.mark.parametrize("contract", NEGATIVE)
def test_cr_9_6_victory_without_a_trick(contract: str) -> None:
    live = played(contract, [1, 2, 1, 2, 1, 2, 1, 2, 1])
    assert contract_line(live) == ("victory", "CR-9.6", CONTRACTS[contract]["value"])


@for_each("contract", NEGATIVE)
@for_each("at", range(9))
def test_cr_9_7_simple_loss_with_one(contract: str, at: int) -> None:
    winners = [1, 2, 1, 2, 1, 2, 1, 2]
    winners.insert(at, 0)
    assert contract_line(played(contract, winners)) == ("simple-loss", "CR-9.7", -CONTRACTS[contract]["value"])


@for_each("contract", NEGATIVE)
@for_each(
    "winners", [(0, 0, 0, 0, 0), (1, 1, 2, 2, 0, 0, 0, 0, 0), (0, 0, 0, 0, 1, 1, 1, 2, 2), (2, 2, 2, 1, 1, 0, 0, 0, 0)]
)
def test_cr_9_8_contranolo(contract: str, winners: tuple[int, ...]) -> None:
    assert contract_line(played(contract, winners)) == ("contranolo", "CR-9.8", -4 * CONTRACTS[contract]["value"])


@for_each("contract", NEGATIVE)
@for_each(
    "winners",
    [
        (0, 0, 1, 1, 1, 1, 1, 1, 1),
        (0, 0, 0, 1, 1, 1, 2, 2, 2),
        (0, 0, 0, 0, 1, 1, 1, 1, 2),
        (0, 0, 0, 0, 1, 1, 1, 1, 1),
        (1, 2, 1, 2, 1, 2, 1, 0, 0),
    ],
)
def test_cr_9_9_crocodile_lunch_with_two_or_more(contract: str, winners: tuple[int, ...]) -> None:
    assert contract_line(played(contract, winners)) == ("crocodile-lunch", "CR-9.9", -2 * CONTRACTS[contract]["value"])


def test_cr_9_10_by_default_contraprimeras_is_settled_by_the_fifth_trick() -> None:
    live = played("grand", (1, 1, 1, 2, 2, 0, 0, 0, 0))
    assert len(live.of(TrickWon)) == 5
    assert contract_line(live) == ("contraprimeras", "CR-9.1", -8)


@for_each(
    "winners, outcome, rule, factor, tricks",
    [
        ((1, 1, 1, 2, 2, 0, 0, 0, 0), "victory", "CR-9.2", 1, 9),
        ((1, 1, 1, 1, 2, 0, 0, 0, 0), "contraprimeras", "CR-9.1", -4, 5),
        ((1, 1, 1, 2, 2, 0, 0, 0, 2), "contraprimeras", "CR-9.1", -4, 9),
        ((1, 1, 2, 2, 1, 2, 1, 2, 0), "contraprimeras", "CR-9.1", -4, 6),
        ((1, 1, 1, 1, 1, 0, 0, 0, 0), "contraprimeras", "CR-9.1", -4, 5),
        ((0, 2, 1, 2, 1, 2, 1, 2, 1), "piccolo-remis", "CR-9.4", -1, 9),
    ],
)
def test_cr_9_10_if_lost_only_where_declarer_does_not_end_with_most(
    winners: tuple[int, ...], outcome: str, rule: str, factor: int, tricks: int
) -> None:
    live = played("grand", winners, options=IF_LOST)
    assert contract_line(live) == (outcome, rule, 2 * factor)
    assert len(live.of(TrickWon)) == tricks


def test_cr_9_10_if_lost_a_win_of_the_last_four_is_a_silent_cuatro() -> None:
    live = played("grand", (1, 1, 1, 2, 2, 0, 0, 0, 0), options=IF_LOST)
    assert live.booked(0) == [("contract", "CR-9.2", 2), ("bonus", "CR-10.3", 2)]


Moment = Callable[[Live], None]


def own_exchange(live: Live) -> None:
    """Declarer has exchanged, where the contract lets declarer."""
    declarer = live.table.deal_state.commitment.declarer
    while live.phase == "exchange" and live.turn == declarer:
        live.do("exchange")


def priority_offered(live: Live) -> None:
    """The first opponent has offered priority."""
    own_exchange(live)
    live.do("offer-priority")


def priority_answered(live: Live) -> None:
    """The other has accepted."""
    priority_offered(live)
    live.do("answer-priority", accept=True)


def one_exchanged(live: Live) -> None:
    """One opponent has exchanged."""
    own_exchange(live)
    live.do("exchange")


def all_exchanged(live: Live) -> None:
    """Everybody has exchanged."""
    while live.phase == "exchange":
        live.do("exchange")


def before_own_card(live: Live) -> None:
    """All before declarer have played to the first trick."""
    all_exchanged(live)
    while live.turn != live.table.deal_state.commitment.declarer:
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])


ALLOWED = (own_exchange, priority_offered, priority_answered, one_exchanged, all_exchanged, before_own_card)


@for_each("contract, reach", list(product(CONCEDABLE, ALLOWED)))
@for_each("declarer, eldest", [(0, 0), (1, 0), (2, 0), (0, 1)])
def test_cr_9_11_concession_at_every_moment_allowed(contract: str, reach: Moment, declarer: int, eldest: int) -> None:
    live, _ = declared(contract, declarer=declarer, eldest=eldest)
    reach(live)
    assert [offer.describe() for offer in live.offers(declarer) if offer.type == "concede"] == [
        {"type": "concede", "fields": {}}
    ]
    for other in {0, 1, 2} - {declarer}:
        assert "concede" not in live.types(other)
        live.refuses(other, "concede", Code.RULE_VIOLATION, "CR-9.11")
    live.act(declarer, "concede")
    version = next(event.version for event in live.events if isinstance(event.public, DealConceded))
    assert contract_line(live, declarer) == ("conceded", "CR-9.11", -CONTRACTS[contract]["value"])
    assert live.score.lines[0].events[-1] == version
    assert live.table.deal == 2


@for_each("contract, declarer", list(product(["play", "grand", "tournee"], range(3))))
def test_cr_9_11_not_before_completing_the_own_exchange(contract: str, declarer: int) -> None:
    live, _ = declared(contract, declarer=declarer)
    assert "concede" not in live.types(declarer)
    live.refuses(declarer, "concede", Code.RULE_VIOLATION, "CR-9.11")


def test_cr_9_11_in_casco_not_before_trumps_are_named() -> None:
    live, _ = declared("casco")
    version = next(event.version for event in live.events if event.public.TYPE == "casco-taken")
    for until in (version - 1, version):
        early = Live(live.records[:until])
        early.refuses(0, "concede", Code.WRONG_PHASE, "CR-7.6")
        assert "concede" not in early.types(0)
    live.act(0, "concede")
    assert live.score.outcome == "conceded"


@for_each("contract, eldest", list(product(CONCEDABLE, range(3))))
def test_cr_9_11_not_after_playing_to_the_first_trick(contract: str, eldest: int) -> None:
    live, plan = declared(contract, eldest=eldest, winners=[1])
    exchange_nothing(live, plan)
    while (
        all(played.seat != 0 for played in live.table.deal_state.tricks.trick)
        and not live.table.deal_state.tricks.winners
    ):
        assert "concede" in live.types(0)
        live.do("play", card=plan.tricks[0][live.turn])
    for _ in range(4):
        assert "concede" not in live.types(0)
        live.refuses(0, "concede", Code.RULE_VIOLATION, "CR-9.11")
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])


@for_each("contract", [name for name in CONTRACTS if name not in CONCEDABLE])
def test_cr_9_11_not_in_other_contracts(contract: str) -> None:
    live, plan = declared(contract, eldest=1)
    for reach in (exchange_nothing, lambda live, _: live.do("play", card=live.hand(1)[0])):
        assert "concede" not in live.types(0)
        live.refuses(0, "concede", Code.RULE_VIOLATION, "CR-9.11")
        reach(live, plan)
    live.refuses(0, "concede", Code.RULE_VIOLATION, "CR-9.11")


@for_each("declarer, contract", list(product(range(3), CONTRACTS)))
def test_cr_9_12_only_declarers_score_changes_against_the_bank(declarer: int, contract: str) -> None:
    live = played(contract, [declarer] * 9, declarer=declarer)
    score = live.score
    assert sum(line.amount for line in score.lines) == 0
    assert {line.seat for line in score.lines} == {declarer, None}
    assert [total for seat, total in enumerate(score.totals) if seat != declarer] == [0, 0]
    assert score.totals[declarer] == sum(line.amount for line in score.lines if line.seat == declarer)
    for own, other in zip(score.lines[::2], score.lines[1::2], strict=True):
        assert (own.account, own.counter, own.seat) == (f"player:{PLAYERS[declarer]}", "bank", declarer)
        assert (other.account, other.counter, other.seat) == (own.counter, own.account, None)
        assert (other.amount, other.kind, other.rule) == (-own.amount, own.kind, own.rule)
        assert (other.text, other.events) == (own.text, own.events)


def test_cr_9_12_lines_name_the_events_they_rest_on() -> None:
    live = played("tournee", (0, 1, 1, 1, 1, 1))
    line = live.score.lines[0]
    declaration = next(event.version for event in live.events if event.public.TYPE == "contract-declared")
    turned = next(event.version for event in live.events if event.public.TYPE == "talon-turned")
    tricks = [event.version for event in live.events if isinstance(event.public, TrickWon)]
    assert line.events == (declaration, turned, *tricks)
    assert line.text == "Tournee by seat 0, crocodile lunch, tricks 1 against 5 and 0: 2 × 3"


def test_cr_9_12_the_lines_of_a_casco_rest_on_what_forced_it() -> None:
    live, _ = declared("casco")
    live.act(0, "concede")
    assert [live.cited(line) for line in live.score.lines] == [["casco-forced", "casco-laid", "deal-conceded"]] * 2
    assert live.score.lines[1].text == "Casco by seat 0, conceded: 1 × 1"


def test_outcomes_are_served_with_their_rules() -> None:
    assert [row.rule for row in RESULTS] == [f"CR-9.{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 11)]
    assert {row.outcome for row in RESULTS} == {
        "victory",
        "simple-remis",
        "piccolo-remis",
        "simple-loss",
        "crocodile-lunch",
        "contraprimeras",
        "contranolo",
        "conceded",
    }
