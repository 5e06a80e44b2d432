"""Talk at a table (TL-5): remarks that a seat may make at any time of the game, at tables that allow it.

If a game's own rules let players talk, the game has its own act of that type, and no other.
"""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, get_args

from msgspec import Meta

from domain.kernel.action import Action, tag_of
from domain.kernel.game import Game
from domain.kernel.offers import Offer, Text
from domain.kernel.rejection import Code, Rejected
from domain.seats import Seat
from domain.table.options import TableOptions
from domain.table.rules import TALK, TALK_BOUND
from domain.table.state import Table

MAX_TEXT = 280
MAX_UTTERANCES = 50
"""The most remarks by a seat in one deal (TL-5.2)."""
_TEXT = Text(1, MAX_TEXT)


class Talk(Action, frozen=True, tag="talk"):
    """Say something at the table, for everybody who may look at it."""

    RULE: ClassVar = TALK

    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]


def has_own_talk(game: Game) -> bool:
    """Whether the game's own rules have an act of talk."""
    return tag_of(Talk) in map(tag_of, game.action_types)


def actions_of(game: Game) -> Any:
    """The union of the actions that a seat may take at a table of the game: the game's own, and talk."""
    return game.actions if has_own_talk(game) else game.actions | Talk


def action_types_of(game: Game) -> tuple[type[Action], ...]:
    """The types of the actions in `actions_of`."""
    return get_args(actions_of(game)) or game.action_types


def require_talk_option(game: Game, table_options: TableOptions) -> None:
    """Checks that a table with talk is not of a game whose own rules have talk (TL-5.1). Raises Rejected if it is."""
    if table_options.talk and has_own_talk(game):
        raise Rejected(Code.RULE_VIOLATION, f"in {game.title} players talk as the game's own rules say", TALK)


def talk_offers(table: Table, seat: Seat) -> tuple[Offer, ...]:
    """The seat's offer to talk now, if it may; from the fold of any audience."""
    if not table.table_options.talk or table.status != "playing" or table.talked.count(seat) >= MAX_UTTERANCES:
        return ()
    return (Offer(tag_of(Talk), {"text": _TEXT}),)


def require_talk(table: Table, seat: Seat, fields: Mapping[str, object]) -> None:
    """Checks that the seat may say this now, or something if the text is left open. Raises Rejected if not."""
    if not talk_offers(table, seat):
        rule = TALK_BOUND if table.table_options.talk else TALK
        raise Rejected(Code.RULE_VIOLATION, "talk is not open to this seat now", rule)
    if "text" in fields and not _TEXT.admits(fields["text"]):
        raise Rejected(Code.RULE_VIOLATION, f"text must be {_TEXT}", TALK)
