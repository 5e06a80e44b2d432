"""A player's statement in words: seats by their players' names, cards by their faces."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.kernel.game import Game
from domain.kernel.line_words import line_text
from domain.table.words import complete
from projections.models import ReadModels, Seated
from service.auth.names import labels
from service.describe.texts import english
from service.store.accounts import Accounts

ERASED = "(erased)"


async def with_sentences(
    lines: Sequence[bytes], models: ReadModels, accounts: Accounts, games: Mapping[str, Game]
) -> list[dict[str, Any]]:
    """The lines of a statement, each with its `sentence`. Raises ReadModelsUnavailable and StoreUnavailable."""
    decoded: list[dict[str, Any]] = [msgspec.json.decode(line) for line in lines]
    seated = await models.seated({line["table"] for line in decoded})
    profiles = await accounts.players(list({one.player for seats in seated.values() for one in seats}))
    names = {player: ERASED if profile.name is None else profile.name for player, profile in profiles.items()}
    at_tables = {table: _at_table(seats, names) for table, seats in seated.items()}
    return [
        line | {"sentence": in_words(line, games.get(line["game"]), at_tables.get(line["table"]))} for line in decoded
    ]


def in_words(line: Mapping[str, Any], game: Game | None, names: Sequence[str] | None) -> str:
    """The line in words; the recorded text if the game is not offered, or the names of its seats are not known."""
    if game is None or names is None:
        return str(line["text"])
    return line_text(
        complete(game).lines, line, game.pack, lambda seat: names[seat] if seat < len(names) else f"seat {seat + 1}"
    )


def _at_table(seats: Sequence[Seated], names: Mapping[str, str]) -> list[str]:
    """The names of a table's players by seat, with letters of their ids where two look alike."""
    people = {one.player: names[one.player] for one in seats if one.player in names}
    bots = {one.player: (seat, one.bot) for seat, one in enumerate(seats) if one.player not in names}
    labelled = labels(people) | english().bots(bots)
    return [labelled[one.player] for one in seats]
