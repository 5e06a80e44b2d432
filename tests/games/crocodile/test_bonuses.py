"""CR-10: bonuses, and the rules' table of results. Seat 0 is declarer."""

from itertools import product

import msgspec
import pytest

from domain.games.crocodile.acts import Talk
from domain.games.crocodile.contracts import BONUSES
from domain.games.crocodile.events import TableTalk, Utterance
from domain.games.crocodile.meta import Options
from domain.kernel.rejection import Code, Rejected
from domain.table.actions import Act
from tests.games.crocodile.checker import CONTRACTS, NEGATIVE, OPTIONS, POSITIVE, outcome_of, result
from tests.support.for_each import for_each
from tests.support.games import AUDIENCES, PLAYERS, Live, declared, exchange_nothing, played

CUMULATIVE = Options(bonus_stacking="cumulative")
USUAL = ("always", "exclusive")
ALL_NINE = (0,) * 9
LUNCH = (0, 1, 1, 1, 1, 1, 1, 1, 1)
CUATRO = (0, 1, 1, 1, 2, 2, 0, 0, 0)
FIRST_FIVE = (0, 0, 0, 0, 0, 1, 1, 1, 1)
FIVE = (1, 0, 0, 0, 0, 0, 1, 1, 1)


def bonuses(live: Live) -> list[tuple[str, int]]:
    """Rule and amount of each bonus booked to declarer."""
    return [(rule, amount) for kind, rule, amount in live.booked(0) if kind == "bonus"]


def total(live: Live) -> int:
    """All that declarer scored in the deal."""
    return sum(amount for _, _, amount in live.booked(0))


@for_each(
    "bonus, winners, factor",
    [("cuatro", CUATRO, 2), ("primeras", FIRST_FIVE, 2), ("tout", ALL_NINE, 7)],
)
@for_each("contract", POSITIVE)
def test_cr_10_1_bonus_bids_made(contract: str, bonus: str, winners: tuple[int, ...], factor: int) -> None:
    live = played(contract, winners, bonus=bonus)
    assert ("CR-10.2", factor * CONTRACTS[contract]["value"]) in bonuses(live)


def test_cr_10_1_talking_ouvert_is_worth_ten() -> None:
    assert bonuses(played("nolo-ouvert", [1] * 9, bonus="talking")) == [("CR-10.2", 10)]
    assert bonuses(played("nolo-ouvert", [0, *[1] * 8], bonus="talking")) == [("CR-10.2", -10)]


def test_cr_10_1_the_table_of_bonuses() -> None:
    assert {name: (row.declared, row.silent, row.flat) for name, row in BONUSES.items()} == {
        "talking": (10, None, True),
        "cuatro": (2, 1, False),
        "primeras": (2, 1, False),
        "tout": (7, 3, False),
    }


@for_each(
    "bonus, winners, factor",
    [
        ("cuatro", FIVE, -2),
        ("primeras", FIVE, -2),
        ("tout", FIVE, -7),
        ("cuatro", LUNCH, -2),
        ("primeras", LUNCH, -2),
        ("tout", LUNCH, -7),
        ("cuatro", (1,) * 5, -2),
        ("tout", (1,) * 5, -7),
    ],
)
@for_each("contract", POSITIVE)
def test_cr_10_2_a_failed_bid_costs_its_value_apart_from_the_contract(
    contract: str, bonus: str, winners: tuple[int, ...], factor: int
) -> None:
    live = played(contract, winners, bonus=bonus)
    value = CONTRACTS[contract]["value"]
    assert bonuses(live) == [("CR-10.2", factor * value)]
    *_, contract_factor = outcome_of(contract, (*winners, *[1] * (9 - len(winners))), 0, USUAL)
    assert live.booked(0)[0][2] == contract_factor * value


def test_cr_10_2_each_bonus_has_its_own_line_and_text() -> None:
    live = played("solo", (0, 0, 0, 0, 0, 0, 0, 0, 1), bonus="tout")
    assert [(line.kind, line.rule, line.amount, line.text) for line in live.score.lines if line.seat == 0] == [
        ("contract", "CR-9.2", 4, "Solo by seat 0, victory, tricks 8 against 1 and 0: 1 × 4"),
        ("bonus", "CR-10.2", -28, "Declared Tout by seat 0, failed, tricks 8 against 1 and 0: 7 × 4"),
        ("bonus", "CR-10.3", 4, "Silent Primeras by seat 0, tricks 8 against 1 and 0: 1 × 4"),
    ]


