"""Tables driven through the domain as the service drives them, with time, ids and chance fixed.

A `Live` table takes actions as they stand on the wire. Its cards come from the fair shuffle, or are stacked, so that
a test can say who holds what. Tables of other games than Crocodile are of a subclass that names its `game`.
`tricks_won_by` stacks a deal in which any order of trick winners can be played.
"""

import math
import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any, ClassVar, Self, TypeVar, cast

import msgspec
import pytest
from msgspec import Struct

from domain import picking
from domain.cards import Card, Suit
from domain.fair.deck import Opening
from domain.games.crocodile import CROCODILE
from domain.games.crocodile.contracts import CONTRACTS
from domain.games.crocodile.meta import PACK, Options
from domain.kernel.action import Action, tag_of
from domain.kernel.course import Standing
from domain.kernel.dealing import Drawn
from domain.kernel.event import Event, Payload, redact
from domain.kernel.game import Game
from domain.kernel.ledger import Line
from domain.kernel.offers import Offer
from domain.kernel.refusals import Broken, first_broken
from domain.kernel.rejection import Code, Rejected
from domain.kernel.table_view import HandView
from domain.record.history import History, Moment, Reader, record_command, record_opening
from domain.record.recorded import GENESIS, Recorded, write
from domain.seats import Audience, Seat, clockwise, seat_audience
from domain.table.actions import Act, ActAsBot, BotSeat, Command, OpenTable, RunOut, TakeSeat
from domain.table.automatic import cards_dealt
from domain.table.deadlines import deadline_of, timer_of
from domain.table.events import CardsDealt, DealScored, GameStarted
from domain.table.options import DEFAULT, TableOptions
from domain.table.seat_offers import offers
from domain.table.state import Table, opponent_at
from domain.table.talk import actions_of
from domain.table.view import to_act, view
from tests.support.registry import GAMES

READER = Reader(GAMES)
GAME = CROCODILE
TABLE = "01970000-0000-7000-8000-000000000001"
EVERYBODY = tuple(f"01970000-0000-7000-8000-00000000010{seat}" for seat in range(10))
PLAYERS = EVERYBODY[:3]
BOTS = tuple(f"01970000-0000-7000-8000-00000000030{seat}" for seat in range(10))
"""The players' ids of bots."""
OPENER = "01970000-0000-7000-8000-000000000200"
AUDIENCES: tuple[Audience, ...] = ("public", "seat:0", "seat:1", "seat:2", "house")
SEED = sha256(b"a seed for tests").digest()

START = datetime(2026, 11, 20, 10, tzinfo=UTC)
"""When every table is opened."""

L = TypeVar("L", bound="Live")

Wire = dict[str, Any]
"""An action as a client sends it."""


def chance(seed: object) -> random.Random:
    """Numbers that are the same in every run."""
    return random.Random(str(seed))  # noqa: S311 - nothing secret hangs on it


@cache
def moment(version: int, waited: int = 0) -> Moment:
    """When the action after this version is taken, its id and its 32 bytes, all fixed by the version.

    Each version takes a second. So many more were waited for time limits to run out.
    """
    at = f"{START + timedelta(seconds=version + waited):%Y-%m-%dT%H:%M:%S.%fZ}"
    return Moment(at, f"01970000-0000-7000-9000-{version:012}", sha256(f"chance {version}".encode()).digest())


def deals_allowed(game: Game, options: object) -> Iterator[int]:
    """The numbers of deals that may be agreed for a game, from the smallest."""
    deals = game.course.deals(options)
    return filter(deals.allows, range(1, max(deals.default, deals.most) + 1))


def deals_for_all(game: Game, options: object) -> int:
    """The fewest deals in which every seat may deal, or as many as may be."""
    allowed = list(deals_allowed(game, options))
    return next((number for number in allowed if number >= game.course.seats(options)), allowed[-1])


def parsed(wire: Wire, game: Game = GAME) -> Action:
    """The action as the service decodes it for this game. Raises msgspec.ValidationError."""
    return cast("Action", _decoder(game).decode(msgspec.json.encode(wire)))


_DECODERS: dict[int, tuple[Game, msgspec.json.Decoder[Any]]] = {}
"""By the id of a game, the game and its decoder: to make one for each action takes ten times as long."""


def _decoder(game: Game) -> msgspec.json.Decoder[Any]:
    if id(game) not in _DECODERS:
        _DECODERS[id(game)] = game, msgspec.json.Decoder(actions_of(game))
    return _DECODERS[id(game)][1]


