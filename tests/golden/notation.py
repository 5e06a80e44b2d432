"""Acts as text: who, what, and its fields.

    0 play Ks
    1 declare solo trump=h
    2 exchange [7s,8d]
    owner close-table
    +53s clock act-for 1
    arbiter rule-dispute 1 ruling=upheld text="The deal does not count."

A number is the player `EVERYBODY[number]`, who in a game sits on the seat of that number; `owner` is `OPENER`, and
`bot:1` the bot that plays seat 1. An act in the game goes by its type, a command of a table's life by its name in
`domain.table.actions`. The first field stands bare, each other one with its name; one that is left out has its default,
or is null. Values are JSON without spaces in which plain words need no quotes, and bytes are hexadecimal. `+53s` says
that so many seconds passed before.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import FieldInfo, fields

from domain.kernel.action import Action, tag_of
from domain.kernel.game import Game
from domain.seats import bot, bot_in
from domain.table.actions import Act, ActAsBot, Command, OpenTable
from domain.table.talk import action_types_of
from tests.support.games import EVERYBODY, OPENER

ARBITER = "an arbiter"
ACTORS = {**{player: str(number) for number, player in enumerate(EVERYBODY)}, OPENER: "owner", ARBITER: "arbiter"}
"""How those who act are called."""
PLAYERS = {called: player for player, called in ACTORS.items()}
CLOCK = "clock"

_TOKEN = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|[\w.-]+')
_LITERAL = re.compile(r"-?\d+|true|false|null")
_ACTOR_FIELDS = ("player", "opener", "arbiter")


class Step(Struct, frozen=True):
    """A command, and the seconds that passed before it beyond the one that every event takes."""

    command: Command
    waited: int = 0


def told(step: Step) -> str:
    """The step as text."""
    command = step.command
    who = [getattr(command, name) for name in command.__struct_fields__ if name in _ACTOR_FIELDS]
    what: Struct = command.action if isinstance(command, Act | ActAsBot) else command
    waited = [f"+{step.waited}s"] if step.waited else []
    nobody = bot(command.seat) if isinstance(command, ActAsBot) else CLOCK
    return " ".join([*waited, ACTORS[who[0]] if who else nobody, _name(type(what)), *_fields_told(what)])


def steps(line: str, game: Game) -> Iterator[Step]:
    """The steps that stand in a line of text, a comma between each two. Raises ValueError."""
    tokens: list[str] = []
    for token in _TOKEN.findall(line):
        tokens.append(token.removesuffix(","))
        if token.endswith(","):
            yield _step(tokens, game)
            tokens = []
    yield _step(tokens, game)


def _step(tokens: list[str], game: Game) -> Step:
    waited = int(tokens.pop(0)[1:-1]) if tokens[0].startswith("+") else 0
    actor, kind, *rest = tokens
    actions, commands = _actions(action_types_of(game)), _commands()
    cls = actions.get(kind) or commands.get(kind)
    if cls is None:
        raise ValueError(f"no act is called {kind}: {' '.join(tokens)}")
    own = _own_fields(cls)
    given = [token.split("=", 1) if re.match(r"[a-z_]+=", token) else (own[0].name, token) for token in rest]
    values = {name: _value(text) for name, text in given}
    values = {one.name: None for one in own if one.required} | values
    if kind in actions and (seat := bot_in(actor)) is not None:
        return Step(ActAsBot(seat, msgspec.convert({"type": kind} | values, cls)), waited)
    if kind in actions:
        return Step(Act(PLAYERS[actor], msgspec.convert({"type": kind} | values, cls)), waited)
    if isinstance(values.get("entropy"), str):
        values["entropy"] = bytes.fromhex(values["entropy"])
    if cls is OpenTable:
        values["seed"] = bytes.fromhex(values["seed"])
        values["options"] = msgspec.convert(values["options"], game.options)
    who = {one.name: PLAYERS[actor] for one in fields(cls) if one.name in _ACTOR_FIELDS}
    return Step(msgspec.convert(who | values, cls), waited)


def _name(cls: type[Any]) -> str:
    """The action's type, or the command's name in words."""
    return tag_of(cls) if cls.__struct_config__.tag else re.sub(r"(?<=[a-z])(?=[A-Z])", "-", cls.__name__).lower()


@cache
def _own_fields(cls: type[Struct]) -> list[FieldInfo]:
    return [one for one in fields(cls) if one.name not in _ACTOR_FIELDS]


def _fields_told(what: Struct) -> Iterator[str]:
    for place, one in enumerate(_own_fields(type(what))):
        value = getattr(what, one.name)
        if value != (None if one.default is NODEFAULT else one.default):
            yield ("" if place == 0 else f"{one.name}=") + _text(value.hex() if isinstance(value, bytes) else value)


def _text(value: object) -> str:
    told = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
    return re.sub(r'"(?:[^"\\]|\\.)*"', lambda found: _bare(found[0]), told)


def _bare(quoted: str) -> str:
    word = quoted[1:-1]
    return word if re.fullmatch(r"[\w.-]+", word) and not _LITERAL.fullmatch(word) else quoted


def _value(text: str) -> Any:
    return json.loads(_WORD.sub(lambda found: _quoted(found[0]), text))


def _quoted(word: str) -> str:
    return word if word.startswith('"') or _LITERAL.fullmatch(word) else f'"{word}"'


@cache
def _commands() -> dict[str, type[Struct]]:
    return {_name(cls): cls for cls in get_args(Command) if cls not in (Act, ActAsBot)}


@cache
def _actions(types: tuple[type[Action], ...]) -> dict[str, type[Action]]:
    return {tag_of(cls): cls for cls in types}
