"""BO-4: the contracts, their order and what they are worth."""

from typing import NamedTuple

import pytest

from domain.games.boston.contracts import BIDS, ranks
from domain.games.boston.contracts import CONTRACTS as ROWS
from domain.games.boston.meta import Options
from domain.kernel.rejection import Code
from tests.games.boston.tables import dealt, played, shared_out
from tests.support.for_each import for_each


class Facts(NamedTuple):
    """A row of the table of BO-4; the aim as the numbers of tricks that reach it."""

    contract: str
    aim: range
    base: int
    premium: int | None = None
    supporter: int | None = None
    discard: bool = False
    ouvert: bool = False

    @property
    def trumps(self) -> bool:
        """Whether the suit is trumps (BO-3.2)."""
        return self.aim.start > 1


FACTS: tuple[Facts, ...] = (
    Facts("five", range(5, 14), 3, 1, 3),
    Facts("six", range(6, 14), 6, 2, 4),
    Facts("petite-misere", range(1), 16, discard=True),
    Facts("seven", range(7, 14), 9, 3, 4),
    Facts("piccolissimo", range(1, 2), 24, discard=True),
    Facts("eight", range(8, 14), 12, 4, 4),
    Facts("grande-misere", range(1), 32),
    Facts("nine", range(9, 14), 15, 5),
    Facts("four-ace-misere", range(1), 40),
    Facts("ten", range(10, 14), 18, 6),
    Facts("petite-misere-ouverte", range(1), 48, discard=True, ouvert=True),
    Facts("eleven", range(11, 14), 21, 7),
    Facts("grande-misere-ouverte", range(1), 56, ouvert=True),
    Facts("twelve", range(12, 14), 24, 8),
    Facts("boston", range(13, 14), 100),
    Facts("boston-ouvert", range(13, 14), 200, ouvert=True),
)


def test_bo_4_0_five_to_eight_and_five_to_twelve_are_trick_bids() -> None:
    assert [name for name, row in ROWS.items() if row.supporter is not None] == ["five", "six", "seven", "eight"]
    counted = [name for name, row in ROWS.items() if row.premium is not None]
    assert counted == ["five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def test_bo_4_1_the_order_of_contracts() -> None:
    assert list(ROWS) == [row.contract for row in FACTS]
    assert list(ranks(piccolissimo=True)) == list(BIDS)


@for_each("facts", FACTS)
def test_bo_4_1_what_each_is_about(facts: Facts) -> None:
    row = ROWS[facts.contract]  # type: ignore[index] # it names a contract
    assert range(row.least, row.most + 1) == facts.aim
    assert (row.discard, row.ouvert, row.trumps) == (facts.discard, facts.ouvert, facts.trumps)
    assert row.supporter == facts.supporter


@for_each("facts", FACTS)
def test_bo_4_2_base_and_premium(facts: Facts) -> None:
    row = ROWS[facts.contract]  # type: ignore[index] # it names a contract
    assert (row.base, row.premium) == (facts.base, facts.premium)
    if facts.premium is not None:
        assert (facts.base, facts.premium) == (3 * (row.least - 4), row.least - 4)


@pytest.mark.parametrize(("base", "scores"), [(3, (3, 4, -4)), (4, (4, 5, -5))])
def test_bo_4_2_the_base_of_five_is_three_or_four_and_its_premium_one(base: int, scores: tuple[int, ...]) -> None:
    for won, score in zip((5, 6, 4), scores, strict=True):
        live = played("five", shared_out(won), options=Options(five_base=base))  # type: ignore[arg-type]
        assert live.score.totals[0] == score


@pytest.mark.parametrize("base", [3, 4])
def test_bo_4_2_no_other_base_changes(base: int) -> None:
    live = played("six", shared_out(6), options=Options(five_base=base))  # type: ignore[arg-type]
    assert live.score.totals[0] == 6


def test_bo_4_3_piccolissimo_is_played_by_option() -> None:
    live = dealt({}, options=Options(piccolissimo=True))
    live.do("bid", contract="seven", suit="h")
    assert ("piccolissimo", "s") in live.offered_bids(1)
    live.do("bid", contract="piccolissimo", suit="h")
    assert ("seven", "h") not in live.offered_bids(2)
    assert ("eight", "s") in live.offered_bids(2)


def test_bo_4_3_without_it_there_is_none() -> None:
    live = dealt({})
    detail = live.refuses(0, "bid", Code.RULE_VIOLATION, "BO-4.3", contract="piccolissimo", suit="s")
    assert detail == "there is no piccolissimo at this table, by its option piccolissimo"
    assert "piccolissimo" not in {contract for contract, _ in live.offered_bids(0)}


@pytest.mark.parametrize(("won", "score"), [(0, -72), (1, 72), (2, -72)])
def test_bo_4_3_exactly_one_trick_of_twelve(won: int, score: int) -> None:
    live = played("piccolissimo", shared_out(won), suit="d", options=Options(piccolissimo=True))
    assert live.score.totals[0] == score
    assert live.booked(0) == [("contract", "BO-7.5", score)]


def test_bo_4_4_there_is_no_boston_a_deux() -> None:
    assert [name for name in ROWS if "boston" in name] == ["boston", "boston-ouvert"]
