"""Nuts' golden games: what they must show, and how they are played. The independent checker checks them.

No hand here ends after 2,000 acts without progress, since it would be as large as all others: `test_stuck_and_end.py`
has one.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

from domain.games.nuts.meta import Options
from domain.games.nuts.scoring import RESULTS, STALLED
from domain.seats import Seat
from tests.games.nuts.tables import NutsLive
from tests.golden.playing import Golden, Plan, Served, Wish, always, option_label
from tests.support.games import Live, pick

EVENTS = (
    "player-ready",
    "stock-turned",
    "pile-flipped",
    "card-built",
    "card-founded",
    "stuck-said",
    "all-stuck",
    "shift-made",
    "nuts-called",
)
OUTCOMES = tuple(result.outcome for result in RESULTS if result != STALLED)
LINES = ("NU-9.1", "NU-9.2")
MOST_EVENTS = 450
"""A recorded hand has fewer, since the files are to be small."""
WANTED = frozenset(
    (
        *OUTCOMES,
        *(f"line {rule}" for rule in LINES),
        *(option_label("players", players) for players in (2, 3, 4)),
        *(option_label("nuts_call", call) for call in ("at-once", "optional")),
        *(f"card-built from {source}" for source in ("reserve", "discards", "tableau")),
        *(f"card-founded from {source}" for source in ("reserve", "discards", "tableau")),
        *("called by the house", "called by a player", "on another's card", "two foundations of a suit"),
        *("played on with an empty reserve", "third time stuck by the clock"),
        *("over: target passed", "over: last deal scored"),
    )
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the hand shows."""
    tops: dict[int, str] = {}
    emptied = False
    for before, event in pairwise(deal):
        public = event["public"]
        match event["type"]:
            case "card-built" | "card-founded":
                yield f"{event['type']} from {public['from']}"
                emptied = emptied or (public["from"] == "reserve" and public["uncovered"] is None)
            case "nuts-called" if event["actor"] == "house":
                yield "called by the house"
            case "nuts-called":
                yield "called by a player"
                yield from ["played on with an empty reserve"] * (before["public"].get("uncovered", 0) is not None)
            case "deal-scored" if before["type"] == "all-stuck":
                yield "third time stuck by the clock"
            case _:
                pass
        if event["type"] == "card-founded":
            suits = [card[3] for card in tops.values()]
            yield from ["two foundations of a suit"] * (len(set(suits)) < len(suits))
            yield from ["on another's card"] * (tops.get(public["foundation"], public["card"])[0] != public["card"][0])
            tops[public["foundation"]] = public["card"]
    yield deal[-1]["public"]["outcome"]
    yield from (f"line {line['rule']}" for line in deal[-1]["public"]["lines"])


def game_labels(events: Sequence[Served]) -> Iterator[str]:
    """What the game shows besides its hands."""
    if events[-1]["type"] == "game-finished":
        yield f"over: {events[-1]['public']['reason']}"


class Hand(Wish, frozen=True):
    """A hand: raced to its end, or given up by all players, or left to the clock."""

    how: Literal["raced", "given up", "left"] = "raced"


def play(live: Live, wished: Hand, rng: random.Random) -> bool:
    """Plays a hand; one that takes too long is not played to its end."""
    scored, seats, longest = live.table.scored, list(live.seats), live.version + MOST_EVENTS
    while live.table.scored == scored:
        if live.version > longest:
            return False
        if wished.how == "left":
            live.run_out()
        elif wished.how == "given up":
            live.act(next(seat for seat in seats if "stuck" in live.types(seat)), "stuck")
        else:
            race_on(live, rng.choice(seats), rng)
    return True


READY: Mapping[str, float] = {"found": 40.0, "build": 4.0, "turn": 1.0, "flip": 1.0, "stuck": 0.02, "nuts": 0.3}
"""How readily a seat takes an act of this type that it is offered."""


def race_on(live: Live, seat: Seat, rng: random.Random) -> None:
    """One act of the seat, if it is offered one that does not only carry cards to and fro."""
    useful = [o for o in live.offers(seat) if o.type != "build" or not _idle(live, seat, o.fields)]
    if not useful:
        return
    types = list(dict.fromkeys(offer.type for offer in useful))
    (chosen,) = rng.choices(types, [READY[kind] for kind in types])
    live.take(seat, pick([offer for offer in useful if offer.type == chosen], rng))


def _idle(live: Live, seat: Seat, fields: Mapping[str, Any]) -> bool:
    """Whether all cards that the offer takes would leave cards under them that nobody asked for."""
    first = [column[0] for column in live.table.deal_state.layouts[seat].columns if column]
    tableau = [card for column in live.table.deal_state.layouts[seat].columns for card in column]
    return all(card in tableau and card not in first for card in fields["card"].values)


def wish(*shows: str, how: Literal["raced", "given up", "left"] = "raced") -> Hand:
    """A hand that shows all this."""
    return Hand(frozenset(shows), how)


def plans() -> Iterator[Plan]:
    """The games by name."""
    founded = [f"card-founded from {source}" for source in ("reserve", "discards", "tableau")]
    built = [f"card-built from {source}" for source in ("reserve", "discards", "tableau")]
    yield Plan(
        "target",
        Options(target=20),
        (wish("nuts", "called by the house", "on another's card", *founded, *built),),
        frozenset({"over: target passed"}),
    )
    yield Plan(
        "optional",
        Options(players=3, nuts_call="optional", stall=0),
        (wish("called by a player", "played on with an empty reserve", "two foundations of a suit"),),
    )
    yield Plan(
        "stuck",
        Options(players=4),
        (wish("stuck", how="given up"), wish("third time stuck by the clock", how="left")),
        frozenset({"over: last deal scored"}),
    )


def possible() -> Iterator[str]:
    """What the domain's tables say can happen, but for what is too long to be recorded."""
    yield from OUTCOMES
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=NutsLive,
    events=EVENTS,
    wanted=WANTED,
    possible=possible,
    plans=plans,
    disputed=Plan("disputed", Options(), (wish("stuck", how="given up"), wish("stuck", how="given up"))),
    fits=always,
    play=play,
    deal_labels=deal_labels,
    game_labels=game_labels,
)
