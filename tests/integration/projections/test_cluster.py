"""Redis as a Cluster: commands reach the nodes that have their keys, also when slots have moved and nodes have died."""

import asyncio
from collections.abc import Iterator

import pytest
from redis.asyncio import Redis

from projections.cluster import Cluster
from projections.connection import OUTAGES, connect, connect_node
from projections.models import ReadModels
from projections.scripts import LuaScript, RedisCommand, ScriptCall, info, keys_like, send
from tests.support.projecting import MemoryLog, Running, caught_up, projector
from tests.support.redis_cluster import ClusterServers, Inspected, cluster_servers
from tests.support.registry import GAMES
from tests.support.waiting import PATIENCE_S

KEYS = [f"key:{number}" for number in range(100)]


@pytest.fixture(scope="module")
def three() -> Iterator[ClusterServers]:
    with cluster_servers() as servers:
        yield servers


async def written(client: Cluster) -> None:
    """Writes all keys, each with its own name."""
    assert await send(client, [("SET", key, key) for key in KEYS]) == [b"OK"] * len(KEYS)


async def readable(client: Cluster) -> bool:
    return await send(client, [("GET", key) for key in KEYS]) == [key.encode() for key in KEYS]


def client_of(servers: ClusterServers) -> Cluster:
    client = connect(servers.url, timeout_s=20.0)
    assert isinstance(client, Cluster)
    return client


def port_of(servers: ClusterServers, key: str) -> int:
    """The server that has the key."""
    return next(
        port
        for port in servers.ports
        if b"role:master" in servers.says(port, "INFO", "replication")
        and servers.says(port, "CLUSTER", "COUNTKEYSINSLOT", slot(servers, key))
    )


def slot(servers: ClusterServers, key: str) -> int:
    number: int = servers.says(servers.ports[0], "CLUSTER", "KEYSLOT", key)
    return number


async def test_commands_go_to_all_nodes_and_their_replies_stay_in_order(three: ClusterServers) -> None:
    async with client_of(three) as client:
        await written(client)
        assert await readable(client)
        assert {port_of(three, key) for key in KEYS} == set(three.ports)
        number = LuaScript("number")
        calls: list[RedisCommand] = [
            ScriptCall(number, [f"{{{key}}}:counter", f"{{{key}}}:all"], []) for key in KEYS[:20]
        ]
        # No node knows the script yet.
        first, second = [list(map(int, await send(client, calls))) for _ in range(2)]
        assert all(one < other for one, other in zip(first, second, strict=True))
        with pytest.raises(OUTAGES, match="WRONGTYPE"):
            await send(client, [("GET", KEYS[0]), ("LPUSH", KEYS[1], "x")])
        assert {key.decode() async for key in keys_like(client, "key:*", count=7)} == set(KEYS)
        assert len(await info(client, "memory")) == 3
        assert all(each["used_memory"] > 0 for each in await info(client, "memory"))


async def test_a_slot_is_found_while_it_moves_and_after(three: ClusterServers) -> None:
    async with client_of(three) as client, client_of(three) as other:
        await written(client)
        assert await readable(other)
        key, moving = KEYS[-1], slot(three, KEYS[-1])
        old = port_of(three, key)
        new = next(port for port in three.ports if port != old)
        three.says(new, "CLUSTER", "SETSLOT", moving, "IMPORTING", three.id_of(old))
        three.says(old, "CLUSTER", "SETSLOT", moving, "MIGRATING", three.id_of(new))
        three.says(old, "MIGRATE", "127.0.0.1", new, key, 0, 5000)
        # The old node sends on with ASK what has moved.
        assert await readable(client)
        twins = f"{{{key}}}:one", f"{{{key}}}:two"
        assert await send(client, [("SET", twins[0], "1"), ("SET", twins[1], "2")]) == [b"OK", b"OK"]
        for port in three.ports:
            three.says(port, "CLUSTER", "SETSLOT", moving, "NODE", three.id_of(new))
        # And with MOVED what is its no longer.
        assert await readable(client)
        assert await readable(other)
        assert await send(other, [("MGET", *twins)]) == [[b"1", b"2"]]


