"""sseclient-py, over requests, follows a game."""

from collections.abc import Iterator, Mapping

import pytest

from tests.foreign.playing import PATIENCE_S, Heard, follow

requests = pytest.importorskip("requests", reason="requests is not installed")
sseclient = pytest.importorskip("sseclient", reason="sseclient-py is not installed")
CLIENT = requests.Session()
CLIENT.trust_env = False


def events(url: str, headers: Mapping[str, str]) -> Iterator[Heard]:
    last = ""
    while True:
        resumed = {"Last-Event-ID": last} if last else {}
        with CLIENT.get(url, headers={**headers, **resumed}, stream=True, timeout=PATIENCE_S) as answer:
            try:
                for event in sseclient.SSEClient(answer).events():
                    last = event.id or last
                    yield Heard(event.event, last, event.data)
            except requests.RequestException:
                pass


def test_it_follows_a_game_over_idle_streams_and_breaks(service_url: str) -> None:
    follow(service_url, events)
