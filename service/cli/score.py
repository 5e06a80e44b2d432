"""`codille score`: what a deal is worth by its facts, asked for one by one or read as JSON, without a service."""

import sys
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import typer
from rich.table import Table
from rich.text import Text

from domain.kernel.game import Game
from domain.record.history import Reader
from service.cli.terminal_text import amount, console, plain, table, words
from service.describe.fact_schemas import facts_schema
from service.describe.json_schema import Schema
from service.http import body as bodies
from service.http.faults import one_of
from service.http.problems import Problem
from service.http.scores import ScoredDeal, ScoreRequest, scored
from service.queries.deal_lines import DealLine
from service.queries.statements import in_words

NONE = "none"
"""The answer that leaves a fact out, or a list empty."""
MOST_LISTED = 20
"""The most choices that a question lists, with numbers."""
MOST_DIGITS = 9
YES_NO = {"yes": True, "no": False}
SEATS = tuple([f"seat {seat}" for seat in range(16)])
"""The names of seats, by the numbers that answers have."""


def run(name: str, games: Mapping[str, Game], file: Path | None, beside: Mapping[str, Any], *, as_json: bool) -> int:
    """Scores a deal of the game, prints the result, and returns the exit status: 1 if the facts are refused.

    Without a file the facts are asked for, and `beside` has the other members of the request.
    """
    try:
        if file is None:
            raw = msgspec.json.encode({"facts": Questions(facts_schema(games[name])).answers(), **beside})
        else:
            raw = (sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()).removeprefix(BOM_UTF8)
        asked = bodies.decode(raw, msgspec.json.Decoder(ScoreRequest))
        game = asked.rules_of(name, Reader(games))
        done = scored(game, asked)
    except Problem as problem:
        if as_json:
            typer.echo(problem.body())
        else:
            rule = "" if problem.document.rule is None else f"{problem.document.rule}: "
            typer.echo(f"codille: {rule}{plain(str(problem))}", err=True)
        return 1
    if as_json:
        typer.echo(msgspec.json.encode(done))
        return 0
    output = console()
    for part in rendered(game, done):
        output.print(part, soft_wrap=not isinstance(part, Table))
    return 0


