"""What a deal's payments depend on, as a player knows it who keeps the score (LO-3 to LO-8)."""

from typing import Literal, TypeAlias, assert_never

from domain.cards import Card
from domain.games.lorum.contracts import COSTS, HAIRY_APE, HAND, KINDS, QUEENS, Kind, marks_within_reach
from domain.games.lorum.meta import PACK, SEATS
from domain.games.lorum.state import Blind, Domino, Playing, Quart, State, Train
from domain.games.lorum.state import Captured as KingCaptured
from domain.kernel.worth import Flaw, Flaws, Searched, Terms
from domain.parts.phases import expect
from domain.parts.scoring import AtTable, BySeat, Ended, Number, Uncounted


class Captured(Ended, frozen=True, gc=False, tag="captured"):
    """Hearts or tricks cost, and all were captured (LO-3.3, LO-3.5)."""

    kind: Literal["no-hearts", "no-tricks"]
    captured: BySeat[Number]


class QueensCaptured(Ended, frozen=True, gc=False, tag="queens"):
    """Queens cost, and all were captured: the captor of each (LO-3.4)."""

    hearts: AtTable
    diamonds: AtTable
    spades: AtTable
    clubs: AtTable


class ApeCaptured(Ended, frozen=True, gc=False, tag="hairy-ape"):
    """The king of hearts was captured (LO-4.4)."""

    captor: AtTable


class TrainPassed(Ended, frozen=True, gc=False, tag="train"):
    """The last mark within reach was passed (LO-5.4): the seat that passed each mark, in their order."""

    passed: tuple[AtTable, ...]


class Out(Ended, frozen=True, gc=False):
    """A player is out of cards, and the others hold some. No amount depends on which ones they hold."""

    out: AtTable
    held: BySeat[Number]
    cards: Uncounted[tuple[tuple[Card, ...], ...]] = ()


class QuartOut(Out, frozen=True, gc=False, tag="quart"):
    """A hand was empty in Quart (LO-6.5)."""


class DominoOut(Out, frozen=True, gc=False, tag="domino"):
    """A hand was empty in Domino (LO-8.1)."""


Facts: TypeAlias = Captured | QueensCaptured | ApeCaptured | TrainPassed | QuartOut | DominoOut

OF_KIND: dict[str, Kind] = {kind.kind: kind for kind in KINDS}


def facts(state: State) -> Facts:
    match state:
        case Playing():
            return _captured(state)
        case Blind():
            return ApeCaptured(expect(state.captured, KingCaptured).seat)
        case Train():
            return TrainPassed(tuple([passed.seat for passed in state.passed]))
        case Quart() | Domino():
            (out, _), hands = expect(state.ended_by, tuple), state.hands
            ended = QuartOut if isinstance(state, Quart) else DominoOut
            return ended(out, tuple([hand.size for hand in hands]), tuple([hand.known for hand in hands]))
        case _:
            assert_never(state)


def _captured(state: Playing) -> Captured | QueensCaptured | ApeCaptured:
    kind, tricks = state.common.kind, state.tricks
    if kind == HAIRY_APE:
        return ApeCaptured(tricks.winners[-1])
    if not kind.cards:
        return Captured("no-tricks", tricks.won_by(SEATS))
    taken = tricks.captures(SEATS, COSTS[kind.kind])
    if kind.kind == "no-hearts":
        return Captured("no-hearts", tuple(map(len, taken)))
    captors = {card: seat for seat, cards in enumerate(taken) for card in cards}
    return QueensCaptured(*[captors[f"Q{suit}"] for suit in QUEENS])


SEARCHED = Searched(terms="kind")


def flaws(terms: Terms, facts: Facts) -> Flaws:
    fact, kind = ("kind", facts.kind) if isinstance(facts, Captured) else ("ended", facts.__struct_config__.tag)
    if terms.kind is not None and terms.kind != kind:
        yield Flaw("LO-1.2", f"the kind of this deal is {OF_KIND[terms.kind].name}", (fact,))
    if isinstance(facts, Captured):
        if len(facts.captured) != SEATS:
            yield Flaw("LO-1.1", f"{SEATS} players sit at the table", ("captured",))
        if sum(facts.captured) != HAND:
            yield Flaw(OF_KIND[facts.kind].rule, f"{HAND} are captured in all", ("captured",))
    if isinstance(facts, TrainPassed):
        marks = len(marks_within_reach(terms.options.train_ten))
        if len(facts.passed) != marks:
            yield Flaw("LO-5.4", f"{marks} marks are passed before the deal ends", ("passed",))
    if isinstance(facts, Out):
        rule = "LO-6.5" if isinstance(facts, QuartOut) else "LO-8.1"
        if len(facts.held) != SEATS:
            yield Flaw("LO-1.1", f"{SEATS} players sit at the table", ("held",))
        if any((seat == facts.out) != (not number) for seat, number in enumerate(facts.held)):
            yield Flaw(rule, "the deal ends when the first player is out of cards", ("out", "held"))
        if max(facts.held) > HAND:
            yield Flaw("LO-2.2", f"a hand has {HAND} cards", ("held",))
        if facts.cards and tuple(map(len, facts.cards)) != facts.held:
            yield Flaw(rule, "as many cards are named as each seat holds", ("held", "cards"))
        named = [card for cards in facts.cards for card in cards]
        if len({*named}.intersection(PACK)) < len(named):
            yield Flaw("LO-2.1", "each card that is held is named once", ("cards",))
