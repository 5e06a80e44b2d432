"""All hosts with the service on them, and what can be asked of them: who is primary, and whether all is whole."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx

from tests.lab.chaos.games import MANY, SETTINGS
from tests.lab.machines.guide import steps_of
from tests.lab.machines.hosts import ADDRESSES, CLIENTS, Host, Network
from tests.support.registry import REGISTRY

PASSWORDS = ("SUPERUSER_PASSWORD", "REPLICATION_PASSWORD", "PATRONI_PASSWORD", "SERVICE_PASSWORD", "REDIS_PASSWORD")
DATABASES, INTERFACES, CACHES = ("db1", "db2", "db3"), ("app1", "app2"), ("redis1", "redis2", "redis3")
WITHIN_S = 120.0
"""How long hosts may take until all is whole again."""
FURTHER_SETTINGS = {
    **SETTINGS,
    "CODILLE_WEBHOOK_NETWORKS": f"{CLIENTS}:1024-65535",
    "CODILLE_REGISTRY": REGISTRY,
    "PYTHONPATH": "/opt/codille",
}
"""The service's further settings: there are more games than the offered ones."""
URL = f"http://{ADDRESSES['front']}:8000"
"""Where clients find the service."""


def values(form: str) -> dict[str, str]:
    """What stands in `machines.env`."""
    passwords = {name: name.replace("_", "").lower() for name in PASSWORDS}
    keys = {"SIGNING_KEY": "5e" * 32, "BOT_SECRET": "5f" * 32}
    nodes = ",".join(f"{ADDRESSES[name]}:6379" for name in CACHES)
    cluster = {"REDIS_URL": f"redis+cluster://:{passwords['REDIS_PASSWORD']}@{nodes}"} if form == "cluster" else {}
    addresses = {name.upper(): address for name, address in ADDRESSES.items()}
    return {**addresses, "NETWORK": "10.77.0.0/24", "CONNECTIONS_PER_ADDRESS": MANY, **passwords, **keys, **cluster}


