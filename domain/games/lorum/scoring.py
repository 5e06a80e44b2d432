"""The score of a deal and its lines (LO-3 to LO-9), and the conditions on all deals together."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never

from msgspec.structs import astuple

from domain.games.lorum.contracts import (
    CAPTURED,
    COSTS,
    HAIRY_APE,
    HAND_EMPTY,
    KING_CAPTURED,
    LAST_MARK_PASSED,
    POT_TAKEN,
    QUEENS,
    Kind,
    KindName,
    Result,
    kind_of,
    marks_within_reach,
)
from domain.games.lorum.facts import (
    OF_KIND,
    SEARCHED,
    ApeCaptured,
    Captured,
    DominoOut,
    Facts,
    Out,
    QuartOut,
    QueensCaptured,
    TrainPassed,
    facts,
    flaws,
)
from domain.games.lorum.meta import SEATS
from domain.games.lorum.state import Blind, Domino, Playing, Quart, State, Train
from domain.games.lorum.state import Captured as KingCaptured
from domain.kernel.course import Standing
from domain.kernel.game import GameCheck
from domain.kernel.ledger import BANK, POOL, Ground, Line, Party, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.phases import expect
from domain.parts.scoring import bank_by_deals, reason
from domain.seats import Seat

_THINGS: Mapping[KindName, str] = {"no-hearts": "heart", "queens": "queen", "no-tricks": "trick"}
"""The name of a capture in each kind."""


def settled(state: State) -> Result | None:
    """A deal ends once everything costly is captured (LO-3.10, LO-4.4), the last mark within reach is passed (LO-5.4),
    or a hand is empty (LO-6.5, LO-8.1).
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


def _worth(terms: Terms, facts: Facts) -> Score:
    match facts:
        case Captured():
            kind = OF_KIND[facts.kind]
            return _costly(kind, facts.captured, facts.captured)
        case QueensCaptured():
            paid = [0] * SEATS
            for seat, cost in zip(captors := astuple(facts), QUEENS.values(), strict=True):
                paid[seat] += cost
            return _costly(OF_KIND["queens"], [*map(captors.count, range(SEATS))], paid)
        case ApeCaptured():
            text = reason("The king of hearts", facts.captor, "captured", HAIRY_APE.total)
            line = Transfer(facts.captor, POOL, -HAIRY_APE.total, "king-of-hearts", "LO-4.4", text, rests=("king",))
            return Score(KING_CAPTURED.outcome, (line,))
        case TrainPassed():
            return Score(LAST_MARK_PASSED.outcome, tuple(_marks(terms, facts)))
        case QuartOut():
            return Score(HAND_EMPTY.outcome, tuple(_held(facts, facts.out)))
        case DominoOut():
            return Score(POT_TAKEN.outcome, tuple(_domino(terms, facts)))
        case _:
            assert_never(facts)


def _costly(kind: Kind, numbers: Sequence[int], paid: Sequence[int]) -> Score:
    """The lines for captures, by the number of players who captured anything costly (LO-3.6 to LO-3.9)."""
    captors = sum(map(bool, paid))
    result, others = CAPTURED[captors], SEATS - captors

    def line(seat: Seat, amount: int, formula: str, counter: Party = BANK) -> Transfer:
        text = reason(kind.name, seat, _captured(kind, numbers[seat], paid[seat]), formula)
        return Transfer(seat, counter, amount, "captured", result.rule, text, rests=(seat,))

    lines = []
    for seat, own in enumerate(paid):
        if others == 0:
            lines.append(line(seat, -own, f"{own}", POOL))
        elif captors == 1:
            lines.append(
                line(seat, others * own if own else -kind.total, f"{others} × {own}" if own else f"{kind.total}")
            )
        else:
            share = kind.total // others
            lines.append(line(seat, -own if own else share, f"{own or share}"))
    return Score(result.outcome, tuple(lines))


def _captured(kind: Kind, number: int, cost: int) -> str:
    """The number of costly captures in words, and their cost if it is another number."""
    what = f"{number or 'no'} {_THINGS[kind.kind]}{'s' if number > 1 else ''} captured"
    return what if cost == number else f"{what} at a cost of {cost}"


def _marks(terms: Terms, facts: TrainPassed) -> Iterator[Transfer]:
    """The payments into the pot for each mark passed (LO-5.2)."""
    for seat, mark in zip(facts.passed, marks_within_reach(terms.options.train_ten), strict=True):
        text = reason(f"{mark.mark} passed", seat, None, mark.chips)
        yield Transfer(seat, POOL, -mark.chips, "mark", "LO-5.2", text, rests=(mark.mark,))


def _held(facts: Out, to: Party) -> Iterator[Transfer]:
    """Each other player's payment for cards still held: to the player who is out (LO-6.5), or the pot (LO-8.2)."""
    rule = "LO-8.2" if to == POOL else "LO-6.5"
    for seat, number in enumerate(facts.held):
        if seat != facts.out:
            cards = " ".join(facts.cards[seat]) if facts.cards else None
            text = reason("Cards still held", seat, f"seat {facts.out} out", number, cards)
            yield Transfer(seat, to, -number, "cards-held", rule, text, rests=("out",))


def _domino(terms: Terms, facts: DominoOut) -> Iterator[Transfer]:
    """The others' payments into the pot, and the pot's to the player who is out (LO-8.2, LO-8.3)."""
    # A correction may have taken from the pot more than was ever in it.
    pot = max(0, terms.pool + sum(facts.held))
    yield from _held(facts, POOL)
    text = reason("The pot", facts.out, "out", pot)
    yield Transfer(facts.out, POOL, pot, "pot", "LO-8.3", text, rests=("out",))


def _grounds(state: State) -> Grounds:
    """The events behind each seat's captures, the king's capture, each mark by its number, and the last card."""
    match state:
        case Playing():
            return _of_captures(state)
        case Blind():
            return {"king": expect(state.captured, KingCaptured).events}
        case Train():
            return {passed.mark.mark: (passed.version,) for passed in state.passed}
        case Quart() | Domino():
            _, version = expect(state.ended_by, tuple)
            return {"out": (version,)}
        case _:
            assert_never(state)


def _of_captures(state: Playing) -> Grounds:
    """A seat that has captured nothing costly rests on all costly tricks, any other on its own."""
    kind, tricks, paid = state.common.kind, state.tricks, costs(state)
    counting = [index for index in range(len(tricks.winners)) if kind.cost(tricks.cards_of(index))]
    by_seat: dict[Ground, list[int]] = {
        seat: [
            version
            for index in counting
            if not paid[seat] or tricks.winners[index] == seat
            for version in tricks.events_of(index)
        ]
        for seat in range(SEATS)
    }
    return {**by_seat, "king": tricks.events_of(len(tricks.winners) - 1)}


def _terms(standing: Standing) -> Terms:
    return Terms(standing.options, kind=kind_of(standing.deal).kind, pool=standing.accounts.get(POOL, 0))


def _dealt(state: State) -> Terms:
    return Terms(state.common.options, kind=state.common.kind.kind, pool=state.common.pot)


SCORING = Scoring(Facts, facts, settled, flaws, _worth, _grounds, _terms, _dealt, searched=SEARCHED)


def game_checks(_: Standing, lines: Sequence[tuple[Line, ...]]) -> tuple[GameCheck, ...]:
    """Each deal's sum on the bank, which only passes payments between players (LO-9.2)."""
    return (GameCheck("totals", "LO-9.2", "the bank by deals", bank_by_deals(lines), [0] * len(lines)),)
