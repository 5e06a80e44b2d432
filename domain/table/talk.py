"""Talk at a table (TL-5): what a seat may say at any time of the game, at tables that allow it.

A game whose own rules let players talk has an act of that type itself, and that one alone.
"""

from typing import Annotated, Any, ClassVar, get_args

from msgspec import Meta

from domain.kernel.action import Action, tag_of
from domain.kernel.game import Game
from domain.kernel.offers import Offer, Text, require
from domain.kernel.rejection import Code, Rejected
from domain.seats import Seat
from domain.table.options import TableOptions
from domain.table.rules import TALK, TALK_BOUND
from domain.table.state import Table

MAX_TEXT = 280
MAX_UTTERANCES = 50
"""How often a seat may talk in one deal (TL-5.2)."""


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
    """The types of those actions."""
    return get_args(actions_of(game)) or game.action_types


def require_talk_option(game: Game, settings: TableOptions) -> None:
    """Returns unless the table is to have talk beside that of the game's own rules (TL-5.1). Raises Rejected."""
    if settings.talk and has_own_talk(game):
        raise Rejected(Code.RULE_VIOLATION, f"in {game.title} players talk as the game's own rules say", TALK)


def talk_offers(table: Table, seat: Seat) -> tuple[Offer, ...]:
    """What the seat may say now; asked of the fold of any audience."""
    if not table.settings.talk or table.status != "playing" or table.talked.count(seat) >= MAX_UTTERANCES:
        return ()
    return (Offer(tag_of(Talk), {"text": Text(1, MAX_TEXT, TALK)}),)


def talk_rule(table: Table) -> str:
    """The rule by which a seat may not talk that is not offered it."""
    return TALK_BOUND if table.settings.talk else TALK


def require_talk(table: Table, seat: Seat, talk: Talk) -> None:
    """Returns if the seat may say this now. Raises Rejected."""
    require(talk_offers(table, seat), tag_of(Talk), {"text": talk.text}, talk_rule(table))
