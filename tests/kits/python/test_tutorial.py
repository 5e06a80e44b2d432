"""The blocks of the kit's tutorial and README are what they say: they run, in their order."""

import ast
import asyncio
import random
import re
from codeop import CommandCompiler
from inspect import CO_COROUTINE
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from codille_client import Client

KIT = Path(__file__).parents[3] / "api-spec" / "clients" / "python"


def blocks(text: str) -> list[CodeType]:
    """The blocks of Python in a text, which may await."""
    found = []
    for block in re.finditer(r"```python\n(.*?)```", text, re.DOTALL):
        before = text.count("\n", 0, block.start(1))
        code = "\n" * before + block[1]
        found.append(compile(code, "page", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
    return found


def test_the_tutorials_blocks_can_be_pasted_where_it_says() -> None:
    """Into `python -m asyncio`, which takes a line after the other: what is indented ends with an empty line."""
    text = (KIT / "tutorial.md").read_text(encoding="utf-8")
    for block in re.finditer(r"```python\n(.*?)```", text, re.DOTALL):
        read, waiting = CommandCompiler(), list[str]()
        read.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        for line in [*block[1].split("\n"), ""]:
            waiting.append(line)
            # It raises SyntaxError, and is None while a statement goes on.
            if read("\n".join(waiting), "page") is not None:
                waiting.clear()
        assert waiting == []


async def run(text: str, names: dict[str, Any]) -> int:
    number = 0
    async with asyncio.timeout(120):
        for code in blocks(text):
            number += 1
            done = eval(code, names)  # noqa: S307 (the tutorial's own code)
            if code.co_flags & CO_COROUTINE:
                await done
    return number


async def test_the_tutorial_ends_in_a_bot_that_has_played(
    service_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("URL", service_url)
    names: dict[str, Any] = {}
    assert await run((KIT / "tutorial.md").read_text(), names) > 8
    said = capsys.readouterr().out
    assert "bid has no field weather" in said
    assert re.search(r"^4\d\d (not-your-turn|wrong-phase|rule-violation) ", said, re.MULTILINE)
    assert names["report"].verdict == "intact"
    assert names["view"]["status"] == "finished"
    assert said.rstrip().endswith("finished")
    for client in ("ada", "berta", "carl"):
        await names[client].close()


async def test_the_bot_of_the_readme_plays(service_url: str) -> None:
    async with Client(service_url) as client:
        tokens = [(await client.register(f"Player {seat}"))["token"] for seat in range(3)]
        table = await client.open_table("crocodile", deals=3)
        text = (KIT / "README.md").read_text().replace("http://127.0.0.1:8000", service_url)
        names = [{"Client": Client, "random": random, "token": token, "table_id": table.id} for token in tokens]
        await asyncio.gather(*(run(text, each) for each in names))
        assert (await table.view())["status"] == "finished"
