"""What a deal is worth by its facts, wherever it was played."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.course import Standing
from domain.kernel.ledger import Ground, Transfer
from domain.seats import Seat

Grounds: TypeAlias = Mapping[Ground, Sequence[int | None]]
"""The versions of the events behind each ground on which lines rest."""


class Score(Struct, frozen=True):
    """The result of a deal: the outcome's name, and the transfers to book."""

    outcome: str
    transfers: tuple[Transfer, ...]
    extra: Mapping[str, Any] = {}
    """The fields that the game adds to `deal-scored`."""


class Terms(Struct, frozen=True, gc=False):
    """What a score depends on that is known when the cards are dealt."""

    options: Any = None
    order: tuple[Seat, ...] = ()
    """The seats that play, in the order of turns."""
    pool: int = 0
    scores: tuple[int, ...] = ()
    """The sides' scores before the deal, in games in which they may end it."""
    kind: str | None = None
    """The name of what the number of the deal fixes, such as the aim; None if it fixes nothing."""


def no_terms(_: object) -> Terms:
    """No terms: the facts are all that a score depends on."""
    return Terms()


class Flaw(Struct, frozen=True, gc=False):
    """A flaw in the facts of a deal: one is missing, or contradicts a rule or another.

    `rule` is the numbered rule, `text` a sentence for people, and `facts` are the facts concerned: their names, or
    paths such as `sides/0/melds/2`.
    """

    rule: str
    text: str
    facts: tuple[str, ...]


Flaws: TypeAlias = Iterator[Flaw]
"""The flaws of facts. Each may rely on the absence of those before it."""


class Searched(Struct, frozen=True):
    """What a finished deal is searched by, beside its outcome and its lines: by name, which of its facts.

    A deal whose facts lack one of them, as one in which all have passed, is not found by it.
    """

    declarer: str | None = None
    """The fact that is the seat which plays a contract; None in a game in which no seat plays one."""
    partner: str | None = None
    """The fact that is the seat which wins and loses with the declarer."""
    contract: str | None = None
    """The fact that names the contract; None where the number of the deal fixes what is played (`Terms.kind`), or
    nothing does.
    """
    terms: str | None = None
    """The game's terms by which the contract, or what the number fixes, is called in words; None without either."""
    trump: str | None = None
    """The path of the trump suit in the fields that the game adds to a view: facts lack it where no amount depends on
    it. None in a game without trumps.
    """


BY_OUTCOME = Searched()
"""A deal that is searched by its outcome and its lines alone."""


class Scoring(Struct, frozen=True):
    """How a game scores a deal: from facts that a player knows who keeps the score on paper.

    The facts hold no events, so no amount can depend on one. Lines name the grounds on which they rest, and the state
    of a recorded deal knows the events behind each.
    """

    facts_type: Any
    """The type of the facts; of a union, the tag says how the deal ended."""
    facts: Callable[[Any], Any]
    """The facts of a settled deal. A fact that does not count in this deal has its default."""
    settled: Callable[[Any], object | None]
    """How the deal has ended; None while it goes on. Called after every event."""
    flaws: Callable[[Terms, Any], Flaws]
    """The flaws of facts under these terms."""
    worth: Callable[[Terms, Any], Score | None]
    """The score of a deal with these terms and flawless facts; None if more must be played. Its lines cite no event."""
    grounds: Callable[[Any], Grounds]
    """The events behind the grounds of a settled deal's lines."""
    terms: Callable[[Standing], Terms] = no_terms
    """The terms of a deal that is dealt at this standing."""
    dealt: Callable[[Any], Terms] = no_terms
    """The terms of a deal, from its state."""
    searched: Searched = BY_OUTCOME

    def score(self, state: Any) -> Score | None:
        """The score of a deal, whose lines cite events; None until it is settled."""
        if self.settled(state) is None:
            return None
        score = self.worth(self.dealt(state), self.facts(state))
        if score is None:
            raise ValueError("the facts of a settled deal leave its end open")
        grounds = self.grounds(state)
        events = {
            rests: cited(*[version for ground in rests for version in grounds[ground]])
            for rests in {each.rests for each in score.transfers}
        }
        transfers = [replace(each, events=events[each.rests], rests=()) for each in score.transfers]
        return replace(score, transfers=tuple(transfers))


def cited(*versions: int | None) -> tuple[int, ...]:
    """The versions of the events that justify a line, ascending, each once; None is left out."""
    return tuple(sorted({version for version in versions if version is not None}))
