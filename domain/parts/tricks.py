"""Trick taking: the seat to play, the cards that it may play, and the card that wins."""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Protocol, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.kernel.action import Action, Phase
from domain.kernel.acts import ActRules, Refusal
from domain.kernel.event import NOTHING, Event, Payload, Reveals
from domain.kernel.hands import Hand, Hands
from domain.kernel.offers import Offer, OneOf
from domain.parts.holding import either, not_held
from domain.parts.ranks import Ranking
from domain.seats import Seat

R = TypeVar("R")


class CardPlayed(Payload, frozen=True, gc=False):
    """A player played a card."""

    TYPE: ClassVar = "card-played"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    card: Card


_PLAY = "play"


class PlayCard(Action, frozen=True, tag=_PLAY):
    """Play a card to the trick. A game's own action names the rule."""

    card: Card


class TrickWon(Payload, frozen=True, gc=False):
    """A player won a trick, the `trick`th of the deal."""

    TYPE: ClassVar = "trick-won"
    CHECK: ClassVar = "tricks"
    REVEALS: ClassVar = NOTHING

    seat: Seat
    trick: int


class HandExposed(Payload, frozen=True, gc=False):
    """A player's cards lie open."""

    TYPE: ClassVar = "hand-exposed"
    CHECK: ClassVar = "turn-up"
    REVEALS: ClassVar = Reveals(to_all="cards")

    seat: Seat
    cards: tuple[Card, ...]


class Played(Struct, frozen=True, gc=False):
    """A card on the table and the seat that played it."""

    seat: Seat
    card: Card


class Trick(Struct, frozen=True, gc=False):
    """A complete trick and its winner."""

    winner: Seat
    cards: tuple[Played, ...]


