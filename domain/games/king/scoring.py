"""The score of a deal and its lines (KG-4, KG-6, KG-7), and the conditions on all deals together."""

from collections.abc import Iterator, Sequence

from domain.games.king.contracts import DEALS, NEGATIVE, PLAYED_OUT, STOPPED, TRICKS, VALUES, Aim, Result
from domain.games.king.meta import SEATS
from domain.games.king.state import Bought, Contract, Playing, State
from domain.kernel.course import Standing
from domain.kernel.game import GameCheck, Score
from domain.kernel.ledger import BANK, Line, Transfer
from domain.parts.scoring import cited, once_settled, reason
from domain.parts.tricks import Tricks
from domain.seats import Seat

BANK_AFTER = {len(NEGATIVE): 1300, len(DEALS): 0}
"""The bank's balance after the last negative deal and after the last deal (KG-7.2)."""


def counts(aim: Aim, tricks: Tricks) -> tuple[int, ...]:
    """The count of each complete trick: its cards that count, or the trick itself (KG-4, KG-6)."""
    taken = range(len(tricks.winners))
    if aim.cards:
        return tuple([sum([card in aim.cards for card in tricks.cards_of(index)]) for index in taken])
    return tuple([int(index + 1 in aim.tricks) for index in taken])


def points(state: Playing) -> tuple[int, ...]:
    """The points for the captures so far, by seat, without those that each has before any."""
    aim, tricks = state.contract.aim, state.tricks
    if aim.cards:
        return tricks.worth(SEATS, VALUES[aim.aim])
    made = [0] * SEATS
    for number in aim.tricks:
        if number <= len(tricks.winners):
            made[tricks.winners[number - 1]] += aim.each
    return tuple(made)


def settled(state: State) -> Result | None:
    """How the deal has ended; None while it goes on.

    It ends once no remaining trick can change the score, judged only by the cards already captured (KG-3.5).
    """
    if not isinstance(state, Playing) or state.tricks.trick:
        return None
    aim, tricks = state.contract.aim, state.tricks
    if len(tricks.winners) == TRICKS:
        return PLAYED_OUT
    return STOPPED if aim.cards and set(aim.cards).issubset(tricks.cards) else None


def _score(state: Playing, result: Result) -> Score:
    contract, tricks = state.contract, state.tricks
    bought = None if contract.trumps is None else contract.trumps.bought
    transfers = [*_captured(contract, tricks)]
    if bought is not None:
        transfers.append(_price(contract, bought, state.common.dealer))
    buyer, price = (None, None) if bought is None else (bought.seat, bought.price)
    return Score(result.outcome, tuple(transfers), {"aim": contract.aim.aim, "buyer": buyer, "price": price})


score = once_settled(settled, _score)
"""The score of the deal; None until it is settled."""


def _captured(contract: Contract, tricks: Tricks) -> Iterator[Transfer]:
    """One line with the bank for each player who scores anything for captures (KG-7.1)."""
    aim, counted = contract.aim, counts(contract.aim, tricks)
    for seat in range(SEATS):
        indexes = [index for index, winner in enumerate(tricks.winners) if winner == seat and counted[index]]
        number = sum(counted[index] for index in indexes)
        events = cited(contract.directed_at, *(version for index in indexes for version in tricks.events_of(index)))
        if aim.base or number:
            yield Transfer(
                seat, BANK, aim.base + number * aim.each, "captured", aim.rule, _text(aim, seat, number), events
            )


def _text(aim: Aim, seat: Seat, number: int) -> str:
    formula = f"{number} × {abs(aim.each)}"
    return reason(aim.name, seat, f"{number} captured", f"{aim.base} less {formula}" if aim.base else formula)


def _price(contract: Contract, bought: Bought, dealer: Seat) -> Transfer:
    """Up, the high bidder pays the dealer; down, the dealer pays the high bidder (KG-6.3)."""
    each = contract.aim.price
    text = reason(
        "Trumps bought", bought.seat, f"played {contract.aim.aim}", f"{bought.price} × {abs(each)}",
        f"seat {dealer} dealt",
    )  # fmt: skip
    events = cited(bought.bid_at, contract.directed_at)
    return Transfer(bought.seat, dealer, bought.price * each, "price", "KG-6.3", text, events)


def game_checks(_: Standing, lines: Sequence[tuple[Line, ...]]) -> tuple[GameCheck, ...]:
    """The bank's balance from the deals' lines, without corrections (KG-7.2)."""
    return tuple(
        GameCheck(
            "totals",
            "KG-7.2",
            f"the bank after deal {deals}",
            sum(line.amount for booked in lines[:deals] for line in booked if line.account == BANK),
            computed,
        )
        for deals, computed in BANK_AFTER.items()
        if len(lines) >= deals
    )
