"""What one process appends reaches the others through Redis; what Redis loses, the log has."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest
import structlog
from redis.asyncio import Redis

from domain.record.recorded import Recorded, seal, sections
from projections.connection import connect_node, is_cluster
from service.live.relay import CHANNEL, MOST_WAITING, Relay
from tests.support.live import Followed, events
from tests.support.redis import Valkey
from tests.support.redis_cluster import IN_CLUSTER
from tests.support.waiting import PATIENCE_S, until

_SECRET = {"house": {"talon": "the whole"}, "seat:0": {"cards": "its own"}, "public": {"text": "well"}}


@asynccontextmanager
async def relay(url: str, beat_s: float = PATIENCE_S) -> AsyncIterator[Relay]:
    """The relay of one process. While it connects again, it misses what others pass on."""
    one = Relay(
        connect_node(url, connections=1, timeout_s=20.0),
        connect_node(url, connections=1, timeout_s=20.0),
        structlog.get_logger(),
        counted=not is_cluster(url),
        pause_s=0.001,
        beat_s=beat_s,
    )
    try:
        yield one
    finally:
        await one.close()


class Heard:
    """What a relay receives."""

    def __init__(self, listening: Relay) -> None:
        self.records: list[Recorded] = []
        self._relay = listening

    def _receive(self, records: Sequence[Recorded]) -> None:
        self.records += records

    async def __aenter__(self) -> "Heard":
        self._task = asyncio.create_task(self._relay.run(self._receive))
        await until(lambda: self._relay.connected)
        return self

    async def __aexit__(self, *error: object) -> None:
        self._task.cancel()
        await asyncio.wait((self._task,))


def sealed(*positions: int) -> list[Recorded]:
    """Events with sections for everybody, a seat and the house."""
    seals, opened = seal(bytes(32), 1, _SECRET)
    return [Recorded(**{**_fields(event), "seals": seals, "sealed": opened}) for event in events(*positions)]


def _fields(event: Recorded) -> dict[str, object]:
    return {name: getattr(event, name) for name in event.__struct_fields__}


async def test_others_get_what_one_appends_without_what_only_the_house_knows(redis_server: str) -> None:
    async with relay(redis_server) as one, relay(redis_server) as two, Heard(two) as heard:
        sent = sealed(1, 2, 3)
        one.pass_on(sent[:1])
        one.pass_on(sent[1:])
        await until(lambda: len(heard.records) == 3)
        for before, after in zip(sent, heard.records, strict=True):
            assert {**_fields(before), "sealed": b""} == {**_fields(after), "sealed": b""}
            assert sections(after.sealed).keys() == {"seat:0", "public"}
            assert sections(after.sealed).items() <= sections(before.sealed).items()


@pytest.mark.skipif(IN_CLUSTER, reason="a node of a Cluster knows only its own listeners")
async def test_nothing_is_passed_on_where_nobody_else_listens(redis_server: str, redis: Redis) -> None:
    async with relay(redis_server) as one, Heard(one) as own:
        before = (await redis.info("commandstats")).get("cmdstat_publish", {"calls": 0})["calls"]
        for _ in range(5):
            one.pass_on(events(1))
        await until(lambda: one._task is None)
        assert (await redis.info("commandstats")).get("cmdstat_publish", {"calls": 0})["calls"] == before
        assert own.records == []


async def test_without_redis_appending_goes_on_and_nothing_is_kept(own_valkey: Valkey) -> None:
    async with relay(own_valkey.url) as one, relay(own_valkey.url) as two, Heard(two) as heard:
        own_valkey.kill()
        await until(lambda: not two.connected)
        for _ in range(3):
            one.pass_on(events(*range(1, MOST_WAITING)))
        await until(lambda: one._task is None)
        assert not one._waiting
        own_valkey.start()
        await until(lambda: two.connected)
        number = MOST_WAITING

        def passed_on() -> bool:
            nonlocal number
            number += 1
            one.pass_on(events(number))
            return bool(heard.records)

        await until(passed_on)


async def test_a_redis_that_does_not_answer_is_none(own_valkey: Valkey) -> None:
    async with relay(own_valkey.url, beat_s=0.01) as one, Heard(one):
        own_valkey.freeze()
        await until(lambda: not one.connected)
        own_valkey.thaw()
        await until(lambda: one.connected)


@pytest.mark.parametrize("garbage", [b"", b"\xc1", b"\x91\x01"])
async def test_what_is_no_message_is_left_out(redis_server: str, redis: Redis, garbage: bytes) -> None:
    async with relay(redis_server) as one, relay(redis_server) as two, Heard(two) as heard:
        await redis.publish(CHANNEL, garbage)

        def passed_on() -> bool:
            one.pass_on(events(7))
            return bool(heard.records)

        await until(passed_on)
        assert heard.records[0].position == 7


async def test_a_follower_is_brought_what_others_append_and_reads_what_is_lost(own_valkey: Valkey) -> None:
    async with relay(own_valkey.url) as theirs, relay(own_valkey.url) as own:
        followed = Followed(3, own, grace_s=0.02)
        async with followed.following():
            await until(lambda: own.connected)
            for _ in range(20):
                theirs.pass_on(followed.append(2))
                await until(lambda: followed.merged.position == len(followed.log.records))
            own_valkey.kill()
            for _ in range(20):
                theirs.pass_on(followed.append(2))
                await until(lambda: followed.merged.position == len(followed.log.records))
    assert followed.received == list(range(4, 84))
