"""Version 1 of L'Hombre's rules, and the forms in which tables with these rules were recorded.

Declarer declared every bid, and lines cited fewer events. Later, under the same rules, declarations without a choice
became automatic.
"""

from domain.games.lhombre.state import Abandoned, Playing, State
from domain.kernel.game import Game
from domain.kernel.rulebook import Rule
from domain.kernel.worth import cited
from domain.parts.declaring import first_version
from domain.parts.phases import expect

RULE = Rule(
    "LH-5.1",
    "Who wins the auction is declarer against the other two, the defenders, and declares the contract bid, "
    "naming trumps where it names them. Simple Game may be made into Spade Game, Tourné or Simple Nolo, Solo into "
    "Spade Solo, before anything is turned or exchanged; it then counts as what it was made into.",
)


def version_1(newest: Game) -> Game:
    """The game under version 1 of its rules."""
    return first_version(newest, newest.rulebook.before(1, RULE), _cited_at_first)


def _cited_at_first(state: State) -> tuple[int, ...]:
    """The events that lines cited at first: the declaration, and those that settled the deal."""
    if isinstance(state, Abandoned):
        return (state.before.commitment.made_at[0], state.version)
    play = expect(state, Playing)
    return (play.commitment.made_at[0], *cited(*play.tricks.won_at, play.undertaken, play.stopped))
