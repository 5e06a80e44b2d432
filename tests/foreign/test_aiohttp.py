"""aiohttp plays a game, and follows one as lines of JSON."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator, Mapping

import pytest

from tests.foreign.playing import PATIENCE_S, Heard, follow

aiohttp = pytest.importorskip("aiohttp", reason="aiohttp is not installed")


async def _send(method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
    async with (
        aiohttp.ClientSession(raise_for_status=True) as client,
        client.request(method, url, headers=headers, data=body) as answer,
    ):
        content: bytes = await answer.read()
        return content


def send(method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
    return asyncio.run(_send(method, url, headers, body))


async def _events(url: str, headers: Mapping[str, str]) -> AsyncIterator[Heard]:
    last = -1
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(sock_read=PATIENCE_S)) as client:
        while True:
            after = {"after": str(last)} if last >= 0 else {}
            accept = {"Accept": "application/x-ndjson"}
            async with client.get(url, headers={**headers, **accept}, params=after) as answer:
                try:
                    async for line in answer.content:
                        if line.endswith(b"\n") and line.strip():
                            frame = json.loads(line)
                            last = frame.get("id", last)
                            yield Heard(frame["frame"], str(last), json.dumps(frame["data"]))
                except aiohttp.ClientError:
                    pass


def events(url: str, headers: Mapping[str, str]) -> Iterator[Heard]:
    with asyncio.Runner() as runner:
        followed = _events(url, headers)
        try:
            while True:
                yield runner.run(anext(followed))
        finally:
            runner.run(followed.aclose())


def test_it_plays_and_follows_a_game_over_idle_streams_and_breaks(service_url: str) -> None:
    follow(service_url, events, send).verify()
