"""Version 1 of Solo's rules, and the forms in which tables with these rules were recorded.

Declarer declared at level 6 too, and lines cited fewer events. Later, under the same rules, such declarations became
automatic, and `deal-scored` got its present members. All of it is schema 1.
"""

from collections.abc import Callable

from msgspec.structs import replace

from domain.games.solo.events import GameScored, GameScored1
from domain.games.solo.facts import Facts
from domain.games.solo.state import Playing, State
from domain.kernel.game import Game, rescored
from domain.kernel.rulebook import Rule
from domain.kernel.worth import Score, Terms, cited
from domain.parts.declaring import first_version
from domain.parts.phases import expect

RULE = Rule(
    "SO-3.2",
    "The last holder is declarer, and names a game of the level held or any higher one, and its trumps.",
)


def version_1(newest: Game) -> Game:
    """The game under version 1 of its rules."""
    first = first_version(newest, newest.rulebook.before(1, RULE), _cited_at_first)
    with_members, without = map(_of_schema_1, first.forms)
    bare = rescored(without, replace(without.scoring, worth=_without_members(without.scoring.worth)))
    return replace(first, forms=(with_members, bare))


def _of_schema_1(game: Game) -> Game:
    return replace(game, events=tuple(GameScored1 if each is GameScored else each for each in game.events))


def _without_members(worth: Callable[[Terms, Facts], Score | None]) -> Callable[[Terms, Facts], Score | None]:
    """The score without the members that Solo adds to `deal-scored`."""

    def bare(terms: Terms, facts: Facts) -> Score | None:
        result = worth(terms, facts)
        return None if result is None else replace(result, extra={})

    return bare


def _cited_at_first(state: State) -> tuple[int, ...]:
    """The events that lines cited at first: the declaration, the partner and the tricks."""
    play = expect(state, Playing)
    shown = None if play.partner is None else play.partner.shown_at
    return (play.commitment.made_at[-1], *cited(shown, *play.tricks.won_at))
