"""Tables on which Tëtka is played.

`planned` stacks a deal in which any order of winners can be played, all following suit in twelve tricks.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from domain.games.tetka import TETKA
from domain.games.tetka.meta import Options
from domain.games.tetka.penalties import BUMS
from domain.games.tetka.state import Playing
from domain.kernel.game import Game
from domain.kernel.hands import Hand
from domain.kernel.ledger import Party
from domain.kernel.worth import Score
from domain.parts.tricks import Tricks
from domain.seats import Seat
from tests.support.games import Live

SUITS = "shdc"
RANKS = "AKQJT98765432"
PACK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
Cards = Sequence[tuple[Seat, str]]
"""A trick: who played what, in order."""


class TetkaLive(Live):
    """A table of Tëtka."""

    game: ClassVar[Game] = TETKA


def dealt(hands: Mapping[Seat, str], *, bum: str, dealer: Seat = 3) -> TetkaLive:
    """A table whose seats hold these cards, the dealer the bum card too; filled up in the pack's order from seat 0."""
    own = {seat: hands.get(seat, "").split() for seat in range(4)}
    own[dealer] = [*(card for card in own[dealer] if card != bum), bum]
    rest = [card for card in PACK if all(card not in cards for cards in own.values())]
    full: dict[Seat, list[str]] = {}
    for seat in range(4):
        missing = 13 - len(own[seat])
        full[seat], rest = [*rest[:missing], *own[seat]], rest[missing:]
    return TetkaLive.stacked(full, (), dealer=dealer)


class Plan(NamedTuple):
    """The card that each seat plays to each trick."""

    tricks: list[dict[Seat, str]]
    bum: str
    dealer: Seat


def planned(winners: Sequence[Seat], bum: str, *, fours: Sequence[str] = (), dealer: Seat = 3) -> Plan:
    """A plan in which these seats win the first twelve tricks, and who wins the twelfth the last one.

    `fours` are the cards of some tricks from the first on, of one suit each, high to low; then come the others, in the
    pack's order. The twos are played to the last trick.
    """
    odd = [f"2{suit}" for suit in SUITS]
    every = [" ".join(rank + suit for rank in RANKS[at : at + 4]) for suit in SUITS for at in (0, 4, 8)]
    tricks: list[dict[Seat, str]] = []
    for four, winner in zip([*fours, *(each for each in every if each not in fours)], winners, strict=True):
        best, *others = four.split()
        trick = {winner: best}
        if bum in four and bum != best:
            others.remove(bum)
            trick[dealer] = bum
        trick |= zip([seat for seat in range(4) if seat not in trick], others, strict=True)
        assert (trick.get(dealer) == bum) == (bum in four)
        tricks.append(trick)
    if bum in odd:
        odd.remove(bum)
        odd.insert(dealer, bum)
    tricks.append(dict(enumerate(odd)))
    return Plan(tricks, bum, dealer)


def laid(plan: Plan) -> TetkaLive:
    """The table on which the plan can be played."""
    hands = {seat: " ".join(trick[seat] for trick in plan.tricks) for seat in range(4)}
    return dealt(hands, bum=plan.bum, dealer=plan.dealer)


def played(plan: Plan) -> TetkaLive:
    """The table on which the plan was played to the deal's score."""
    return laid(plan).play_out(plan.tricks)


# deals of which the tricks are told, whether or not they could be played so


class Settled(NamedTuple):
    """What a deal with these tricks comes to."""

    tricks: list[Cards]
    winners: list[Seat]
    score: Score

    def of_trick(self, number: int) -> list[tuple[str, int]]:
        """Rules and amounts of the lines that rest on this trick alone."""
        return [(line.rule, line.amount) for line in self.score.transfers if line.events == versions_of(number)]

    def of_most(self) -> list[Party]:
        """Who pays for the most tricks."""
        return [line.account for line in self.score.transfers if line.rule == "TE-4.6"]


def versions_of(number: int) -> tuple[int, ...]:
    """The versions of the events of this trick, from 1."""
    return tuple(range(5 * number, 5 * number + 5))


def settled(bum: str, winners: Sequence[Seat], at: Mapping[int, str] | None = None) -> Settled:
    """What a deal comes to in which these seats win the tricks, and tricks of some numbers hold these cards.

    They are filled up with cards that cost nothing.
    """
    told = {number: cards.split() for number, cards in (at or {}).items()}
    named = {card for cards in told.values() for card in cards}
    rest = sorted((card for card in PACK if card not in named), key=lambda card: card == bum or card[0] == "Q")
    for cards in told.values():
        cards += [rest.pop(0) for _ in range(4 - len(cards))]
    tricks: list[Cards] = [
        list(enumerate(told.get(number) or [rest.pop() for _ in range(4)])) for number in range(1, 14)
    ]
    state = Playing(
        Options(),
        (Hand(),) * 4,
        Tricks(
            (0, 1, 2, 3),
            turn=winners[-1],
            winners=tuple(winners),
            won_at=tuple(versions_of(number)[-1] for number in range(1, 14)),
            leader=0,
            cards=tuple(card for trick in tricks for _, card in trick),
            played_at=tuple(version for number in range(1, 14) for version in versions_of(number)[:-1]),
        ),
        BUMS[bum],
    )
    score = TETKA.decider.score(state)
    assert score is not None
    return Settled(tricks, list(winners), score)
