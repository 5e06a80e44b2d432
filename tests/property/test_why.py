"""Why an act is not offered: what a refusal of it would say, from what the seat knows."""

import random

from hypothesis import strategies as st
from msgspec.structs import asdict

from domain.kernel.rejection import Rejected
from domain.picking import pick
from domain.seats import seat_audience
from domain.table.actions import Act
from domain.table.decide import act
from domain.table.rules import RULES
from domain.table.talk import action_types_of
from domain.table.why import why_not
from tests.property.strategies import in_random_games, playing, started
from tests.property.test_offers import simple_actions
from tests.support.games import EVERYBODY, READER, Live

ASKED = 25
"""Acts that are asked about at a version."""


def refused(live: Live, seat: int, command: Act) -> Rejected | None:
    """The refusal of the act, if it is refused."""
    try:
        act(live.game, live.table, command)
    except Rejected as refusal:
        return refusal
    return None


@in_random_games(4)
def test_the_answer_is_that_of_a_refusal_and_follows_from_what_the_seat_knows(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live, game = data.draw(started(tables)), tables.game
    known = [one.action for one in simple_actions(game.name) if one.action is not None]
    texts = {rule.id for rule in (*game.rulebook.rules, *RULES)}
    for state in playing(live, rng, until=lambda live: live.table.scored == 1):
        if rng.random() < 0.8:
            continue
        seat = rng.choice(state.seats)
        own = READER.fold(None, state.records, seat_audience(seat))
        for action in rng.sample(known, min(ASKED, len(known))):
            fields = asdict(action)
            answer = why_not(game, state.table, seat, type(action), fields)
            expected = refused(state, seat, Act(EVERYBODY[seat], action))
            assert (answer is None) == (expected is None), (action, answer, expected)
            asked_of_own = why_not(game, own, seat, type(action), fields)
            assert str(asked_of_own) == str(answer)
            if answer is not None and expected is not None:
                assert asked_of_own is not None
                assert (asked_of_own.code, asked_of_own.rule) == (answer.code, answer.rule)
                assert answer.rule in texts or (state.table.over and answer.rule is None)
                assert (answer.code, answer.rule, answer.detail) == (expected.code, expected.rule, expected.detail)


@in_random_games(2)
def test_what_is_asked_in_part_is_offered_where_some_whole_act_is(
    tables: type[Live], data: st.DataObject, rng: random.Random
) -> None:
    live, game = data.draw(started(tables)), tables.game
    acts = {action.__struct_config__.tag: action for action in action_types_of(game)}
    for state in playing(live, rng, until=lambda live: live.table.scored == 1):
        for seat in state.seats:
            offered = {offer.type: offer for offer in state.offers(seat)}
            for name, action in acts.items():
                assert (why_not(game, state.table, seat, action, {}) is None) == (name in offered)
            for name, offer in offered.items():
                wire = pick(offer, rng.randrange)
                for field in offer.fields:
                    assert why_not(game, state.table, seat, acts[name], {field: wire[field]}) is None
