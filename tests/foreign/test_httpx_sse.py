"""httpx-sse follows a game."""

from collections.abc import Iterator, Mapping

import httpx
import pytest

from tests.foreign.playing import PATIENCE_S, Heard, follow

httpx_sse = pytest.importorskip("httpx_sse", reason="httpx-sse is not installed")


def events(url: str, headers: Mapping[str, str]) -> Iterator[Heard]:
    last = ""
    while True:
        resumed = {"Last-Event-ID": last} if last else {}
        with (
            httpx.Client(headers={**headers, **resumed}, timeout=PATIENCE_S, trust_env=False) as client,
            httpx_sse.connect_sse(client, "GET", url) as source,
        ):
            try:
                for event in source.iter_sse():
                    last = event.id
                    event.json()
                    yield Heard(event.event, event.id, event.data)
            except httpx.TransportError:
                pass


def test_it_follows_a_game_over_idle_streams_and_breaks(service_url: str) -> None:
    follow(service_url, events)
