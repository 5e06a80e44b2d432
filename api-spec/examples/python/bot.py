"""A bot for any game: CODILLE_TOKEN=... python bot.py http://127.0.0.1:8000/v1 TABLE"""

import json
import os
import random
import sys
import time
from typing import Any

import httpx


def value(field: Any) -> Any:
    """One of the values that a field of an offer takes."""
    if "some_of" in field:
        return random.sample(field["some_of"], random.randint(field["min"], field["max"]))
    examples = field["sets_of"]["examples"] if "sets_of" in field else field.get("one_of")
    return random.choice(examples or ["-" * field["text"]["min"]])


def act(http: httpx.Client, table: str, view: Any) -> None:
    """Takes one of the offers, if it is the player's turn, or nobody's, as in games without turns."""
    if view["status"] == "playing" and (view["you"] in view["to_act"] or not view["to_act"]):
        turn = http.get(f"{table}/offers").raise_for_status().json()
        if turn["version"] == view["version"] and turn["offers"]:
            offer = random.choice(turn["offers"])
            action = {"type": offer["type"]} | {name: value(field) for name, field in offer["fields"].items()}
            answer = http.post(f"{table}/actions", json=action, headers={"If-Match": f'"{view["version"]}"'})
            if answer.status_code != 412:  # Another was first, and the stream says what to do next.
                answer.raise_for_status()


def play(http: httpx.Client, table: str, show: Any = print) -> None:
    """Plays until the game is over. A stream that ends is followed by one that goes on after the last frame."""
    headers, view = {"Accept": "application/x-ndjson"}, {"status": "open"}
    while True:
        try:
            act(http, table, view)  # The connection may have been lost before this was done.
            with http.stream("GET", f"{table}/events/stream?view=true", headers=headers, timeout=60) as stream:
                rest = b""
                for piece in stream.raise_for_status().iter_bytes():
                    *lines, rest = (rest + piece).split(b"\n")  # `iter_lines` would split texts at U+2028 too.
                    for frame in map(json.loads, filter(None, lines)):
                        if "id" in frame:
                            headers["Last-Event-ID"], view = str(frame["id"]), frame["data"]["view"]
                            show(frame["id"], frame["data"].get("type", "snapshot"))
                            if view["status"] in ("finished", "closed"):
                                return
                            act(http, table, view)
        except httpx.TransportError:
            time.sleep(1)
        except httpx.HTTPStatusError as error:
            time.sleep(float(error.response.headers["Retry-After"]))  # Errors that have none end the bot.


if __name__ == "__main__":
    client = httpx.Client(base_url=sys.argv[1], headers={"Authorization": f"Bearer {os.environ['CODILLE_TOKEN']}"})
    client.post(f"/tables/{sys.argv[2]}/seats", json={})  # Refused where the player sits there already.
    play(client, f"/tables/{sys.argv[2]}")
