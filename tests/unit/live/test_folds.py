"""What those who follow many tables see of one whose record cannot be read: nothing, and no error."""

import pytest
from msgspec.structs import replace

from domain.record.recorded import Recorded
from domain.seats import HOUSE, PUBLIC
from service.live.folds import LiveFolds
from service.live.live_event import NOBODYS, LiveEvent
from service.live.outbox import messages_of
from tests.support.games import READER, Live


class Kept:
    """The folds of one record."""

    def __init__(self, records: list[Recorded]) -> None:
        self._records = records

    async def since_deal(self, _table: str, version: int, _audience: str) -> tuple[None, list[Recorded]]:
        return None, self._records[:version]


async def test_an_event_that_cannot_be_read_is_nobodys_turn_and_no_message() -> None:
    records = list(Live.started().records)
    folds = LiveFolds(READER, Kept(records))  # type: ignore[arg-type] # all that it asks for
    last = records[-1]
    assert (await folds.turn(LiveEvent(last, more=False))).entering
    for unread in (replace(last, schema=9), replace(last, type="cards-juggled"), replace(last, public=b"{}")):
        turn = await folds.turn(LiveEvent(unread, more=False))
        assert turn == NOBODYS
        assert list(messages_of(unread, turn)) == []


async def test_the_houses_fold_is_not_to_be_had_and_others_are_made_once() -> None:
    records = list(Live.started().records)
    folds = LiveFolds(READER, Kept(records))  # type: ignore[arg-type] # as above
    event = LiveEvent(records[-1], more=False)
    with pytest.raises(ValueError, match="house"):
        await folds.follow(event, HOUSE)
    for audience in (PUBLIC, "seat:0"):
        made = await folds.follow(event, audience)
        assert made == READER.fold(None, records, audience)
        assert await folds.follow(event, audience) is made
