"""The cards of L'Hombre and Ombre: their trumps, and the right not to follow with a matador (LH-2, LH-7, OM-2)."""

from collections.abc import Sequence

from tests.support.checker.record import Deal

BLACK = "KQJ765432A"
RED = "KQJA234567"
PACK = [rank + suit for suit, ranks in (("s", BLACK), ("h", RED), ("d", RED), ("c", BLACK)) for rank in ranks]
SPADILLE, BASTA = "As", "Ac"


def trumps_of(suit: str) -> list[str]:
    """Spadille, manille, basta, in red suits ponto, and the rest, high to low (LH-2.3)."""
    *others, last = [rank for rank in (BLACK if suit in "sc" else RED) if rank != "A"]
    ponto = ["A" + suit] if suit in "hd" else []
    return [SPADILLE, last + suit, BASTA, *ponto, *(rank + suit for rank in others)]


TRUMPS = {suit: trumps_of(suit) for suit in "shdc"}


class MatadorDeal(Deal):
    """A deal in which the black aces are trumps, wherever there are any."""

    trump: str | None = None

    def suit(self, card: str) -> str:
        return self.trump if self.trump is not None and card in TRUMPS[self.trump] else card[1]

    def power(self, card: str) -> int:
        ranked = TRUMPS[self.trump] if self.trump is not None and card in TRUMPS[self.trump] else PACK
        return -ranked.index(card)

    def trumps(self) -> str | None:
        return self.trump

    def playable(self, hand: Sequence[str], led: str) -> list[str]:
        """A matador need not follow a trump, unless a higher one was led."""
        if self.trump is None or self.suit(led) != self.trump:
            return super().playable(hand, led)
        order = TRUMPS[self.trump]
        matadors = order[:3]
        held = [card for card in hand if card in order]
        bound = [
            card for card in held if card not in matadors or (led in matadors and order.index(led) < order.index(card))
        ]
        return held if bound else list(hand)
