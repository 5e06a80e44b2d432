"""What fields mean, for types that do not say it at the field, in `Meta`: the words of the rooms of these types."""

from collections.abc import Mapping
from typing import TypeAlias

from domain.kernel.game import Game
from domain.kernel.words import Meaning
from domain.parts.words import FIELDS as OF_PARTS
from domain.table.words import FIELDS as OF_TABLES

Meanings: TypeAlias = tuple[Mapping[str, Meaning], ...]
"""Words of rooms, the uppermost first."""

TABLE: Meanings = (OF_TABLES,)
PARTS: Meanings = (OF_PARTS, *TABLE)


def meanings_of(game: Game) -> Meanings:
    """The words that tell what a game's fields mean: its own, and those of the rooms below."""
    return (game.words.fields, *PARTS)


def meaning(meanings: Meanings, type: str, field: str) -> Meaning | None:
    """What a type's field means; what is said of this type precedes what is said of all fields of the name."""
    return next((words[key] for key in (f"{type}.{field}", field) for words in meanings if key in words), None)
