"""Version 1 of Crocodile's rules, and the forms in which tables with these rules were recorded.

Play is the same. At first, lines cited fewer events, so tables under the same rules have two kinds of lines.
"""

from msgspec.structs import replace

from domain.games.crocodile.scoring import SCORING
from domain.games.crocodile.state import Conceded, Exchanging, Playing, State
from domain.kernel.game import Game, rescored
from domain.parts.phases import expect
from domain.parts.scoring import all_citing


def version_1(newest: Game) -> Game:
    """The game under version 1 of its rules."""
    first = replace(newest, times_rise=False, rulebook=newest.rulebook.before(1))
    return replace(first, forms=(rescored(first, all_citing(SCORING, _cited_at_first)),))


def _cited_at_first(state: State) -> tuple[int, ...]:
    """The events that lines cited at first: the declaration, and the concession or the tricks."""
    conceded = state if isinstance(state, Conceded) else None
    play = conceded.before if conceded else expect(state, Playing)
    return (_declared_at(play), *(_won_at(play) if conceded is None else (conceded.version,)))


def _declared_at(play: Exchanging | Playing) -> int:
    """The version of the event that declared the contract: in Casco, the one after it was forced."""
    commitment = play.commitment
    return commitment.made_at[commitment.contract.contract == "casco"]


def _won_at(play: Exchanging | Playing) -> tuple[int, ...]:
    return expect(play, Playing).tricks.won_at
