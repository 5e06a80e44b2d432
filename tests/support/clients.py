"""The example clients, as developers run them, and what each of them has read of its stream."""

import importlib
import os
import random
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

import httpx

GAME_S = 300.0
"""How long a game may take, on a machine that is busy with other tests."""

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "api-spec" / "examples"
TYPESCRIPT = ROOT / ".lint" / "node_modules" / "typescript"

TRANSPILE = """
const [module, source, target] = process.argv.slice(1);
const ts = require(module), fs = require("fs");
const compilerOptions = { target: "ES2022", module: "ESNext" };
fs.writeFileSync(target, ts.transpileModule(fs.readFileSync(source, "utf8"), { compilerOptions }).outputText);
"""

SHOWN = re.compile(r"^ *(\d+) +\S", re.MULTILINE)
"""A line of output that tells of an event, by its number."""

PROMPT = re.compile(r"(?:^|\n)([^\n]*)\n([^\n]*) > $")
"""At the end of the output: the numbered choices, and the question."""


def example(name: str) -> ModuleType:
    """One of the Python examples, as a module."""
    folder = str(EXAMPLES / "python")
    sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(folder)


NODE = shutil.which("node") or "node"


def why_no_typescript() -> str | None:
    """What is missing to run TypeScript; None if nothing is."""
    if shutil.which(NODE) is None:
        return "node is not installed"
    return None if TYPESCRIPT.exists() else "TypeScript is not installed under .lint, as `make lint` does it"


def transpiled(name: str, folder: Path) -> Path:
    """One of the TypeScript examples, as JavaScript in the folder."""
    made = folder / f"{name}.mjs"
    source = EXAMPLES / "typescript" / f"{name}.ts"
    subprocess.run([NODE, "-e", TRANSPILE, str(TYPESCRIPT), str(source), str(made)], check=True)
    return made


class Bot:
    """The bot in Python, in a thread of this process."""

    def __init__(self, url: str, table: str, token: str) -> None:
        self.ids: list[int] = []
        self.error: BaseException | None = None
        bearer = {"Authorization": f"Bearer {token}"}
        self._http = httpx.Client(base_url=f"{url}/v1", headers=bearer, trust_env=False, verify=False)  # noqa: S501 (HTTP)
        self._table = f"/tables/{table}"
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            with self._http:
                example("bot").play(self._http, self._table, lambda number, _: self.ids.append(number))
        except BaseException as error:  # said by `wait`
            self.error = error

    def wait(self) -> None:
        """Returns when the game is over for it."""
        self._thread.join(GAME_S)
        assert not self._thread.is_alive(), self.ids[-3:]
        if self.error is not None:
            raise self.error


class Program:
    """An example in a process of its own. `output` is what it has printed."""

    def __init__(self, command: Sequence[str | Path], url: str, table: str, token: str) -> None:
        given: Mapping[str, str] = {"CODILLE_TOKEN": token, "NO_PROXY": "127.0.0.1", "PYTHONUNBUFFERED": "1"}
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
            assert self.process.wait(GAME_S) == 0, self.output[-2000:]
        finally:
            self.process.kill()
        self._thread.join()

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
        super().__init__([sys.executable, EXAMPLES / "python" / "terminal.py"], url, table, token)

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
