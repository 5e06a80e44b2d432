"""The kinds of a dealer's seven deals, and the ends of deals: one row each, facts in columns."""

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from domain.cards import SUITS, Card, Suit
from domain.parts.scoring import Ending

KindName: TypeAlias = Literal["no-hearts", "queens", "no-tricks", "hairy-ape", "train", "quart", "domino"]
Outcome: TypeAlias = Literal[
    "four-captured",
    "three-captured",
    "two-captured",
    "one-captured",
    "king-captured",
    "last-mark-passed",
    "hand-empty",
    "pot-taken",
]

RANKS = "AKQJT987"
HAND = len(RANKS)
"""The cards of a hand, and so the tricks of a deal (LO-2.2)."""
KING_OF_HEARTS: Card = "Kh"
QUEENS: Mapping[Suit, int] = {"h": 4, "d": 3, "s": 2, "c": 1}
"""The cost of capturing each queen (LO-3.4)."""


class Cost(Struct, frozen=True, gc=False):
    """A card, and the cost of capturing it."""

    card: Card
    cost: int


class Kind(Struct, frozen=True, gc=False):
    """A kind of deal and, if it has tricks, the cost of captured cards or, if no cards cost, of a trick."""

    kind: KindName
    deal: int
    """Its number among a dealer's deals, from 1."""
    name: str
    rule: str
    total: int = 0
    """The cost of all captures together; 0 in a kind without captures."""
    cards: tuple[Cost, ...] = ()
    trick: int = 0
    text: str = ""
    """What it gains and costs."""

    def cost(self, cards: Iterable[Card]) -> int:
        """The cost of capturing a trick of these cards."""
        captured = set(cards)
        return self.trick + sum([each.cost for each in self.cards if each.card in captured])


class Mark(Struct, frozen=True, gc=False):
    """A mark of the common count, and the chips that passing it costs (LO-5.2)."""

    mark: int
    name: str
    chips: int


class Value(Struct, frozen=True, gc=False):
    """A rank, and its cards' addition to the common count (LO-5.1); other ranks add nothing."""

    rank: str
    name: str
    value: int


class Result(Ending[Outcome], frozen=True, gc=False):
    """The end of a deal. In kinds with tricks, `captors` is the number of players who captured anything costly."""

    captors: int = 0


def _each(cards: Mapping[Card, int]) -> tuple[Cost, ...]:
    return tuple(Cost(card, cost) for card, cost in cards.items())


NO_HEARTS = Kind(
    "no-hearts",
    1,
    "No hearts",
    "LO-3.3",
    8,
    _each({f"{rank}h": 1 for rank in RANKS}),
    text="Each heart that you capture costs 1, unless you alone capture them all: then the others pay you.",
)
HAIRY_APE = Kind(
    "hairy-ape",
    4,
    "Hairy Ape",
    "LO-4.4",
    4,
    _each({KING_OF_HEARTS: 4}),
    text="Playing your own cards unseen, whoever captures the king of hearts pays 4 into the pot.",
)
TRAIN = Kind(
    "train",
    5,
    "Train",
    "LO-5.1",
    text="Whoever brings the common count to 25, 50 or 75 or beyond pays 1, 2 or 3 into the pot.",
)
QUART = Kind(
    "quart",
    6,
    "Quart",
    "LO-6.1",
    text="Whoever is first without cards gets 1 from each other player for every card that the player still holds.",
)
DOMINO = Kind(
    "domino",
    7,
    "Domino",
    "LO-7.1",
    text="Whoever is first without cards takes the pot, into which the others first pay 1 for every card still held.",
)

KINDS: tuple[Kind, ...] = (
    NO_HEARTS,
    Kind(
        "queens",
        2,
        "Queens",
        "LO-3.4",
        10,
        _each({f"Q{suit}": cost for suit, cost in QUEENS.items()}),
        text="Queens cost 4 in hearts, 3 in diamonds, 2 in spades, 1 in clubs, unless you alone capture them all.",
    ),
    Kind(
        "no-tricks",
        3,
        "No tricks",
        "LO-3.5",
        8,
        trick=1,
        text="Each trick that you win costs 1, unless you alone win them all: then the others pay you.",
    ),
    HAIRY_APE,
    TRAIN,
    QUART,
    DOMINO,
)
COSTS: Mapping[KindName, Mapping[Card, int]] = {
    kind.kind: {each.card: each.cost for each in kind.cards} for kind in KINDS
}
"""The costs of captured cards, by kind; none in a kind without such cards."""
"""The seven deals of a dealer, in order (LO-1.2)."""

CAPTURED: Mapping[int, Result] = {
    result.captors: result
    for result in (
        Result("four-captured", "LO-3.6", "all four captured what costs", 4),
        Result("three-captured", "LO-3.7", "three captured what costs", 3),
        Result("two-captured", "LO-3.8", "two captured what costs", 2),
        Result("one-captured", "LO-3.9", "one captured all that costs", 1),
    )
}
"""The results by the number of players who captured anything costly."""
KING_CAPTURED = Result("king-captured", "LO-4.4", "the king of hearts was captured")
LAST_MARK_PASSED = Result("last-mark-passed", "LO-5.4", "the last mark was passed")
HAND_EMPTY = Result("hand-empty", "LO-6.5", "a hand is empty")
POT_TAKEN = Result("pot-taken", "LO-8.3", "a hand is empty, the pot taken")
RESULTS: tuple[Result, ...] = (*CAPTURED.values(), KING_CAPTURED, LAST_MARK_PASSED, HAND_EMPTY, POT_TAKEN)

MARKS: tuple[Mark, ...] = tuple(Mark(25 * chips, f"the mark of {25 * chips}", chips) for chips in range(1, 5))
VALUES: tuple[Value, ...] = (
    Value("A", "ace", 11), Value("K", "king", 4), Value("Q", "queen", 3), Value("J", "jack", 2)
)  # fmt: skip
TEN = "T"
"""The rank whose addition to the count is an option (LO-5.3)."""


def value_of(rank: str, ten: int) -> int:
    """The addition of a card of this rank to the common count, given that of a ten (LO-5.1, LO-5.3)."""
    return ten if rank == TEN else next((row.value for row in VALUES if row.rank == rank), 0)


def marks_within_reach(ten: int) -> tuple[Mark, ...]:
    """The marks that the whole pack passes (LO-5.3)."""
    pack = len(SUITS) * sum(value_of(rank, ten) for rank in RANKS)
    return tuple(mark for mark in MARKS if mark.mark <= pack)


def kind_of(deal: int) -> Kind:
    """The kind of the deal of this number (LO-1.2)."""
    return KINDS[(deal - 1) % len(KINDS)]
