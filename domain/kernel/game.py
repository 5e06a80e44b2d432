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
from domain.kernel.words import Words
from domain.seats import Seat


class Dealt(Struct, frozen=True):
    """The start of a deal: the cards as far as the audience knows them, and what carries over from earlier deals.

    `accounts` holds every balance, before the deal's score: of a player by seat, of a table's account by name.
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
    """The fields that the game adds to `deal-scored`."""


def nothing_booked(*_: object) -> tuple[Transfer, ...]:
    """No transfers, for games that book nothing but the scores of deals."""
    return ()


def no_account_fields(*_: object) -> dict[str, Any]:
    """No fields, for games whose view shows no account."""
    return {}


class DealtHand(Struct, frozen=True, gc=False):
    """A seat's own cards, in the order in which they were dealt."""

    cards: tuple[Opening, ...]


class DealtTalon(Struct, frozen=True, gc=False):
    """What only the house knows of a deal: the talon from its top, and the seed in hex."""

    talon: tuple[Opening, ...]
    seed: str


State: TypeAlias = Any
"""A game's own union of phases. The kernel passes it to the game's functions and reads only what `Phase` declares."""


class Game(Struct, frozen=True):
    """A game as a value made of pure functions. `evolve` never fails on history."""

    name: str
    title: str
    rulebook: Rulebook
    seats: Callable[[Any], int]
    """The number of seats under these options."""
    default_deals: int
    check_deals: Callable[[int, Any], None]
    """Returns if a game may have so many deals under these options. Raises Rejected if it may not."""
    options: type[Struct]
    actions: Any
    """The union of the game's action types, discriminated by `type`."""
    events: tuple[type[Payload], ...]
    """The game's event types. One that is a subclass of a table's event replaces that event, with more fields."""
    view: type[TableView]
    """The view's type; `show` gives the fields that the game adds to a table's view."""
    pack: tuple[Card, ...]
    portions: Callable[[Seat, Any], tuple[Seat | None, ...]]
    """By dealer and options, the seat that each card of the pack goes to, from the top; None for the talon."""
    next_dealer: Callable[[Seat, Any], Seat]
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
    score: Callable[[State], Score | None]
    """What the deal came to; None until that is settled."""
    hands: Callable[[State], tuple[Hand, ...]]
    tricks: Callable[[State], tuple[int, ...]]
    """Tricks won, by seat."""
    show: Callable[[State], dict[str, Any]]
    words: Words
    """What its events, acts and terms are called; outside the digest of the rules."""
    basis: Mapping[str, str] = {}
    """The numbered rule that a check of the audit cites, by the check's name or the event's type."""
    earlier: "tuple[Game, ...]" = ()
    """The game under earlier versions of its rules. A table is read, played and audited by those it was opened with."""
    unit: Literal["points", "chips"] = "points"
    """The unit of every amount."""
    first_dealer: Callable[[Lots], FirstDealer] = by_number
    antes: Callable[[Seat, Any, int], tuple[Transfer, ...]] = nothing_booked
    """What is paid when the cards are dealt, from the dealer, the options and the version of `cards-dealt`."""
    shares: Callable[[Mapping[Party, int], Any, int], tuple[Transfer, ...]] = nothing_booked
    """What is paid out at the end, from all balances, the options and the version of `game-finished`."""
    show_accounts: Callable[[Mapping[Party, int], tuple[int, ...], Any], dict[str, Any]] = no_account_fields
    """The view's fields for a pool or chips, from the table's accounts, the seats' totals and the options."""


def check(game: Game, state: Phase, seat: Seat, action: Action) -> None:
    """Returns if the seat may take this action now. Raises Rejected, with the rule that was broken, if it may not.

    No rule is named where the action's type has no place in the phase at all.

    No other seat's offers are read, so a refusal discloses nothing about hidden cards.
    """
    type = cast("str", action.__struct_config__.tag)
    if type not in state.TURN and type not in state.FREE:
        raise Rejected(Code.WRONG_PHASE, f"{type} has no place in the phase {state.PHASE}")
    offers = game.offers(state, seat)
    fields = asdict(action)
    if described(offers, type, fields):
        return
    # A legal action needs no look at the turn: only the seat whose turn it is has the offer.
    if type not in state.FREE and type not in [offer.type for offer in offers] and seat not in game.to_act(state):
        raise Rejected(Code.NOT_YOUR_TURN, f"it is not the turn of seat {seat}", action.ORDER or action.RULE)
    require(offers, type, fields, action.WITHHELD or action.RULE)
