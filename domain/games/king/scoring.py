"""The score of a deal and its lines (KG-4, KG-6, KG-7), and the conditions on all deals together."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from domain.games.king.contracts import AIMS, DEALS, NEGATIVE, PLAYED_OUT, STOPPED, TRICKS, VALUES, Aim, Result
from domain.games.king.facts import SEARCHED, Facts, captured, facts, flaws
from domain.games.king.meta import SEATS
from domain.games.king.state import Playing, State
from domain.kernel.course import Standing
from domain.kernel.game import GameCheck
from domain.kernel.ledger import BANK, Ground, Line, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.scoring import bank_by_deals, in_common, in_turn, reason
from domain.seats import Seat

BANK_AFTER = {len(NEGATIVE): 1300, len(DEALS): 0}
"""The bank's balance after the last negative deal and after the last deal (KG-7.2)."""


def points(state: Playing) -> tuple[int, ...]:
    """The points for the captures so far, by seat, without those that each has before any."""
    aim, tricks = state.contract.aim, state.tricks
    if aim.cards:
        # One pass: views ask for it at every act.
        return tricks.worth(SEATS, VALUES[aim.aim])
    return tuple([aim.each * number for number in captured(aim, tricks)])


def settled(state: State) -> Result | None:
    """A deal ends once no remaining trick can change the score, judged only by the cards already captured (KG-3.5)."""
    if not isinstance(state, Playing) or state.tricks.trick:
        return None
    aim, tricks = state.contract.aim, state.tricks
    if len(tricks.winners) == TRICKS:
        return PLAYED_OUT
    return STOPPED if aim.cards and set(aim.cards).issubset(tricks.cards) else None


def _worth(terms: Terms, facts: Facts) -> Score:
    aim = AIMS[facts.aim]
    transfers = [*_captured(aim, facts)]
    if facts.buyer is not None and facts.price is not None:
        transfers.append(_price(aim, facts.buyer, facts.price, terms.order[-1]))
    result = STOPPED if facts.stopped else PLAYED_OUT
    return Score(result.outcome, tuple(transfers), {"aim": aim.aim, "buyer": facts.buyer, "price": facts.price})


def _captured(aim: Aim, facts: Facts) -> Iterator[Transfer]:
    """One line with the bank for each player who scores anything for captures (KG-7.1)."""
    for seat, number in enumerate(facts.captured):
        if aim.base or number:
            amount, formula = aim.base + number * aim.each, f"{number} × {abs(aim.each)}"
            formula = f"{aim.base} less {formula}" if aim.base else formula
            text = reason(aim.name, seat, f"{number} captured", formula)
            yield Transfer(seat, BANK, amount, "captured", aim.rule, text, rests=(seat,))


def _price(aim: Aim, buyer: Seat, price: int, dealer: Seat) -> Transfer:
    """Up, the high bidder pays the dealer; down, the dealer pays the high bidder (KG-6.3)."""
    formula, dealt = f"{price} × {abs(aim.price)}", f"seat {dealer} dealt"
    text = reason("Trumps bought", buyer, f"played {aim.aim}", formula, dealt)
    return Transfer(buyer, dealer, price * aim.price, "price", "KG-6.3", text, rests=("price",))


def _grounds(play: Playing) -> Grounds:
    """The events behind each seat's captures, and behind the price (KG-7.3)."""
    contract, tricks = play.contract, play.tricks
    bought = None if contract.trumps is None else contract.trumps.bought
    grounds: dict[Ground, list[int | None]] = {seat: [contract.directed_at] for seat in range(SEATS)}
    grounds["price"] = [None if bought is None else bought.bid_at, contract.directed_at]
    for index, winner in enumerate(tricks.winners):
        if index + 1 in contract.aim.tricks or {*contract.aim.cards}.intersection(tricks.cards_of(index)):
            grounds[winner] += tricks.events_of(index)
    return grounds


def _terms(standing: Standing) -> Terms:
    return replace(in_turn(standing), kind=DEALS[standing.deal - 1].aim)


def _dealt(state: State) -> Terms:
    aim = state.contract.aim if isinstance(state, Playing) else None
    return replace(in_common(state), kind=aim.aim if aim and not aim.price else None)


SCORING = Scoring(Facts, facts, settled, flaws, _worth, _grounds, _terms, _dealt, searched=SEARCHED)


def game_checks(_: Standing, lines: Sequence[tuple[Line, ...]]) -> tuple[GameCheck, ...]:
    """The bank's balance from the deals' lines, without corrections (KG-7.2)."""
    bank = bank_by_deals(lines)
    return tuple(
        GameCheck("totals", "KG-7.2", f"the bank after deal {deals}", sum(bank[:deals]), computed)
        for deals, computed in BANK_AFTER.items()
        if len(lines) >= deals
    )
