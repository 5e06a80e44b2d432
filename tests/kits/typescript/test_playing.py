"""Bots of the kit for TypeScript play whole games, whatever becomes of connections and processes."""

import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from domain.registry import GAMES
from tests.support.clients import Program
from tests.support.doors import Door, doors, kill_in_turn
from tests.support.gate import gate
from tests.support.helpers import helper
from tests.support.postgres import as_service
from tests.support.registry import fewest_deals
from tests.support.repetition import TIMES
from tests.support.typescript import KIT, NODE, TESTS, needs_node, node, surroundings

pytestmark = needs_node

SHORT = sorted(GAMES, key=lambda name: fewest_deals(GAMES[name]) * helper(name, "habits").events_a_deal)[:3]
"""The games that are over soonest."""

LONG = TIMES > 1
PAUSE_S = 4.0 if LONG else 0.5
"""Seconds between two kills."""


def post(url: str, path: str, body: Any, token: str = "") -> Any:
    """The answer to a request."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    answer = httpx.post(f"{url}/v1{path}", json=body, headers=headers, timeout=60, trust_env=False)
    assert answer.status_code == 201, answer.text
    return answer.json()


def table_of(url: str, game: str, seats: int) -> tuple[str, list[str]]:
    """A table at which nobody sits yet, and the tokens of its players."""
    tokens = [post(url, "/players", {"name": f"Player {seat}"})["token"] for seat in range(seats)]
    request = {"game": game, "deals": fewest_deals(GAMES[game])}
    return post(url, "/tables", request, tokens[0])["table"], tokens


def test_the_example_plays_a_game_and_reads_each_event_once(service_url: str) -> None:
    table, tokens = table_of(service_url, "crocodile", 3)
    command = [NODE, KIT / "examples" / "bot.js"]
    with gate(service_url) as front:
        bots = [Program(command, front.url, table, tokens[0])]
        bots += [Program(command, service_url, table, token) for token in tokens[1:]]
        for bot in bots:
            bot.wait()
    view = httpx.get(f"{service_url}/v1/tables/{table}", trust_env=False).json()
    assert view["status"] == "finished"
    assert front.broken
    assert front.held
    for bot in bots:
        assert bot.ids == list(range(bot.ids[0], view["version"] + 1))


def test_the_example_is_short() -> None:
    lines = (KIT / "examples" / "bot.js").read_text(encoding="utf-8").splitlines()
    assert sum(1 for line in lines if line and not line.startswith("//")) <= 10


def test_two_processes_with_the_same_token_and_key_do_it_once(service_url: str) -> None:
    table, tokens = table_of(service_url, "diloti", 2)
    for token in tokens:
        post(service_url, f"/tables/{table}/seats", {}, token)
    at = f"{service_url}/v1/tables/{table}"
    token = tokens[httpx.get(at, trust_env=False).json()["to_act"][0]]
    bearer = {"Authorization": f"Bearer {token}"}
    offered = httpx.get(f"{at}/offers", headers=bearer, trust_env=False).json()
    offer = offered["offers"][0]
    action = {name: field["one_of"][0] for name, field in offer["fields"].items() if "one_of" in field}
    command = [NODE, TESTS / "same_key.mjs", service_url, token, table, "one-key"]
    command.append(json.dumps({"type": offer["type"]} | action))
    both = [
        subprocess.Popen(command, env=surroundings(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    answers = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], answers
    first, second = (json.loads(printed) for printed, _ in answers)
    assert first == second
    assert first["events"][0]["version"] == offered["version"] + 1
    assert httpx.get(at, trust_env=False).json()["version"] == first["version"]


def test_games_are_played_to_the_end_while_processes_are_killed(
    dsn: str, empty_redis: str, described: Mapping[str, str], tmp_path: Path
) -> None:
    served_by = {"CODILLE_DATABASE_URL": as_service(dsn), "CODILLE_REDIS_URL": empty_redis}
    settings = {"CODILLE_RATE_LIMIT": "off", "CODILLE_LOG_LEVEL": "warning", **described, **served_by}
    games = sorted(GAMES) if LONG else SHORT
    with doors(tmp_path, 2 if LONG else 1, settings) as processes:
        played = play(games, processes)
    assert [one["game"] for one in played] == sorted(games)
    for one in played:
        assert one["status"] == "finished"
        assert one["versions"] == list(range(1, one["version"] + 1)), one["game"]
    assert all(door.killed for door in processes)


def play(games: Sequence[str], processes: Sequence[Door]) -> list[Any]:
    """What the bots tell of the games, while one process after the other is killed."""
    wanted = [f"{game}:{fewest_deals(GAMES[game])}" for game in games]
    over = threading.Event()
    urls = " ".join(door.url for door in processes)

    def played() -> str:
        try:
            return node(TESTS / "play.mjs", *wanted, settings={"URLS": urls})
        finally:
            over.set()

    with ThreadPoolExecutor(1) as waiting:
        printed = waiting.submit(played)
        kill_in_turn(processes, over, pause_s=PAUSE_S, most=None if LONG else 1)
        return sorted(map(json.loads, printed.result().splitlines()), key=lambda one: str(one["game"]))
