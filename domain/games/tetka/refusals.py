"""The rules that an act may break."""

from domain.games.tetka.actions import Play
from domain.kernel.refusals import Refusals
from domain.parts.tricks import play_refusals

REFUSALS = Refusals(cards="TE-2.1", acts={Play: play_refusals("TE-3.1", "TE-3.2")})
