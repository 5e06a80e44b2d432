"""Tëtka's rules once more, written plainly from their text, and tables on which it is played.

`planned` stacks a deal in which any order of winners can be played, all following suit in twelve tricks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from domain.games.tetka import TETKA
from domain.games.tetka.meta import Options
from domain.games.tetka.penalties import BUMS
from domain.games.tetka.state import Playing
from domain.kernel.game import Game, Score
from domain.kernel.hands import Hand
from domain.kernel.ledger import Party
from domain.parts.tricks import Tricks
from domain.seats import Seat
from tests.support.games import Live

SUITS = "shdc"
RANKS = "AKQJT98765432"
PACK: tuple[str, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)
LOW_TO_HIGH = "A23456789TJQK"
"""The ranks by the number of the trick that they name (TE-4.4)."""

Cards = Sequence[tuple[Seat, str]]
"""A trick: who played what, in order."""


def legal_cards(hand: Sequence[str], led: str | None, _: object = None) -> list[str]:
    """TE-3.2, by the card led."""
    return [card for card in hand if led is not None and card[1] == led[1]] or list(hand)


def trick_winner(trick: Cards, _: object = None) -> Seat:
    """TE-3.2: who wins these cards, in the order played."""
    led = trick[0][1][1]
    return min((RANKS.index(card[0]), seat) for seat, card in trick if card[1] == led)[1]


class Cost(NamedTuple):
    """A penalty: its rule, its points, who gets it, the number of its trick."""

    rule: str
    points: int
    seat: Seat
    trick: int | None


def costs(bum: str, tricks: Sequence[Cards], winners: Sequence[Seat]) -> list[Cost]:
    """All that a deal costs, by the table of TE-4."""
    return [*_of_tricks(bum, tricks, winners), *_of_most(bum, tricks, winners)]


def _of_tricks(bum: str, tricks: Sequence[Cards], winners: Sequence[Seat]) -> Iterator[Cost]:
    for number, (trick, seat) in enumerate(zip(tricks, winners, strict=True), 1):
        for _, card in trick:
            if card == bum:
                yield Cost("TE-4.1", 1, seat, number)
            if card[0] == "Q":
                own = card[1] == bum[1]
                yield Cost("TE-4.2" if own else "TE-4.3", 2 if own else 1, seat, number)
        if LOW_TO_HIGH[number - 1] == bum[0]:
            yield Cost("TE-4.4", 1, seat, number)
        if number == 13:
            yield Cost("TE-4.5", 1, seat, number)


def equals(tricks: Sequence[Cards], winners: Sequence[Seat], suit: str) -> dict[Seat, list[str]]:
    """Who has the largest number of tricks, and which cards of the suit each of them captured."""
    most = max(map(winners.count, range(4)))
    captured: dict[Seat, list[str]] = {seat: [] for seat in range(4) if winners.count(seat) == most}
    for trick, winner in zip(tricks, winners, strict=True):
        if winner in captured:
            captured[winner] += [card for _, card in trick if card[1] == suit]
    return captured


def _of_most(bum: str, tricks: Sequence[Cards], winners: Sequence[Seat]) -> Iterator[Cost]:
    among = equals(tricks, winners, bum[1])
    if len(among) > 1:
        most = max(map(len, among.values()))
        among = {seat: cards for seat, cards in among.items() if len(cards) == most}
        theirs = [rank + bum[1] for rank in RANKS if any(rank + bum[1] in own for own in among.values())]
        among = {seat: cards for seat, cards in among.items() if theirs and theirs[0] in cards}
    for seat in among:
        yield Cost("TE-4.6", 1, seat, None)


# a deal that is played without a table


class Playout(NamedTuple):
    """A deal that was played: every trick, and who won it."""

    tricks: list[Cards]
    winners: list[Seat]

    @property
    def cards(self) -> list[str]:
        """The cards in the order played."""
        return [card for trick in self.tricks for _, card in trick]


def playout(
    hands: Mapping[Seat, Sequence[str]], leader: Seat, choose: Callable[[Seat, list[str], Cards], str]
) -> Playout:
    """The deal as it is played from these hands, where `choose` picks a seat's card of those that it may play."""
    left = {seat: list(cards) for seat, cards in hands.items()}
    tricks: list[Cards] = []
    winners: list[Seat] = []
    for _ in range(13):
        trick: list[tuple[Seat, str]] = []
        for step in range(4):
            seat = (leader + step) % 4
            card = choose(seat, legal_cards(left[seat], trick[0][1] if trick else None), trick)
            left[seat].remove(card)
            trick.append((seat, card))
        leader = trick_winner(trick)
        tricks.append(trick)
        winners.append(leader)
    return Playout(tricks, winners)


# tables


class TetkaLive(Live):
    """A table of Tëtka."""

    game: ClassVar[Game] = TETKA

    def play_all(self, cards: Sequence[str]) -> None:
        """Plays these cards, each by the seat whose turn it is."""
        for card in cards:
            self.do("play", card=card)


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
    live = laid(plan)
    for trick in plan.tricks:
        for _ in range(4):
            live.do("play", card=trick[live.turn])
    return live


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
        BUMS[bum],
        Tricks(
            (0, 1, 2, 3),
            turn=winners[-1],
            winners=tuple(winners),
            won_at=tuple(versions_of(number)[-1] for number in range(1, 14)),
            leader=0,
            cards=tuple(card for trick in tricks for _, card in trick),
            played_at=tuple(version for number in range(1, 14) for version in versions_of(number)[:-1]),
        ),
    )
    score = TETKA.decider.score(state)
    assert score is not None
    return Settled(tricks, list(winners), score)
