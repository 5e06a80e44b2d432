"""Double-entry bookkeeping: a score is ledger lines, not a number.

A transfer moves an amount between two accounts and becomes two lines that cancel each other, so that all lines
of a deal sum to zero over all accounts. Balances are sums of lines.
"""

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.seats import Seat

BANK = "bank"
POOL = "pool"
PLAYER = "player:"
"""The prefix of a player's account, before the player's id."""

Party: TypeAlias = Seat | str
"""A seat, or an account of the table: `bank` or `pool`."""


Ground: TypeAlias = str | int
"""The game's own name for something on which a line rests: a card, a trick by its number, `play`."""


class Transfer(Struct, frozen=True, gc=False):
    """An amount (signed, as `account` gains it) that `account` gets from `counter`, and the reason.

    `text` is on both lines, so it must be true on either account: an amount in it has no sign. `events` are the
    versions of the events that justify it. A transfer that follows from facts names the grounds on which it rests
    instead.
    """

    account: Party
    counter: Party
    amount: int
    kind: str
    rule: str
    text: str
    events: tuple[int, ...] = ()
    rests: tuple[Ground, ...] = ()


class Line(Struct, frozen=True, gc=False):
    """One booked amount on one account, with the rule and the events that justify it."""

    account: str
    """`player:ID`, `bank` or `pool`."""
    counter: str = msgspec.field(name="with")
    """The account that bears the counter-line."""
    seat: Seat | None
    amount: int
    kind: str
    rule: str
    text: str
    events: tuple[int, ...]


class LineAt(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A booked line: the version of the event that booked it, and its index among that event's lines, from 0."""

    version: int
    line: int


def account_of(party: Party, players: Sequence[str | None]) -> str:
    """The account's name on the ledger: `player:ID` for a seat's player, otherwise the table's own name for it."""
    return party if isinstance(party, str) else f"{PLAYER}{players[party]}"


def party_of(account: Party, players: Sequence[str | None]) -> Party:
    """The seat whose player owns the account; any other account, and a seat, is returned unchanged."""
    named = [seat for seat in range(len(players)) if account_of(seat, players) == account]
    return named[0] if named else account


def book(transfers: Iterable[Transfer], players: Sequence[str | None]) -> tuple[Line, ...]:
    """The two lines of each transfer, one after the other; no lines for an amount of zero."""
    lines: list[Line] = []
    for transfer in transfers:
        if transfer.amount == 0:
            continue
        for account, counter, sign in (
            (transfer.account, transfer.counter, 1),
            (transfer.counter, transfer.account, -1),
        ):
            lines.append(
                Line(
                    account_of(account, players),
                    account_of(counter, players),
                    None if isinstance(account, str) else account,
                    sign * transfer.amount,
                    transfer.kind,
                    transfer.rule,
                    transfer.text,
                    transfer.events,
                )
            )
    return tuple(lines)


def worded(lines: Sequence[Line], texts: Sequence[Line]) -> tuple[Line, ...]:
    """The lines with the texts of `texts`, line by line; if there are fewer texts, the last lines keep their own."""
    given = [line.text for line in texts[: len(lines)]] + [line.text for line in lines[len(texts) :]]
    return tuple(replace(line, text=text) for line, text in zip(lines, given, strict=True))


def signed(amount: int) -> str:
    """The amount with its sign, a true minus: `+3`, `−6`."""
    return f"+{amount}" if amount >= 0 else f"−{-amount}"
