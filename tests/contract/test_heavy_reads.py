"""Reads that take long: made once, kept for their audience alone, and never older than what was recorded."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from service.app import create_app
from service.commands.erasing import erase_text
from service.compute.fair_slots import Busy
from service.compute.folds import KeptFolds
from service.compute.jobs import JobContext
from service.compute.process_pool import JobLost
from service.config import Settings
from service.services import Services
from service.store.database import Database
from service.store.store import Store
from service.transparency import Keyring, SigningKey
from tests.contract.conftest import SECRET, Caller, client_of, configured, deal_over, opened, problem, register, seated
from tests.support.exports import verified
from tests.support.for_each import for_each

KEY = str(SigningKey(SECRET).verifier)
HEAVY = ("export", "deals/1/audit", "disputes", "disputes/1", "replay/9", "replay?from=2")


@pytest.fixture
async def over(three: list[Caller], table: str) -> str:
    """A table whose game is over, and where a line is disputed."""
    for _ in range(3):
        await deal_over(three, table)
    ledger = (await three[0].get(f"/tables/{table}/ledger")).json()
    line = {"version": ledger["lines"][0]["version"], "line": 0}
    answer = await three[0].post(f"/tables/{table}/disputes", {"reason": "It was less.", "lines": [line]})
    assert answer.status_code == 201, answer.text
    return table


class Reads:
    """The events that were read from the log."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count = 0
        read = Store.stream

        async def stream(store: Store, *arguments: Any, **bounds: Any) -> Any:
            records = await read(store, *arguments, **bounds)
            self.count += len(records)
            return records

        monkeypatch.setattr(Store, "stream", stream)


