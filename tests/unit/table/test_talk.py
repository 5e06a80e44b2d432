"""Talk at a table, by the numbered rules of a table (TL-5)."""

from typing import Any

import msgspec
import pytest

from domain.audit.auditor import audit
from domain.kernel.rejection import Code, Rejected
from domain.record.history import without_section
from domain.table.actions import AbandonSeat, Act, ActFor, EraseText, ProposeEnd, TakeSeat
from domain.table.deadlines import deadline_of
from domain.table.events import TableTalk, Utterance, events_of
from domain.table.options import Clock, TableOptions
from domain.table.talk import Talk, action_types_of, has_own_talk
from domain.table.why import why_not
from tests.games.don.tables import DonLive
from tests.games.ombre.tables import OmbreLive
from tests.games.toy.tables import ToyLive
from tests.support.games import EVERYBODY, OPENER, READER, Live, chance, step
from tests.support.registry import GAMES

ALOUD = TableOptions(talk=True)
OFFER = {"type": "talk", "fields": {"text": {"text": {"min": 1, "max": 280}}}}


def talkative(tables: type[Live] = OmbreLive, **own: Any) -> Live:
    """A table at which players may talk, its first deal dealt."""
    live = tables.started(table=TableOptions(talk=True, **own))
    live.pass_gate()
    return live


def say(live: Live, seat: int, text: str = "Well.") -> Any:
    """What happens when the seat says this; it is one event."""
    (event,) = live.act(seat, "talk", text=text)
    return event


def refused(live: Live, seat: int, text: str = "Well.") -> Rejected:
    """The refusal of what the seat says; nothing is recorded."""
    return live.refused(Act(EVERYBODY[seat], Talk(text)))


def offered(live: Live, seat: int) -> list[object]:
    """What the seat may say, as on the wire."""
    return [offer.describe() for offer in live.offers(seat) if offer.type == "talk"]


def intact(live: Live) -> None:
    """Asserts that the audit finds the record as it must be."""
    assert [check.text for check in audit(READER, live.records).checks if not check.passed] == []


def test_tl_5_1_whoever_sits_may_talk_out_of_turn() -> None:
    live = talkative()
    for seat in live.seats:
        assert offered(live, seat) == [OFFER]
        due = live.to_act
        said = say(live, seat, f"I am {seat}.")
        assert (said.public, said.sealed, said.actor) == (
            TableTalk(seat),
            {"public": Utterance(f"I am {seat}.")},
            f"seat:{seat}",
        )
        assert (said.deal, live.to_act) == (1, due)
    intact(live)


def test_tl_5_1_everybody_learns_it_at_once() -> None:
    live = talkative()
    say(live, 1, "Three of them!")
    for audience in live.audiences:
        event = READER.read(live.records[-1], audience)
        assert event.section("public", Utterance) == Utterance("Three of them!")
        assert live.view(audience) == live.view(audience, live.version - 1) | {"version": live.version}


def test_tl_5_1_without_the_option_nobody_talks() -> None:
    live = OmbreLive.started()
    assert all(offered(live, seat) == [] for seat in live.seats)
    refusal = refused(live, live.turn)
    assert (refusal.code, refusal.rule) == (Code.RULE_VIOLATION, "TL-5.1")


def test_tl_5_1_from_the_start_of_the_game_to_its_end() -> None:
    live = OmbreLive.opened(table=ALOUD)
    live.command(TakeSeat(OPENER, 0))
    assert live.refused(Act(OPENER, Talk("Anybody?"))).code is Code.NOT_STARTED
    assert offered(live, 0) == []
    live = talkative()
    for seat in live.seats:
        live.command(ProposeEnd(EVERYBODY[seat], agree=True))
    assert live.table.status == "finished"
    assert offered(live, 0) == []
    assert refused(live, 0).code is Code.TABLE_FINISHED


def test_tl_5_1_between_deals() -> None:
    live = ToyLive.started(table=ALOUD)
    assert live.table.running_deal is None
    assert offered(live, 2) == [OFFER]
    assert say(live, 2).deal is None
    live.pass_gate()
    assert say(live, 2).deal == 1
    intact(live)


def test_tl_5_1_who_has_abandoned_the_game_is_silent() -> None:
    live = talkative()
    live.command(AbandonSeat(EVERYBODY[1]))
    assert refused(live, 1).code is Code.ABANDONED
    assert offered(live, 1) == []


def test_tl_5_1_a_player_without_a_seat_is_silent() -> None:
    assert talkative().refused(Act("nobody", Talk("Hello?"))).code is Code.NOT_SEATED


@pytest.mark.parametrize("text", ["", "x" * 281, "one\nline", "\x1b[31m", "\x85"])
def test_tl_5_1_a_text_is_of_one_line(text: str) -> None:
    live = talkative()
    refused = live.refused(Act(EVERYBODY[0], Talk(text)))
    assert (refused.code, refused.rule) == (Code.RULE_VIOLATION, "TL-5.1")
    say(live, 0, "🂡" * 280)