@for_each("winners, factor", [(CUATRO, 1), (FIRST_FIVE, 1), (ALL_NINE, 3), (FIVE, None), (LUNCH, None)])
@for_each("contract", POSITIVE)
def test_cr_10_3_silent_bonuses(contract: str, winners: tuple[int, ...], factor: int | None) -> None:
    live = played(contract, winners)
    expected = [] if factor is None else [("CR-10.3", factor * CONTRACTS[contract]["value"])]
    assert bonuses(live) == expected


@for_each("contract", NEGATIVE)
@for_each("winners", [CUATRO, FIRST_FIVE, ALL_NINE, (1, 2) * 4 + (1,), (1,) * 9])
def test_cr_10_3_a_negative_contract_has_none(contract: str, winners: tuple[int, ...]) -> None:
    assert bonuses(played(contract, winners)) == []


@for_each("contract", POSITIVE)
@for_each(
    "bonus, options, factors",
    [
        (None, None, [("CR-10.3", 3)]),
        ("tout", None, [("CR-10.2", 7)]),
        ("primeras", None, [("CR-10.2", 2), ("CR-10.3", 3)]),
        ("cuatro", None, [("CR-10.2", -2), ("CR-10.3", 3)]),
        (None, CUMULATIVE, [("CR-10.3", 1), ("CR-10.3", 3)]),
        ("tout", CUMULATIVE, [("CR-10.2", 7), ("CR-10.3", 1)]),
        ("primeras", CUMULATIVE, [("CR-10.2", 2), ("CR-10.3", 3)]),
        ("cuatro", CUMULATIVE, [("CR-10.2", -2), ("CR-10.3", 1), ("CR-10.3", 3)]),
    ],
)
def test_cr_10_4_tout_takes_the_place_of_silent_primeras(
    contract: str, bonus: str | None, options: Options | None, factors: list[tuple[str, int]]
) -> None:
    live = played(contract, ALL_NINE, bonus=bonus, options=options)
    value = CONTRACTS[contract]["value"]
    assert bonuses(live) == [(rule, factor * value) for rule, factor in factors]


@for_each("bonus, winners", [("cuatro", CUATRO), ("primeras", FIRST_FIVE), ("tout", ALL_NINE)])
@for_each("options", [None, CUMULATIVE])
def test_cr_10_4_a_feat_that_was_bid_is_not_also_silent(
    bonus: str, winners: tuple[int, ...], options: Options | None
) -> None:
    live = played("play", winners, bonus=bonus, options=options)
    assert not any(f"Silent {BONUSES[bonus].name}" in line.text for line in live.score.lines)  # type: ignore[index] # as named


def test_cr_10_5_a_failed_tout_scores_silent_primeras() -> None:
    live = played("play", (0, 0, 0, 0, 0, 0, 1), bonus="tout")
    assert bonuses(live) == [("CR-10.2", -14), ("CR-10.3", 2)]


def test_cr_10_5_primeras_followed_by_all_nine_scores_silent_tout() -> None:
    assert bonuses(played("play", ALL_NINE, bonus="primeras")) == [("CR-10.2", 4), ("CR-10.3", 6)]


def test_cr_10_5_at_most_one_bonus_bid_a_deal() -> None:
    live, _ = declared("play", bonus="tout")
    live.refuses(0, "declare", Code.WRONG_PHASE, "CR-7.1", contract="play", trump="s", bonus="primeras")


@for_each("contract", ["casco", "play", "grand", "tournee"])
@for_each("bonus, factor", [("cuatro", -2), ("primeras", -2), ("tout", -7)])
def test_cr_10_6_on_a_concession_the_bonus_bid_fails(contract: str, bonus: str, factor: int) -> None:
    live, plan = declared(contract, bonus=bonus)
    exchange_nothing(live, plan)
    live.act(0, "concede")
    value = CONTRACTS[contract]["value"]
    assert live.booked(0) == [("contract", "CR-9.11", -value), ("bonus", "CR-10.2", factor * value)]


