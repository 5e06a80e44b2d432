"""Seats, leaving, agreed ends, tables that never fill, by the numbered rules of a table (TL-1, TL-3, TL-4)."""

from typing import Any

import msgspec

from domain.audit.auditor import audit
from domain.kernel.rejection import Code
from domain.table.actions import (
    AbandonSeat,
    Act,
    CloseTable,
    ExpireTable,
    LeaveSeat,
    OpenDispute,
    ProposeEnd,
    RuleDispute,
    TakeSeat,
)
from domain.table.deadlines import EXPIRES_AFTER_S, Deadline, deadline_of
from domain.table.events import (
    CardsDealt,
    EndProposed,
    GameFinished,
    LedgerCorrected,
    SeatAbandoned,
    SeatTakenOver,
    TableExpired,
    TableOpened,
)
from domain.table.options import DEFAULT, TableOptions
from tests.games.ombre.tables import OmbreLive
from tests.games.toy.meta import Options as ToyOptions
from tests.games.toy.tables import ToyLive
from tests.support.games import EVERYBODY, OPENER, PLAYERS, READER, Live, chance, finished, parsed, step

ANNA, BO, CLEO = PLAYERS
ENDING = TableOptions(on_abandon="end")


def types(events: Any) -> list[str]:
    return [event.public.TYPE for event in events]


def scored_once(live: Live) -> Live:
    """The table when its first deal is over and a second one runs."""
    rng = chance("scored once")
    while live.table.scored < 1 or live.table.running_deal is None:
        step(live, rng, rare=0)
    return live


def intact(live: Live) -> None:
    """Asserts that house and public find the record as it must be, and that their folds show the same."""
    assert [check.text for check in audit(READER, live.records).checks if not check.passed] == []
    assert live.view("house") | {"you": None} == live.view("house")
    for audience in live.audiences:
        assert live.view(audience).get("leaving") == live.view("house").get("leaving")


def test_tl_1_1_options_left_out_are_not_recorded() -> None:
    opened: TableOpened = Live.opened(table=ENDING).of(TableOpened)[0]
    assert opened.table == ENDING
    assert b'"table":{"on_abandon":"end"}' in Live.opened(table=ENDING).records[0].public
    for written in (b"{}", b'{"on_abandon":"play-on"}', b'{"clock":null}'):
        assert msgspec.json.encode(msgspec.json.decode(written, type=TableOptions)) == b"{}"
    plain = Live.opened(table=TableOptions())
    assert plain.records == Live.opened().records
    assert b'"table"' not in plain.records[0].public
    assert plain.table.table_options == DEFAULT


def test_tl_1_1_a_player_leaves_before_the_game_starts_only() -> None:
    live = Live.opened()
    live.command(TakeSeat(ANNA))
    live.command(LeaveSeat(ANNA))
    assert Live.started().refused(LeaveSeat(ANNA)).code is Code.ALREADY_STARTED


def test_tl_1_2_the_game_starts_when_all_seats_are_taken() -> None:
    live = Live.opened()
    for player in (ANNA, BO):
        assert types(live.command(TakeSeat(player))) == ["seat-taken"]
    assert live.table.status == "open"
    assert types(live.command(TakeSeat(CLEO))) == ["seat-taken", "game-started", "cards-dealt"]
    assert (live.table.status, live.phase, live.table.deal) == ("playing", "auction", 1)


def test_tl_1_3_a_table_that_does_not_fill_expires() -> None:
    live = Live.opened()
    live.command(TakeSeat(ANNA))
    due = Deadline("2026-11-27T10:00:00.000000Z", ExpireTable(), None, "TL-1.3")
    assert deadline_of(live.game, live.table) == due
    assert live.refused(ExpireTable()).rule == "TL-1.3"
    live.waited = EXPIRES_AFTER_S - live.version - 1
    assert live.refused(ExpireTable()).rule == "TL-1.3"
    (expired,) = live.time_up()
    assert (expired.public, expired.actor, live.records[-1].at) == (TableExpired(), "clock", due.at)
    assert live.view("public")["status"] == "closed"
    assert deadline_of(live.game, live.table) is None
    assert live.refused(TakeSeat(BO)).code is Code.TABLE_CLOSED
    assert live.refused(ExpireTable()).code is Code.WRONG_PHASE
    intact(live)


def test_tl_1_3_neither_does_a_table_expire_that_has_started_or_was_closed() -> None:
    live = Live.opened()
    live.command(CloseTable(OPENER))
    for other in (live, Live.started(), finished(Live.started(), chance("expired"))):
        other.waited = 2 * EXPIRES_AFTER_S
        assert other.refused(ExpireTable()).code is Code.WRONG_PHASE


