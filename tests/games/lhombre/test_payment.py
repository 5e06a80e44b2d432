"""LH-9: payment, row by row, who sits out paying or not."""

from itertools import product

import pytest

from domain.games.lhombre.meta import Options
from domain.parts.tricks import TrickWon
from tests.games.lhombre.checker import ABANDONABLE, CONTRACTS, GAMES, NOLOS, turns, worth
from tests.games.lhombre.tables import FOUR, SITTER_FREE, THREE, declared, played
from tests.support.for_each import for_each
from tests.support.games import EVERYBODY

WIN = (0, 1, 0, 1, 0, 1, 0, 2, 0)
BETE = (0, 1, 2, 0, 1, 2, 0, 1, 2)
KODILLE = (0, 1, 1, 1, 1, 1, 0, 0, 0)
TOUT = (0,) * 9
FAILED = (0, 0, 0, 0, 0, 0, 1, 1, 1)
NONE = (1, 2, 1, 2, 1, 2, 1, 2, 1)
ONE = (1, 2, 1, 2, 1, 2, 1, 2, 0)
TWO = (1, 2, 1, 2, 1, 2, 1, 0, 0)

TABLE = [
    *(
        row
        for contract in GAMES
        for rate, kodille in [(CONTRACTS[contract].rate, -worth(contract, 2, (4, 3)).amount)]
        for row in [
            (contract, WIN, [("contract", rate)]),
            (contract, BETE, [("contract", -rate)]),
            (contract, KODILLE, [("contract", -rate), ("kodille", rate - kodille)]),
            (contract, TOUT, [("contract", rate), ("tout", 1)]),
            (contract, FAILED, [("contract", rate), ("tout", -1)]),
        ]
    ),
    *(
        row
        for contract in NOLOS
        for rate, kodille in [(CONTRACTS[contract].rate, -worth(contract, 2, (4, 3)).amount)]
        for row in [
            (contract, NONE, [("contract", rate)]),
            (contract, ONE, [("contract", -rate)]),
            (contract, TWO, [("contract", -rate), ("kodille", rate - kodille)]),
        ]
    ),
]
"""Every contract and way to end it: what declarer gets of each payer, by kind."""


def payers(options: Options, dealer: int, place: int) -> list[int]:
    """Who pays declarer or is paid, the defenders in turn and then who sits out."""
    order = turns(dealer, options.players)
    defenders = [order[(place + step) % 3] for step in (1, 2)]
    pays = options.players == 4 and options.sitter_pays
    return [*defenders, *([(dealer + 2) % 4] if pays else [])]


@for_each("contract, winners, due", TABLE)
@for_each("options, place, dealer", [(THREE, 0, 2), (FOUR, 1, 3), (SITTER_FREE, 2, 0), (FOUR, 0, 0)])
def test_lh_9_1_every_contract_and_outcome(
    contract: str, winners: tuple[int, ...], due: list[tuple[str, int]], options: Options, place: int, dealer: int
) -> None:
    live = played(contract, winners, place=place, dealer=dealer, options=options)
    declarer = turns(dealer, options.players)[place]
    paying = payers(options, dealer, place)
    score = live.score
    assert [(kind, amount) for kind, _, amount in live.booked(declarer)] == [line for line in due for _ in paying]
    for seat in live.seats:
        if seat != declarer:
            expected = [(kind, -amount) for kind, amount in due] if seat in paying else []
            assert [(kind, amount) for kind, _, amount in live.booked(seat)] == expected
    each = sum(amount for _, amount in due)
    assert score.totals[declarer] == each * len(paying)
    assert sum(score.totals) == 0
    assert {line.seat for line in score.lines} == {declarer, *paying}
    for own, other in zip(score.lines[::2], score.lines[1::2], strict=True):
        assert own.seat == declarer
        assert (own.account, own.counter) == (f"player:{EVERYBODY[declarer]}", f"player:{EVERYBODY[other.seat or 0]}")
        assert (other.account, other.counter) == (own.counter, own.account)
        assert (other.amount, other.kind, other.rule) == (-own.amount, own.kind, own.rule)
        assert (other.text, other.events) == (own.text, own.events)
        assert own.amount != 0


@for_each("contract, place", list(product(ABANDONABLE, range(3))))
@for_each("options", [THREE, FOUR, SITTER_FREE])
def test_lh_9_1_an_abandoned_hand_pays_a_bete(contract: str, place: int, options: Options) -> None:
    live = declared(contract, place=place, options=options)
    declarer = live.turn
    live.do("exchange")
    live.act(declarer, "abandon")
    paying = payers(options, 2, place)
    rate = CONTRACTS[contract].rate
    assert live.booked(declarer) == [("contract", "LH-8.4", -rate)] * len(paying)
    assert [live.score.totals[seat] for seat in paying] == [rate] * len(paying)
    assert sum(live.score.totals) == 0