class Tricks(Struct, frozen=True, gc=False):
    """The tricks of a deal so far, with all their cards. `order` is the seats that play, in the order of turns."""

    order: tuple[Seat, ...]
    turn: Seat | None
    """The seat that plays next; None while a complete trick lies on the table."""
    trick: tuple[Played, ...] = ()
    """The cards on the table."""
    winners: tuple[Seat, ...] = ()
    """The winner of each trick so far."""
    won_at: tuple[int, ...] = ()
    """The versions of the events that recorded those winners."""
    leader: Seat | None = None
    """The seat that led to the first trick; None until that trick is complete."""
    cards: tuple[Card, ...] = ()
    """The cards of the complete tricks, in the order played. Every table in memory has them, so only the cards are
    kept.
    """
    played_at: tuple[int, ...] = ()
    """The versions of the events that played the cards so far, in order."""

    @property
    def last(self) -> Trick | None:
        """The last complete trick; None before the first is complete."""
        winners, order = self.winners, self.order
        if not winners:
            return None
        led = self.leader if len(winners) == 1 else winners[-2]
        return _trick(order, led, winners[-1], self.cards[-len(order) :])

    @property
    def complete(self) -> tuple[Trick, ...]:
        """Every complete trick, from the first."""
        return tuple(map(self._trick, range(len(self.winners))))

    @property
    def led(self) -> Card | None:
        """The card led to the trick on the table; None if there is none."""
        return self.trick[0].card if self.trick else None

    def won_by(self, seats: int) -> tuple[int, ...]:
        """The number of tricks won by each of the first `seats` seats."""
        return tuple(map(self.winners.count, range(seats)))

    def captures(self, seats: int, among: Container[Card]) -> tuple[tuple[Card, ...], ...]:
        """The cards among these that each of the first `seats` seats has captured, in the order played."""
        size, winners = len(self.order), self.winners
        captured: list[list[Card]] = [[] for _ in range(seats)]
        for place, card in enumerate(self.cards):
            if card in among:
                captured[winners[place // size]].append(card)
        return tuple(map(tuple, captured))

    def worth(self, seats: int, values: Mapping[Card, int]) -> tuple[int, ...]:
        """The value of all cards that each of the first `seats` seats has captured; a card without one adds nothing."""
        size, winners = len(self.order), self.winners
        sums = [0] * seats
        for place, card in enumerate(self.cards):
            if card in values:
                sums[winners[place // size]] += values[card]
        return tuple(sums)

    def cards_of(self, index: int) -> tuple[Card, ...]:
        """The cards of a complete trick, by its number from 0, in the order played."""
        size = len(self.order)
        return self.cards[index * size : (index + 1) * size]

    def events_of(self, index: int) -> tuple[int, ...]:
        """The versions of the events of a complete trick, by its number from 0: its cards, then its winner."""
        size = len(self.order)
        return (*self.played_at[index * size : (index + 1) * size], self.won_at[index])

    def played(self, seat: Seat, card: Card, version: int) -> "Tricks":
        """The tricks after the seat played this card; `version` is the event's."""
        order, trick = self.order, (*self.trick, Played(seat, card))
        turn = None if len(trick) == len(order) else order[(order.index(seat) + 1) % len(order)]
        return replace(self, turn=turn, trick=trick, played_at=(*self.played_at, version))

    def won(self, seat: Seat, version: int) -> "Tricks":
        """The tricks after the seat won the trick on the table; `version` is the event's."""
        return replace(
            self,
            turn=seat,
            trick=(),
            winners=(*self.winners, seat),
            won_at=(*self.won_at, version),
            leader=self.trick[0].seat if self.leader is None else self.leader,
            cards=(*self.cards, *[played.card for played in self.trick]),
        )

    def _trick(self, index: int) -> Trick:
        """The complete trick of this number, from 0."""
        led = self.winners[index - 1] if index else self.leader
        return _trick(self.order, led, self.winners[index], self.cards_of(index))


# Every view shows the same last trick until the next is complete.
@lru_cache(maxsize=64)
def _trick(order: tuple[Seat, ...], led: Seat | None, winner: Seat, cards: tuple[Card, ...]) -> Trick:
    """The trick of these cards; `order` is the order of turns, in which any seat may lead."""
    first = order.index(led) if led is not None else 0
    return Trick(winner, tuple(map(Played, (*order[first:], *order[:first]), cards)))


class InPlay(Protocol):
    """The part of a phase with tricks that decides which cards may be played and who wins a trick."""

    @property
    def hands(self) -> Hands:
        """The hands, by seat."""

    @property
    def tricks(self) -> Tricks:
        """The tricks of the deal so far."""

    @property
    def ranking(self) -> Ranking:
        """The ranking of the cards in this deal."""


def trick_won(state: InPlay) -> Event[TrickWon] | None:
    """The event that takes the complete trick off the table; None while a seat has still to play to it."""
    tricks = state.tricks
    if tricks.turn is not None:
        return None
    return Event(TrickWon(winner(tricks.trick, state.ranking), len(tricks.winners) + 1))


def winner(trick: Sequence[Played], ranking: Ranking) -> Seat:
    """The seat that wins the trick: by the highest trump or, without trumps, the highest card of the suit led."""
    suits, power = ranking.suits, ranking.power
    best = trick[0]
    for played in trick[1:]:
        suit, beaten = suits[played.card], suits[best.card]
        if power[played.card] > power[best.card] if suit == beaten else suit == ranking.trump:
            best = played
    return best.seat


def following(hand: Sequence[Card], led: Card | None, ranking: Ranking) -> tuple[Card, ...]:
    """The cards of the hand that may be played: those of the suit led, or all if none of them must be played.

    A matador need not be played to follow suit unless a higher one was led, and may always be played as a trump.
    """
    if led is None:
        return tuple(hand)
    suits = ranking.suits
    suit = suits[led]
    same_suit = tuple([card for card in hand if suits[card] == suit])
    bound = same_suit if not ranking.matadors else [card for card in same_suit if not ranking.may_renege(card, led)]
    return same_suit if bound else tuple(hand)


def play_offer(state: InPlay, seat: Seat) -> Offer:
    """The offer to play a card of the seat's hand to the trick."""
    cards = following(state.hands[seat].known, state.tricks.led, state.ranking)
    return Offer(_PLAY, {"card": OneOf(cards)})


def trump_led(state: InPlay) -> bool:
    """Whether the card led is a trump."""
    led, ranking = state.tricks.led, state.ranking
    return led is not None and ranking.suits[led] == ranking.trump


def played(_: object, seat: Seat, play: PlayCard) -> Event[CardPlayed]:
    """The event in which the seat plays the card."""
    return Event(CardPlayed(seat, play.card))


def not_led(state: InPlay, seat: Seat, action: PlayCard) -> str | None:
    """The sentence that the card, which would be led, is not in the hand; None otherwise."""
    return not_held(state.hands[seat], action.card) if state.tricks.led is None else None


def not_playable(
    hand: Hand, led: Card, card: Card, may: Sequence[Card], why: str = "you can follow suit"
) -> str | None:
    """The sentence that the card may not be played, and which cards may; None if it may be played.

    The reason is that the card is not in the hand, or else `why`.
    """
    return None if card in may else f"{not_held(hand, card) or why}: {led} is led, play {either(may)}"


class Leads(Struct, frozen=True, gc=False):
    """A rule about leads: the cards that a seat may lead, and the sentence why no others."""

    rule: str
    cards: Callable[[Any, Seat], tuple[Card, ...]]
    why: str


def playing(
    play: type[PlayCard],
    lead: str,
    follow: str,
    *,
    phase: type[Phase] | None = None,
    to_trump: str | None = None,
    leads: Leads | None = None,
) -> ActRules:
    """The rules of a card played to a trick: `lead` is the rule of the lead, `follow` the rule about following suit.

    Once a card is led, a card that is not in the hand breaks the rule about following too. `to_trump` is the rule about
    following a trump, if it differs from `follow`. The offer is computed, since it is made most often.
    """

    def not_followed(state: InPlay, seat: Seat, action: PlayCard) -> str | None:
        hand, led = state.hands[seat], state.tricks.led
        if led is None:
            return None
        return not_playable(hand, led, action.card, following(hand.known, led, state.ranking))

    def not_followed_plain(state: InPlay, seat: Seat, action: PlayCard) -> str | None:
        return None if trump_led(state) else not_followed(state, seat, action)

    def not_among(state: InPlay, seat: Seat, action: PlayCard) -> str | None:
        if leads is None or state.tricks.trick:
            return None
        may = leads.cards(state, seat)
        return None if action.card in may else f"{leads.why}: play {either(may)}"

    def offered(state: InPlay, seat: Seat) -> tuple[Offer, ...]:
        trick = state.tricks.trick
        led = trick[0].card if trick else None
        if led is None and leads is not None:
            cards = leads.cards(state, seat)
        else:
            cards = following(state.hands[seat].known, led, state.ranking)
        return (Offer(_PLAY, {"card": OneOf(cards)}),)

    objections = [(lead, not_led), (follow, not_followed if to_trump is None else not_followed_plain)]
    if to_trump is not None:
        objections.append((to_trump, not_followed))
    if leads is not None:
        objections.append((leads.rule, not_among))
    rows = tuple([Refusal(rule, objection, ("card",)) for rule, objection in objections])
    return ActRules(play, CardPlayed, rows, played, phase=phase, offers=offered)


def settled_for_any_winner(players: int, result_if: Callable[[int], R | None]) -> R | None:
    """The deal's result if it is the same whichever player wins the next trick, otherwise None.

    `result_if(n)` is the result if player n wins that trick, or None if that does not settle it.
    """
    first, *others = (result_if(player) for player in range(players))
    return first if first is not None and all(other == first for other in others) else None
