"""What a seat may believe of the hidden cards of a deal: worlds in which it would have seen the same.

A world is the seat's own events with every sealed section filled in, and its state is their fold. What a seat cannot
hold is not told here a second time: it follows from the game's offers. If a recorded act would not have been offered
beside a card, the card was not there; if it would not have been offered without one of some cards, one was there.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.cards import Card
from domain.fair.deck import Opening
from domain.kernel.action import Action, plays_card, tag_of
from domain.kernel.dealing import HAND, Portion
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game, State
from domain.kernel.hands import Hand, Hands, with_hand
from domain.kernel.offers import described
from domain.kernel.unseen import Unseen, UnseenDraw
from domain.opponents.drawing import Drawing
from domain.opponents.placing import Impossible
from domain.opponents.whereabouts import (
    DealtAway,
    Drew,
    Fact,
    Given,
    Held,
    Lacked,
    LeftHand,
    OneHeld,
    OpenedPlace,
    Renewed,
    Whereabouts,
)
from domain.opponents.worlds import Followed, World, filled, followed, openings_of
from domain.picking import Chance
from domain.seats import PUBLIC, Seat, acting_seat, seat_audience
from domain.table.events import CardsDealt, TablePayload
from domain.table.state import Table, evolve

TRIES = 100
"""How often a world is drawn before the belief is given up."""

GUESSES = 6
"""How many ways are tried in which cards may have left the hands."""

NOT_DEALT = "not dealt"
"""The pile of the pack's cards that are not dealt."""

_MOVES_NOTHING = Unseen()


class Undescribed(Exception):
    """Worlds of this deal cannot be made: an event has sections of which the game does not say what they move."""


