"""Every act of a game has its rules, and every event that the audit recomputes from an act is one's."""

import pytest

from domain.kernel.event import Payload
from domain.kernel.game import Game
from tests.support.registry import GAMES

BY_THEMSELVES = {"all-stuck", "shift-made", "turn-lapsed"}
"""Events that time or the house causes, and that the audit recomputes together with the acts."""

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@every_game
def test_every_act_has_its_rules_but_for_the_word_at_a_gate(game: Game) -> None:
    gate = set() if game.course.gate is None else {game.course.gate}
    assert {each.action for each in game.acts.rules} == {*game.action_types} - gate


@every_game
def test_every_event_that_an_act_causes_is_read_back(game: Game) -> None:
    acted = {each.event for each in game.acts.rules}
    recomputed = {event for event in game.events if event.CHECK == Payload.CHECK and event.TYPE not in BY_THEMSELVES}
    assert recomputed == acted