@pytest.mark.parametrize("bonus", ["cuatro", "primeras", "tout"])
def test_cr_10_6_casco_takes_the_bonuses_of_any_positive_contract(bonus: str) -> None:
    winners = {"cuatro": CUATRO, "primeras": FIRST_FIVE, "tout": ALL_NINE}[bonus]
    live = played("casco", winners, bonus=bonus)
    assert ("CR-10.2", {"cuatro": 2, "primeras": 2, "tout": 7}[bonus]) in bonuses(live)


def talking(*, bonus: str | None = "talking", play: bool = True) -> Live:
    """A deal of Nolo Ouvert, with declarer's hand open if `play`."""
    live, plan = declared("nolo-ouvert", bonus=bonus, winners=[1] * 9)
    if play:
        exchange_nothing(live, plan)
    return live


@pytest.mark.parametrize("seat", [1, 2])
def test_cr_10_7_the_opponents_may_talk_in_turn_and_out_of_turn(seat: int) -> None:
    live = talking()
    for _ in range(3):
        assert live.offered(seat, "talk") == [{"text": {"text": {"min": 1, "max": 280}}}]
        live.act(seat, "talk", text="Lead the low heart.")
        event = live.events[-1]
        assert event.public == TableTalk(seat)
        assert event.sealed == {"public": Utterance("Lead the low heart.")}
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])


def test_cr_10_7_everybody_hears_it() -> None:
    live = talking()
    live.act(2, "talk", text="Hold the king.")
    for audience in AUDIENCES:
        folded = live.known_to(audience)
        assert folded.deal_state.utterances == (0, 0, 1)


def test_cr_10_7_declarer_does_not_talk() -> None:
    live = talking()
    assert "talk" not in live.types(0)
    live.refuses(0, "talk", Code.RULE_VIOLATION, "CR-10.7", text="I win.")


def test_cr_10_7_not_before_declarers_hand_lies_open() -> None:
    live = talking(play=False)
    while live.phase == "exchange":
        for seat in range(3):
            assert "talk" not in live.types(seat)
            live.refuses(seat, "talk", Code.WRONG_PHASE, "CR-7.1", text="What have you?")
        live.do("exchange")
    assert "talk" in live.types(1)


def test_cr_10_7_to_the_end_of_the_deal() -> None:
    live = talking()
    while live.table.scored == 0:
        live.act(1, "talk", text="On.")
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])
    live.refuses(1, "talk", Code.WRONG_PHASE, "CR-4.2", text="Well played.")


@for_each("contract", CONTRACTS)
def test_cr_10_7_at_no_other_time(contract: str) -> None:
    live = played(contract, [1])
    for seat in range(3):
        assert "talk" not in live.types(seat)
        live.refuses(seat, "talk", Code.RULE_VIOLATION, "CR-10.7", text="Psst.")


def test_cr_10_7_at_most_fifty_utterances_a_seat_and_deal() -> None:
    live = talking()
    for number in range(50):
        live.act(1, "talk", text=str(number))
    assert "talk" not in live.types(1)
    live.refuses(1, "talk", Code.RULE_VIOLATION, "CR-10.7", text="one more")
    for number in range(50):
        live.act(2, "talk", text=str(number))
    live.refuses(2, "talk", Code.RULE_VIOLATION, "CR-10.7", text="one more")
    live.do("play", card=live.hand(live.turn)[0])
    live.refuses(1, "talk", Code.RULE_VIOLATION, "CR-10.7", text="one more")


@for_each("text", ["a", " ", "x" * 280, "王" * 280, "😀" * 280, "  é  ", "e\u0301", "\u200b", "\u2028", "\xa0"])
def test_cr_10_7_what_may_be_said_is_recorded_as_said(text: str) -> None:
    live = talking()
    live.act(1, "talk", text=text)
    assert live.events[-1].sealed == {"public": Utterance(text)}


@for_each("text", ["\x00", "a\nb", "\t", "\x1f", "\x7f", "\x80", "\x9f", "tab\there", "end\r"])
def test_cr_10_7_no_control_characters(text: str) -> None:
    live = talking()
    wrong = "text must be a text of 1 to 280 characters without control characters"
    for seat, detail in ((0, "the opponents talk, not declarer"), (1, wrong)):
        assert live.refuses(seat, "talk", Code.RULE_VIOLATION, "CR-10.7", text=text) == detail


