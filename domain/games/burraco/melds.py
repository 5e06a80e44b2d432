"""Melds: whether cards are one, their order, and the wild card among them (BU-5, BU-7)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, product

from msgspec import Struct

from domain.cards import RANKS, SUITS, Card
from domain.games.burraco.contracts import CLEAN, DIRTY, SEMI_CLEAN, Kind
from domain.games.burraco.meta import ORDER, PACK, WILD

LEAST = 3
MOST_IN_RUN = 13
BURRACO = 7
"""The least number of cards of a burraco; also the least number of adjacent natural cards in a semi-clean one (BU-7.1,
BU-7.2).
"""

LOW_ACE, HIGH_ACE = 1, 14
_HEIGHT: Mapping[str, int] = {rank: len(RANKS) - index for index, rank in enumerate(RANKS[1:])}
"""The height of a rank in a run; that of an ace is `LOW_ACE` or `HIGH_ACE`."""


class Arranged(Struct, frozen=True, gc=False):
    """A meld's cards in their order, and the wild one among them."""

    cards: tuple[Card, ...]
    wild: Card | None = None

    @property
    def natural(self) -> tuple[Card, ...]:
        """The cards that stand for themselves."""
        return tuple([card for card in self.cards if card != self.wild])

    @property
    def rank(self) -> str | None:
        """The rank of a set; None for a run."""
        first, second, *_ = self.natural
        return PACK.rank(first) if PACK.rank(first) == PACK.rank(second) else None


def arranged(cards: Iterable[Card]) -> Arranged | None:
    """These cards as a meld; None if they are none. The order follows from the cards alone (BU-5.4)."""
    return _arranged(tuple(sorted(cards, key=ORDER.__getitem__)))


# Called for every card of a hand and every meld of its side at each act, mostly with the same cards as before.
@lru_cache(maxsize=1 << 14)
def _arranged(cards: tuple[Card, ...]) -> Arranged | None:
    plain = [card for card in cards if card not in WILD]
    if len(cards) < LEAST or not plain:
        return None
    ranks = {PACK.rank(card) for card in plain}
    return _set(cards, plain) if len(ranks) == 1 and len(cards) - len(plain) <= 1 < len(plain) else _run(cards, plain)


def _set(cards: tuple[Card, ...], plain: Sequence[Card]) -> Arranged:
    """Cards of one rank in the pack's order, the wild card last (BU-5.1, BU-5.4)."""
    wild = next((card for card in cards if card in WILD), None)
    return Arranged((*plain, wild) if wild else tuple(plain), wild)


def _run(cards: tuple[Card, ...], plain: Sequence[Card]) -> Arranged | None:
    """The run of these cards, in the order that BU-5.4 prefers; None if they do not form one."""
    suits = {PACK.suit(card) for card in plain}
    if len(suits) > 1 or len(cards) > MOST_IN_RUN:
        return None
    (suit,) = suits
    others = [card for card in cards if card in WILD and PACK.faces[card].suit != suit]
    twos = [card for card in cards if card in WILD and PACK.faces[card].suit == suit]
    if len(others) + len(twos) > 1 + bool(twos):
        return None
    # If both 2s of the suit are here, the lower copy is the natural one (BU-5.4 d).
    wilds: tuple[Card | None, ...] = (others[0],) if others else (twos[1],) if len(twos) == 2 else (None, *twos)
    best: tuple[tuple[bool, bool, bool], Arranged] | None = None
    for wild in wilds:
        natural = [card for card in cards if card != wild]
        for ace in (LOW_ACE, HIGH_ACE):
            by_height = {ace if PACK.rank(card) == "A" else _HEIGHT[PACK.rank(card)]: card for card in natural}
            height = _wild_height(by_height, len(natural), wild)
            if height is not None:
                gap = min(by_height) < height < max(by_height)
                preference = (wild is not None, not gap, ace == HIGH_ACE)
                if best is None or preference < best[0]:
                    all_cards = by_height if wild is None else {**by_height, height: wild}
                    best = preference, Arranged(tuple([all_cards[height] for height in sorted(all_cards)]), wild)
    return None if best is None else best[1]


def _wild_height(by_height: Mapping[int, Card], number: int, wild: Card | None) -> int | None:
    """The height of the wild card in a run of these natural cards; 0 if there is none, None if they do not form
    a run.
    """
    low, high = min(by_height), max(by_height)
    missing = high - low + 1 - number
    if len(by_height) < number:
        return None
    if wild is None:
        return None if missing else 0
    if missing == 1:
        return next(height for height in range(low, high) if height not in by_height)
    if missing:
        return None
    return low - 1 if low > LOW_ACE else high + 1