class Belief:
    """What a seat may believe while it follows a deal, event by event."""

    def __init__(self, game: Game, before: Table, seat: Seat, dealt: Event[CardsDealt]) -> None:
        """`before` is the seat's fold before the deal, and `dealt` the event that it saw of the dealing."""
        self._game = game
        self.before = before
        """The seat's fold before the deal."""
        self._seat = seat
        self._dealt = dealt
        self._later: list[Followed] = []
        self._facts: list[Fact] = []
        self.table = evolve(game, before, dealt)
        """The seat's own fold."""
        standing = replace(before.standing, deal=dealt.public.deal, dealer=dealt.public.dealer)
        self._portions = game.dealing.portions(standing)
        own = {seat_audience(seat), PUBLIC}
        self._hidden = [one for one in self._portions if own.isdisjoint(one.learns)]
        known = {opening.card for opening in openings_of(dealt, seat)}
        known |= game.dealing.undealt
        played = [card for card in game.pack if game.acts.dealt(self.table.deal_state, card)]
        self._unseen = [card for card in played if card not in known]
        """The hidden cards at the beginning."""
        self._free = set(self._unseen)
        """Those that have not been seen to leave a hand."""
        self._lacked: dict[Seat, set[Card]] = {}
        """The cards that each seat lacks, until cards come to it unseen."""
        self._places = 1 + max((place for one in self._portions for place in one.places), default=-1)
        self._drawings: list[Drawing] = []
        self.tried = self.accepted = 0
        """How many worlds were drawn, and how many of them fitted the acts."""

    def add(self, event: Event[Payload]) -> None:
        """Follows the next event, as the seat sees it. Raises Undescribed if nobody can say what it moves unseen."""
        unseen = self._game.unseen.get(type(event.public), _MOVES_NOTHING)
        if unseen is _MOVES_NOTHING and event.public.SECTIONS.keys() - {PUBLIC}:
            raise Undescribed(event.public.TYPE)
        actor, action = acting_seat(event.actor), None
        if not isinstance(event.public, TablePayload):
            action = self._game.decider.action_of(event)
        before, self.table = self.table, evolve(self._game, self.table, event)
        if isinstance(event.public, TablePayload):
            self._later.append(Followed(event))
            return
        self._drawings = []
        draws = unseen.draws(before.deal_state, event.public)
        fresh = self._played(before, event, unseen, draws)
        if action is not None and actor is not None and actor != self._seat:
            self._judge(before, actor, action, fresh.get(actor, ()))
        for seat, cards in fresh.items():
            self._facts.append(Held(seat, frozenset(cards), gone=True))
            self._free.difference_update(cards)
        self._later.append(self._moved(before.deal_state, event, unseen, draws, actor, action))
        opened = openings_of(event, self._seat)
        self._facts += [OpenedPlace(one.position, one.card) for one in opened]
        self._free.difference_update(one.card for one in opened)
        shown = self._hands(before)
        for seat, hand in enumerate(self._hands(self.table)):
            new = frozenset(hand.known) & self._free
            if seat != self._seat and new and (seat >= len(shown) or hand.known != shown[seat].known):
                self._facts.append(Held(seat, new))

    @property
    def trick(self) -> tuple[Action, ...]:
        """The acts by which cards were played since something happened without an act."""
        acts: list[Action] = []
        for one in reversed(self._later):
            if one.action is None or not plays_card(one.action):
                break
            acts.append(one.action)
        return tuple(reversed(acts))

    def draw(self, chance: Chance) -> World:
        """A world, as likely as another that fits the acts. Raises Impossible if none is found soon."""
        for _ in range(TRIES):
            self.tried += 1
            try:
                cards = self._drawing(chance).draw(chance)
            except Impossible:
                continue
            dealt = filled(self._dealt, self._portions, self._seat, cards.at)
            world = followed(self._game, evolve(self._game, self.before, dealt), dealt, self._later, cards, self._seat)
            if world is not None:
                self.accepted += 1
                return world
        raise Impossible

    def _drawing(self, chance: Chance) -> Drawing:
        """A way to draw the cards. Where chance had a choice in the facts, one of a few, by what they allow."""
        for _ in range(TRIES):
            if self._drawings and (len(self._drawings) == GUESSES or not self._drawings[0].where.guessed):
                break
            try:
                self._drawings.append(Drawing(self.whereabouts(chance)))
            except Impossible:
                continue
        if not self._drawings:
            raise Impossible
        if len(self._drawings) == 1:
            return self._drawings[0]
        chosen = chance(sum(one.weight for one in self._drawings))
        for one in self._drawings:
            chosen -= one.weight
            if chosen < 0:
                return one
        raise Impossible

    def whereabouts(self, chance: Chance) -> Whereabouts:
        """Where the hidden cards may be after all facts."""
        dealt = [DealtAway(one.places, one.to, None if _in_hand(one) else one.pile) for one in self._hidden]
        over = len(self._unseen) - sum(len(one.positions) for one in dealt)
        if over:
            dealt.append(DealtAway((-1,) * over, None, NOT_DEALT))
        where = Whereabouts(self._seat, len(self.table.players), dealt, chance)
        owned = {index: one.to for index, one in enumerate(self._hidden)}
        faces = self._game.pack.faces
        every = range(len(dealt))

        def may(card: Card) -> Iterable[int]:
            owner = faces[card].owner
            return every if owner is None else [heap for heap in every if owned.get(heap) == owner]

        where.hide(self._unseen, may)
        for number, fact in enumerate(self._facts):
            where.add(number, fact)
        return where

    def _hands(self, table: Table) -> Hands:
        """The hands as the seat knows them; none in a game without hands."""
        state, hands = table.deal_state, self._game.showing.hands
        return getattr(state, "hands", ()) if hands is None else hands(state)

    def _played(
        self, before: Table, event: Event[Payload], unseen: Unseen, draws: Sequence[UnseenDraw]
    ) -> Mapping[Seat, tuple[Card, ...]]:
        """The cards that the event takes openly from the hands of other seats."""
        held, left = self._hands(before), self._hands(self.table)
        named = [card for card in _cards(event.public, self._game) if card in self._free]
        if not named or not held or not left:
            return {}
        seat: Seat = getattr(event.public, "seat", -1)
        if seat in (-1, self._seat):
            return {}
        came = sum(draw.number or 0 for draw in draws if draw.seat == seat) - unseen.leaving(event.public)
        lost = held[seat].size - left[seat].size + came
        return {seat: tuple(named)} if len(named) <= lost else {}

    def _moved(
        self,
        before: State,
        event: Event[Payload],
        unseen: Unseen,
        draws: Sequence[UnseenDraw],
        actor: Seat | None,
        action: Action | None,
    ) -> Followed:
        """Adds the facts of cards that moved unseen."""
        public = event.public
        left: int | None = None
        cards: tuple[Card, ...] = ()
        seat: Seat = getattr(public, "seat", -1)
        number, to = unseen.leaving(public), unseen.to(public)
        if number:
            section = event.sealed.get(seat_audience(self._seat))
            if section is None:
                left = len(self._facts)
                self._facts.append(LeftHand(seat, number, to))
            else:
                own = {one.card for one in openings_of(event, self._seat)}
                cards = tuple([card for card in unseen.known(section) if card not in own])
                if to is not None:
                    self._facts.append(Given(seat, cards, to))
                (self._free.difference_update if to in (None, self._seat) else self._free.update)(cards)
        for draw in draws:
            self._facts.append(Drew(draw.seat, (draw.pile, draw.of), draw.number))
        for gets in {draw.seat for draw in draws} | ({to} if isinstance(to, int) else set()):
            self._lacked.pop(gets, None)
        renewal = unseen.renewal(before) if unseen.renewal else None
        if renewal is not None:
            self._facts.append(Renewed((renewal.pile, None), renewal.cards, self._places))
            self._free.update(renewal.cards)
            self._places += len(renewal.cards)
        return Followed(event, actor, action, unseen, left, cards, renewal, self._places)

    def _judge(self, before: Table, seat: Seat, action: Action, played: Iterable[Card]) -> None:
        """Adds what the act tells of the hand: cards beside which it would not have been offered, or one that it took.

        `before` is the seat's own fold before the act, and `played` are the cards of the hand that the act names.
        """
        state, hands = before.deal_state, self._hands(before)
        if not hands or "hands" not in type(state).__struct_fields__:
            return
        kind, fields, hand = tag_of(type(action)), asdict(action), hands[seat]
        held = {*hand.known, *played}
        lacked = self._lacked.setdefault(seat, set())
        others = [card for card in self._unseen if card in self._free and card not in held and card not in lacked]
        if not others or hand.size <= len(held):
            return

        def offered(*more: Card) -> bool:
            known = self._game.pack.sorted({*held, *more})
            supposed = Hand(known, max(0, hand.size - len(known)))
            offers = self._game.decider.offers(replace(state, hands=with_hand(hands, seat, supposed)), seat)
            return described(offers, kind, fields)

        if not offered():
            ones = frozenset([card for card in others if offered(card)])
            if ones:
                self._facts.append(OneHeld(seat, ones))
        elif self._game.telling is None or kind in self._game.telling:
            none = frozenset([card for card in others if not offered(card)])
            if none:
                lacked |= none
                self._facts.append(Lacked(seat, none))


def _in_hand(portion: Portion) -> bool:
    return portion.pile == HAND and portion.to is not None


def _cards(payload: Struct, game: Game) -> list[Card]:
    """The cards that the payload names."""
    found: list[Card] = []
    for value in asdict(payload).values():
        for each in value if isinstance(value, tuple) else (value,):
            if isinstance(each, str) and each in game.pack:
                found.append(each)
            elif isinstance(each, Opening):
                found.append(each.card)
    return list(dict.fromkeys(found))
