"""What a deal comes to, and what is booked for it (TY-4)."""

from collections.abc import Iterator

from msgspec import Struct

from domain.kernel.ledger import BANK, Ground, Transfer
from domain.kernel.worth import Flaw, Grounds, Score, Scoring, Terms
from domain.parts.phases import expect
from domain.parts.scoring import AtTable, Number
from domain.seats import Seat
from tests.games.toy.meta import SEATS, SIDES, side, value
from tests.games.toy.rules import LAPSED, LEVEL, WON, Result
from tests.games.toy.state import Playing, State, may_deal

DEAL = 2
"""The points for a deal won (TY-4.1)."""
MOST_PLEDGED = 6
"""The most cards that the two seats of a side pledge (TY-2.2)."""


class Facts(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """What each side has captured, with what its brows count, and pledged; who snapped, and whose time ran out."""

    captured: tuple[Number, Number]
    pledged: tuple[Number, Number]
    snaps: tuple[AtTable, ...] = ()
    lapsed: AtTable | None = None


def settled(state: State) -> bool | None:
    """True once the deal is over; None while it goes on."""
    if not isinstance(state, Playing) or state.turn is not None or (state.lapse is None and may_deal(state)):
        return None
    return True


def facts(state: State) -> Facts:
    """The facts of a settled deal."""
    play = expect(state, Playing)
    first, second = (_captured(play, seats) for seats in SIDES)
    ours, theirs = (sum(len(pledge.cards) for pledge in play.pledges if pledge.seat in seats) for seats in SIDES)
    lapsed = None if play.lapse is None else play.lapse.seat
    return Facts((first, second), (ours, theirs), tuple(snap.seat for snap in play.snaps), lapsed)


def _captured(state: Playing, seats: tuple[Seat, ...]) -> int:
    """What the side has captured, and what its brows count (TY-4.1)."""
    brows = [card for seat in seats for card in state.common.cards.brows[seat] if card is not None]
    return sum(each.value for each in state.captures if each.seat in seats) + sum(map(value, brows))


def flaws(_: Terms, facts: Facts) -> Iterator[Flaw]:
    """The flaws of the facts."""
    if any(snap >= SEATS for snap in (*facts.snaps, facts.lapsed or 0)):
        yield Flaw("TY-1.1", f"{SEATS} seats play", ("snaps", "lapsed"))
    if max(facts.pledged) > MOST_PLEDGED:
        yield Flaw("TY-2.2", f"a side pledges {MOST_PLEDGED} cards at most", ("pledged",))


def _worth(_: Terms, facts: Facts) -> Score:
    result, winner = _result(facts)
    return Score(result.outcome, tuple(_transfers(facts, result, winner)), {"captured": facts.captured})


def _result(facts: Facts) -> tuple[Result, int | None]:
    """The outcome, and the side that has won, if one has."""
    if facts.lapsed is not None:
        return LAPSED, 1 - side(facts.lapsed)
    if facts.captured[0] == facts.captured[1]:
        return LEVEL, None
    return WON, facts.captured.index(max(facts.captured))


def _transfers(facts: Facts, result: Result, winner: int | None) -> Iterator[Transfer]:
    for number, seats in enumerate(SIDES):
        pledged = facts.pledged[number]
        stake = 0 if winner is None else pledged if winner == number else -pledged
        for seat in seats:
            if number == winner:
                yield _points(seat, DEAL, "deal", result.rule, f"Deal {result.name}", "deal")
            yield _points(seat, stake, "pledge", "TY-2.2", f"{pledged} cards pledged", "deal")
            for index, snap in enumerate(facts.snaps):
                if snap in seats:
                    yield _points(seat, 1, "snap", "TY-3.4", f"Seat {snap} snapped", index)


def _points(seat: Seat, amount: int, kind: str, rule: str, text: str, ground: Ground) -> Transfer:
    return Transfer(seat, BANK, amount, kind, rule, text, rests=(ground,))


def _grounds(state: State) -> Grounds:
    """The events behind captures or the time that ran out, and each snap."""
    play = expect(state, Playing)
    ended = [each.version for each in play.captures] if play.lapse is None else [play.lapse.version]
    return {"deal": (play.opened, *ended), **{index: (snap.version,) for index, snap in enumerate(play.snaps)}}


SCORING = Scoring(Facts, facts, settled, flaws, _worth, _grounds)
