"""What a seat may believe of the cards of a deal: worlds in which it would have seen the same.

A world is the seat's own events with every sealed section filled in, and its state is their fold. So far this is for
deals of which only the dealing itself is sealed. What a seat cannot hold is not told here a second time: it follows
from the game's offers. If a recorded act would not have been offered beside a card, the card was not there.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import asdict, replace

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.action import Action, tag_of
from domain.kernel.dealing import HAND, DealtHand, DealtTalon, Portion
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game
from domain.kernel.hands import Hand, Hands, with_hand
from domain.kernel.offers import described
from domain.opponents.placing import Impossible, Placing
from domain.picking import Chance
from domain.seats import HOUSE, PUBLIC, Audience, Seat, seat_audience, seat_in
from domain.table.events import CardsDealt, TablePayload
from domain.table.state import Table, evolve

NO_SEED = "00" * 32
"""The seed of a world: nothing in a deal depends on it before the deal is over."""

UNDEALT = -1
"""The place of cards of the pack that are not dealt."""


TRIES = 100
"""How often a world is drawn before the belief is given up."""


class _Seen(NamedTuple):
    """An event of the deal, and the act that made it, if one did."""

    event: Event[Payload]
    seat: Seat | None
    action: Action | None


class Undescribed(Exception):
    """Worlds of this deal cannot be made: something besides the dealing is sealed."""


class Belief:
    """What a seat may believe while it follows a deal, event by event."""

    def __init__(self, game: Game, before: Table, seat: Seat, dealt: Event[CardsDealt]) -> None:
        """`before` is the seat's fold before the deal, and `dealt` the event that it saw of the dealing."""
        self._game = game
        self.before = before
        """The seat's fold before the deal."""
        self._seat = seat
        self._dealt = dealt
        self._later: list[_Seen] = []
        self.table = evolve(game, before, dealt)
        """The seat's own fold."""
        standing = replace(before.standing, deal=dealt.public.deal, dealer=dealt.public.dealer)
        self._portions = game.dealing.portions(standing)
        own = {seat_audience(seat), PUBLIC}
        self._hidden = {index: one for index, one in enumerate(self._portions) if own.isdisjoint(one.learns)}
        known = {opening.card for opening in _openings(dealt, seat)}
        played = [card for card in game.pack if game.refusals.dealt(self.table.deal_state, card)]
        unseen = [card for card in played if card not in known]
        self._room = {index: len(portion.places) for index, portion in self._hidden.items()}
        left = len(unseen) - sum(self._room.values())
        if left:
            self._room[UNDEALT] = left
        self._possible = {card: set(self._room) for card in unseen}
        self._placed: dict[int, list[Card]] = {index: [] for index in self._room}
        self._placing: Placing[int] | None = None
        self.tried = self.accepted = 0
        """How many worlds were drawn, and how many of them fitted the acts."""

    def add(self, event: Event[Payload]) -> None:
        """Follows the next event, as the seat sees it. Raises Undescribed if it has sections that the seat lacks."""
        if event.public.SECTIONS.keys() - {PUBLIC}:
            raise Undescribed(event.public.TYPE)
        actor, action = seat_in(event.actor), None
        if not isinstance(event.public, TablePayload):
            action = self._game.decider.action_of(event)
        before, self.table = self.table, evolve(self._game, self.table, event)
        self._later.append(_Seen(event, actor, action))
        if action is not None and actor is not None and actor != self._seat:
            sizes = [self._hands(table)[actor].size for table in (before, self.table)]
            named = self._cards(action)
            # An act may also name cards that are elsewhere, such as an ace that is called.
            played = named if sizes[0] - sizes[1] == len(named) else []
            self._narrow(before, actor, action, played)
            self._place(actor, played)
        for seat, hand in enumerate(self._hands(self.table)):
            self._place(seat, hand.known)
        self._placing = None

    def _hands(self, table: Table) -> Hands:
        """The hands as the seat knows them."""
        hands = self._game.showing.hands
        return () if hands is None else hands(table.deal_state)

    def draw(self, chance: Chance) -> tuple[Table, tuple[Event[Payload], ...]]:
        """A world: the house's fold now, and the deal's events. Each is as likely as another that fits the acts.

        Raises Impossible if none is found soon.
        """
        if self._placing is None:
            room = {place: number - len(self._placed[place]) for place, number in self._room.items()}
            possible = {card: frozenset(places) for card, places in self._possible.items()}
            self._placing = Placing(possible, room)
        for _ in range(TRIES):
            self.tried += 1
            drawn = self._placing.draw(chance)
            dealt = self._filled({place: (*self._placed[place], *cards) for place, cards in drawn.items()})
            table = self._followed(evolve(self._game, self.before, dealt))
            if table is not None:
                self.accepted += 1
                return table, (dealt, *(one.event for one in self._later))
        raise Impossible

    def _followed(self, table: Table) -> Table | None:
        """The table after all that was seen; None if something else would have been seen.

        What narrows a single card is known before. Two cards together may still be what a seat cannot have held, and
        an event may say what follows from a hand, such as who is next.
        """
        decider = self._game.decider
        for event, seat, action in self._later:
            if not isinstance(event.public, TablePayload):
                state = table.deal_state
                made = decider.next_automatic(state)
                if action is not None and seat is not None:
                    if not described(decider.offers(state, seat), tag_of(type(action)), asdict(action)):
                        return None
                    made = decider.decide(state, seat, action)
                if made is None or not _same(made.public, event.public):
                    return None
            table = evolve(self._game, table, event)
        return table

    def _filled(self, placed: Mapping[int, tuple[Card, ...]]) -> Event[Payload]:
        """The dealing with all cards at their places."""
        sections: dict[Audience, list[Opening]] = {}
        for index, portion in self._hidden.items():
            for position, card in zip(portion.places, placed[index], strict=True):
                for audience in portion.learns or (HOUSE,):
                    sections.setdefault(audience, []).append(Opening(position, card, ""))
        sealed: dict[Audience, Any] = dict(self._dealt.sealed)
        for audience, openings in sections.items():
            if audience != HOUSE:
                own = sealed.get(audience)
                sealed[audience] = DealtHand((*(own.cards if own else ()), *openings))
        sealed[HOUSE] = DealtTalon(tuple(sections.get(HOUSE, ())), NO_SEED)
        return replace(self._dealt, sealed=sealed)

    def _narrow(self, before: Table, seat: Seat, action: Action, played: Sequence[Card]) -> None:
        """Takes from the seat's hand the cards beside which it would not have been offered the act.

        `before` is the seat's own fold before the act, and `played` are the cards of the hand that the act names.
        """
        place, hands = self._hand_place(seat), self._hands(before)
        if place is None or not hands:
            return
        kind, fields, order = tag_of(type(action)), asdict(action), self._game.pack.order
        held = {*hands[seat].known, *played}
        for card, places in self._possible.items():
            if place in places and card not in held:
                known = tuple(sorted((*held, card), key=order.__getitem__))
                hand = Hand(known, max(0, hands[seat].size - len(known)))
                supposed = replace(before.deal_state, hands=with_hand(hands, seat, hand))
                if not described(self._game.decider.offers(supposed, seat), kind, fields):
                    places.discard(place)

    def _cards(self, action: Action) -> list[Card]:
        """The cards that the act names."""
        values = [value for field in asdict(action).values() for value in _items(field)]
        return [value for value in values if isinstance(value, str) and value in self._game.pack]

    def _place(self, seat: Seat, cards: Iterable[Card]) -> None:
        """Places cards that the seat turns out to have been dealt."""
        place = self._hand_place(seat)
        for card in cards:
            if place is not None and self._possible.pop(card, None) is not None:
                self._placed[place].append(card)

    def _hand_place(self, seat: Seat) -> int | None:
        """The place of the seat's hand, if it is hidden."""
        return next((index for index, one in self._hidden.items() if _is_hand(one, seat)), None)


def _same(made: Payload, seen: Payload) -> bool:
    """Whether the payloads say the same. A world has other salts, which nobody learns anything from."""
    return made == seen or _unsalted(asdict(made)) == _unsalted(asdict(seen))


def _unsalted(value: object) -> object:
    match value:
        case Opening():
            return replace(value, salt="")
        case dict():
            return {key: _unsalted(each) for key, each in value.items()}
        case tuple():
            return tuple([_unsalted(each) for each in value])
        case _:
            return value


def _items(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)


def _is_hand(portion: Portion, seat: Seat) -> bool:
    return portion.to == seat and portion.pile == HAND


def _openings(dealt: Event[CardsDealt], seat: Seat) -> tuple[Opening, ...]:
    """The openings that the seat has from the dealing."""
    own = dealt.section(seat_audience(seat), DealtHand)
    shown = dealt.public.shown if isinstance(dealt.public.shown, tuple) else ()
    return (*(own.cards if own else ()), *shown)
