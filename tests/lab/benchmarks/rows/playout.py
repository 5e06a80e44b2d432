"""Random playouts in the domain alone: offers, decision, fold, four redacted views, ledger. No I/O, no records."""

import json
import random
import subprocess
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from domain.games.crocodile import CROCODILE
from domain.kernel.action import Action
from domain.kernel.event import Event
from domain.kernel.offers import Field, Offer, OneOf, SomeOf
from domain.table.actions import Act, OpenTable, TakeSeat
from domain.table.decide import decide, open_table
from domain.table.knowledge import Known, known_at_opening
from domain.table.seat_offers import offers
from domain.table.state import Table
from domain.table.view import to_act
from tests.lab.benchmarks.bench import Bench, alternating, environment, median, module, rate_of_core
from tests.lab.benchmarks.figures import Beside, Bound, Figure

ROW = "random playout"
UNIT = "acts/s a core"
GAME = CROCODILE
ACTIONS: dict[str, type[Action]] = {kind.__struct_config__.tag: kind for kind in GAME.action_types}
PLAYERS = ("ada", "berta", "carl")
TABLE = "01970000-0000-7000-8000-000000000001"

SELDOM = 0.02
"""How often what ends or delays a deal, a concession or talk, is done where it is offered."""

PEERS = {"pokerkit": "hands of no-limit hold'em, six players", "open-spiel": "skat, with observation strings"}


def playout(rng: random.Random, *, redacting: bool = True, viewing: bool = True) -> int:
    """A game of three deals by players who act at random; how many acts it took.

    After each act its events are redacted for the four audiences (`redacting`), and their views are made (`viewing`),
    as the read models are. The views equal the folds of the redacted events.
    """
    command = OpenTable(PLAYERS[0], 3, GAME.options(), sha256(rng.randbytes(8)).digest())
    table, _ = open_table(GAME, TABLE, command)
    known = known_at_opening(GAME, table)
    for player in PLAYERS:
        before = table
        table, events = decide(GAME, table, TakeSeat(player))
        known = _updated(before, known, events)
    acts = 0
    while table.status == "playing":
        seat = to_act(GAME, table)[0]
        action = chosen(offers(GAME, table, seat), rng)
        before = table
        table, events = decide(GAME, table, Act(PLAYERS[seat], action))
        if redacting:
            known = _updated(before, known, events)
            if viewing:
                known.views(GAME, table)
        acts += 1
    return acts


def _updated(before: Table, known: Known, events: Sequence[Event[Any]]) -> Known:
    # Which cards have left a hand unseen hangs on the table before them; that is only ever the act itself.
    for event in events:
        known = known.after(GAME, before, event)
    return known


def chosen(offered: Sequence[Offer], rng: random.Random) -> Action:
    """Any action of these offers."""
    offer = offered[0] if len(offered) == 1 else _usual(offered, rng)
    return ACTIONS[offer.type](**{name: _value(field, rng) for name, field in offer.fields.items()})


def _usual(offered: Sequence[Offer], rng: random.Random) -> Offer:
    usual = [offer for offer in offered if offer.type not in ("concede", "talk")]
    return rng.choice(usual if usual and rng.random() > SELDOM else offered)


def _value(field: Field, rng: random.Random) -> Any:
    match field:
        case OneOf():
            return rng.choice(field.values)
        case SomeOf():
            return tuple(rng.sample(field.values, rng.randint(field.min, field.max)))
        case _:
            return "a word"


def measure(bench: Bench) -> Iterator[Figure]:
    """Playouts on one core, beside the same through peers that play other games."""

    def own(**parts: bool) -> float:
        rng = random.Random(1)  # noqa: S311 (nothing secret hangs on it)
        return rate_of_core(lambda: playout(rng, **parts), bench.seconds)

    contestants: dict[str, Callable[[], float]] = {
        "all": own,
        "no views": lambda: own(viewing=False),
        "no audiences": lambda: own(redacting=False),
    }
    absent = {}
    for peer in PEERS:
        why = bench.peers.why_not(peer)
        if why is not None:
            absent[peer] = why
        else:
            contestants[peer] = lambda peer=peer: _peer(peer, bench.seconds)  # type: ignore[misc]
    measured = {name: median(rates) for name, rates in alternating(bench.rounds, contestants).items()}
    act_us = {name: 1e6 / measured[name] for name in ("all", "no views", "no audiences")}
    yield Figure(
        row=ROW,
        case="Crocodile",
        value=measured["all"],
        unit=UNIT,
        must=Bound(least=50_000, of_ratio=False),
        note=f"an act takes {act_us['all']:.0f} µs: {act_us['no audiences']:.0f} offers, decision and evolve, "
        f"{act_us['no views'] - act_us['no audiences']:.0f} what four audiences know, "
        f"{act_us['all'] - act_us['no views']:.0f} their views",
        details={"act_us": act_us},
    )
    for peer, what in PEERS.items():
        yield Figure(
            row=ROW,
            case=f"beside {peer}: {what}",
            value=measured["all"],
            unit=UNIT,
            beside=Beside(name=peer, value=measured.get(peer), note=absent.get(peer, "")),
            must=Bound(least=10) if peer == "pokerkit" else None,
        )


def _peer(peer: str, seconds: float) -> float:
    name = f"peers.{peer.replace('-', '_')}_playout"
    done = subprocess.run(
        module(name, seconds), env=environment(), capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return float(json.loads(done.stdout)["per_s"])
