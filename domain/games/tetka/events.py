"""The events of a deal of Tëtka."""

from typing import TypeAlias, get_args

from domain.kernel.event import Payload
from domain.parts.tricks import CardPlayed, TrickWon

TetkaEvent: TypeAlias = CardPlayed | TrickWon

EVENTS: tuple[type[Payload], ...] = get_args(TetkaEvent)
