"""The example clients, as developers run them, and what each of them has read of its stream."""

import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx

from tests.support.followers import lines_of
from tests.support.generated import Generated
from tests.support.kits import python_kit
from tests.support.picking import pick

SILENT_S = 300.0
"""For how many seconds a client may read no event, on a machine that is busy with other games and tests."""

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / "api-spec" / "clients" / "python"

SHOWN = re.compile(r"^ *(\d+) +\S", re.MULTILINE)
"""A line of output that tells of an event, by its number."""

PROMPT = re.compile(r"(?:^|\n)([^\n]*)\n([^\n]*) > $")
"""At the end of the output: the numbered choices, and the question."""


def ends(client: "Threaded | Program") -> bool:
    """Waits until the client ends; False if it reads no event for too long before."""
    read = -1
    while not client.ended(SILENT_S):
        before, read = read, len(client.ids)
        if read == before:
            return False
    return True


class Threaded:
    """A client in a thread of this process."""

    def __init__(self) -> None:
        self.ids: list[int] = []
        """The numbers of the events that it has read."""
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def play(self) -> None:
        """Plays to the end."""
        raise NotImplementedError

    def _run(self) -> None:
        try:
            self.play()
        except BaseException as error:  # said by `wait`
            self._error = error

    def wait(self) -> None:
        """Returns when the game is over for it."""
        assert ends(self), self.ids[-3:]
        if self._error is not None:
            raise self._error

    def ended(self, within_s: float) -> bool:
        """Whether it ends within so many seconds."""
        self._thread.join(within_s)
        return not self._thread.is_alive()


class Bot(Threaded):
    """A bot that plays as the example in Python does, by the face of the kit that has no `async`."""

    def __init__(self, url: str, table: str, token: str) -> None:
        self._client = python_kit().Client(url, token)
        self._table = self._client.table(table)
        self._chance = random.Random(token)  # noqa: S311 (picking)
        super().__init__()

    def play(self) -> None:
        """As the example does."""
        with self._client:
            for moment in self._table.follow():
                self.ids += [moment.version] if moment.event else []
                if moment.to_act:
                    moment.act(self._chance.choice(moment.offers).random(self._chance))


class GeneratedBot(Threaded):
    """A bot that speaks through the generated client, and reads the table's stream with that one's connection."""

    def __init__(self, generated: Generated, url: str, table: str, token: str, game: str) -> None:
        self._generated = generated
        self._client = generated.package.AuthenticatedClient(base_url=url, token=token, httpx_args={"trust_env": False})
        self._table = UUID(table)
        self._game = game
        self._chance = random.Random(token)  # noqa: S311 (picking)
        self._view: Any = None
        super().__init__()

    def play(self) -> None:
        """Like the example."""
        with self._client as client:
            while self._view is None or self._view.status in ("open", "playing"):
                try:
                    self._act()
                    self._read(client.get_httpx_client())
                except httpx.TransportError:
                    time.sleep(1)
                except Held as held:
                    time.sleep(held.seconds)

    def _read(self, http: httpx.Client) -> None:
        place = {"last_event_id": str(self.ids[-1])} if self.ids else {}
        request = self._generated.operation("streams.stream_events")._get_kwargs(self._table, view="true", **place)
        request["headers"]["Accept"] = "application/x-ndjson"
        with http.stream(**request, timeout=60) as answer:
            check(answer.status_code, answer.headers, 200)
            for frame in map(json.loads, lines_of(answer)):
                if "id" in frame:
                    self.ids.append(frame["id"])
                    self._view = self._generated.view(self._game, frame["data"]["view"])
                    if self._view.status in ("finished", "closed"):
                        return
                    self._act()

    def _act(self) -> None:
        view = self._view
        if view is None or view.status != "playing" or (view.to_act and view.you not in view.to_act):
            return
        answer = self._generated.operation("play.get_offers").sync_detailed(self._table, client=self._client)
        check(answer.status_code, answer.headers, 200)
        if answer.parsed.offers and answer.parsed.version == view.version:
            action = pick([offer.to_dict() for offer in answer.parsed.offers], self._chance)
            acted = self._generated.operation("play.act").sync_detailed(
                self._table,
                client=self._client,
                body=self._generated.action(self._game, action),
                if_match=f'"{view.version}"',
            )
            check(acted.status_code, acted.headers, 201, 412)


class Held(Exception):
    """The service asks to come again after so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds


def check(status: int, headers: Mapping[str, str], *expected: int) -> None:
    """Raises Held where the service asks for it; no other status than those may come."""
    if status in (429, 503):
        raise Held(float(headers["Retry-After"]))
    assert status in expected


class Program:
    """An example in a process of its own. `output` is what it has printed."""

    def __init__(self, command: Sequence[str | Path], url: str, table: str, token: str) -> None:
        python_kit()
        given: Mapping[str, str] = {"CODILLE_TOKEN": token, "NO_PROXY": "127.0.0.1", "PYTHONUNBUFFERED": "1"}
        given |= {"PYTHONPATH": str(PYTHON / "src")}
        self.output = ""
        self.process = subprocess.Popen(
            [*command, f"{url}/v1", table],
            env=os.environ | given,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @property
    def ids(self) -> list[int]:
        """The numbers of the events that it has shown."""
        return [int(number) for number in SHOWN.findall(self.output)]

    def wait(self) -> None:
        """Returns when it has ended, which it must without an error."""
        try:
            assert ends(self), self.output[-2000:]
            assert self.process.returncode == 0, self.output[-2000:]
        finally:
            self.process.kill()
        self._thread.join()

    def ended(self, within_s: float) -> bool:
        """Whether its process ends within so many seconds."""
        try:
            self.process.wait(within_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _read(self) -> None:
        assert self.process.stdout is not None
        while piece := os.read(self.process.stdout.fileno(), 65536):
            self.output += piece.decode(errors="replace")
            self.printed()

    def printed(self) -> None:
        """Something was printed."""


class Keyboard(Program):
    """The client for the terminal, at whose keyboard somebody types what is asked for, by chance."""

    def __init__(self, url: str, table: str, token: str, chance: random.Random) -> None:
        self._chance = chance
        super().__init__([sys.executable, PYTHON / "examples" / "terminal.py"], url, table, token)

    def printed(self) -> None:
        """Types an answer where there is a question."""
        asked = PROMPT.search(self.output)
        if asked is None:
            return
        assert self.process.stdin is not None
        self.process.stdin.write(f"{self._answer(asked[1], asked[2])}\n".encode())
        self.process.stdin.flush()
        # It is answered once.
        self.output += "\n"

    def _answer(self, choices: str, question: str) -> str:
        texts = dict(re.findall(r"(\d+)\) (.*?)(?:   |$)", choices))
        if such := re.search(r" such as (.*?)(?: or .*|): ", question):
            return " ".join(number for number, text in texts.items() if text in such[1].split(", "))
        if length := re.search(r": (\d+) to \d+ characters", question):
            return "x" * int(length[1])
        if bounds := re.search(r": (\d+) to (\d+) numbers", question):
            return " ".join(self._chance.sample([*texts], self._chance.randint(int(bounds[1]), int(bounds[2]))))
        return self._chance.choice([*texts])
