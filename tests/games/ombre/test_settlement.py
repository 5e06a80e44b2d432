"""OM-8: every row of the table, held against the checker's for all orders of tricks."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from typing import cast

import msgspec

from domain.cards import Card
from domain.games.ombre.contracts import RESULTS
from domain.games.ombre.meta import POOL_LIMIT
from domain.games.ombre.rules import RULES
from domain.games.ombre.scoring import SCORING
from domain.games.ombre.state import Answer, PassedOut, Playing, Surrender, Surrendered
from domain.kernel.ledger import POOL, Party, book
from domain.kernel.worth import Score
from domain.parts.exchange import CardsExchanged
from domain.parts.tricks import Tricks
from tests.games.ombre.checker import BIDS, EXTRA, Terms, Worth, estuches, puesta, results, won
from tests.games.ombre.tables import declared, played, still
from tests.support.checker.matadors import TRUMPS
from tests.support.for_each import for_each

PLAYERS = ("a", "b", "c")
POOLS = (5, 10, 16, 777)
NUMBERS = {rule.id for rule in RULES}
ESTUCHES = {trumps: len(estuches(TRUMPS["c"][:trumps], "c")) for trumps in (0, 2, 3, 4, 5, 6)}
"""By the number of highest trumps that Ombre holds, how many of them are paid."""


@cache
def begun(contract: str, *, place: int = 0) -> Playing:
    """A deal of this contract as play starts."""
    return cast("Playing", declared(contract, place=place).exchanged().table.deal_state)


def after(
    play: Playing,
    winners: tuple[int, ...],
    *,
    pool: int,
    estuches: int = 0,
    new: int | None = None,
    stopped: bool = False,
) -> Playing:
    """The deal after tricks that these players won, Ombre having so many estuches and the pool holding so much.

    Winners are counted from Ombre, or from the new Ombre.
    """
    order, ombre = play.common.order, play.commitment.ombre
    turns = (ombre, (ombre - 1) % 3, (ombre - 2) % 3)
    own = turns[new or 0 :] + turns[: new or 0]
    seats = tuple(own[winner] for winner in winners)
    won_at = tuple(range(100, 100 + len(winners)))
    surrender = None
    if new is not None:
        answers = (*(Answer(turns[one], True) for one in range(1, new)), Answer(turns[new], False))
        surrender = Surrender((90, 91), answers)
    return msgspec.structs.replace(
        play,
        common=msgspec.structs.replace(play.common, pool=pool),
        opening=cast("tuple[Card, ...]", tuple(TRUMPS["c"][:estuches])),
        tricks=Tricks(order, seats[-1] if seats else order[0], winners=seats, won_at=won_at),
        surrender=surrender,
        stopped=99 if stopped else None,
        undertaken=98 if new is None and winners[:5] == (0,) * 5 and len(winners) > 5 else None,
    )


Paid = tuple[str, str, Party, Party, int]
"""A kind, its rule, who gains, who pays, and how much."""


def paid(moves: Iterable[Paid]) -> frozenset[Paid]:
    """What is moved: nothing where an amount is zero, and as much the other way where it is negative."""
    return frozenset(
        (kind, rule, to, by, amount) if amount > 0 else (kind, rule, by, to, -amount)
        for kind, rule, to, by, amount in moves
        if amount
    )


def booked(scored: Score) -> frozenset[Paid]:
    """What the score moves."""
    return paid((one.kind, one.rule, one.account, one.counter, one.amount) for one in scored.transfers)


@cache
def owed(worth: Worth) -> frozenset[Paid]:
    """What the checker has moved."""
    return paid((due.kind, due.rule, due.to, due.by, due.amount) for due in worth[1])


def gained(scored: Score) -> Counter[Party]:
    """What each seat and the pool gain."""
    gains: Counter[Party] = Counter()
    for _, _, to, by, amount in booked(scored):
        gains[to] += amount
        gains[by] -= amount
    return gains


def justified(scored: Score) -> None:
    """One transfer for each payer and kind, each under a rule, its events in order."""
    for transfer in scored.transfers:
        assert transfer.rule in NUMBERS
        assert transfer.events == tuple(sorted(transfer.events))
    pairs = [(transfer.kind, transfer.account, transfer.counter) for transfer in scored.transfers if transfer.amount]
    assert len(set(pairs)) == len(pairs)


def checked(scored: Score) -> None:
    """Lines cancel each other in pairs, and none is zero."""
    justified(scored)
    lines = book(scored.transfers, PLAYERS)
    for own, other in zip(lines[::2], lines[1::2], strict=True):
        assert own.amount == -other.amount != 0
        assert (own.account, own.counter) == (other.counter, other.account)
        assert (own.kind, own.rule, own.text, own.events) == (other.kind, other.rule, other.text, other.events)


@cache
def endings(*, new_ombre: bool = False) -> list[tuple[int, ...]]:
    """The winners of the tricks of every deal that play itself ends, none of them stopping."""

    def from_here(winners: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if len(still(winners, new_ombre=new_ombre)) == 1:
            yield winners
            return
        for winner in range(3):
            yield from from_here((*winners, winner))

    return sorted(from_here(()), key=len)


@for_each("place", range(3))
@for_each("contract", BIDS)
def test_om_8_2_every_order_of_tricks_is_paid_by_the_table(contract: str, place: int) -> None:
    play = begun(contract, place=place)
    ombre = play.commitment.ombre
    seen = set()
    for number, winners in enumerate(endings()):
        pool, trumps = POOLS[number % 4], tuple(ESTUCHES)[number % 6]
        state = after(play, winners, pool=pool, estuches=trumps)
        scored = SCORING.score(state)
        assert scored is not None
        (worth,) = results(Terms(contract, ombre, pool, ESTUCHES[trumps]), state.tricks.winners)
        assert (scored.outcome, booked(scored)) == (worth[0], owed(worth)), winners
        justified(scored)
        seen.add(scored.outcome)
    assert seen == {"win", "vole", "vole-failed", "puesta", "codille"}


@for_each("by", [1, 2])
@for_each("contract", ["entrada", "vuelta"])
def test_om_8_2_every_order_of_a_new_ombres_tricks_is_paid_by_the_table(contract: str, by: int) -> None:
    play = begun(contract, place=by)
    ombre = play.commitment.ombre
    seen = set()
    for number, winners in enumerate(endings(new_ombre=True)):
        pool = POOLS[number % 4]
        state = after(play, winners, pool=pool, estuches=3, new=by)
        scored = SCORING.score(state)
        assert scored is not None
        (worth,) = results(Terms(contract, ombre, pool, 3, new=(ombre - by) % 3), state.tricks.winners)
        assert (scored.outcome, booked(scored)) == (worth[0], owed(worth)), winners
        justified(scored)
        seen.add(scored.outcome)
    assert seen == {"new-ombre-won", "new-ombre-failed"}


ROWS = [
    ("win", (1, 0, 0, 0, 0, 0), {}),
    ("win", (0,) * 5, {"stopped": True}),
    ("vole", (0,) * 9, {}),
    ("vole-failed", (0,) * 8 + (1,), {}),
    ("puesta", (0, 0, 0, 0, 1, 1, 1, 1, 2), {}),
    ("codille", (1, 1, 1, 1, 1), {}),
    ("codille", (2, 2, 2, 2, 2), {}),
    ("codille", (0, 1, 1, 1, 1, 2, 2, 2, 2), {}),
    ("new-ombre-won", (0,) * 5, {"new": 1}),
    ("new-ombre-failed", (1,) * 5, {"new": 2}),
]


@for_each("contract", BIDS)
@for_each("pool", POOLS)
@for_each("estuches", [0, 3, 4, 5])
@for_each("outcome, winners, how", ROWS)
def test_om_8_2_chips_pool_and_bank_never_change_in_total(
    outcome: str, winners: tuple[int, ...], how: dict[str, int], estuches: int, pool: int, contract: str
) -> None:
    scored = SCORING.score(after(begun(contract), winners, pool=pool, estuches=estuches, **how))  # type: ignore[arg-type] # as named
    assert scored is not None
    assert scored.outcome == outcome
    checked(scored)
    assert sum(gained(scored)[party] for party in (0, 1, 2, POOL)) == 0


def test_om_8_2_a_win_with_primeras_is_paid_by_the_table() -> None:
    for contract, extra in EXTRA.items():
        play = begun(contract)
        scored = SCORING.score(after(play, (0,) * 5, pool=10, estuches=4, stopped=True))
        assert scored is not None
        ombre = play.commitment.ombre
        expected = won(Terms(contract, ombre, 10, 4), "win", primeras=True)
        assert (scored.outcome, booked(scored)) == (expected[0], owed(expected))
        assert gained(scored)[ombre] == 10 + 2 * (5 + extra + 4 + 1)


def test_om_8_2_a_surrender_and_a_deal_passed_out_are_paid_by_the_table() -> None:
    play = after(begun("vuelta"), (1,), pool=20, estuches=5)
    scored = SCORING.score(Surrendered(play, Surrender((90, 91, 92), (Answer(0, True), Answer(1, True)))))
    assert scored is not None
    ombre = play.commitment.ombre
    expected = puesta(Terms("vuelta", ombre, 20, 5), "surrendered", "OM-7.2")
    assert (scored.outcome, booked(scored)) == (expected[0], owed(expected))
    assert gained(scored) == {ombre: -30, (ombre - 1) % 3: 5, (ombre - 2) % 3: 5, POOL: 20}
    checked(scored)
    passed = SCORING.score(PassedOut(play.common, play.hands, play.exchange.talon))
    assert passed == Score("passed-out", (), {"estuches": ()})


@for_each(
    "pool, how, winners, put",
    [
        (POOL_LIMIT // 2, {}, (0, 0, 0, 1, 1, 1, 2, 2, 2), POOL_LIMIT // 2),
        (POOL_LIMIT - 100, {}, (0, 0, 0, 1, 1, 1, 2, 2, 2), 100),
        (POOL_LIMIT + 25, {}, (0, 0, 0, 1, 1, 1, 2, 2, 2), 0),
        (POOL_LIMIT - 101, {"new": 1}, (1,) * 5, 50),
        (POOL_LIMIT // 3, {"new": 1}, (1,) * 5, POOL_LIMIT // 3),
    ],
)
def test_om_8_2_no_puesta_takes_the_pool_beyond_its_bound(
    pool: int, how: dict[str, int], winners: tuple[int, ...], put: int
) -> None:
    scored = SCORING.score(after(begun("entrada"), winners, pool=pool, **how))  # type: ignore[arg-type] # as named
    assert scored is not None
    beaten = 2 if how else 1
    lines = book(scored.transfers, PLAYERS)
    assert [line.amount for line in lines if line.account == "pool"] == [put] * beaten * bool(put)
    checked(scored)


@for_each("pool", [5, 10, 15, 20])
def test_om_8_1_equal_defenders_share_the_pools_value_and_an_odd_chip_goes_to_the_pool(pool: int) -> None:
    live = played("entrada", (1, 1, 1, 1, 2, 2, 2, 2, 0), pool=pool)
    assert live.score.outcome == "codille"
    assert live.amounts(*live.turns) == (-pool - 10, pool // 2 + 5, pool // 2 + 5)
    assert live.pool == pool + pool % 2 + 5
    codille = [line for line in live.score.lines if line.kind == "codille"]
    assert {line.rule for line in codille} == {"OM-8.1"}
    assert len(codille) == (6 if pool % 2 else 4)


@for_each("winners", [(1, 1, 1, 1, 1), (1, 1, 1, 1, 0, 0, 0, 2, 2), (1, 1, 1, 1, 0, 0, 2, 2, 2)])
def test_om_8_1_only_equal_defenders_share(winners: tuple[int, ...]) -> None:
    live = played("entrada", winners, pool=15)
    assert live.score.outcome == "codille"
    assert live.amounts(*live.turns) == (-25, 20, 5)
    assert {line.rule for line in live.score.lines} == {"OM-6.1"}


def test_om_6_1_worked_example_1_a_win_with_estuches() -> None:
    live = played("entrada", (0, 0, 0, 0, 1, 0), estuches=3)
    # The next deal's ante is in the pool.
    assert (live.score.outcome, live.amounts(*live.turns), live.pool) == ("win", (21, -8, -8), 5)
    assert live.score.estuches == ("As", "2c", "Ac")


def test_every_outcome_has_its_row() -> None:
    covered = {outcome for outcome, _, _ in ROWS} | {"surrendered", "passed-out"}
    assert {result.outcome for result in RESULTS} == covered


def test_the_lines_of_a_win_explain_themselves() -> None:
    live = played("solo", (0,) * 5, estuches=4)
    live.do("stop")
    ombre = live.turns[0]
    own = [(line.kind, line.rule, line.amount, line.text) for line in live.score.lines if line.seat == ombre]
    assert own == [
        ("pool", "OM-6.1", 5, f"Solo by seat {ombre}, won, tricks 5 against 0 and 0, the pool taken: 5"),
        *[("contract", "OM-6.1", 15, f"Solo by seat {ombre}, won, tricks 5 against 0 and 0: 5 + 10")] * 2,
        *[("estuches", "OM-6.3", 4, f"Estuches by seat {ombre}, As 2c Ac Kc: 4")] * 2,
        *[("primeras", "OM-6.2", 1, f"Primeras by seat {ombre}, stopped, tricks 5 against 0 and 0: 1")] * 2,
    ]
    assert live.score.lines[1].account == "pool"
    counters = [line.counter for line in live.score.lines if line.seat == ombre]
    others = [f"player:{live.table.players[seat]}" for seat in live.turns[1:]]
    assert counters == ["pool", *others * 3]


def test_the_lines_of_a_loss_explain_themselves() -> None:
    puesta = played("entrada", (0, 0, 0, 1, 1, 1, 2, 2, 2))
    own = [(line.kind, line.amount, line.text) for line in puesta.score.lines if line.seat == puesta.turns[0]]
    assert own == [
        (
            "puesta",
            -5,
            f"Entrada by seat {puesta.turns[0]}, puesta, tricks 3 against 3 and 3, put into the pool of 5: 5",
        ),
        *[("contract", -5, f"Entrada by seat {puesta.turns[0]}, puesta, tricks 3 against 3 and 3: 5")] * 2,
    ]
    shared = played("entrada", (1, 1, 1, 1, 2, 2, 2, 2, 0))
    own = [(line.kind, line.amount, line.text) for line in shared.score.lines if line.seat == shared.turns[0]]
    start = f"Entrada by seat {shared.turns[0]}, codille, tricks 1 against 4 and 4"
    assert own == [
        *[("codille", -2, f"{start}, half of the 5 in the pool: 2")] * 2,
        ("codille", -1, f"{start}, the odd chip of the 5 in the pool: 1"),
        *[("contract", -5, f"{start}: 5")] * 2,
    ]


def test_om_6_2_a_vole_undertaken_and_failed_is_called_so() -> None:
    live = played("vuelta", (*(0,) * 6, 1))
    ombre = live.turns[0]
    texts = {line.kind: line.text for line in live.score.lines}
    failed = "undertaken and failed, tricks 6 against 1 and 0"
    assert texts == {
        "pool": f"Vuelta by seat {ombre}, won, the vole {failed}, the pool taken: 5",
        "contract": f"Vuelta by seat {ombre}, won, the vole {failed}: 5 + 2",
        "vole": f"Vole by seat {ombre}, {failed}: 30",
    }
    assert all("all-tricks-undertaken" in live.cited(line) for line in live.score.lines)


def test_om_6_2_the_lines_of_primeras_rest_on_the_stop() -> None:
    live = played("vuelta", (0,) * 5)
    live.do("stop")
    (cited,) = {tuple(live.cited(line)) for line in live.score.lines if line.kind == "primeras"}
    assert cited == ("contract-declared", "talon-turned", *("trick-won",) * 5, "play-stopped")


@for_each("contract", ["entrada", "solo"])
def test_om_6_3_the_lines_of_estuches_rest_on_the_hand_as_dealt_and_exchanged(contract: str) -> None:
    live = played(contract, (0, 0, 0, 0, 1, 0, 0), estuches=3)
    ombre = live.turns[0]
    own = [
        event.version
        for event in live.events
        if isinstance(event.public, CardsExchanged) and event.public.seat == ombre
    ]
    assert len(own) == (contract == "entrada")
    for line in live.score.lines:
        on_hand = line.kind == "estuches"
        assert ("cards-dealt" in live.cited(line)) == (on_hand or line.kind == "pool")
        assert [version for version in own if version in line.events] == (own if on_hand else [])


@for_each("winners", [(0, 0, 0, 1, 1, 1, 2, 2, 2), (1, 1, 1, 1, 1), (1, 1, 1, 1, 2, 2, 2, 2, 0)])
def test_om_6_1_the_lines_of_the_pools_value_rest_on_the_deal(winners: tuple[int, ...]) -> None:
    live = played("entrada", winners)
    for line in live.score.lines:
        assert ("cards-dealt" in live.cited(line)) == (line.kind in ("puesta", "codille"))


def test_om_7_2_the_lines_of_a_surrender_do_not_rest_on_the_tricks_before() -> None:
    live = declared("vuelta", (1, 2, 1)).exchanged().bound(until=2).surrendered(True, True)
    answers = ["surrender-offered", "surrender-answered", "surrender-answered"]
    own = {line.kind: live.cited(line) for line in live.score.lines}
    assert own == {
        "puesta": ["cards-dealt", "contract-declared", "talon-turned", *answers],
        "contract": ["contract-declared", "talon-turned", *answers],
    }


@for_each(
    "by, outcome, tricks",
    [(1, "won by the new Ombre", "5 against 2 and 0"), (2, "lost by the new Ombre too", "0 against 3 and 2")],
)
def test_om_7_3_the_lines_name_the_new_ombre(by: int, outcome: str, tricks: str) -> None:
    winners = (0, 0, *(by,) * 7) if by == 1 else (0, 0, *(3 - by,) * 7)
    live = declared("entrada", winners).exchanged().bound(until=1)
    live.surrendered(*[True] * (by - 1), False).bound()
    start = f"Entrada by seat {live.turns[0]}, {outcome} (seat {live.turns[by]}), tricks {tricks}"
    assert all(line.text.startswith(start) for line in live.score.lines)
    assert f"{start}: 5" in {line.text for line in live.score.lines}


CUT = "no puesta takes the pool beyond 1,000,000,000, OM-8.2"


@for_each(
    "pool, puesta, contract",
    [
        (POOL_LIMIT // 2, "put into the pool of 500,000,000: 500,000,000", ": 5"),
        (POOL_LIMIT - 100, f"put into the pool of 999,999,900: 100 ({CUT})", ": 5"),
        (POOL_LIMIT, None, f": 5 (nothing is put into the pool: {CUT})"),
    ],
)
def test_om_8_2_a_puesta_that_is_cut_says_so(pool: int, puesta: str | None, contract: str) -> None:
    scored = SCORING.score(after(begun("entrada"), (0, 0, 0, 1, 1, 1, 2, 2, 2), pool=pool))
    assert scored is not None
    start = f"Entrada by seat {begun('entrada').commitment.ombre}, puesta, tricks 3 against 3 and 3"
    texts = {transfer.kind: transfer.text for transfer in scored.transfers if transfer.amount}
    assert texts.get("puesta") == (None if puesta is None else f"{start}, {puesta}")
    assert texts["contract"] == f"{start}{contract}"
