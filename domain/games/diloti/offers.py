"""The acts open to a seat now, from public fields and the seat's own cards alone.

Cards of one value in the hand have the same uses, so offers are made by value. The fields of an offer are independent:
if one may be empty only while another is not, there are two offers.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from msgspec import Struct

from domain.cards import Card
from domain.games.diloti.acts import MILDEST
from domain.games.diloti.contracts import CARDS
from domain.games.diloti.meta import COURT, HIGHEST, PACK, VALUES
from domain.games.diloti.state import Declaration, State
from domain.kernel.offers import Field, Offer, OneOf, OneOfLists, SetsOf, sets_of
from domain.parts.defaults import low_first, mildest
from domain.parts.turns import in_turn
from domain.seats import Seat


def to_act(state: State) -> tuple[Seat, ...]:
    """The seat whose turn it is; none while a batch is to be dealt or the rest taken, or after all cards are played."""
    return () if state.empty_handed else (state.turn,)


def _acts(state: State, seat: Seat) -> tuple[Offer, ...]:
    turn = _turn(state, seat)
    return (*_lay_offers(turn), *_capture_offers(turn), *_declare_offers(turn))


class _Turn(Struct, frozen=True, gc=False):
    """The facts that decide the offers of the player in turn."""

    state: State
    held: tuple[Card, ...]
    by_value: Mapping[int, tuple[Card, ...]]
    """The numerals in the hand, by value."""
    own: Declaration | None
    """The declaration that the player owns; None if there is none."""
    numerals: tuple[Card, ...]
    """The loose numerals."""

    def keeps(self, value: int, played: int) -> bool:
        """Whether the hand has a card of the value after one of value `played` is played (DL-6.2.4)."""
        return len(self.by_value.get(value, ())) > (played == value)

    def raisable(self, value: int) -> Iterator[Declaration]:
        """The plain declarations of this value whose owners are on the other side (DL-6.2.1)."""
        state = self.state
        for each in state.declarations:
            if each.value == value and each.sets == 1 and state.side(each.owner) != state.side(state.turn):
                yield each

    def lists(self, value: int, must: Declaration | None, raised: Declaration | None = None) -> OneOfLists:
        """The field for declarations of this value: any of them, but always the one that must be and the raised one."""
        numbers = [each.declaration for each in self.state.declarations if each.value == value]
        beside = () if raised is None else (raised.declaration,)
        every = [(*beside, *some) for size in range(len(numbers) + 1) for some in combinations(numbers, size)]
        lists = tuple([some for some in every if must is None or must.declaration in some])
        return OneOfLists(lists)


def _turn(state: State, seat: Seat) -> _Turn:
    held = state.hands[seat].known
    by_value: dict[int, tuple[Card, ...]] = {}
    for card in held:
        if card in VALUES:
            by_value[VALUES[card]] = (*by_value.get(VALUES[card], ()), card)
    numerals = tuple([card for card in state.loose if card in VALUES])
    return _Turn(state, held, by_value, state.owned(seat), numerals)


# Called again for each caller of the same offers, with up to forty numerals.
@lru_cache(maxsize=2048)
def _sets(numerals: tuple[Card, ...], total: int, beside: tuple[int, ...], least: int) -> SetsOf | None:
    """The field for loose numerals that form sets of this total with the values beside them."""
    values = {card: VALUES[card] for card in numerals if VALUES[card] <= total}
    return sets_of(values, total, beside=beside, least=least)


def _lay_offers(turn: _Turn) -> Iterator[Offer]:
    """Any card, except a court card beside a loose one of its rank (DL-4.2); an owner may lay none (DL-4.3)."""
    matched = {PACK.rank(card) for card in turn.state.loose if card not in VALUES}
    free = turn.state.options.court_lay == "free"
    cards = tuple([card for card in turn.held if free or PACK.rank(card) not in matched])
    if cards and turn.own is None:
        yield Offer("lay", {"card": OneOf(cards)})


def _capture_offers(turn: _Turn) -> Iterator[Offer]:
    """A court card takes cards of its rank (DL-5.1), a numeral declarations of its value and loose sets (DL-5.2)."""
    for rank in COURT:
        held = tuple([card for card in turn.held if PACK.rank(card) == rank])
        loose = tuple([card for card in turn.state.loose if PACK.rank(card) == rank])
        if held and loose:
            lists = (loose,) if turn.state.options.court_capture == "all" else tuple([(card,) for card in loose])
            yield Offer("capture", {"card": OneOf(held), "loose": OneOfLists(lists)})
    for value, cards in turn.by_value.items():
        # A player's last card with the value of their own declaration must take it (DL-7.1).
        bound = turn.own if turn.own is not None and turn.own.value == value and len(cards) == 1 else None
        declarations = turn.lists(value, bound)
        for taken in _either(turn, value, declarations):
            yield Offer("capture", {"card": OneOf(cards), **taken})


def _declare_offers(turn: _Turn) -> Iterator[Offer]:
    """The card played forms sets of the value with loose cards, or raises a declaration (DL-6.2).

    A card of the value stays in the hand (DL-6.2.4), and an owner's own declaration becomes part of it (DL-6.2.5).
    """
    own = turn.own
    for played, cards in turn.by_value.items():
        for value in range(played, HIGHEST + 1) if own is None else (own.value,):
            if value < played or not turn.keeps(value, played):
                continue
            fields: dict[str, Field] = {"card": OneOf(cards), "value": OneOf((value,))}
            for taken in _made(turn, played, value, own):
                yield Offer("declare", {**fields, **taken})


def _made(turn: _Turn, played: int, value: int, own: Declaration | None) -> Iterator[dict[str, Field]]:
    """The fields with which a card of value `played` makes a declaration of this value, including the player's own
    (DL-6.2).
    """
    declarations = turn.lists(value, own)
    if value == played:
        yield from _either(turn, value, declarations)
        return
    loose = _sets(turn.numerals, value, (played,), 1)
    if loose is not None:
        yield {"declarations": declarations, "loose": loose}
    for raised in turn.raisable(value - played):
        declarations = turn.lists(value, own, raised)
        yield from _either(turn, value, declarations)


def _either(turn: _Turn, value: int, declarations: OneOfLists) -> Iterator[dict[str, Field]]:
    """Loose sets of the value, one of these lists of declarations, or both; the field that is required comes first."""
    must_name = () not in declarations.values
    loose = _sets(turn.numerals, value, (), 0 if must_name else 1)
    if must_name:
        if loose is not None:
            yield {"declarations": declarations, "loose": loose}
        return
    some = tuple([chosen for chosen in declarations.values if chosen])
    if some:
        yield {"declarations": OneOfLists(some)}
    if loose is not None:
        yield {"loose": loose, "declarations": declarations}


_LAST: tuple[Card, ...] = tuple(row.card for row in reversed(CARDS) if row.card is not None)
"""Cards that score are given up last, the one that scores most as the very last."""

offers = in_turn(to_act, _acts)
"""The acts open to the seat now."""

default_action = mildest(offers, low_first(PACK, _LAST), MILDEST)
"""The act that the house takes for a player whose clock has run out."""
