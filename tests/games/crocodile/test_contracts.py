"""CR-5: contracts, row by row as the rules' table has them."""

from itertools import combinations, product

from msgspec.structs import replace

from domain.games.crocodile.contracts import CONTRACTS as ROWS
from domain.games.crocodile.rules import PROMISES, RULEBOOK
from domain.parts.tricks import CardPlayed, HandExposed
from tests.games.crocodile.checker import BIDS, CONTRACTS, NEGATIVE, POSITIVE
from tests.support.for_each import for_each
from tests.support.games import declared, exchange_nothing, played


def test_the_table_served_is_that_of_the_rules() -> None:
    assert list(ROWS) == list(CONTRACTS)
    for name, facts in CONTRACTS.items():
        row = ROWS[name]  # type: ignore[index] # names of the rules are those of the code
        assert (row.value, row.positive, row.concede) == (facts["value"], facts["positive"], facts["concede"])
        assert (row.exchange is None) == (facts["exchange"] is None)
    assert [name for name, _ in sorted(ROWS.items(), key=lambda item: item[1].rank)] == ["casco", *BIDS]
    assert RULEBOOK.tables["contracts"] == tuple(replace(row, text=PROMISES[name]) for name, row in ROWS.items())


@for_each("contract", POSITIVE)
@for_each(
    "winners, won",
    [
        ((0, 0, 0, 0, 0, 1, 1, 1, 1), True),
        ((1, 1, 0, 0, 0, 0, 1, 1, 0), True),
        ((0, 1, 1, 1, 2, 2, 0, 0, 0), True),
        ((0, 1, 1, 2, 2, 2, 0, 0, 0), True),
        ((0, 1, 1, 1, 1, 2, 0, 0, 0), False),
        ((0, 1, 2, 0, 1, 2, 0, 1, 2), False),
        ((0, 1, 1, 1, 1, 1, 0, 0, 0), False),
        ((0, 2, 2, 2, 2, 2, 1, 0, 0), False),
    ],
)
def test_cr_5_1_positive_declarer_must_win_more_tricks_than_each(
    contract: str, winners: tuple[int, ...], *, won: bool
) -> None:
    live = played(contract, winners)
    assert (live.score.outcome == "victory") is won
    assert (live.booked(0)[0][2] > 0) is won


@for_each("contract", NEGATIVE)
@for_each("lost", range(9))
def test_cr_5_2_negative_declarer_must_lose_every_trick(contract: str, lost: int) -> None:
    winners = [1 + trick % 2 for trick in range(9)]
    assert played(contract, winners).score.outcome == "victory"
    winners[lost] = 0
    assert played(contract, winners).score.outcome == "simple-loss"


@for_each("declarer, eldest", list(product(range(3), range(3))))
def test_cr_5_3_nolo_ouvert_lies_open_before_the_first_lead(declarer: int, eldest: int) -> None:
    live, plan = declared("nolo-ouvert", declarer=declarer, eldest=eldest)
    for audience in ("public", *(f"seat:{seat}" for seat in range(3) if seat != declarer)):
        assert live.view(audience)["seats"][declarer]["hand"] == {"known": (), "hidden": 9}
    exchange_nothing(live, plan)
    assert isinstance(live.events[-1].public, HandExposed)
    exposed = live.of(HandExposed)[-1]
    assert (exposed.seat, exposed.cards) == (declarer, live.hand(declarer))
    assert live.events[-1].actor == "house"
    assert live.to_act == (eldest,)
    for audience in ("public", "seat:0", "seat:1", "seat:2"):
        assert live.view(audience)["seats"][declarer]["hand"] == {"known": live.hand(declarer), "hidden": 0}
    while not live.table.scored:
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])
        assert live.view("public")["seats"][declarer]["hand"] == {"known": live.hand(declarer), "hidden": 0} or (
            live.table.scored
        )


@for_each("contract", [name for name in CONTRACTS if name != "nolo-ouvert"])
def test_cr_5_3_no_other_hand_lies_open(contract: str) -> None:
    live = played(contract, [0, 1])
    assert live.of(HandExposed) == []
    assert len(live.of(CardPlayed)) == 6
    for seat in range(3):
        turned = {live.table.deal_state.commitment.turned}
        assert set(live.view("public")["seats"][seat]["hand"]["known"]) <= turned


def test_no_two_bids_have_one_rank() -> None:
    assert all(ROWS[a].rank != ROWS[b].rank for a, b in combinations(ROWS, 2))
