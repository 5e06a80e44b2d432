"""What a program's user does: plays a game by its offers, checks its record, follows it over idle streams."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, TypeAlias

import httpx
from msgspec import Struct

from tests.support.exports import verified
from tests.support.gate import gate

Send: TypeAlias = Callable[[str, str, Mapping[str, str], bytes], bytes]
"""Sends a request with the program: method, URL, headers, body. Returns the body of the answer, which is no refusal."""

JSON = {"Content-Type": "application/json"}
PATIENCE_S = 60
"""For so long nothing may come over a stream. Pings come each second."""
CLIENT = httpx.Client(timeout=PATIENCE_S, trust_env=False)


def by_httpx(method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
    """Sends a request with the client that tests use elsewhere."""
    answer = CLIENT.request(method, url, headers=dict(headers), content=body)
    assert answer.is_success, answer.text
    return answer.content


class Game:
    """A game that one program plays: its user with two bots, or with others whom the program plays too."""

    def __init__(
        self,
        url: str,
        send: Send = by_httpx,
        *,
        game: str = "crocodile",
        bots: bool = True,
        write: Callable[[Any], str] = json.dumps,
    ) -> None:
        self.url = f"{url}/v1"
        self._send = send
        self._write = write
        self.tokens = [self._registered()]
        opened = self.post("/tables", {"game": game, "bots": {"1": "random", "2": "random"} if bots else {}})
        self.path = f"/tables/{opened['table']}"
        self.tokens += [self._registered() for _ in opened["seats"] if not bots][1:]
        for seat, token in enumerate(self.tokens):
            self.post(f"{self.path}/seats", {"seat": seat}, token)

    def _registered(self) -> str:
        answer = self._send("POST", f"{self.url}/players", JSON, self._write({"name": "Ada"}).encode())
        return str(json.loads(answer)["token"])

    def bearer(self, token: str = "") -> dict[str, str]:
        """The header that says who asks: the first player, where nobody is named."""
        return {"Authorization": f"Bearer {token or self.tokens[0]}"}

    def read(self, path: str, token: str = "", **headers: str) -> bytes:
        """What is at the path."""
        return self._send("GET", self.url + path, self.bearer(token) | headers, b"")

    def get(self, path: str, token: str = "") -> Any:
        """The JSON at the path."""
        return json.loads(self.read(path, token))

    def post(self, path: str, body: Any, token: str = "") -> Any:
        """The answer to a body."""
        return json.loads(self._send("POST", self.url + path, self.bearer(token) | JSON, self._write(body).encode()))

    def play(self) -> None:
        """Plays to the end: whoever is to act takes the first offer of a kind that neither talks nor gives up."""
        token, wait = self.tokens[0], ""
        while True:
            offered = self.get(f"{self.path}/offers{wait}", token)
            own = [seat for seat in offered["to_act"] if seat < len(self.tokens)]
            wait = ""
            if offered["you"] in own:
                self.post(f"{self.path}/actions", taken(offered["offers"]), token)
            elif own:
                token = self.tokens[own[0]]
            elif not offered["to_act"] and self.get(self.path)["status"] == "finished":
                return
            else:
                wait = f"?after={offered['version']}&wait=20"

    def verify(self) -> None:
        """Exports the record, which is intact and whole."""
        key = self.get("/log/keys")["items"][0]["verifier"]
        checked = verified(self.read(f"{self.path}/export"), key)
        assert (checked.verdict, checked.events) == ("intact", self.get(self.path)["version"])


def taken(offers: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The act by the first offer that neither talks nor gives up, with the first value of each field."""
    offer = next(each for each in offers if each["type"] not in ("concede", "talk"))
    fields = offer["fields"].items()
    return {
        "type": offer["type"],
        **{
            name: field["one_of"][0] if "one_of" in field else field["some_of"][: field["min"]]
            for name, field in fields
        },
    }


class Heard(Struct, frozen=True):
    """A frame as a library hands it on; `id` is the last one that it has read."""

    name: str
    id: str
    data: str


Follow: TypeAlias = Callable[[str, Mapping[str, str]], Iterator[Heard]]
"""Follows a stream with the library: URL and headers. It comes again where the connection breaks."""


def play(url: str, send: Send, *, write: Callable[[Any], str] = json.dumps) -> None:
    """Plays a game with the program, and verifies its record as the program got it."""
    game = Game(url, send, write=write)
    game.play()
    game.verify()


def follow(url: str, library: Follow, send: Send = by_httpx) -> Game:
    """Follows a game and its player over the library: idle streams, live events, and connections that break.

    Each frame holds JSON, no event is missed, and none comes twice.
    """
    game = Game(url, send)
    with gate(url, most=12_000, nth=1 << 30) as front:
        table = library(f"{front.url}/v1{game.path}/events/stream", game.bearer())
        own = library(f"{front.url}/v1/players/me/stream", game.bearer())
        with closing(table), closing(own):
            begun = json.loads(_heard(table, "snapshot").data)["version"]
            _heard(own, "snapshot")
            idle(game)
            # One break is enough: some libraries take three seconds to come again.
            front.most = 1 << 30
            game.play()
            events = _until(table, lambda event: event["type"] == "game-finished")
            assert [event["version"] for event in events] == [*range(begun + 1, begun + 1 + len(events))]
            notices = _until(own, lambda notice: "game-over" in notice["notices"])
            positions = [notice["position"] for notice in notices]
            assert positions == sorted(set(positions))
        assert front.broken
    return game


def _heard(events: Iterator[Heard], name: str) -> Heard:
    """The next frame of this name. Those of others are read, too."""
    while True:
        one = next(events)
        assert isinstance(json.loads(one.data), dict), one
        if one.name == name:
            return one
        assert one.name in ("ping", "presence"), one


def _until(events: Iterator[Heard], is_last: Callable[[Any], bool]) -> list[Any]:
    """The events up to the last one."""
    read: list[Any] = []
    while not read or not is_last(read[-1]):
        read.append(json.loads(_heard(events, "event").data))
    return read


def idle(game: Game) -> None:
    """Returns when each stream that is open by now has been pinged."""
    headers = game.bearer() | {"Accept": "application/x-ndjson"}
    url = f"{game.url}/players/me/stream"
    with httpx.stream("GET", url, headers=headers, timeout=PATIENCE_S, trust_env=False) as lines:
        pings = (line for line in lines.iter_lines() if not line)
        next(pings), next(pings)
