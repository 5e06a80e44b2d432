"""Event stores under the same load: so many clients at once, each appending one event after the other."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote

from msgspec import Struct

from service.cli.load_test import Latencies, latencies
from tests.lab.benchmarks.bench import Bench, environment, libpq, module
from tests.support.ports import free_port

PATIENCE_S = 120


class Appending(Struct, frozen=True):
    """What a store did under load."""

    per_s: float
    appended: int
    latencies: Latencies


class Program(Struct, frozen=True):
    """A store that a program of its own drives."""

    name: str
    write: Callable[[int, float], list[str]]
    """The command for so many clients and seconds."""
    tail: Sequence[str]
    processes: int = 1
    """Of how many processes the clients are; what is best for the store."""
    environment: Mapping[str, str] = {}

    def run(self, clients: int, seconds: float) -> Appending:
        """Appends for so long."""
        processes = min(self.processes, clients)
        with ExitStack() as stack:
            writers = [
                stack.enter_context(_talking(self.write(clients // processes, seconds), self.environment))
                for _ in range(processes)
            ]
            for writer in writers:
                _say(writer, "go")
            results = [_answer(writer) for writer in writers]
        appended = sum(one["appended"] for one in results)
        per_s = sum(one["appended"] / one["seconds"] for one in results)
        return Appending(per_s, appended, latencies([time for one in results for time in one["latencies_s"]]))


@contextmanager
def _talking(command: Sequence[str], more: Mapping[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """A program that has said that it is ready."""
    process = subprocess.Popen(
        command, env=environment(more), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        if _line(process) != "ready":
            raise RuntimeError(_complaint(process))
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(PATIENCE_S)


def _say(process: "subprocess.Popen[str]", text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{text}\n")
    process.stdin.flush()


def _line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def _answer(process: "subprocess.Popen[str]") -> dict[str, Any]:
    line = _line(process)
    if not line:
        raise RuntimeError(_complaint(process))
    results: dict[str, Any] = json.loads(line)
    return results


def _complaint(process: "subprocess.Popen[str]") -> str:
    process.kill()
    assert process.stderr is not None
    lines = [line for line in process.stderr.read().splitlines() if line.strip()]
    return lines[-1] if lines else f"it ended with status {process.wait()}"


class PgBench(Struct, frozen=True):
    """SQL that pgbench sends, one statement a transaction."""

    name: str
    program: Path
    script: str
    scratch: Path
    environment: Mapping[str, str]
    tail: Sequence[str] = ()

    def run(self, clients: int, seconds: float) -> Appending:
        """Sends for so long, prepared, with each transaction's time logged now and then."""
        script = self.scratch / "script.sql"
        script.write_text(self.script)
        for log in self.scratch.glob("log*"):
            log.unlink()
        done = subprocess.run(
            [
                *(self.program, "--no-vacuum", "--protocol=prepared", f"--client={clients}", f"--file={script}"),
                *(f"--jobs={min(clients, os.cpu_count() or 1)}", f"--time={max(1, round(seconds))}"),
                *("--log", f"--log-prefix={self.scratch / 'log'}", "--sampling-rate=0.1"),
            ],
            env=environment(self.environment),
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[-1])
        per_s = float(_found(r"tps = ([0-9.]+)", done.stdout))
        appended = int(_found(r"transactions actually processed: ([0-9]+)", done.stdout))
        times = [
            int(line.split()[2]) / 1e6 for log in self.scratch.glob("log*") for line in log.read_text().splitlines()
        ]
        return Appending(per_s, appended, latencies(times or [clients / per_s]))