async def test_what_is_not_there_in_whole_is_asked_for_again(three: ClusterServers) -> None:
    async with client_of(three) as client:
        one, two = "{again}:one", "{again}:two"
        await send(client, [("SET", one, "1"), ("SET", two, "2")])
        moving, old = slot(three, one), port_of(three, one)
        new = next(port for port in three.ports if port != old)
        three.says(new, "CLUSTER", "SETSLOT", moving, "IMPORTING", three.id_of(old))
        three.says(old, "CLUSTER", "SETSLOT", moving, "MIGRATING", three.id_of(new))
        three.says(old, "MIGRATE", "127.0.0.1", new, one, 0, 5000)
        reading = asyncio.create_task(send(client, [("MGET", one, two)]))
        await asyncio.sleep(0.03)
        three.says(old, "MIGRATE", "127.0.0.1", new, two, 0, 5000)
        for port in three.ports:
            three.says(port, "CLUSTER", "SETSLOT", moving, "NODE", three.id_of(new))
        assert await reading == [[b"1", b"2"]]


@pytest.mark.parametrize("end", ["kill", "freeze"])
async def test_a_replica_that_is_promoted_takes_over(end: str) -> None:
    with cluster_servers(replicas=True) as servers:
        client = connect(servers.url, timeout_s=1.0)
        assert isinstance(client, Cluster)
        async with client, connect_node(servers.url, timeout_s=1.0) as some:
            await written(client)
            lost = port_of(servers, KEYS[0])
            getattr(servers, end)(lost)
            # Once the others have voted.
            async with asyncio.timeout(PATIENCE_S):
                while not await _answers(client):  # noqa: ASYNC110 (nothing says so)
                    await asyncio.sleep(0.05)
            assert await readable(client)
            # Where one node does not answer, the next attempt is made at another.
            assert [await _passes(some) for _ in servers.ports].count(True) >= len(servers.ports) - 1


async def _answers(client: Cluster) -> bool:
    try:
        async with asyncio.timeout(0.5):
            await written(client)
    except OUTAGES:
        return False
    return True


async def _passes(client: Redis) -> bool:
    try:
        await client.publish("channel", "message")
    except OUTAGES:
        return False
    return True


async def test_any_node_passes_messages_on_to_all(three: ClusterServers) -> None:
    ports = three.url.removeprefix("redis+cluster://").split(",")
    async with (
        connect_node(f"redis+cluster://{ports[0]}") as one,
        connect_node(f"redis+cluster://{ports[1]}") as other,
        other.pubsub() as channel,
    ):
        await channel.subscribe("channel")
        await channel.get_message(timeout=PATIENCE_S)
        await one.publish("channel", "message")
        heard = await channel.get_message(ignore_subscribe_messages=True, timeout=PATIENCE_S)
        assert heard is not None
        assert heard["data"] == b"message"


async def test_a_node_that_is_gone_when_the_client_begins_is_passed_over(three: ClusterServers) -> None:
    _, _, hosts = three.url.rpartition("//")
    url = f"redis+cluster://127.0.0.1:1,{hosts}"
    client = connect(url)
    assert isinstance(client, Cluster)
    async with client, connect_node(url) as some:
        await written(client)
        assert await readable(client)
        assert await some.ping()
    with pytest.raises(OUTAGES, match="no node of the Cluster"):
        async with connect("redis+cluster://127.0.0.1:1") as none:
            await send(none, [("GET", "key")])


def test_an_address_with_a_database_is_refused() -> None:
    with pytest.raises(ValueError, match="names no database"):
        connect("redis+cluster://127.0.0.1:6379/1")


async def test_read_models_live_in_a_cluster(three: ClusterServers, log: MemoryLog) -> None:
    client = Inspected(three.url)
    async with client, Running(projector(log, client)):
        models = ReadModels(client, log, GAMES, timeout_s=20.0)
        await caught_up(client, log)
        assert await models.lag() == 0
        assert len((await models.tables(limit=200)).items) == 12
        assert (await models.state()).memory_bytes > 0
