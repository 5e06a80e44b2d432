"""The automatic consequences of leaving and absence (TL-2.4, TL-3, TL-4), from what everybody knows of the table."""

from domain.kernel.game import Game
from domain.seats import Seat
from domain.table.events import SeatResumed, SeatTakenOver
from domain.table.state import LAST_DEAL, Table, seats_due

ABANDONED = "abandoned by seat"
"""The prefix of the reason for a game's end, before the seat that ended it."""
DESERTED = "no player is left"
AGREED = "ended by agreement"


def change_of_player(table: Table) -> SeatResumed | SeatTakenOver | None:
    """The event by which a seat's player resumes or the house takes over; None if nothing changes."""
    leaving, timing = table.leaving, table.timing
    if (leaving is None and timing is None) or table.status != "playing":
        return None
    unattended: tuple[Seat, ...] = ()
    if leaving is not None:
        unattended = leaving.unattended
        if leaving.returned is not None:
            return SeatResumed(leaving.returned)
        if table.table_options.on_abandon == "play-on":
            for seat in leaving.abandoned:
                if seat not in leaving.bots:
                    return SeatTakenOver(seat)
    if timing is not None and timing.clock is not None:
        for seat, clock in enumerate(timing.seats):
            if clock.run_out >= timing.clock.absent_after and seat not in unattended:
                return SeatTakenOver(seat)
    return None


def ended_because(table: Table) -> str | None:
    """Why the game ends before its rules end it; None while it goes on. Call it once no other event is due."""
    leaving = table.leaving
    if table.status != "playing" or leaving is None:
        return None
    if table.out:
        return f"{ABANDONED} {table.out[0]}"
    every = range(len(table.players))
    people = [seat for seat in every if seat not in table.opponents]
    if all(seat in leaving.bots for seat in people or every):
        return DESERTED
    # Those who have abandoned the game need not agree.
    agreed = leaving.agreed and all(seat in leaving.agreed or seat in leaving.abandoned for seat in people)
    return AGREED if agreed else None


def says_why_itself(reason: str) -> bool:
    """Whether the reason for a game's end comes from the table's own rules, not from its game's."""
    return reason in (LAST_DEAL, DESERTED, AGREED) or reason.startswith(ABANDONED)


def bot_due(game: Game, table: Table) -> Seat | None:
    """The seat that the game waits for next and for which the house takes the mildest act; None if there is none."""
    if table.leaving is None or not table.leaving.bots:
        return None
    unattended = table.leaving.unattended
    return next((seat for seat in seats_due(game, table) if seat in unattended), None)


def goes_on_by_itself(game: Game, table: Table) -> bool:
    """Whether something follows before any player must act, although the game waits for seats."""
    return change_of_player(table) is not None or ended_because(table) is not None or bot_due(game, table) is not None
