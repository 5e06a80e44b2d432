"""How cards rank: the suit that each card belongs to, and the cards that it beats.

That depends on the trump suit. Each ranking is a table that is made once; games look it up by the trump suit in force.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.cards import Card, Pack, Suit


class Ranking(Struct, frozen=True):
    """Suits and strengths of all cards under one trump suit; `trump` is None where there are no trumps."""

    trump: Suit | None
    suits: Mapping[Card, Suit]
    """The suit that each card belongs to, which for some trumps is not the one printed on them."""
    power: Mapping[Card, int]
    """How strong each card is in its suit, greater beating smaller."""
    matadors: tuple[Card, ...] = ()
    """The trumps that need not be played to follow, unless a higher one of them was led."""

    def may_renege(self, card: Card, led: Card) -> bool:
        """Whether the card, which belongs to the suit led, need not be played to follow."""
        return card in self.matadors and not (led in self.matadors and self.power[led] > self.power[card])


def ranking(
    plain: Pack, trump: Suit | None = None, trumps: Sequence[Card] = (), matadors: Sequence[Card] = ()
) -> Ranking:
    """The ranking of a pack whose cards stand high to low in `plain` within every suit.

    `trumps` stand high to low; where none are named, the trump suit's own cards are the trumps, ranked as when plain.
    """
    above = trumps or (() if trump is None else plain.of_suit(trump))
    cards = (*above, *(card for card in plain if card not in above))
    suits = {card: plain.suit(card) for card in plain}
    if trump is not None:
        suits |= dict.fromkeys(above, trump)
    return Ranking(trump, suits, {card: -place for place, card in enumerate(cards)}, tuple(matadors))