def redacted(event: Event[Any], audience: Audience) -> Event[Any]:
    """The event with the sections that the audience may open when it happens."""
    return msgspec.structs.replace(event, sealed=redact(event.sealed, audience))


def read(records: Sequence[Recorded]) -> History:
    """The table that these records, from the first on, tell of."""
    history = READER.history(records)
    assert history is not None
    return history


def next_standing(table: Table, dealer: Seat | None) -> Standing:
    """How the game stands when the next deal is dealt."""
    return msgspec.structs.replace(table.standing, deal=table.next_deal, dealer=dealer)


def destinations(game: Game, table: Table, dealer: Seat) -> list[Seat | None]:
    """The seat that each card of a deal goes to, from the top; None for the table."""
    portions = game.dealing.portions(next_standing(table, dealer))
    by_place = {place: portion.to for portion in portions for place in portion.places}
    return [by_place[place] for place in range(len(by_place))]


def broken(game: Game, table: Table, seat: Seat, action: Action) -> Broken | None:
    """The first row that an act of the game breaks, whether it is offered or not."""
    if type(action) not in game.acts.refusals:
        return None
    return first_broken(game.acts, game.pack, table.deal_state, seat, type(action), msgspec.structs.asdict(action))


class Live:
    """A table, its record, and what has happened there."""

    game: ClassVar[Game] = GAME

    def __init__(self, records: Sequence[Recorded]) -> None:
        self.history = read(records)
        self.records = list(records)
        self.events: list[Event[Any]] = [READER.read(record) for record in records]
        self.acts: list[tuple[int, Seat | None, Wire]] = []
        """The actions taken here: the version that each was taken at, the seat (None: the clock), the action."""
        self.commands: list[tuple[int, Command]] = []
        """The commands obeyed here, each with the seconds that had been waited by then."""
        self.waited = 0
        """The seconds that were waited for time limits to run out."""

    @classmethod
    def opened(
        cls,
        *,
        deals: int | None = None,
        options: Any = None,
        seed: bytes = SEED,
        table: TableOptions = DEFAULT,
        bots: Sequence[BotSeat] = (),
    ) -> Self:
        """A table that nobody sits at but these bots."""
        game, options = cls.game, options or cls.game.options()
        number = game.course.deals(options).default if deals is None else deals
        command = OpenTable(OPENER, number, options, seed, table, bots=tuple(bots))
        _, records = record_opening(game, TABLE, command, moment(0))
        return cls(records)

    @classmethod
    def started(
        cls,
        *,
        deals: int | None = None,
        options: Any = None,
        seed: bytes = SEED,
        entropies: Sequence[bytes | None] = (),
        table: TableOptions = DEFAULT,
    ) -> Self:
        """A table whose first deal is dealt by the fair shuffle."""
        live = cls.opened(deals=deals, options=options, seed=seed, table=table)
        for seat in live.seats:
            live.command(TakeSeat(EVERYBODY[seat], seat, entropies[seat] if entropies else None))
        return live

    @classmethod
    def stacked(
        cls,
        hands: Mapping[Seat, Sequence[str]],
        talon: Sequence[str],
        *,
        dealer: Seat = 2,
        options: Any = None,
    ) -> Self:
        """A table in whose first deal these hands (in the order dealt) and this talon lie."""
        live = cls(_seated(cls, options))
        piles = {seat: iter(cards) for seat, cards in hands.items()}
        rest = iter(talon)
        cards = tuple(next(rest if to is None else piles[to]) for to in destinations(cls.game, live.table, dealer))
        assert sorted(cards) == sorted(cls.game.pack), "every card is dealt once"
        live.append((Event(GameStarted(dealer)), live.dealing(cards, dealer, version=live.version + 2)))
        return live

    def branch(self) -> Self:
        """A table that goes its own way from here."""
        other = object.__new__(type(self))
        other.history, other.records, other.events = self.history, list(self.records), list(self.events)
        other.acts, other.commands, other.waited = list(self.acts), list(self.commands), self.waited
        return other

    def append(self, events: Iterable[Event[Any]]) -> None:
        """Records events as they are, whatever the rules say of them."""
        records = list(self.records)
        at = moment(self.version)
        for event in events:
            version = len(records) + 1
            deal = event.public.deal if isinstance(event.public, CardsDealt) else event.deal
            placed = msgspec.structs.replace(event, version=version, deal=deal)
            previous = records[-1].hash if records else GENESIS
            records.append(
                write(
                    placed,
                    table=TABLE,
                    game=self.game.name,
                    previous=previous,
                    at=at.at,
                    action=at.action,
                    chance=at.chance,
                )
            )
        self.records, self.history = records, read(records)
        self.events = [READER.read(record) for record in records]

    def dealing(self, cards: Sequence[Card], dealer: Seat | None, *, version: int | None = None) -> Event[CardsDealt]:
        """The event, of this version or the next, that deals these cards, in the pack's order, as the next deal."""
        table = msgspec.structs.replace(self.table, version=(version or self.version + 1) - 1)
        return cards_dealt(self.game, table, next_standing(table, dealer), Drawn(tuple(cards)))

    def dealt(self, version: int) -> tuple[Card, ...]:
        """The cards that the event of this version deals, in the pack's order."""
        event = self.events[version - 1]
        openings = {
            opening.position: opening.card
            for part in (event.public, *event.sealed.values())
            for field in msgspec.structs.astuple(part)
            if isinstance(field, tuple)
            for opening in field
            if isinstance(opening, Opening)
        }
        return tuple(openings[position] for position in sorted(openings))

    @property
    def seats(self) -> range:
        """All seats."""
        return range(len(self.table.players))

    @property
    def audiences(self) -> tuple[Audience, ...]:
        """All but the house."""
        return ("public", *map(seat_audience, self.seats))

    @property
    def table(self) -> Table:
        """The table as the house knows it."""
        return self.history.table

    @property
    def version(self) -> int:
        """The version of the last event."""
        return self.table.version

    @property
    def phase(self) -> str | None:
        """The phase of the deal."""
        return self.table.phase

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Who must act."""
        return to_act(self.game, self.table)

    @property
    def turn(self) -> Seat:
        """The one seat that must act."""
        (seat,) = self.to_act
        return seat

    def command(self, command: Command) -> tuple[Event[Any], ...]:
        """Does the command; answers what happened. Raises Rejected."""
        at = moment(self.version, self.waited)
        self.history, records = record_command(self.game, self.history, command, at)
        events = tuple(READER.read(record) for record in records)
        self.commands.append((self.waited, command))
        self.records.extend(records)
        self.events.extend(events)
        return events

    def refused(self, command: Command) -> Rejected:
        """Asserts that the command is refused, and that nothing is recorded; answers the refusal."""
        before = self.history
        with pytest.raises(Rejected) as refused:
            self.command(command)
        assert self.history is before
        return refused.value

    def take(self, seat: Seat, wire: Wire) -> tuple[Event[Any], ...]:
        """Takes the action from the seat's player, or its bot; answers what happened. Raises Rejected."""
        before, action = self.table, parsed(wire, self.game)
        by_bot = opponent_at(before, seat) is not None
        events = self.command(ActAsBot(seat, action) if by_bot else Act(EVERYBODY[seat], action))
        # An act is legal if it is offered, whatever the rows say.
        assert broken(self.game, before, seat, action) is None
        self.acts.append((before.version, seat, wire))
        return events

    def run_out(self) -> tuple[Event[Any], ...]:
        """Waits until the time limit that runs now has run out; answers what happened."""
        timer = timer_of(self.game, self.table)
        assert timer is not None
        version = self.version
        self.waited += timer.seconds
        events = self.command(RunOut(timer.since))
        self.acts.append((version, None, {}))
        return events

    def time_up(self, *, early: int = 0) -> tuple[Event[Any], ...]:
        """Waits until what runs out first has run out, or so many seconds less; answers what happened. Raises Rejected.

        The clock is answered at whole seconds.
        """
        due = deadline_of(self.game, self.table)
        assert due is not None
        seconds = (datetime.fromisoformat(due.at) - START).total_seconds()
        self.waited = max(self.waited, math.ceil(seconds) - self.version - early)
        return self.command(due.command)

    def again(self, seat: Seat | None, wire: Wire) -> tuple[Event[Any], ...]:
        """Takes an action that stands in `acts`; answers what happened. Raises Rejected."""
        return self.run_out() if seat is None else self.take(seat, wire)

    def pass_gate(self) -> None:
        """All say that they are ready for the next deal, where the game waits for that."""
        while self.table.running_deal is None and self.to_act:
            seat = self.to_act[0]
            self.take(seat, {"type": self.offers(seat)[0].type})

    def act(self, seat: Seat, kind: str, **fields: object) -> tuple[Event[Any], ...]:
        """Takes the action from the seat; answers what happened. Raises Rejected."""
        return self.take(seat, {"type": kind, **fields})

    def do(self, kind: str, **fields: object) -> tuple[Event[Any], ...]:
        """Takes the action from the seat whose turn it is."""
        return self.act(self.turn, kind, **fields)

    def refuses(self, seat: Seat, kind: str, code: Code, rule: str | None, **fields: object) -> str:
        """Asserts that the action is refused so, and that nothing is recorded; answers the detail."""
        before = self.history
        with pytest.raises(Rejected) as refused:
            self.act(seat, kind, **fields)
        assert (refused.value.code, refused.value.rule) == (code, rule), refused.value.detail
        assert kind == "talk" or not refused.value.detail.endswith(" is not open to this seat now"), "no row says why"
        assert self.history is before
        return refused.value.detail

    def offers(self, seat: Seat) -> tuple[Offer, ...]:
        """What the seat may do, or the bot that plays it."""
        return offers_at(self.game, self.table, seat)

    def offered(self, seat: Seat, kind: str) -> list[dict[str, Any]]:
        """The fields of the seat's offers of this type, as on the wire."""
        described = [offer.describe() for offer in self.offers(seat) if offer.type == kind]
        return [cast("dict[str, Any]", offer["fields"]) for offer in described]

    def types(self, seat: Seat) -> set[str]:
        """The types of action that the seat is offered."""
        return {offer.type for offer in self.offers(seat)}

    def hand(self, seat: Seat) -> tuple[str, ...]:
        """The seat's cards; none in a game without hands."""
        held = self.game.showing.seats(self.table.players, self.table.deal_state)[seat]
        return held.hand.known if isinstance(held, HandView) else ()

    def known_to(self, audience: Audience, version: int | None = None) -> Table:
        """The table as the audience knows it, at a version."""
        return READER.fold(None, self.records[:version], audience)

    def view(self, audience: Audience, version: int | None = None) -> dict[str, Any]:
        """The view of the audience, as it stands on the wire."""
        return cast("dict[str, Any]", msgspec.to_builtins(view(self.game, self.known_to(audience, version), audience)))

    def views(self, audience: Audience, every: int = 1) -> Iterator[dict[str, Any]]:
        """The views of the audience, as they stand on the wire: at the first version, then after each so many."""
        table: Table | None = None
        for record in self.records:
            table = READER.fold(table, [record], audience)
            if (record.version - 1) % every == 0:
                yield cast("dict[str, Any]", msgspec.to_builtins(view(self.game, table, audience)))

    def of(self, payload: type[Payload]) -> list[Any]:
        """The public parts of all events of this type."""
        return [event.public for event in self.events if isinstance(event.public, payload)]

    @property
    def score(self) -> DealScored:
        """The last scored deal."""
        return cast("DealScored", self.of(DealScored)[-1])

    def booked(self, seat: Seat) -> list[tuple[str, str, int]]:
        """Kind, rule and amount of the seat's lines in the last scored deal."""
        return [(line.kind, line.rule, line.amount) for line in self.score.lines if line.seat == seat]

    def cited(self, line: Line) -> list[str]:
        """The types of the events that the line cites."""
        return [self.events[version - 1].public.TYPE for version in line.events]

    def play_out(self, tricks: Iterable[Mapping[Seat, str]]) -> Self:
        """Plays these tricks, each with the card of each seat, as far as the running deal goes."""
        scored = self.table.scored
        for trick in tricks:
            for _ in trick:
                if self.table.scored == scored:
                    self.do("play", card=trick[self.turn])
        return self

    def bid_out(self, declarer: Seat, contract: str) -> None:
        """The auction in which declarer bids this and the others pass; for Casco all pass."""
        while self.phase == "auction":
            standing = [call for call in self.table.deal_state.common.calls if call.bid != "pass"]
            if self.turn == declarer and contract != "casco" and not standing:
                self.do("bid", contract=contract)
            else:
                self.do("pass")


