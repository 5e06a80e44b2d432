"""Starting, stopping and killing the service: nothing is left over, and nothing recorded is lost."""

import asyncio
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
import httpx
import pytest

from deploy.embedded import PostgresUrls, launch
from service.cli.load_test.http_connection import Connection, ConnectionLost
from tests.integration.embedded.conftest import ACCOUNTS, Account, servers_of
from tests.support.picking import repeatable, temper_of
from tests.support.postgres import as_service
from tests.support.redis import Valkey
from tests.support.registry import GAMES, fewest_deals
from tests.support.repetition import TIMES
from tests.support.service import CODILLE, Running, computing, environment, left, measured, running, senders
from tests.support.stranger import Played, Script, play, replay, run, run_async
from tests.support.waiting import PATIENCE_S

QUICK = ("crocodile", "nuts", "toy")
"""A game with turns, one without, and the one that has what others have not: the rest is played in `make long`."""


def script(seed: int, game: str) -> Script[Played]:
    """A game of the fewest deals."""
    seats = GAMES[game].course.seats(GAMES[game].options())
    tempers = [temper_of(repeatable(seed)) for _ in range(seats)]
    return play(game, {}, tempers, repeatable(seed), deals=fewest_deals(GAMES[game]), glimpses=0.3)


async def played_at_once(url: str, scripts: Iterable[Script[Played]], *, keep: bool = True) -> list[Played]:
    """These games, played through the service, six at once. Without `keep`, each request has its own connection."""
    turns = asyncio.Semaphore(6)

    async def one(script: Script[Played]) -> Played:
        async with turns, Connection(url, timeout_s=PATIENCE_S) as connection:
            return await run_async(script, connection, keep=keep)

    return await asyncio.gather(*map(one, scripts))


def played(url: str, seed: int = 1) -> Played:
    """A short game, played through the service."""
    (game,) = asyncio.run(played_at_once(url, [script(seed, "toy")]))
    return game


def still_there(game: Played, url: str) -> None:
    """The game is listed, and its events, its view and its views before are as they were."""
    with httpx.Client(base_url=url, timeout=PATIENCE_S, trust_env=False) as http:
        deadline = time.monotonic() + PATIENCE_S
        # The projector may have to be started again first, and to wait for the lease of the one before.
        while game.table not in (item["table"] for item in http.get("/v1/tables").json().get("items", ())):
            assert time.monotonic() < deadline, "it is not listed"
            time.sleep(0.05)
        assert http.get(f"/v1/tables/{game.table}/events?limit=200").json()["items"] == game.events[:200]
        assert http.get(f"/v1/tables/{game.table}").json() == game.view
        for glimpse in game.glimpses[:2]:
            assert run(replay(game, glimpse.audience, glimpse.version), http) == glimpse.view


