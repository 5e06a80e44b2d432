"""Plays any game by keyboard: CODILLE_TOKEN=... python terminal.py http://127.0.0.1:8000/v1 TABLE

Type the number of what to do. An empty line shows the table again, with what may be done out of turn too.
"""

import json
import os
import queue
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeAlias

import httpx
from words import Vocabulary, at

LOST_S = 1.0
"""Seconds after which to try again where a connection was lost."""

AGAIN = (429, 502, 503, 504)
"""Statuses after which to try again: the service's, or those of a proxy before it, which may name no time for it."""

APART = ("seats", "to_act", "totals", "winners", "options", "table_options")
"""Fields of a view that are shown otherwise than by their names."""


def send(http: httpx.Client, path: str, body: Any = None) -> httpx.Response:
    """The answer to a GET, or to a POST of the body. What was lost is sent again, and by its key done once."""
    method, headers = ("GET", {}) if body is None else ("POST", {"Idempotency-Key": str(uuid.uuid4())})
    while True:
        pause_s = LOST_S
        with suppress(httpx.TransportError):
            answer = http.request(method, path, json=body, headers=headers)
            if answer.status_code not in AGAIN:
                return answer
            pause_s = float(answer.headers.get("Retry-After", LOST_S))
        time.sleep(pause_s)


def lines(stream: httpx.Response) -> Iterator[bytes]:
    """The lines of a stream that are not empty. They end at LF alone; `iter_lines` would split texts at U+2028 too."""
    rest = b""
    for piece in stream.iter_bytes():
        *whole, rest = (rest + piece).split(b"\n")
        yield from filter(None, whole)


def follow(http: httpx.Client, path: str) -> Iterator[Any]:
    """The frames of a stream. One that ends is followed by one that goes on after the last frame."""
    headers = {"Accept": "application/x-ndjson"}
    while True:
        pause_s = LOST_S
        with suppress(httpx.TransportError), http.stream("GET", path, headers=headers, timeout=60) as stream:
            pause_s = float(stream.headers.get("Retry-After", LOST_S))
            if stream.status_code not in AGAIN:
                for frame in map(json.loads, lines(stream.raise_for_status())):
                    if "id" in frame:
                        headers["Last-Event-ID"] = str(frame["id"])
                        yield frame
        time.sleep(pause_s)


Choice: TypeAlias = tuple[str, dict[str, Any], dict[str, Any]]
"""Something to do: its text, what is known of the action, and the fields that are yet to be asked for."""


class Over(Exception):
    """The game is over, or there is nothing more to read."""


