"""Tables on which Diloti is played, their cards stacked, and positions in the middle of a deal."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import msgspec
from msgspec.structs import asdict, replace

from domain.games.diloti import DILOTI
from domain.games.diloti.acts import Capture, Declare, DilotiAction, Lay
from domain.games.diloti.meta import HAND, ORDER, PACK, VALUES, Options
from domain.games.diloti.state import Declaration, Playing
from domain.kernel.event import Event
from domain.kernel.game import Game, check
from domain.kernel.hands import Hand
from domain.kernel.refusals import first_broken
from domain.kernel.rejection import Rejected
from domain.seats import Seat
from tests.support.games import DecodedLive

FOUR = Options(players=4)


class DilotiLive(DecodedLive):
    """A table of Diloti."""

    game: ClassVar[Game] = DILOTI

    def lay(self, card: str) -> tuple[Event[Any], ...]:
        """The seat whose turn it is lays the card."""
        return self.do("lay", card=card)

    def capture(self, card: str, loose: str = "", *declarations: int) -> tuple[Event[Any], ...]:
        """The seat whose turn it is captures these with the card."""
        return self.do("capture", card=card, loose=loose.split(), declarations=list(declarations))

    def declare(self, card: str, value: int, loose: str = "", *declarations: int) -> tuple[Event[Any], ...]:
        """The seat whose turn it is makes a declaration of this value with the card, and these."""
        return self.do("declare", card=card, value=value, loose=loose.split(), declarations=list(declarations))

    def lay_all(self, until: int) -> None:
        """Whoever has a turn lays the first card that may be laid, until so many turns are played; else captures."""
        while self.table.deal_state.turns < until and self.table.scored == 0:
            (fields, *_) = self.offered(self.turn, "lay") or [None]
            if fields is None:
                action = self.game.decider.default_action(self.table.deal_state, self.turn)
                self.take(self.turn, msgspec.to_builtins(action))
            else:
                self.lay(fields["card"]["one_of"][0])


def dealt(
    hands: Mapping[Seat, str],
    table: str = "",
    *,
    stock: str = "",
    dealer: Seat | None = None,
    options: Options | None = None,
) -> DilotiLive:
    """A table on which these cards lie, each pile filled up in the pack's order; `stock` begins with its top.

    Seat 0 plays first, unless a dealer is named.
    """
    options = options or Options()
    piles = [hands.get(seat, "").split() for seat in range(options.players)]
    lying, under = table.split(), stock.split()
    named = {card for pile in (*piles, lying, under) for card in pile}
    free = [card for card in PACK if card not in named]
    for pile, size in (*((pile, HAND) for pile in piles), (lying, 4)):
        while len(pile) < size:
            pile.append(free.pop(0))
    dealer = options.players - 1 if dealer is None else dealer
    return DilotiLive.stacked(dict(enumerate(piles)), [*lying, *under, *free], dealer=dealer, options=options)


def plain(number: int, cards: str, owner: Seat, value: int | None = None) -> Declaration:
    """A declaration of these cards, plain unless its value is less than what they add up to."""
    names = PACK.sorted(cards.split())
    total = sum(VALUES[card] for card in names)
    return Declaration(number, value or total, total // (value or total), names, owner)


def position(
    hand: str,
    loose: str = "",
    *declared: Declaration,
    others: Sequence[str] = (),
    options: Options | None = None,
    turns: int = 5,
) -> Playing:
    """A turn of seat 0 in the middle of a deal: its hand, the loose cards, and what is declared."""
    options = options or Options()
    begun = dealt({}, options=options).table.deal_state
    held = [hand, *others, *["Qs"] * (options.players - 1 - len(others))]
    return replace(
        begun,
        hands=tuple(Hand.of(tuple(cards.split()), ORDER) for cards in held),
        loose=tuple(loose.split()),
        declarations=declared,
        turn=0,
        turns=turns,
        made=max((each.declaration for each in declared), default=0),
    )


def refusal(state: Playing, action: DilotiAction, seat: Seat = 0) -> str | None:
    """The rule by which the seat may not do so, which its row must say; None if it may."""
    broken = first_broken(DILOTI.acts, PACK, state, seat, type(action), asdict(action))
    rule = None
    try:
        check(DILOTI, state, seat, action)
    except Rejected as refused:
        rule = refused.rule
    assert rule == (None if broken is None else broken.rule)
    return rule


def after(state: Playing, action: DilotiAction) -> Playing:
    """The state after seat 0 did so, as it may."""
    assert refusal(state, action) is None
    event = DILOTI.decider.decide(state, 0, action)
    following: Playing = DILOTI.decider.evolve(state, replace(event, version=99))
    return following


def cards(names: str) -> tuple[str, ...]:
    """The cards of these names."""
    return tuple(names.split())


def captures(state: Playing, card: str) -> list[str]:
    """All choices of loose cards that seat 0 may capture with the card."""
    every = [some for size in range(len(state.loose) + 1) for some in combinations(state.loose, size)]
    return [" ".join(some) for some in every if refusal(state, Capture(card, some)) is None]


def lay(card: str) -> Lay:
    """To lay the card."""
    return Lay(card)


def capture(card: str, loose: str = "", *declarations: int) -> Capture:
    """To capture these with the card."""
    return Capture(card, cards(loose), declarations)


def declare(card: str, value: int, loose: str = "", *declarations: int) -> Declare:
    """To make a declaration of this value with the card, and these."""
    return Declare(card, value, cards(loose), declarations)
