"""Crocodile's rules once more, written plainly and by brute force from their text, to hold the domain against."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple


class Facts(NamedTuple):
    """A row of the table of CR-5. `discards` are the numbers of cards that declarer may discard."""

    value: int
    positive: bool
    trumps: tuple[str | None, ...]
    """What may be named with the declaration."""
    discards: range | None
    concede: bool


_NAMED = ("s", "h", "d", "c")
_NONE = (None,)

CONTRACTS: dict[str, Facts] = {
    "casco": Facts(1, True, (None, *_NAMED), None, True),
    "play": Facts(2, True, _NAMED, range(10), True),
    "grand": Facts(2, True, _NONE, range(10), True),
    "tournee": Facts(3, True, _NONE, range(10), True),
    "exchange-nolo": Facts(3, False, _NONE, range(5), False),
    "solo": Facts(4, True, _NAMED, None, False),
    "grandissimo": Facts(4, True, _NONE, None, False),
    "tournee-respect": Facts(6, True, _NONE, range(1, 2), False),
    "nolo": Facts(6, False, _NONE, None, False),
    "nolo-ouvert": Facts(10, False, _NONE, None, False),
}
BIDS = tuple(name for name in CONTRACTS if name != "casco")
POSITIVE = tuple(name for name, facts in CONTRACTS.items() if facts.positive)
NEGATIVE = tuple(name for name, facts in CONTRACTS.items() if not facts.positive)
CONTRAPRIMERAS = ("always", "if-lost")
STACKING = ("exclusive", "cumulative")


class Verdict(NamedTuple):
    """What nine tricks come to: the outcome and its rule, and each amount in contract values.

    Talking Ouvert is counted in points, since its value is a number of points.
    """

    outcome: str
    rule: str
    factor: int
    declared: int | None
    """Of the bonus bid, if one was made."""
    silent: tuple[tuple[str, int], ...]

    @property
    def factors(self) -> int:
        """All amounts together, of a contract without Talking Ouvert."""
        return self.factor + (self.declared or 0) + sum(amount for _, amount in self.silent)


DECLARED = {"cuatro": 2, "primeras": 2, "tout": 7, "talking": 10}
SILENT = {"cuatro": 1, "primeras": 1, "tout": 3}


def verdict(
    winners: Sequence[int],
    *,
    positive: bool,
    bonus: str | None = None,
    contraprimeras: str = "always",
    stacking: str = "exclusive",
) -> Verdict:
    """CR-9 and CR-10 for nine winners: 0 declarer, 1 and 2 the opponents."""
    assert len(winners) == 9
    d, a, b = (winners.count(player) for player in range(3))
    outcome, rule, factor = (_positive if positive else _negative)(winners, d, a, b, contraprimeras)
    won = outcome == "victory"
    happened = {
        "cuatro": positive and won and d == 4,
        "primeras": positive and won and all(winner == 0 for winner in winners[:5]),
        "tout": positive and won and d == 9,
    }
    declared = None
    if bonus is not None:
        declared = DECLARED[bonus] if happened.get(bonus, won) else -DECLARED[bonus]
    silent = [
        (feat, SILENT[feat])
        for feat in ("cuatro", "primeras", "tout")
        if happened[feat]
        and feat != bonus
        and not (feat == "primeras" and happened["tout"] and stacking == "exclusive")
    ]
    return Verdict(outcome, rule, factor, declared, tuple(silent))


def _positive(winners: Sequence[int], d: int, a: int, b: int, contraprimeras: str) -> tuple[str, str, int]:
    victory = d >= 5 or (d == 4 and {a, b} == {3, 2})
    if 0 not in winners[:5] and (contraprimeras == "always" or not victory):
        return "contraprimeras", "CR-9.1", -4
    if victory:
        return "victory", "CR-9.2", 1
    if d == max(a, b):
        return "simple-remis", "CR-9.3", -1
    if (d, a, b) == (1, 4, 4):
        return "piccolo-remis", "CR-9.4", -1
    return "crocodile-lunch", "CR-9.5", -2


def _negative(winners: Sequence[int], d: int, a: int, b: int, _: str) -> tuple[str, str, int]:
    if d == 0:
        return "victory", "CR-9.6", 1
    if d == 1:
        return "simple-loss", "CR-9.7", -1
    if d >= 5 or (d == 4 and {a, b} == {3, 2}):
        return "contranolo", "CR-9.8", -4
    return "crocodile-lunch", "CR-9.9", -2


class Terms(NamedTuple):
    """What a deal is settled by, besides its tricks."""

    positive: bool
    bonus: str | None
    contraprimeras: str
    stacking: str

    def verdict(self, winners: Sequence[int]) -> Verdict:
        """What these nine tricks come to."""
        return verdict(
            winners,
            positive=self.positive,
            bonus=self.bonus,
            contraprimeras=self.contraprimeras,
            stacking=self.stacking,
        )


ALL_TERMS: tuple[Terms, ...] = tuple(
    Terms(positive, bonus, contraprimeras, stacking)
    for contraprimeras, stacking in product(CONTRAPRIMERAS, STACKING)
    for positive, bonuses in ((True, (None, "cuatro", "primeras", "tout")), (False, (None, "talking")))
    for bonus in bonuses
)


@lru_cache(maxsize=6)
def settled(terms: Terms) -> dict[tuple[int, ...], Verdict | None]:
    """By every beginning of a deal, the one verdict of all its completions, or None where they differ (CR-8.4)."""
    known: dict[tuple[int, ...], Verdict | None] = {
        winners: terms.verdict(winners) for winners in product(range(3), repeat=9)
    }
    for tricks in range(8, -1, -1):
        for winners in product(range(3), repeat=tricks):
            first, *others = (known[*winners, winner] for winner in range(3))
            known[winners] = first if all(other == first for other in others) else None
    return known


def stops_after(terms: Terms, winners: Sequence[int]) -> int:
    """The number of tricks after which play stops, if these players win them."""
    known = settled(terms)
    return next(tricks for tricks in range(10) if known[tuple(winners[:tricks])] is not None)


def legal_cards(hand: Sequence[str], led: str | None) -> list[str]:
    """CR-8.2, by the suit led."""
    of_suit = [card for card in hand if led and card[1] == led]
    return of_suit or list(hand)


def trick_winner(trick: Sequence[tuple[int, str]], trump: str | None) -> int:
    """CR-8.3: who wins these cards, in the order played."""
    suit = trump if trump and any(card[1] == trump for _, card in trick) else trick[0][1][1]
    return min((("KQJ765432A".index(card[0]), seat) for seat, card in trick if card[1] == suit))[1]


def orders(splits: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every order of tricks in which declarer and the opponents win so many."""
    return (winners for winners in product(range(3), repeat=9) if all(winners.count(p) == splits[p] for p in range(3)))
