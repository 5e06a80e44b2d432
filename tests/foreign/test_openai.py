"""The decoder of server-sent events in openai's client follows a game."""

from collections.abc import Iterator, Mapping

import httpx
import pytest

from tests.foreign.playing import PATIENCE_S, Heard, follow

streaming = pytest.importorskip("openai._streaming", reason="openai is not installed")


def events(url: str, headers: Mapping[str, str]) -> Iterator[Heard]:
    last = ""
    while True:
        resumed = {"Last-Event-ID": last} if last else {}
        with httpx.stream("GET", url, headers={**headers, **resumed}, timeout=PATIENCE_S, trust_env=False) as answer:
            try:
                for event in streaming.SSEDecoder().iter_bytes(answer.iter_bytes()):
                    # As its own stream does with each event.
                    event.json()
                    last = event.id or last
                    yield Heard(event.event, last, event.data)
            except httpx.TransportError:
                pass


def test_its_decoder_follows_a_game_over_idle_streams_and_breaks(service_url: str) -> None:
    follow(service_url, events)
