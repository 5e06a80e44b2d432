"""The values of cards and the results of hunts, as data (DG-2.2, DG-5, DG-6.5)."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import Card
from domain.games.dingo.meta import ACE, DINGOES, LOW_TO_HIGH, PACK, RABBITS
from domain.parts.scoring import AtTable, Ending
from domain.parts.tricks import Played
from domain.seats import Seat

Outcome: TypeAlias = Literal["hunted"]


class Result(Ending[Outcome], frozen=True, gc=False):
    """The only way in which a deal ends: all ranks have been hunted."""


class Value(Struct, frozen=True, gc=False):
    """The value of a rank's cards, in a score pile or against their player in a penalty pile."""

    rank: str
    rule: str
    name: str
    value: int
    rabbit: int
    """The value of the rank's rabbit in a score pile."""


class Catch(Struct, frozen=True, gc=False):
    """The result of a hunt of 2 to K for a number of wolves played: the player of each card (DG-5.4 to DG-5.6)."""

    wolves: int
    rule: str
    name: str
    rabbit: int | None
    """The number, from 1, of the wolf whose player gets the rabbit; null: the rabbit is put aside."""
    caught: bool
    """Whether the first wolf goes to the dingo player."""
    penalty: bool
    """Whether the dingo goes to its player's penalty pile."""


HUNTED = Result("hunted", "DG-7.1", "all ranks hunted")
RESULTS: tuple[Result, ...] = (HUNTED,)

NAMES: Mapping[str, str] = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}

VALUES: tuple[Value, ...] = tuple(
    Value(
        rank,
        "DG-2.2",
        NAMES.get(rank, rank),
        3 if rank == ACE else 2 if rank in "TJQK" else 1,
        10 if rank == ACE else 2 if rank in "TJQK" else 1,
    )
    for rank in LOW_TO_HIGH
)

CATCHES: tuple[Catch, ...] = (
    Catch(0, "DG-5.4", "no wolf played", rabbit=None, caught=False, penalty=True),
    Catch(1, "DG-5.5", "one wolf played", rabbit=1, caught=False, penalty=False),
    Catch(2, "DG-5.6", "two wolves played", rabbit=2, caught=True, penalty=False),
)
"""The results by the number of wolves played."""

OF_ACES = "DG-6.5"
"""The rule that gives out the cards of the ace hunt."""

_BY_RANK: Mapping[str, Value] = {value.rank: value for value in VALUES}


class Won(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A card in a score pile or a penalty pile, and its player."""

    seat: AtTable
    card: Card
    scored: bool = True
    """Whether it is in the score pile."""


class Spoils(Struct, frozen=True, gc=False):
    """The cards that a hunt brings to score piles and to penalty piles, each with its player."""

    score: tuple[Played, ...]
    penalty: tuple[Played, ...]


def value_of(card: Card, *, scored: bool) -> int:
    """The value of the card: its gain in a score pile, otherwise its cost (DG-2.2)."""
    worth = _BY_RANK[PACK.rank(card)]
    return worth.rabbit if scored and card == RABBITS[worth.rank] else worth.value


def rule_of(rank: str, wolves: int) -> str:
    """The rule that gives out the cards of a hunt with this number of wolves played."""
    return OF_ACES if rank == ACE else CATCHES[wolves].rule


def spoils(rank: str, dingo: Seat, wolves: Sequence[Played]) -> Spoils:
    """The spoils of the hunt of a rank from 2 to K (DG-5.4 to DG-5.7)."""
    catch, own = CATCHES[len(wolves)], Played(dingo, DINGOES[rank])
    if catch.rabbit is None:
        return Spoils((), (own,))
    hunter = wolves[catch.rabbit - 1]
    caught = [Played(dingo, wolf.card) for wolf in wolves if wolf is not hunter]
    return Spoils((hunter, Played(hunter.seat, RABBITS[rank]), own, *caught), ())


def spoils_of_aces(dingo: Seat, wolves: Sequence[Played], rabbit: Seat, *, played: bool) -> Spoils:
    """The spoils of the ace hunt; `rabbit` is the holder of the ace of diamonds (DG-6.5)."""
    own, ace = Played(dingo, DINGOES[ACE]), Played(rabbit, RABBITS[ACE])
    score = (*wolves, *((own,) if wolves else ()), *((ace,) if played else ()))
    penalty = (*(() if wolves else (own,)), *(() if played else (ace,)))
    return Spoils(score, penalty)
