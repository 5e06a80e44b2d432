"""Stepping through a game: where keys lead, and a terminal on which they are pressed."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from service.cli.replay import ALL, narrate
from service.cli.stepper import WAIT_S, Steps
from tests.support.for_each import for_each
from tests.support.registry import GAMES
from tests.unit.cli.game import open_events

LINES = [
    Text(line)
    for line in (
        "  table     Crocodile",
        "",
        "Deal 1 of 2  dealt by Ada",
        "  trick 1",
        "",
        "Deal 2 of 2",
        "  trick 1",
        "  end",
    )
]

PROGRAM = """
import sys
from rich.console import Console
from rich.text import Text
from service.cli import stepper
stepper.WAIT_S = float(sys.argv[1])
stepper.step_through([Text(line) for line in ("first", "Deal 1", "  second", "Deal 2", "  third")], Console())
print("left")
"""


def walked(*moves: str) -> Steps:
    steps = Steps(LINES)
    for move in moves:
        steps.move(move)
    return steps


@for_each(
    "moves, place",
    [
        ((), 0),
        (("back",), 0),
        (("forward", "forward"), 2),
        (("last",), 5),
        (("last", "forward"), 5),
        (("last", "first"), 0),
        (("deal-forward",), 1),
        (("deal-forward", "deal-forward"), 3),
        (("deal-forward", "deal-forward", "deal-forward"), 5),
        (("last", "deal-back"), 3),
        (("last", "deal-back", "deal-back"), 1),
        (("deal-forward", "deal-back"), 0),
        (("nothing",), 0),
    ],
)
def test_keys_lead_by_steps_and_by_deals(moves: tuple[str, ...], place: int) -> None:
    assert walked(*moves).index == place


def test_the_deal_is_visible_up_to_the_step_as_far_as_there_is_room() -> None:
    steps = walked("last")
    assert [line.plain.strip() for line in steps.visible(10)] == ["Deal 2 of 2", "trick 1", "end"]
    assert [line.plain.strip() for line in steps.visible(2)] == ["trick 1", "end"]
    assert [line.plain.strip() for line in walked("forward").visible(10)] == ["Deal 1 of 2  dealt by Ada"]


@pytest.mark.parametrize("width", [12, 40, 80])
def test_a_line_that_is_wider_than_the_terminal_takes_several_rows(width: int) -> None:
    name = "W" * 64
    steps = Steps(
        [Text("Deal 1"), Text(f"  ledger    {name} passes."), Text(f"  ledger    {name} plays the last card")]
    )
    steps.move("last")
    console = Console(width=width, height=10)
    rows = steps.visible(8, lambda line: line.wrap(console, width))
    assert len(rows) <= 8
    assert max(row.cell_len for row in rows) <= width
    assert rows[-1].plain.split()[-1] == "card"


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_stepped_through_deal_by_deal(name: str) -> None:
    events = open_events(GAMES[name])
    steps = Steps(list(narrate(events, ALL, str, GAMES)))
    deals = sum(event["type"] == "cards-dealt" for event in events)
    headlines = []
    for _ in range(deals):
        steps.move("deal-forward")
        headlines.append(steps.visible(1)[0].plain)
    assert [line.split("  ")[0] for line in headlines] == [f"Deal {n} of {deals}" for n in range(1, deals + 1)]
    steps.move("last")
    assert steps.visible(1)[0].plain.startswith("  finished")


class Terminal:
    """A terminal of 80 columns and 24 lines on which a game is stepped through, and somebody who presses keys."""

    def __init__(self, wait_s: float = WAIT_S) -> None:
        self._controller, terminal = pty.openpty()
        self.resize(24)
        self.settings = termios.tcgetattr(self._controller)
        environment = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(wait_s)],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=environment | {"TERM": "xterm", "PYTHONPATH": str(Path.cwd())},
        )
        os.close(terminal)

    def press(self, *keys: bytes) -> None:
        """Presses keys, all at once."""
        os.write(self._controller, b"".join(keys))

    def resize(self, height: int) -> None:
        termios.tcsetwinsize(self._controller, (height, 80))

    def await_text(self, text: bytes) -> bytes:
        """What the terminal receives, up to this text."""
        received = b""
        deadline = time.monotonic() + 30
        while text not in received:
            assert time.monotonic() < deadline, received
            if select.select([self._controller], [], [], 0.1)[0]:
                received += os.read(self._controller, 4096)
        return received

    def left(self) -> bool:
        """Whether the program has ended well, and the terminal's settings are what they were."""
        self.await_text(b"left")
        return self.process.wait(30) == 0 and termios.tcgetattr(self._controller) == self.settings

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._controller)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """A terminal that shows the first of five lines."""
    made = Terminal()
    try:
        made.await_text(b"1 of 5")
        yield made
    finally:
        made.close()