@pytest.mark.parametrize("text", ["", "x" * 281, "😀" * 281])
def test_cr_10_7_one_to_280_code_points(text: str) -> None:
    live = talking()
    with pytest.raises(msgspec.ValidationError):
        live.act(1, "talk", text=text)
    with pytest.raises(Rejected) as refused:
        live.command(Act(PLAYERS[1], Talk(text)))
    assert (refused.value.code, refused.value.rule) == (Code.RULE_VIOLATION, "CR-10.7")


COLUMNS = ["contraprimeras", "lunch", "remis", "five", "cuatro", "first five", "tout"]
TABLE = {
    None: (-4, -2, -1, 1, 2, 2, 4),
    "cuatro": (-6, -4, -3, -1, 3, 0, 2),
    "primeras": (-6, -4, -3, -1, 0, 3, 6),
    "tout": (-11, -9, -8, -6, -5, -5, 8),
}


def column(winners: tuple[int, ...]) -> str:
    """The column of the rules' table that an order of tricks falls in."""
    outcome, *_ = outcome_of("grand", winners, 0, USUAL)
    if outcome != "victory":
        return {"crocodile-lunch": "lunch", "contraprimeras": "contraprimeras"}.get(outcome, "remis")
    if winners.count(0) == 9:
        return "tout"
    if winners.count(0) == 4:
        return "cuatro"
    return "first five" if set(winners[:5]) == {0} else "five"


@pytest.mark.parametrize("bonus", TABLE)
def test_the_table_of_results_over_every_order_of_tricks(bonus: str | None) -> None:
    for winners in product(range(3), repeat=9):
        _, bookings = result("grand", bonus, winners, 0, USUAL)
        due = CONTRACTS["grand"]["value"] * TABLE[bonus][COLUMNS.index(column(winners))]
        assert sum(amount for _, _, amount in bookings) == due


SAMPLES = [
    next(
        winners
        for winners in product(range(3), repeat=9)
        if tuple(map(winners.count, range(3))) == splits and column(winners) == name
    )
    for name, splits in [
        ("contraprimeras", (4, 3, 2)),
        ("contraprimeras", (1, 4, 4)),
        ("contraprimeras", (0, 9, 0)),
        ("lunch", (3, 4, 2)),
        ("lunch", (2, 4, 3)),
        ("lunch", (4, 5, 0)),
        ("remis", (4, 4, 1)),
        ("remis", (3, 3, 3)),
        ("remis", (1, 4, 4)),
        ("five", (5, 4, 0)),
        ("five", (8, 1, 0)),
        ("cuatro", (4, 3, 2)),
        ("cuatro", (4, 2, 3)),
        ("first five", (5, 2, 2)),
        ("first five", (8, 0, 1)),
        ("tout", (9, 0, 0)),
    ]
]


@for_each("winners", SAMPLES)
@for_each("bonus", TABLE)
@for_each("contract", POSITIVE)
def test_the_table_of_results_as_played(contract: str, bonus: str | None, winners: tuple[int, ...]) -> None:
    live = played(contract, winners, bonus=bonus)
    assert total(live) == CONTRACTS[contract]["value"] * TABLE[bonus][COLUMNS.index(column(winners))]


@for_each("contraprimeras, stacking", list(product(OPTIONS["contraprimeras"], OPTIONS["bonus_stacking"])))
@for_each("bonus", TABLE)
@for_each("winners", SAMPLES)
def test_results_under_every_option(
    contraprimeras: str, stacking: str, bonus: str | None, winners: tuple[int, ...]
) -> None:
    options = Options(contraprimeras=contraprimeras, bonus_stacking=stacking)  # type: ignore[arg-type] # as named
    outcome, bookings = result("grand", bonus, winners, 0, (contraprimeras, stacking))
    live = played("grand", winners, bonus=bonus, options=options)
    assert live.score.outcome == outcome
    assert sorted(live.booked(0)) == list(bookings)
    assert live.booked(0)[0][0] == "contract"
