"""A refusal names the first rule, in the order of the rules, that the act breaks: the one that the checker finds."""

import random
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from math import inf
from typing import NamedTuple

from msgspec import json
from msgspec.structs import asdict

from domain.kernel.action import Action, tag_of
from domain.kernel.game import Game
from domain.kernel.refusals import first_broken
from domain.kernel.rejection import Code, Rejected
from domain.record.envelope import served
from domain.seats import HOUSE
from domain.table.actions import Act
from domain.table.decide import act
from domain.table.why import why_not
from tests.golden.games import as_recorded
from tests.golden.games import events as golden_events
from tests.property.strategies import every_options, numbers_of_deals, of_each_game, playing
from tests.support.checker.record import Deal, Envelope, Replay, Stuck
from tests.support.games import EVERYBODY, Live, chance
from tests.support.helpers import helper
from tests.support.refusing import attempts, part
from tests.support.repetition import times

LEAST = 1_000
"""So many refused acts are looked at in each game, and more until each rule that may be broken is."""
MOST = 100_000
"""With so many refused acts each rule is broken."""
DEALS = 3
"""Of a game so many deals are looked at, or as many as show all kinds of deal, and then another game."""
AT_ONCE = 20
"""So many acts of a seat are tried at a time."""
RARE = 6
"""At so many points of a kind acts are tried; at more of them in a game the seldomer, the more there were.

Of one kind are those of a phase at which a seat is offered the same types of acts.
"""
OFTENER = 6
"""So much oftener once enough acts were looked at, and only those are wanted that break a rule unbroken till then."""
LATELY, SOME = 8, 4
"""Of so many points at which a seat was last to act, so many are looked at for acts that were offered there."""
Kinds = Counter[tuple[str | None, ...]]
"""How many points there were of each kind."""


def refusal_of(live: Live, seat: int, action: Action) -> Rejected | None:
    """The refusal of the act; None if it is legal."""
    try:
        act(live.game, live.table, Act(EVERYBODY[seat], action))
    except Rejected as refusal:
        return refusal
    return None


def judge(live: Live, seat: int, action: Action, refusal: Rejected | None, deal: Deal, rng: random.Random) -> None:
    """The question about an act, and the checker, must name the rule of its refusal, if it is refused."""
    wire = json.decode(json.encode(action))
    expected, fields = deal.first_broken(seat, wire), asdict(action)
    answer = why_not(live.game, live.table, seat, type(action), fields)
    # A question may leave fields open.
    why_not(live.game, live.table, seat, type(action), part(action, rng))
    if refusal is None:
        assert answer is None
        assert expected is None, (expected, seat, wire)
        return
    assert answer is not None
    assert (answer.code, answer.rule, answer.detail) == (refusal.code, refusal.rule, refusal.detail)
    assert not re.search(r"\bseats? \d", refusal.detail), refusal.detail
    assert refusal.rule == expected, (refusal.code, refusal.rule, refusal.detail, expected, seat, wire)
    if refusal.code is Code.RULE_VIOLATION:
        refusals, state = live.game.refusals, live.table.deal_state
        broken = first_broken(refusals, live.game.pack, state, seat, type(action), fields)
        assert broken is not None, ("no rule is found", seat, wire)


class Stages(NamedTuple):
    """A game, and how it stands at a version at which something may be done."""

    events: list[Envelope]
    at: Callable[[int], Live]
    rare: float = RARE


def played(tables: type[Live], rng: random.Random) -> Stages:
    """A game of chance, whose players like one type of act."""
    game, options = tables.game, rng.choice(every_options(tables.game))
    deals = rng.choice(numbers_of_deals(game, options))
    live = tables.started(options=options, deals=deals, seed=rng.randbytes(32))
    last = max(DEALS, helper(game.name, "checker").kinds)
    liking = tag_of(rng.choice(game.action_types))
    states = playing(live, rng, until=lambda live: live.table.scored == last, liking=liking)
    at = {state.version: state.branch() for state in states}
    return Stages(envelopes(at[max(at)]), at.__getitem__)


def recorded(tables: type[Live]) -> Iterator[Stages]:
    """The recorded games that show what chance brings too seldom. Acts are tried at each of their points."""
    for name in helper(tables.game.name, "golden").seldom:
        events: list[Envelope] = golden_events(tables.game.name, name)
        yield Stages(events, lambda version, events=events: tables(as_recorded(events[:version])), inf)


def envelopes(live: Live) -> list[Envelope]:
    """The record of a game, every section open."""
    return [json.decode(served(record, HOUSE, over=True)) for record in live.records]


def rules_of(game: Game) -> set[str]:
    """The rules that acts of the game may break, besides those of its phases and turns."""
    rows = [row for rows in game.refusals.acts.values() for row in rows]
    return {game.refusals.cards, *(row.rule for row in rows)}


@of_each_game
def test_a_refusal_names_the_first_rule_that_the_act_breaks(tables: type[Live]) -> None:
    name = tables.game.name
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
        replay, points = Replay(helper(name, "checker"), stages.events), Kinds()
        lately = defaultdict[int, deque[Live]](lambda: deque(maxlen=LATELY))

        def ask(
            deal: Deal,
            stages: Stages = stages,
            replay: Replay = replay,
            points: Kinds = points,
            lately: defaultdict[int, deque[Live]] = lately,
        ) -> None:
            live = stages.at(replay.at)
            seats = list(live.to_act) or list(live.seats)
            seat = rng.choice(seats if rng.random() < 0.85 else live.seats)
            before = rng.sample([*lately[seat]], min(SOME, len(lately[seat])))
            for each in live.to_act:
                lately[each].append(live)
            kind = live.phase, *sorted({offer.type for offer in live.offers(seat)})
            points[kind] += 1
            searching = refused.total() >= times(LEAST)
            if rng.random() > (OFTENER if searching else 1) * stages.rare / points[kind]:
                return
            for action in attempts(live, seat, rng, AT_ONCE, before):
                refusal = refusal_of(live, seat, action)
                if not searching or (refusal is not None and refusal.rule in unbroken):
                    judge(live, seat, action, refusal, deal, rng)
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
