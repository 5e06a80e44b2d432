"""A table's life: seats, leaving, closing, starting, and the precedence of refusals."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from domain.games.crocodile.acts import Pass
from domain.kernel.course import Standing
from domain.kernel.dealing import Portion
from domain.kernel.ledger import Transfer
from domain.kernel.rejection import Code
from domain.table.actions import Act, CloseTable, Command, LeaveSeat, OpenTable, TakeSeat
from domain.table.decide import decide, open_table
from domain.table.events import SeatLeft, SeatTaken, TableClosed, TableOpened
from tests.support.for_each import for_each
from tests.support.games import GAME, OPENER, PLAYERS, SEED, TABLE, Live, chance, finished, redacted

ANNA, BO, CLEO = PLAYERS
STRANGER = "a stranger"


def seated(*players: str, opened: Live | None = None) -> Live:
    """A table at which these players sit."""
    live = opened or Live.opened()
    for player in players:
        live.command(TakeSeat(player))
    return live


def closed() -> Live:
    """A table that was closed with Anna seated."""
    live = seated(ANNA)
    live.command(CloseTable(OPENER))
    return live


def over() -> Live:
    """A table whose game is over."""
    return finished(Live.started(), chance("over"))


def refused(live: Live, command: Command) -> Code:
    """The code with which the command is refused; nothing happens."""
    return live.refused(command).code


def test_a_table_is_opened_with_its_rules_pinned() -> None:
    live = Live.opened(deals=6)
    opened: TableOpened = live.of(TableOpened)[0]
    assert (opened.game, opened.deals, opened.rules_version) == ("crocodile", 6, 2)
    assert opened.rules_digest == GAME.rulebook.digest()
    assert opened.options == {"contraprimeras": "always", "bonus_stacking": "exclusive", "casco_stock": "all"}
    view = live.view("public")
    nothing = {"deal": None, "dealer": None, "phase": None, "winners": None, "to_act": (), "totals": (0, 0, 0)}
    assert view == view | {"status": "open"} | nothing


def test_the_seed_and_the_opener_are_the_houses_secret() -> None:
    live = Live.opened()
    assert set(live.events[0].sealed) == {"house"}
    for audience in ("public", "seat:0"):
        assert redacted(live.events[0], audience).sealed == {}
        folded = live.known_to(audience)
        assert (folded.seeds, folded.opener) == (None, None)
    assert SEED.hex().encode() not in live.records[0].public
    assert OPENER.encode() not in live.records[0].public


def test_a_seed_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        open_table(GAME, TABLE, OpenTable(OPENER, 3, GAME.options(), b"short"))


def test_a_player_takes_the_lowest_free_seat_or_the_one_named() -> None:
    live = Live.opened()
    live.command(TakeSeat(ANNA, 1, b"\x01\xff"))
    live.command(TakeSeat(BO))
    assert live.of(SeatTaken) == [SeatTaken(1, ANNA, "01ff", None), SeatTaken(0, BO, None, None)]
    assert [event.actor for event in live.events[1:]] == ["seat:1", "seat:0"]
    assert [seat["player"] for seat in live.view("public")["seats"]] == [BO, ANNA, None]


@pytest.mark.parametrize("seat", [3, -1, 99])
def test_a_seat_that_the_table_does_not_have(seat: int) -> None:
    live = Live.opened()
    live.command(TakeSeat(ANNA, 1))
    refused = live.refused(TakeSeat(BO, seat))
    assert refused.code is Code.NO_SUCH_SEAT
    assert refused.detail == "there is no such seat: the table has 3"


def test_a_player_leaves_before_the_start_and_may_come_back() -> None:
    live = seated(ANNA, BO)
    live.command(LeaveSeat(ANNA))
    assert live.events[-1].public == SeatLeft(0)
    assert live.table.players == (None, BO, None)
    assert live.table.entropies == (b"", b"", b"")
    live.command(TakeSeat(ANNA, 2, b"again"))
    live.command(TakeSeat(CLEO))
    assert live.view("public")["status"] == "playing"
    assert [seat["player"] for seat in live.view("public")["seats"]] == [CLEO, BO, ANNA]


def test_who_opened_the_table_closes_it() -> None:
    live = seated(ANNA)
    live.command(CloseTable(OPENER))
    assert live.of(TableClosed)[0].seat is None
    assert live.events[-1].actor == "house"
    assert live.view("public")["status"] == "closed"


def test_who_opened_the_table_may_sit_there() -> None:
    live = seated(ANNA, OPENER)
    live.command(CloseTable(OPENER))
    assert live.of(TableClosed)[0].seat == 1
    assert live.events[-1].actor == "seat:1"


ACT = Pass()


@for_each(
    "table, command, code",
    [
        (Live.opened, Act(STRANGER, ACT), Code.NOT_SEATED),
        (Live.opened, LeaveSeat(STRANGER), Code.NOT_SEATED),
        (Live.opened, CloseTable(STRANGER), Code.NOT_OPENER),
        (lambda: seated(ANNA), Act(ANNA, ACT), Code.NOT_STARTED),
        (lambda: seated(ANNA), CloseTable(ANNA), Code.NOT_OPENER),
        (lambda: seated(ANNA), TakeSeat(BO, 0), Code.SEAT_TAKEN),
        (lambda: seated(ANNA), TakeSeat(ANNA), Code.ALREADY_SEATED),
        (lambda: seated(ANNA), TakeSeat(ANNA, 2), Code.ALREADY_SEATED),
        (lambda: seated(ANNA, BO, CLEO), TakeSeat(STRANGER), Code.TABLE_FULL),
        (lambda: seated(ANNA, BO, CLEO), TakeSeat(STRANGER, 0), Code.TABLE_FULL),
        (lambda: seated(OPENER, ANNA, BO), CloseTable(OPENER), Code.ALREADY_STARTED),
        (Live.started, Act(STRANGER, ACT), Code.NOT_SEATED),
        (Live.started, LeaveSeat(ANNA), Code.ALREADY_STARTED),
        (Live.started, LeaveSeat(STRANGER), Code.NOT_SEATED),
        (Live.started, CloseTable(STRANGER), Code.NOT_OPENER),
        (Live.started, TakeSeat(ANNA), Code.ALREADY_SEATED),
        (Live.started, OpenTable(ANNA, 3, None, SEED), Code.ALREADY_STARTED),
        (closed, TakeSeat(BO), Code.TABLE_CLOSED),
        (closed, TakeSeat(ANNA), Code.TABLE_CLOSED),
        (closed, LeaveSeat(ANNA), Code.TABLE_CLOSED),
        (closed, LeaveSeat(STRANGER), Code.NOT_SEATED),
        (closed, CloseTable(OPENER), Code.TABLE_CLOSED),
        (closed, CloseTable(ANNA), Code.NOT_OPENER),
        (closed, Act(ANNA, ACT), Code.TABLE_CLOSED),
        (over, TakeSeat(STRANGER), Code.TABLE_FINISHED),
        (over, LeaveSeat(ANNA), Code.TABLE_FINISHED),
        (over, CloseTable(OPENER), Code.TABLE_FINISHED),
        (over, Act(ANNA, ACT), Code.TABLE_FINISHED),
        (over, Act(STRANGER, ACT), Code.NOT_SEATED),
    ],
)
def test_refusals_in_order_of_precedence(table: Callable[[], Live], command: Command, code: Code) -> None:
    assert refused(table(), command) is code


def test_codes_stand_in_order_of_precedence() -> None:
    order = [code.value for code in Code]
    assert order.index("wrong-phase") < order.index("not-your-turn") < order.index("rule-violation")
    assert order[0] == "not-seated"
    assert order[-1] == "rule-violation"


def test_wrong_phase_is_told_before_the_turn_and_the_turn_before_the_rule() -> None:
    live = Live.started()
    turn = live.turn
    other = (turn + 1) % 3
    live.refuses(other, "play", Code.WRONG_PHASE, "CR-4.2", card=live.hand(turn)[0])
    live.refuses(other, "bid", Code.NOT_YOUR_TURN, "CR-4.1", contract="casco")
    live.refuses(turn, "bid", Code.RULE_VIOLATION, "CR-4.3", contract="casco")


def test_nothing_is_offered_outside_a_running_deal() -> None:
    for live in (Live.opened(), seated(ANNA), closed(), over()):
        assert [live.offers(seat) for seat in range(3)] == [(), (), ()]
        assert live.to_act == ()


def test_the_fold_deals_from_the_balances_before_the_antes() -> None:
    dealing, standings = GAME.dealing, []

    def portions(standing: Standing) -> tuple[Portion, ...]:
        standings.append(standing)
        return dealing.portions(standing)

    ante = (Transfer(0, "pool", -5, "ante", "X-1", "An ante", (7,)),)
    game = replace(GAME, dealing=replace(dealing, portions=portions, antes=lambda *_: ante))
    table, _ = open_table(game, TABLE, OpenTable(OPENER, 3, GAME.options(), SEED))
    for player in PLAYERS:
        table, _ = decide(game, table, TakeSeat(player))
    decided, folded = standings
    assert (decided.deal, decided.totals, decided.accounts.get("pool")) == (1, (0, 0, 0), None)
    assert folded == decided
    assert (table.totals, table.accounts) == ((-5, 0, 0), {"pool": 5})


def test_a_view_is_served_by_its_field_names() -> None:
    live = Live.started()
    view = live.view("seat:0")
    assert {
        "table", "game", "version", "status", "deals", "deal", "dealer", "phase", "seats", "talon", "auction",
        "contract", "trick", "last_trick", "to_act", "totals", "winners",
    } <= set(view)  # fmt: skip
    assert view["table"] == TABLE
    assert list(view["seats"][0]) == ["seat", "player", "hand", "tricks", "bot"]
    assert view["seats"][0]["hand"] == {"known": live.hand(0), "hidden": 0}
    assert view["seats"][1]["hand"] == {"known": (), "hidden": 9}
