"""Ombre's part of a table's view."""

from typing import Annotated, Any, assert_never

from msgspec import Meta, Struct

from domain.games.ombre.contracts import ContractName
from domain.games.ombre.scoring import NEW_OMBRE_TRICKS, lone_player
from domain.games.ombre.state import (
    Answer,
    Auction,
    Call,
    Commitment,
    Declaration,
    Exchanging,
    PassedOut,
    Playing,
    State,
    Surrender,
    Surrendered,
    Surrendering,
)
from domain.parts.views import DeclaredView, ExchangeGameView, auction_fields, trick_fields, tricks_won
from domain.seats import Seat


class ContractView(DeclaredView[ContractName], frozen=True, gc=False):
    """The contract of Ombre (`declarer`), its payment for a win, and the seat that plays alone now."""

    undertaken: bool
    lone_player: Annotated[Seat, Meta(ge=0)]
    tricks_needed: int | None = None


class SurrenderView(Struct, frozen=True, gc=False):
    """Ombre's offer to surrender, the answers so far, and the defender that forbade it and plays on as new Ombre."""

    seat: Seat
    answers: tuple[Answer, ...]
    new_ombre: Seat | None


class OmbreView(ExchangeGameView[Call, ContractView], frozen=True, kw_only=True):
    """A table of Ombre as its audience knows it. `order` is eldest, second, dealer."""

    pool: int
    chips: tuple[int, ...]
    """Each player's chips: the chips at the start, plus the total."""
    surrender: SurrenderView | None = None


def tricks(state: State) -> tuple[int, ...]:
    """The numbers of tricks won, by seat."""
    return tricks_won(state.play if isinstance(state, Surrendering | Surrendered) else state)


def show(state: State) -> dict[str, Any]:
    """The fields that Ombre adds to a table's view."""
    match state:
        # The most frequent cases come first, since they are tried in turn.
        case Playing():
            surrender = _surrender(state.commitment, state.surrender)
            return _exchange(state, _playing(state)) | trick_fields(state.tricks) | {"surrender": surrender}
        case Auction() | PassedOut() | Declaration():
            return auction_fields(state.common, state.talon)
        case Exchanging():
            return _exchange(state, _contract(state.commitment, state.commitment.ombre))
        case Surrendering() | Surrendered():
            return show(state.play) | {"surrender": _surrender(state.play.commitment, state.surrender)}
        case _:
            assert_never(state)


def _exchange(state: Exchanging | Playing, contract: ContractView) -> dict[str, Any]:
    fields = auction_fields(state.common, state.exchange.talon)
    return fields | {"contract": contract, "exchanges": state.exchange.done}


def _playing(state: Playing) -> ContractView:
    needed = None if state.new_ombre is None else NEW_OMBRE_TRICKS
    return _contract(
        state.commitment, lone_player(state), undertaken=state.undertaken is not None, tricks_needed=needed
    )


def _contract(
    plays: Commitment, alone: Seat, *, undertaken: bool = False, tricks_needed: int | None = None
) -> ContractView:
    row = plays.contract
    return ContractView(
        plays.ombre, row.contract, row.value, plays.trump, plays.turned, undertaken, alone, tricks_needed
    )


def _surrender(commitment: Commitment, surrender: Surrender | None) -> SurrenderView | None:
    if surrender is None:
        return None
    return SurrenderView(commitment.ombre, surrender.answers, surrender.new_ombre)
