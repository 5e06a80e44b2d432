"""A table's state, folded from its events: by the house from all sections, by an audience from those it may open."""

from collections.abc import Mapping, Sequence
from functools import cache
from sys import intern
from typing import Any, Literal, TypeAlias, TypeVar, assert_never, cast

from msgspec import UNSET, Struct, UnsetType, convert
from msgspec.structs import replace

from domain.cards import Card
from domain.fair.deck import Deck
from domain.fair.seeds import SeedChain
from domain.kernel.course import Standing
from domain.kernel.dealing import Dealt, DealtHand, DealtTalon
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game, no_timer
from domain.kernel.ledger import Line, LineAt, Party
from domain.seats import HOUSE, PUBLIC, Bot, Seat, bot, seat_audience, seat_in
from domain.table.clock import Timing, after_event, timing_of
from domain.table.disputes import REVERSAL, Booked, Dispute, booked_by, pairs
from domain.table.events import (
    OUTSIDE_DEALS,
    CardsDealt,
    DealScored,
    DisputeOpened,
    DisputeRuled,
    EndProposed,
    GameFinished,
    GameStarted,
    LedgerCorrected,
    PlayerReady,
    Rematch,
    SeatAbandoned,
    SeatLeft,
    SeatResumed,
    SeatTaken,
    SeatTaken1,
    SeatTakenOver,
    SubstituteSeated,
    TableClosed,
    TableEvent,
    TableExpired,
    TableOpened,
    TablePayload,
    TableSecret,
    TableTalk,
    TextErased,
)
from domain.table.leaving import STAYING, Leaving
from domain.table.options import DEFAULT, TableOptions

T = TypeVar("T")

Status: TypeAlias = Literal["open", "playing", "finished", "closed"]

LAST_DEAL = "last deal scored"
"""The reason for a game's end if its rules do not end it earlier."""


NO_RESULT: Mapping[str, Any] = {}
"""The result of a deal in games that add no fields to `deal-scored`: one for all tables in memory."""


class SeatedBot(Struct, frozen=True, gc=False):
    """A bot that takes part as a player of its own, and the player who seated it."""

    bot: Bot
    by: str | None
    """None: who opened the table and did not sit there."""


NO_BOTS: Mapping[Seat, SeatedBot] = {}
"""The bots of a table at which only people sit: one for all tables in memory."""


class Table(Struct, frozen=True, gc=False):
    """A table at a version, as far as its audience knows it."""

    table: str
    game: str
    rules_version: int
    rules_digest: str
    options: Any
    deals: int
    players: tuple[str | None, ...]
    entropies: tuple[bytes, ...]
    """The entropy that each seat added to the shuffles, by seat; empty for a seat that added none."""
    opener: str | None
    """The player that opened the table; known to the house only, as are the seeds."""
    seeds: SeedChain | None
    version: int = 1
    status: Status = "open"
    deal: int | None = None
    """The number of the current or last deal."""
    scored: int = 0
    """The number of deals that are over."""
    dealer: Seat | None = None
    result: Mapping[str, Any] = {}
    """The fields that the game itself added to the last `deal-scored`."""
    ready: tuple[Seat, ...] = ()
    """The seats that are ready for the next deal, in games that wait for them."""
    totals: tuple[int, ...] = ()
    accounts: Mapping[Party, int] = {}
    """The balances of the table's accounts: bank, pool."""
    winners: tuple[Seat, ...] | None = None
    booked: tuple[Booked, ...] = ()
    """All lines, in the order of the events that booked them."""
    disputes: tuple[Dispute, ...] = ()
    texts: tuple[int, ...] = ()
    """The versions of the events whose public text can be erased."""
    deal_state: Any = None
    """The game's state of the current or last deal."""
    opened_at: str = ""
    """When the table was opened, as recorded."""
    table_options: TableOptions = DEFAULT
    """The options of the table itself."""
    rematch: Rematch | None = None
    """The rematch that this table is for: the game before, and the players for whom seats are reserved."""
    leaving: Leaving | None = None
    """None while nobody has left or wants the game to end."""
    opponents: Mapping[Seat, SeatedBot] = {}
    """The bots that take part as players, by seat."""
    talked: tuple[Seat, ...] = ()
    """The seat of each remark since the last deal began (TL-5.2)."""
    timing: Timing | None = None
    """None if no time runs out: no clock, and a game without time limits."""

    @property
    def balances(self) -> dict[Party, int]:
        """The balance of every account: a player's by seat, the table's by name."""
        return {**self.accounts, **dict(enumerate(self.totals))}

    @property
    def standing(self) -> Standing:
        """The standing after the events so far."""
        # A game may have ended during a deal, which then does not count.
        deal = self.scored if self.status == "finished" else self.deal or 0
        accounts, out = self.balances, self.out
        return Standing(self.options, self.deals, deal, self.dealer, self.totals, accounts, self.result, out)

    @property
    def out(self) -> tuple[Seat, ...]:
        """The seats that can no longer win (TL-3.3)."""
        if self.leaving is None or self.table_options.on_abandon != "end":
            return ()
        return self.leaving.abandoned

    @property
    def phase(self) -> str | None:
        """The deal's phase, by the game's own name; None before the first deal.

        It is `scored` when the deal is over, and `broken-off` if the game has ended in it.
        """
        if self.deal_state is None:
            return None
        if self.scored == self.deal:
            return "scored"
        phase: str = self.deal_state.PHASE
        return "broken-off" if self.status == "finished" else phase

    @property
    def over(self) -> bool:
        """Whether play is over for good: the game is finished, or the table was closed before it began."""
        return self.status in ("finished", "closed")

    @property
    def running_deal(self) -> int | None:
        """The number of the deal that is being played; None before, between and after deals."""
        return self.deal if self.status == "playing" and self.scored != self.deal else None

    @property
    def next_deal(self) -> int:
        """The number of the deal that comes next, from 1."""
        return (self.deal or 0) + 1


