"""Tables at which Dingo is played in tests.

`dealt` puts a table into the first discard with hands that a test chooses, `in_hunts` into the hunts: the cards that a
test names are held then, and all others were discarded or passed as they had to be.
"""

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import ClassVar

from domain.games.dingo import DINGO
from domain.games.dingo.events import HuntEnded
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.seats import Seat
from domain.table.events import GameStarted
from tests.games.dingo.checker import DEALT
from tests.support.games import Live, filled

HAND = 10


class DingoLive(Live):
    """A table of Dingo."""

    game: ClassVar[Game] = DINGO

    def hunt_of(self, rank: str) -> HuntEnded:
        """What the hunt of this rank came to."""
        ended: HuntEnded = next(ended for ended in self.of(HuntEnded) if ended.rank == rank)
        return ended

    def points_of(self, rank: str) -> list[int]:
        """What the hunt of this rank brought each seat, by the views before and after its end."""
        ended = next(at for at, event in enumerate(self.events, 1) if event.public == self.hunt_of(rank))
        before, after = ([seat["points"] for seat in self.view("public", at)["seats"]] for at in (ended - 1, ended))
        return [now - then for then, now in zip(before, after, strict=True)]

    def pass_until(self, rank: str) -> "DingoLive":
        """Nobody plays a wolf before the hunt of this rank."""
        while self.view("public")["hunt"]["rank"] != rank:
            self.do("pass")
        return self

    def to_the_end(self) -> "DingoLive":
        """Nobody plays a wolf any more."""
        deal = self.table.deal
        while self.table.running_deal == deal:
            self.do("play-wolves" if self.phase == "ace-hunt" else "pass")
        return self


def dealt(hands: Mapping[Seat, str | Sequence[str]], *, dealer: Seat = 3) -> DingoLive:
    """A table whose first deal holds these hands, each filled up with others."""
    own, _ = filled(hands, DEALT, HAND)
    fair = DingoLive.started()
    live = DingoLive([record for record in fair.records if record.type in ("table-opened", "seat-taken")])
    live.append((Event(GameStarted(dealer)),))
    piles = {seat: iter(cards) for seat, cards in own.items()}
    cards = [next(piles[(dealer + 1 + place) % 4]) for place in range(len(DEALT))]
    live.append((live.dealing(cards, dealer),))
    return live


def in_hunts(hands: Mapping[Seat, str], *, gone: str = "") -> DingoLive:
    """A table in the hunts at which the seats hold these cards, among six each. What stands in `gone` was discarded.

    A seat passes on what it was passed, so that all keep their own: each card that is passed goes round and is
    discarded at the end. Aces are to be among the hands.
    """
    kept = {seat: hands.get(seat, "").split() for seat in range(4)}
    named = set(chain.from_iterable(kept.values()))
    first = gone.split()
    rest = [card for card in DEALT if card not in named and card not in first and card[0] != "A"]
    loose = first + rest
    full = {seat: list(cards) for seat, cards in kept.items()}
    # What is to be gone is spread over the seats, so that each has cards enough to give up.
    while loose:
        for seat in (3, 0, 1, 2):
            if loose and len(full[seat]) < HAND:
                full[seat].append(loose.pop(0))
    live = dealt(full)
    wanted = {card for cards in kept.values() for card in cards}
    while live.phase in ("discard", "pass"):
        held = [card for card in live.hand(live.turn) if card not in wanted and card[0] != "A"]
        held.sort(key=lambda card: card not in first)
        live.do("discard" if live.phase == "discard" else "pass-card", card=held[0 if live.phase == "discard" else -1])
    return live