@pytest.mark.parametrize("path", HEAVY)
async def test_what_never_changes_is_made_once(
    three: list[Caller], over: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = Reads(monkeypatch)
    first = await three[0].get(f"/tables/{over}/{path}")
    assert first.status_code == 200, first.text
    assert reads.count > 1
    reads.count = 0
    again = await three[0].get(f"/tables/{over}/{path}")
    # An export looks up where its last event stands.
    assert reads.count <= 1
    assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])
    unchanged = await three[0].get(f"/tables/{over}/{path}", headers={"If-None-Match": first.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["etag"] == first.headers["etag"]


async def test_the_export_of_a_game_that_is_over_stays_the_same_while_the_log_grows(
    three: list[Caller], over: str
) -> None:
    first = await three[0].http.get(f"/v1/tables/{over}/export")
    await opened(three[0])
    again = await three[0].http.get(f"/v1/tables/{over}/export")
    assert (again.content, again.headers["etag"]) == (first.content, first.headers["etag"])
    assert verified(again.content, KEY).verdict == "intact"


async def test_what_is_kept_for_one_audience_is_served_to_no_other(three: list[Caller], table: str) -> None:
    await deal_over(three, table)
    for path in ("export", "replay/9", "replay?from=2"):
        kept = [(await caller.get(f"/tables/{table}/{path}")).text for caller in three]
        public = (await three[0].http.get(f"/v1/tables/{table}/{path}")).text
        again = [(await caller.get(f"/tables/{table}/{path}")).text for caller in three]
        assert again == kept
        assert len({public, *kept}) == 4, path
    # All hands of the first deal are open to everybody by now, those of the second one to their seats.
    everything = await three[0].get(f"/tables/{table}/replay?from=1&to=8&as=all")
    assert everything.status_code == 200
    beyond = (await three[0].get(f"/tables/{table}")).json()["version"]
    problem(await three[0].get(f"/tables/{table}/replay?from=1&to={beyond}&as=all"), 409, "deal-not-over")


async def test_what_is_recorded_afterwards_is_in_the_next_answer(
    three: list[Caller], over: str, services: Services, dsn: str
) -> None:
    answers = {path: await three[0].get(f"/tables/{over}/{path}") for path in HEAVY}
    version = answers["disputes/1"].json()["version"]
    erased = await erase_text(services.log.store, services.reader, dsn, over, version)
    assert "It was less." in answers["export"].text
    for path in ("export", "deals/1/audit", "disputes", "disputes/1", "replay?from=2"):
        answer = await three[0].get(f"/tables/{over}/{path}", headers={"If-None-Match": answers[path].headers["etag"]})
        assert answer.status_code == 200, path
        assert "It was less." not in answer.text
        assert answer.headers["etag"].strip('"').partition("-")[0] == str(erased)
    assert (await three[0].get(f"/tables/{over}/disputes/1")).json()["reason"] is None


async def test_after_a_change_of_keys_an_export_is_signed_anew(
    three: list[Caller], over: str, services: Services, database: Database, tmp_path: Path
) -> None:
    (tmp_path / "signing.key").write_text(SECRET.hex())
    services.log.transparency._keyring = Keyring(None, tmp_path, make=False)
    async with client_of(create_app(services)) as client:
        first = await client.get(f"/v1/tables/{over}/export")
        new = str(await services.log.transparency.rotate(b"\1" * 32))
        again = await client.get(f"/v1/tables/{over}/export")
    assert again.headers["etag"] != first.headers["etag"]
    assert new not in first.text
    assert new in again.text
    assert verified(again.content, KEY, new).verdict == "intact"


@for_each("path", ["export", "deals/1/audit", "disputes", "disputes/1", "replay/9", "replay"])
async def test_every_read_of_the_record_takes_min_version(three: list[Caller], over: str, path: str) -> None:
    head = (await three[0].get(f"/tables/{over}")).json()["version"]
    assert (await three[0].get(f"/tables/{over}/{path}?min_version={head}")).status_code == 200
    refused = await three[0].get(f"/tables/{over}/{path}?min_version={head + 1}")
    assert problem(refused, 422, "version-beyond-head")["version"] == head


async def test_what_is_kept_costs_little_and_what_is_computed_its_time(
    three: list[Caller], over: str, services: Services
) -> None:
    services.edge.heavy.pool = SlowPool(services)  # type: ignore[assignment]
    async with client_of(create_app(configured(Settings(rate_limit=5000), services))) as client:

        async def left(path: str) -> int:
            """What is left after the cost of the request is settled."""
            assert (await client.get(f"/v1/tables/{over}/{path}")).status_code == 200
            answer = await client.get("/v1/games")
            return int(answer.headers["ratelimit"].partition("r=")[2].partition(";")[0])

        first = await left("replay/9")
        second = await left("replay/9")
        assert second - await left("replay/9") < 20
        assert first - second < 20
        assert second - await left("deals/1/audit") > 1000
        # Something is computed for the cost of nearly all that is left; what it takes besides is owed.
        services.edge.heavy.pool.cpu_s = 0.5
        assert (await client.get(f"/v1/tables/{over}/deals/2/audit")).status_code == 200
        problem(await client.get("/v1/games"), 429, "rate-limited")


class SlowPool:
    """A pool whose jobs take so much time."""

    cpu_s = 0.1

    def __init__(self, services: Services) -> None:
        store, reader = services.log.store, services.reader
        self._context = JobContext(store, services.log.transparency, reader, KeptFolds(store, reader))

    async def run(
        self, _origin: str, job: Callable[..., Awaitable[Any]], *arguments: Any, charge: Any, **_more: Any
    ) -> Any:
        charge(self.cpu_s)
        return await job(self._context, *arguments)


class FullPool:
    """A pool with no room for what can be refused."""

    def __init__(self, services: Services, refusal: Exception) -> None:
        store, reader = services.log.store, services.reader
        self._context = JobContext(store, services.log.transparency, reader, KeptFolds(store, reader))
        self._refusal = refusal

    async def run(
        self, _origin: str, job: Callable[..., Awaitable[Any]], *arguments: Any, refusable: bool = True, **_charge: Any
    ) -> Any:
        if refusable:
            raise self._refusal
        return await job(self._context, *arguments)


@pytest.mark.parametrize(("refusal", "pause_s"), [(Busy(), "5"), (JobLost(), "1")])
async def test_beyond_what_can_be_computed_reads_are_refused_and_acts_are_not(
    services: Services, refusal: Exception, pause_s: str
) -> None:
    services.edge.heavy.pool = FullPool(services, refusal)  # type: ignore[assignment]
    async with client_of(create_app(services)) as client:
        three = [await register(client, name) for name in ("Ada", "Berta", "Carl")]
        table = await seated(three)
        scored = (await deal_over(three, table)).json()["version"]
        raised = await three[0].post(f"/tables/{table}/disputes", {"reason": "It was less.", "deal": 1})
        assert raised.status_code == 201, raised.text
        assert raised.json()["audits"]
        for path in HEAVY:
            answer = await client.get(f"/v1/tables/{table}/{path}")
            problem(answer, 503, "unavailable")
            assert answer.headers["retry-after"] == pause_s
        for path in ("", "/events", "/ledger"):
            assert (await client.get(f"/v1/tables/{table}{path}?min_version={scored}")).status_code == 200
