"""A record's file, sent to be checked: what is said of it, step by step, whatever it holds."""

import asyncio
import gzip
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, cast

import asyncpg
import httpx
import pytest
from jsonschema import Draft202012Validator

from domain.audit.verification import verify
from domain.record.history import Reader
from domain.registry import GAMES as OFFERED
from service.app import create_app
from service.compute.fair_slots import Busy
from service.config import Settings
from service.describe.conforming import conforming
from service.http.edge import Edge
from service.http.operations import record_files
from service.services import Services
from service.transparency.keys import ed25519
from tests.contract.conftest import Caller, client_of, configured, deal_over, problem, register, seated, services_over
from tests.history.archives import Archive
from tests.support.for_each import for_each
from tests.support.waiting import until

ROOT = Path(__file__).parents[2] / "api-spec"
DOCUMENT = json.loads((ROOT / "openapi.json").read_text())
EXAMPLES = ROOT / "examples" / "records"
INDEX = json.loads((EXAMPLES / "index.json").read_text())
FILE = {"Content-Type": "application/x-ndjson"}
VIEWS = ("table", "ledger", "audit")


def published(name: str) -> bytes:
    return (EXAMPLES / name).read_bytes()


async def checked(client: httpx.AsyncClient, data: bytes, **query: str) -> list[dict[str, Any]]:
    """The frames about a file."""
    answer = await client.post("/v1/records/check", content=data, headers=FILE, params=query)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson"), answer.text
    assert answer.headers["cache-control"] == "no-store"
    return [json.loads(line) for line in answer.content.splitlines()]


def of_kind(frames: list[dict[str, Any]], kind: str) -> list[Any]:
    return [frame["data"] for frame in frames if frame["frame"] == kind]


def failed(frames: list[dict[str, Any]]) -> set[str]:
    return {check["name"] for check in frames[0]["data"]["checks"] if not check["passed"]}


def rewritten(data: bytes, line: int, **members: Any) -> bytes:
    """The file with other members in one line, in canonical form."""
    lines = data.split(b"\n")
    value = json.loads(lines[line]) | members
    lines[line] = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    return b"\n".join(lines)


async def test_a_file_of_this_service_is_intact_and_stepped_through_as_its_table_is(three: list[Caller]) -> None:
    table = await seated(three)
    for _ in range(3):
        await deal_over(three, table)
    for caller, eyes in ((await register(three[0].http, "Dora"), "public"), (three[1], "me")):
        exported = (await caller.get(f"/tables/{table}/export")).content
        frames = await checked(three[0].http, exported)
        verification = frames[0]["data"]
        assert (verification["verdict"], failed(frames), verification["table"]) == ("intact", set(), table)
        assert verification["audience"] == ("public" if eyes == "public" else "seat:1")
        (view,), (ledger,) = of_kind(frames, "table"), of_kind(frames, "ledger")
        assert view == (await caller.get(f"/tables/{table}")).json()
        served = (await caller.get(f"/tables/{table}/ledger")).json()
        del served["replay"]
        assert ledger == served
        audits = {one["deal"]: one["audit"] for one in of_kind(frames, "audit")}
        assert audits == {
            deal: (await caller.get(f"/tables/{table}/deals/{deal}/audit")).json() for deal in range(1, 4)
        }
        steps = of_kind(frames, "step")
        assert [step["version"] for step in steps] == list(range(1, verification["events"] + 1))
        for start in range(0, len(steps), 100):
            some = steps[start : start + 100]
            query = {"from": start + 1, "to": start + len(some), "as": eyes}
            replayed = (await caller.get(f"/tables/{table}/replay", params=query)).json()["steps"]
            # A file has what is open by now, a replay what was.
            events = (await caller.get(f"/tables/{table}/events", params={"after": start, "limit": 100})).json()[
                "items"
            ]
            assert some == [step | {"event": event} for step, event in zip(replayed, events, strict=True)]
        kinds = list(dict.fromkeys(frame["frame"] for frame in frames))
        assert kinds == ["verification", *VIEWS, "step"]


@for_each("record", [record["file"] for record in INDEX["records"]])
async def test_every_published_record_is_answered_as_codille_verifies_it(
    client: httpx.AsyncClient, record: str
) -> None:
    """They are of another log, so nobody here vouches for who signed them."""
    data = published(record)
    frames = await checked(client, data)
    due = verify(data, Reader(OFFERED), ed25519, conforming(OFFERED))
    verification = frames[0]["data"]
    assert (verification["verdict"], verification["events"]) == (due.verdict, due.events)
    assert verification["verdict"] == "unpinned"
    assert [check["text"] for check in verification["checks"]] == [check.text for check in due.checks]
    steps = of_kind(frames, "step")
    assert len(steps) == due.events
    assert all(step["view"]["version"] == step["version"] for step in steps)
    assert [json.dumps(step["event"]) for step in steps] == [
        json.dumps(json.loads(line)) for line in data.splitlines()[1:-1]
    ]
    assert all(one["audit"]["verdict"] == "intact" for one in of_kind(frames, "audit"))
    for eyes in ("all", "seat:1"):
        assert all(step["view"] is not None for step in of_kind(await checked(client, data, **{"as": eyes}), "step"))