def nothing_runs_in(directory: Path) -> None:
    """Returns when no process works there any more: the kernel signals the servers of a killed service."""
    deadline = time.monotonic() + PATIENCE_S
    while left := servers_of(directory):
        assert time.monotonic() < deadline, f"left over: {left}"
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("number", "account"),
    [(signal.SIGINT, ACCOUNTS["self"]), *((signal.SIGTERM, account) for account in ACCOUNTS.values())],
    ids=["SIGINT", *(f"SIGTERM-{name}" for name in ACCOUNTS)],
)
def test_a_signal_stops_everything_also_with_open_connections(
    tmp_path: Path, number: signal.Signals, account: Account
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    if account:
        shutil.chown(data, "nobody")
    with running(data, account=account) as service:
        address = urlsplit(service.url)
        idle = socket.create_connection((address.hostname, address.port or 0))
        kept = socket.create_connection((address.hostname, address.port or 0))
        kept.sendall(b"GET /v1/games HTTP/1.1\r\nHost: codille\r\n\r\n")
        assert kept.recv(15) == b"HTTP/1.1 200 OK"
        half = socket.create_connection((address.hostname, address.port or 0))
        half.sendall(b"POST /v1/players HTTP/1.1\r\nHost: codille\r\nContent-Length: 100\r\n\r\n{")
        assert service.stop(number) == 0
        for connection in (idle, kept, half):
            connection.close()
    nothing_runs_in(data)
    assert not (data / "service.json").exists()
    assert "Traceback" not in service.log.read_text()


def test_what_was_played_is_there_after_a_kill_and_after_a_stop_and_no_process_is_left(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with running(data, "--workers", "2") as service:
        first = played(service.url)
        # All processes end with one that is killed.
        ends(service, signal.SIGKILL, -signal.SIGKILL)
    with running(data) as service:
        started = begun_on_demand(service, first)
        still_there(first, service.url)
        others = asyncio.run(played_at_once(service.url, [script(2, name) for name in QUICK]))
        assert service.stop() == 0
        until_ended(started)
    with running(data) as service:
        for game in (first, *others):
            still_there(game, service.url)
        started = until_one_each(service)
        assert service.stop(signal.SIGKILL) == -signal.SIGKILL
        until_ended(started)
    nothing_runs_in(data)


def begun_on_demand(service: Running, game: Played) -> list[int]:
    """The process that does what takes long, and the one that sends to webhooks, each from the first need of it on."""
    assert (computing(service), senders(service)) == ([], [])
    with httpx.Client(base_url=f"{service.url}/v1", timeout=PATIENCE_S, trust_env=False) as http:
        reads = [http.get(f"/tables/{game.table}/{read}") for read in ("export", "replay/1", "replay", "disputes")]
        assert [answer.status_code for answer in reads] == [200] * 4
        bearer = {"Authorization": f"Bearer {game.seats[0].token}"}
        http.post("/webhooks", json={"url": "https://bot.example/"}, headers=bearer).raise_for_status()
    return until_one_each(service)


def until_one_each(service: Running) -> list[int]:
    """One process that does what takes long, and one that sends to webhooks, once they are there."""
    deadline = time.monotonic() + PATIENCE_S
    while len(found := [*computing(service), *senders(service)]) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    assert (len(computing(service)), len(senders(service))) == (1, 1)
    return found


def until_ended(processes: Sequence[int]) -> None:
    """Returns when none of the processes is there any more."""
    deadline = time.monotonic() + PATIENCE_S
    while left(processes):
        assert time.monotonic() < deadline, f"left over: {left(processes)}"
        time.sleep(0.02)


def test_two_services_side_by_side_know_nothing_of_each_other(tmp_path: Path, several: Running) -> None:
    with running(tmp_path / "two") as two:
        game = played(several.url)
        still_there(game, several.url)
        assert httpx.get(f"{two.url}/v1/tables/{game.table}", trust_env=False).status_code == 404
        assert httpx.get(f"{two.url}/v1/tables", trust_env=False).json()["items"] == []


def refusal(data: Path, **settings: str) -> str:
    """What `codille serve` says when it does not start; it must fail for that, and leave nothing running."""
    ended = subprocess.run(
        [CODILLE, "serve"],
        env=environment(data, settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ended.returncode == 1, ended.stderr
    assert "Traceback" not in ended.stderr
    return ended.stderr


def test_a_directory_in_use_is_reported(several: Running) -> None:
    assert f"is in use by process {several.process.pid}" in refusal(several.data_dir)
    assert httpx.get(f"{several.url}/health/ready", trust_env=False).status_code == 200


def test_a_port_in_use_is_reported(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} on 127.0.0.1 is in use" in refusal(tmp_path / "data", CODILLE_PORT=str(port))
    nothing_runs_in(tmp_path / "data")


def test_servers_that_are_named_are_used(tmp_path: Path, empty_database: PostgresUrls, empty_redis: str) -> None:
    servers = {"CODILLE_DATABASE_URL": empty_database.service, "CODILLE_REDIS_URL": empty_redis}
    named = servers | {"CODILLE_DATABASE_OWNER_URL": empty_database.owner}
    with running(tmp_path / "one", settings=named) as service:
        # The key is announced before the service says that it listens.
        assert httpx.get(f"{service.url}/v1/log/keys", trust_env=False).json()["items"]
        game = played(service.url)
        still_there(game, service.url)
        with running(tmp_path / "two", settings=servers | {"CODILLE_ROLE": "api"}) as other:
            still_there(game, other.url)
    assert not (tmp_path / "one" / "postgres").exists()


def test_an_owners_address_is_refused_with_what_to_do(
    tmp_path: Path, empty_database: PostgresUrls, empty_redis: str
) -> None:
    named = {"CODILLE_DATABASE_URL": empty_database.owner, "CODILLE_REDIS_URL": empty_redis}
    owner = urlsplit(empty_database.owner)
    for role in ("all", "api", "projector"):
        said = refusal(tmp_path / role, CODILLE_ROLE=role, **named)
        assert "names the role postgres, which is a superuser" in said
        assert "CODILLE_DATABASE_OWNER_URL for `codille migrate`" in said
        assert owner.password not in said
    both = refusal(tmp_path / "both", CODILLE_DATABASE_OWNER_URL=empty_database.owner, **named)
    assert "the service cannot connect as postgres, the owner" in both


def test_a_database_that_was_not_migrated_is_refused_with_what_to_do(
    tmp_path: Path, empty_database: PostgresUrls, empty_redis: str
) -> None:
    named = {"CODILLE_DATABASE_URL": empty_database.service, "CODILLE_REDIS_URL": empty_redis}
    for role in ("all", "api", "projector"):
        said = refusal(tmp_path / role, CODILLE_ROLE=role, **named)
        assert "run `codille migrate` with the owner's address in CODILLE_DATABASE_OWNER_URL" in said


def test_two_plain_roles_and_two_addresses(tmp_path: Path, empty_database: PostgresUrls, empty_redis: str) -> None:
    addresses = asyncio.run(two_plain_roles(empty_database))
    named = {"CODILLE_DATABASE_URL": addresses.service, "CODILLE_REDIS_URL": empty_redis}
    servers = named | {"CODILLE_SIGNING_KEY": "5a" * 32}
    migrated = subprocess.run(
        [CODILLE, "migrate"],
        env=environment(tmp_path, servers | {"CODILLE_DATABASE_OWNER_URL": addresses.owner}),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert migrated.returncode == 0, migrated.stderr
    with running(tmp_path / "apart", settings=servers) as service:
        still_there(played(service.url), service.url)
    everything = servers | {"CODILLE_DATABASE_OWNER_URL": addresses.owner}
    with running(tmp_path / "data", "--workers", "2", settings=everything) as service:
        assert httpx.get(f"{service.url}/health/ready", trust_env=False).status_code == 200
        game = played(service.url)
        still_there(game, service.url)
        keyless = 0
        for worker in workers_of(service):
            surroundings = Path(f"/proc/{worker}/environ").read_bytes()
            assert addresses.service.encode() in surroundings
            assert addresses.owner.encode() not in surroundings
            keyless += b"5a5a" not in surroundings
        assert keyless == 2
        for _ in range(4):
            export = httpx.get(f"{service.url}/v1/tables/{game.table}/export", trust_env=False, timeout=PATIENCE_S)
            assert export.status_code == 200, export.text
        player = register(service.url)
        refused = tokens_add(player, tmp_path, servers)
        assert "name its address in CODILLE_DATABASE_OWNER_URL" in refused.stderr
        given = tokens_add(player, tmp_path, everything)
        assert given.stdout.startswith("codille_"), given.stderr


async def two_plain_roles(database: PostgresUrls) -> PostgresUrls:
    """Addresses of the database for an owner and a service that an administrator made, and that may do nothing else."""
    name = urlsplit(database.owner).path.removeprefix("/")
    superuser = await asyncpg.connect(database.owner)
    roles = [f"locked_{part}_{name}" for part in PostgresUrls._fields]
    for role in roles:
        await superuser.execute(f"CREATE ROLE {role} LOGIN PASSWORD 'of-{role}'")
    await superuser.execute(f"ALTER DATABASE {name} OWNER TO locked_owner_{name}")
    await superuser.close()
    parts = urlsplit(database.owner)
    return PostgresUrls(*(parts._replace(netloc=f"{role}:of-{role}@").geturl() for role in roles))


def register(url: str) -> str:
    return str(httpx.post(f"{url}/v1/players", json={"name": "Zoe"}, trust_env=False).json()["player"])


def tokens_add(player: str, directory: Path, settings: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    """`codille tokens add` for an arbiter."""
    command = [CODILLE, "tokens", "add", player, "--scope", "arbiter"]
    return subprocess.run(
        command,
        env=environment(directory, settings),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Two processes that serve the interface, and one that projects and audits. They end together at SIGTERM.

    In `make long` more players register from one address than an hour's quota allows.
    """
    data = tmp_path_factory.mktemp("several") / "data"
    with running(data, "--workers", "2", settings={"CODILLE_RATE_LIMIT": "off"}) as service:
        yield service
        ends(service, signal.SIGTERM, 0)


async def test_several_processes_over_one_log_play_correctly(several: Running) -> None:
    # So that the requests of one table go to one process and another.
    scripts = [script(seed, name) for name in (QUICK if TIMES == 1 else GAMES) for seed in range(TIMES)]
    async with asyncio.timeout(PATIENCE_S * TIMES):
        games = await played_at_once(several.url, scripts, keep=False)
    positions = [event["position"] for game in games for event in game.events]
    assert sorted(positions) == list(range(min(positions), min(positions) + len(positions)))
    for game in games:
        assert [event["version"] for event in game.events] == list(range(1, game.view["version"] + 1))
        assert game.view["status"] == "finished"


def is_worker(pid: int) -> bool:
    """Whether this process exists, and is a service's worker."""
    try:
        return b"service.run.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False


def workers_of(service: Running) -> list[int]:
    """The processes that do the work of a service in several."""
    children = Path(f"/proc/{service.process.pid}/task/{service.process.pid}/children").read_text().split()
    return [pid for pid in map(int, children) if is_worker(pid)]


def ends(service: Running, number: signal.Signals, status: int) -> None:
    """The signal ends all processes of a service in several, also with an open connection."""
    workers = workers_of(service)
    assert len(workers) == 3
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname, address.port or 0)) as kept:
        kept.sendall(b"GET /v1/games HTTP/1.1\r\nHost: codille\r\n\r\n")
        assert kept.recv(15) == b"HTTP/1.1 200 OK"
        assert service.stop(number) == status
    deadline = time.monotonic() + PATIENCE_S
    while left := [pid for pid in workers if is_worker(pid)]:
        assert time.monotonic() < deadline, f"left over: {left}"
        time.sleep(0.02)
    nothing_runs_in(service.data_dir)


def test_killed_workers_are_started_again_and_the_sum_of_their_measurements_outlives_them(several: Running) -> None:
    requests = 'codille_requests_total{method="GET",route="/v1/games/{game}",status="200"}'
    metrics = several.metrics_url
    # Each over a connection of its own, so that all processes answer some.
    for _ in range(40):
        with httpx.Client(trust_env=False) as http:
            assert http.get(f"{several.url}/v1/games/ombre").status_code == 200
    deadline = time.monotonic() + PATIENCE_S
    # One of the processes audits, and serves nobody.
    while measured(metrics, requests) < 40 or measured(metrics, "codille_audit_rounds_total") == 0:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    workers = workers_of(several)
    assert len(workers) == 3
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + PATIENCE_S
    game = played_in_the_end(several.url)
    still_there(game, several.url)
    # Whichever process answers knows of all.
    assert [measured(metrics, requests) for _ in range(8)] == [40] * 8
    while len(workers_of(several)) != 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def played_in_the_end(url: str) -> Played:
    """A game, played as soon as the service answers again."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            return played(url, seed=9)
        except ConnectionLost:
            assert time.monotonic() < deadline
            time.sleep(0.05)


def test_a_projector_answers_health_and_metrics(tmp_path: Path, dsn: str, own_valkey: Valkey) -> None:
    named = {"CODILLE_DATABASE_URL": as_service(dsn), "CODILLE_REDIS_URL": own_valkey.url}
    with (
        projecting(tmp_path / "projector", named) as url,
        httpx.Client(base_url=url, timeout=PATIENCE_S, trust_env=False) as http,
    ):
        deadline = time.monotonic() + PATIENCE_S
        # How many tables are set aside is known once the projector leads.
        while (ready := http.get("/health/ready").json())["tables_set_aside"] is None:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert ready == {"status": "ok", "postgres": "ok", "redis": "ok", "tables_set_aside": 0, "halted": []}
        exposed = http.get("/metrics").text
        for name in ("codille_projector_leading", "process_resident_memory_bytes", "codille_redis_up"):
            assert f"\n{name} " in exposed
        own_valkey.kill()
        deadline = time.monotonic() + PATIENCE_S
        while (answer := http.get("/health/ready")).status_code != 503:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert "the projector needs Redis" in answer.json()["detail"]
        assert http.get("/health/live").status_code == 200


@contextmanager
def projecting(data: Path, settings: Mapping[str, str]) -> Iterator[str]:
    """Runs a projector alone, and yields where it answers the operator."""
    command = [*launch.prefix(signal.SIGTERM), str(CODILLE), "serve", "--role", "projector"]
    given = environment(data, {**settings, "CODILLE_LOG_FORMAT": "json"})
    with subprocess.Popen(command, env=given, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        for line in process.stderr:
            entry = json.loads(line)
            if entry["event"] == "the projector is at work":
                break
        try:
            yield entry["metrics"]
        finally:
            process.terminate()
            process.stderr.read()
            assert process.wait(PATIENCE_S) == 0
