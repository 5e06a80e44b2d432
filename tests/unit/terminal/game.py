"""Whole games played in memory, for telling."""

import json
import secrets
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from domain.kernel.record import Recorded
from domain.record import History, Moment, acting, opening
from domain.registry import GAMES
from domain.table.actions import Act, Command, OpenTable, TakeSeat
from domain.table.offers import offers
from domain.table.view import to_act
from service.demo import choose

GAME = GAMES["crocodile"]
PLAYERS = ("player-a", "player-b", "player-c")
NAMES = dict(zip(PLAYERS, ("Ada", "Berta", "Carl"), strict=True))
TABLE = "0197a000-0000-7000-8000-000000000000"


def played(seed: int, deals: int = 3) -> list[Recorded]:
    """The records of a game in which everybody picks from the offers."""
    chance = Random(seed)  # noqa: S311 (choices in a test)
    options = msgspec.convert({}, GAME.options)
    history, records = opening(GAME, TABLE, OpenTable(PLAYERS[0], deals, options, chance.randbytes(32)), _moment(0))
    kept = list(records)
    for command in _commands(chance):
        history, records = acting(GAME, history, command(history), _moment(len(kept)))
        kept += records
        if history.table.status == "finished":
            return kept
    raise AssertionError("a game ends")


def _commands(chance: Random) -> Iterator[Any]:
    for player in PLAYERS:
        yield lambda _, player=player: TakeSeat(player)
    while True:
        yield lambda history: _pick(history, chance)


def _pick(history: History, chance: Random) -> Command:
    seat = to_act(GAME, history.table)[0]
    described = json.loads(msgspec.json.encode([offer.describe() for offer in offers(GAME, history.table, seat)]))
    return Act(PLAYERS[seat], msgspec.convert(choose(described, chance), GAME.actions))


def _moment(number: int) -> Moment:
    return Moment(f"2026-11-20T10:00:00.{number:06d}Z", None, secrets.token_bytes(32))
