"""The page of a game: its rules by number, its tables of values, its options and cards, and a deal as it was played."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, get_args, get_type_hints

import msgspec
from markupsafe import Markup
from msgspec import Struct

from domain.cards import SUITS, Face
from domain.kernel.game import Game
from domain.kernel.rulebook import Rule
from domain.table.rules import RULES
from domain.table.words import SECTIONS
from service.describe.field_meanings import meaning, meanings_of
from service.describe.game_details import GameDetails, details, summary
from service.describe.narration import Event
from service.describe.texts import Texts
from service.pages.deals import DealShown, shown
from service.pages.rendering import address, face, page

_CITED = re.compile(r"\b[A-Z]{2}-[0-9]+(?:\.[0-9]+)?")
"""The form of a rule's number, or of a section's."""

_WORKED = 1
"""The deal of the recorded example that is shown."""


class RuleShown(Struct, frozen=True):
    """A numbered rule as it is shown."""

    id: str
    text: Markup
    reading: bool
    option: str | None


class SectionShown(Struct, frozen=True):
    """The rules that share the number before the dot."""

    id: str
    name: str
    rules: tuple[RuleShown, ...]


class ColumnShown(Struct, frozen=True):
    """A column of a table."""

    heading: str
    meaning: str | None


class TableShown(Struct, frozen=True):
    """A table of the rules' data."""

    id: str
    title: str
    columns: tuple[ColumnShown, ...]
    rows: tuple[tuple[Markup, ...], ...]


class OptionShown(Struct, frozen=True):
    """An option of the game."""

    name: str
    text: Markup
    default: Markup
    values: Markup


def game_page(game: Game, versions: Sequence[int], played: Sequence[Event] | None, texts: Texts) -> bytes:
    """The page of a game under one version of its rules, of these; `played` are the events of a recorded table."""
    described = details(game)
    anchors = {rule.id for rule in (*described.rules, *RULES)}
    anchors |= {rule.partition(".")[0] for rule in anchors}
    worked, version = _worked(game, played, texts)
    return page(
        "game.html",
        texts,
        game=described,
        lead=tuple(_lead(game, texts)),
        readings=sum(rule.reading for rule in described.rules),
        sections=tuple(_sections(described.rules, game.words.sections, anchors)),
        table_sections=tuple(_sections(RULES, SECTIONS, anchors)),
        tables=tuple(_tables(game, described, anchors, texts)),
        options=tuple(_options(described, anchors, texts)),
        suits=tuple(_suits(game, texts)),
        shown=worked,
        played_version=version,
        rule_address=lambda rule: f"#{rule}" if rule in anchors else address(game.name, version, rule),
        versions=versions,
        address=address,
    )


def games_page(games: Iterable[Game], texts: Texts) -> bytes:
    """The page of all games."""
    return page("games.html", texts, games=[(game, tuple(_lead(game, texts))) for game in games])


def _worked(game: Game, played: Sequence[Event] | None, texts: Texts) -> tuple[DealShown | None, int]:
    """The deal that is shown as an example, if there is one, with the version of its rules."""
    if not played:
        return None, game.rulebook.version
    version = int(played[0]["public"]["rules_version"])
    own = next((one for one in (game, *game.earlier) if one.rulebook.version == version), game)
    names = lambda seat, _: str(texts.say(f"seat.{seat}"))  # noqa: E731 (a name for each seat, as in examples)
    return shown(played, _WORKED, {game.name: own}, names, texts), version


def _lead(game: Game, texts: Texts) -> Iterable[Markup]:
    """What is to be known first: seats, cards, the length of a game, and what is counted."""
    described = summary(game)
    seats = get_args(get_type_hints(game.options).get("players")) or (described.seats,)
    least, most = min(seats), max(seats)
    number: object = most
    if least < most:
        number = texts.say("cell.range" if len(seats) > 2 else "cell.or", least=least, most=most)
    yield texts.say("game.lead.seats", number=number)
    yield texts.say("game.lead.cards", number=len(game.pack))
    deals = described.deals
    if deals.least == deals.most:
        yield texts.say("game.lead.deals.fixed", most=deals.most)
    elif deals.least == 1 and deals.default == deals.most:
        yield texts.say("game.lead.deals.bound", most=deals.most)
    else:
        yield texts.say(
            "game.lead.deals.range" if deals.multiple_of == 1 else "game.lead.deals.multiple",
            least=deals.least,
            most=deals.most,
            default=deals.default,
            multiple=deals.multiple_of,
        )
    yield texts.say("game.lead.unit", unit=game.unit)


