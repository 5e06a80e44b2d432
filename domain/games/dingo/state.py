"""A deal of Dingo: a union of phases, and the fold of events into them.

phase     acts             leads to
discard   discard          discard, pass, hunt
pass      pass-card        pass, discard
hunt      play-wolf, pass  hunt, ace-hunt
ace-hunt  play-wolves      open
open      -                the score

Each hunt begins and ends automatically. The cards left in the hands are laid open before the score.
"""

from collections.abc import Mapping
from typing import ClassVar, TypeAlias, assert_never

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.games.dingo.events import (
    AceShown,
    CardDiscarded,
    CardPassed,
    DingoEvent,
    DingoPlayed,
    HuntEnded,
    HuntOff,
    PassedCard,
    RabbitPlayed,
    WolfPassed,
    WolfPlayed,
    WolvesPlayed,
)
from domain.games.dingo.hunts import Won
from domain.games.dingo.meta import ACE, LOW_TO_HIGH, ORDER, STEPS, TURNS, WOLVES, Step
from domain.kernel.action import Phase
from domain.kernel.dealing import Dealt
from domain.kernel.event import Event
from domain.kernel.hands import Hand, Hands, with_hand
from domain.parts.phases import expect
from domain.parts.tricks import HandExposed, Played
from domain.seats import Seat, clockwise, seat_audience


class Common(Struct, frozen=True, gc=False):
    """The facts that hold in every phase of a deal."""

    dealer: Seat
    discards: tuple[Played, ...] = ()
    """The discards in order, each with its player."""
    won: tuple[Won, ...] = ()
    """The score piles and penalty piles, in the order in which cards came to them."""
    hunted_at: Mapping[str, tuple[int, ...]] = {}
    """The versions of the events of each hunt, by rank."""

    @property
    def discarded(self) -> frozenset[Card]:
        """The cards that were discarded."""
        return frozenset([each.card for each in self.discards])


class StepPhase(Phase, frozen=True):
    """A step of discards or passes. `queue` are the seats still to act, in turn (DG-4)."""

    common: Common
    hands: Hands
    step: Step
    queue: tuple[Seat, ...]

    @property
    def turn(self) -> Seat:
        """The seat that acts next."""
        return self.queue[0]


class Discarding(StepPhase, frozen=True):
    """Each discards a card (DG-4.1)."""

    PHASE: ClassVar = "discard"
    RULE: ClassVar = "DG-4.1"
    TURN: ClassVar = frozenset({"discard"})


class Passing(StepPhase, frozen=True):
    """Each passes a card to the seat that the step names (DG-4.3)."""

    PHASE: ClassVar = "pass"
    RULE: ClassVar = "DG-4.3"
    TURN: ClassVar = frozenset({"pass-card"})


class Hunting(Phase, frozen=True):
    """The hunt of a rank. `queue` are the seats still to answer, in turn; empty before the dingo is played."""

    common: Common
    hands: Hands
    rank: str
    dingo: Seat | None = None
    """The dingo player; None before the dingo is played."""
    queue: tuple[Seat, ...] = ()
    asked: Seat | None = None
    """The seat that answered last; None before any answer."""
    wolves: tuple[Played, ...] = ()
    """The wolves in the order played."""
    events: tuple[int, ...] = ()
    """The versions of the events that played its cards."""

    @property
    def wolves_gone(self) -> bool:
        """Whether both wolves of the rank have been discarded or played, which all know (DG-5.3, DG-6.4)."""
        gone = self.common.discarded | {wolf.card for wolf in self.wolves}
        return gone.issuperset(WOLVES[self.rank])

    @property
    def turn(self) -> Seat | None:
        """The seat that must answer; None when the hunt begins or ends automatically."""
        return self.queue[0] if self.queue and not self.wolves_gone else None


class Hunt(Hunting, frozen=True):
    """The hunt of a rank from 2 to K (DG-5)."""

    PHASE: ClassVar = "hunt"
    RULE: ClassVar = "DG-5.2"
    TURN: ClassVar = frozenset({"play-wolf", "pass"})


class AceHunt(Hunting, frozen=True):
    """The hunt of the ace (DG-6)."""

    PHASE: ClassVar = "ace-hunt"
    RULE: ClassVar = "DG-6.2"
    TURN: ClassVar = frozenset({"play-wolves"})

    rabbit: Seat | None = None
    """The holder of the ace of diamonds, once it was played or shown."""
    rabbit_played: bool = False


class Open(Phase, frozen=True):
    """All ranks are hunted. `to_open` are the seats whose cards are still to be laid open (DG-7.1)."""

    PHASE: ClassVar = "open"
    RULE: ClassVar = "DG-7.1"
    turn: ClassVar[None] = None

    common: Common
    hands: Hands
    to_open: tuple[Seat, ...]


State: TypeAlias = Discarding | Passing | Hunt | AceHunt | Open


def begin(dealt: Dealt) -> State:
    """A new deal, which the dealer begins with a discard (DG-4)."""
    return _first_step(Common(dealt.dealer), dealt.hands)


def _first_step(common: Common, hands: Hands) -> Discarding:
    return Discarding(common, hands, STEPS[0], clockwise(common.dealer, len(hands)))


