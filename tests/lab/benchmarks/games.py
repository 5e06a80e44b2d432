"""Whole games played beforehand, so that a client knows every action without asking, and only the service works."""

import os
import random
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from multiprocessing import get_context
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from domain.record.history import History, Moment, record_command, record_opening
from domain.record.recorded import GENESIS, Recorded
from domain.registry import GAMES
from domain.table.actions import Act, OpenTable, TakeSeat
from domain.table.options import DEFAULT, TableOptions
from domain.table.seat_offers import offers
from domain.table.view import to_act
from service.moments import new_id, now
from service.store.database import Database
from service.store.store import Append, Appended, Store
from tests.support.filling import fixed_id
from tests.support.picking import Action, Temper, pick

GAME = GAMES["crocodile"]
TEMPER = Temper({"concede": 0.02, "talk": 0.0, "pass": 3.0, "offer-priority": 0.2})
"""Games as they are: few concessions, no talk, not every bid high."""

AT_ONCE = 100
"""Tables appended in one call."""

FEW = 24
"""So many games are played sooner than a process has started."""

T = TypeVar("T")


class Played(Struct, frozen=True):
    """A game: its records, how many of them stood before the first action, and the actions."""

    players: tuple[str, ...]
    records: tuple[Recorded, ...]
    started: int
    actions: tuple[tuple[int, Action, int], ...]
    """Who took it, what it was, and the version that it led to."""


def played(seed: int, players: Sequence[str], deals: int | None = None) -> Played:
    """The game of this seed. What it comes to hangs on the seed alone, so that the service comes to the same."""
    history, records, rng = begun(seed, players, deals)
    started = len(records)
    actions: list[tuple[int, Action, int]] = []
    while history.table.status == "playing":
        seat, action = chosen(history, rng)
        command_ = Act(players[seat], msgspec.convert(action, GAME.actions))
        history, following = record_command(GAME, history, command_, _moment(rng))
        records += following
        actions.append((seat, action, history.version))
    return Played(tuple(players), tuple(records), started, tuple(actions))


def begun(
    seed: int, players: Sequence[str], deals: int | None = None, settings: TableOptions = DEFAULT
) -> tuple[History, list[Recorded], random.Random]:
    """The game of this seed before its first action, and what chance goes on with."""
    rng = random.Random(seed)  # noqa: S311 (nothing secret hangs on it)
    command = OpenTable(
        players[0],
        deals or GAME.course.deals(GAME.options()).default,
        GAME.options(),
        sha256(str(seed).encode()).digest(),
        settings,
    )
    history, first = record_opening(GAME, fixed_id(f"{seed} {players}", seed), command, _moment(rng))
    records: list[Recorded] = list(first)
    for player in players:
        history, following = record_command(GAME, history, TakeSeat(player), _moment(rng))
        records += following
    return history, records, rng


def chosen(history: History, rng: random.Random) -> tuple[int, Action]:
    """Who acts, and how."""
    seat = to_act(GAME, history.table)[0]
    described = [offer.describe() for offer in offers(GAME, history.table, seat)]
    return seat, pick(described, rng, TEMPER)


def _moment(rng: random.Random) -> Moment:
    return Moment(now(), new_id(), rng.randbytes(32))


def many(players: Sequence[Sequence[str]], deals: int | None = None) -> list[Played]:
    """One game for each of these groups of players, played on all cores."""
    return on_all_cores(played, range(len(players)), players, [deals] * len(players))


def on_all_cores(work: Callable[..., T], *arguments: Sequence[Any]) -> list[T]:
    """What the work comes to with the first arguments, the second ones, and so on; a few need no further processes."""
    if len(arguments[0]) <= FEW:
        return list(map(work, *arguments))
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        return list(pool.map(work, *arguments, chunksize=4))


async def lay(url: str, games: Sequence[Played], versions: Sequence[int] | None = None) -> None:
    """Appends the games, each up to a version, or else up to where the first action is due."""
    uptos = versions or [game.started for game in games]
    async with Database(url, owner=True, command_s=60, statement_s=60) as database:
        await _append(Store(database), [_piece(game, 0, upto) for game, upto in zip(games, uptos, strict=True)])


async def lay_side_by_side(url: str, games: Sequence[Played]) -> None:
    """Appends whole games as they come to stand in the log when all are played at the same time, action by action."""
    async with Database(url, owner=True, command_s=60, statement_s=60) as database:
        store = Store(database)
        ends = [[game.started, *(version for _, _, version in game.actions)] for game in games]
        await _append(store, [_piece(game, 0, game.started) for game in games])
        for number in range(1, max(map(len, ends))):
            going = [(game, own) for game, own in zip(games, ends, strict=True) if number < len(own)]
            await _append(store, [_piece(game, own[number - 1], own[number]) for game, own in going])


def _piece(game: Played, after: int, upto: int) -> Append:
    head = game.records[after - 1].hash if after else GENESIS
    return Append(game.records[0].table, after, head, game.records[after:upto])


async def _append(store: Store, commands: Sequence[Append]) -> None:
    for start in range(0, len(commands), AT_ONCE):
        outcomes = await store.append(commands[start : start + AT_ONCE])
        if not all(isinstance(outcome, Appended) for outcome in outcomes):
            raise RuntimeError(f"the games could not be appended: {outcomes}")
