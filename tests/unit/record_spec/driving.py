"""Whole games played through the domain by picks from offers, and their events as served when they are over."""

import random
from itertools import count
from typing import Any

import msgspec

from domain.kernel.event import served
from domain.kernel.record import Recorded
from domain.kernel.seats import HOUSE
from domain.record import History, Moment, acting, opening
from domain.registry import GAMES
from domain.table.actions import Act, LeaveSeat, OpenTable, TakeSeat
from domain.table.offers import offers
from tests.support.picking import pick, repeatable, temper_of

Envelope = dict[str, Any]

CROCODILE = GAMES["crocodile"]
OPTION_SETS = [
    {"contraprimeras": first, "bonus_stacking": second, "casco_stock": third}
    for first in ("always", "if-lost")
    for second in ("exclusive", "cumulative")
    for third in ("all", "face-up")
]


def uuid7(rng: random.Random, number: int) -> str:
    """A made-up UUIDv7."""
    return f"{number:08x}-0000-7{rng.randrange(16**3):03x}-8{rng.randrange(16**3):03x}-{rng.randrange(16**12):012x}"


def records(seed: int, options: dict[str, str] | None = None, deals: int = 3) -> tuple[Recorded, ...]:
    """The records of one random game."""
    rng = repeatable(seed)
    options = options or rng.choice(OPTION_SETS)
    ids = count(1)

    def moment() -> Moment:
        at = f"2026-11-20T10:{next(ids) // 60 % 60:02}:{next(ids) % 60:02}.{rng.randrange(10**6):06}Z"
        return Moment(at, uuid7(rng, next(ids)), rng.randbytes(32))

    players = [uuid7(rng, next(ids)) for _ in range(3)]
    command = OpenTable(players[0], deals, msgspec.convert(options, CROCODILE.options), rng.randbytes(32))
    history, log = opening(CROCODILE, uuid7(rng, next(ids)), command, moment())

    def act(command: TakeSeat | LeaveSeat | Act) -> History:
        nonlocal log
        after, added = acting(CROCODILE, history, command, moment())
        log += added
        return after

    if rng.random() < 0.3:
        history = act(TakeSeat(players[2], rng.randrange(3), rng.randbytes(8)))
        history = act(LeaveSeat(players[2]))
    for player in players:
        entropy = rng.choice([None, b"", rng.randbytes(1), rng.randbytes(64)])
        history = act(TakeSeat(player, None, entropy))
    tempers = [temper_of(rng) for _ in range(3)]
    while history.table.status == "playing":
        by_seat = {seat: offers(CROCODILE, history.table, seat) for seat in range(3)}
        seat = rng.choice([seat for seat, offered in by_seat.items() if offered])
        told = msgspec.json.decode(msgspec.json.encode([offer.describe() for offer in by_seat[seat]]))
        action = pick(told, rng, tempers[seat])
        seated = history.table.players[seat]
        assert seated is not None
        history = act(Act(seated, msgspec.json.decode(msgspec.json.encode(action), type=CROCODILE.actions)))
    return tuple(msgspec.structs.replace(record, position=7 * place) for place, record in enumerate(log, 1))


def game(seed: int, options: dict[str, str] | None = None, deals: int = 3) -> list[Envelope]:
    """The events of one random game as everyone may read them when it is over."""
    return [msgspec.json.decode(served(record, HOUSE, over=True)) for record in records(seed, options, deals)]
