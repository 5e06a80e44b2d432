"""What a game's module of golden games says, and what all of them share: what a game shows is read from its events."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from tests.support.games import Live

Served: TypeAlias = dict[str, Any]
"""An event as served, everything opened."""

TABLE_EVENTS = (
    "table-opened",
    "seat-taken",
    "seat-left",
    "game-started",
    "cards-dealt",
    "deal-scored",
    "game-finished",
    "table-closed",
    "table-expired",
    "end-proposed",
    "seat-abandoned",
    "seat-taken-over",
    "substitute-seated",
    "seat-resumed",
    "table-talk",
    "dispute-opened",
    "dispute-ruled",
    "ledger-corrected",
)
"""The types of a table's life, which every game's recorded games show."""


class Golden(Struct, frozen=True):
    """What one game's golden games must show, and how it is read from their events."""

    live: type[Live]
    events: tuple[str, ...]
    """The game's own types of event."""
    wanted: frozenset[str]
    """The labels that the recorded games must show together, besides types of event."""
    possible: Callable[[], Iterable[str]]
    """The labels that follow from the domain's own tables: each must be wanted, and every line's rule be among them."""
    deal_labels: Callable[[Sequence[Served], dict[str, Any]], Iterable[str]]
    """What a scored deal shows, by its events and the options."""
    game_labels: Callable[[Sequence[Served]], Iterable[str]]
    """What a game shows besides its deals."""

    @property
    def name(self) -> str:
        """The game's name."""
        return self.live.game.name

    @property
    def shows(self) -> frozenset[str]:
        """All labels that the recorded games must show together."""
        return self.wanted | {f"event {kind}" for kind in (*TABLE_EVENTS, *self.events)}


def deals(events: Sequence[Served]) -> Iterator[list[Served]]:
    """The events of each deal that was scored."""
    of_deal: list[Served] = []
    for event in events:
        if event["type"] == "cards-dealt":
            of_deal = []
        if event["deal"] is not None:
            of_deal.append(event)
        if event["type"] == "deal-scored":
            yield of_deal


def labels(golden: Golden, events: Sequence[Served]) -> set[str]:
    """All that the game shows."""
    options = events[0]["public"]["options"]
    found = {f"event {event['type']}" for event in events}
    found |= {option_label(name, value) for name, value in options.items()}
    found |= set(golden.game_labels(events))
    for event in events:
        if event["type"] == "game-finished" and len(event["public"]["winners"]) > 1:
            found.add("shared win")
    for of_deal in deals(events):
        found |= set(golden.deal_labels(of_deal, options))
    return found


def option_label(name: str, value: object) -> str:
    """That the option has this value."""
    return f"option {name} {value}".lower()


def by_type(events: Iterable[Served]) -> dict[str, list[dict[str, Any]]]:
    """The public payloads by their events' types."""
    of: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        of.setdefault(event["type"], []).append(event["public"])
    return of


def nothing(_: Sequence[Served]) -> tuple[str, ...]:
    """What a game shows besides its deals, where that is nothing."""
    return ()