class Questions:
    """Asks on the terminal for a value that fits a JSON Schema. What does not fit is asked for again, with a reason."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def answers(self) -> Any:
        """The value. Raises Abort at the end of the input."""
        typer.echo("Seats are numbered from 0. Lists are written in a line. Enter takes what is in brackets.", err=True)
        return self._value(self._schema, "")

    def _value(self, schema: Schema, where: str, default: str | None = None) -> Any:
        schema = self._resolved(schema)
        if "discriminator" in schema:
            variants = schema["discriminator"]["mapping"]
            ended = self._asked({"description": "How the deal ended.", "enum": list(variants)}, where)
            return self._value({"$ref": variants[ended]}, where)
        if "properties" in schema:
            return {name: self._member(schema, name, where) for name in schema["properties"]}
        if "const" in schema:
            return schema["const"]
        items = self._resolved(schema.get("items", {}))
        if "properties" not in items and "items" not in items:
            return self._asked(schema, where, default)
        least, most = schema.get("minItems", 0), schema.get("maxItems", 99)
        about = schema["description"].rstrip(".")
        number = {"type": "integer", "minimum": least, "maximum": most, "description": f"{about}: how many?"}
        count = least if least == most else self._asked(number, where, default and "0")
        places = [f"{where}{about}, {place} of {count}. " for place in range(1, count + 1)]
        return [self._value({"description": ""} | items, place) for place in places]

    def _member(self, schema: Schema, name: str, where: str) -> Any:
        member = schema["properties"][name]
        if name in schema["required"]:
            return self._value(member, where)
        default = member.get("default")
        written = [word for word, value in {NONE: None, **YES_NO}.items() if value is default]
        return self._value(member, where, written[0] if written else str(default))

    def _resolved(self, schema: Schema) -> Schema:
        """The schema that one refers to, with the description that stands beside the reference."""
        return schema if "$ref" not in schema else self._schema["$defs"][schema["$ref"].rpartition("/")[2]] | schema

    def _asked(self, schema: Schema, where: str, default: str | None = None) -> Any:
        # The end of a description says where a fact is null, which is what the brackets say.
        about = schema["description"].partition("; null")[0].rstrip(".")
        question = " ".join(filter(None, (where + about, self._hint(schema), default and f"[{default}]")))
        while True:
            typer.echo(f"{question}: ", nl=False, err=True)
            answer = sys.stdin.readline()
            if not answer:
                typer.echo(err=True)
                raise typer.Abort
            try:
                return self._read(schema, answer.strip() or default or "")
            except typer.BadParameter as wrong:
                typer.echo(f"  {plain(wrong.message)}", err=True)

    def _hint(self, schema: Schema) -> str:
        """What may be answered, in brackets: choices with their numbers if they are few, or the limits of a number."""
        match self._resolved(schema):
            case {"enum": choices} if len(choices) <= MOST_LISTED:
                return f"({', '.join(f'{number} {choice}' for number, choice in enumerate(choices, 1))})"
            case {"minimum": least, "maximum": most}:
                return f"({least} to {most})"
            case {"type": "boolean"}:
                return "(yes or no)"
            case {"items": inner} | {"anyOf": [inner, *_]}:
                return self._hint(inner)
            case _:
                return ""

    def _read(self, schema: Schema, text: str) -> Any:
        """The value that an answer means. Raises BadParameter, which says what would fit."""
        match self._resolved(schema):
            case {"anyOf": [inner, {"type": "null"}]}:
                return None if text == NONE else self._read(inner, text)
            case {"anyOf": [inner, {"const": other}]}:
                return other if text == other else self._read(inner, text)
            case {"enum": choices}:
                listed = choices if len(choices) <= MOST_LISTED else ()
                named = {str(number): choice for number, choice in enumerate(listed, 1)}.get(text, text)
                if named not in choices:
                    raise typer.BadParameter(f"must be {one_of(choices)}")
                return named
            case {"minimum": least, "maximum": most}:
                if not text.isdecimal() or len(text) > MOST_DIGITS or not least <= int(text) <= most:
                    raise typer.BadParameter(f"must be a whole number from {least} to {most}")
                return int(text)
            case {"type": "boolean"}:
                if text not in YES_NO:
                    raise typer.BadParameter(f"must be {one_of([*YES_NO])}")
                return YES_NO[text]
            case {"items": inner, **limits}:
                if not text:
                    raise typer.BadParameter(f"must be a list, in a line, or {NONE}")
                values = [self._read(inner, each) for each in text.replace(",", " ").split() if text != NONE]
                most = limits.get("maxItems", len(values))
                if not limits.get("minItems", 0) <= len(values) <= most:
                    raise typer.BadParameter(f"must be a list of {most}")
                return values
            case unknown:
                raise ValueError(f"no question asks for {unknown}")


def rendered(game: Game, done: ScoredDeal) -> Iterator[str | Text | Table]:
    """The score for a terminal, part by part; of a line and its counter-line that of the seat."""
    yield f"{game.title}: {words(done.outcome)}"
    booked = [line for line in (*done.antes, *done.lines, *done.shares) if isinstance(line.account, int)]
    if booked:
        rows = [(SEATS[int(line.account)], amount(line.amount), _sentence(game, line), line.rule) for line in booked]
        yield table(("account", "amount", "line", "rule"), rows)
    shared = [(name, total) for name, total in (("pool", done.pool), ("bank", done.bank)) if total]
    totals = [*zip(SEATS, done.totals, strict=False), *shared]
    yield Text("   ").join([Text("total"), *[Text.assemble(name, " ", amount(total)) for name, total in totals]])
    if done.winners is not None:
        yield f"{done.over}; won by {' and '.join(SEATS[seat] for seat in done.winners)}"


def _sentence(game: Game, line: DealLine) -> str:
    """The line in the game's words, with the numbers of seats that answers have."""
    return plain(in_words(msgspec.to_builtins(line), game, SEATS))
