"""Notices: each turn that begins, and each event that a player is told of, once, to whoever sits there."""

import random
from typing import cast

import msgspec
import pytest

from domain.kernel.game import Game
from service.compute.folds import KeptFolds
from service.live.folds import LiveFolds
from service.live.live_event import LiveEvent
from service.live.notices import KINDS, OF_EVENTS
from service.live.outbox import NoticeBody, messages_of
from service.store.store import Store
from tests.support.notices import EVENTS, due
from tests.support.projecting import READER, Play
from tests.support.registry import GAMES


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
async def test_every_turn_and_every_end_is_told_once(game: Game) -> None:
    # A table that is followed from its first event on is never read.
    folds = LiveFolds(READER, KeptFolds(cast("Store", None), READER))
    play = Play(1, random.Random(1), game=game)  # noqa: S311 (nothing secret hangs on it)
    records = [record for step in play.steps() for record in step]
    messages = [
        one for record in records for one in messages_of(record, await folds.turn(LiveEvent(record, more=False)))
    ]
    told = []
    for message in messages:
        body = msgspec.json.decode(message.body, type=NoticeBody)
        assert (body.type, body.data.player, body.data.position) == (message.kind, message.player, message.position)
        told.append((body.data.table, body.data.version, body.type, body.data.player))
    assert told == due(records)
    assert len({message.id for message in messages}) == len(messages)


def test_the_kinds_are_those_of_events_and_of_turns() -> None:
    assert OF_EVENTS == EVENTS
    assert set(KINDS) == {"your-turn", *EVENTS.values()}
