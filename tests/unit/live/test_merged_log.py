"""The log's events are handed on once each, in order, without a gap, whichever way they come."""

import random

import pytest
from msgspec import structs

from service.live import merged_log
from service.live.merged_log import MOST_AHEAD
from service.store.database import StoreUnavailable
from tests.support.live import Followed, Relay
from tests.support.log import command, new_id
from tests.support.waiting import settled, until


async def test_what_this_process_appends_is_handed_on_at_once() -> None:
    followed = Followed(5)
    async with followed.following():
        followed.merged.offer(followed.append(3, told=False))
        assert followed.received == [6, 7, 8]
        assert followed.log.reads == 0


async def test_what_was_there_before_is_not_handed_on() -> None:
    followed = Followed(5)
    async with followed.following():
        followed.merged.offer(followed.log.records)
        assert followed.received == []


async def test_what_others_append_is_read_from_the_log() -> None:
    followed = Followed(5)
    async with followed.following():
        followed.append(700)
        await until(lambda: len(followed.received) == 700)
    assert followed.received == list(range(6, 706))


async def test_what_comes_early_waits_for_what_is_before_it() -> None:
    followed = Followed()
    async with followed.following():
        theirs, own = followed.append(2, told=False), followed.append(2, told=False)
        followed.merged.offer(own)
        assert followed.received == []
        followed.tail.wake(4)
        await until(lambda: len(followed.received) == 4)
        followed.merged.offer(theirs)
    assert followed.received == [1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(20))
async def test_every_event_comes_once_in_order_whatever_is_brought_by_whom(seed: int) -> None:
    chance, relay = random.Random(seed), Relay()  # noqa: S311 (a test's)
    followed = Followed(3, relay, grace_s=0.001)
    async with followed.following():
        await until(lambda: relay.receive)
        pieces = [followed.append(chance.randint(1, 5), told=chance.random() < 0.3) for _ in range(40)]
        # Late, twice, out of order, in part, or not at all.
        pieces += chance.sample(pieces, 10)
        chance.shuffle(pieces)
        for piece in pieces:
            match chance.randint(0, 3):
                case 0:
                    followed.merged.offer(piece)
                case 1 if relay.receive is not None:
                    relay.receive(piece[chance.randint(0, len(piece)) :])
                case 2:
                    await settled()
        followed.tail.wake(len(followed.log.records))
        await until(lambda: followed.merged.position == len(followed.log.records))
    assert followed.received == list(range(4, len(followed.log.records) + 1))


async def test_what_others_pass_on_is_not_read_again() -> None:
    relay = Relay()
    followed = Followed(3, relay)
    async with followed.following():
        await until(lambda: relay.receive)
        for _ in range(5):
            added = followed.append(2)
            await settled()
            assert relay.receive is not None
            relay.receive(added)
            await settled()
    assert followed.received == list(range(4, 14))
    assert followed.log.reads == 0


async def test_without_those_who_pass_it_on_the_log_is_read_at_once() -> None:
    relay = Relay()
    followed = Followed(3, relay)
    relay.connected = False
    async with followed.following():
        followed.append(2)
        await until(lambda: followed.received == [4, 5])


async def test_an_outage_delays_events_and_loses_none() -> None:
    followed = Followed(3)
    async with followed.following():
        followed.log.away = True
        followed.append(4)
        await until(lambda: followed.log.reads > 2)
        assert followed.received == []
        followed.log.away = False
        await until(lambda: followed.received == [4, 5, 6, 7])


async def test_following_does_not_begin_in_an_outage() -> None:
    followed = Followed(3)
    followed.log.away = True
    with pytest.raises(StoreUnavailable):
        async with followed.following():
            pass
    followed.log.away = False
    async with followed.following():
        followed.append(1)
        await until(lambda: followed.received == [4])


async def test_nothing_is_handed_on_nor_kept_when_nobody_follows() -> None:
    followed = Followed(3)
    async with followed.following(), followed.following():
        followed.merged.offer(followed.append(1))
    followed.merged.offer(followed.append(1))
    assert followed.received == [4]
    async with followed.following():
        followed.merged.offer(followed.append(1))
    assert followed.received == [4, 6]


async def test_what_comes_early_is_bounded() -> None:
    followed = Followed()
    async with followed.following():
        followed.append(1, told=False)
        followed.merged.offer(followed.append(2 * MOST_AHEAD, told=False))
        followed.tail.wake(2 * MOST_AHEAD + 1)
        await until(lambda: len(followed.received) == 2 * MOST_AHEAD + 1)
    assert followed.received == list(range(1, 2 * MOST_AHEAD + 2))


async def test_what_is_read_from_the_log_is_handed_on_by_whole_acts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merged_log, "BATCH", 4)
    followed, handed_on = Followed(), list[list[int]]()
    followed.merged._receive = lambda records: handed_on.append([record.position for record in records])
    acts = [command(new_id(), count=count).records for count in (3, 3, 1, 9, 2)]
    flat = [structs.replace(record, action=str(act)) for act, records in enumerate(acts) for record in records]
    async with followed.following():
        followed.log.records += [structs.replace(one, position=at) for at, one in enumerate(flat, 1)]
        followed.tail.wake(len(flat))
        await until(lambda: handed_on and handed_on[-1][-1] == len(flat))
    ends = {3, 6, 7, 16, 18}
    assert {positions[-1] for positions in handed_on} <= ends
    assert [position for positions in handed_on for position in positions] == list(range(1, 19))
