"""Telling a recorded game again, as one audience was told of it or with all that is open by now."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rich.text import Text

from domain.kernel.event import redact
from domain.record.disclosure import Disclosure
from domain.record.envelope import served
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, seat_audience
from service.cli.client import Client
from service.cli.narrator import Event, Narrator

ALL = "all"


def tell(events: Iterable[Event], audience: str, name_of: Callable[[str], str]) -> Iterator[Text]:
    """The lines that tell the events of a table to this audience: `public`, `seat:N`, or `all`."""
    narrator = Narrator(name_of)
    for event in events:
        yield from narrator.tell(event if audience == ALL else _told(event, audience))


def _told(event: Event, audience: str) -> Event:
    """The event with those sections that the audience was told when it happened."""
    return dict(event) | {"sealed": redact(event["sealed"], audience)}


def from_service(client: Client, table: str) -> tuple[list[Event], dict[str, str]]:
    """A table's events as anyone may see them, and its players' names by id. Raises what the client raises."""
    events = list(client.events(table))
    ids = sorted(players(events))
    found = client.get("/v1/players", id=ids)["items"] if ids else []
    return events, {player["player"]: named(player["name"]) for player in found}


def named(name: str | None) -> str:
    """How a player is called, who may have been erased."""
    return "(erased)" if name is None else name


def from_records(records: Iterable[Recorded]) -> list[Event]:
    """Records of the log as the service would serve them to anyone: what is over is open."""
    kept = list(records)
    disclosure = Disclosure.of_records(kept)
    return [json.loads(served(record, PUBLIC, over=disclosure.opens(record))) for record in kept]


def seats(events: Iterable[Mapping[str, Any]]) -> list[str]:
    """The audiences of the seats that players took."""
    return sorted({seat_audience(event["public"]["seat"]) for event in events if event["type"] == "seat-taken"})


def players(events: Iterable[Mapping[str, Any]]) -> set[str]:
    """The ids of all who sat at the table."""
    return {event["public"]["player"] for event in events if event["type"] == "seat-taken"}
