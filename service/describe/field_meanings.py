"""What fields mean, and which values they take, for types that do not say it at the field, in `Meta`.

The meanings are the words of the rooms of these types. A game's own limits stand with its meanings.
"""

from collections.abc import Mapping
from typing import TypeAlias

from domain.kernel.game import Game
from domain.kernel.words import Meaning
from domain.parts.words import FIELDS as OF_PARTS
from domain.table.words import FIELDS as OF_TABLES
from service.describe.json_schema import Schema

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


ID: Schema = {"type": "string", "format": "uuid"}
HEX: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
TIME: Schema = {"type": "string", "format": "date-time"}
VERSION: Schema = {"type": "integer", "minimum": 1}

_HASH: Schema = {"pattern": HEX["pattern"]}

_LIMITED: tuple[tuple[Schema, tuple[str, ...]], ...] = (
    ({"format": "uuid"}, ("arbiter", "opener", "player", "table", "Rematch.of")),
    ({"items": {"format": "uuid"}}, ("players",)),
    (
        {"format": "date-time"},
        ("at", "created_at", "expires_at", "last_used_at", "opened_at", "rotated_at", "updated_at"),
    ),
    (TIME, ("DeadlineView.at",)),
    (_HASH, ("leaf", "rules_digest", "salt", "seed", "seed_commitment")),
    ({"items": _HASH}, ("card_commitments", "proof")),
    ({"pattern": "^([0-9a-f]{2}){0,64}$"}, ("entropy",)),
    ({"enum": ["public"]}, ("TextErased.audience",)),
    (
        {"minimum": 0},
        (
            "dealer", "first_dealer", "games", "hidden", "line", "reserve_ms", "run_out", "seat", "until", "wins",
            "you", "Face.owner", "LogKey.since", "Opening.position", "Webhook.position",
        ),
    ),
    (
        {"minimum": 1},
        (
            "correction", "deal", "deals", "dispute", "first", "position", "rules_version", "second", "size", "version",
            "Face.copy", "GameDetails.seats", "GameSummary.seats", "Rank.rank",
        ),
    ),
    ({"minimum": 400, "maximum": 599}, ("Problem.status",)),
    ({"items": {"minimum": 0}}, ("abandoned", "agreed", "bots", "to_act", "winners")),
    ({"items": {"minimum": 1}}, ("LedgerLine.events",)),
)  # fmt: skip

LIMITS: Mapping[str, Schema] = {name: limits for limits, names in _LIMITED for name in names}
"""By the name of a property, or `Component.property` if one component limits it differently."""