class DecodedLive(Live):
    """A table whose views are as a client decodes them."""

    def view(self, audience: Audience, version: int | None = None) -> dict[str, Any]:
        """The view of the audience: lists where the other has tuples."""
        decoded: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(super().view(audience, version)))
        return decoded


_TRIPLES: tuple[tuple[str, ...], ...] = tuple(
    tuple(rank + suit for rank in ranks) for suit in "shd" for ranks in ("KQJ", "765", "432")
)
"""Nine tricks in which everybody follows suit; the first card of each wins."""
_REST: tuple[str, ...] = tuple(card for card in PACK if all(card not in triple for triple in _TRIPLES))


class Plan(Struct, frozen=True):
    """A stacked deal and the card that each seat plays to each trick."""

    hands: dict[Seat, list[str]]
    talon: list[str]
    tricks: list[dict[Seat, str]]


def tricks_won_by(winners: Sequence[Seat]) -> Plan:
    """A plan in which these seats win the tricks in order, whatever is trump; fewer than nine are filled up."""
    filled = [*winners, *[0] * (9 - len(winners))]
    tricks = [
        dict(zip(clockwise(winner, 3), triple, strict=True)) for winner, triple in zip(filled, _TRIPLES, strict=True)
    ]
    return Plan({seat: [trick[seat] for trick in tricks] for seat in range(3)}, list(_REST), tricks)