def test_tl_3_1_the_house_plays_an_abandoned_seat_at_once() -> None:
    live = Live.started()
    seat = live.turn
    abandoned, taken_over, act, *_ = live.command(AbandonSeat(EVERYBODY[seat]))
    assert (abandoned.public, abandoned.actor) == (SeatAbandoned(seat), f"seat:{seat}")
    assert (taken_over.public, taken_over.actor) == (SeatTakenOver(seat), "house")
    assert (act.public.TYPE, act.public.seat, act.actor) == ("bid-passed", seat, f"bot:{seat}")
    assert live.view("public")["leaving"] == {"agreed": (), "abandoned": (seat,), "bots": (seat,)}
    finished(live, chance("bots"))
    assert live.table.status == "finished"
    assert live.table.deal == live.table.deals
    by_seat = [event for event in live.events if event.actor == f"seat:{seat}"]
    assert by_seat[-1].public == SeatAbandoned(seat)
    intact(live)


def test_tl_3_1_the_house_is_ready_for_the_seats_that_it_plays() -> None:
    live = finished_deal(ToyLive.started(options=ToyOptions(target=20)))
    ready = [event for event in live.command(AbandonSeat(EVERYBODY[1])) if event.public.TYPE == "player-ready"]
    assert [(event.public.seat, event.actor) for event in ready] == [(1, "bot:1")]
    assert live.to_act == (0, 2, 3)
    intact(live)


def finished_deal(live: ToyLive) -> ToyLive:
    """The table at the gate after its first deal."""
    rng = chance("a deal")
    while live.table.scored < 1:
        step(live, rng, rare=0)
    return live


def test_tl_3_2_an_abandoned_seat_cannot_be_taken_again() -> None:
    live = Live.started()
    live.command(AbandonSeat(ANNA))
    assert live.refused(TakeSeat(ANNA)).code is Code.ABANDONED
    assert live.refused(TakeSeat(BO)).code is Code.ALREADY_SEATED
    assert live.refused(TakeSeat("a stranger")).code is Code.TABLE_FULL


def test_tl_3_3_who_abandoned_the_game_does_nothing_there_any_more() -> None:
    live = Live.started()
    live.command(AbandonSeat(ANNA))
    talk = Act(ANNA, parsed({"type": "talk", "text": "Bye."}))
    for command in (AbandonSeat(ANNA), ProposeEnd(ANNA, agree=True), TakeSeat(ANNA), talk):
        refused = live.refused(command)
        assert (refused.code, refused.rule) == (Code.ABANDONED, "TL-3.3")


def test_tl_3_3_with_the_option_the_game_ends_and_who_abandoned_it_cannot_win() -> None:
    live = scored_once(Live.started(table=ENDING, deals=6))
    totals = live.table.totals
    leader = totals.index(max(totals))
    abandoned, ended = live.command(AbandonSeat(EVERYBODY[leader]))
    over: GameFinished = ended.public
    assert (over.reason, over.totals) == (f"abandoned by seat {leader}", totals)
    others = [total for seat, total in enumerate(totals) if seat != leader]
    assert over.winners == tuple(seat for seat in live.seats if seat != leader and totals[seat] == max(others))
    assert (abandoned.deal, ended.deal, ended.actor) == (2, None, "house")
    assert live.table.running_deal is None
    assert (live.view("public")["phase"], live.view("public")["to_act"]) == ("broken-off", ())
    assert live.refused(AbandonSeat(BO)).code is Code.TABLE_FINISHED
    intact(live)


def test_tl_3_3_a_partner_still_can_win() -> None:
    live = scored_once(ToyLive.started(table=ENDING, options=ToyOptions(target=50)))
    leader = live.table.totals.index(max(live.table.totals))
    live.command(AbandonSeat(EVERYBODY[leader]))
    assert live.of(GameFinished)[0].winners == ((leader + 2) % 4,)
    intact(live)


def test_tl_3_3_only_a_game_that_is_on_can_be_abandoned() -> None:
    live = Live.opened()
    live.command(TakeSeat(ANNA))
    assert live.refused(AbandonSeat(ANNA)).code is Code.NOT_STARTED
    assert live.refused(AbandonSeat(BO)).code is Code.NOT_SEATED
    assert finished(Live.started(), chance(1)).refused(AbandonSeat(ANNA)).code is Code.TABLE_FINISHED


def test_tl_4_1_the_game_ends_when_all_agree() -> None:
    live = scored_once(Live.started(deals=6))
    totals, version = live.table.totals, live.version
    (first,) = live.command(ProposeEnd(BO, agree=True))
    assert (first.public, first.actor) == (EndProposed(1, agree=True), "seat:1")
    assert live.view("public")["leaving"]["agreed"] == (1,)
    assert live.to_act
    live.command(ProposeEnd(ANNA, agree=True))
    last, ended = live.command(ProposeEnd(CLEO, agree=True))
    over: GameFinished = ended.public
    assert (last.version, ended.version) == (version + 3, version + 4)
    assert (over.reason, over.totals, over.lines) == ("ended by agreement", totals, ())
    assert over.winners == tuple(seat for seat in live.seats if totals[seat] == max(totals))
    assert live.view("public")["status"] == "finished"
    intact(live)


