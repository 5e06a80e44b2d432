"""What strikes: each fault hurts some hosts, waits until others have taken over, and heals what it has hurt."""

import asyncio
import random
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from msgspec import Struct

from tests.lab.machines.hosts import Host
from tests.lab.machines.machines import CACHES, DATABASES, INTERFACES, Machines

HOLD_S = 5.0
"""So many seconds a fault lasts when others have taken over, or where none has to."""
LAGS_S = 10.0
UNIT_NAMES = "codille@api codille@projector codille@webhooks codille@bots"

_WRITES = """
n=0
while true; do
    n=$((n + 1))
    if said=$(runuser -u postgres -- timeout 5 psql -Atqc "INSERT INTO probe VALUES ($n)" 2>&1) && [ -z "$said" ]; then
        echo $n
    fi
    sleep 0.2
done
"""


class Fault(Struct, frozen=True):
    """A fault and what is wanted of it."""

    strike: Callable[[Machines, random.Random], Awaitable[list[str]]]
    """Answers what is wrong."""
    wanted_s: float
    """The longest time without an accepted act that is wanted."""
    forms: tuple[str, ...] = ("sentinels",)
    """The forms of Redis with which it strikes."""


async def nothing(_: Machines, __: random.Random) -> list[str]:
    """For comparison."""
    await asyncio.sleep(HOLD_S)
    return []


async def primary_killed(machines: Machines, _: random.Random) -> list[str]:
    """The primary's host loses its power."""
    return await _lost(machines, await machines.primary(), machines.primary)


async def primary_cut_off(machines: Machines, _: random.Random) -> list[str]:
    """The primary's host is cut off. When it comes back, it has writes that nobody else has."""
    host = machines.host(await machines.primary())
    async with _written_there(machines, host) as wrong:
        host.cut()
        try:
            await machines.primary(host.name)
            await asyncio.sleep(HOLD_S)
        finally:
            host.join()
        await machines.whole()
    return wrong


async def patroni_hangs(machines: Machines, _: random.Random) -> list[str]:
    """The primary's Patroni hangs, so that it is replaced and goes on as a second primary."""
    host = machines.host(await machines.primary())
    async with _written_there(machines, host) as wrong:
        host.signal(signal.SIGSTOP, "bin/patroni")
        try:
            await machines.primary(host.name)
            await asyncio.sleep(HOLD_S)
        finally:
            host.signal(signal.SIGCONT, "bin/patroni")
        await machines.whole()
    return wrong


async def etcd_member_lost(machines: Machines, _: random.Random) -> list[str]:
    """The member of etcd that leads ends."""
    host = machines.host(await machines.etcd_leader())
    await host.run("systemctl stop etcd")
    await asyncio.sleep(HOLD_S)
    await host.run("systemctl start etcd")
    await machines.etcd_leader()
    await machines.whole()
    return []


async def standby_lags(machines: Machines, _: random.Random) -> list[str]:
    """The standby for which the primary waits stands still."""
    host = machines.host(await machines.standby())
    host.signal(signal.SIGSTOP, "postgres")
    await asyncio.sleep(LAGS_S)
    host.signal(signal.SIGCONT, "postgres")
    await machines.whole()
    return []


async def redis_master_killed(machines: Machines, _: random.Random) -> list[str]:
    """The host of Redis' master loses its power."""
    return await _lost(machines, await machines.master(), machines.master)


async def shard_fails_over(machines: Machines, rng: random.Random) -> list[str]:
    """A host of the Cluster loses its power, with a shard's master and another shard's replica."""
    name = rng.choice(CACHES)

    async def others(_: str) -> str:
        asked = next(one for one in CACHES if one != name)
        return await machines.until("another has the slots", lambda: _all_slots(machines, asked))

    return await _lost(machines, name, others)


async def interfaces_restarted(machines: Machines, _: random.Random) -> list[str]:
    """One interface host is restarted in good order, and then the other one."""
    for name in INTERFACES:
        await machines.host(name).run(f"systemctl stop {UNIT_NAMES}")
        await _rebooted(machines, name)
    return []


async def interface_killed(machines: Machines, rng: random.Random) -> list[str]:
    """An interface host loses its power."""
    await _rebooted(machines, rng.choice(INTERFACES))
    return []


async def haproxy_restarted(machines: Machines, _: random.Random) -> list[str]:
    """HAProxy is restarted, and then its files are read again."""
    host = machines.host("front")
    await host.run("systemctl restart haproxy")
    await asyncio.sleep(HOLD_S)
    await host.run("systemctl reload haproxy")
    await asyncio.sleep(HOLD_S)
    return []


async def _lost(machines: Machines, name: str, other: Callable[[str], Awaitable[str]]) -> list[str]:
    """A host loses its power, and comes back when another has taken over."""
    host = machines.host(name)
    await asyncio.to_thread(host.kill)
    await other(name)
    await asyncio.sleep(HOLD_S)
    await asyncio.to_thread(host.boot)
    await machines.whole()
    return []


async def _rebooted(machines: Machines, name: str) -> None:
    host = machines.host(name)
    await asyncio.to_thread(host.kill)
    await asyncio.sleep(HOLD_S)
    await asyncio.to_thread(host.boot)
    await machines.whole()


async def _all_slots(machines: Machines, asked: str) -> str:
    told = await machines.redis(asked, "cluster info")
    return "cluster_state:ok" if "cluster_state:ok" in told and "cluster_slots_ok:16384" in told else ""


@asynccontextmanager
async def _written_there(machines: Machines, host: Host) -> AsyncIterator[list[str]]:
    """Somebody on this host writes into its Postgres. What was taken must be there in the end."""
    await machines.query("CREATE TABLE IF NOT EXISTS probe (n integer); TRUNCATE probe")
    writing = await asyncio.create_subprocess_exec(
        *host.inside(_WRITES), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    assert writing.stdout is not None
    wrong: list[str] = []
    try:
        yield wrong
    finally:
        host.signal(signal.SIGKILL, "INSERT INTO probe VALUES", "n=$((n + 1))")
        writing.kill()
        taken = {*(await writing.stdout.read()).decode().split()}
        await writing.wait()
    kept = {*(await machines.query("SELECT n FROM probe")).split()}
    wrong += [f"a write that {host.name} took is lost: {number}" for number in sorted(taken - kept)]
    for name in DATABASES:
        own = {*(await machines.query("SELECT n FROM probe", name)).split()}
        wrong += [f"{name} has another history than the primary: {sorted(own ^ kept)[:5]}"] if own != kept else []


BOTH = ("sentinels", "cluster")
FAULTS: Mapping[str, Fault] = {
    "nothing": Fault(nothing, 3.0, BOTH),
    "primary killed": Fault(primary_killed, 15.0),
    "primary cut off": Fault(primary_cut_off, 15.0),
    "primary's Patroni hangs": Fault(patroni_hangs, 15.0),
    "etcd member lost": Fault(etcd_member_lost, 3.0),
    "standby lags": Fault(standby_lags, 3.0),
    "redis master killed": Fault(redis_master_killed, 3.0),
    "interfaces restarted": Fault(interfaces_restarted, 3.0),
    "interface killed": Fault(interface_killed, 3.0),
    "haproxy restarted": Fault(haproxy_restarted, 3.0),
    "shard fails over": Fault(shard_fails_over, 3.0, ("cluster",)),
}
