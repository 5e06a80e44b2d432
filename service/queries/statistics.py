"""How a game's deals end: counted as they are archived, exactly, for everybody and for one player."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, TypeVar

from asyncpg import Record
from msgspec import Meta, Struct

from domain.kernel.game import Game
from domain.seats import Seat
from service.describe.shared_fields import UNIT

T = TypeVar("T")

EVERYBODY = "00000000-0000-0000-0000-000000000000"
"""The id under which the archive counts everybody's results."""


class ResultCounts(Struct, frozen=True):
    """Results of seats, counted. The mean is `points` by `deals`; the variance is `squares` by `deals`, less the square
    of the mean.
    """

    deals: Annotated[int, Meta(ge=0, description="The number of results.")] = 0
    won: Annotated[int, Meta(ge=0, description="Those above 0.")] = 0
    lost: Annotated[int, Meta(ge=0, description="Those below 0.")] = 0
    points: Annotated[int, Meta(description="Their sum.")] = 0
    squares: Annotated[int, Meta(ge=0, description="The sum of their squares.")] = 0

    @classmethod
    def of(cls, rows: Iterable[Record]) -> "ResultCounts":
        """The counts of these rows together."""
        rows = list(rows)
        return cls(*[sum([row[name] for row in rows]) for name in cls.__struct_fields__])


class OutcomeCount(Struct, frozen=True):
    """How often deals ended in one way."""

    outcome: str
    name: Annotated[str, Meta(description="The outcome in words.")]
    deals: Annotated[int, Meta(ge=0, description="The number of deals.")]


class ContractCounts(Struct, frozen=True):
    """The deals in which a contract, or a kind of deal, was played."""

    contract: Annotated[str | None, Meta(description="The contract, or the kind of deal; null for deals without one.")]
    name: Annotated[str | None, Meta(description="The same in words.")]
    deals: Annotated[int, Meta(ge=0, description="The number of deals.")]
    outcomes: Annotated[tuple[OutcomeCount, ...], Meta(description="How they ended, the most frequent first.")]
    declarers: Annotated[ResultCounts, Meta(description="The results of who played the contract.")]


class SeatCounts(Struct, frozen=True):
    """The results of one seat."""

    seat: Seat
    results: Annotated[ResultCounts, Meta(description="All its results.")]
    declarers: Annotated[ResultCounts, Meta(description="Those of deals in which it played the contract.")]


class MonthCounts(Struct, frozen=True):
    """The results of one month (UTC)."""

    month: Annotated[str, Meta(description="The month, as 2026-11.")]
    results: ResultCounts


class DealStatistics(Struct, frozen=True):
    """How deals ended. Deals are counted once for everybody, and for a player once for each that the player played."""

    deals: Annotated[int, Meta(ge=0, description="The number of deals.")]
    contracts: Annotated[tuple[ContractCounts, ...], Meta(description="By contract, the most frequent first.")]
    seats: Annotated[tuple[SeatCounts, ...], Meta(description="By seat.")]
    months: Annotated[tuple[MonthCounts, ...], Meta(description="By month, in order.")]


class GameStatistics(Struct, frozen=True):
    """The statistics of a game: everybody's, and beside them one player's."""

    game: str
    unit: Annotated[str, UNIT]
    everybody: Annotated[DealStatistics, Meta(description="Deals of tables that lists show, without bots.")]
    player: Annotated[str | None, Meta(description="The player's id; null if none was asked for.")]
    own: Annotated[
        DealStatistics | None,
        Meta(description="The player's: of all own tables for the player, of the same as above for others."),
    ]


def statistics(game: Game, rows: Iterable[Record], player: str | None) -> GameStatistics:
    """The statistics of the rows that the archive has for everybody and this player."""
    by_player = _grouped(rows, lambda row: row["player"])
    # In each deal there is a seat 0, so its results count the deals.
    everybody = _deals(game, by_player.get(EVERYBODY, []), lambda row: row["seat"] == 0)
    own = None if player is None else _deals(game, by_player.get(player, []), lambda _: True)
    return GameStatistics(game.name, game.unit, everybody, player, own)


def _deals(game: Game, rows: list[Record], counts: Callable[[Record], bool]) -> DealStatistics:
    names = game.words.terms.get(game.scoring.searched.terms or "", {})
    outcomes = game.words.terms.get("outcome", {})

    def deals(some: Iterable[Record]) -> int:
        return sum([row["deals"] for row in some if counts(row)])

    contracts = []
    for contract, own in _grouped(rows, lambda row: row["contract"] or None).items():
        ended = [
            OutcomeCount(outcome, outcomes.get(outcome, outcome), deals(some))
            for outcome, some in _grouped(own, lambda row: row["outcome"]).items()
        ]
        ended.sort(key=lambda one: (-one.deals, one.outcome))
        declarers = ResultCounts.of([row for row in own if row["declares"]])
        name = None if contract is None else names.get(contract, contract)
        contracts.append(ContractCounts(contract, name, deals(own), tuple(ended), declarers))
    contracts.sort(key=lambda one: (-one.deals, one.contract or ""))
    seats = [
        SeatCounts(seat, ResultCounts.of(own), ResultCounts.of([row for row in own if row["declares"]]))
        for seat, own in sorted(_grouped(rows, lambda row: row["seat"]).items())
    ]
    months = [
        MonthCounts(month, ResultCounts.of(own))
        for month, own in sorted(_grouped(rows, lambda row: row["month"]).items())
    ]
    return DealStatistics(deals(rows), tuple(contracts), tuple(seats), tuple(months))


def _grouped(rows: Iterable[Record], key: Callable[[Record], T]) -> Mapping[T, list[Any]]:
    groups: dict[T, list[Any]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups
