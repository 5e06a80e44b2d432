"""Postgres whose disk is full or that takes no writes: the check says so, and the cause is reported."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.observability.server_metrics import Cause
from service.store.database import Database, StoreUnavailable
from service.store.store import Store
from tests.support.postgres import Postgres, as_service


class Watch:
    """Remembers what is reported."""

    def __init__(self) -> None:
        self.reports: list[str] = []

    def failed(self, cause: Cause, reason: str) -> None:
        self.reports.append(f"{cause}: {reason}")

    def answered(self) -> None:
        self.reports.append("answered")


@contextmanager
def full_disk(server: Postgres) -> Iterator[None]:
    """Meanwhile the server has no room for another file."""
    folder = server.data / "base" / "pgsql_tmp"
    folder.mkdir(exist_ok=True)
    mounted = ["mount", "-t", "tmpfs", "-o", "size=16k,mode=777", "codille-test", str(folder)]
    if os.geteuid() != 0 or shutil.which("mount") is None or subprocess.run(mounted, check=False).returncode != 0:
        pytest.skip("SKIPPED: a small disk can be mounted by root alone")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)  # noqa: S607 (whichever the system has)


async def test_a_full_disk_is_noticed_before_an_append_meets_it(server: Postgres) -> None:
    watch = Watch()
    async with Database(as_service(server.dsn()), watch=watch) as database:
        store = Store(database)
        await store.check_writing()
        with full_disk(server):
            with pytest.raises(StoreUnavailable, match="No space left on device") as refused:
                await store.check_writing()
            assert refused.value.cause == "disk-full"
            await store.ping()
        await store.check_writing()
    assert [report.partition(": ")[0] for report in watch.reports] == ["answered", "disk-full", "answered", "answered"]
    assert "No space left on device" in watch.reports[1]


async def test_a_server_that_takes_no_writes_is_noticed(server: Postgres) -> None:
    async with Database(f"{as_service(server.dsn())}&default_transaction_read_only=on") as database:
        with pytest.raises(StoreUnavailable) as refused:
            await Store(database).check_writing()
        assert refused.value.cause == "read-only"


async def test_an_outage_is_reported_with_its_cause_and_so_is_what_is_answered_again(server: Postgres) -> None:
    watch = Watch()
    async with Database(as_service(server.dsn()), watch=watch) as database:
        store = Store(database)
        await store.ping()
        assert watch.reports == ["answered"]
        server.kill()
        for _ in range(2):
            with pytest.raises(StoreUnavailable):
                await store.ping()
        server.start()
        await store.ping()
    assert {report.partition(": ")[0] for report in watch.reports[1:3]} <= {"unreachable", "failing"}
    assert watch.reports[3:] == ["answered"]