async def test_others_eyes_see_what_is_over(three: list[Caller]) -> None:
    table = await seated(three)
    await deal_over(three, table)
    scored = (await three[0].get(f"/tables/{table}")).json()["version"]
    exported = (await three[2].get(f"/tables/{table}/export")).content
    running = of_kind(await checked(three[0].http, exported), "step")
    over = next(step["version"] for step in running if step["event"]["type"] == "deal-scored")
    assert over < scored
    for eyes in ("all", "public", "seat:0", "seat:1", "seat:2", "me"):
        steps = of_kind(await checked(three[0].http, exported, **{"as": eyes}), "step")
        query = {"from": 1, "to": over, "as": eyes}
        replayed = (await three[2].get(f"/tables/{table}/replay", params=query)).json()["steps"]
        assert [step["view"] for step in steps[:over]] == [step["view"] for step in replayed]
        assert steps[over:] == running[over:]
    answer = await three[0].http.post("/v1/records/check?as=seat:3", content=exported, headers=FILE)
    assert problem(answer, 422, "invalid-query")["errors"][0]["parameter"] == "as"


async def test_frames_are_as_the_document_says(client: httpx.AsyncClient) -> None:
    content = DOCUMENT["paths"]["/v1/records/check"]["post"]["responses"]["200"]["content"]["application/x-ndjson"]
    assert content["schema"]["contentSchema"] == {"$ref": "#/components/schemas/RecordFrame"}
    validator = Draft202012Validator(content["schema"]["contentSchema"] | {"components": DOCUMENT["components"]})
    for line in content["example"].splitlines():
        validator.validate(json.loads(line))
    frames = await checked(client, published("disputed.ndjson"))
    some = {frame["frame"]: frame for frame in frames}
    assert {*some} == {"verification", *VIEWS, "step"}
    for frame in (*some.values(), frames[-1]):
        validator.validate(frame)


async def test_an_altered_file_is_followed_as_far_as_it_can_be(client: httpx.AsyncClient) -> None:
    data = published("finished.ndjson")
    events = [json.loads(line) for line in data.splitlines()[1:-1]]
    played = next(number for number, event in enumerate(events, 1) if event["type"] == "talon-turned")
    public = events[played - 1]["public"] | {"card": "Zz"}
    frames = await checked(client, rewritten(data, played, public=public))
    assert (frames[0]["data"]["verdict"], bool({"chain", "signature"} & failed(frames))) == ("altered", True)
    steps = of_kind(frames, "step")
    assert len(steps) == len(events)
    assert all(step["view"] is not None for step in steps[: played - 1])
    assert steps[played - 1]["event"]["public"]["card"] == "Zz"
    # The newest version that can be followed.
    (view,) = of_kind(frames, "table")
    assert view["version"] == next((step["version"] - 1 for step in steps if step["view"] is None), len(events))


async def test_a_file_that_is_cut_off_is_altered_and_shown_up_to_there(client: httpx.AsyncClient) -> None:
    data = published("finished.ndjson")
    whole = data.split(b"\n")
    frames = await checked(client, b"\n".join(whole[:20]) + b"\n" + whole[20][:50])
    assert frames[0]["data"]["verdict"] == "altered"
    assert any("cut off after line 21" in check["text"] for check in frames[0]["data"]["checks"])
    steps = of_kind(frames, "step")
    assert [step["version"] for step in steps] == list(range(1, 20))
    assert of_kind(frames, "table")[0]["version"] == 19


def of_other_rules(data: bytes) -> bytes:
    opened = json.loads(data.splitlines()[1])["public"]
    return rewritten(data, 1, public=opened | {"rules_digest": "0" * 64})


def of_another_registry(data: bytes) -> bytes:
    for number in range(1, len(data.splitlines()) - 1):
        data = rewritten(data, number, game="tarock")
    return data


@for_each("change", [of_other_rules, of_another_registry])
async def test_of_rules_that_are_not_known_events_have_no_views(
    client: httpx.AsyncClient, change: Callable[[bytes], bytes]
) -> None:
    frames = await checked(client, change(published("crocodile-casco.ndjson")))
    assert [frame["frame"] for frame in frames[:2]] == ["verification", "step"]
    steps = of_kind(frames, "step")
    assert len(steps) == frames[0]["data"]["events"] > 10
    assert all(step["view"] is None and step["changed"] == [] for step in steps)


