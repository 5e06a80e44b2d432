"""The cards of L'Hombre and Ombre: their trumps, and the right not to follow with a matador (LH-2, LH-7, OM-2)."""

from collections.abc import Sequence

from tests.support.checker.record import Deal, following, taker

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


def suit_in(card: str, trump: str | None) -> str:
    """The suit that the card belongs to under these trumps: the black aces are trumps, wherever there are any."""
    return trump if trump is not None and card in TRUMPS[trump] else card[1]


def power_in(card: str, trump: str | None) -> int:
    """The more, the higher the card in its suit under these trumps."""
    ranked = TRUMPS[trump] if trump is not None and card in TRUMPS[trump] else PACK
    return -ranked.index(card)


def winner_of(trick: Sequence[tuple[int, str]], trump: str | None) -> int:
    """Who wins these cards under these trumps."""
    return taker(trick, trump, lambda card: suit_in(card, trump), lambda card: power_in(card, trump))


def playable(hand: Sequence[str], led: str | None, trump: str | None) -> list[str]:
    """What may be played to this lead: a matador need not follow a trump, unless a higher one was led."""
    if trump is None or led not in TRUMPS[trump]:
        return following(hand, led, lambda card: suit_in(card, trump))
    order = TRUMPS[trump]
    matadors = order[:3]
    held = [card for card in hand if card in order]
    bound = [
        card for card in held if card not in matadors or (led in matadors and order.index(led) < order.index(card))
    ]
    return held if bound else list(hand)


class MatadorDeal(Deal):
    """A deal in which the black aces are trumps, wherever there are any."""

    trump: str | None = None

    def suit(self, card: str) -> str:
        return suit_in(card, self.trump)

    def power(self, card: str) -> int:
        return power_in(card, self.trump)

    def trumps(self) -> str | None:
        return self.trump

    def playable(self, hand: Sequence[str], led: str) -> list[str]:
        return playable(hand, led, self.trump)