def added(meld: Arranged, card: Card) -> Arranged | None:
    """The meld with this card added to it; None if it may not be added (BU-6.2)."""
    ((_, grown),) = additions(meld, (card,))
    return grown


# Neither the hand nor most melds change between the offers and the act checked by them.
@lru_cache(maxsize=1024)
def additions(meld: Arranged, held: tuple[Card, ...]) -> tuple[tuple[Card, Arranged | None], ...]:
    """Each of these cards with the meld that results from adding it; None if it may not be added (BU-6.2)."""
    rank, suit = meld.rank, PACK.suit(meld.natural[0])
    # Rank and suit are compared first, since most cards of a hand fit few melds.
    return tuple(
        [
            (card, _grown(meld, card))
            if card in WILD or (PACK.rank(card) == rank if rank else PACK.suit(card) == suit)
            else (card, None)
            for card in held
        ]
    )


def _grown(meld: Arranged, card: Card) -> Arranged | None:
    grown = arranged((*meld.cards, card))
    if grown is None or meld.wild is None or card not in WILD:
        return grown
    # A second wild card would be accepted only because the first could then be natural (BU-5.6).
    in_place = any(each in WILD for each in grown.natural)
    return grown if in_place and PACK.faces[card].suit == PACK.suit(grown.natural[0]) else None


def burraco(meld: Arranged, *, semi_clean: bool) -> Kind | None:
    """The meld's kind of burraco; None if it is too short for one (BU-7.1, BU-7.2)."""
    if len(meld.cards) < BURRACO:
        return None
    if meld.wild is None:
        return CLEAN.burraco
    return SEMI_CLEAN.burraco if semi_clean and _together(meld) >= BURRACO else DIRTY.burraco


def _together(meld: Arranged) -> int:
    """The most natural cards next to each other; in a set, all of them."""
    wild = meld.cards.index(meld.wild or "")
    return max(wild, len(meld.cards) - wild - 1)


class Laying(Struct, frozen=True, gc=False):
    """Cards of a hand that can be laid: a triple, or a pair with any of these wild cards."""

    cards: tuple[Card, ...]
    wilds: tuple[Card, ...] = ()
    rank: str | None = None
    """The rank of a set; None for a run."""


# The hand does not change between the offers and the act checked by them.
@lru_cache(maxsize=256)
def layings(held: tuple[Card, ...]) -> tuple[Laying, ...]:
    """All layings from these cards, each meld of three once (BU-6.1)."""
    wilds = tuple([card for card in held if card in WILD])
    return (*_sets_of(held, wilds), *(laying for suit in SUITS for laying in _runs_of(held, wilds, suit)))


def _sets_of(held: Sequence[Card], wilds: tuple[Card, ...]) -> Iterator[Laying]:
    by_rank: dict[str, list[Card]] = {}
    for card in held:
        if card not in WILD:
            by_rank.setdefault(PACK.rank(card), []).append(card)
    for rank, cards in by_rank.items():
        yield from (Laying(triple, (), rank) for triple in combinations(cards, LEAST))
        if wilds:
            yield from (Laying(pair, wilds, rank) for pair in combinations(cards, LEAST - 1))


def _runs_of(held: Sequence[Card], wilds: tuple[Card, ...], suit: str) -> Iterator[Laying]:
    by_height: dict[int, list[Card]] = {}
    for card in held:
        if PACK.faces[card].suit == suit:
            rank = PACK.rank(card)
            for height in (LOW_ACE, HIGH_ACE) if rank == "A" else (_HEIGHT[rank],):
                by_height.setdefault(height, []).append(card)
    twos = by_height.get(_HEIGHT["2"], [])
    others = tuple([card for card in wilds if card not in twos])
    for low in range(LOW_ACE, HIGH_ACE):
        if low not in by_height:
            continue
        first, second, third = [by_height.get(low + step, []) for step in range(LEAST)]
        yield from map(Laying, product(first, second, third))
        for pair in (*product(first, second), *product(first, third)):
            # With a 2 of the suit the pair may be a run of natural cards, which is laid as a triple.
            own = [two for two in twos if two not in pair and _counts_as_wild(two, pair)]
            if others or own:
                yield Laying(pair, (*others, *own))


def _counts_as_wild(card: Card, pair: Sequence[Card]) -> bool:
    meld = arranged((*pair, card))
    return meld is not None and meld.wild == card