def deal_of(table: Table, payload: Payload) -> int | None:
    """The deal that an event with this payload belongs to when it is the table's next event.

    None outside deals, and for an event about the record.
    """
    if isinstance(payload, TablePayload):
        if isinstance(payload, CardsDealt):
            return table.next_deal
        if isinstance(payload, OUTSIDE_DEALS):
            return None
    return table.running_deal


def over_because(game: Game, table: Table) -> str | None:
    """Why the game ends now, between two deals or after the last; None while it goes on."""
    if not table.scored:
        return None
    return game.course.over(table.standing) or (LAST_DEAL if table.scored == table.deals else None)


def waiting_for(game: Game, table: Table) -> tuple[Seat, ...]:
    """The seats that are not yet ready for the next deal, in games that wait for them."""
    if game.course.gate is None or table.status != "playing" or table.running_deal is not None:
        return ()
    if over_because(game, table) is not None:
        return ()
    return tuple([seat for seat in range(len(table.players)) if seat not in table.ready])


def seats_due(game: Game, table: Table) -> tuple[Seat, ...]:
    """The seats that the game waits for, including those that the house plays."""
    if table.running_deal is None:
        return waiting_for(game, table)
    return game.decider.to_act(table.deal_state)


def winners(game: Game, table: Table) -> tuple[Seat, ...]:
    """The seats that have won the game that is over (TL-4.2)."""
    out = table.out
    others = tuple(seat for seat in range(len(table.players)) if seat not in out)
    if not table.scored:
        return others if out else ()
    best = game.course.winners(table.standing)
    return tuple(seat for seat in best if seat not in out) or others


def opponent_at(table: Table, seat: Seat) -> Bot | None:
    """The bot that plays the seat now, as its own player or as a substitute.

    None where a person plays, or the house with the mildest acts.
    """
    leaving = table.leaving
    if leaving is not None and seat in leaving.bots:
        return leaving.substitutes.get(seat)
    seated = table.opponents.get(seat)
    return None if seated is None else seated.bot


def bots_playing(table: Table) -> tuple[Seat, ...]:
    """The seats that bots play now; most tables have none."""
    if not table.opponents and (table.leaving is None or not table.leaving.substitutes):
        return ()
    return tuple(seat for seat in range(len(table.players)) if opponent_at(table, seat) is not None)


def seat_of(table: Table, player: str) -> Seat | None:
    """The player's seat, None if the player has none."""
    return table.players.index(player) if player in table.players else None


def opened(game: Game, table: str, event: Event[Payload]) -> Table:
    """The table that its first event opens. Raises TypeError for any other event."""
    public = event.public
    if not isinstance(public, TableOpened):
        raise TypeError(f"{public.TYPE} opens no table")
    options = convert(public.options, game.options)
    seats = game.course.seats(options)
    secret = event.section(HOUSE, TableSecret)
    table_options = public.table or DEFAULT
    return Table(
        table=table,
        # All tables in memory share the same few names and digests.
        game=intern(public.game),
        rules_version=public.rules_version,
        rules_digest=intern(public.rules_digest),
        options=options,
        deals=public.deals,
        players=(None,) * seats,
        entropies=(b"",) * seats,
        opener=secret.opener if secret else None,
        seeds=SeedChain(public.deals, bytes.fromhex(secret.seed)) if secret else None,
        result=NO_RESULT,
        opponents=NO_BOTS,
        totals=(0,) * seats,
        opened_at=event.at,
        table_options=table_options,
        rematch=None if isinstance(public.rematch, UnsetType) else public.rematch,
        timing=timing_of(table_options.clock, seats, event.at, limits=game.decider.timer is not no_timer),
    )


