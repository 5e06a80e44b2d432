"""What a game's module of golden games says, and what all of them share: what a game shows is read from its events."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias, get_args, get_origin, get_type_hints

from msgspec import Struct

from tests.support.checker.record import own_shapes
from tests.support.games import Live
from tests.support.helpers import helper

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


def nothing(*_: object) -> tuple[str, ...]:
    """Nothing is shown besides what every game shows."""
    return ()


class Golden(Struct, frozen=True):
    """What one game's golden games must show, and how it is read from their events."""

    live: type[Live]
    wanted: frozenset[str] = frozenset()
    """The labels that the recorded games must show together, besides types of event, options and what is possible."""
    possible: Callable[[], Iterable[str]] | None = None
    """The labels that follow from the domain's own tables; every line's rule is among them. Without it, each outcome,
    and a line for each row of other tables.
    """
    deal_labels: Callable[[Sequence[Served], dict[str, Any]], Iterable[str]] = nothing
    """What a scored deal shows besides its outcome and its lines, by its events and the options."""
    game_labels: Callable[[Sequence[Served]], Iterable[str]] = nothing
    """What a game shows besides its deals and its end."""

    @property
    def name(self) -> str:
        """The game's name."""
        return self.live.game.name

    @property
    def events(self) -> tuple[str, ...]:
        """The game's own types of event, by its rules as the checker has them."""
        rules = helper(self.name, "checker")
        return (*own_shapes(rules), *(["player-ready"] if rules.gate else []))

    @property
    def can_happen(self) -> frozenset[str]:
        """The labels that follow from the domain's own tables and options."""
        tables = self.live.game.rulebook.tables
        outcomes = (f"outcome {row.outcome}" for row in tables["outcomes"])  # type: ignore[attr-defined]
        others = (row for name, rows in tables.items() if name != "outcomes" for row in rows)
        due = (*outcomes, *(f"line {row.rule}" for row in others)) if self.possible is None else self.possible()  # type: ignore[attr-defined]
        return frozenset((*due, *_options(self.live.game.options)))

    @property
    def shows(self) -> frozenset[str]:
        """All labels that the recorded games must show together."""
        return self.wanted | self.can_happen | {f"event {kind}" for kind in (*TABLE_EVENTS, *self.events)}


def _options(options: type[Struct]) -> Iterator[str]:
    """The labels of what options may be, but for numbers."""
    for name, option in get_type_hints(options).items():
        values = get_args(option) if get_origin(option) is Literal else (True, False) if option is bool else ()
        yield from (option_label(name, value) for value in values)


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
        if event["type"] == "game-finished":
            found |= {f"over: {event['public']['reason']}", *["shared win"][: len(event["public"]["winners"]) - 1]}
    for of_deal in deals(events):
        score = of_deal[-1]["public"]
        found |= {f"outcome {score['outcome']}", *(f"line {line['rule']}" for line in score["lines"])}
        found |= set(golden.deal_labels(of_deal, options))
    return found


def shown(game: str, events: Sequence[Served]) -> set[str]:
    """All that a game of this name shows."""
    return labels(helper(game, "golden"), events)


def option_label(name: str, value: object) -> str:
    """That the option has this value."""
    return f"option {name} {value}".lower()


def by_type(events: Iterable[Served]) -> dict[str, list[dict[str, Any]]]:
    """The public payloads by their events' types."""
    of: dict[str, list[dict[str, Any]]] = {}
    for event in events:
        of.setdefault(event["type"], []).append(event["public"])
    return of