def test_arrow_keys_step_on_a_terminal_and_it_is_left_as_it_was(terminal: Terminal) -> None:
    for key, place in ((b"\x1b[C", b"2 of 5"), (b"\x1b[B", b"4 of 5"), (b"\x1b[D", b"3 of 5"), (b"G", b"5 of 5")):
        terminal.press(key)
        terminal.await_text(place)
    terminal.press(b"q")
    assert terminal.left()


def test_the_keys_of_terminals_of_all_kinds(terminal: Terminal) -> None:
    homes, ends = (b"\x1b[H", b"\x1bOH", b"\x1b[1~", b"g"), (b"\x1b[F", b"\x1bOF", b"\x1b[4~", b"G")
    for home, end in zip(homes, ends, strict=True):
        terminal.press(end)
        terminal.await_text(b"5 of 5")
        terminal.press(home)
        terminal.await_text(b"1 of 5")
    forwards, backs = (b"\x1b[C", b"\x1bOC", b" ", b"\r", b"l"), (b"\x1b[D", b"\x1bOD", b"h", b"h", b"h")
    for forward, back in zip(forwards, backs, strict=True):
        terminal.press(forward)
        terminal.await_text(b"2 of 5")
        terminal.press(back)
        terminal.await_text(b"1 of 5")
    for down, up in ((b"\x1b[B", b"\x1b[A"), (b"\x1bOB", b"\x1bOA"), (b"\x1b[6~", b"\x1b[5~"), (b"j", b"k")):
        terminal.press(down, down)
        terminal.await_text(b"4 of 5")
        terminal.press(up, up)
        terminal.await_text(b"1 of 5")


def test_keys_that_come_at_once_all_count(terminal: Terminal) -> None:
    terminal.press(b"\x1b[C", b"\x1b[C", b"\x1b[C")
    terminal.await_text(b"4 of 5")


def test_a_key_that_comes_in_parts_is_one_key() -> None:
    # However long a busy machine takes between the parts.
    with closing(Terminal(wait_s=60.0)) as terminal:
        terminal.await_text(b"1 of 5")
        terminal.press(b"\x1b")
        time.sleep(0.02)
        terminal.press(b"[C")
        terminal.await_text(b"2 of 5")


def test_a_key_without_a_meaning_does_nothing(terminal: Terminal) -> None:
    terminal.press(b"\x1b[1;5C", b"x", b"\x1b[C")
    terminal.await_text(b"2 of 5")


@pytest.mark.parametrize("key", [b"q", b"\x1b", b"\x03", b"\x04"], ids=["q", "escape", "ctrl-c", "ctrl-d"])
def test_a_key_quits_and_the_terminal_is_left_as_it_was(terminal: Terminal, key: bytes) -> None:
    terminal.press(key)
    assert terminal.left()


def test_a_terminal_that_is_resized_is_drawn_anew(terminal: Terminal) -> None:
    terminal.press(b"G")
    terminal.await_text(b"5 of 5")
    terminal.resize(3)
    terminal.await_text(b"third")
    terminal.await_text(b"5 of 5")


def test_without_a_terminal_it_fails() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, "1"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert "NoTerminal" in done.stderr
