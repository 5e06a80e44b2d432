"""The example clients play whole games against a running service, while their connections are broken off."""

import json
import random
import sys
import time
from typing import Any

import httpx
import pytest

from service.spec.sample import fewest_deals
from tests.support.clients import EXAMPLES, Bot, Keyboard, Program, example
from tests.support.gate import gate
from tests.support.registry import GAMES

NAMES = ("Ada", "Berta", "Carl", "Dora")


class Seats:
    """A table with players who have not sat down yet."""

    def __init__(self, url: str, game: str) -> None:
        self.http = httpx.Client(base_url=f"{url}/v1", timeout=60, trust_env=False)
        described = self.http.get(f"/games/{game}").json()
        self.tokens = [self._post("/players", {"name": name})["token"] for name in NAMES[: described["seats"]]]
        opened = self._post("/tables", {"game": game, "deals": fewest_deals(GAMES[game])}, self.tokens[0])
        self.table: str = opened["table"]

    def sit(self, *tokens: str) -> None:
        """Has these players sit down."""
        for token in tokens:
            self._post(f"/tables/{self.table}/seats", {}, token)

    def _post(self, path: str, body: dict[str, Any], token: str | None = None) -> Any:
        answer = self.http.post(path, json=body, headers={"Authorization": f"Bearer {token}"} if token else {})
        assert answer.status_code == 201, answer.text
        return answer.json()


@pytest.mark.parametrize("game", ["crocodile", "toy"])
def test_a_keyboard_and_bots_play_a_game_and_read_each_event_once(service_url: str, game: str) -> None:
    seats = Seats(service_url, game)
    keyboard, program, *others = seats.tokens
    seats.sit(*others)
    with gate(service_url) as front:
        where = (front.url, seats.table)
        clients = [
            Keyboard(*where, keyboard, random.Random(game)),  # noqa: S311 (typing)
            Program([sys.executable, EXAMPLES / "python" / "bot.py"], *where, program),
            *(Bot(*where, token) for token in others),
        ]
        for one in clients:
            one.wait()
    view = seats.http.get(f"/tables/{seats.table}").json()
    assert view["status"] == "finished"
    assert front.broken
    assert front.held
    for one in clients:
        assert one.ids == list(range(one.ids[0], view["version"] + 1))
    typed = clients[0]
    assert isinstance(typed, Keyboard)
    assert typed.output.count("What do you do?") > 1
    assert "The game is over." in typed.output


def test_the_bot_is_short() -> None:
    assert len((EXAMPLES / "python" / "bot.py").read_text().splitlines()) < 60


TEXT = "one line\u2028with a sign at which some end it"
VIEW = {"version": 3, "status": "finished", "you": 0, "to_act": []}
FRAME = {"frame": "snapshot", "id": 3, "data": {"version": 3, "view": VIEW, "text": TEXT}}
LINES = f"\n{json.dumps(FRAME, ensure_ascii=False)}\n".encode()


def test_clients_wait_as_long_as_they_are_asked_to_and_read_any_text(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    held = [httpx.Response(429, headers={"Retry-After": "7"}), httpx.Response(503, headers={"Retry-After": "3"})]
    stream = httpx.MockTransport(lambda _: held.pop() if held else httpx.Response(200, content=LINES))
    shown: list[int] = []
    example("bot").play(
        httpx.Client(transport=stream, base_url="http://x"), "/tables/t", lambda number, _: shown.append(number)
    )
    assert (pauses, shown) == ([3, 7], [3])
    # A proxy's own errors name no time.
    held, shown[:] = [httpx.Response(502, text="<html>"), httpx.Response(504), httpx.Response(503)], []
    example("bot").play(
        httpx.Client(transport=stream, base_url="http://x"), "/tables/t", lambda number, _: shown.append(number)
    )
    assert (pauses[2:], shown) == ([1, 1, 1], [3])
    pauses[2:] = []
    held = [httpx.Response(503, headers={"Retry-After": "5"})]
    frames = example("terminal").follow(httpx.Client(transport=stream, base_url="http://x"), "/tables/t")
    assert (next(frames), pauses[2:]) == (FRAME, [5])
    for path, body in (("/tables/t", None), ("/tables/t/actions", {})):
        held, pauses[:] = [httpx.Response(502, text="<html>"), httpx.Response(504)], []
        answer = example("terminal").send(httpx.Client(transport=stream, base_url="http://x"), path, body)
        assert (answer.status_code, pauses) == (200, [1, 1])


def test_clients_end_where_coming_again_is_of_no_use() -> None:
    refused = httpx.MockTransport(lambda _: httpx.Response(401))
    with pytest.raises(httpx.HTTPStatusError):
        example("bot").play(httpx.Client(transport=refused, base_url="http://x"), "/tables/t")
    with pytest.raises(httpx.HTTPStatusError):
        next(example("terminal").follow(httpx.Client(transport=refused, base_url="http://x"), "/tables/t"))
