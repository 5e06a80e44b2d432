"""A registry with a game that fails at every act."""

from typing import NoReturn

from msgspec.structs import replace

from domain.registry import GAMES as OFFERED


def _failing(*_: object) -> NoReturn:
    raise RuntimeError("this game cannot be played")


SOLO = OFFERED["solo"]
GAMES = {SOLO.name: replace(SOLO, decider=replace(SOLO.decider, decide=_failing)), "don": OFFERED["don"]}