def test_lh_9_1_lines_name_the_events_they_rest_on_and_say_what_they_are() -> None:
    live = played("grand-tourne", KODILLE)
    (declaration,) = (event.version for event in live.events if event.public.TYPE == "contract-declared")
    (turned,) = (event.version for event in live.events if event.public.TYPE == "talon-turned")
    tricks = [event.version for event in live.events if isinstance(event.public, TrickWon)]
    assert {line.events for line in live.score.lines} == {(declaration, turned, *tricks)}
    texts = [line.text for line in live.score.lines[::2]]
    assert texts == [
        *["Grand Tourné by seat 1, kodille, tricks 1 against 5 and 0: 2"] * 2,
        *["Grand Tourné by seat 1, more for kodille, tricks 1 against 5 and 0: 1"] * 2,
    ]


@pytest.mark.parametrize(
    ("winners", "text"),
    [
        (TOUT, "Tout by seat 1, made, tricks 9 against 0 and 0: 1"),
        (FAILED, "Tout by seat 1, undertaken and failed, tricks 6 against 1 and 0: 1"),
        (WIN, "Solo by seat 1, win, tricks 5 against 3 and 1: 2"),
        ((0, 0, 0, 0, 1, 1, 1, 1, 2), "Solo by seat 1, bête, tricks 4 against 4 and 1: 2"),
    ],
)
def test_lh_9_1_texts(winners: tuple[int, ...], text: str) -> None:
    assert played("solo", winners).score.lines[-1].text == text


@for_each("dealer, place", list(product(range(4), range(3))))
@for_each("winners", [WIN, BETE, KODILLE, TOUT])
def test_lh_9_2_who_sits_out_pays_and_is_paid_unless_the_option_says_otherwise(
    dealer: int, place: int, winners: tuple[int, ...]
) -> None:
    sitter = (dealer + 2) % 4
    defender = turns(dealer, 4)[(place + 1) % 3]
    paying = played("solo", winners, place=place, dealer=dealer, options=FOUR)
    assert paying.booked(sitter) == paying.booked(defender) != []
    free = played("solo", winners, place=place, dealer=dealer, options=SITTER_FREE)
    assert free.booked(sitter) == []
    assert free.booked(defender) == paying.booked(defender)
    assert free.score.totals[sitter] == 0


@pytest.mark.parametrize(("winners", "how"), [(WIN, "pays"), (KODILLE, "is paid")])
def test_lh_9_2_the_lines_of_who_sits_out_say_why(winners: tuple[int, ...], how: str) -> None:
    live = played("solo", winners, dealer=3, options=FOUR)
    sitter = 1
    pairs = list(zip(live.score.lines[::2], live.score.lines[1::2], strict=True))
    for own, other in pairs:
        assert other.text == own.text
        noted = own.text.endswith(f" (seat {sitter} sits out and {how} like a defender, LH-9.2)")
        assert noted == (other.seat == sitter)
        assert ("cards-dealt" in live.cited(other)) == noted
    assert [other.seat for _, other in pairs].count(sitter) == len(pairs) / 3


@pytest.mark.parametrize(
    ("winners", "text"),
    [
        (TWO, "Simple Nolo by seat 1, more for kodille, tricks 2 against 4 and 3: 1"),
        ((0, 0, 1, 2, 0, 1, 2, 0, 1), "Simple Nolo by seat 1, more for kodille, tricks 4 against 3 and 2: 1 + 2"),
    ],
)
def test_lh_9_1_the_price_of_a_kodille_in_simple_nolo_is_explained(winners: tuple[int, ...], text: str) -> None:
    lines = [line for line in played("simple-nolo", winners, options=THREE).score.lines if line.kind == "kodille"]
    assert {line.text for line in lines} == {text}


def test_lh_8_4_the_lines_of_an_abandoned_hand_rest_on_the_abandoning() -> None:
    live = declared("tourne", options=THREE)
    declarer = live.turn
    live.do("exchange")
    live.act(declarer, "abandon")
    assert {tuple(live.cited(line)) for line in live.score.lines} == {
        ("contract-declared", "talon-turned", "deal-abandoned")
    }


def test_lh_9_2_with_three_players_the_option_changes_nothing() -> None:
    one = played("solo", KODILLE, options=THREE)
    other = played("solo", KODILLE, options=Options(players=3, sitter_pays=False))
    assert one.score.lines == other.score.lines
