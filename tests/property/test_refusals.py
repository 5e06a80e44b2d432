"""A refusal names the first rule, in the order of the rules, that the act breaks: the one that the checker finds."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from math import inf
from typing import NamedTuple

from msgspec import json
from msgspec.structs import asdict

from domain.kernel.action import Action
from domain.kernel.game import Game
from domain.kernel.refusals import first_broken
from domain.kernel.rejection import Code, Rejected
from domain.record.envelope import served
from domain.seats import HOUSE
from domain.table.actions import Act
from domain.table.decide import act
from domain.table.why import why_not
from tests.golden.record import game, records
from tests.property.strategies import every_options, numbers_of_deals, of_each_game, playing
from tests.support.checker.record import Deal, Envelope, Replay, Stuck
from tests.support.games import EVERYBODY, Live, chance
from tests.support.helpers import helper
from tests.support.refusing import attempts, part
from tests.support.repetition import times

LEAST = 3_000
"""So many refused acts are looked at in each game, and more until each rule that may be broken is."""
MOST = 20_000
"""With so many refused acts each rule is broken."""
DEALS = 3
"""Of a game so many deals are looked at, or as many as show all kinds of deal, and then another game."""
AT_ONCE = 20
"""So many acts of a seat are tried at a time."""
RARE = 6
"""At so many points of a phase acts are tried; at more of them in a game the seldomer, the more there were."""

STILL_TO_COME = {
    "burraco",
}  # fmt: skip


def refusal_of(live: Live, seat: int, action: Action) -> Rejected | None:
    """The refusal of the act; None if it is legal."""
    try:
        act(live.game, live.table, Act(EVERYBODY[seat], action))
    except Rejected as refusal:
        return refusal
    return None


def judge(live: Live, seat: int, action: Action, deal: Deal, rng: random.Random) -> Rejected | None:
    """The refusal of the act, if it is refused: the question about it, and the checker, must name the same rule."""
    wire = json.decode(json.encode(action))
    expected, fields = deal.first_broken(seat, wire), asdict(action)
    refusal, answer = refusal_of(live, seat, action), why_not(live.game, live.table, seat, type(action), fields)
    # A question may leave fields open.
    why_not(live.game, live.table, seat, type(action), part(action, rng))
    if refusal is None:
        assert answer is None
        assert expected is None, (expected, seat, wire)
        return None
    assert answer is not None
    assert (answer.code, answer.rule, answer.detail) == (refusal.code, refusal.rule, refusal.detail)
    assert refusal.rule == expected, (refusal.code, refusal.rule, refusal.detail, expected, seat, wire)
    if refusal.code is Code.RULE_VIOLATION:
        refusals, state = live.game.refusals, live.table.deal_state
        assert refusals is not None
        broken = first_broken(refusals, live.game.pack, state, seat, type(action), fields)
        assert broken is not None, ("no rule is found", seat, wire)
    return refusal


class Stages(NamedTuple):
    """A game, and how it stands at a version at which something may be done."""

    events: list[Envelope]
    at: Callable[[int], Live]
    rare: float = RARE


def played(tables: type[Live], rng: random.Random) -> Stages:
    """A game of chance."""
    game, options = tables.game, rng.choice(every_options(tables.game))
    deals = rng.choice(numbers_of_deals(game, options))
    live = tables.started(options=options, deals=deals, seed=rng.randbytes(32))
    last = max(DEALS, helper(game.name, "checker").kinds)
    at = {state.version: state.branch() for state in playing(live, rng, until=lambda live: live.table.scored == last)}
    return Stages(envelopes(at[max(at)]), at.__getitem__)


def recorded(tables: type[Live]) -> Iterator[Stages]:
    """The recorded games that show what chance brings too seldom. Acts are tried at each of their points."""
    for name in helper(tables.game.name, "golden").seldom:
        events: list[Envelope] = game(tables.game.name, name)["events"]
        yield Stages(events, lambda version, events=events: tables(records(events[:version])), inf)


def envelopes(live: Live) -> list[Envelope]:
    """The record of a game, every section open."""
    return [json.decode(served(record, HOUSE, over=True)) for record in live.records]


def rules_of(game: Game) -> set[str]:
    """The rules that acts of the game may break, besides those of its phases and turns."""
    assert game.refusals is not None
    rows = [row for rows in game.refusals.acts.values() for row in rows]
    return {game.refusals.cards, *(row.rule for row in rows)}


@of_each_game
def test_a_refusal_names_the_first_rule_that_the_act_breaks(tables: type[Live]) -> None:
    name = tables.game.name
    if name in STILL_TO_COME:
        assert tables.game.refusals is None
        return
    rng = chance(("refusals", name))
    refused = Counter[tuple[Code, str | None]]()
    unbroken = rules_of(tables.game)

    def games() -> Iterator[Stages]:
        while refused.total() < times(LEAST):
            yield played(tables, rng)
        yield from recorded(tables)
        while refused.total() < times(MOST):
            yield played(tables, rng)

    for stages in games():
        if not unbroken and refused.total() >= times(LEAST):
            break
        replay, points = Replay(helper(name, "checker"), stages.events), Counter[str | None]()

        def ask(
            deal: Deal, stages: Stages = stages, replay: Replay = replay, points: Counter[str | None] = points
        ) -> None:
            live = stages.at(replay.at)
            points[live.phase] += 1
            if rng.random() > stages.rare / points[live.phase]:
                return
            seats = list(live.to_act) or list(live.seats)
            seat = rng.choice(seats if rng.random() < 0.85 else live.seats)
            for action in attempts(live, seat, rng, AT_ONCE):
                refusal = judge(live, seat, action, deal, rng)
                if refusal is not None:
                    refused[refusal.code, refusal.rule] += 1
                    unbroken.discard(str(refusal.rule))

        replay.watcher = ask
        try:
            replay.run()
        except Stuck:
            # Not all deals of the game were played.
            assert stages.events[-1]["type"] != "game-finished"
    assert not unbroken, "an act may break it, and none that was tried does"
