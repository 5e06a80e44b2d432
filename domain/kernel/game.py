"""A game: how it is dealt, played and seen, as values made of pure functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import asdict

from domain.cards import Pack
from domain.kernel.action import Action, Phase, tag_of
from domain.kernel.course import Course, Standing
from domain.kernel.dealing import Dealing, Dealt
from domain.kernel.event import Event, Payload
from domain.kernel.hands import Hand
from domain.kernel.ledger import Line, Transfer
from domain.kernel.offers import Offer, asked_about, described
from domain.kernel.refusals import Refusals, first_broken
from domain.kernel.rejection import Code, Rejected
from domain.kernel.rules import Rulebook
from domain.kernel.view import SeatView, TableView
from domain.kernel.words import Words
from domain.seats import Seat

State: TypeAlias = Any
"""A game's own union of phases. The kernel passes it to the game's functions and reads only what `Phase` declares."""

Players: TypeAlias = tuple[str | None, ...]
"""The players' ids, by seat; None for a free seat."""


class Score(Struct, frozen=True):
    """What a deal came to: the outcome's name and what is to be booked."""

    outcome: str
    transfers: tuple[Transfer, ...]
    extra: Mapping[str, Any] = {}
    """The fields that the game adds to `deal-scored`."""


class Timer(Struct, frozen=True, gc=False):
    """A time limit of the rules: what the clock records unless another event comes before."""

    since: int
    """The version of the event that it counts from."""
    seconds: int
    event: Payload
    """What the clock records when so many seconds have passed."""
    rule: str


class GameCheck(Struct, frozen=True):
    """Something that must hold for a whole game, as the audit compares it when the last deal is scored."""

    name: str
    """The check of the audit that it belongs to, such as `totals`."""
    rule: str
    text: str
    """What the two values are."""
    recorded: object
    computed: object


def no_timer(_: State) -> Timer | None:
    """No time limit, for games whose rules have none."""
    return None


def no_race(_state: State, _seat: Seat, _action: Action) -> str | None:
    """No race, for games in which seats act in turn."""
    return None


def no_game_checks(_standing: Standing, _lines: Sequence[tuple[Line, ...]]) -> tuple[GameCheck, ...]:
    """No checks beyond those of each event."""
    return ()


class Decider(Struct, frozen=True):
    """How a deal is played. `evolve` never fails on history.

    `offers`, `to_act`, `default_action`, `timer` and `race` are asked of the fold of any audience, everything else of
    the house's.

    Nobody may learn from an event what its payload and the own section do not say. So its type, its actor, for whom it
    has sections, who is to act after it and what time limit runs follow from what is public up to then. So does whether
    another event follows, unless that event itself discloses why.
    """

    begin: Callable[[Dealt], State]
    decide: Callable[[State, Seat, Any], Event[Payload]]
    """The event that an action makes; `offers` describes the action, so it is legal."""
    action_of: Callable[[Event[Any]], Action | None]
    """The action that made an event. None for an automatic event, and where the acting seat's section is not open."""
    next_automatic: Callable[[State], Event[Payload] | None]
    """The event that happens next without an action, if there is one."""
    evolve: Callable[[State, Event[Any]], State]
    offers: Callable[[State, Seat], tuple[Offer, ...]]
    """What the seat may do now, from public fields and the seat's own cards alone."""
    to_act: Callable[[State], tuple[Seat, ...]]
    """The seats that must act for the deal to go on; none while an event is to happen without an action."""
    score: Callable[[State], Score | None]
    """What the deal came to; None until that is settled."""
    default_action: Callable[[State, Seat], Action]
    """The mildest act for a seat that must act, from its own offers alone: taken when the player's clock runs out."""
    timer: Callable[[State], Timer | None] = no_timer
    """The time limit that runs now, if one does. Its event is of a type that no act makes."""
    race: Callable[[State, Seat, Any], str | None] = no_race
    """The rule by which another was first with what the action wants; asked only when no offer describes it."""
    game_checks: Callable[[Standing, Sequence[tuple[Line, ...]]], tuple[GameCheck, ...]] = no_game_checks
    """What must hold at the end of a game, from the standing and the lines of each `deal-scored`."""


