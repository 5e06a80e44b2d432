"""Steps through a narrated game on a terminal, with the keyboard."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from select import select
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from prompt_toolkit.input import Input

HELP = "← → step   ↑ ↓ deal   Home End   q quit"

KEYS = {
    "right": "forward", "l": "forward", " ": "forward", "c-m": "forward",
    "left": "back", "h": "back",
    "down": "deal-forward", "pagedown": "deal-forward", "j": "deal-forward",
    "up": "deal-back", "pageup": "deal-back", "k": "deal-back",
    "home": "first", "g": "first",
    "end": "last", "G": "last",
    "q": "quit", "escape": "quit", "c-c": "quit", "c-d": "quit",
}  # fmt: skip
"""The move of each key, by prompt_toolkit's names; the letters are those of vi."""

WAIT_S = 0.2
"""Seconds until a resized terminal is redrawn, and for the rest of a key's sequence to arrive."""


class NoTerminal(Exception):
    """Standard input or output is not a terminal."""


class Steps:
    """A line in a narrated game, and the moves from it, line by line and deal by deal."""

    def __init__(self, lines: Sequence[Text]) -> None:
        """`lines` are the narrator's; a deal begins with its headline, after an empty line."""
        self._lines = [line for line in lines if line.plain.strip()]
        self._deals = [place for place, line in enumerate(self._lines) if line.plain.startswith("Deal ")]
        self.index = 0

    def __len__(self) -> int:
        return len(self._lines)

    def move(self, move: str) -> None:
        """Makes the move of a key. At either end, and for any other word, the line does not change."""
        last = len(self._lines) - 1
        before = [start for start in (0, *self._deals) if start < self.index]
        after = [start for start in self._deals if start > self.index]
        goal = {
            "forward": self.index + 1,
            "back": self.index - 1,
            "first": 0,
            "last": last,
            "deal-back": before[-1] if before else 0,
            "deal-forward": after[0] if after else last,
        }.get(move, self.index)
        self.index = min(max(goal, 0), last)

    def visible(self, height: int, wrap: Callable[[Text], Iterable[Text]] = lambda line: (line,)) -> list[Text]:
        """The current deal's lines up to the current one, which is marked, as the rows into which `wrap` breaks them.

        At most the last `height` rows.
        """
        begin = max((start for start in (0, *self._deals) if start <= self.index), default=0)
        lines = [line.copy() for line in self._lines[begin : self.index + 1]]
        lines[-1].stylize("reverse")
        return [row for line in lines for row in wrap(line)][-height:]


def step_through(lines: Sequence[Text], console: Console) -> None:
    """Shows the lines step by step, as keys are pressed, until a key quits.

    Raises NoTerminal if standard input or output is not a terminal.
    """
    if not (sys.stdin.isatty() and console.is_terminal):
        raise NoTerminal
    # Imported late: no other command reads keys.
    from prompt_toolkit.input import create_input

    steps = Steps(lines)
    keyboard = create_input()
    with console.screen(hide_cursor=True) as screen, keyboard.raw_mode():
        for move in chain([""], _moves(keyboard)):
            if move == "quit":
                return
            steps.move(move)
            place = Text(f"{steps.index + 1} of {len(steps)}   {HELP}", "dim")
            place.truncate(console.width)
            rows = steps.visible(console.height - 2, lambda line: line.wrap(console, console.width))
            screen.update(Text("\n").join([*rows, Text(), place]))


def _moves(keyboard: "Input") -> Iterator[str]:
    """The move of each pressed key; an empty string for other keys, and if none was pressed for `WAIT_S`."""
    while not keyboard.closed:
        pressed = select([keyboard.fileno()], [], [], WAIT_S)[0]
        # An escape may begin the sequence of another key. If nothing follows, it is the key itself.
        keys = keyboard.read_keys() if pressed else keyboard.flush_keys()
        yield from (KEYS.get(str.__str__(key.key), "") for key in keys)
        if not pressed:
            yield ""
