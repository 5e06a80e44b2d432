"""Stepping through a told game on a terminal, with the keyboard."""

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

HELP = "← → step   ↑ ↓ deal   Home End   q quit"

KEYS = {
    b"\x1b[C": "forward", b"\x1bOC": "forward", b" ": "forward", b"\r": "forward", b"l": "forward",
    b"\x1b[D": "back", b"\x1bOD": "back", b"h": "back",
    b"\x1b[B": "deal-forward", b"\x1bOB": "deal-forward", b"\x1b[6~": "deal-forward", b"j": "deal-forward",
    b"\x1b[A": "deal-back", b"\x1bOA": "deal-back", b"\x1b[5~": "deal-back", b"k": "deal-back",
    b"\x1b[H": "first", b"\x1bOH": "first", b"\x1b[1~": "first", b"g": "first",
    b"\x1b[F": "last", b"\x1bOF": "last", b"\x1b[4~": "last", b"G": "last",
    b"q": "quit", b"\x1b": "quit", b"\x03": "quit", b"\x04": "quit", b"": "quit",
}  # fmt: skip
"""What each key does: those of terminals of all kinds, and those of vi."""

ESCAPE_S = 0.05
"""How long the rest of a key's sequence may take; an escape alone is the key itself."""


class NoTerminal(Exception):
    """There is nobody to press keys."""


class Steps:
    """The lines of a game that are told by now, deal by deal."""

    def __init__(self, lines: Sequence[Text]) -> None:
        """`lines` as they are told; a deal begins with its headline, after an empty line."""
        self._lines = [line for line in lines if line.plain.strip()]
        self._deals = [place for place, line in enumerate(self._lines) if line.plain.startswith("Deal ")]
        self.place = 0

    def __len__(self) -> int:
        return len(self._lines)

    def move(self, what: str) -> None:
        """Goes where a key leads; at either end it stays."""
        last = len(self._lines) - 1
        before = [start for start in (0, *self._deals) if start < self.place]
        after = [start for start in self._deals if start > self.place]
        goal = {
            "forward": self.place + 1,
            "back": self.place - 1,
            "first": 0,
            "last": last,
            "deal-back": before[-1] if before else 0,
            "deal-forward": after[0] if after else last,
        }.get(what, self.place)
        self.place = min(max(goal, 0), last)

    def shown(self, height: int) -> list[Text]:
        """The lines of the deal up to here, as many as there is room for, the newest one marked."""
        begin = max((start for start in (0, *self._deals) if start <= self.place), default=0)
        told = [line.copy() for line in self._lines[begin : self.place + 1]]
        told[-1].stylize("reverse")
        return told[-height:]


def step_through(lines: Sequence[Text], console: Console) -> None:
    """Shows the lines one by one, as keys are pressed, until the reader has enough. Raises NoTerminal."""
    if not (sys.stdin.isatty() and console.is_terminal):
        raise NoTerminal
    steps = Steps(lines)
    descriptor = sys.stdin.fileno()
    with console.screen(hide_cursor=True) as screen, _raw(descriptor):
        while True:
            place = Text(f"{steps.place + 1} of {len(steps)}   {HELP}", "dim")
            shown = Text("\n").join([*steps.shown(console.height - 2), Text(), place])
            screen.update(shown)
            what = KEYS.get(_pressed(descriptor), "")
            if what == "quit":
                return
            steps.move(what)


@contextmanager
def _raw(descriptor: int) -> Iterator[None]:
    """Meanwhile keys are read one by one and not shown."""
    before = termios.tcgetattr(descriptor)
    tty.setraw(descriptor, termios.TCSADRAIN)
    # Output goes on as before: raw mode would leave each line below the end of the one before.
    mode = termios.tcgetattr(descriptor)
    mode[1] = before[1]
    termios.tcsetattr(descriptor, termios.TCSADRAIN, mode)
    try:
        yield
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _pressed(descriptor: int) -> bytes:
    """The next key, with all its bytes."""
    key = os.read(descriptor, 1)
    while (key.startswith(b"\x1b") and key not in KEYS) or key == b"\x1b":
        if len(key) > 8 or not select.select([descriptor], [], [], ESCAPE_S)[0]:
            break
        key += os.read(descriptor, 1)
    return key