def evolve(game: Game, table: Table, event: Event[Payload]) -> Table:
    """The table after the event, whose sections are those that the audience may open."""
    public = event.public
    if PUBLIC in public.SECTIONS:
        table = replace(table, texts=(*table.texts, event.version))
    if isinstance(public, TablePayload):
        after = _evolve(game, table, event, cast("TableEvent", public))
    else:
        after = replace(table, version=event.version, deal_state=game.decider.evolve(table.deal_state, event))
        if table.leaving is not None and table.leaving.bots:
            after = _maybe_returned(after, table.leaving, event.actor)
    return after if after.timing is None else _timed(game, table, after, after.timing, event)


def _maybe_returned(table: Table, leaving: Leaving, actor: str) -> Table:
    """The table after an act, with which an absent player comes back (TL-3.2)."""
    seat = seat_in(actor)
    if seat not in leaving.bots:
        return table
    return replace(table, leaving=replace(leaving, returned=seat))


def _timed(game: Game, before: Table, table: Table, timing: Timing, event: Event[Payload]) -> Table:
    """The table after the event, with its times and its seats' clocks (TL-2)."""
    timing = after_event(timing, game, before.deal_state, event, tuple(map(bot, bots_playing(before))))
    if timing.clock is not None:
        unattended = () if table.leaving is None else table.leaving.unattended
        timing = timing.waiting_for([seat for seat in seats_due(game, table) if seat not in unattended])
    return replace(table, timing=timing)


def survives_deal(payload: type[Payload]) -> bool:
    """Whether an event of this type matters after its deal: a table's own events do, and free text does."""
    return issubclass(payload, TablePayload) or PUBLIC in payload.SECTIONS


def evolve_between_deals(game: Game, table: Table, event: Event[Payload]) -> Table:
    """The table after an event that a later deal follows. The game's own state is not folded, since that deal replaces
    it.
    """
    public = event.public
    if PUBLIC in public.SECTIONS:
        table = replace(table, texts=(*table.texts, event.version))
    if isinstance(public, CardsDealt):
        table = _booked(table, event, public.lines)
        return replace(table, version=event.version, deal=public.deal, dealer=public.dealer, ready=(), talked=())
    if isinstance(public, TablePayload):
        return _evolve(game, table, event, cast("TableEvent", public))
    return replace(table, version=event.version)


def _evolve(game: Game, table: Table, event: Event[Payload], public: TableEvent) -> Table:
    version = event.version
    match public:
        case TableOpened():
            return opened(game, table.table, event)
        case SeatTaken() if public.opponent is not None:
            return _bot_seated(table, event, public.seat, public.player, public.opponent)
        case SeatTaken1():
            return _seated(table, version, public.seat, public.player, bytes.fromhex(public.entropy or ""))
        case SeatLeft():
            left = _seated(table, version, public.seat, None, b"")
            others = {seat: own for seat, own in table.opponents.items() if seat != public.seat}
            return replace(left, opponents=others or NO_BOTS)
        case GameStarted():
            return replace(table, version=version, status="playing", dealer=public.first_dealer)
        case CardsDealt():
            booked = _booked(table, event, public.lines)
            dealt = _dealt(game, table, booked, event, public)
            return replace(
                booked,
                version=version,
                deal=public.deal,
                dealer=public.dealer,
                ready=(),
                talked=(),
                deal_state=game.decider.begin(dealt),
            )
        case PlayerReady():
            ready = replace(table, version=version, ready=(*table.ready, public.seat))
            return ready if table.leaving is None else _maybe_returned(ready, table.leaving, event.actor)
        case DealScored():
            result = {name: getattr(public, name) for name in _own_fields(type(public))} or NO_RESULT
            return replace(_booked(table, event, public.lines), version=version, scored=public.deal, result=result)
        case GameFinished():
            booked = _booked(table, event, public.lines, _of_broken_off_deal(public.lines))
            return replace(booked, version=version, status="finished", winners=public.winners)
        case TableClosed() | TableExpired():
            return replace(table, version=version, status="closed")
        case EndProposed() | SeatAbandoned() | SeatTakenOver() | SeatResumed() | SubstituteSeated():
            return replace(table, version=version, leaving=(table.leaving or STAYING).after(public))
        case TableTalk():
            return replace(table, version=version, talked=(*table.talked, public.seat))
        case DisputeOpened():
            opened_ = Dispute(public.dispute, public.seat, public.lines)
            return replace(table, version=version, disputes=(*table.disputes, opened_))
        case DisputeRuled():
            return replace(table, version=version, disputes=_disputes(table, public.dispute, status=public.ruling))
        case LedgerCorrected():
            return replace(
                _booked(table, event, public.lines, _in_dispute(table, public.dispute)),
                version=version,
                winners=public.winners,
                disputes=_disputes(table, public.dispute, corrected=True),
            )
        case TextErased():
            texts = tuple(text for text in table.texts if text != public.version)
            return replace(table, version=version, texts=texts)
        case _:
            assert_never(public)