@pytest.mark.parametrize("name", GAMES)
def test_tl_5_1_a_game_with_talk_of_its_own_has_no_other(name: str) -> None:
    game = GAMES[name]
    own = [action for action in game.action_types if action.__struct_config__.tag == "talk"]
    assert has_own_talk(game) == bool(own)
    assert [kind for kind in action_types_of(game) if kind.__struct_config__.tag == "talk"] == (own or [Talk])
    assert (TableTalk in events_of(game)) == (not own)
    assert [kind.TYPE for kind in events_of(game)].count("table-talk") == 1


def test_tl_5_1_the_option_cannot_be_chosen_where_the_game_has_talk_of_its_own() -> None:
    with pytest.raises(Rejected) as rejected:
        Live.opened(table=ALOUD)
    assert (rejected.value.code, rejected.value.rule) == (Code.RULE_VIOLATION, "TL-5.1")


def test_tl_5_1_the_audit_finds_a_table_that_could_not_have_been_opened_so() -> None:
    live = Live.opened()
    first = live.events[0]
    opened = msgspec.structs.replace(first.public, table=ALOUD)
    live.records = []
    live.append([msgspec.structs.replace(first, public=opened)])
    failed = [check for check in audit(READER, live.records).checks if not check.passed]
    assert [(check.name, check.rule) for check in failed] == [("rules", "TL-5.1")]


def test_tl_5_2_at_most_fifty_in_a_deal() -> None:
    live = talkative(DonLive)
    for _ in range(50):
        say(live, 3)
    assert offered(live, 3) == []
    refusal = refused(live, 3)
    assert (refusal.code, refusal.rule) == (Code.RULE_VIOLATION, "TL-5.2")
    why = why_not(live.game, live.table, 3, Talk, {"text": "Well."})
    assert why is not None
    assert why.rule == "TL-5.2"
    say(live, 2)
    rng = chance("the next deal")
    while live.table.deal == 1:
        step(live, rng, rare=0)
    assert offered(live, 3) == [OFFER]
    say(live, 3)
    intact(live)
    assert READER.fold(None, live.records) == live.table


def test_tl_5_2_the_audit_finds_what_was_said_too_often() -> None:
    live = talkative()
    for _ in range(50):
        say(live, 0)
    live.append([msgspec.structs.replace(live.events[-1], version=0)])
    failed = [check for check in audit(READER, live.records).checks if not check.passed]
    assert [(check.name, check.events, check.rule) for check in failed] == [("acts", (live.version,), "TL-5.2")]


def test_tl_5_3_no_time_ends_with_it() -> None:
    live = talkative(clock=Clock(seconds=20, reserve=30, increment=5))
    seat, due = live.turn, deadline_of(live.game, live.table)
    clocks = live.view("public")["clocks"]
    live.waited += 4
    say(live, seat)
    say(live, next(other for other in live.seats if other != seat))
    assert deadline_of(live.game, live.table) == due
    assert live.view("public")["clocks"] == clocks
    live.time_up()
    intact(live)


def test_tl_5_3_an_absent_player_who_talks_stays_absent() -> None:
    live = talkative(clock=Clock(seconds=20, absent_after=1))
    seat = live.turn
    live.time_up()
    leaving = live.table.leaving
    assert leaving is not None
    assert leaving.bots == (seat,)
    say(live, seat, "One moment.")
    assert live.table.leaving == leaving
    live.command(TakeSeat(EVERYBODY[seat]))
    intact(live)


def test_tl_5_3_the_clock_never_talks() -> None:
    live = talkative(clock=Clock(seconds=20, absent_after=1))
    due = deadline_of(live.game, live.table)
    assert due is not None
    assert isinstance(due.command, ActFor)
    while live.table.status == "playing":
        live.time_up()
    assert live.of(TableTalk) == []


def test_why_it_is_offered_and_why_not() -> None:
    live = talkative()
    assert why_not(live.game, live.table, 0, Talk, {}) is None
    assert why_not(live.game, live.table, 0, Talk, {"text": "Well."}) is None
    too_long = why_not(live.game, live.table, 0, Talk, {"text": "x" * 281})
    assert too_long is not None
    told = "text must be a text of 1 to 280 characters without control characters"
    assert (too_long.rule, too_long.detail) == ("TL-5.1", told)
    silent = why_not(live.game, OmbreLive.started().table, 0, Talk, {})
    assert silent is not None
    assert (silent.rule, silent.detail) == ("TL-5.1", "talk is not open to this seat now")


def test_what_was_said_can_be_erased_and_the_record_stays_whole() -> None:
    live = talkative()
    said = say(live, 2, "My address is …")
    live.command(EraseText(said.version))
    live.records[said.version - 1] = without_section(live.records[said.version - 1], "public")
    intact(live)
    assert READER.fold(None, live.records) == live.table
    with pytest.raises(Rejected):
        live.command(EraseText(said.version))