class Showing(Struct, frozen=True):
    """What an audience sees: the fold of the events as far as it may open them.

    With `hands`, the audiences' views are derived from the house's, which is faster: cards that an audience does not
    know are hidden in hands. So no card may stand elsewhere in such a view that an audience does not know, and no card
    may come to a hand unseen that an audience has seen before, as from a renewed stock. Without `hands`, each audience
    has a fold of its own; only one where all audiences see `alike`.
    """

    view: type[TableView]
    seats: Callable[[Players, State | None], tuple[SeatView, ...]]
    """The seats; the state is None before the first deal."""
    fields: Callable[[State], dict[str, Any]]
    """The fields that the game adds to a table's view."""
    accounts: Callable[[Standing], dict[str, Any]] | None = None
    """The view's fields for a pool or chips, if it has any."""
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
    """The union of the game's action types, discriminated by `type`, or its only one."""
    events: tuple[type[Payload], ...]
    """The game's event types. A subclass of a table's `deal-scored` replaces it, with more fields."""
    pack: Pack
    course: Course
    dealing: Dealing
    decider: Decider
    showing: Showing
    words: Words
    """What its events, acts and terms are called; outside the digest of the rules."""
    refusals: Refusals
    """The rules that its acts may break; outside the digest of the rules."""
    basis: Mapping[str, str] = {}
    """The numbered rule that a check of the audit cites, by the check's name or the event's type."""
    earlier: "tuple[Game, ...]" = ()
    """The game under earlier versions of its rules. A table is read, played and audited by those it was opened with."""
    forms: "tuple[Game, ...]" = ()
    """The game as tables with these very rules recorded it before: what followed by itself, and what its lines cited.

    Such an event is as good as one of today. No table is played on in a form.
    """
    times_rise: bool = True
    """Whether no event of a table is earlier than the one before. Under rules of the first hour some are."""
    unit: Literal["points", "chips"] = "points"
    """The unit of every amount."""

    @property
    def action_types(self) -> tuple[type[Action], ...]:
        """The types of the actions; where a game has only one, `actions` is that type itself."""
        return get_args(self.actions) or (self.actions,)


def check(game: Game, state: Phase, seat: Seat, action: Action) -> None:
    """Returns if the seat may take this action now. Raises Rejected, with the rule that was broken, if it may not."""
    require_offered(game, state, seat, type(action), asdict(action))


def require_offered(game: Game, state: Phase, seat: Seat, act: type[Action], fields: Mapping[str, object]) -> None:
    """Returns if the seat may now take some action of this type with these fields. Those not given may be anything.

    Raises Rejected, with the first rule that all of them break, if it may not. No other seat's offers are read, so a
    refusal discloses nothing about hidden cards.
    """
    type, decider = tag_of(act), game.decider
    if type not in state.TURN and type not in state.FREE:
        acts = ", ".join(sorted(state.TURN | state.FREE))
        detail = f"{type} has no place in the phase {state.PHASE}, whose acts are: {acts or 'none'}"
        raise Rejected(Code.WRONG_PHASE, detail, state.RULE)
    offers = decider.offers(state, seat)
    if described(offers, type, fields):
        return
    # The fields of offers are told apart only where some may be anything, so that a whole action is judged at once.
    whole = len(fields) == len(act.__struct_fields__)
    asked = tuple([offer for offer in offers if offer.type == type]) if whole else asked_about(offers, type, fields)
    if not whole and described(asked, type, fields):
        return
    # A legal action needs no look at the turn: only the seat whose turn it is has the offer.
    if type not in state.FREE and not asked and seat not in decider.to_act(state):
        order = state.ORDER or act.ORDER or act.RULE
        raise Rejected(Code.NOT_YOUR_TURN, f"it is not the turn of seat {seat}", order)
    lost = decider.race(state, seat, act(**fields)) if whole else None
    if lost is not None:
        raise Rejected(Code.LOST_RACE, "another seat was first", lost)
    broken = first_broken(game.refusals, game.pack, state, seat, act, fields)
    if broken is None:
        raise Rejected(Code.RULE_VIOLATION, f"{type} is not open to this seat now", act.RULE)
    raise Rejected(Code.RULE_VIOLATION, broken.detail, broken.rule)
