"""The types of action that a game has, be it several or one."""

from typing import get_args

from msgspec.structs import replace

from domain.games.solo import SOLO
from domain.games.solo.acts import Play, SoloAction


def test_the_action_types_are_those_of_the_union() -> None:
    assert SOLO.action_types == get_args(SoloAction)


def test_a_game_may_have_one_action_alone() -> None:
    assert replace(SOLO, actions=Play).action_types == (Play,)
