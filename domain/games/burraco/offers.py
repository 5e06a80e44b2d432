"""What a seat may do now, from public fields and the seat's own cards alone."""

from collections.abc import Iterator, Mapping
from typing import assert_never

from msgspec import Struct

from domain.cards import JOKER, Card
from domain.games.burraco.actions import MILDEST
from domain.games.burraco.melds import BURRACO, Arranged, added, additions, arranged, layings
from domain.games.burraco.meta import PACK, WILD
from domain.games.burraco.state import Drawing, Melding, State, opening
from domain.kernel.offers import MOST_LISTS, Offer, OneOf, OneOfLists
from domain.parts.defaults import low_first, mildest
from domain.seats import Seat

DRAW = (Offer("draw"), Offer("take-pile"))

NEW = 0
"""Stands for the number of a meld that is not laid yet."""


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat that must act; none while a pozzetto is to be taken or looked at, or the deal is over."""
    if state.common.taking is not None or opening(state) is not None:
        return ()
    return () if isinstance(state, Drawing) and state.ending is not None else (state.turn,)


def offers(state: State, seat: Seat) -> tuple[Offer, ...]:
    """What the seat may do now."""
    if seat not in to_act(state):
        return ()
    match state:
        case Drawing():
            return DRAW
        case Melding():
            turn = _turn(state)
            return (*_lay_offers(turn), *_add_offers(turn), *_discard_offers(turn))
        case _:
            assert_never(state)


def withheld(state: State, seat: Seat, type: str) -> str | None:
    """The rule that takes away all acts of this type that the seat's cards would allow (BU-5.1, BU-5.6, BU-6.5)."""
    if not isinstance(state, Melding) or seat not in to_act(state):
        return None
    turn = _turn(state)
    match type:
        case "lay":
            rules = [*_lays(turn)[1].values()]
        case "add":
            rules = [rule for number, meld in turn.melds.items() for rule in _adds(turn, number, meld)[1].values()]
        case _:
            rules = []
    return rules[0] if rules else None


class _Turn(Struct, frozen=True, gc=False):
    """What the player in turn goes by: the own cards, the melds of the own side by number, and what bars an end."""

    held: tuple[Card, ...]
    melds: Mapping[int, Arranged]
    barred: Card | None
    pozzetto: bool
    """Whether the side has its pozzetto still to take."""

    def can_end(self, left: tuple[Card, ...], changed: Mapping[int, Arranged]) -> bool:
        """Whether the turn can still end with these cards left, once these melds are new or have grown (BU-6.5)."""
        if len(left) != 1:
            return self.pozzetto or bool(left)
        (card,) = left
        melds = {**self.melds, **changed}.values()
        if card == self.barred:
            return self.pozzetto and any(added(meld, card) for meld in melds)
        # Else the last card closes (BU-9.2).
        return self.pozzetto or (card not in WILD and any(len(meld.cards) >= BURRACO for meld in melds))


def _turn(state: Melding) -> _Turn:
    common = state.common
    side = common.side(state.turn)
    melds = {meld.meld: meld.arranged for meld in common.melds_of(side)}
    return _Turn(common.hands[state.turn].known, melds, state.barred, common.takers[side] is None)


_Lists = dict[tuple[Card, ...], list[tuple[Card, ...]]]
"""By the wild cards any of which goes with it, what can be laid."""


def _lays(turn: _Turn) -> tuple[_Lists, dict[frozenset[Card | int], str]]:
    """What may be laid, and what another rule takes away: a second set of a rank, an end of the turn."""
    ranks = {meld.rank for meld in turn.melds.values()} - {None}
    held = turn.held
    lists: _Lists = {}
    ruled_out: dict[frozenset[Card | int], str] = {}
    for laying in layings(held):
        if laying.rank in ranks:
            ruled_out[frozenset(laying.cards)] = "BU-5.1"
        elif len(held) > 4:
            lists.setdefault(laying.wilds, []).append(laying.cards)
        else:
            # What is left depends on all three cards, so each wild card is looked at by itself.
            singly: tuple[tuple[Card, ...], ...] = tuple([(card,) for card in laying.wilds]) or ((),)
            for wild in singly:
                cards = (*laying.cards, *wild)
                meld = arranged(cards)
                left = tuple([card for card in held if card not in cards])
                if meld is not None and turn.can_end(left, {NEW: meld}):
                    lists.setdefault(wild, []).append(laying.cards)
                else:
                    ruled_out[frozenset(laying.cards)] = "BU-6.5"
    return lists, ruled_out


def _lay_offers(turn: _Turn) -> Iterator[Offer]:
    """Melds without a wild card as triples, others as pairs and a wild card (BU-6.1)."""
    lists, ruled_out = _lays(turn)
    for wilds, cards in lists.items():
        wild = {"wild": OneOf(wilds, "BU-6.1")} if wilds else {}
        for start in range(0, len(cards), MOST_LISTS):
            some = OneOfLists(tuple(cards[start : start + MOST_LISTS]), "BU-6.1", ruled_out)
            yield Offer("lay", {"cards": some, **wild})


def _add_offers(turn: _Turn) -> Iterator[Offer]:
    """For each meld of the side the cards that may be added (BU-6.2)."""
    for number, meld in turn.melds.items():
        cards, ruled_out = _adds(turn, number, meld)
        if cards:
            yield Offer("add", {"meld": OneOf((number,), "BU-6.2"), "card": OneOf(tuple(cards), "BU-6.2", ruled_out)})


def _adds(turn: _Turn, number: int, meld: Arranged) -> tuple[list[Card], dict[str, str]]:
    """What may be added to the meld, and what another rule takes away: a second wild card, an end of the turn."""
    cards: list[Card] = []
    ruled_out: dict[str, str] = {}
    for card, grown in additions(meld, turn.held):
        if grown is None:
            if card in WILD and meld.wild is not None:
                ruled_out[card] = "BU-5.6"
        elif len(turn.held) > 2 or turn.can_end(tuple([each for each in turn.held if each != card]), {number: grown}):
            cards.append(card)
        else:
            ruled_out[card] = "BU-6.5"
    return cards, ruled_out


def _discard_offers(turn: _Turn) -> Iterator[Offer]:
    """Any card but the barred one (BU-4.2, BU-4.3). A last card was left only where it may go (BU-6.5)."""
    cards = tuple([card for card in turn.held if card != turn.barred])
    if cards:
        ruled_out = {} if turn.barred is None else {turn.barred: "BU-4.2"}
        yield Offer("discard", {"card": OneOf(cards, "BU-4.3", ruled_out)})


_LAST: tuple[Card, ...] = tuple(card for rank in ("2", JOKER) for card in PACK if PACK.rank(card) == rank)
"""Wild cards are given up last."""

default_action = mildest(offers, low_first(PACK, _LAST), MILDEST)
"""What is done for a player whose clock has run out."""
