"""The types that are made of the documents: they import, are strict under mypy, and fit what is served."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from codille_client import types as making
from codille_client.schemas import module

from tests.support.for_each import for_each
from tests.support.modules import module_at
from tests.support.registry import OFFERED
from tests.support.samples import sample

SRC = Path(__file__).parents[3] / "api-spec" / "clients" / "python" / "src"
PROGRAM = """
from typing import assert_type

from codille_client import Client, Moment, sync
from codille_client.bot import Bot
from codille_client.games import {game}, don
from codille_client.models import LobbyEvent, Notice, ScoredDeal, View


async def look(client: Client, table: str) -> None:
    assert_type(await client.table(table).view(), View)
    async for frame in client.notices():
        if frame["frame"] == "event":
            assert_type(frame["data"], Notice)
    async for seen in client.lobby():
        if seen["frame"] == "event":
            assert_type(seen["data"], LobbyEvent)
    assert_type(await client.score_deal("{game}", {"facts": {}}), ScoredDeal)


async def play(url: str) -> int:
    async with Client[{game}.Game](url) as client:
        table = await client.open_table("{game}", deals=3)
        assert_type(await table.sit(), {game}.{Game}View)
        assert_type(await table.leave(), {game}.{Game}View)
        async for event in table.events():
            assert_type(event, {game}.Event)
        while moment := await table.my_turn():
            assert_type(moment.view["seats"][0]["hand"]["known"], list[{game}.Card])
            acted = await moment.act(choose(moment))
            assert_type(acted, {game}.Acted | None)
        async for turn in client.turns():
            assert_type(turn.view["to_act"], list[int])
            await turn.act(turn.offers[0].random())
            await turn.act({"type": "play", "card": {game}.CARDS["Ks"]})
            await turn.act({"type": "play", "card": {game}.CARDS["Zz"]})
            await turn.act({"type": "play", "card": "Ks"})
            await turn.act({"type": "fly"})
        return moment.view["nothing"] if moment else 0


def choose(moment: Moment[{game}.Game]) -> {game}.Action:
    return {"type": "play", "card": moment.view["seats"][0]["hand"]["known"][0]}


class Careful(Bot[{game}.Game]):
    async def choose(self, moment: Moment[{game}.Game]) -> {game}.Action | None:
        assert_type(moment.view, {game}.{Game}View)
        return choose(moment) if moment.view["deal"] else None


async def run(client: Client[{game}.Game]) -> list[str]:
    return await Careful(client, games=["{game}"]).run()


def at_once(url: str) -> None:
    with sync.Client[don.Game](url) as client:
        for moment in client.table("").follow():
            assert_type(moment.event, don.Event | None)
            moment.act(moment.offers[0].act())
"""

TYPES = "from codille_client import http, types; http.FIRST_PAUSE_S = 100; types.main()"
"""The command, which gives up at once."""


def made(document: dict[str, Any], folder: Path, name: str) -> ModuleType:
    """The module of the document's types."""
    path = folder / f"{name}.py"
    path.write_text(module(document))
    return module_at(path)


def document(built: Path, need: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((built / "openapi" / f"{need}.json").read_bytes())
    return found


def required(kind: type) -> set[str]:
    """The members that are always there."""
    return {name for name, hint in kind.__annotations__.items() if not hint.__forward_arg__.startswith("NotRequired[")}


@for_each("need", [*OFFERED, "generic"])
def test_every_schema_of_every_document_is_a_type(need: str, built: Path, tmp_path: Path) -> None:
    described = document(built, need)
    found = made(described, tmp_path, need)
    for name, schema in described["components"]["schemas"].items():
        if schema.get("properties"):
            assert getattr(found, name).__annotations__.keys() == schema["properties"].keys(), name
            assert required(getattr(found, name)) == {*schema.get("required", ())} & schema["properties"].keys(), name


def test_types_of_one_game_are_written_on_demand_and_strict(
    service_url: str, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = document(built, "crocodile")
    arguments = ["types", service_url, "crocodile", "don", "--out", str(tmp_path / "codille_client" / "games")]
    monkeypatch.setattr(sys, "argv", arguments)
    making.main()
    written = (tmp_path / "codille_client" / "games" / "crocodile.py").read_text()
    assert written == module(served)
    monkeypatch.setattr(sys, "argv", ["types", f"{service_url}/v1", "--out", str(tmp_path / "other")])
    making.main()
    assert (tmp_path / "other" / "generic.py").read_text() == module(document(built, "generic"))
    # Beside the sources of the package, as if it had been written there.
    for path in SRC.joinpath("codille_client").rglob("*.py"):
        target = tmp_path / "codille_client" / path.relative_to(SRC / "codille_client")
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(path.read_bytes())
    (tmp_path / "codille_client" / "py.typed").touch()
    (readme,) = re.findall(r"```py\n(.*?)```", (SRC.parent / "README.md").read_text(), re.DOTALL)
    (tmp_path / "readme.py").write_text(readme)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace("{game}", "crocodile").replace("{Game}", "Crocodile"))
    # What others have written needs no check here.
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n[mypy-httpx.*]\nfollow_imports = skip\n")
    command = [sys.executable, "-m", "mypy", "--no-incremental", "program.py", "readme.py"]
    checked = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    # The faults that are in the program are found, each in a line, and no other.
    assert checked.stdout.count("error:") == len(checked.stdout.splitlines()) - 1 == 5, checked.stdout
    assert all(len(line) < 300 for line in checked.stdout.splitlines()), checked.stdout
    assert 'TypedDict "Cards" has no key "Zz"' in checked.stdout
    assert 'TypedDict "CrocodileView" has no key "nothing"' in checked.stdout
    assert checked.stdout.count('Argument 1 to "act" of "Moment" has incompatible type') == 3


def test_cards_are_the_strings_that_the_service_sends(built: Path, tmp_path: Path) -> None:
    found = made(document(built, "burraco"), tmp_path, "burraco")
    assert len(found.CARDS) == 108
    assert all(card == name for name, card in found.CARDS.items())
    assert json.dumps({"card": found.CARDS["Jo.1"]}) == '{"card": "Jo.1"}'


@for_each(
    "url, game, out, said",
    [
        ("http://127.0.0.1:9", "don", "made", "there are no types of don: no answer to GET games/don/openapi.json"),
        ("", "whist", "made", "there are no types of whist: 404 no-such-game"),
        ("", "don", "file/made", r"file/made: .*\. Name another folder with --out\."),
    ],
)
def test_it_is_said_why_types_cannot_be_written(
    url: str, game: str, out: str, said: str, service_url: str, tmp_path: Path
) -> None:
    (tmp_path / "file").touch(exist_ok=True)
    command = [sys.executable, "-c", TYPES, url or service_url, game, "--out", str(tmp_path / out)]
    path = {"PYTHONPATH": str(SRC), "NO_PROXY": "127.0.0.1"}
    done = subprocess.run(command, env=os.environ | path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert re.search(said, done.stderr), done.stderr
    assert "Traceback" not in done.stderr


def test_what_is_served_has_the_members_of_its_type(built: Path, tmp_path: Path) -> None:
    found = made(document(built, "crocodile"), tmp_path, "crocodile")
    events = sample("crocodile").by_type.events
    assert len(events) > 10
    for type, event in events.items():
        named = "".join(part.capitalize() for part in type.split("-")) + "Event"
        kind = getattr(found, f"Crocodile{named}", None) or getattr(found, named)
        assert required(kind) - {"more"} <= event.keys() <= kind.__annotations__.keys(), type
