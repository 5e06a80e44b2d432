"""Deals judged from cards and acts that people give, wherever they were played. Nothing is recorded."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from domain.cards import Card
from domain.fair.deck import Deck
from domain.fair.seeds import SEED_BYTES, SeedChain
from domain.kernel.action import Action
from domain.kernel.course import Standing
from domain.kernel.dealing import Dealt, Drawn, Portion
from domain.kernel.event import Event, Payload
from domain.kernel.game import Game
from domain.kernel.rejection import Code, Rejected
from domain.seats import CLOCK, Seat
from domain.table.actions import Act
from domain.table.automatic import cards_dealt, next_automatic, next_standing
from domain.table.deadlines import timer_of
from domain.table.decide import act
from domain.table.events import PlayerReady
from domain.table.state import Table, deal_of, evolve, over_because, waiting_for

TABLE = "00000000-0000-0000-0000-000000000000"
SEED = bytes(SEED_BYTES)
"""The seed of the last deal agreed, from which salts and commitments follow."""


class PlayedDeal(Struct, frozen=True):
    """A deal that was played: its cards, and its acts in order."""

    piles: Mapping[tuple[str, Seat | None], tuple[Card, ...]]
    """The cards of each pile from the top, by its name and its seat; None for a pile on the table."""
    stocks: Sequence[tuple[Card, ...]]
    """The cards of each stock that was shuffled during the deal, from the top."""
    acts: Sequence[tuple[Seat, Action] | str]
    """Each act with its seat, or the type of the event with which a time limit of the rules ran out."""


class RefusedAt(Struct, frozen=True):
    """The first act that the rules refuse, by the indexes of its deal and of the act in the deal."""

    deal: int
    act: int
    rejected: Rejected


class Judged(Struct, frozen=True):
    """The table after the acts that the rules allow, the events up to there, and the act that they refuse."""

    table: Table
    events: tuple[Event[Payload], ...]
    refused: RefusedAt | None


class ImpossibleDeal(Exception):
    """Cards that the deal cannot have, or a deal that cannot follow: where, as a JSON pointer, and why."""

    def __init__(self, pointer: str, text: str) -> None:
        super().__init__(pointer, text)
        self.pointer, self.text = pointer, text


class _Wanting(Exception):
    """A stock that is needed is not there, or has other cards."""


class GivenDeck(Deck, frozen=True, gc=False):
    """A deck whose stocks are given, where others are shuffled."""

    stocks: tuple[tuple[Card, ...], ...] = ()

    def shuffled(self, _: str, cards: Sequence[Card]) -> list[Card]:
        """The next stock that is given."""
        if not self.stocks:
            raise _Wanting(f"must have another stock, which has these cards in some order: {' '.join(cards)}")
        if Counter(self.stocks[0]) != Counter(cards):
            raise _Wanting(f"must have in its next stock these cards in some order: {' '.join(cards)}")
        return list(self.stocks[0])

    def renewed(self, cards: Iterable[Card | None]) -> "GivenDeck":
        """The deck with these cards at new places after the others, and without the stock that they are."""
        return replace(self, cards=(*self.cards, *cards), stocks=self.stocks[1:])


def judge(game: Game, standing: Standing, deals: Sequence[PlayedDeal]) -> Judged:
    """Plays the deals in a row, the first at this standing, as far as the rules allow. Its players are named by seat.

    Raises ImpossibleDeal for cards that a deal cannot have, for a deal after one that is not over, and after the end.
    """
    table, events = _at(game, standing), list[Event[Payload]]()
    for number, deal in enumerate(deals):
        if number:
            if table.running_deal is not None or table.over:
                raise ImpossibleDeal(
                    f"/{number}",
                    "must not follow: " + ("the game is over" if table.over else "the deal before it is not over"),
                )
            for seat in waiting_for(game, table):
                table = _follow(game, table, Event(PlayerReady(seat)), events)
            standing = next_standing(game, table)
        own = replace(
            game, decider=replace(game.decider, begin=partial(_begun, game.decider.begin, tuple(deal.stocks)))
        )
        cards = _laid_out(game, standing, deal, f"/{number}/piles")
        try:
            table = _follow(own, table, cards_dealt(own, table, standing, Drawn(cards)), events)
            for place, played in enumerate(deal.acts):
                try:
                    event = _event(own, table, played)
                except Rejected as rejected:
                    return Judged(table, tuple(events), RefusedAt(number, place, rejected))
                table = _follow(own, table, event, events)
        except _Wanting as wanting:
            raise ImpossibleDeal(f"/{number}/stocks", str(wanting)) from None
    return Judged(table, tuple(events), None)


def _at(game: Game, standing: Standing) -> Table:
    """A table at this standing, the deal of which comes next, as if nothing had happened there."""
    seats = len(standing.totals)
    before = standing.deal - 1
    return Table(
        table=TABLE,
        game=game.name,
        rules_version=game.rulebook.version,
        rules_digest=game.rulebook.digest(),
        options=standing.options,
        deals=standing.deals,
        players=tuple(map(str, range(seats))),
        entropies=(b"",) * seats,
        opener=None,
        seeds=SeedChain(standing.deals, SEED),
        version=0,
        status="playing",
        deal=before or None,
        scored=before,
        dealer=standing.dealer,
        totals=standing.totals,
        accounts={party: amount for party, amount in standing.accounts.items() if not isinstance(party, int)},
    )


def _begun(begin: Callable[[Dealt], object], stocks: tuple[tuple[Card, ...], ...], dealt: Dealt) -> object:
    """The state in which a deal begins whose stocks are given."""
    deck = dealt.deck
    return begin(replace(dealt, deck=GivenDeck(deck.table, deck.deal, deck.cards, deck.seed, deck.entropies, stocks)))


def _laid_out(game: Game, standing: Standing, deal: PlayedDeal, pointer: str) -> tuple[Card, ...]:
    """The cards of the deal by their places, which the rules may deal. Raises ImpossibleDeal."""
    portions = places_of(game.dealing.portions(standing))
    at = {pile: f"{pointer}/{number}" for number, pile in enumerate(deal.piles)}
    for pile in deal.piles:
        if pile not in portions:
            raise ImpossibleDeal(at[pile], f"is no pile of this deal, which has {', '.join(map(_named, portions))}")
    cards: dict[int, tuple[Card, str]] = {}
    for pile, places in portions.items():
        given = deal.piles.get(pile, ())
        if len(given) != len(places):
            where = f"{at[pile]}/cards" if pile in at else pointer
            raise ImpossibleDeal(where, f"must have {len(places)} cards in the pile {_named(pile)}, not {len(given)}")
        for number, (place, card) in enumerate(zip(places, given, strict=True)):
            cards[place] = card, f"{at[pile]}/cards/{number}"
    rest = [cards[place] for place in range(len(cards))]
    seen = set[Card]()

    def shuffle(_: str, pack: Sequence[Card]) -> list[Card]:
        """The next cards, which are some of these, and the others of these after them."""
        own, others = rest[: len(pack)], dict.fromkeys(pack)
        if not own:
            raise ImpossibleDeal(pointer, "must be dealt again by the rules, with other cards")
        for card, where in own:
            if card not in others:
                raise ImpossibleDeal(where, "is given twice" if card in seen else f"must not be {card}")
            del others[card]
            seen.add(card)
        del rest[: len(pack)]
        return [*(card for card, _ in own), *others]

    return game.dealing.draw(standing, shuffle).cards


def places_of(portions: Iterable[Portion]) -> Mapping[tuple[str, Seat | None], Sequence[int]]:
    """The places of each pile, from its top."""
    places: dict[tuple[str, Seat | None], list[int]] = {}
    for portion in portions:
        places.setdefault((portion.pile, portion.to), []).extend(portion.places)
    return places


def _named(pile: tuple[str, Seat | None]) -> str:
    name, seat = pile
    return name if seat is None else f"{name} of seat {seat}"


def _event(game: Game, table: Table, played: tuple[Seat, Action] | str) -> Event[Payload]:
    """The event of an act, or of a time limit that ran out. Raises Rejected."""
    if not isinstance(played, str):
        seat, action = played
        return act(game, table, Act(str(seat), action))
    timer = timer_of(game, table)
    if timer is None or played != timer.event.TYPE:
        raise Rejected(Code.WRONG_PHASE, "no such time limit runs now")
    return Event(timer.event, actor=CLOCK)


def _follow(game: Game, table: Table, event: Event[Payload] | None, events: list[Event[Payload]]) -> Table:
    """The table after the event and those that follow by themselves, which are added to the events."""
    while event is not None:
        event = replace(event, version=table.version + 1, deal=deal_of(table, event.public))
        table = evolve(game, table, event)
        events.append(event)
        goes_on = table.running_deal is not None or (not table.over and over_because(game, table) is not None)
        event = next_automatic(game, table) if goes_on else None
    return table
