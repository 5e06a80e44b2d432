"""Plain tricks: the only act of a deal is to play a card, and only the end of a trick follows automatically."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar, get_args

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Pack
from domain.kernel.acts import Acts
from domain.kernel.course import Course, Standing
from domain.kernel.dealing import Dealing, Dealt, Portion, whole_pack
from domain.kernel.event import Event, Payload
from domain.kernel.game import Decider, Game, Showing
from domain.kernel.rulebook import Rulebook
from domain.kernel.table_view import TableView
from domain.kernel.words import Words, terms_of
from domain.kernel.worth import Scoring
from domain.parts.defaults import low_first, mildest
from domain.parts.phases import PlayPhase
from domain.parts.tricks import CardPlayed, PlayCard, Tricks, TrickWon, playing, trick_won
from domain.parts.turns import one_at_a_time, order_of_turns
from domain.parts.views import hands, trick_fields, trick_seats
from domain.parts.words import PHASES, PLAY, acts_of, sending_of, words_of

PlainEvent: TypeAlias = CardPlayed | TrickWon
EVENTS: tuple[type[Payload], ...] = get_args(PlainEvent)

P = TypeVar("P", bound=PlayPhase[Any])


class PlainRules(Struct, frozen=True):
    """The numbers of the rules that every game of plain tricks has."""

    seats: str
    dealer: str
    """The first dealer, and the next."""
    finish: str
    """The end of the game, and who has won."""
    cards: str
    deal: str
    lead: str
    """Whose turn it is, and what may be led."""
    follow: str
    """What is played to a lead, and who wins the trick."""
    end: str
    """When the play of a deal ends."""
    booked: str

    def acts(self, play: type[PlayCard]) -> Acts:
        """The only act, and the rules that limit it."""
        return Acts(self.cards, (playing(play, self.lead, self.follow),))

    @property
    def basis(self) -> Mapping[str, str]:
        """The rules that checks of the audit cite."""
        return {
            "seating": self.seats,
            "first-dealer": self.dealer,
            "dealer": self.dealer,
            "pack": self.deal,
            "trick-won": self.follow,
            "stopping-point": self.end,
            "totals": self.booked,
            "finish": self.finish,
        }


def plain_game(
    rules: PlainRules,
    rulebook: Rulebook,
    *,
    name: str,
    title: str,
    options: type[Struct],
    pack: Pack,
    course: Course,
    portions: Callable[[Standing], tuple[Portion, ...]],
    play: type[PlayCard],
    begin: Callable[[Dealt], P],
    scoring: Scoring,
    view: type[TableView],
    fields: Callable[[P], dict[str, Any]],
    words: Words,
) -> Game:
    """A game of such deals, with its own scores."""
    acts = rules.acts(play)
    return Game(
        name=name,
        title=title,
        rulebook=rulebook,
        options=options,
        actions=play,
        events=EVENTS,
        pack=pack,
        course=course,
        dealing=Dealing(draw=whole_pack(pack), portions=portions),
        decider=_decider(pack, acts, begin, scoring),
        showing=Showing(view=view, seats=trick_seats(), fields=fields, hands=hands),
        words=words,
        acts=acts,
        scoring=scoring,
        basis=rules.basis,
    )


def _decider(pack: Pack, acts: Acts, begin: Callable[[Dealt], P], scoring: Scoring) -> Decider:
    """The decider. The mildest act plays the lowest card."""
    to_act = one_at_a_time(scoring.settled)

    def evolve(state: P, event: Event[PlainEvent]) -> P:
        return state.after(event.public, event.version)

    offers = acts.offers(to_act)
    default_action = mildest(offers, low_first(pack), [each.action for each in acts.rules])
    return Decider(begin, acts.decide, acts.action_of, trick_won, evolve, offers, to_act, scoring.score, default_action)


def first_trick(dealt: Dealt) -> Tricks:
    """No trick yet: the dealer's left leads to the first."""
    order = order_of_turns(dealt.standing)
    return Tricks(order, turn=order[0])


def plain_fields(state: PlayPhase[Any]) -> dict[str, Any]:
    """The view's fields that every such game adds: the order of turns, and the tricks."""
    return trick_fields(state.tricks) | {"order": state.tricks.order}


def plain_words(rulebook: Rulebook, own: Words) -> Words:
    """The game's own words, and those for its tables, for cards played and for tricks won."""
    return replace(
        own,
        events=words_of(CardPlayed, TrickWon),
        acts=acts_of("play"),
        prompts=PLAY,
        sending=sending_of("play"),
        terms={**terms_of(rulebook), "phase": {"play": PHASES["play"], "scored": PHASES["scored"]}, **own.terms},
    )
