"""Kits of this version and of the last read the streams of this one: pings, presence and what goes on after them."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from service.live.frames import NDJSON, Kind, dropped, frame, ping
from tests.support.misbehaving import misbehaving, stream
from tests.support.typescript import NODE, needs_node, surroundings

ROOT = Path(__file__).parents[2]
KITS = "api-spec/clients"
LAST = "46631372"
"""A commit of the last version."""

PYTHON = """
import asyncio, codille_client, sys

async def read(url):
    async with codille_client.Client(url, "token") as client:
        async for moment in client.table("t").follow():
            print(moment.kind, moment.version)
            if moment.version == 6:
                break
        async for frame in client.notices():
            print(frame["frame"], frame["id"])
            if frame["id"] == 13:
                break

asyncio.run(read(sys.argv[1]))
"""
JAVASCRIPT = """
const { Client } = await import(process.argv[1]);
const client = new Client(process.argv[2], "token");
for await (const { kind, version } of client.table("t").follow({ all: true })) {
  console.log(kind, version);
  if (version === 6) break;
}
for await (const { frame, id } of client.notices()) {
  console.log(frame, id);
  if (id === 13) break;
}
process.exit();
"""


def line(kind: Kind, place: int | None, **data: Any) -> str:
    return frame(NDJSON, kind, json.dumps(data).encode(), place).decode()


def seen(version: int) -> dict[str, Any]:
    view = {"version": version, "status": "playing", "you": 0, "to_act": [0], "seats": []}
    return {"version": version, "view": view, "more": False, "offers": []}


@pytest.fixture
def last(tmp_path: Path) -> Path:
    """The kits of the last version."""
    tree = subprocess.run(["git", "-C", str(ROOT), "archive", LAST, KITS], capture_output=True, check=True).stdout  # noqa: S607
    subprocess.run(["tar", "-x", "-C", str(tmp_path)], input=tree, check=True)  # noqa: S607
    return tmp_path / KITS


@pytest.mark.parametrize("is_last", [False, True])
@pytest.mark.parametrize("language", ["python", pytest.param("typescript", marks=needs_node)])
async def test_kits_read_streams_with_pings_and_presence(last: Path, language: str, is_last: bool) -> None:
    kits = last if is_last else ROOT / KITS
    alive, who = ping(NDJSON).decode(), line("presence", None, table="t", seats=[{"seat": 0, "connected": True}])
    # Lines have no such frame yet. Kits pass it over, so that a later service may send it.
    quiet = [alive] if is_last else [alive, '{"frame":"ping","id":12,"data":{}}\n']
    answers = [
        stream(
            line("snapshot", 3, **seen(3)), who, alive, line("event", 4, **seen(4)), dropped(NDJSON, "room", 1).decode()
        ),
        stream(line("event", 5, **seen(5)), who, alive, alive, line("event", 6, **seen(6)), silent_s=60),
        stream(line("snapshot", 10, tables=[]), alive, line("event", 11), *quiet),
        stream(alive, line("event", 13), silent_s=60),
    ]
    if language == "python":
        command = [sys.executable, "-P", "-c", PYTHON]
        settings = {"PYTHONPATH": str(kits / "python" / "src")}
    else:
        command = [NODE, "--input-type=module", "-e", JAVASCRIPT, str(kits / "typescript" / "src" / "index.js")]
        settings = {}
    async with misbehaving(*answers) as server:
        reading = await asyncio.create_subprocess_exec(
            *command, server.url, env=surroundings(settings), stdout=subprocess.PIPE
        )
        printed, _ = await reading.communicate()
    table = ["snapshot 3", "presence 3", "event 4", "event 5", "presence 5", "event 6"]
    assert printed.decode().splitlines() == [*table, "snapshot 10", "event 11", "event 13"]
    resumed = "11" if is_last else "12"
    assert [one.headers.get("last-event-id") for one in server.asked] == [None, "4", None, resumed]