def declared(
    contract: str,
    *,
    declarer: Seat = 0,
    eldest: Seat | None = None,
    winners: Sequence[Seat] = (),
    bonus: str | None = None,
    trump: Suit | None = None,
    options: Options | None = None,
) -> tuple[Live, Plan]:
    """A deal right after the declaration (and the turn-up) of a contract, in which these tricks can be played."""
    first = declarer if contract == "casco" or eldest is None else eldest
    plan = tricks_won_by(winners)
    hands = {seat: list(cards) for seat, cards in plan.hands.items()}
    talon = list(plan.talon)
    kept = hands[declarer][0]
    if contract == "casco":
        hands[declarer], talon = [kept, *talon[:8]], [*hands[declarer][1:], *talon[8:]]
    if contract == "tournee-respect":
        hands[declarer][-1], talon[0] = talon[0], hands[declarer][-1]
    live = Live.stacked(hands, talon, dealer=(first + 2) % 3, options=options)
    live.bid_out(declarer, contract)
    if contract == "casco":
        live.do("take-casco", keep=kept)
        laid = [card for card in live.hand(declarer) if card not in plan.hands[declarer]]
        live.do("lay-casco", lay=laid, trump=trump, bonus=bonus)
    else:
        named = CONTRACTS[cast("Any", contract)].trumps == "named"
        live.do("declare", contract=contract, trump=trump or "c" if named else None, bonus=bonus)
    return live, plan


