"""The score of a deal, judged from the tricks won alone, and its lines (SO-4)."""

from domain.games.solo.contracts import CONTRACTS, FAILED, MADE, Contract, Result
from domain.games.solo.facts import SEARCHED, Facts, facts, flaws
from domain.games.solo.meta import HAND
from domain.games.solo.state import Playing, State
from domain.kernel.ledger import BANK, Transfer
from domain.kernel.worth import Grounds, Score, Scoring, Terms
from domain.parts.scoring import reason


def result(contract: Contract, won: int, lost: int) -> Result | None:
    """The result for these numbers of tricks by declarer's side and by the others; None while it may still change."""
    if won >= contract.goal:
        return MADE
    return FAILED if lost > HAND - contract.goal else None


def settled(state: State) -> Result | None:
    """How the deal has ended; None while it goes on or, in a simple game, the partner is unknown (SO-4.3)."""
    if not isinstance(state, Playing):
        return None
    commitment, partner, winners = state.commitment, state.partner, state.tricks.winners
    if commitment.contract.partner and partner is None:
        return None
    side = (commitment.declarer,) if partner is None else (commitment.declarer, partner.seat)
    won = sum([winner in side for winner in winners])
    return result(commitment.contract, won, len(winners) - won)


def _worth(_: Terms, facts: Facts) -> Score | None:
    contract, declarer, partner = CONTRACTS[facts.level], facts.declarer, facts.partner
    won = sum([number for seat, number in enumerate(facts.tricks) if seat in (declarer, partner)])
    lost = sum(facts.tricks) - won
    ended = result(contract, won, lost)
    if ended is None:
        return None
    how = f"{ended.name}, tricks {won} against {lost}"
    paid = {declarer: how} if partner is None else {declarer: how, partner: f"{how}, seat {partner} as partner"}
    texts = {seat: reason(contract.name, declarer, each, contract.value) for seat, each in paid.items()}
    gain, rests = ended.sign * contract.value, ("play",)
    lines = [Transfer(seat, BANK, gain, "contract", ended.rule, text, rests=rests) for seat, text in texts.items()]
    extra = {"declarer": declarer, "partner": partner, "game": contract.game, "level": contract.level}
    return Score(ended.outcome, tuple(lines), extra)


def _grounds(play: Playing) -> Grounds:
    """The events behind contract, partner and play."""
    shown_at = None if play.partner is None else play.partner.shown_at
    return {"play": (*play.commitment.made_at, shown_at, *play.tricks.won_at)}


SCORING = Scoring(Facts, facts, settled, flaws, _worth, _grounds, searched=SEARCHED)