def _bot_seated(table: Table, event: Event[Payload], seat: Seat, player: str | None, opponent: Bot) -> Table:
    by = seat_in(event.actor)
    own = SeatedBot(opponent, None if by is None else table.players[by])
    return replace(_seated(table, event.version, seat, player, b""), opponents={**table.opponents, seat: own})


def _seated(table: Table, version: int, seat: Seat, player: str | None, entropy: bytes) -> Table:
    """The table with this player in the seat, or nobody, and with the player's entropy."""
    if player == table.opener:
        # Most openers sit at their table, and one text in memory is enough.
        player = table.opener
    players, entropies = _put(table.players, seat, player), _put(table.entropies, seat, entropy)
    return replace(table, version=version, players=players, entropies=entropies)


def _disputes(table: Table, number: int, **changed: object) -> tuple[Dispute, ...]:
    """The table's disputes, with these fields of one dispute changed."""
    return tuple(replace(dispute, **changed) if dispute.dispute == number else dispute for dispute in table.disputes)


@cache
def _own_fields(payload: type[DealScored]) -> tuple[str, ...]:
    """The fields that a game adds to `deal-scored`."""
    return payload.__struct_fields__[len(DealScored.__struct_fields__) :]


def _put(values: tuple[T, ...], seat: Seat, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def with_lines(table: Table, lines: Sequence[Line]) -> Table:
    """The table with these lines in its balances; they are not added to the booked lines."""
    totals, accounts = _balances_after(table, lines)
    return replace(table, totals=totals, accounts=accounts)


def _balances_after(table: Table, lines: Sequence[Line]) -> tuple[tuple[int, ...], dict[Party, int]]:
    """The totals by seat and the balances of the table's accounts after these lines."""
    totals, accounts = list(table.totals), dict(table.accounts)
    for line in lines:
        if line.seat is None:
            accounts[line.account] = accounts.get(line.account, 0) + line.amount
        else:
            totals[line.seat] += line.amount
    return tuple(totals), accounts


def _in_dispute(table: Table, number: int) -> tuple[LineAt, ...]:
    """The lines that a correction for the dispute takes back, one of each pair."""
    return next((pairs(dispute.lines) for dispute in table.disputes if dispute.dispute == number), ())


def _of_broken_off_deal(lines: Sequence[Line]) -> tuple[LineAt, ...]:
    """The lines that the end of a game during a deal takes back: one of each pair, by the event that booked it."""
    return tuple(LineAt(line.events[0], 0) for line in lines[::2] if line.kind == REVERSAL)


def _booked(table: Table, event: Event[Payload], lines: tuple[Line, ...], reverses: tuple[LineAt, ...] = ()) -> Table:
    """The table with these lines of the event booked; `reverses` are the lines that they take back."""
    if not lines:
        return table
    totals, accounts = _balances_after(table, lines)
    booked = (*table.booked, booked_by(event.version, event.deal, lines, reverses))
    return replace(table, totals=totals, accounts=accounts, booked=booked)


def _dealt(game: Game, table: Table, booked: Table, event: Event[Payload], public: CardsDealt) -> Dealt:
    """The start of a deal, with the cards that the audience may see; `booked` is the table after the antes."""
    order = game.pack.order
    cards: list[Card | None] = [None] * len(public.card_commitments)
    house = event.section(HOUSE, DealtTalon)
    openings = [] if public.shown is UNSET else [*public.shown]
    openings += house.talon if house else ()
    for seat in range(len(table.players)):
        learnt = event.section(seat_audience(seat), DealtHand)
        openings += learnt.cards if learnt else ()
    for opening in openings:
        cards[opening.position] = opening.card
    seed = bytes.fromhex(house.seed) if house else None
    deck = Deck(table.table, public.deal, tuple(cards), seed, table.entropies)
    standing = replace(booked.standing, deal=public.deal, dealer=public.dealer)
    # The cards were dealt before the antes were booked, so the deal's portions ignore the antes.
    before = replace(standing, totals=table.totals, accounts=table.balances) if public.lines else standing
    portions = game.dealing.portions(before)
    return Dealt(standing, deck, portions, order, event.version)