def _found(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    if match is None:
        raise RuntimeError(f"pgbench says no {pattern}: {text}")
    return match[1]


Store: TypeAlias = Program | PgBench


def missed(store: Store, clients: int, seconds: float) -> int:
    """How many of the events appended meanwhile a live tailer never saw. The store must be empty before."""
    with _talking(store.tail, store.environment) as tailer:
        appended = store.run(clients, seconds).appended
        assert tailer.stdin is not None
        tailer.stdin.close()
        seen: int = _answer(tailer)["seen"]
    return appended - seen


INSERT = """
INSERT INTO codille.event (table_id, version, position, game, deal, type, schema, at, actor, action, public, seals,
    sealed, hash)
SELECT md5(:client_id::text)::uuid, n, n, 'crocodile', 1, 'card-played', 1, now(), 'seat:1', gen_random_uuid(),
    '{"card":"Ks","seat":1}'::bytea, '{}'::bytea, '{}'::bytea, decode(repeat('5a', 32), 'hex')
FROM nextval('bench.position') AS n
RETURNING position;
"""
"""What the service's append writes of one event, without all that makes it safe."""

WRITE_MESSAGE = """
SELECT write_message(gen_random_uuid()::varchar, 'table-' || :client_id, 'card-played',
    '{"card":"Ks","seat":1}'::jsonb);
"""


def own(bench: Bench) -> Program:
    """The service's store."""
    url = bench.as_service(bench.database("own", migrated=True))
    return Program(
        "codille",
        lambda clients, seconds: module("peers.codille", "write", url, clients, seconds),
        module("peers.codille", "tail", url),
    )


def raw_insert(bench: Bench) -> PgBench:
    """The limit: the same single row in the same table with the same indexes, inserted by pgbench."""
    url = bench.database("insert", migrated=True)
    bench.execute(url, "CREATE SCHEMA bench", "CREATE SEQUENCE bench.position")
    return _pgbench(bench, "pgbench", INSERT, libpq(url))


def _pgbench(bench: Bench, name: str, script: str, environment: Mapping[str, str], tail: Sequence[str] = ()) -> PgBench:
    scratch = bench.work / name
    scratch.mkdir(exist_ok=True)
    return PgBench(name, bench.postgres_program / "pgbench", script, scratch, environment, tail)


@contextmanager
def eventsourcing(bench: Bench) -> Iterator[Program]:
    """`eventsourcing[postgres]`. Its clients are threads, which do best in a few processes."""
    environment = libpq(bench.database("eventsourcing"))
    program = Program(
        "eventsourcing",
        lambda clients, seconds: module("peers.eventsourcing_store", "write", clients, seconds),
        module("peers.eventsourcing_store", "tail"),
        processes=4,
        environment=environment,
    )
    _prepared(module("peers.eventsourcing_store", "prepare"), environment)
    yield program


@contextmanager
def umadb(bench: Bench) -> Iterator[Program]:
    """`umadb`, over the loopback."""
    address = f"127.0.0.1:{free_port()}"
    with bench.directory("umadb") as directory:
        server = subprocess.Popen(
            module("peers.umadb_store", "serve", address, directory),
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _await_port(address)
            url = f"http://{address}"
            yield Program(
                "umadb",
                lambda clients, seconds: module("peers.umadb_store", "write", url, clients, seconds),
                module("peers.umadb_store", "tail", url),
                processes=4,
            )
        finally:
            server.kill()
            server.wait()


@contextmanager
def emmett(bench: Bench) -> Iterator[Program]:
    """`@event-driven-io/emmett-postgresql`."""
    settings = libpq(bench.database("emmett"))
    who, host = f"{settings['PGUSER']}:{settings['PGPASSWORD']}", quote(settings["PGHOST"], safe="")
    url = f"postgresql://{who}@{host}/{settings['PGDATABASE']}"
    script = str(bench.peers.node / "emmett.mjs")
    _prepared(["node", script, "prepare", url], {})
    yield Program(
        "emmett",
        lambda clients, seconds: ["node", script, "write", url, str(clients), str(seconds)],
        ["node", script, "tail", url],
        processes=2,
    )


@contextmanager
def message_db(bench: Bench) -> Iterator[PgBench]:
    """`@eventide/message-db`: its functions, called by pgbench, so that no client's language costs it anything."""
    database = libpq(bench.database("message_db"))
    path = f"{bench.postgres_program}{os.pathsep}{os.environ['PATH']}"
    installing = {"PATH": path, "CREATE_DATABASE": "off", "DATABASE_NAME": database["PGDATABASE"]}
    scripts = bench.work / "message-db-install"
    shutil.copytree(bench.peers.node / "node_modules" / "@eventide" / "message-db" / "database", scripts)
    # It needs this extension for one function, gen_random_uuid, which Postgres has had itself since version 13, and
    # the embedded Postgres has no extensions.
    (scripts / "extensions" / "pgcrypto.sql").write_text("")
    _prepared(["bash", str(scripts / "install.sh")], database | installing)
    options = database | {"PGOPTIONS": "-c search_path=message_store,public"}
    yield _pgbench(bench, "message-db", WRITE_MESSAGE, options, module("peers.message_db_tail"))


PEERS: Mapping[str, Callable[[Bench], AbstractContextManager[Store]]] = {
    "eventsourcing": eventsourcing,
    "umadb": umadb,
    "emmett": emmett,
    "message-db": message_db,
}


def _prepared(command: Sequence[str], more: Mapping[str, str]) -> None:
    done = subprocess.run(
        command, env=environment(more), capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1])


def _await_port(address: str) -> None:
    host, _, port = address.partition(":")
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            socket.create_connection((host, int(port))).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise RuntimeError(f"nothing listens at {address}")
