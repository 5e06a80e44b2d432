"""Tables on which Lórum is played.

`in_deal` puts a table into any of the seven kinds of deal, with cards that a test chooses.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from domain.games.lorum import LORUM
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.kernel.ledger import Line
from domain.seats import Seat
from domain.table.events import DealScored, GameStarted
from tests.support.games import EVERYBODY, Live, filled

SUITS = "shdc"
RANKS = "AKQJT987"
PACK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
EACH = 8

NO_HEARTS, QUEENS, NO_TRICKS, HAIRY_APE, TRAIN, QUART, DOMINO = range(1, 8)
"""The kinds, by the number of the deal among a dealer's seven."""
KINDS = ("no-hearts", "queens", "no-tricks", "hairy-ape", "train", "quart", "domino")


class LorumLive(Live):
    """A table of Lórum."""

    game: ClassVar[Game] = LORUM

    def play(self, *cards: str) -> None:
        """These cards are played, each by the seat whose turn it is."""
        for card in cards:
            self.do("play", card=card)

    def turn_up(self, *cards: str) -> None:
        """The places of these cards are named, each by the seat whose turn it is."""
        for card in cards:
            self.do("turn-up", place=self.place_of(card))

    def place_of(self, card: str) -> int:
        """The number of the place where the card stands."""
        seats = self.table.deal_state.places
        return next(place.number for own in seats for place in own if place.card == card)

    def open_cards(self, seat: Seat) -> list[str]:
        """The cards of which the seat may play one."""
        ((fields,),) = (self.offered(seat, "play"),)
        return list(fields["card"]["one_of"])

    def own_lines(self) -> dict[Seat, list[tuple[str, int]]]:
        """Rule and amount of each player's lines in the last scored deal."""
        return {seat: [(rule, amount) for _, rule, amount in self.booked(seat)] for seat in self.seats}

    def gains(self) -> list[int]:
        """What each seat gained in the last scored deal."""
        return [sum(amount for _, _, amount in self.booked(seat)) for seat in self.seats]

    @property
    def pot(self) -> int:
        """What is in the pot."""
        return self.table.accounts.get("pool", 0)


def _paid_into_the_pot(chips: int, seat: Seat, version: int) -> tuple[Line, ...]:
    """Lines by which the seat has paid this."""
    player = f"player:{EVERYBODY[seat]}"
    events = (version,)
    return (
        Line(player, "pool", seat, -chips, "mark", "LO-5.2", "paid before", events),
        Line("pool", player, None, chips, "mark", "LO-5.2", "paid before", events),
    )


def in_deal(
    kind: int,
    hands: Mapping[Seat, Sequence[str]],
    *,
    dealer: Seat = 3,
    options: Mapping[str, Any] | None = None,
    pot: int = 0,
) -> LorumLive:
    """A table in the dealer's deal of this kind, in which these hands lie, each filled up with other cards.

    The deals before book nothing but what is in the pot, which seat 0 has paid.
    """
    own, _ = filled(hands, PACK, EACH)
    fair = LorumLive.started(options=LORUM.options(**(options or {})))
    live = LorumLive([record for record in fair.records if record.type in ("table-opened", "seat-taken")])
    live.append((Event(GameStarted(dealer)),))
    for number in range(1, kind):
        live.append((live.dealing(PACK, dealer),))
        lines = _paid_into_the_pot(pot, 0, live.version) if pot and number == 1 else ()
        totals = (-pot, 0, 0, 0)
        live.append((Event(DealScored(number, "four-captured", lines, totals, "00" * 32), deal=number),))
    piles = {seat: iter(cards) for seat, cards in own.items()}
    cards = [next(piles[(dealer + 1 + place // 4) % 4]) for place in range(len(PACK))]
    live.append((live.dealing(cards, dealer),))
    return live


FOURS = tuple(" ".join(rank + suit for rank in ranks) for ranks in ("AKQJ", "T987") for suit in "shdc")
"""Eight tricks in which everybody follows suit and the first card wins: of each suit one with the queen."""


def planned(winners: Sequence[Seat], fours: Sequence[str] = FOURS) -> list[dict[Seat, str]]:
    """The card that each seat plays to each of eight tricks that these seats win, each leading to its own.

    The first trick's winner must be eldest.
    """
    return [
        {(winner + step) % 4: card for step, card in enumerate(four.split())}
        for winner, four in zip(winners, fours, strict=True)
    ]


def play_out(kind: int, plan: Sequence[Mapping[Seat, str]], **chosen: Any) -> LorumLive:
    """A deal of this kind in which the plan is played until the deal is scored."""
    live = in_deal(kind, {seat: [trick[seat] for trick in plan] for seat in range(4)}, **chosen)
    scored = live.table.scored
    for trick in plan:
        leader = live.turn if live.table.scored == scored else None
        for step in range(4):
            if leader is not None:
                live.do("play", card=trick[(leader + step) % 4])
    return live
