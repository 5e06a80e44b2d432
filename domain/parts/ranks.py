"""How cards rank: the suit that each card belongs to, and the cards that it beats.

Both depend on the trump suit. Each ranking is a table that is made once; games look it up by the trump suit in force.
"""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from domain.cards import Card, Pack, Suit


class Ranking(Struct, frozen=True):
    """Suits and strengths of all cards under one trump suit; `trump` is None without trumps."""

    trump: Suit | None
    suits: Mapping[Card, Suit]
    """The suit that each card belongs to, which may differ from the printed suit under some trumps."""
    power: Mapping[Card, int]
    """The strength of each card in its suit; the greater beats the smaller."""
    matadors: tuple[Card, ...] = ()
    """The trumps that need not be played to follow, unless a higher one of them was led."""

    def may_renege(self, card: Card, led: Card) -> bool:
        """Whether a player may keep this card, which belongs to the suit led, and play another suit."""
        return card in self.matadors and not (led in self.matadors and self.power[led] > self.power[card])


def ranking(
    plain: Pack, trump: Suit | None = None, trumps: Sequence[Card] = (), matadors: Sequence[Card] = ()
) -> Ranking:
    """The ranking of a pack whose cards are sorted high to low in `plain` within every suit.

    `trumps` are sorted high to low. If empty, the trump suit's own cards are the trumps, ranked as plain cards are.
    """
    above = trumps or (() if trump is None else plain.of_suit(trump))
    cards = (*above, *(card for card in plain if card not in above))
    suits = {card: plain.suit(card) for card in plain}
    if trump is not None:
        suits |= dict.fromkeys(above, trump)
    return Ranking(trump, suits, {card: -index for index, card in enumerate(cards)}, tuple(matadors))
