"""What the events of Boston move unseen."""

from collections.abc import Mapping, Sequence

from domain.cards import Card
from domain.games.boston.acts import PutDown
from domain.games.boston.events import CardPutDown
from domain.kernel.event import Payload
from domain.kernel.unseen import Unseen


def _put_down(_state: object, _public: CardPutDown, left: tuple[Card, ...], _later: Sequence[Payload]) -> PutDown:
    (card,) = left
    return PutDown(card)


UNSEEN: Mapping[type[Payload], Unseen] = {
    CardPutDown: Unseen(leaving=lambda _: 1, known=lambda section: (section.card,), act=_put_down),
}
"""What each event moves that its payload does not name (BO-5.3)."""
