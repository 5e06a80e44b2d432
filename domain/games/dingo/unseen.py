"""What the events of Dingo move unseen."""

from collections.abc import Mapping, Sequence

from domain.cards import Card
from domain.games.dingo.acts import PassCard
from domain.games.dingo.events import CardPassed
from domain.kernel.event import Payload
from domain.kernel.unseen import Unseen


def _pass(_state: object, _public: CardPassed, left: tuple[Card, ...], _later: Sequence[Payload]) -> PassCard:
    (card,) = left
    return PassCard(card)


UNSEEN: Mapping[type[Payload], Unseen] = {
    CardPassed: Unseen(
        leaving=lambda _: 1, to=lambda public: public.to, known=lambda section: (section.card,), act=_pass
    ),
}
"""What each event moves that its payload does not name (DG-4.3)."""
