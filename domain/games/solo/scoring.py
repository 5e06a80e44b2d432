"""What a deal comes to: judged from tricks won alone, then booked (SO-4)."""

from domain.games.solo.contracts import FAILED, MADE, Contract, Result
from domain.games.solo.meta import HAND
from domain.games.solo.state import Playing, State
from domain.kernel.decider import Score
from domain.kernel.ledger import BANK, Transfer, signed


def result(contract: Contract, won: int, lost: int) -> Result | None:
    """What so many tricks won by declarer's side and by the others come to, once those to come change nothing."""
    if won >= contract.goal:
        return MADE
    return FAILED if lost > HAND - contract.goal else None


def score(state: State) -> Score | None:
    """What the deal comes to, once that is settled: in a simple game not before the partner is known (SO-4.3)."""
    if not isinstance(state, Playing):
        return None
    commitment, partner, tricks = state.commitment, state.partner, state.tricks
    contract = commitment.contract
    if contract.partner and partner is None:
        return None
    side = {commitment.declarer} if partner is None else {commitment.declarer, partner.seat}
    won = sum(winner in side for winner in tricks.winners)
    settled = result(contract, won, len(tricks.winners) - won)
    if settled is None:
        return None
    amount = settled.sign * contract.value
    text = f"{contract.name}, {settled.name}"
    shown = () if partner is None else (partner.shown,)
    events = (commitment.declared, *sorted((*shown, *tricks.won_at)))
    paid = [(commitment.declarer, text)]
    if partner is not None:
        paid.append((partner.seat, f"{text}, as partner"))
    return Score(
        settled.outcome,
        tuple(
            Transfer(seat, BANK, amount, "contract", settled.rule, f"{why}: {signed(amount)}", events)
            for seat, why in paid
        ),
    )
