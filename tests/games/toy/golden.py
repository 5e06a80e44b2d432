"""The toy's golden games: what they must show, and how they are played. The independent checker checks them."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from tests.games.toy.meta import Options
from tests.games.toy.rules import RULEBOOK
from tests.games.toy.tables import ToyLive
from tests.golden.playing import Golden, Plan, Served, Wish, always
from tests.support.games import Live, step

EVENTS = (
    "player-ready",
    "card-passed",
    "pledge-made",
    "pledges-opened",
    "card-laid",
    "cards-captured",
    "card-turned",
    "snapped",
    "batch-dealt",
    "stock-renewed",
    "turn-lapsed",
)
OUTCOMES = tuple(row.outcome for row in RULEBOOK.tables["outcomes"])
LINES = ("TY-2.2", "TY-3.4", "TY-3.6", "TY-4.1")
WANTED = frozenset(
    (*OUTCOMES, *(f"line {rule}" for rule in LINES), "cards rejected", "over: target reached", "over: last deal scored")
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    yield from (event["type"] for event in deal)
    yield deal[-1]["public"]["outcome"]
    yield from (f"line {line['rule']}" for line in deal[-1]["public"]["lines"])
    if "rejected" in deal[0]["public"]:
        yield "cards rejected"


def game_labels(events: Sequence[Served]) -> Iterator[str]:
    """What the game shows besides its deals."""
    if events[-1]["type"] == "game-finished":
        yield f"over: {events[-1]['public']['reason']}"


def play(live: Live, wish: Wish, rng: random.Random) -> bool:
    """Plays a deal by picks from what is offered, and lets the time run out if that is wished for."""
    deal = live.table.deal
    while live.table.running_deal == deal:
        if "lapsed" in wish.shows and live.phase == "playing":
            live.run_out()
        else:
            step(live, rng, rare=0.5 if "snapped" in wish.shows else 0)
    return True


def wish(*shows: str) -> Wish:
    """A deal that shows all this."""
    return Wish(frozenset(shows))


def plans() -> Iterator[Plan]:
    """The games to record."""
    yield Plan(
        "all-events",
        Options(target=100),
        (wish("snapped", "stock-renewed", "card-turned", "won"), wish("lapsed"), wish("level")),
        frozenset({"cards rejected"}),
    )
    yield Plan("target", Options(target=1, limit=0), (wish("won", "line TY-2.2"),))


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from OUTCOMES
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=ToyLive,
    events=EVENTS,
    wanted=WANTED,
    possible=possible,
    plans=plans,
    disputed=Plan("disputed", Options(target=100), (wish("won"), wish("won"))),
    fits=always,
    play=play,
    deal_labels=deal_labels,
    game_labels=game_labels,
)
