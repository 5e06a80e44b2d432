"""Solo's part of a table's view."""

from typing import Annotated, Any

from msgspec import Meta, Struct

from domain.cards import Card, Suit
from domain.games.solo.contracts import HIGHEST, GameName
from domain.games.solo.state import Playing, State
from domain.parts.questioning import Questioning, Said
from domain.parts.tricks import Played, Trick
from domain.parts.views import TrickTableView
from domain.seats import Seat


class ContractView(Struct, frozen=True, gc=False):
    """Declarer's game and its value. `partner` is null until the called card has been played."""

    declarer: Seat
    game: GameName
    level: int
    value: int
    trump: Suit
    called: Card | None
    partner: Seat | None


class QuestionView(Struct, frozen=True, gc=False):
    """The state of the auction: the level held, and the level asked for."""

    level: Annotated[int, Meta(le=HIGHEST)]
    holder: Seat | None
    asker: Seat | None
    asked: int | None


class SoloView(TrickTableView, frozen=True, kw_only=True):
    """A table of Solo as its audience knows it. `order` runs from the dealer's left to the dealer."""

    order: tuple[Seat, ...] = ()
    auction: tuple[Said, ...] = ()
    question: QuestionView | None = None
    contract: ContractView | None = None
    trick: tuple[Played, ...] = ()
    last_trick: Trick | None = None


def show(state: State) -> dict[str, Any]:
    """The fields that Solo adds to a table's view."""
    auction = state.common.auction
    fields: dict[str, Any] = {"order": state.common.order, "auction": auction.said, "question": _question(auction)}
    if isinstance(state, Playing):
        fields |= {"contract": _contract(state), "trick": state.tricks.trick, "last_trick": state.tricks.last}
    return fields


def _question(auction: Questioning) -> QuestionView:
    asked = None if auction.turn is None else auction.question
    return QuestionView(auction.level, auction.holder, auction.asker, asked)


def _contract(state: Playing) -> ContractView:
    commitment, contract = state.commitment, state.commitment.contract
    partner = None if state.partner is None else state.partner.seat
    return ContractView(
        commitment.declarer,
        contract.game,
        contract.level,
        contract.value,
        commitment.trump,
        commitment.called,
        partner,
    )
