"""The score of a deal and its lines (LO-3 to LO-9), and the conditions on all deals together."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from domain.games.lorum.contracts import (
    CAPTURED,
    COSTS,
    HAIRY_APE,
    HAND_EMPTY,
    KING_CAPTURED,
    LAST_MARK_PASSED,
    POT_TAKEN,
    Kind,
    KindName,
    Result,
)
from domain.games.lorum.meta import SEATS
from domain.games.lorum.state import Blind, Captured, Domino, Playing, Quart, State, Train
from domain.kernel.course import Standing
from domain.kernel.game import GameCheck, Score
from domain.kernel.hands import Hands
from domain.kernel.ledger import BANK, POOL, Line, Party, Transfer
from domain.parts.phases import expect
from domain.parts.scoring import cited, reason
from domain.seats import Seat

_THINGS: Mapping[KindName, tuple[str, str]] = {
    "no-hearts": ("heart", "hearts"),
    "queens": ("queen", "queens"),
    "no-tricks": ("trick", "tricks"),
}
"""The name of a capture in each kind, singular and plural."""


def settled(state: State) -> Result | None:
    """How the deal has ended; None while it goes on.

    It ends once everything costly is captured (LO-3.10, LO-4.4), the last mark within reach is passed (LO-5.4), or a
    hand is empty (LO-6.5, LO-8.1).
    """
    match state:
        case Playing():
            return _captured_all(state)
        case Blind():
            return KING_CAPTURED if state.captured else None
        case Train():
            return LAST_MARK_PASSED if state.count >= state.marks[-1].mark else None
        case Quart():
            return HAND_EMPTY if state.ended_by else None
        case Domino():
            return POT_TAKEN if state.ended_by else None
        case _:
            assert_never(state)


def _captured_all(state: Playing) -> Result | None:
    if state.tricks.trick:
        return None
    paid, kind = costs(state), state.common.kind
    if sum(paid) != kind.total:
        return None
    return KING_CAPTURED if kind == HAIRY_APE else CAPTURED[sum(map(bool, paid))]


def costs(state: State) -> tuple[int, ...]:
    """The cost of captures and passed marks so far, by seat; who captures everything is spared it at the end."""
    paid: Iterable[tuple[Seat, int]] = ()
    match state:
        case Playing():
            kind, tricks = state.common.kind, state.tricks
            if kind.cards:
                return tricks.worth(SEATS, COSTS[kind.kind])
            return tuple([kind.trick * won for won in tricks.won_by(SEATS)])
        case Blind() if state.captured is not None:
            paid = ((state.captured.seat, state.common.kind.total),)
        case Train():
            paid = [(passed.seat, passed.mark.chips) for passed in state.passed]
        case _:
            pass
    by_seat = [0] * SEATS
    for seat, cost in paid:
        by_seat[seat] += cost
    return tuple(by_seat)


def score(state: State) -> Score | None:
    """The score of the deal; None until it is settled."""
    result = settled(state)
    return None if result is None else Score(result.outcome, tuple(_transfers(state, result)))


def _transfers(state: State, result: Result) -> Iterator[Transfer]:
    """The lines of a settled deal."""
    match state:
        case Playing() if result is KING_CAPTURED:
            last = len(state.tricks.winners) - 1
            yield _king(state.tricks.winners[last], state.tricks.events_of(last))
        case Playing():
            yield from _tricks(state, result)
        case Blind():
            captured = expect(state.captured, Captured)
            yield _king(captured.seat, captured.events)
        case Train():
            yield from _marks(state)
        case Quart():
            out, version = expect(state.ended_by, tuple)
            yield from _held(state.hands, out, version, out)
        case Domino():
            yield from _domino(state, *expect(state.ended_by, tuple))
        case _:
            assert_never(state)


def _tricks(state: Playing, result: Result) -> Iterator[Transfer]:
    """The lines for captures, by the number of players who captured anything costly (LO-3.6 to LO-3.9)."""
    kind, tricks, captured = state.common.kind, state.tricks, costs(state)
    cards = Counter[Seat]()
    for index, seat in enumerate(tricks.winners):
        cards[seat] += kind.captured(tricks.cards_of(index))
    captors = [seat for seat in range(SEATS) if captured[seat]]
    counting = [index for index in range(len(tricks.winners)) if kind.cost(tricks.cards_of(index))]

    def line(seat: Seat, amount: int, formula: str, counter: Party = BANK) -> Transfer:
        own = [index for index in counting if seat not in captors or tricks.winners[index] == seat]
        events = cited(*(version for index in own for version in tricks.events_of(index)))
        text = reason(kind.name, seat, _captured(kind, cards[seat], captured[seat]), formula)
        return Transfer(seat, counter, amount, "captured", result.rule, text, events)

    others = SEATS - len(captors)
    for seat in range(SEATS):
        own = captured[seat]
        if others == 0:
            yield line(seat, -own, f"{own}", POOL)
        elif len(captors) == 1:
            yield line(seat, others * own if own else -kind.total, f"{others} × {own}" if own else f"{kind.total}")
        else:
            share = kind.total // others
            yield line(seat, -own if own else share, f"{own or share}")


def _captured(kind: Kind, number: int, cost: int) -> str:
    """The number of costly captures in words, and their cost if it is another number."""
    one, several = _THINGS[kind.kind]
    if not number:
        return f"no {one} captured"
    what = f"{number} {one if number == 1 else several} captured"
    return what if cost == number else f"{what} at a cost of {cost}"


def _king(seat: Seat, events: tuple[int, ...]) -> Transfer:
    """The payment into the pot by the captor of the king of hearts (LO-4.4)."""
    text = reason("The king of hearts", seat, "captured", HAIRY_APE.total)
    return Transfer(seat, POOL, -HAIRY_APE.total, "king-of-hearts", "LO-4.4", text, cited(*events))


def _marks(state: Train) -> Iterator[Transfer]:
    """The payments into the pot for each mark passed (LO-5.2)."""
    for passed in state.passed:
        chips = passed.mark.chips
        text = reason(f"{passed.mark.mark} passed", passed.seat, None, chips)
        yield Transfer(passed.seat, POOL, -chips, "mark", "LO-5.2", text, (passed.version,))


def _held(hands: Hands, out: Seat, version: int, to: Party) -> Iterator[Transfer]:
    """Each other player's payment for cards still held: to the player who is out (LO-6.5), or the pot (LO-8.2)."""
    rule = "LO-8.2" if to == POOL else "LO-6.5"
    for seat, hand in enumerate(hands):
        if seat != out:
            text = reason("Cards still held", seat, f"seat {out} out", hand.size, " ".join(hand.known))
            yield Transfer(seat, to, -hand.size, "cards-held", rule, text, (version,))


def _domino(state: Domino, out: Seat, version: int) -> Iterator[Transfer]:
    """The others' payments into the pot, and the pot's to the player who is out (LO-8.2, LO-8.3)."""
    paid = tuple(_held(state.hands, out, version, POOL))
    # A correction may have taken from the pot more than was ever in it.
    pot = max(0, state.common.pot - sum(transfer.amount for transfer in paid))
    yield from paid
    yield Transfer(out, POOL, pot, "pot", "LO-8.3", reason("The pot", out, "out", pot), (version,))


def game_checks(_: Standing, lines: Sequence[tuple[Line, ...]]) -> tuple[GameCheck, ...]:
    """Each deal's sum on the bank, which only passes payments between players (LO-9.2)."""
    booked = [sum([line.amount for line in each if line.account == BANK]) for each in lines]
    return (GameCheck("totals", "LO-9.2", "the bank by deals", booked, [0] * len(booked)),)
