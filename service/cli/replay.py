"""Narrates a recorded game, as one audience saw it or with everything that is open now."""

import json
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from rich.text import Text

from domain.kernel.event import redact
from domain.kernel.game import Game
from domain.record.disclosure import Disclosure
from domain.record.envelope import EventEnvelope, served
from domain.record.export import with_line_feeds
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, Bot
from domain.table.events import CardsDealt
from domain.table.view import view
from service.auth.names import labels
from service.cli.client import Client
from service.cli.narrator import Narrator, View
from service.cli.score_plot import score_plot
from service.cli.terminal_text import plain
from service.describe.narration import Event
from service.describe.scores import ScoredLine, running_scores
from service.describe.texts import english
from service.queries.deal_audits import NoSuchDeal

ALL = "all"


class NoExport(Exception):
    """A file is no export of a table's record."""


class Recording(NamedTuple):
    """A table's events as anyone may see them, with the names and views to narrate them."""

    events: list[Event]
    names: Mapping[str, str]
    """The players' labels, by id."""
    views: Mapping[int, View]
    """The public's views at the start of each deal, by version."""
    lines: Sequence[Mapping[str, Any]]
    """The ledger's lines."""


def of_deal(events: Sequence[Event], deal: int) -> list[Event]:
    """The events that a deal's page is made of: the table's first, and the deal's own. Raises NoSuchDeal."""
    own = [event for event in events if event["deal"] == deal]
    if not own:
        raise NoSuchDeal(f"no deal {deal} has started at this table")
    return [events[0], *own]


def versions_of(recording: Recording, deal: int) -> set[int]:
    """The versions of the deal's events, and of those that booked its lines later. Raises NoSuchDeal."""
    own = {event["version"] for event in of_deal(recording.events, deal)[1:]}
    return own | {line["version"] for line in recording.lines if line["deal"] == deal}


def narrate(
    events: Iterable[Event],
    audience: str,
    name_of: Callable[[str], str],
    games: Mapping[str, Game],
    views: Mapping[int, View] | None = None,
    versions: Container[int] | None = None,
) -> Iterator[Text]:
    """The lines of a table's events for an audience: `public`, `seat:N`, or `all` for all open sections.

    `views` are those of a `Recording`, for the headlines of deals. With `versions`, only their lines are yielded.
    """
    narrator = Narrator(name_of, games, (views or {}).get)
    for event in events:
        lines = narrator.lines(event if audience == ALL else _redacted(event, audience))
        if versions is None or event["version"] in versions:
            yield from lines


def _redacted(event: Event, audience: str) -> Event:
    """The event with the sections that the audience could see when it happened."""
    return dict(event) | {"sealed": redact(event["sealed"], audience)}


def plotted(recording: Recording, games: Mapping[str, Game]) -> Iterator[Text]:
    """The running scores as lines of a plot; nothing before a line is booked, and of an unknown game or options."""
    opened = recording.events[0]["public"]
    game = games.get(opened["game"])
    if game is None or not recording.lines:
        return
    try:
        options = msgspec.convert(opened["options"], game.options)
    except msgspec.ValidationError:
        return
    lines = msgspec.convert(recording.lines, tuple[ScoredLine, ...])
    taken = {one["seat"]: one["player"] for one in taken_seats(recording.events)}
    scores = running_scores(lines, game.course.seats(options), game.course.sides(options))
    yield Text()
    yield from score_plot(
        scores, game.unit, english(), lambda seat: plain(recording.names.get(taken[seat], taken[seat]))
    )


def from_service(client: Client, table: str) -> Recording:
    """The recording of a table, through the interface. Raises Unreachable and Refusal."""
    events = list(client.events(table))
    ids = players(events)
    profiles = client.get("/v1/players", id=ids)["items"] if ids else []
    names = labels({player["player"]: display_name(player["name"]) for player in profiles}) | bots(events)
    dealt = [event["version"] for event in events if event["type"] == CardsDealt.TYPE]
    lines = client.get(f"/v1/tables/{table}/ledger")["lines"]
    return Recording(events, names, {version: public_view(client, table, version) for version in dealt}, lines)


def from_file(path: Path, games: Mapping[str, Game]) -> Recording:
    """The recording in an exported record, which names no players: they are named by their seats.

    Raises OSError, NoExport and UnknownEvent.
    """
    lines = with_line_feeds(path.read_bytes()).splitlines()[1:-1]
    try:
        records = [msgspec.json.decode(line, type=EventEnvelope).recorded() for line in lines]
    except (msgspec.MsgspecError, ValueError) as error:
        raise NoExport(f"{path} is no export of a table's record") from error
    if not records:
        raise NoExport(f"{path} has no events")
    return from_log(records, games, {})


def from_log(records: Sequence[Recorded], games: Mapping[str, Game], profiles: Mapping[str, str]) -> Recording:
    """The recording of these records; `profiles` are the known players' names by id. Raises UnknownEvent."""
    # Imported late: with the read models comes the client of Redis.
    from projections.ledgers import ledger_of

    events = from_records(records)
    unnamed = {one["player"]: f"seat {one['seat'] + 1}" for one in taken_seats(events)}
    names = labels(unnamed | dict(profiles)) | bots(events)
    reader, table = Reader(games), None
    views: dict[int, View] = {}
    for record in records:
        table = reader.fold(table, (record,), PUBLIC)
        if record.type == CardsDealt.TYPE:
            views[record.version] = json.loads(msgspec.json.encode(view(reader.of(table), table, PUBLIC)))
    lines = () if table is None else json.loads(ledger_of(table, reader.of(table).unit))["lines"]
    return Recording(events, names, views, lines)


def public_view(client: Client, table: str, version: int) -> View:
    """The public's view of a table at a version. Raises Unreachable and Refusal."""
    seen: View = client.get(f"/v1/tables/{table}/replay/{version}", **{"as": PUBLIC})
    return seen


def display_name(name: str | None) -> str:
    """A player's name; `(erased)` if it was erased."""
    return "(erased)" if name is None else name


def from_records(records: Iterable[Recorded]) -> list[Event]:
    """Records of the log in the form that the service would serve to anyone, with sections of finished deals open."""
    kept = list(records)
    disclosure = Disclosure.of_records(kept)
    return [json.loads(served(record, PUBLIC, over=disclosure.opens(record))) for record in kept]


def taken_seats(events: Iterable[Event]) -> list[Mapping[str, Any]]:
    """What is public of each seat that was taken."""
    return [event["public"] for event in events if event["type"] == "seat-taken"]


def bots(events: Iterable[Event]) -> dict[str, str]:
    """The names of the bots that ever sat at the table, by their ids as players."""
    return english().bots(
        {
            one["player"]: (one["seat"], msgspec.convert(one["opponent"], Bot))
            for one in taken_seats(events)
            if one.get("opponent") is not None
        }
    )


def players(events: Iterable[Event]) -> list[str]:
    """The ids of all players who ever sat at the table, sorted."""
    return sorted({one["player"] for one in taken_seats(events)})