def test_tl_4_1_who_says_no_makes_void_what_others_agreed_to() -> None:
    live = Live.started()
    no = live.refused(ProposeEnd(ANNA, agree=False))
    assert (no.code, no.rule) == (Code.RULE_VIOLATION, "TL-4.1")
    live.command(ProposeEnd(ANNA, agree=True))
    again = live.refused(ProposeEnd(ANNA, agree=True))
    assert (again.code, again.rule) == (Code.RULE_VIOLATION, "TL-4.1")
    live.command(ProposeEnd(BO, agree=True))
    live.command(ProposeEnd(CLEO, agree=False))
    assert live.view("public")["leaving"]["agreed"] == ()
    live.command(ProposeEnd(CLEO, agree=True))
    assert live.table.status == "playing"
    assert live.refused(ProposeEnd("a stranger", agree=True)).code is Code.NOT_SEATED
    assert Live.opened().refused(ProposeEnd(ANNA, agree=True)).code is Code.NOT_SEATED
    intact(live)


def test_tl_4_1_who_abandoned_the_game_is_not_asked() -> None:
    live = Live.started()
    live.command(ProposeEnd(ANNA, agree=True))
    live.command(AbandonSeat(BO))
    assert live.table.status == "playing"
    assert "game-finished" in types(live.command(ProposeEnd(CLEO, agree=True)))
    intact(live)


def test_tl_4_1_the_last_to_agree_may_abandon_the_game_instead() -> None:
    live = Live.started()
    live.command(ProposeEnd(ANNA, agree=True))
    live.command(ProposeEnd(BO, agree=True))
    assert types(live.command(AbandonSeat(CLEO))) == ["seat-abandoned", "seat-taken-over", "game-finished"]
    assert live.of(GameFinished)[0].reason == "ended by agreement"
    intact(live)


def test_tl_4_2_the_running_deals_antes_are_taken_back_and_its_cards_are_opened() -> None:
    live = OmbreLive.started()
    (dealt,) = live.of(CardsDealt)
    ante = next(line for line in dealt.lines if line.seat is not None)
    assert live.table.totals[ante.seat] == ante.amount < 0
    for player in PLAYERS:
        live.command(ProposeEnd(player, agree=True))
    (over,) = live.of(GameFinished)
    back, counter = over.lines
    assert (back.seat, back.amount, back.kind, back.rule) == (ante.seat, -ante.amount, "reversal", "TL-4.2")
    assert back.events == (6, live.version - 1)
    assert (counter.account, counter.amount) == ("pool", ante.amount)
    assert over.totals == (0, 0, 0)
    assert over.winners == ()
    assert sum(live.table.balances.values()) == 0
    seeds = live.table.seeds
    assert seeds is not None
    assert over.seed == seeds.at(1).hex()
    intact(live)


def test_tl_4_2_where_no_deal_was_scored_all_win_but_who_abandoned_the_game() -> None:
    live = Live.started(table=ENDING)
    live.command(AbandonSeat(BO))
    assert live.of(GameFinished)[0].winners == (0, 2)
    intact(live)


def test_tl_4_2_a_game_that_ends_between_two_deals_has_none_to_take_back() -> None:
    live = finished_deal(ToyLive.started(options=ToyOptions(target=50)))
    for seat in live.seats:
        live.command(ProposeEnd(EVERYBODY[seat], agree=True))
    (over,) = live.of(GameFinished)
    assert not over.seed
    assert live.view("public")["phase"] == "scored"
    intact(live)


def test_tl_4_2_a_correction_finds_winners_by_the_same_rule() -> None:
    live = scored_once(Live.started(table=ENDING, deals=6))
    leader = live.table.totals.index(max(live.table.totals))
    live.command(AbandonSeat(EVERYBODY[leader]))
    other = (leader + 1) % 3
    live.command(OpenDispute(EVERYBODY[other], (), 1, "Not so."))
    live.command(RuleDispute("an arbiter", 1, "upheld", "Indeed."))
    (corrected,) = live.of(LedgerCorrected)
    assert corrected.totals == (0, 0, 0)
    assert corrected.winners == tuple(seat for seat in live.seats if seat != leader)
    intact(live)


def test_tl_4_3_the_game_ends_when_the_house_plays_all_seats() -> None:
    live = Live.started()
    for player in (ANNA, BO):
        live.command(AbandonSeat(player))
    assert live.table.status == "playing"
    assert types(live.command(AbandonSeat(CLEO)))[-1] == "game-finished"
    assert live.of(GameFinished)[0].reason == "no player is left"
    intact(live)


def test_seats_and_folds_agree_after_every_event_of_leaving() -> None:
    live = scored_once(OmbreLive.started())
    live.command(ProposeEnd(BO, agree=True))
    live.command(AbandonSeat(CLEO))
    finished(live, chance("left"))
    of_house = list(live.views("house"))
    for audience in live.audiences:
        for own, house in zip(live.views(audience), of_house, strict=True):
            assert (own["to_act"], own.get("leaving")) == (house["to_act"], house.get("leaving"))
