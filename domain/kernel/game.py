"""A game as values made of pure functions: how it is dealt, played and seen."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import asdict, replace

from domain.cards import Pack
from domain.kernel.action import Action, Phase, tag_of
from domain.kernel.acts import Acts
from domain.kernel.course import Course, Standing
from domain.kernel.dealing import Dealing, Dealt
from domain.kernel.event import Event, Payload
from domain.kernel.hands import Hand
from domain.kernel.ledger import Line
from domain.kernel.offers import Offer, asked_about, described
from domain.kernel.policy import RuleOfThumb
from domain.kernel.refusals import first_broken
from domain.kernel.rejection import Code, Rejected
from domain.kernel.rulebook import Rulebook
from domain.kernel.table_view import SeatView, TableView
from domain.kernel.unseen import Unseen
from domain.kernel.words import Words
from domain.kernel.worth import Score, Scoring
from domain.seats import Seat

State: TypeAlias = Any
"""A game's own union of phases. The kernel passes it to the game's functions and reads only what `Phase` declares."""

Players: TypeAlias = tuple[str | None, ...]
"""The players' ids, by seat; None for a free seat."""


class Timer(Struct, frozen=True, gc=False):
    """A time limit of the rules. When it expires, the clock records `event`, unless another event comes first."""

    since: int
    """The version of the event from which the time is counted."""
    seconds: int
    event: Payload
    """The event that the clock records when the time has passed."""
    rule: str


class GameCheck(Struct, frozen=True):
    """A condition on a whole game, which the audit checks when the last deal is scored."""

    name: str
    """The audit check to which it belongs, such as `totals`."""
    rule: str
    text: str
    """What the two values are."""
    recorded: object
    computed: object


def no_timer(_: State) -> Timer | None:
    """No time limit: the rules have none."""
    return None


def no_race(_state: State, _seat: Seat, _action: Action) -> str | None:
    """No race: seats act in turn."""
    return None


def no_game_checks(_standing: Standing, _lines: Sequence[tuple[Line, ...]]) -> tuple[GameCheck, ...]:
    """No checks of the whole game."""
    return ()


class Decider(Struct, frozen=True):
    """How a deal is played. `evolve` never fails on history.

    `offers`, `to_act`, `default_action`, `timer` and `race` take the fold of any audience, everything else the house's.

    An event discloses only what its payload and the audience's own section say. Its type, its actor, its sections'
    audiences, the seats to act after it and the time limit that runs therefore follow from what was public before.
    Whether another event follows does too, unless that event discloses the reason itself.
    """

    begin: Callable[[Dealt], State]
    decide: Callable[[State, Seat, Any], Event[Payload]]
    """The event that an action causes; `offers` describes the action, so it is legal."""
    action_of: Callable[[Event[Any]], Action | None]
    """The action that caused an event. None for an automatic event, and if the acting seat's section is not open."""
    next_automatic: Callable[[State], Event[Payload] | None]
    """The event that happens next without an action, if there is one."""
    evolve: Callable[[State, Event[Any]], State]
    offers: Callable[[State, Seat], tuple[Offer, ...]]
    """The acts open to the seat now, from public fields and the seat's own cards alone."""
    to_act: Callable[[State], tuple[Seat, ...]]
    """The seats that must act for the deal to go on; none while an automatic event is due."""
    score: Callable[[State], Score | None]
    """The result of the deal; None until it is settled."""
    default_action: Callable[[State, Seat], Action]
    """The mildest act open to a seat that must act, from its own offers alone. It is taken when the player's clock runs
    out.
    """
    timer: Callable[[State], Timer | None] = no_timer
    """The time limit that runs now, if any. No act makes an event of its type."""
    race: Callable[[State, Seat, Any], str | None] = no_race
    """The rule that makes the action come too late, since another seat was first. Called only if no offer describes the
    action.
    """
    game_checks: Callable[[Standing, Sequence[tuple[Line, ...]]], tuple[GameCheck, ...]] = no_game_checks
    """The conditions on a whole game, checked at its end from the standing and the lines of each `deal-scored`."""


class Showing(Struct, frozen=True):
    """What an audience sees: the fold of the events that it may open.

    With `hands`, each audience's view is derived from the house's, which is faster: unknown cards are hidden in hands.
    Such a view may then show no unknown card outside a hand, and no card that an audience has seen may come unseen to a
    hand, as from a renewed stock. Without `hands` each audience has a fold of its own, or one fold serves all if they
    see `alike`.
    """

    view: type[TableView]
    seats: Callable[[Players, State | None], tuple[SeatView, ...]]
    """The seats; the state is None before the first deal."""
    fields: Callable[[State], dict[str, Any]]
    """The fields that the game adds to a view of the table."""
    accounts: Callable[[Standing], dict[str, Any]] | None = None
    """The view's fields for a pool or chips, in games that have them."""
    settled: Callable[[Mapping[str, Any], Standing], dict[str, Any]] | None = None
    """The game's fields that follow the totals while no deal is being played: those of the deal, as changed by what was
    booked at its end and since.
    """
    hands: Callable[[State], tuple[Hand, ...]] | None = None
    """The hands, by seat; `seats` then gives a `HandView` for each."""
    alike: bool = False


