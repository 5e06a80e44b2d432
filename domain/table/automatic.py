"""The automatic events, which happen at a table without a command."""

from collections.abc import Iterator

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from domain.fair.deck import Deck
from domain.fair.lots import Lots
from domain.kernel.course import Standing
from domain.kernel.dealing import DealtHand, DealtTalon, Drawn, places_learnt
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game
from domain.kernel.ledger import Line, Transfer, book
from domain.kernel.worth import Score
from domain.seats import HOUSE, PUBLIC, Seat, bot, seat_audience
from domain.table.disputes import REVERSAL, transfers_of
from domain.table.events import Allowance, CardsDealt, DealScored, GameFinished, GameStarted, PlayerReady
from domain.table.following import bot_due, change_of_player, ended_because
from domain.table.rules import EARLY_END
from domain.table.seat_offers import default_action
from domain.table.state import Table, over_because, waiting_for, winners, with_lines


def next_automatic(game: Game, table: Table) -> Event[Payload] | None:
    """The next event that happens without a command; None if there is none."""
    # Most tables have no clock and keep their players.
    usual = table.leaving is None and table.timing is None
    change = None if usual else change_of_player(table)
    if change is not None:
        return Event(change)
    deal = table.running_deal
    if deal is None:
        return _outside_deals(game, table)
    event = game.decider.next_automatic(table.deal_state)
    if event is not None:
        return event
    # Asked after every event, so that only the end of a deal costs more.
    score = None if game.scoring.settled(table.deal_state) is None else game.decider.score(table.deal_state)
    if score is not None:
        return _book(game, table, deal, score)
    return None if table.leaving is None else _while_waiting(game, table)


def _outside_deals(game: Game, table: Table) -> Event[Payload] | None:
    """The game's start, its next deal or its end.

    None while a seat is free or a player is not ready, and after the end.
    """
    if table.status == "open":
        return _start(game, table) if None not in table.players else None
    if table.over:
        return None
    over = over_because(game, table)
    if over is not None:
        return Event(_finished(game, table, over, ()))
    due = _while_waiting(game, table)
    return due if due is not None or waiting_for(game, table) else _deal(game, table)


def _while_waiting(game: Game, table: Table) -> Event[Payload] | None:
    """The game's early end, or an act of the house for a seat: automatic events while the game waits for players."""
    if table.leaving is None:
        return None
    ended = ended_because(table)
    if ended is not None:
        return _break_off(game, table, ended)
    seat = bot_due(game, table)
    return None if seat is None else replace(mildest(game, table, seat), actor=bot(seat))


def mildest(game: Game, table: Table, seat: Seat) -> Event[Payload]:
    """The event by which the house acts for a seat that the game waits for (TL-2.3, TL-3.1)."""
    action = default_action(game, table, seat)
    if table.running_deal is None:
        return Event(PlayerReady(seat))
    return game.decider.decide(table.deal_state, seat, action)


def _seed(table: Table, deal: int) -> bytes:
    if table.seeds is None:
        raise ValueError("only the house knows the seeds")
    return table.seeds.at(deal)


def _start(game: Game, table: Table) -> Event[Payload]:
    lots = Lots(len(table.players), _seed(table, 1), table.table, table.entropies)
    first = game.course.first_dealer(lots)
    return Event(GameStarted(first.dealer, first.draws))


def _deal(game: Game, table: Table) -> Event[Payload]:
    standing = next_standing(game, table)
    empty = Deck(table.table, standing.deal, (), _seed(table, standing.deal), table.entropies)
    return cards_dealt(game, table, standing, game.dealing.draw(standing, empty.shuffled))


def next_standing(game: Game, table: Table) -> Standing:
    """The standing of the table's next deal, before its antes."""
    before = table.standing
    dealer = table.dealer if table.deal is None else game.course.next_dealer(before)
    return replace(before, deal=table.next_deal, dealer=dealer)


def antes_of(game: Game, table: Table, standing: Standing) -> tuple[Line, ...]:
    """The lines that the deal with this standing books as it is dealt, next at the table."""
    return book(game.dealing.antes(standing, table.version + 1), table.players)


def clocks_of(table: Table) -> tuple[Allowance, ...] | UnsetType:
    """What the clocks of the seats carry into a deal; UNSET at a table without clocks."""
    return UNSET if table.timing is None or table.timing.clock is None else table.timing.allowances


def cards_dealt(game: Game, table: Table, standing: Standing, drawn: Drawn) -> Event[CardsDealt]:
    """The event that deals these cards as the table's next deal; `standing` is the deal's, before the antes."""
    seed = _seed(table, standing.deal)
    deck = Deck(table.table, standing.deal, drawn.cards, seed)
    learnt = places_learnt(game.dealing.portions(standing))
    sealed: dict[str, Struct] = {
        audience: DealtHand(deck.openings(learnt[audience]))
        for audience in map(seat_audience, range(len(table.players)))
        if audience in learnt
    }
    sealed[HOUSE] = DealtTalon(deck.openings(learnt.get(HOUSE, ())), seed.hex())
    shown = deck.openings(learnt[PUBLIC]) if PUBLIC in learnt else UNSET
    rejected = drawn.rejected or UNSET
    antes, clocks = antes_of(game, table, standing), clocks_of(table)
    public = CardsDealt(standing.deal, standing.dealer, deck.commitments(), antes, shown, rejected, clocks)
    return Event(public, sealed)


def _book(game: Game, table: Table, deal: int, score: Score) -> Event[Payload]:
    lines = book(score.transfers, table.players)
    scored = next((payload for payload in game.events if issubclass(payload, DealScored)), DealScored)
    seed = _seed(table, deal).hex()
    return Event(scored(deal, score.outcome, lines, with_lines(table, lines).totals, seed, **score.extra))


def _break_off(game: Game, table: Table, reason: str) -> Event[Payload]:
    """The game's end before its rules end it: the running deal books nothing (TL-4.2)."""
    deal = table.running_deal
    if deal is None:
        return Event(_finished(game, table, reason, ()))
    taken_back = book(_taken_back(table, deal), table.players)
    return Event(replace(_finished(game, table, reason, taken_back), seed=_seed(table, deal).hex()))


def _taken_back(table: Table, deal: int) -> Iterator[Transfer]:
    """The transfers that take back the lines that the deal has booked so far."""
    for booked in table.booked:
        if booked.deal == deal:
            for line, own in enumerate(transfers_of(booked.lines)):
                pair = f"Lines {2 * line} and {2 * line + 1} of event {booked.version}"
                text = f"{pair} taken back, as deal {deal} does not count: {own.text}"
                cited = (booked.version, table.version)
                yield Transfer(own.account, own.counter, -own.amount, REVERSAL, EARLY_END, text, cited)


def _finished(game: Game, table: Table, reason: str, taken_back: tuple[Line, ...]) -> GameFinished:
    """The payload of the game's end, after these lines are booked."""
    settled = replace(with_lines(table, taken_back), status="finished")
    lines = (*taken_back, *book(game.dealing.shares(settled.standing, table.version + 1), table.players))
    shared_out = replace(with_lines(table, lines), status="finished")
    return GameFinished(shared_out.totals, winners(game, shared_out), reason, lines)
