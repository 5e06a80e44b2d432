"""Narrating a recorded game, as one audience saw it or with everything that is open by now."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from rich.text import Text

from domain.kernel.event import redact
from domain.kernel.game import Game
from domain.record.disclosure import Disclosure
from domain.record.envelope import served
from domain.record.recorded import Recorded
from domain.seats import PUBLIC, seat_audience
from service.auth.names import labels
from service.cli.client import Client
from service.cli.narrator import Event, Narrator

ALL = "all"


def narrate(
    events: Iterable[Event], audience: str, name_of: Callable[[str], str], games: Mapping[str, Game]
) -> Iterator[Text]:
    """The lines of a table's events for an audience: `public`, `seat:N`, or `all` for whatever the events hold."""
    narrator = Narrator(name_of, games)
    for event in events:
        yield from narrator.lines(event if audience == ALL else _redacted(event, audience))


def _redacted(event: Event, audience: str) -> Event:
    """The event with the sections that the audience could see when it happened."""
    return dict(event) | {"sealed": redact(event["sealed"], audience)}


def from_service(client: Client, table: str) -> tuple[list[Event], dict[str, str]]:
    """A table's events as anyone may see them, and what its players are called, by id.

    Raises Unreachable and Refusal.
    """
    events = list(client.events(table))
    ids = sorted(players(events))
    profiles = client.get("/v1/players", id=ids)["items"] if ids else []
    return events, labels({player["player"]: display_name(player["name"]) for player in profiles})


def display_name(name: str | None) -> str:
    """A player's name; `(erased)` where it was erased."""
    return "(erased)" if name is None else name


def from_records(records: Iterable[Recorded]) -> list[Event]:
    """Records of the log as the service would serve them to anyone: what is over is open."""
    kept = list(records)
    disclosure = Disclosure.of_records(kept)
    return [json.loads(served(record, PUBLIC, over=disclosure.opens(record))) for record in kept]


def seats(events: Iterable[Mapping[str, Any]]) -> list[str]:
    """The audiences of the seats that players took, sorted."""
    return sorted({seat_audience(event["public"]["seat"]) for event in events if event["type"] == "seat-taken"})


def players(events: Iterable[Mapping[str, Any]]) -> set[str]:
    """The ids of all who sat at the table."""
    return {event["public"]["player"] for event in events if event["type"] == "seat-taken"}
