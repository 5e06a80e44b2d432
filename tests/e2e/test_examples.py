"""The example clients play whole games against a running service, while their connections are broken off."""

import random
import sys
from typing import Any

import httpx
import pytest

from tests.support.clients import PYTHON, Bot, Keyboard, Program
from tests.support.gate import gate
from tests.support.registry import GAMES, fewest_deals

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
            Program([sys.executable, PYTHON / "examples" / "bot.py"], *where, program),
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
    prompts = [sentence.text.partition("{")[0] for sentence in GAMES[game].words.prompts]
    assert sum(map(typed.output.count, prompts)) > 1
    assert "The game is over." in typed.output
