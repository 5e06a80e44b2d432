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


def act(http: httpx.Client, path: str, view: Any, offers: Any) -> None:
    """Takes one of the offers, if it is the player's turn, or nobody's, as in games without turns."""
    if offers and view["status"] == "playing" and (view["you"] in view["to_act"] or not view["to_act"]):
        offer = random.choice(offers)
        action = {"type": offer["type"]} | {name: value(field) for name, field in offer["fields"].items()}
        answer = http.post(f"{path}/actions", json=action, headers={"If-Match": f'"{view["version"]}"'})
        answer.status_code == 412 or answer.raise_for_status()  # 412: another was first, and the stream goes on.


def play(http: httpx.Client, path: str, show: Any = print) -> None:
    """Plays until the game is over. A stream that ends is followed by one that goes on after the last frame."""
    headers, view, offers = {"Accept": "application/x-ndjson"}, {"status": "open"}, None
    while True:
        try:
            act(http, path, view, offers)  # The connection may have been lost before this was done.
            with http.stream("GET", f"{path}/events/stream?view=true&offers=true", headers=headers, timeout=60) as live:
                rest = b""
                for piece in live.raise_for_status().iter_bytes():
                    *lines, rest = (rest + piece).split(b"\n")  # `iter_lines` would split texts at U+2028 too.
                    for frame in map(json.loads, filter(None, lines)):
                        if "id" in frame:
                            headers["Last-Event-ID"], data = str(frame["id"]), frame["data"]
                            view, offers = data["view"], data.get("offers")  # They come where an act ends.
                            show(frame["id"], data.get("type", "snapshot"))
                            if view["status"] in ("finished", "closed"):
                                return
                            act(http, path, view, offers)
        except (httpx.TransportError, httpx.HTTPStatusError) as error:
            answer = error.response if isinstance(error, httpx.HTTPStatusError) else httpx.Response(503)
            if answer.status_code not in (429, 502, 503, 504):
                raise
            time.sleep(float(answer.headers.get("Retry-After", 1)))  # A proxy's own errors may not say when.


if __name__ == "__main__":
    client = httpx.Client(base_url=sys.argv[1], headers={"Authorization": f"Bearer {os.environ['CODILLE_TOKEN']}"})
    while client.post(f"/tables/{sys.argv[2]}/seats", json={}).is_server_error:
        time.sleep(1)  # Another error says that the player sits there already.
    play(client, f"/tables/{sys.argv[2]}")