def played(
    contract: str,
    winners: Sequence[Seat],
    *,
    declarer: Seat = 0,
    eldest: Seat | None = None,
    bonus: str | None = None,
    trump: Suit | None = None,
    options: Options | None = None,
) -> Live:
    """A deal of this contract in which these seats win the tricks, until it is scored or the winners are used up."""
    live, plan = declared(
        contract, declarer=declarer, eldest=eldest, winners=winners, bonus=bonus, trump=trump, options=options
    )
    exchange_nothing(live, plan)
    return live.play_out(plan.tricks[: len(winners)])


def exchange_nothing(live: Live, plan: Plan) -> None:
    """Nobody exchanges but declarer in Tournee Respect, who gives the card that the plan has no use for."""
    while live.phase == "exchange":
        least = live.offered(live.turn, "exchange")[0]["discard"]["min"]
        useless = [card for card in live.hand(live.turn) if card not in plan.hands[live.turn]]
        live.do("exchange", discard=useless[:least])


def pick(offered: Sequence[Offer], rng: random.Random) -> Wire:
    """An action that one of the offers describes, as a client sends it."""
    wire = picking.pick(rng.choice(offered), rng.randrange)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in wire.items()}


def offers_at(game: Game, table: Table, seat: Seat) -> tuple[Offer, ...]:
    """What the seat may do, or the bot that plays it, which does not talk (TL-7.2)."""
    if opponent_at(table, seat) is None:
        return offers(game, table, seat)
    # It also plays for one who has left the game for good.
    own = offers(game, msgspec.structs.replace(table, leaving=None), seat)
    return tuple(offer for offer in own if offer.type != "talk")


def by_default(game: Game, table: Table, seat: Seat) -> tuple[Seat, Wire] | None:
    """The seat, and what would be done for it by default; None where it is not offered that."""
    try:
        action = game.decider.default_action(table.deal_state, seat)
    except ValueError:
        return None
    offered = any(offer.type == tag_of(action) for offer in offers_at(game, table, seat))
    return (seat, msgspec.to_builtins(action)) if offered else None


