"""Why a seat is not offered an act: the answer to a question, which nothing is tried for."""

from collections.abc import Iterable, Mapping

from domain.kernel.action import Action, tag_of
from domain.kernel.game import Game
from domain.kernel.offers import Offer, described, require
from domain.kernel.rejection import Code, Rejected
from domain.seats import Seat
from domain.table.decide import require_running, require_staying
from domain.table.offers import offers
from domain.table.state import Table, waiting_for
from domain.table.talk import Talk, talk_offers, talk_rule


def why_not(
    game: Game, table: Table, seat: Seat | None, act: type[Action], fields: Mapping[str, object]
) -> Rejected | None:
    """The refusal of every act of this type with these fields; None where the seat is offered one.

    Fields that are not given may be anything. The answer follows from the seat's offers and from what everybody knows:
    no other seat's offers are read, and no race is looked at.
    """
    try:
        if seat is None:
            raise Rejected(Code.NOT_SEATED, "you do not sit at this table")
        require_running(table)
        require_staying(table, seat)
        if act is Talk:
            _require_talk(table, seat, fields)
        elif table.running_deal is None:
            _require_gate(game, table, seat, act)
        else:
            _require_offer(game, table, seat, act, fields)
    except Rejected as refusal:
        return refusal
    return None


def _require_talk(table: Table, seat: Seat, fields: Mapping[str, object]) -> None:
    asked = _asked_about(talk_offers(table, seat), tag_of(Talk), fields)
    require(asked, tag_of(Talk), fields, talk_rule(table))


def _asked_about(offered: Iterable[Offer], type: str, fields: Mapping[str, object]) -> tuple[Offer, ...]:
    """Of each offer of the type as much as was asked about."""
    return tuple(
        Offer(type, {name: field for name, field in offer.fields.items() if name in fields})
        for offer in offered
        if offer.type == type
    )


def _require_gate(game: Game, table: Table, seat: Seat, act: type[Action]) -> None:
    gate = game.course.gate
    if act is not gate:
        raise Rejected(Code.WRONG_PHASE, "the next deal has not begun", gate.RULE if gate else act.RULE)
    if seat not in waiting_for(game, table):
        raise Rejected(Code.RULE_VIOLATION, f"seat {seat} is ready already", act.RULE)


def _require_offer(game: Game, table: Table, seat: Seat, act: type[Action], fields: Mapping[str, object]) -> None:
    type, state = tag_of(act), table.deal_state
    if type not in state.TURN and type not in state.FREE:
        raise Rejected(Code.WRONG_PHASE, f"{type} has no place in the phase {state.PHASE}", act.RULE)
    asked = _asked_about(offers(game, table, seat), type, fields)
    if described(asked, type, fields):
        return
    if type not in state.FREE and not asked and seat not in game.decider.to_act(state):
        raise Rejected(Code.NOT_YOUR_TURN, f"it is not the turn of seat {seat}", state.ORDER or act.ORDER or act.RULE)
    require(asked, type, fields, game.decider.withheld(state, seat, type) or act.WITHHELD or act.RULE)
