"""Stepping through a game: where keys lead, and a terminal on which they are pressed."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.text import Text

from domain.registry import GAMES
from service.cli.replay import ALL, tell
from service.cli.stepper import Steps
from tests.unit.cli.game import told

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
from rich.console import Console
from rich.text import Text
from service.cli.stepper import step_through
step_through([Text(line) for line in ("first", "Deal 1", "  second", "Deal 2", "  third")], Console())
print("left")
"""


def walked(*moves: str) -> Steps:
    steps = Steps(LINES)
    for move in moves:
        steps.move(move)
    return steps


@pytest.mark.parametrize(
    ("moves", "place"),
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
    assert walked(*moves).place == place


def test_the_deal_is_shown_up_to_the_step_and_no_more_than_there_is_room_for() -> None:
    steps = walked("last")
    assert [line.plain.strip() for line in steps.shown(10)] == ["Deal 2 of 2", "trick 1", "end"]
    assert [line.plain.strip() for line in steps.shown(2)] == ["trick 1", "end"]
    assert [line.plain.strip() for line in walked("forward").shown(10)] == ["Deal 1 of 2  dealt by Ada"]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_stepped_through_deal_by_deal(name: str) -> None:
    events = told(GAMES[name], seed=3)
    steps = Steps(list(tell(events, ALL, str)))
    deals = sum(event["type"] == "cards-dealt" for event in events)
    headlines = []
    for _ in range(deals):
        steps.move("deal-forward")
        headlines.append(steps.shown(1)[0].plain)
    assert [line.split("  ")[0] for line in headlines] == [f"Deal {n} of {deals}" for n in range(1, deals + 1)]
    steps.move("last")
    assert steps.shown(1)[0].plain.startswith("  finished")


def read_until(descriptor: int, wanted: bytes) -> bytes:
    """What the terminal shows, up to what is wanted."""
    shown = b""
    deadline = time.monotonic() + 30
    while wanted not in shown:
        assert time.monotonic() < deadline, shown
        if select.select([descriptor], [], [], 0.1)[0]:
            shown += os.read(descriptor, 4096)
    return shown


def test_arrow_keys_step_on_a_terminal_and_it_is_left_as_it_was() -> None:
    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80", "LINES": "24", "PYTHONPATH": str(Path.cwd())},
    )
    os.close(terminal)
    try:
        read_until(controller, b"1 of 5")
        for key, wanted in ((b"\x1b[C", b"2 of 5"), (b"\x1b[B", b"4 of 5"), (b"\x1b[D", b"3 of 5"), (b"G", b"5 of 5")):
            os.write(controller, key)
            read_until(controller, wanted)
        os.write(controller, b"q")
        read_until(controller, b"left")
        assert process.wait(30) == 0
    finally:
        process.kill()
        os.close(controller)


def test_without_a_terminal_that_is_said() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
    )
    assert "NoTerminal" in done.stderr