def step(live: Live, rng: random.Random, *, rare: float = 0.05, liking: str | None = None) -> tuple[Seat | None, Wire]:
    """Takes an action picked from the offers: mostly of who is to act, rarely one that is bound to no turn.

    Where nobody must act, as in a game without turns, it is always one that is bound to none, often what is done by
    default, so that games stay short. Where a time limit runs, it is now and then let run out. Mostly those in turn
    take an act of the type that they like, where they can. Answers the seat (None: the clock) and the action.
    """
    if timer_of(live.game, live.table) is not None and rng.random() < rare / 10:
        live.run_out()
        return None, {}
    if not live.to_act and rng.random() < 0.5:
        given_up = by_default(live.game, live.table, rng.choice(live.seats))
        if given_up is not None:
            live.take(*given_up)
            return given_up
    choices = {seat: live.offers(seat) for seat in live.seats}
    unbound = {"talk", *(live.table.deal_state.FREE if live.table.running_deal is not None else ())}
    free = [(seat, offer) for seat, some in choices.items() for offer in some if offer.type in unbound]
    if free and (not live.to_act or rng.random() < rare):
        seat, offer = rng.choice(free)
        wire = pick((offer,), rng)
    else:
        seat = live.turn if len(live.to_act) == 1 else rng.choice(live.to_act)
        bound = [offer for offer in choices[seat] if offer.type not in unbound]
        liked = [offer for offer in bound if offer.type == liking]
        wire = pick(liked if liked and rng.random() < 0.9 else bound, rng)
    live.take(seat, wire)
    return seat, wire


def willing(game: Game, table: Table) -> tuple[Seat, ...]:
    """The seats that must act; where none must, as in a game without turns, those that are offered something."""
    every = range(len(table.players))
    return to_act(game, table) or tuple(seat for seat in every if offers_at(game, table, seat))


def finished(live: L, rng: random.Random) -> L:
    """Plays the table to its end."""
    while live.table.status == "playing":
        step(live, rng)
    return live


def filled(
    hands: Mapping[Seat, str | Sequence[str]], pack: Iterable[str], size: int
) -> tuple[dict[Seat, list[str]], list[str]]:
    """The hands of four, each filled up to this size in the pack's order from seat 0 on, and the cards left over."""
    held = [hands.get(seat, ()) for seat in range(4)]
    full = {seat: [*(cards.split() if isinstance(cards, str) else cards)] for seat, cards in enumerate(held)}
    rest = [card for card in pack if all(card not in cards for cards in full.values())]
    for cards in full.values():
        missing = size - len(cards)
        cards.extend(rest[:missing])
        rest = rest[missing:]
    return full, rest


def filled_without(
    hands: Mapping[Seat, Sequence[str]], without: Mapping[Seat, Collection[str]], pack: Iterable[str]
) -> tuple[dict[Seat, list[str]], list[str]]:
    """The hands of three, filled up to nine cards with none that they are `without`, and the cards left over."""
    rest = [card for card in pack if all(card not in hand for hand in hands.values())]
    full: dict[Seat, list[str]] = {}
    for seat in sorted(range(3), key=lambda seat: -len(without.get(seat, ()))):
        full[seat] = list(hands.get(seat, ()))
        for card in [card for card in rest if card not in without.get(seat, ())][: 9 - len(full[seat])]:
            rest.remove(card)
            full[seat].append(card)
    return full, rest


@cache
def _seated(tables: type[Live], options: Any) -> tuple[Recorded, ...]:
    """The records of a table at which all have sat down, and nothing is dealt."""
    fair = tables.started(options=options)
    return tuple(record for record in fair.records if record.type in ("table-opened", "seat-taken"))


def around(
    hands: Mapping[Seat, Sequence[str]],
    *,
    talon: Sequence[str] = (),
    void: Mapping[Seat, str] | None = None,
    dealer: Seat = 2,
    options: Options | None = None,
) -> Live:
    """A dealt table in which the seats hold these cards among others, none of the suits they are `void` in."""
    without = {seat: [card for card in PACK if card[1] in suits] for seat, suits in (void or {}).items()}
    full, rest = filled_without(hands, without, (card for card in PACK if card not in talon))
    return Live.stacked(full, [*talon, *rest], dealer=dealer, options=options)
