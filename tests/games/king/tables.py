"""Tables on which King is played.

`in_deal` puts a table into any of its ten deals, with cards that a test chooses. A `Plan` says which card is played to
which trick.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from domain.games.king import KING
from domain.games.king.events import KingScored
from domain.kernel.event import Event
from domain.kernel.game import Game
from domain.seats import Seat
from domain.table.events import GameStarted
from tests.support.games import Live, filled

SUITS = "shdc"
RANKS = "AKQJT98765432"
PACK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
TRICKS = 13


class KingLive(Live):
    """A table of King."""

    game: ClassVar[Game] = KING

    def trick(self, *cards: str) -> None:
        """These cards are played, each by the seat whose turn it is."""
        for card in cards:
            self.do("play", card=card)

    def said(self) -> list[tuple[Seat, int | None]]:
        """The auction as all see it."""
        return [(one["seat"], one["number"]) for one in self.view("public")["auction"]]

    def auction(self, *calls: int | None) -> None:
        """These calls, each by the seat whose turn it is; None is a pass."""
        for call in calls:
            if call is None:
                self.do("pass")
            else:
                self.do("bid", tricks=call)

    def lines(self) -> dict[Seat, list[tuple[str, int]]]:
        """Rule and amount of each player's lines in the last scored deal."""
        return {seat: [(rule, amount) for _, rule, amount in self.booked(seat)] for seat in self.seats}

    def points(self) -> list[int]:
        """What each seat scored in the last scored deal."""
        return [sum(amount for _, _, amount in self.booked(seat)) for seat in self.seats]


def in_deal(
    deal: int, hands: Mapping[Seat, Sequence[str]], *, dealer: Seat = 3, options: Mapping[str, str] | None = None
) -> KingLive:
    """A table in this deal, in which these hands lie, each filled up with others. The deals before book nothing."""
    own, _ = filled(hands, PACK, TRICKS)
    fair = KingLive.started(options=KING.options(**(options or {})))
    live = KingLive([record for record in fair.records if record.type in ("table-opened", "seat-taken")])
    first = (dealer - deal + 1) % 4
    live.append((Event(GameStarted(first)),))
    for number in range(1, deal):
        live.append((live.dealing(PACK, (first + number - 1) % 4),))
        scored = KingScored(number, "played-out", (), (0,) * 4, "00" * 32, "no-tricks", None, None)
        live.append((Event(scored, deal=number),))
    piles = {seat: iter(cards) for seat, cards in own.items()}
    cards = [next(piles[(dealer + 1 + place) % 4]) for place in range(len(PACK))]
    live.append((live.dealing(cards, dealer),))
    return live


class Plan(NamedTuple):
    """The card that each seat plays to each trick."""

    tricks: list[dict[Seat, str]]

    def hands(self) -> dict[Seat, list[str]]:
        """What the seats hold."""
        return {seat: [trick[seat] for trick in self.tricks] for seat in range(4)}


FOURS = tuple(" ".join(rank + suit for rank in ranks) for ranks in ("AKQJ", "T987", "6543") for suit in "shdc")
"""Twelve tricks in which everybody follows suit, whatever is trump."""


def planned(winners: Sequence[Seat], fours: Sequence[str] = FOURS) -> Plan:
    """A plan in which these seats win the first twelve tricks, and the last of them the thirteenth too.

    The first card of each four goes to the winner, the others to the seats after. All follow suit in the first twelve;
    the thirteenth is led by the first of the cards that are left, and no other suit may be trumps.
    """
    tricks = [
        {(winner + step) % 4: card for step, card in enumerate(four.split())}
        for winner, four in zip(winners[:12], fours, strict=True)
    ]
    left = [card for card in PACK if card not in " ".join(fours).split()]
    tricks.append({(winners[11] + step) % 4: card for step, card in enumerate(left)})
    return Plan(tricks)


def won_by(*numbers: int) -> list[Seat]:
    """The winners of thirteen tricks of which the seats win so many, the last two by the same seat."""
    seats = [seat for seat, number in enumerate(numbers) for _ in range(number)]
    twice = next(seat for seat, number in enumerate(numbers) if number >= 2)
    seats.remove(twice)
    seats.remove(twice)
    return [*seats, twice, twice]


def positive(
    numbers: Sequence[int],
    direction: str,
    *,
    calls: Sequence[int | None] = (),
    trump: str | None = None,
    deal: int = 7,
    dealer: Seat = 0,
    options: Mapping[str, str] | None = None,
) -> KingLive:
    """A scored positive deal in which the seats win so many tricks; with `calls`, trumps were put up for auction."""
    plan = planned(won_by(*numbers))
    live = in_deal(deal, plan.hands(), dealer=dealer, options=options)
    if calls:
        live.do("auction")
        live.auction(*calls)
    live.do("name-trumps", trump=trump)
    live.do("declare-direction", direction=direction)
    return live.play_out(plan.tricks)


def negative(deal: int, plan: Plan) -> KingLive:
    """A negative deal, played by the plan until it is scored."""
    return in_deal(deal, plan.hands()).play_out(plan.tricks)
