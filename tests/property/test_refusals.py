"""A refusal names the first rule, in the order of the rules, that the act breaks: the one that the checker finds."""

import random
import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from msgspec import json
from msgspec.structs import asdict

from domain.games.burraco import acts as burraco
from domain.games.ombre import acts as ombre
from domain.kernel.action import Action, tag_of
from domain.kernel.game import Game
from domain.kernel.rejection import Code, Rejected
from domain.table.actions import Act
from domain.table.decide import act
from domain.table.why import why_not
from tests.golden.games import all_open, names
from tests.golden.games import played as golden
from tests.golden.labels import Served
from tests.property.strategies import every_options, numbers_of_deals, of_each_game, playing
from tests.support.checker.record import Deal, Replay, Stuck, cards_named
from tests.support.games import EVERYBODY, Live, broken, chance
from tests.support.helpers import helper
from tests.support.refusing import attempts, part
from tests.support.repetition import times

LEAST = 1_000
"""So many refused acts are looked at in each game, and more until each rule that may be broken is."""
MOST = 500
"""In so many games more each rule is broken."""
DEALS = 3
"""Of a game so many deals are looked at, or as many as show all kinds of deal, and then another game."""
AT_ONCE = 20
"""So many acts of a seat are tried at a time."""
RARE = 6
"""At so many points of a kind acts are tried; at more of them in a game the seldomer, the more there were.

Of one kind are those of a phase at which a seat is offered the same types of acts.
"""
OFTENER = 6
"""So much oftener once enough acts were looked at. Then only acts are tried that have a rule unbroken till then."""
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
    answer_in_part = why_not(live.game, live.table, seat, type(action), part(action, rng))
    if refusal is None:
        assert (answer, answer_in_part) == (None, None), (seat, wire)
        assert expected is None, (expected, seat, wire)
        assert broken(live.game, live.table, seat, action) is None, (seat, wire)
        return
    assert answer is not None
    assert (answer.code, answer.rule, answer.detail) == (refusal.code, refusal.rule, refusal.detail)
    assert not re.search(r"\bseats? \d", refusal.detail), refusal.detail
    assert refusal.rule == expected, (refusal.code, refusal.rule, refusal.detail, expected, seat, wire)
    if refusal.code is Code.RULE_VIOLATION:
        assert broken(live.game, live.table, seat, action) is not None, ("no rule is found", seat, wire)


class Stages(NamedTuple):
    """A game, and how it stands at a version at which something may be done."""

    events: list[Served]
    at: Callable[[int], Live]
    rare: float = RARE


def played(tables: type[Live], rng: random.Random, liked: Sequence[type[Action]]) -> Stages:
    """A game of chance, whose players like one of these types of acts."""
    game, options = tables.game, rng.choice(every_options(tables.game))
    deals = rng.choice(numbers_of_deals(game, options))
    live = tables.started(options=options, deals=deals, seed=rng.randbytes(32))
    last = max(DEALS, helper(game.name, "checker").kinds)
    liking = tag_of(rng.choice(liked))
    states = playing(live, rng, until=lambda live: live.table.scored == last, liking=liking)
    at = {state.version: state.branch() for state in states}
    return Stages(all_open(at[max(at)].records), at.__getitem__)


def recorded(tables: type[Live]) -> Iterator[Stages]:
    """The recorded games, which show much that chance brings seldom. Acts are tried at each of their points."""
    name = tables.game.name
    for game in (golden(name, each) for each in names(name)):
        if game.game is tables.game:
            records = game.records
            yield Stages(all_open(records), lambda version, records=records: tables(records[:version]), inf)


Row = tuple[type[Action] | None, int]
"""A rule that limits an act, by the act and its place among the act's rules; no act and 0 for the rule of the cards."""


IN_POSITIONS: set[Row] = {(burraco.Lay, 5), (burraco.Discard, 2), (ombre.Exchange, 3)}
"""Rows that bite too seldom: Burraco's `test_turn.py` and Ombre's `test_exchange.py` have positions for them."""


def rows_of(game: Game) -> set[Row]:
    """The rules that acts of the game may break, besides those of its phases and turns, and of `IN_POSITIONS`."""
    refusals = game.acts.refusals
    rows = {(act, place) for act, rows in refusals.items() for place in range(len(rows))}
    return {(None, 0), *rows - IN_POSITIONS}


def broken_rows(live: Live, seat: int, action: Action) -> Iterator[Row]:
    """The row that the act breaks first, and the one that every act of its type does.

    None if it has no place in the phase, is out of turn, or is legal.
    """
    state, acts, tag = live.table.deal_state, live.game.acts, tag_of(action)
    if tag not in state.FREE and not (tag in state.TURN and seat in live.to_act):
        return
    if any(card not in live.game.pack.faces or not acts.dealt(state, card) for card in cards_named(asdict(action))):
        yield None, 0
        return
    here = [
        (place, row)
        for place, row in enumerate(acts.refusals[type(action)])
        if row.phase is None or isinstance(state, row.phase)
    ]
    for some in (here, [each for each in here if not each[1].fields]):
        for place, row in some:
            objection = row.objection(state, seat, action)
            # A question may leave open whatever the row does not read.
            read = {name: value if name in row.fields else None for name, value in asdict(action).items()}
            assert row.objection(state, seat, type(action)(**read)) == objection, (row.rule, seat, action)
            if objection is not None:
                yield type(action), place
                break


@of_each_game
def test_a_refusal_names_the_first_rule_that_the_act_breaks(tables: type[Live]) -> None:
    name = tables.game.name
    rng = chance(("refusals", name))
    refused = Counter[tuple[Code, str | None]]()
    unbroken, every = rows_of(tables.game), tables.game.action_types

    def searching() -> bool:
        return refused.total() >= times(LEAST)

    def wanted() -> list[type[Action]]:
        return [act for act in every if any(act is each for each, _ in unbroken)]

    def games() -> Iterator[Stages]:
        while not searching():
            yield played(tables, rng, every)
        yield from recorded(tables)
        for _ in range(times(MOST)):
            yield played(tables, rng, [*every, *wanted()])

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
            stage, only = deal.stage(), list[type[Action]]()
            if searching():
                only = [act for act in wanted() if tag_of(act) in {*stage.turns, *stage.free}]
                if not only and (None, 0) not in unbroken:
                    return
            live = stages.at(replay.at)
            seats = list(live.to_act) or list(live.seats)
            seat = rng.choice(seats if rng.random() < 0.85 else live.seats)
            before = rng.sample([*lately[seat]], min(SOME, len(lately[seat])))
            for each in live.to_act:
                lately[each].append(live)
            kind = live.phase, *sorted({offer.type for offer in live.offers(seat)})
            points[kind] += 1
            if rng.random() > (OFTENER if searching() else 1) * stages.rare / points[kind]:
                return
            for action in attempts(live, seat, rng, AT_ONCE, before, only):
                rows = {*broken_rows(live, seat, action)}
                if only and not rows & unbroken:
                    continue
                refusal = refusal_of(live, seat, action)
                judge(live, seat, action, refusal, deal, rng)
                if refusal is not None:
                    refused[refusal.code, refusal.rule] += 1
                    if refusal.code is Code.RULE_VIOLATION:
                        unbroken.difference_update(rows)

        replay.watcher = ask
        try:
            replay.run()
        except Stuck:
            # Not all deals of the game were played.
            assert stages.events[-1]["type"] != "game-finished"
    assert unbroken == set(), "an act may break them first, and none that was tried does"
