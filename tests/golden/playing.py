"""What a game's module of golden games says, and what all of them share.

A deal is played by picking from offers, with chance that is the same in every run and players of some temper. It is
tried again until it shows what is wished for; what it shows is read from its events alone, as labels.
"""

import random
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


class Wish(Struct, frozen=True):
    """What a deal is to show; a game's own kind of wish says besides how it is to be played."""

    shows: frozenset[str]


class Plan(Struct, frozen=True):
    """A game to be recorded: a wish for each of its deals."""

    name: str
    options: Any
    deals: tuple[Any, ...]
    shows: frozenset[str] = frozenset()
    """What the game is to show as a whole."""
    agreed: int | None = None
    """How many deals were agreed, if more than are wished for: after those, the players agree to end the game."""


class Golden(Struct, frozen=True):
    """One game's golden games: what is wished for and wanted, how a deal is played, and what it shows."""

    live: type[Live]
    events: tuple[str, ...]
    """The game's own types of event."""
    wanted: frozenset[str]
    """The labels that the recorded games must show together, besides types of event."""
    possible: Callable[[], Iterable[str]]
    """The labels that follow from the domain's own tables: each must be wanted, and every line's rule be among them."""
    plans: Callable[[], Iterable[Plan]]
    disputed: Plan
    """The game of which two lines are disputed afterwards."""
    fits: Callable[[Live, Any], bool]
    """Whether the cards just dealt can show what is wished for, however they are played."""
    play: Callable[[Live, Any, random.Random], bool]
    """Plays one deal as a wish wants it, as far as the cards allow; answers whether it was played to its end."""
    deal_labels: Callable[[Sequence[Served], dict[str, Any]], Iterable[str]]
    """What a scored deal shows, by its events and the options."""
    game_labels: Callable[[Sequence[Served]], Iterable[str]]
    """What a game shows besides its deals."""
    seldom: tuple[str, ...] = ()
    """The recorded games that show what chance brings too seldom."""

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


def always(_: Live, __: Wish) -> bool:
    """Whether cards can show what is wished for, where nobody looks at them before."""
    return True


def nothing(_: Sequence[Served]) -> tuple[str, ...]:
    """What a game shows besides its deals, where that is nothing."""
    return ()


class Choice(Struct, frozen=True):
    """What a seat may play to a trick, and how strong cards are."""

    seat: int
    cards: Sequence[str]
    trick: Sequence[tuple[int, str]]
    strength: Callable[[str], Any]
    """Greater the stronger the card."""
    winner: Callable[[Sequence[tuple[int, str]]], int]

    def by(self, temper: str, rng: random.Random) -> str:
        """The card that the temper plays.

        Who wants to win plays the strongest card that is winning, else the weakest; who wants to lose the strongest
        card that is losing, else the weakest.
        """
        if temper == "random":
            return rng.choice(self.cards)
        ranked = sorted(self.cards, key=self.strength)
        winning = [card for card in ranked if self.winner([*self.trick, (self.seat, card)]) == self.seat]
        losing = [card for card in ranked if card not in winning]
        if temper == "win":
            return winning[-1] if winning else ranked[0]
        return losing[-1] if losing else ranked[0]