def _sections(rules: Iterable[Rule], names: Iterable[str], anchors: set[str]) -> Iterable[SectionShown]:
    """The rules by section, each with its name."""
    by_section: dict[str, list[RuleShown]] = {}
    for rule in rules:
        own = by_section.setdefault(rule.id.partition(".")[0], [])
        own.append(RuleShown(rule.id, _linked(rule.text, anchors - {rule.id}), rule.reading, rule.option))
    for (section, own), name in zip(by_section.items(), names, strict=True):
        yield SectionShown(section, name, tuple(own))


def _linked(text: str, anchors: set[str]) -> Markup:
    """The text, in which the numbers of rules are links."""
    parts, end = [], 0
    for cited in _CITED.finditer(text):
        if cited[0] in anchors:
            parts += [Markup("{}").format(text[end : cited.start()]), Markup('<a href="#{0}">{0}</a>').format(cited[0])]
            end = cited.end()
    return Markup().join([*parts, text[end:]])


def _tables(game: Game, described: GameDetails, anchors: set[str], texts: Texts) -> Iterable[TableShown]:
    """The tables of the rules' data that have rows."""
    served: dict[str, Sequence[Mapping[str, Any]]] = {
        "contracts": described.contracts,
        "bonuses": described.bonuses,
        "outcomes": described.outcomes,
        **described.tables,
    }
    for name, rows in served.items():
        if not rows:
            continue
        row_type = type(game.rulebook.tables[name][0]).__name__
        columns = _columns(rows[0])
        yield TableShown(
            f"table-{name}",
            str(texts.known(f"data.{name}") or _titled(name)),
            tuple(_column(game, row_type, column) for column in columns),
            tuple(tuple(_cell(game, column, row[column], anchors, texts) for column in columns) for row in rows),
        )


def _columns(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The columns that are shown, the name first: where there is one, the key beside it says nothing more."""
    columns = list(row)
    if "name" in row:
        key = columns[0]
        return ("name", *(column for column in columns if column != "name" and (column != key or key == "deal")))
    return tuple(columns)


def _column(game: Game, row_type: str, column: str) -> ColumnShown:
    meant = meaning(meanings_of(game), row_type, column)
    # What a name and a rule's number are needs no words.
    return ColumnShown(_titled(column), meant.text if meant and column not in ("name", "rule") else None)


def _titled(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ")
    return words[:1].upper() + words[1:]


def _cell(game: Game, column: str, value: Any, anchors: set[str], texts: Texts) -> Markup:
    """A value of a table in words."""
    match value:
        case None:
            return texts.say("cell.none")
        case bool():
            return texts.say("cell.yes" if value else "cell.no")
        case str() if value in anchors:
            return Markup('<a href="#{0}">{0}</a>').format(value)
        case str() if value in game.pack:
            return face(game.pack.faces[value])
        case str():
            named = game.words.terms.get(column, {}).get(value)
            return Markup("{}").format(named or value.replace("-", " "))
        case [least, most] if column == "exchange":
            return texts.say("cell.range", least=least, most=most) if least < most else Markup("{}").format(most)
        case [] | ():
            return texts.say("cell.none")
        case list() | tuple():
            return Markup(", ").join(_cell(game, column, item, anchors, texts) for item in value)
        case dict():
            return Markup(" ").join(_cell(game, column, part, anchors, texts) for part in value.values())
        case _:
            return Markup("{}").format(str(value).replace("-", "−"))


def _options(game: GameDetails, anchors: set[str], texts: Texts) -> Iterable[OptionShown]:
    """The options, from their JSON Schema."""
    for name, schema in game.options["properties"].items():
        if "enum" in schema:
            values = Markup(", ").join(_value(value, texts) for value in schema["enum"])
        elif schema.get("type") == "boolean":
            values = Markup(", ").join(_value(value, texts) for value in (True, False))
        elif "minimum" in schema and "maximum" in schema:
            values = texts.say("cell.range", least=schema["minimum"], most=schema["maximum"])
        else:
            values = texts.say("game.option.number")
        yield OptionShown(
            name, _linked(schema.get("description", ""), anchors), _value(schema.get("default"), texts), values
        )


def _value(value: object, texts: Texts) -> Markup:
    """A value of an option as a client sends it; suits by name."""
    if isinstance(value, str) and (suit := texts.known(f"suit.{value}")):
        return suit
    return Markup("<code>{}</code>").format(value if isinstance(value, str) else msgspec.json.encode(value).decode())


def _suits(game: Game, texts: Texts) -> Iterable[tuple[Markup, Markup]]:
    """The cards of each suit, each name and face once, and the jokers."""
    for suit in (*SUITS, None):
        faces = list(dict.fromkeys(Face(one.rank, one.suit) for one in game.pack.faces.values() if one.suit == suit))
        if faces:
            named = texts.say(f"suit.{suit}") if suit else texts.say("rank.Jo")
            yield named, Markup(" ").join(map(face, faces))