async def test_a_game_that_this_service_lacks_is_unknown(database: Any) -> None:
    """An intact record of another registry's game."""
    fewer = services_over(database, {name: game for name, game in OFFERED.items() if name != "crocodile"})
    async with httpx.AsyncClient(transport=httpx.ASGITransport(create_app(fewer)), base_url="http://x.test") as client:
        frames = await checked(client, published("crocodile-casco.ndjson"))
    assert (frames[0]["data"]["verdict"], failed(frames)) == ("unknown", set())
    assert {frame["frame"] for frame in frames} == {"verification", "step"}


@for_each("name", ["2dd7fa3", "70ad555"])
async def test_exports_of_the_first_format_are_checked_too(client: httpx.AsyncClient, name: str) -> None:
    for data in Archive(name).exports.values():
        frames = await checked(client, data)
        assert b"codille-export-v1" in data
        assert frames[0]["data"]["verdict"] == "unpinned"
        assert all(step["view"] is not None for step in of_kind(frames, "step"))


NO_RECORDS = {
    "nothing": b"",
    "a line": b"\n",
    "text": b"Dear Ada,\r\nthe cards were marked.\r\n",
    "bytes": bytes(range(256)) * 4,
    "json": b'{"format":"codille-export-v3"}\n',
    "deep": b"[" * 100_000,
    "a page": b"<!doctype html><script>alert(1)</script>",
}


@for_each("data", NO_RECORDS)
async def test_what_is_no_record_is_unreadable(client: httpx.AsyncClient, data: str) -> None:
    frames = await checked(client, NO_RECORDS[data])
    assert [frame["frame"] for frame in frames] == ["verification"]
    verification = frames[0]["data"]
    assert (verification["verdict"], verification["table"], verification["events"]) == ("unreadable", None, 0)


@for_each("audience", ["seat:7", "house", "all", "<b>", ""])
async def test_an_audience_that_there_is_not_sees_nothing(client: httpx.AsyncClient, audience: str) -> None:
    frames = await checked(client, rewritten(published("running.ndjson"), 0, audience=audience))
    assert frames[0]["data"]["verdict"] == "altered"
    assert all(step["view"] is None for step in of_kind(frames, "step"))
    assert not of_kind(frames, "table")


async def test_markup_is_text(client: httpx.AsyncClient) -> None:
    """It comes as it stands in the file: what shows it must show text."""
    data = published("talk.ndjson")
    numbers = [number for number, line in enumerate(data.splitlines()) if b'"type":"table-talk"' in line]
    word = "<img src=x onerror=alert(1)>\u2028"
    sealed = json.loads(data.splitlines()[numbers[0]])["sealed"]
    frames = await checked(client, rewritten(data, numbers[0], sealed=sealed | {"public": {"text": word}}))
    assert frames[0]["data"]["verdict"] == "altered"
    assert of_kind(frames, "step")[numbers[0] - 1]["event"]["sealed"]["public"]["text"] == word


async def test_few_of_many_failures_are_answered(client: httpx.AsyncClient) -> None:
    data = published("finished-king.ndjson")
    lines = data.split(b"\n")
    frames = await checked(client, b"\n".join([lines[0], *(line + b" " for line in lines[1:-1]), b""]))
    verification = frames[0]["data"]
    assert sum(not check["passed"] for check in verification["checks"]) == 100
    assert verification["omitted"] > 300


async def test_what_is_too_large_or_has_too_many_lines_is_refused(client: httpx.AsyncClient) -> None:
    path = "/v1/records/check"
    million = b"{}\n" * 1_000_000
    problem(await client.post(path, content=million, headers=FILE), 413, "body-too-large")
    large = bytes(record_files.MOST_BYTES + 1)
    problem(await client.post(path, content=large, headers=FILE), 413, "body-too-large")

    async def pieces() -> AsyncIterator[bytes]:
        """Of a length that is not announced."""
        for _ in range(9):
            yield bytes(1024 * 1024)

    problem(await client.post(path, content=pieces(), headers=FILE), 413, "body-too-large")


async def test_what_is_compressed_is_not_unpacked(client: httpx.AsyncClient) -> None:
    bomb = gzip.compress(bytes(64 * 1024 * 1024))
    for headers in (FILE, FILE | {"Content-Encoding": "gzip"}, FILE | {"Content-Encoding": "br, identity"}):
        answer = await client.post("/v1/records/check", content=bomb, headers=headers)
        problem(answer, 415, "unsupported-media-type")
        assert answer.headers["accept-encoding"] == "identity"
    for media_type in ("application/json", "text/plain", "application/x-www-form-urlencoded"):
        answer = await client.post(
            "/v1/records/check", content=published("opened.ndjson"), headers={"Content-Type": media_type}
        )
        problem(answer, 415, "unsupported-media-type")
        assert answer.headers["accept"] == "application/x-ndjson, application/octet-stream"