class Game(Struct, frozen=True):
    """A game under one version of its rules."""

    name: str
    title: str
    rulebook: Rulebook
    options: type[Struct]
    actions: Any
    """The union of the game's action types, discriminated by `type`, or the only type."""
    events: tuple[type[Payload], ...]
    """The game's event types. A subclass of the table's `deal-scored` replaces it and adds fields."""
    pack: Pack
    course: Course
    dealing: Dealing
    decider: Decider
    scoring: Scoring
    showing: Showing
    words: Words
    """The names of its events, acts and terms; outside the digest of the rules."""
    acts: Acts
    """Its acts and the rules that limit them; outside the digest of the rules."""
    unseen: Mapping[type[Payload], Unseen] = {}
    """What events move that their public payloads do not name; outside the digest of the rules."""
    telling: frozenset[str] | None = None
    """The types of acts that may be closed to a seat because of a card that it holds, as a discard is to a seat that
    can follow suit. None: any type may.
    """
    thumb: RuleOfThumb | None = None
    """How seats play without foresight; None: any card does for that."""
    basis: Mapping[str, str] = {}
    """The numbered rule that an audit check cites, by the check's name or the event's type."""
    earlier: "tuple[Game, ...]" = ()
    """The game under other versions of its rules: earlier ones, and one with which the next release will open tables.
    Each table is read, played and audited under the version it was opened with.
    """
    forms: "tuple[Game, ...]" = ()
    """Earlier ways of recording these same rules: other automatic events, other events cited by a line.

    The audit accepts such a record. No table is played on in an earlier form.
    """
    times_rise: bool = True
    """Whether each event of a table is at least as late as the one before. The first versions of the rules did not
    ensure it.
    """
    unit: Literal["points", "chips"] = "points"
    """The unit of all amounts."""

    @property
    def action_types(self) -> tuple[type[Action], ...]:
        """The types of the actions, also where a game has only one."""
        return get_args(self.actions) or (self.actions,)


def rescored(game: Game, scoring: Scoring) -> Game:
    """The game with this scoring instead of its own."""
    return replace(game, scoring=scoring, decider=replace(game.decider, score=scoring.score))


def check(game: Game, state: Phase, seat: Seat, action: Action) -> None:
    """Checks that the seat may take this action now. Raises Rejected, with the rule that was broken, if not."""
    require_offered(game, state, seat, type(action), asdict(action))


def require_offered(game: Game, state: Phase, seat: Seat, act: type[Action], fields: Mapping[str, object]) -> None:
    """Checks that the seat may now take some action of this type with these fields; the others may have any value.

    Raises Rejected, with the first rule that all such actions break, if not. No other seat's offers are read, so a
    refusal discloses nothing about hidden cards.
    """
    type, decider = tag_of(act), game.decider
    if type not in state.TURN and type not in state.FREE:
        acts = ", ".join(sorted(state.TURN | state.FREE))
        detail = f"{type} has no place in the phase {state.PHASE}, whose acts are: {acts or 'none'}"
        raise Rejected(Code.WRONG_PHASE, detail, state.acts_rule())
    offers = decider.offers(state, seat)
    if described(offers, type, fields):
        return
    # Only a partial action must be compared with each offer by itself; a whole one is judged at once.
    whole = len(fields) == len(act.__struct_fields__)
    asked = tuple([offer for offer in offers if offer.type == type]) if whole else asked_about(offers, type, fields)
    if not whole and described(asked, type, fields):
        return
    # A legal action needs no look at the turn: only the seat whose turn it is has the offer.
    if type not in state.FREE and not asked and seat not in decider.to_act(state):
        order = state.turn_rule(seat) or act.ORDER or act.RULE
        raise Rejected(Code.NOT_YOUR_TURN, "it is not your turn", order)
    lost = decider.race(state, seat, act(**fields)) if whole else None
    if lost is not None:
        raise Rejected(Code.LOST_RACE, "another player was first", lost)
    broken = first_broken(game.acts, game.pack, state, seat, act, fields)
    if broken is None:
        raise Rejected(Code.RULE_VIOLATION, f"{type} is not open to this seat now", act.RULE)
    raise Rejected(Code.RULE_VIOLATION, broken.detail, broken.rule)
