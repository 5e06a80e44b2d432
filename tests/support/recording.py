"""Whole games played through the domain by picks from offers, and their events as served when they are over."""

import random
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.record.envelope import served
from domain.record.history import History, Moment, record_command, record_opening
from domain.record.recorded import Recorded
from domain.seats import HOUSE, Seat
from domain.table.actions import Act, LeaveSeat, OpenTable, TakeSeat
from domain.table.seat_offers import offers
from domain.table.state import Table
from tests.games.crocodile.habits import HABITS as CROCODILE
from tests.support.games import deals_for_all
from tests.support.habits import Habits, free_tempers, options_of
from tests.support.habits import tempers as tempers_of
from tests.support.helpers import helper
from tests.support.picking import Temper, pick, repeatable, whose
from tests.support.registry import GAMES

Envelope = dict[str, Any]


def uuid7(rng: random.Random, number: int) -> str:
    """A made-up UUIDv7."""
    return f"{number:08x}-0000-7{rng.randrange(16**3):03x}-8{rng.randrange(16**3):03x}-{rng.randrange(16**12):012x}"


def records(
    seed: int,
    options: dict[str, Any] | None = None,
    deals: int | None = None,
    habits: Habits = CROCODILE,
    tempers: Sequence[Temper] | None = None,
) -> tuple[Recorded, ...]:
    """The records of one random game, by default with as many deals as one of strangers."""
    game = GAMES[habits.game]
    rng = repeatable(seed)
    options = rng.choice(habits.option_sets) if options is None else options
    seats = range(habits.seats(options))
    ids = count(1)

    def moment() -> Moment:
        second = next(ids)
        clock = f"{10 + second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
        at = f"2026-11-20T{clock}.{rng.randrange(10**6):06}Z"
        return Moment(at, uuid7(rng, next(ids)), rng.randbytes(32))

    players = [uuid7(rng, next(ids)) for _ in seats]
    chosen = msgspec.convert(options, game.options)
    number = deals or habits.deals or deals_for_all(game, chosen)
    command = OpenTable(players[0], number, chosen, rng.randbytes(32))
    history, log = record_opening(game, uuid7(rng, next(ids)), command, moment())

    def act(command: TakeSeat | LeaveSeat | Act) -> History:
        nonlocal log
        after, added = record_command(game, history, command, moment())
        log += added
        return after

    if rng.random() < 0.3:
        hesitant = players[min(2, seats[-1])]
        history = act(TakeSeat(hesitant, rng.choice(seats), rng.randbytes(8)))
        history = act(LeaveSeat(hesitant))
    for player in players:
        entropy = rng.choice([None, b"", rng.randbytes(1), rng.randbytes(64)])
        history = act(TakeSeat(player, None, entropy))
    free = free_tempers(habits, rng, len(seats))
    leanings = free if tempers is None else tempers
    while history.table.status == "playing":
        offered = offered_to_all(game, history.table)
        willing = [seat for seat in seats if offered[seat]]
        seat = rng.choice(willing) if tempers is None else whose(offered, rng, tempers)
        action = pick(offered[seat], rng, leanings[seat])
        seated = history.table.players[seat]
        assert seated is not None
        history = act(Act(seated, msgspec.json.decode(msgspec.json.encode(action), type=game.actions)))
    return tuple(msgspec.structs.replace(record, position=7 * place) for place, record in enumerate(log, 1))


def offered_to_all(game: Game, table: Table) -> dict[Seat, list[dict[str, Any]]]:
    """What each seat may do, as it is served."""
    described = {seat: [offer.describe() for offer in offers(game, table, seat)] for seat in range(len(table.players))}
    return msgspec.json.decode(msgspec.json.encode(described), type=dict[Seat, list[dict[str, Any]]])


def game(
    seed: int,
    options: dict[str, Any] | None = None,
    deals: int | None = None,
    habits: Habits = CROCODILE,
) -> list[Envelope]:
    """The events of one random game as everyone may read them when it is over."""
    return _decoded(_free(habits.game, seed, None if options is None else tuple(options.items()), deals))


def habitual(habits: Habits, number: int) -> list[Envelope]:
    """The events of one of the games that strangers with these habits play one after another."""
    return _decoded(_habitual(habits.game, number))


@lru_cache(maxsize=300)
def _free(game: str, seed: int, options: tuple[tuple[str, Any], ...] | None, deals: int | None) -> bytes:
    """Likewise tests go through the same games of players who lean to nothing."""
    return _served(records(seed, None if options is None else dict(options), deals, helper(game, "habits")))


@lru_cache(maxsize=300)
def _habitual(game: str, number: int) -> bytes:
    """Looking for one that has what a test wants, tests go through the same games."""
    habits = helper(game, "habits")
    return _served(records(number, options_of(habits, number), None, habits, tempers_of(habits, number)))


def _served(played: Sequence[Recorded]) -> bytes:
    return b"[" + b",".join(served(record, HOUSE, over=True) for record in played) + b"]"


def _decoded(events: bytes) -> list[Envelope]:
    return msgspec.json.decode(events, type=list[Envelope])
