"""Lines of deals that are not recorded."""

from collections.abc import Iterable
from typing import Annotated, Any, Self

import msgspec
from msgspec import Meta, Struct, field

from domain.kernel.game import Game
from domain.kernel.ledger import Line, Transfer, book, party_of
from domain.seats import Seat
from service.describe.shared_fields import BEARER
from service.queries.statements import in_words


class DealLine(Struct, frozen=True):
    """A line of a deal that is not recorded."""

    account: Annotated[Seat | str, Meta(description="Who gains the amount: a seat, `bank` or `pool`.")]
    counter: Annotated[Seat | str, BEARER] = field(name="with")
    amount: Annotated[int, Meta(description="The amount, signed.")]
    kind: Annotated[str, Meta(description="The kind of line.")]
    rule: Annotated[str, Meta(description="The numbered rule behind the line.")]
    text: Annotated[str, Meta(description="The line as a ledger would have it.")]
    sentence: Annotated[str, Meta(description="The line in the game's words.")]

    @classmethod
    def of(cls, game: Game, line: Line, players: tuple[str, ...], *more: Any) -> Self:
        """The line at a table of these players; `more` are the fields that a type adds."""
        account, counter = party_of(line.account, players), party_of(line.counter, players)
        sentence = in_words(msgspec.to_builtins(line), game, ())
        return cls(account, counter, line.amount, line.kind, line.rule, line.text, sentence, *more)


def seats_alone(seats: int) -> tuple[str, ...]:
    """The players of a table at which they are known by their seats alone."""
    return tuple(map(str, range(seats)))


def lines_of(game: Game, seats: int, transfers: Iterable[Transfer]) -> tuple[DealLine, ...]:
    """The lines of these transfers at such a table."""
    players = seats_alone(seats)
    return tuple([DealLine.of(game, line, players) for line in book(transfers, players)])


def rules_behind(game: Game, lines: Iterable[DealLine]) -> dict[str, str]:
    """The texts of the rules behind lines, by number."""
    behind = {line.rule for line in lines}
    return {rule.id: rule.text for rule in game.rulebook.rules if rule.id in behind}