def _after(state: Discarding | Passing, common: Common, hands: Hands) -> State:
    """The phase after a seat has discarded or passed: the next seat, the next step, or the first hunt."""
    queue = state.queue[1:]
    if queue:
        return replace(state, common=common, hands=hands, queue=queue)
    if state.step is STEPS[-1]:
        return Hunt(common, hands, LOW_TO_HIGH[0])
    step = STEPS[state.step.step]
    phase = Discarding if step.act == "discard" else Passing
    return phase(common, hands, step, clockwise(common.dealer, len(hands)))


def _discarded(state: State, public: CardDiscarded) -> State:
    step = expect(state, Discarding)
    common = replace(step.common, discards=(*step.common.discards, Played(public.seat, public.card)))
    return _after(step, common, _without(step.hands, public.seat, public.card))


def _passed(state: State, event: Event[DingoEvent], public: CardPassed) -> State:
    """An audience that knows the card knows where it is now; others no longer know any card of the giver (DG-7)."""
    step = expect(state, Passing)
    section = event.section(seat_audience(public.seat), PassedCard) or event.section(
        seat_audience(public.to), PassedCard
    )
    giver, receiver = step.hands[public.seat], step.hands[public.to]
    if section is None:
        given, got = Hand(hidden=giver.size - 1), replace(receiver, hidden=receiver.hidden + 1)
    else:
        given, got = giver.played(section.card), receiver.joined((section.card,), ORDER)
    return _after(step, step.common, with_hand(with_hand(step.hands, public.seat, given), public.to, got))


def _hunt(state: State) -> Hunt | AceHunt:
    """The current hunt. Raises TypeError in another phase."""
    return state if isinstance(state, Hunt) else expect(state, AceHunt)


def _dingo(state: State, public: DingoPlayed, version: int) -> State:
    """The others answer from the dingo player's left on; the dingo player is last, and only for aces (DG-5.2,
    DG-6.2).
    """
    hunt = _hunt(state)
    order = TURNS.order_of_turns(public.seat)
    queue = order if public.rank == ACE else order[:-1]
    hands = _without(hunt.hands, public.seat, public.card)
    return replace(hunt, hands=hands, dingo=public.seat, queue=queue, events=(*hunt.events, version))


def _asked(state: State, seat: Seat, cards: tuple[Card, ...], version: int) -> State:
    """The hunt after a seat played these wolves, or none."""
    hunt = _hunt(state)
    hands = with_hand(hunt.hands, seat, hunt.hands[seat].without(cards)) if cards else hunt.hands
    wolves = (*hunt.wolves, *[Played(seat, card) for card in cards])
    events = (*hunt.events, version) if cards else hunt.events
    return replace(hunt, hands=hands, queue=hunt.queue[1:], asked=seat, wolves=wolves, events=events)


def _rabbit(state: State, seat: Seat, card: Card, version: int, *, played: bool) -> State:
    hunt = expect(state, AceHunt)
    hands = _without(hunt.hands, seat, card)
    return replace(hunt, hands=hands, rabbit=seat, rabbit_played=played, events=(*hunt.events, version))


def _ended(state: State, public: HuntEnded, version: int) -> State:
    hunt = _hunt(state)
    won = (
        *[Won(each.seat, each.card) for each in public.score],
        *[Won(each.seat, each.card, scored=False) for each in public.penalty],
    )
    hunted_at = {**hunt.common.hunted_at, public.rank: (*hunt.events, version)}
    common = replace(hunt.common, won=hunt.common.won + won, hunted_at=hunted_at)
    if public.rank == ACE:
        seats = clockwise(common.dealer, len(hunt.hands))
        return Open(common, hunt.hands, tuple([seat for seat in seats if hunt.hands[seat].size]))
    return _next_hunt(common, hunt.hands, public.rank)


def _next_hunt(common: Common, hands: Hands, rank: str) -> State:
    """The hunt of the rank above this one (DG-5.1)."""
    above = LOW_TO_HIGH[LOW_TO_HIGH.index(rank) + 1]
    return AceHunt(common, hands, above) if above == ACE else Hunt(common, hands, above)


def _opened(state: State, public: HandExposed) -> State:
    last = expect(state, Open)
    hand = last.hands[public.seat].revealed(public.cards, ORDER)
    return replace(last, hands=with_hand(last.hands, public.seat, hand), to_open=last.to_open[1:])


def _without(hands: Hands, seat: Seat, card: Card) -> Hands:
    return with_hand(hands, seat, hands[seat].played(card))


def evolve(state: State, event: Event[DingoEvent]) -> State:
    """The state after the event. It copies the event's facts and checks nothing."""
    match event.public:
        case CardDiscarded() as public:
            return _discarded(state, public)
        case CardPassed() as public:
            return _passed(state, event, public)
        case WolfPassed() as public:
            return _asked(state, public.seat, (), event.version)
        case WolfPlayed() as public:
            return _asked(state, public.seat, (public.card,), event.version)
        case WolvesPlayed() as public:
            return _asked(state, public.seat, public.cards, event.version)
        case DingoPlayed() as public:
            return _dingo(state, public, event.version)
        case HuntOff() as public:
            hunt = expect(state, Hunt)
            return _next_hunt(hunt.common, hunt.hands, public.rank)
        case HuntEnded() as public:
            return _ended(state, public, event.version)
        case RabbitPlayed() as public:
            return _rabbit(state, public.seat, public.card, event.version, played=True)
        case AceShown() as public:
            return _rabbit(state, public.seat, public.card, event.version, played=False)
        case HandExposed() as public:
            return _opened(state, public)
        case _:
            assert_never(event.public)
