"""Cards, names and amounts as they look on a terminal."""

import re
import sys
from collections.abc import Iterable, Sequence
from typing import TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from domain.kernel.ledger import signed

SUITS = {"s": ("♠", "bold"), "h": ("♥", "bold red"), "d": ("♦", "bold bright_blue"), "c": ("♣", "bold green")}
"""By letter: the sign, and the style of a four-colour pack, in which no two suits look alike."""

SUIT_NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}

RANKS = {"T": "10", "Jo": "★"}
"""The ranks that are not written as they stand in a card's name."""

SEAT_STYLES = ("cyan", "magenta", "yellow", "bright_green", "bright_red")

PLAIN_WIDTH = 120
"""Columns where the output is no terminal."""


def console(stream: TextIO | None = None) -> Console:
    """A console that prints text as it is: no markup, no highlighting, no wrapping. Standard output by default."""
    target = stream or sys.stdout
    width = None if target.isatty() else PLAIN_WIDTH
    return Console(file=target, width=width, markup=False, highlight=False, emoji=False, soft_wrap=True)


def plain(text: str) -> str:
    """The text without control characters, so that it cannot steer the terminal."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def face(name: str) -> tuple[str, str | None]:
    """The rank and the suit of the card of this name, whoever owns it and whichever copy it is; a joker has no suit."""
    matched = _FACE.fullmatch(name)
    return (matched["rank"], matched["suit"]) if matched else (name, None)


_FACE = re.compile(r"(?:\d+\.)?(?P<rank>Jo|[2-9AKQJT])(?P<suit>[shdc])?(?:\.\d+)?")


def card(name: str) -> Text:
    """A card by its suit's sign: `Ks` as `K♠`, `Th` as `10♥`, a joker as `★`."""
    rank, suit = face(name)
    sign, style = SUITS[suit] if suit else ("", "bold")
    return Text(f"{RANKS.get(rank, rank)}{sign}", style)


def cards(names: Iterable[str]) -> Text:
    """Cards in a row, in the order given."""
    return Text(" ").join(map(card, names))


def by_suit(names: Iterable[str]) -> Text:
    """A hand, one group a suit, each in the order given."""
    held = list(names)
    groups = ([name for name in held if face(name)[1] == suit] for suit in (*SUITS, None))
    return Text("  ").join(cards(group) for group in groups if group)


def suit(letter: str) -> Text:
    """A suit by its name and sign."""
    sign, style = SUITS[letter]
    return Text.assemble(SUIT_NAMES[letter], " ", (sign, style))


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


def title(name: str) -> str:
    """The name of a contract or game, such as `exchange-nolo`, as a title."""
    return words(name).title()


def table(headings: Sequence[str], rows: Iterable[Sequence[str | Text]]) -> Table:
    """Rows under headings, without frames."""
    made = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for heading in headings:
        made.add_column(heading, no_wrap=True, overflow="ignore")
    for row in rows:
        made.add_row(*row)
    return made