class Machines:
    """The hosts of a run."""

    def __init__(self, folder: Path, form: str, say: Callable[[str], None]) -> None:
        own = values(form)
        self._form = form
        self._say = say
        self._password = own["REDIS_PASSWORD"]
        self._network = Network(folder, own)
        databases = ",".join(f"{ADDRESSES[name]}:5432" for name in DATABASES)
        self._owner = f"postgresql://postgres:{own['SUPERUSER_PASSWORD']}@{databases}"
        self.dsn = f"{self._owner}/codille?target_session_attrs=read-write"
        """Where the log is, as its owner."""

    def host(self, name: str) -> Host:
        """The host of this name."""
        return self._network.hosts[name]

    async def start(self) -> None:
        """Boots all hosts, and does what the page says."""
        lines = "".join(f"{name}={value}\n" for name, value in FURTHER_SETTINGS.items())
        for name in ADDRESSES:
            self.host(name).append("app/codille/service.env", lines)
            await asyncio.to_thread(self.host(name).boot)
        for step in steps_of(self._form):
            self._say(f"{step.heading}: {', '.join(step.hosts)}")
            await asyncio.gather(*(self.host(name).run(step.commands) for name in step.hosts))
        await self.whole()

    def stop(self) -> None:
        """Ends all hosts."""
        self._network.remove()

    async def whole(self) -> None:
        """Returns when all hosts do what they are there for."""
        await self.until("all databases are there", self._databases)
        await self.until("Redis is whole", self._redis)
        await self.until("all interfaces are ready", self._ready)

    async def until(self, what: str, condition: Callable[[], Awaitable[Any]], within_s: float = WITHIN_S) -> Any:
        """What the condition answers once that is true of something. Raises TimeoutError if that takes too long."""
        late = time.monotonic() + within_s
        because = ""
        while True:
            try:
                if answer := await condition():
                    return answer
            except (httpx.HTTPError, RuntimeError, ValueError, KeyError) as error:
                because = repr(error)
            if time.monotonic() > late:
                raise TimeoutError(f"it is in vain to wait until {what}: {because}")
            await asyncio.sleep(0.2)

    async def primary(self, other_than: str = "") -> str:
        """The host of the primary, once there is one other than this."""

        async def found() -> str:
            return (await self._led(asked_not=other_than))[0]

        return str(await self.until("there is a primary", lambda: _other(found, other_than)))

    async def standby(self) -> str:
        """The host for which the primary waits."""

        async def found() -> str:
            return next((one["name"] for one in await self._members() if one["role"] == "sync_standby"), "")

        return str(await self.until("there is a synchronous standby", found))

    async def etcd_leader(self) -> str:
        """The host whose member of etcd leads."""

        async def found() -> str:
            for name in DATABASES:
                status = await _posted(f"http://{ADDRESSES[name]}:2379/v3/maintenance/status")
                if status["leader"] == status["header"]["member_id"]:
                    return name
            return ""

        return str(await self.until("etcd has a leader", found))

    async def master(self, other_than: str = "") -> str:
        """The host of Redis' master, as Sentinels say, once that is another than this."""

        async def found() -> str:
            asked = next(name for name in CACHES if name != other_than)
            printed = await self.host(asked).run(
                f"redis-cli -h {ADDRESSES[asked]} -p 26379 sentinel get-master-addr-by-name codille", 5.0
            )
            return next((name for name in CACHES if ADDRESSES[name] == printed.split()[0]), "")

        return str(await self.until("Sentinels name a master", lambda: _other(found, other_than)))

    async def redis(self, host: str, command: str, port: int = 6379) -> str:
        """What Redis on this host answers."""
        address = ADDRESSES[host]
        return await self.host(host).run(
            f"REDISCLI_AUTH={self._password} redis-cli -h {address} -p {port} {command}", 5
        )

    async def query(self, query: str, host: str = "") -> str:
        """What Postgres answers in the database of its owner: the primary, or that of this host."""
        address = f"{self._owner}/postgres?target_session_attrs=read-write"
        if host:
            address = f"{self._owner.partition('@')[0]}@{ADDRESSES[host]}:5432/postgres"
        return (await self.host(host or "db1").run(f'psql -Atqc "{query}" "{address}"', 20)).strip()

    async def _members(self, asked_not: str = "") -> list[dict[str, Any]]:
        """What Patroni says of the hosts of the database."""
        error: Exception | None = None
        for name in DATABASES:
            if name != asked_not:
                try:
                    async with httpx.AsyncClient(trust_env=False, timeout=1.0) as http:
                        answer = await http.get(f"http://{ADDRESSES[name]}:8008/cluster")
                        members: list[dict[str, Any]] = answer.json()["members"]
                        return members
                except httpx.HTTPError as failed:
                    error = failed
        assert error is not None
        raise error

    async def _led(self, asked_not: str = "") -> tuple[str, int]:
        """The primary that is running, and its timeline."""
        for one in await self._members(asked_not):
            if one["role"] == "leader" and one["state"] == "running":
                return one["name"], one["timeline"]
        return "", 0

    async def _databases(self) -> bool:
        members = await self._members()
        roles = sorted(one["role"] for one in members)
        timelines = {one.get("timeline") for one in members}
        running = all(one["state"] in ("running", "streaming") for one in members)
        if roles != ["leader", "replica", "sync_standby"] or len(timelines) != 1 or not running:
            raise ValueError(str(members))
        return await self.query("SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'") == "2"

    async def _redis(self) -> bool:
        if self._form == "cluster":
            told = [await self.redis(name, "cluster info") for name in CACHES]
            nodes = await self.redis(CACHES[0], "cluster nodes")
            return all("cluster_state:ok" in one for one in told) and "fail" not in nodes
        roles = [(await self.redis(name, "role")).split()[0] for name in CACHES]
        links = [await self.redis(name, "info replication") for name in CACHES]
        return sorted(roles) == ["master", "slave", "slave"] and sum("link_status:up" in one for one in links) == 2

    async def _ready(self) -> bool:
        async with httpx.AsyncClient(trust_env=False, timeout=2.0) as http:
            for name in INTERFACES:
                for port in (9000, 9001, 9002, 9003):
                    answer = await http.get(f"http://{ADDRESSES[name]}:{port}/health/ready")
                    if answer.status_code != 200:
                        raise ValueError(f"{name}:{port} {answer.text}")
            return (await http.get(f"{URL}/health/ready")).status_code == 200


async def _other(found: Callable[[], Awaitable[str]], than: str) -> str:
    name = await found()
    return "" if name == than else name


async def _posted(url: str) -> dict[str, Any]:
    async with httpx.AsyncClient(trust_env=False, timeout=1.0) as http:
        answer: dict[str, Any] = json.loads((await http.post(url, json={})).text)
        return answer