async def test_nothing_is_stored(client: httpx.AsyncClient, dsn: str) -> None:
    owner = await asyncpg.connect(dsn)
    tables = [name for (name,) in await owner.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'codille'")]
    every = " UNION ALL ".join(f"SELECT '{name}', t.ctid::text, t.xmin::text FROM codille.{name} t" for name in tables)  # noqa: S608 (no input)
    before = await owner.fetch(every)
    await checked(client, published("finished.ndjson"))
    assert await owner.fetch(every) == before
    await owner.close()


async def test_a_file_is_charged_for_what_it_takes(services: Services) -> None:
    app = create_app(configured(Settings(rate_limit=60_000), services, lambda: 0.0))
    async with client_of(app) as client:
        left = []
        for name in ("opened.ndjson", "finished-king.ndjson", "opened.ndjson"):
            await checked(client, published(name))
            left.append(int((await client.get("/v1/games")).headers["ratelimit"].split(";r=")[1].split(";")[0]))
    used = 60_000 - left[0], left[0] - left[1], left[1] - left[2]
    assert used[1] > 3 * used[2] > 0


class Sender:
    """A request that is called as ASGI: its body comes when it is let, and its client leaves when it is let."""

    def __init__(self, app: Edge, data: bytes) -> None:
        self.asked = asyncio.Event()
        self.send_body = asyncio.Event()
        self.leave = asyncio.Event()
        self.sent: list[Any] = []
        self._data: bytes | None = data
        head = [(b"content-type", b"application/x-ndjson"), (b"host", b"codille.test")]
        scope: dict[str, Any] = {
            "type": "http", "http_version": "1.1", "method": "POST", "scheme": "http", "path": "/v1/records/check",
            "raw_path": b"/v1/records/check", "query_string": b"", "headers": head, "client": ("192.0.2.1", 1),
            "server": ("codille.test", 80), "root_path": "",
        }  # fmt: skip
        self.task: asyncio.Task[None] = asyncio.ensure_future(app(cast("Any", scope), self._receive, self._take))

    async def _receive(self) -> Any:
        self.asked.set()
        if self._data is None:
            await self.leave.wait()
            return {"type": "http.disconnect"}
        await self.send_body.wait()
        data, self._data = self._data, None
        return {"type": "http.request", "body": data, "more_body": False}

    async def _take(self, message: Any) -> None:
        self.sent.append(message)
        if message["type"] == "http.response.body" and message.get("more_body"):
            await asyncio.sleep(0)

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])


async def test_a_body_is_read_when_its_turn_has_come(app: Edge, services: Services) -> None:
    data = published("opened.ndjson")
    first = [Sender(app, data) for _ in range(4)]
    for sender in first:
        await sender.asked.wait()
    waiting = Sender(app, data)
    await until(lambda: services.edge.heavy.files.waiting)
    assert not waiting.asked.is_set()
    first[0].send_body.set()
    await first[0].task
    await waiting.asked.wait()
    waiting.send_body.set()
    for sender in first[1:]:
        sender.send_body.set()
    await asyncio.gather(*(sender.task for sender in (*first, waiting)))
    assert {sender.status for sender in (*first, waiting)} == {200}
    assert services.edge.heavy.files.waiting == 0


async def test_the_answer_ends_when_its_reader_leaves(
    app: Edge, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = 0
    run = services.edge.heavy.run

    async def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal made
        made += 1
        if made == 3:
            sender.leave.set()
            await asyncio.sleep(0.01)
        return await run(*arguments, **named)

    monkeypatch.setattr(services.edge.heavy, "run", counted)
    sender = Sender(app, published("finished-king.ndjson"))
    sender.send_body.set()
    await sender.task
    # It has 11 pieces, and the verification.
    assert 3 <= made <= 5
    for _ in range(4):
        await services.edge.heavy.files.acquire(("", "", "", ""))


async def test_a_line_that_is_full_is_answered_with_patience(
    client: httpx.AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(*_: Any, **__: Any) -> None:
        raise Busy

    monkeypatch.setattr(services.edge.heavy.files, "acquire", busy)
    answer = await client.post("/v1/records/check", content=published("opened.ndjson"), headers=FILE)
    problem(answer, 503, "unavailable")
    assert int(answer.headers["retry-after"]) > 0
