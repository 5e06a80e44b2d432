"""The shape of a game: a value made of pure functions that play one deal."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias, cast

from msgspec import Struct
from msgspec.structs import asdict

from domain.cards import Card
from domain.fair.deck import Deck, Opening
from domain.fair.lots import FirstDealer, Lots, by_number
from domain.kernel.action import Action, Phase
from domain.kernel.event import Event, Payload
from domain.kernel.hands import Hand, Pile
from domain.kernel.ledger import Party, Transfer
from domain.kernel.offers import Offer, described, require
from domain.kernel.rejection import Code, Rejected
from domain.kernel.rules import Rulebook
from domain.kernel.view import TableView
from domain.seats import Seat


class Dealt(Struct, frozen=True):
    """What a game starts a deal from: the cards as far as the audience knows them, and what carries over.

    `accounts` are the balances of the seats' players by seat, then of the table's own accounts by name.
    """

    options: Any
    dealer: Seat
    deal: int
    deck: Deck
    hands: tuple[Hand, ...]
    talon: Pile
    accounts: Mapping[Party, int]


class Score(Struct, frozen=True):
    """What a deal came to: the outcome's name and what is to be booked."""

    outcome: str
    transfers: tuple[Transfer, ...]
    extra: Mapping[str, Any] = {}
    """The fields that the game's own form of `deal-scored` has besides."""


def nothing_booked(*_: object) -> tuple[Transfer, ...]:
    """Of games that book nothing but their deals' scores."""
    return ()


def no_accounts_shown(*_: object) -> dict[str, Any]:
    """Of games whose tables have no accounts for players to see."""
    return {}


class DealtHand(Struct, frozen=True, gc=False):
    """A seat's own cards, in the order in which they were dealt."""

    cards: tuple[Opening, ...]


class DealtTalon(Struct, frozen=True, gc=False):
    """What only the house knows of a deal: the talon from its top, and the seed in hex."""

    talon: tuple[Opening, ...]
    seed: str


State: TypeAlias = Any
"""A game's own union of phases; the kernel hands it back to the game's functions and reads only `Phase`'s parts."""


class Game(Struct, frozen=True):
    """A game as a value. Functions of a deal's state are pure; `evolve` never fails on history."""

    name: str
    title: str
    rulebook: Rulebook
    seats: Callable[[Any], int]
    """The number of seats under these options."""
    default_deals: int
    check_deals: Callable[[int, Any], None]
    """Raises `Rejected` unless a game may have so many deals under these options."""
    options: type[Struct]
    actions: Any
    """The union of the game's action types, discriminated by `type`."""
    events: tuple[type[Payload], ...]
    """The game's own. A subclass of a payload of the table's life takes its place, with more fields."""
    view: type[TableView]
    """The view's type; `show` gives the fields that the game adds to a table's view."""
    pack: tuple[Card, ...]
    portions: Callable[[Seat, Any], tuple[Seat | None, ...]]
    """By dealer and options, the seat that each card of the pack goes to, from the top; None for the talon."""
    next_dealer: Callable[[Seat, Any], Seat]
    begin: Callable[[Dealt], State]
    decide: Callable[[State, Seat, Any], Event[Payload]]
    """The event of a legal action."""
    action_of: Callable[[Event[Payload]], Action | None]
    """The action that made an event, from what the acting seat knows; None for what follows by itself."""
    next_automatic: Callable[[State], Event[Payload] | None]
    """What happens next by itself, if anything."""
    evolve: Callable[[State, Event[Payload]], State]
    offers: Callable[[State, Seat], tuple[Offer, ...]]
    """From public fields and the seat's own cards alone."""
    to_act: Callable[[State], tuple[Seat, ...]]
    score: Callable[[State], Score | None]
    """What the deal came to, once that is settled."""
    hands: Callable[[State], tuple[Hand, ...]]
    tricks: Callable[[State], tuple[int, ...]]
    """Tricks won, by seat."""
    show: Callable[[State], dict[str, Any]]
    basis: Mapping[str, str] = {}
    """The numbered rule that a check of an audit rests on, by the check's name or the event's type."""
    earlier: "tuple[Game, ...]" = ()
    """The game under earlier versions of its rules, which its older tables are read, played on and audited with."""
    unit: Literal["points", "chips"] = "points"
    """What amounts are counted in."""
    first_dealer: Callable[[Lots], FirstDealer] = by_number
    antes: Callable[[Seat, Any, int], tuple[Transfer, ...]] = nothing_booked
    """What is paid when the cards are dealt, by dealer, options and the version of that event."""
    shares: Callable[[Mapping[Party, int], Any, int], tuple[Transfer, ...]] = nothing_booked
    """How the table's accounts are shared out at the end, by balances, options and the version of that event."""
    show_accounts: Callable[[Mapping[Party, int], tuple[int, ...], Any], dict[str, Any]] = no_accounts_shown
    """The fields of the view that show a pool or chips, by the table's accounts, the seats' totals and the options."""


def check(game: Game, state: Phase, seat: Seat, action: Action) -> None:
    """Return if the seat may take this action now, else raise `Rejected`.

    Another seat's offers are never consulted, so that a refusal tells nothing about hidden cards.
    """
    type = cast("str", action.__struct_config__.tag)
    if type not in state.TURN and type not in state.FREE:
        raise Rejected(Code.WRONG_PHASE, f"{type} has no place in the phase {state.PHASE}", action.RULE)
    offers = game.offers(state, seat)
    fields = asdict(action)
    if described(offers, type, fields):
        return
    # Turns show in what is offered, so that they are looked up only for a refusal.
    if type not in state.FREE and type not in [offer.type for offer in offers] and seat not in game.to_act(state):
        raise Rejected(Code.NOT_YOUR_TURN, f"it is not the turn of seat {seat}", action.ORDER or action.RULE)
    require(offers, type, fields, action.WITHHELD or action.RULE)
