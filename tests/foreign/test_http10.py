"""A client of HTTP/1.0, Python's own, plays a game. No answer to it is chunked."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection
from urllib.parse import urlsplit

from tests.foreign.playing import PATIENCE_S, Game, idle


class Connection(HTTPConnection):
    """Speaks HTTP/1.0."""

    _http_vsn = 10
    _http_vsn_str = "HTTP/1.0"


def connected(url: str) -> tuple[Connection, str]:
    """A connection, and what to request over it."""
    parts = urlsplit(url)
    return Connection(parts.netloc, timeout=PATIENCE_S), f"{parts.path}?{parts.query}".removesuffix("?")


def send(method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
    connection, target = connected(url)
    connection.request(method, target, body or None, dict(headers))
    answer = connection.getresponse()
    # This class would take chunks apart, as others of HTTP/1.0 do not.
    assert answer.getheader("Transfer-Encoding") is None
    content = answer.read()
    assert answer.status < 300, content
    assert answer.will_close
    return content


def test_it_plays_a_game_and_reads_its_stream(service_url: str) -> None:
    game = Game(service_url, send)
    connection, target = connected(f"{game.url}{game.path}/events/stream?after=0")
    connection.request("GET", target, headers={"Accept": "application/x-ndjson"})
    answer = connection.getresponse()
    assert answer.getheader("Transfer-Encoding") is None
    assert answer.getheader("Content-Length") is None
    idle(game)
    game.play()
    frames = []
    while not frames or frames[-1]["data"].get("type") != "game-finished":
        if line := answer.readline().strip():
            frames.append(json.loads(line))
    connection.close()
    assert [one["id"] for one in frames if one["frame"] == "event"] == list(range(1, frames[-1]["id"] + 1))
    game.verify()
