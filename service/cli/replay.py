"""Narrates a recorded game, as one audience saw it or with everything that is open now."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import msgspec
from rich.text import Text

from domain.kernel.event import redact
from domain.kernel.game import Game
from domain.record.disclosure import Disclosure
from domain.record.envelope import served
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, Bot, seat_audience
from domain.table.events import CardsDealt
from domain.table.view import view
from service.auth.names import bot_name, labels
from service.cli.client import Client
from service.cli.narrator import Narrator, View
from service.describe.narration import Event

ALL = "all"


class Recording(NamedTuple):
    """A table's events as anyone may see them, with the names and views to narrate them."""

    events: list[Event]
    names: Mapping[str, str]
    """The players' labels, by id."""
    views: Mapping[int, View]
    """The public's views at the start of each deal, by version."""


def narrate(
    events: Iterable[Event],
    audience: str,
    name_of: Callable[[str], str],
    games: Mapping[str, Game],
    views: Mapping[int, View] | None = None,
) -> Iterator[Text]:
    """The lines of a table's events for an audience: `public`, `seat:N`, or `all` for all open sections.

    `views` are those of a `Recording`, for the headlines of deals.
    """
    narrator = Narrator(name_of, games, (views or {}).get)
    for event in events:
        yield from narrator.lines(event if audience == ALL else _redacted(event, audience))


def _redacted(event: Event, audience: str) -> Event:
    """The event with the sections that the audience could see when it happened."""
    return dict(event) | {"sealed": redact(event["sealed"], audience)}


def from_service(client: Client, table: str) -> Recording:
    """The recording of a table, through the interface. Raises Unreachable and Refusal."""
    events = list(client.events(table))
    ids = sorted(players(events))
    profiles = client.get("/v1/players", id=ids)["items"] if ids else []
    names = labels(bots(events) | {player["player"]: display_name(player["name"]) for player in profiles})
    dealt = [event["version"] for event in events if event["type"] == CardsDealt.TYPE]
    return Recording(events, names, {version: public_view(client, table, version) for version in dealt})


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


def views_of(records: Iterable[Recorded], games: Mapping[str, Game]) -> dict[int, View]:
    """The public's views at the start of each deal, by version. Raises UnknownEvent."""
    reader, table = Reader(games), None
    views: dict[int, View] = {}
    for record in records:
        table = reader.fold(table, (record,), PUBLIC)
        if table is not None and record.type == CardsDealt.TYPE:
            views[record.version] = json.loads(msgspec.json.encode(view(reader.of(table), table, PUBLIC)))
    return views


def seats(events: Iterable[Mapping[str, Any]]) -> list[str]:
    """The audiences of the seats that players took, sorted."""
    return sorted({seat_audience(event["public"]["seat"]) for event in events if event["type"] == "seat-taken"})


def bots(events: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The names of the bots that ever sat at the table, by their ids as players."""
    return {
        event["public"]["player"]: bot_name(msgspec.convert(event["public"]["opponent"], Bot))
        for event in events
        if event["type"] == "seat-taken" and event["public"].get("opponent") is not None
    }


def players(events: Iterable[Mapping[str, Any]]) -> set[str]:
    """The ids of all players who ever sat at the table."""
    return {event["public"]["player"] for event in events if event["type"] == "seat-taken"}
