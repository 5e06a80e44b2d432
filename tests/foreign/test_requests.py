"""requests plays a game, and follows one as lines of JSON."""

import json
from collections.abc import Iterator, Mapping

import pytest

from tests.foreign.playing import PATIENCE_S, Heard, follow

requests = pytest.importorskip("requests", reason="requests is not installed")
CLIENT = requests.Session()
CLIENT.trust_env = False


def send(method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
    answer = CLIENT.request(method, url, headers=headers, data=body, timeout=PATIENCE_S)
    answer.raise_for_status()
    content: bytes = answer.content
    return content


def events(url: str, headers: Mapping[str, str]) -> Iterator[Heard]:
    last = None
    while True:
        lines = CLIENT.get(
            url,
            headers={**headers, "Accept": "application/x-ndjson"},
            params={"after": last},
            stream=True,
            timeout=PATIENCE_S,
        )
        with lines:
            try:
                for line in filter(None, lines.iter_lines()):
                    frame = json.loads(line)
                    last = frame.get("id", last)
                    yield Heard(frame["frame"], str(last), json.dumps(frame["data"]))
            except requests.RequestException:
                pass
            except ValueError:
                # The line was cut off.
                pass


def test_it_plays_and_follows_a_game_over_idle_streams_and_breaks(service_url: str) -> None:
    follow(service_url, events, send).verify()
