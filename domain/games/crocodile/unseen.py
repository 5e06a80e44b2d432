"""What the events of Crocodile move unseen."""

from collections.abc import Mapping, Sequence

from domain.cards import Card
from domain.games.crocodile.acts import Exchange, TakeCasco
from domain.games.crocodile.events import CardsExchanged, CascoTaken
from domain.games.crocodile.meta import HAND, TALON
from domain.games.crocodile.state import Exchanging, TakingCasco
from domain.kernel import dealing
from domain.kernel.event import Payload
from domain.kernel.unseen import Unseen, UnseenDraw

DISCARDS = "discards"
"""The pile of declarer's discards in Casco."""


def _exchange(_: Exchanging, public: CardsExchanged, discard: tuple[Card, ...], _later: Sequence[Payload]) -> Exchange:
    return Exchange(discard, public.taken)


def _drawn(state: Exchanging, public: CardsExchanged) -> tuple[UnseenDraw, ...]:
    pile = DISCARDS if state.commitment.contract.contract == "casco" else dealing.TALON
    return (UnseenDraw(public.seat, pile, number=public.count - len(public.taken)),)


def _take(state: TakingCasco, public: CascoTaken, discard: tuple[Card, ...], _later: Sequence[Payload]) -> TakeCasco:
    (kept,) = [card for card in state.hands[public.seat].known if card not in discard]
    return TakeCasco(kept)


UNSEEN: Mapping[type[Payload], Unseen] = {
    CardsExchanged: Unseen(
        leaving=lambda public: public.count,
        draws=_drawn,
        known=lambda section: section.discarded,
        act=_exchange,
    ),
    CascoTaken: Unseen(
        leaving=lambda _: HAND - 1,
        to=lambda _: DISCARDS,
        draws=lambda _, public: (UnseenDraw(public.seat, dealing.TALON, number=TALON),),
        known=lambda section: section.discarded,
        act=_take,
    ),
}
"""What each event moves that its payload does not name (CR-7)."""
