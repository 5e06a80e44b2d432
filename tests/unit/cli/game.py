"""Whole games played in memory, to be narrated."""

import json
import secrets
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.picking import offer_from_wire, pick
from domain.record.history import History, Moment, record_command, record_opening
from domain.record.recorded import Recorded
from domain.table.actions import Act, Command, OpenTable, TakeSeat
from domain.table.seat_offers import offers
from domain.table.view import to_act
from service.cli.demo import choose
from service.cli.replay import from_records
from service.describe.narration import Event
from service.spec.sample import fewest_deals
from tests.support.games import willing

NAMES = {f"player-{name[0]}": name for name in ("Ada", "Berta", "Carl", "Dora")}
PLAYERS = tuple(NAMES)
TABLE = "0197a000-0000-7000-8000-000000000000"


def played(game: Game, seed: int, **options: object) -> list[Recorded]:
    """The records of a short game whose players pick from the offers."""
    chance = Random(seed)  # noqa: S311 (choices in a test)
    settled = msgspec.convert(options, game.options)
    opened = OpenTable(PLAYERS[0], fewest_deals(game, settled), settled, chance.randbytes(32))
    history, records = record_opening(game, TABLE, opened, _moment(0))
    kept = list(records)
    for command in _commands(game, len(history.table.players), chance):
        history, records = record_command(game, history, command(history), _moment(len(kept)))
        kept += records
        if history.table.status == "finished":
            return kept
    raise AssertionError("a game ends")


def open_events(game: Game, seed: int, **options: object) -> list[Event]:
    """The events of such a game, with everything open."""
    return from_records(played(game, seed, **options))


def _commands(game: Game, seats: int, chance: Random) -> Iterator[Any]:
    for player in PLAYERS[:seats]:
        yield lambda _, player=player: TakeSeat(player)
    while True:
        yield lambda history: _pick(game, history, chance)


def _pick(game: Game, history: History, chance: Random) -> Command:
    due = to_act(game, history.table)
    seat = due[0] if due else chance.choice(willing(game, history.table))
    described = json.loads(msgspec.json.encode([offer.describe() for offer in offers(game, history.table, seat)]))
    # Where nobody must act, whoever chooses among all that is offered may carry cards to and fro for long.
    chosen = (
        choose(described, chance)
        if due
        else pick(chance.choice([offer_from_wire(one) for one in described]), chance.randrange)
    )
    return Act(PLAYERS[seat], msgspec.convert(chosen, game.actions))


def _moment(number: int) -> Moment:
    return Moment(f"2026-11-20T10:00:00.{number:06d}Z", None, secrets.token_bytes(32))
