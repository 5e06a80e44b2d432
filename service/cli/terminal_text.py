"""Cards, names and amounts as shown on a terminal."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain.cards import SIGNS, Face, Suit
from domain.kernel.ledger import signed

SUITS: Mapping[Suit, str] = {"s": "bold", "h": "bold red", "d": "bold bright_blue", "c": "bold green"}
"""The styles of a four-colour pack, in which no two suits look alike."""

SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}

SEAT_STYLES = ("cyan", "magenta", "yellow", "bright_green", "bright_red")

PLAIN_WIDTH = 120
"""Columns if the output is not a terminal."""


def console(stream: TextIO | None = None) -> Console:
    """A console that prints text unchanged: no markup, no highlighting, no wrapping. Standard output by default."""
    target = stream or sys.stdout
    width = None if target.isatty() else PLAIN_WIDTH
    return Console(file=target, width=width, markup=False, highlight=False, emoji=False, soft_wrap=True)


def plain(text: str) -> str:
    """The text without control characters, so that it cannot steer the terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def counted(number: int, thing: str) -> str:
    """A number of things; `thing` is the singular: `1 deal`, `2 deals`."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def card(face: Face) -> Text:
    """A card by its suit's sign, in the suit's colour."""
    return Text(face.written, "bold" if face.suit is None else SUITS[face.suit])


def by_suit(faces: Iterable[Face]) -> Text:
    """A hand, one group a suit, each in the order given; jokers last."""
    held = list(faces)
    groups = ([card(face) for face in held if face.suit == suit] for suit in (*SUITS, None))
    return Text("  ").join(Text(" ").join(group) for group in groups if group)


def suit(letter: Suit) -> Text:
    """A suit by its name and sign."""
    return Text.assemble(SUIT_NAMES[letter], " ", (SIGNS[letter], SUITS[letter]))


def amount(points: int) -> Text:
    """An amount with its sign: gains green, losses red, zero dim."""
    if points == 0:
        return Text("0", "dim")
    return Text(signed(points), "green" if points > 0 else "red")


def seat_style(seat: int) -> str:
    """The style of a seat's name: its colour, the same in every line."""
    return SEAT_STYLES[seat % len(SEAT_STYLES)]


def words(name: str) -> str:
    """A name of the interface, such as `exchange-nolo`, as words."""
    return name.replace("-", " ")


def table(headings: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> Table:
    """Rows under headings, without borders."""
    made = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for heading in headings:
        made.add_column(heading, no_wrap=True, overflow="ignore")
    for row in rows:
        made.add_row(*row)
    return made
