"""Version 1 of Ombre's rules, and the forms in which tables with these rules were recorded.

Ombre declared Vuelta too, and lines cited fewer events; later that declaration became automatic. In the first tables
the rules' data had another name for a failed vole, and so another digest.
"""

from domain.games.ombre.state import Playing, State, Surrendered
from domain.kernel.game import Game
from domain.kernel.rulebook import Rule
from domain.kernel.worth import cited
from domain.parts.declaring import first_version
from domain.parts.phases import expect

RULE = Rule(
    "OM-4.4",
    "In Entrada Ombre names trumps, then discards any number of cards face down and draws as many from the "
    "top of the talon. In Vuelta the talon's top card is turned up and fixes trumps, spadille meaning spades and basta "
    "clubs; then Ombre discards and draws as in Entrada, the turn-up first. In Solo Ombre names trumps and plays the "
    "cards as dealt.",
)
ALSO = ("7f9949bef4ac5ce9352c6b91be16a472ebd80c8bbafc147b12cfd07fc4a52eff",)
"""The digest while the outcome `vole-failed` was named `won without the vole undertaken`."""


def version_1(newest: Game) -> Game:
    """The game under version 1 of its rules."""
    return first_version(newest, newest.rulebook.before(1, RULE, also=ALSO), _cited_at_first)


def _cited_at_first(state: State) -> tuple[int, ...]:
    """The events that lines cited at first: the declaration, tricks, choices, and the answers to a surrender."""
    play = state.play if isinstance(state, Surrendered) else expect(state, Playing)
    surrender = state.surrender if isinstance(state, Surrendered) else play.surrender
    said = surrender.said_at if surrender else ()
    return (play.commitment.made_at[0], *cited(*play.tricks.won_at, play.undertaken, play.stopped, *said))
