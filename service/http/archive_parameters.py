"""The parameters by which the archive is searched, and what a query with them looks for."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

import msgspec
from msgspec.structs import fields

from domain.kernel.game import Game
from service.http.examples import DAY, PLAYERS
from service.http.forms import RULE, TIME
from service.http.parameters import query
from service.http.problems import invalid_query
from service.http.query import BIGGEST
from service.queries.archive_search import Among, Order

YesOrNo: TypeAlias = Literal["true", "false"]

_NAME = r"^[a-z0-9][a-z0-9-]{0,63}$"


def _whole(name: str, text: str, example: int) -> Any:
    return query(name, text, example, ge=0, le=BIGGEST)


def time(name: str, text: str, example: str) -> Any:
    """The parameter of a query that is a time."""
    return query(name, text, example, pattern=TIME, format="date-time")


RulesVersion: TypeAlias = Annotated[
    int | None, query("rules_version", "Only under these rules; with `game`.", 1, ge=1, le=BIGGEST)
]
Option: TypeAlias = Annotated[
    list[str] | None,
    query("option", "Only with this option, as `name:value`; may be repeated; with `game`.", [], max_items=16),
]
OfPlayers: TypeAlias = Annotated[
    list[UUID] | None, query("player", "Only with this player; may be repeated.", [PLAYERS[0]], max_items=6)
]
AmongThem: TypeAlias = Annotated[
    Among,
    query(
        "among",
        "How these players play: `any`; all on one side (`partners`); or the first as `declarer`, the others against.",
        "declarer",
    ),
]
Since: TypeAlias = Annotated[str | None, time("since", "Only scored at or after this time.", f"{DAY}T00:00:00Z")]
Until: TypeAlias = Annotated[str | None, time("until", "Only scored before this time.", f"{DAY}T23:59:59Z")]
Contract: TypeAlias = Annotated[
    str | None, query("contract", "Only of this contract, or kind; with `game`.", "casco", pattern=_NAME)
]
Trump: TypeAlias = Annotated[
    Literal["s", "h", "d", "c"] | None, query("trump", "Only with this suit as trumps; with `game`.", "h")
]
Outcome: TypeAlias = Annotated[
    str | None, query("outcome", "Only with this outcome; with `game`.", "victory", pattern=_NAME)
]
AmountFrom: TypeAlias = Annotated[
    int | None, _whole("amount_from", "Only if a seat gained or lost at least this much.", 10)
]
AmountTo: TypeAlias = Annotated[int | None, _whole("amount_to", "Only if no seat gained or lost more.", 500)]
LengthFrom: TypeAlias = Annotated[int | None, _whole("length_from", "Only of at least so many events.", 10)]
LengthTo: TypeAlias = Annotated[int | None, _whole("length_to", "Only of at most so many events.", 500)]
CitedRule: TypeAlias = Annotated[str | None, query("rule", "Only if a line cites this rule.", "CR-9.2", pattern=RULE)]
WithBots: TypeAlias = Annotated[
    YesOrNo | None, query("bots", "Only of tables at which bots take part, or only of people's.", "false")
]
Disputed: TypeAlias = Annotated[
    YesOrNo | None, query("disputed", "Only if a line was ever disputed, or only if none was.", "true")
]
Corrected: TypeAlias = Annotated[
    YesOrNo | None, query("corrected", "Only if a ruling has changed it, or only if none has.", "true")
]
Ordered: TypeAlias = Annotated[
    Order, query("order", "Whether the newest come first or, with `game`, the largest.", "newest")
]


def require_game(game: str | None, **given: object) -> None:
    """Raises Problem if no game is named for the value of one of these parameters, which have a meaning within it."""
    for name, value in given.items() if game is None else ():
        if value is not None:
            raise invalid_query(name, "means something within a game only: name the game, too")


def options_of(game: Game | None, given: Sequence[str]) -> Mapping[str, Any]:
    """The game's options in a query, each as name:value. Raises Problem for those that the game does not have."""
    options: dict[str, Any] = {}
    known = () if game is None else tuple([field.name for field in fields(game.options)])
    for text in given:
        name, _, value = text.partition(":")
        if game is None or name not in known:
            raise invalid_query("option", "is not name:value of an option of this game")
        try:
            chosen = msgspec.convert({name: value}, game.options, strict=False)
        except msgspec.ValidationError:
            raise invalid_query("option", f"{name} does not have this value") from None
        options[name] = msgspec.to_builtins(getattr(chosen, name))
    return options


def flag(text: YesOrNo | None) -> bool | None:
    """Whether it is to be so; None if it does not matter."""
    return None if text is None else text == "true"
