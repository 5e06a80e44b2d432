"""The reason why a seat is not offered an act, found without trying the act."""

from collections.abc import Mapping

from domain.kernel.action import Action
from domain.kernel.game import Game, require_offered
from domain.kernel.rejection import Code, Rejected
from domain.seats import Seat
from domain.table.decide import require_running, require_staying
from domain.table.state import Table, waiting_for
from domain.table.talk import Talk, require_talk


def why_not(
    game: Game, table: Table, seat: Seat | None, act: type[Action], fields: Mapping[str, object]
) -> Rejected | None:
    """The refusal of every act of this type with these fields (returned, not raised); None if the seat is offered one.

    Fields that are not given may have any value. For an act with all its fields, the result is the refusal of that very
    act. It follows from what the seat and everybody know: no other seat's offers are read.
    """
    try:
        if seat is None:
            raise Rejected(Code.NOT_SEATED, "you do not sit at this table")
        require_running(table)
        require_staying(table, seat)
        if act is Talk:
            require_talk(table, seat, fields)
        elif table.running_deal is None:
            _require_gate(game, table, seat, act)
        else:
            require_offered(game, table.deal_state, seat, act, fields)
    except Rejected as refusal:
        return refusal
    return None


def _require_gate(game: Game, table: Table, seat: Seat, act: type[Action]) -> None:
    gate = game.course.gate
    if act is not gate:
        raise Rejected(Code.WRONG_PHASE, "the next deal has not begun", gate.RULE if gate else act.RULE)
    if seat not in waiting_for(game, table):
        raise Rejected(Code.RULE_VIOLATION, "you are ready already", act.RULE)