class Terminal:
    """One player's table. Frames and lines are read in threads of their own, and dealt with in one."""

    def __init__(self, http: httpx.Client, table: str) -> None:
        self.http = http
        self.path = f"/tables/{table}"
        self.incoming: queue.SimpleQueue[Any] = queue.SimpleQueue()
        """Frames, lines, and what ended a thread: None or an exception."""
        self.names: dict[str, str] = {}
        send(http, f"{self.path}/seats", {})  # Refused where the player sits there already.
        self.view = send(http, self.path).raise_for_status().json()
        self.words = Vocabulary(send(http, f"/games/{self.view['game']}").json(), self.name_of)
        self.choices: list[Choice] = []
        self.question = ""
        """What is asked for at the moment, but for what to do."""
        self.prompted = False
        """Whether the cursor stands behind a question."""

    def run(self) -> None:
        """Plays until the game is over. Raises httpx.HTTPStatusError where the table may not be followed."""
        for source in (follow(self.http, f"{self.path}/events/stream?view=true"), map(str.strip, sys.stdin)):
            threading.Thread(target=self._read, args=(source,), daemon=True).start()
        with suppress(Over):
            while True:
                line = self.line()
                chosen = numbered(line, self.choices)
                if not line:
                    self.offer()
                elif len(chosen) == 1:
                    self.act(*chosen[0])
                else:
                    print("Type one of the numbers.")
                    self.offer()

    def line(self) -> str:
        """The next line that is typed; what happens meanwhile is shown. Raises Over, and what ended the stream."""
        while True:
            item = self.incoming.get()
            if isinstance(item, str):
                self.prompted = False
                return item
            if not isinstance(item, dict):
                raise item or Over
            self.show(item)
            turn = self.view["you"] in self.view["to_act"] or not self.view["to_act"]
            if self.question:
                self.prompt(self.question)
            elif turn and self.view["status"] == "playing" and self.incoming.empty():
                self.offer()

    def show(self, frame: Any) -> None:
        """Shows what happened. Raises Over if it was the last event."""
        self.view = frame["data"]["view"]
        if frame["frame"] == "event":
            lines = self.words.event(frame["data"])
            if self.prompted:
                print()
            self.prompted = False
            print(f"{frame['id']:5}  " + "\n       ".join(lines))
        if self.view["status"] in ("finished", "closed"):
            raise Over

    def offer(self) -> None:
        """Asks what may be done now, and shows it below the table."""
        offers = send(self.http, f"{self.path}/offers").raise_for_status().json()["offers"]
        self.choices = [choice for offer in offers for choice in self.choices_of(offer)]
        if offers:
            choices = in_a_row([text for text, _, _ in self.choices])
            print(*self.table(), "", choices, sep="\n")
            self.prompt("What do you do?")

    def prompt(self, question: str) -> None:
        """Asks for a line."""
        print(question, end=" > ", flush=True)
        self.prompted = True

    def choices_of(self, offer: Any) -> list[Choice]:
        """An offer's choices. What is the only value is not asked for, nor what is the only field with several."""
        known = {
            name: field["one_of"][0] for name, field in offer["fields"].items() if len(field.get("one_of", ())) == 1
        }
        asked = {name: field for name, field in offer["fields"].items() if name not in known}
        actions = [{"type": offer["type"]} | known]
        if len(asked) == 1:
            ((name, field),) = asked.items()
            if "one_of" in field:
                actions, asked = [actions[0] | {name: value} for value in field["one_of"]], {}
        return [(self.label(action), action, asked) for action in actions]

    def label(self, action: Any) -> str:
        """An action in words."""
        label = self.words.words["acts"].get(action["type"], action["type"])
        values = [
            self.words.value(value, name) for name, value in action.items() if name != "type" and value is not None
        ]
        return f"{label} {', '.join(values)}".strip()

    def act(self, text: str, action: Any, fields: Any) -> None:
        """Asks for the fields, and does it. What is refused is said."""
        values = {name: self.value(f"{text}, {name}", name, field) for name, field in fields.items()}
        answer = send(self.http, f"{self.path}/actions", action | values)
        if not answer.is_success:
            problem = answer.json()
            print(problem["title"] + ":", problem["detail"], problem.get("rule", ""))
            self.offer()

    def value(self, label: str, name: str, field: Any) -> Any:
        """The value that is typed for a field; it is asked for until the field takes it."""
        match field:
            case {"one_of": values}:
                return self.some(label, name, values, 1, 1)[0]
            case {"some_of": values, "min": least, "max": most}:
                return self.some(label, name, values, least, most)
            case {"sets_of": {"values": values, "total": total, "examples": examples}}:
                label += f" in sets of {total}, such as {' or '.join(self.words.value(each) for each in examples)}"
                return self.some(label, name, list(values), 0, len(values))
            case {"text": {"min": least, "max": most}}:
                return self.ask(f"{label}: {least} to {most} characters")
            case _:
                raise ValueError(f"an offer has a field of a new kind: {field}")

    def some(self, label: str, name: str, values: list[Any], least: int, most: int) -> list[Any]:
        """So many of the values, by their numbers."""
        how_many = "one number" if least == most == 1 else f"{least} to {most} numbers"
        choices = in_a_row([self.words.value(value, name) for value in values])
        while True:
            line = self.ask(f"\n{choices}\n{label}: {how_many}")
            chosen = numbered(line, values)
            if least <= len(chosen) <= most and len(chosen) == len(line.split()):
                return chosen

    def ask(self, question: str) -> str:
        """What is typed in answer to the question."""
        self.prompt(question)
        self.question = question
        line = self.line()
        self.question = ""
        return line

    def table(self) -> Iterator[str]:
        """The view, line by line."""
        view, words = self.view, self.words
        yield f"\nDeal {view['deal']} of {view['deals']}" if view["deal"] else ""
        yield from words.status(view)
        roles = {at(view, path): role for path, role in words.words["marks"].items()}
        for seat, total in zip(view["seats"], view["totals"], strict=True):
            number = seat["seat"]
            own = {name: words.value(value, name) for name, value in seat.items() if name not in ("seat", "player")}
            turn, role = "*" if number in view["to_act"] else " ", f" ({roles[number]})" if number in roles else ""
            parts = ", ".join(f"{name.replace('_', ' ')} {text}" for name, text in own.items())
            yield f"{turn} {self.name_of(number)}{role} {total:+}: {parts}"
        for name, value in view.items():
            if name not in APART and value and isinstance(value, dict | list):
                yield f"  {name.replace('_', ' ')}: {words.value(value, name)}"

    def name_of(self, seat: int) -> str:
        """The name of the player on a seat."""
        player = self.view["seats"][seat]["player"]
        if player is None:
            return f"seat {seat}"
        if player not in self.names:
            self.names[player] = send(self.http, f"/players/{player}").json().get("name", f"seat {seat}")
        return self.names[player]

    def _read(self, source: Iterator[Any]) -> None:
        try:
            for item in source:
                self.incoming.put(item)
            self.incoming.put(None)
        except httpx.HTTPError as error:
            self.incoming.put(error)


def in_a_row(texts: list[str]) -> str:
    """The texts with their numbers."""
    return "   ".join(f"{number}) {text}" for number, text in enumerate(texts, 1))


def numbered(line: str, items: list[Any]) -> list[Any]:
    """The items whose numbers stand in the line, each once; what is no number of an item is passed over."""
    numbers = [int(word) for word in dict.fromkeys(line.split()) if word.isdecimal()]
    return [items[number - 1] for number in numbers if 0 < number <= len(items)]


if __name__ == "__main__":
    bearer = {"Authorization": f"Bearer {os.environ['CODILLE_TOKEN']}"}
    Terminal(httpx.Client(base_url=sys.argv[1], headers=bearer), sys.argv[2]).run()
