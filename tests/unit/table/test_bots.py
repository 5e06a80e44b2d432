"""Bots at a table, by the numbered rules of a table (TL-7): as players of their own, and as substitutes."""

from typing import Any, get_args

import msgspec
import pytest

from domain.audit.auditor import audit
from domain.kernel.action import Action
from domain.kernel.rejection import Code, Rejected
from domain.opponents.choosing import LEVELS
from domain.record.envelope import served
from domain.record.history import record_opening
from domain.seats import HOUSE, PUBLIC, Bot, Level
from domain.table.actions import (
    AbandonSeat,
    Act,
    ActAsBot,
    BotSeat,
    CloseTable,
    Command,
    LeaveSeat,
    OpenTable,
    ProposeEnd,
    RemoveBot,
    SeatBot,
    TakeSeat,
)
from domain.table.events import (
    GameFinished,
    PlayerReady,
    Rematch,
    SeatAbandoned,
    SeatLeft,
    SeatResumed,
    SeatTaken,
    SeatTakenOver,
    SubstituteSeated,
)
from domain.table.options import Clock, TableOptions
from domain.table.seat_offers import default_action, offers
from domain.table.state import SeatedBot, bots_playing, opponent_at
from domain.table.talk import Talk
from tests.games.ombre.tables import OmbreLive
from tests.games.toy.meta import Options as ToyOptions
from tests.games.toy.tables import ToyLive
from tests.property.strategies import TABLES
from tests.support.altering import forge
from tests.support.checker import violations
from tests.support.exports import exported, placed, verified
from tests.support.games import (
    BOTS,
    EVERYBODY,
    GAME,
    OPENER,
    PLAYERS,
    READER,
    SEED,
    TABLE,
    Live,
    chance,
    finished,
    moment,
    parsed,
    pick,
    step,
)

ANNA, BO, CLEO = PLAYERS
STRONG, QUICK, RANDOM = (Bot(level, 1) for level in ("strong", "quick", "random"))  # type: ignore[arg-type]
STRANGER = EVERYBODY[9]
CLOCK = TableOptions(clock=Clock(seconds=10, reserve=0, absent_after=2))


def types(events: Any) -> list[str]:
    return [event.public.TYPE for event in events]


def code(live: Live, command: Command) -> Code:
    return live.refused(command).code


def intact(live: Live) -> None:
    """Asserts that house and public find the record as it must be, and that all folds show the same bots."""
    assert [check.text for check in audit(READER, live.records).checks if not check.passed] == []
    for audience in (*live.audiences, "house"):
        assert [seat["bot"] for seat in live.view(audience)["seats"]] == [
            None if (bot := opponent_at(live.table, seat)) is None else msgspec.to_builtins(bot) for seat in live.seats
        ]


def checked(live: Live) -> None:
    """Asserts besides that the independent check finds nothing; the game must be over."""
    intact(live)
    assert live.table.status == "finished"
    envelopes = [msgspec.json.decode(served(record, HOUSE, over=True)) for record in live.records]
    assert violations(forge(envelopes)) == []


def beside(*bots: tuple[int, Bot], table: TableOptions | None = None) -> Live:
    """A game of Crocodile in which these seats are bots' and people sit on the others."""
    live = Live.opened(bots=[BotSeat(seat, BOTS[seat], own) for seat, own in bots], table=table or TableOptions())
    for seat in live.seats:
        if live.table.players[seat] is None:
            live.command(TakeSeat(EVERYBODY[seat], seat))
    return live


def until(live: Live, seat: int) -> Live:
    """The table when the game waits for this seat."""
    rng = chance(("until", seat))
    while live.to_act != (seat,):
        step(live, rng, rare=0)
    return live


def some_act(live: Live, seat: int) -> Action:
    """An act that is open to the seat, and not the mildest where there is another."""
    mild, rng = default_action(live.game, live.table, seat), chance("some act")
    acts = [parsed(pick(live.offers(seat), rng), live.game) for _ in range(20)]
    return next((act for act in acts if act != mild), mild)


def test_the_levels_are_those_of_the_opponents() -> None:
    assert get_args(Level) == tuple(LEVELS)


def test_tl_7_1_a_table_is_opened_with_bots() -> None:
    live = Live.opened(bots=[BotSeat(2, BOTS[2], QUICK), BotSeat(0, BOTS[0], STRONG)])
    opened, *seated = live.events
    assert [(event.public, event.actor) for event in seated] == [
        (SeatTaken(2, BOTS[2], None, QUICK), HOUSE),
        (SeatTaken(0, BOTS[0], None, STRONG), HOUSE),
    ]
    assert {(record.action, record.at) for record in live.records} == {(live.records[0].action, opened.at)}
    assert live.table.players == (BOTS[0], None, BOTS[2])
    assert live.table.opponents == {0: SeatedBot(STRONG, None), 2: SeatedBot(QUICK, None)}
    assert [seat["bot"] for seat in live.view("public")["seats"]] == [
        {"level": "strong", "version": 1},
        None,
        {"level": "quick", "version": 1},
    ]
    intact(live)
    assert "game-started" in types(live.command(TakeSeat(ANNA)))
    intact(live)


def test_tl_7_1_a_table_may_be_opened_with_bots_alone_and_starts_at_once() -> None:
    live = Live.opened(deals=3, bots=[BotSeat(seat, BOTS[seat], RANDOM) for seat in range(3)])
    assert types(live.events)[-2:] == ["game-started", "cards-dealt"]
    assert len({record.action for record in live.records}) == 1
    intact(live)
    checked(finished(live, chance("bots alone")))
    assert live.of(GameFinished)[0].reason == "last deal scored"


@pytest.mark.parametrize(
    ("bots", "expected"),
    [
        ([BotSeat(3, BOTS[0], QUICK)], Code.NO_SUCH_SEAT),
        ([BotSeat(-1, BOTS[0], QUICK)], Code.NO_SUCH_SEAT),
        ([BotSeat(1, BOTS[0], QUICK), BotSeat(1, BOTS[1], QUICK)], Code.SEAT_TAKEN),
    ],
)
def test_tl_7_1_no_table_is_opened_with_bots_that_have_no_seat(bots: list[BotSeat], expected: Code) -> None:
    with pytest.raises(Rejected) as rejected:
        Live.opened(bots=bots)
    assert rejected.value.code is expected


def test_tl_7_1_the_opener_and_who_sits_at_the_table_seat_bots() -> None:
    live = Live.opened()
    assert code(live, SeatBot(STRANGER, BOTS[0], QUICK)) is Code.NOT_SEATED
    (first,) = live.command(SeatBot(OPENER, BOTS[0], QUICK))
    assert (first.public, first.actor) == (SeatTaken(0, BOTS[0], None, QUICK), HOUSE)
    live.command(TakeSeat(ANNA, 2))
    second, *_ = live.command(SeatBot(ANNA, BOTS[1], STRONG, 1))
    assert (second.public, second.actor) == (SeatTaken(1, BOTS[1], None, STRONG), "seat:2")
    assert live.table.opponents == {0: SeatedBot(QUICK, None), 1: SeatedBot(STRONG, ANNA)}
    assert live.table.entropies == (b"", b"", b"")
    assert live.table.status == "playing"
    intact(live)


def test_tl_7_1_an_opener_who_sits_down_acts_from_the_seat() -> None:
    live = Live.opened()
    live.command(TakeSeat(OPENER))
    (seated,) = live.command(SeatBot(OPENER, BOTS[1], QUICK))
    assert seated.actor == "seat:0"
    live.command(LeaveSeat(OPENER))
    (removed,) = live.command(RemoveBot(OPENER, 1))
    assert (removed.public, removed.actor) == (SeatLeft(1), HOUSE)
    intact(live)


def test_tl_7_1_a_bot_takes_a_free_seat() -> None:
    live = Live.opened()
    live.command(TakeSeat(ANNA))
    assert code(live, SeatBot(ANNA, BOTS[0], QUICK, 0)) is Code.SEAT_TAKEN
    assert code(live, SeatBot(ANNA, BOTS[0], QUICK, 3)) is Code.NO_SUCH_SEAT
    live.command(SeatBot(ANNA, BOTS[0], QUICK))
    assert code(live, TakeSeat(BO, 1)) is Code.SEAT_TAKEN
    live.command(CloseTable(OPENER))
    assert code(live, SeatBot(ANNA, BOTS[1], QUICK)) is Code.TABLE_CLOSED


def test_tl_7_1_who_seated_a_bot_or_opened_the_table_removes_it() -> None:
    live = Live.opened()
    live.command(TakeSeat(ANNA))
    live.command(SeatBot(ANNA, BOTS[1], QUICK))
    live.command(LeaveSeat(ANNA))
    live.command(TakeSeat(BO))
    # Bo sits where Anna sat, but did not seat the bot.
    assert code(live, RemoveBot(BO, 1)) is Code.NOT_OPENER
    assert code(live, RemoveBot(STRANGER, 1)) is Code.NOT_SEATED
    assert code(live, RemoveBot(ANNA, 1)) is Code.NOT_SEATED
    assert code(live, RemoveBot(OPENER, 0)) is Code.NO_SUCH_BOT
    assert code(live, RemoveBot(OPENER, 2)) is Code.NO_SUCH_BOT
    assert code(live, RemoveBot(OPENER, 7)) is Code.NO_SUCH_BOT
    live.command(LeaveSeat(BO))
    live.command(TakeSeat(ANNA, 2))
    (removed,) = live.command(RemoveBot(ANNA, 1))
    assert (removed.public, removed.actor) == (SeatLeft(1), "seat:2")
    assert (live.table.players, live.table.opponents) == ((None, None, ANNA), {})
    live.command(TakeSeat(BO))
    live.command(SeatBot(BO, BOTS[2], STRONG))
    assert code(live, RemoveBot(BO, 1)) is Code.ALREADY_STARTED
    intact(live)


def test_tl_7_1_a_rematch_keeps_the_seats_of_its_bots() -> None:
    kept = (BOTS[0], BO, BOTS[2])
    bots = (BotSeat(0, BOTS[0], QUICK), BotSeat(2, BOTS[2], STRONG))
    before = Rematch("01960000-0000-7000-8000-000000000001", kept)
    command = OpenTable(OPENER, 3, GAME.options(), SEED, rematch=before, bots=bots)
    live = Live(record_opening(GAME, TABLE, command, moment(0))[1])
    assert live.table.players == (BOTS[0], None, BOTS[2])
    assert code(live, RemoveBot(OPENER, 0)) is Code.SEAT_TAKEN
    assert code(live, SeatBot(OPENER, BOTS[5], QUICK)) is Code.SEAT_TAKEN
    live.command(TakeSeat(BO))
    checked(finished(live, chance("rematch")))


def test_tl_7_2_a_bot_acts_for_its_seat_by_the_rules() -> None:
    live = until(beside((0, QUICK), (1, STRONG)), 1)
    (made, *_) = live.command(ActAsBot(1, parsed({"type": "pass"})))
    assert made.actor == "bot:1"
    assert code(live, ActAsBot(2, parsed({"type": "pass"}))) is Code.NOT_SEATED
    assert code(live, ActAsBot(1, parsed({"type": "pass"}))) is Code.NOT_YOUR_TURN
    assert code(live, ActAsBot(0, parsed({"type": "play", "card": "Ks"}))) is Code.WRONG_PHASE
    assert code(Live.opened(bots=[BotSeat(0, BOTS[0], QUICK)]), ActAsBot(0, parsed({"type": "pass"}))) is (
        Code.NOT_STARTED
    )
    checked(finished(live, chance("by the rules")))
    actors = {event.actor for event in live.events}
    assert actors == {HOUSE, "seat:2", "bot:0", "bot:1"}
    assert code(live, ActAsBot(0, parsed({"type": "pass"}))) is Code.TABLE_FINISHED


def test_tl_7_2_a_bot_says_that_it_is_ready() -> None:
    bots = [BotSeat(seat, BOTS[seat], QUICK) for seat in (0, 1)]
    live = ToyLive.opened(options=ToyOptions(target=20), bots=bots)
    for seat in live.seats[2:]:
        live.command(TakeSeat(EVERYBODY[seat], seat))
    gate = live.game.course.gate
    assert gate is not None
    assert live.to_act == tuple(live.seats)
    (made,) = live.command(ActAsBot(1, gate()))
    assert (made.public, made.actor) == (PlayerReady(1), "bot:1")
    assert code(live, ActAsBot(1, gate())) is Code.RULE_VIOLATION
    finished(live, chance("ready"))
    intact(live)


def test_tl_7_2_a_bot_does_not_talk_and_has_no_token() -> None:
    live = OmbreLive.opened(bots=[BotSeat(0, BOTS[0], QUICK)], table=TableOptions(talk=True))
    for seat in (1, 2):
        live.command(TakeSeat(EVERYBODY[seat], seat))
    assert code(live, ActAsBot(0, Talk("hello"))) is Code.RULE_VIOLATION
    assert code(live, Act(BOTS[0], Talk("hello"))) is Code.NOT_SEATED
    assert "talk" in {offer.type for offer in offers(live.game, live.table, 1)}
    # Crocodile has talk of its own.
    own = beside((0, QUICK))
    assert own.refused(ActAsBot(0, parsed({"type": "talk", "text": "hello"}))).rule == "TL-7.2"


def test_tl_7_2_a_clock_that_runs_out_on_a_bot_is_met_as_anybodys() -> None:
    live = until(beside((0, QUICK), table=CLOCK), 0)
    live.waited += 9
    live.command(ActAsBot(0, parsed({"type": "pass"})))
    assert live.table.timing is not None
    assert live.table.timing.seats[0].run_out == 0
    for _ in range(2):
        until(live, 0)
        first, *others = live.time_up()
        assert first.actor == "clock"
    assert SeatTakenOver(0) in [event.public for event in others]
    assert opponent_at(live.table, 0) is None
    assert code(live, ActAsBot(0, parsed({"type": "pass"}))) is Code.NOT_SEATED
    (substituted, *_) = live.command(SeatBot(ANNA if live.table.players[0] == ANNA else BO, "", STRONG))
    assert substituted.public == SubstituteSeated(0, STRONG)
    checked(finished(live, chance("met")))


def test_tl_7_3_a_bot_plays_on_for_who_has_left() -> None:
    live = until(Live.started(), 1)
    assert live.refused(SeatBot(OPENER, "", STRONG)).rule == "TL-7.3"
    assert code(live, SeatBot(OPENER, "", STRONG)) is Code.TABLE_FULL
    live.command(AbandonSeat(BO))
    assert code(live, SeatBot(BO, "", STRONG)) is Code.ABANDONED
    assert code(live, SeatBot(STRANGER, "", STRONG)) is Code.NOT_SEATED
    assert code(live, SeatBot(ANNA, "", STRONG, 2)) is Code.SEAT_TAKEN
    assert code(live, SeatBot(ANNA, "", STRONG, 4)) is Code.NO_SUCH_SEAT
    (seated,) = live.command(SeatBot(CLEO, "", STRONG))
    assert (seated.public, seated.actor) == (SubstituteSeated(1, STRONG), "seat:2")
    assert live.table.players == PLAYERS
    assert live.view("public")["leaving"] == {"agreed": (), "abandoned": (1,), "bots": (1,)}
    assert code(live, SeatBot(ANNA, "", QUICK, 1)) is Code.TABLE_FULL
    assert code(until(live, 1), Act(BO, some_act(live, 1))) is Code.ABANDONED
    act = some_act(live, 1)
    (made, *_) = live.command(ActAsBot(1, act))
    assert made.actor == "bot:1"
    intact(live)
    checked(finished(live, chance("plays on")))
    assert {line.account for line in live.score.lines if line.seat == 1} <= {f"player:{BO}"}


def test_tl_7_3_the_opener_who_does_not_sit_asks_for_a_substitute() -> None:
    live = until(Live.started(), 1)
    live.command(AbandonSeat(BO))
    (seated,) = live.command(SeatBot(OPENER, "", STRONG, 1))
    assert seated.actor == HOUSE
    intact(live)


def test_tl_7_3_another_level_is_refused_to_who_asks_and_stays_valid_where_it_is_recorded() -> None:
    live = until(Live.started(), 1)
    live.command(AbandonSeat(BO))
    for where in (None, 1):
        refused = live.refused(SeatBot(ANNA, "", QUICK, where, STRONG.level))
        assert (refused.code, refused.rule) == (Code.RULE_VIOLATION, "TL-7.3")
    # A seat that the house does not play is refused first, whatever the level.
    assert code(live, SeatBot(ANNA, "", QUICK, 2, STRONG.level)) is Code.SEAT_TAKEN
    (seated,) = live.command(SeatBot(ANNA, "", QUICK))
    assert seated.public == SubstituteSeated(1, QUICK)
    checked(finished(live, chance("quick")))


def test_tl_7_1_the_level_of_a_bot_with_a_seat_of_its_own_is_free() -> None:
    (seated,) = Live.opened().command(SeatBot(OPENER, BOTS[0], QUICK, 0, STRONG.level))
    assert isinstance(seated.public, SeatTaken)
    assert seated.public.opponent == QUICK


def absent(seat: int = 1) -> Live:
    """A game in which this seat's player is absent."""
    live = Live.started(table=CLOCK)
    while live.table.leaving is None:
        until(live, seat)
        live.time_up()
    assert live.table.leaving.bots == (seat,)
    return live


def test_tl_7_3_an_absent_player_is_back_with_any_act() -> None:
    live = absent()
    live.command(SeatBot(ANNA, "", QUICK))
    assert live.table.timing is not None
    assert live.table.timing.seats[1].run_out == 0
    until(live, 1)
    live.command(ActAsBot(1, some_act(live, 1)))
    act, resumed, *_ = until(live, 1).command(Act(BO, some_act(live, 1)))
    assert (act.actor, resumed.public) == ("seat:1", SeatResumed(1))
    assert bots_playing(live.table) == ()
    assert code(live, ActAsBot(1, parsed({"type": "pass"}))) is Code.NOT_SEATED
    assert live.view("public")["leaving"] == {"agreed": (), "abandoned": (), "bots": ()}
    checked(finished(live, chance("back")))


def test_tl_7_3_an_absent_player_takes_the_seat_again() -> None:
    live = absent()
    live.command(SeatBot(ANNA, "", QUICK))
    (resumed,) = live.command(TakeSeat(BO))
    assert resumed.public == SeatResumed(1)
    assert bots_playing(live.table) == ()


def test_tl_7_3_an_absent_player_is_back_by_being_ready() -> None:
    live = ToyLive.started(options=ToyOptions(target=20), table=TableOptions(clock=Clock(seconds=10, absent_after=1)))
    assert live.table.running_deal is None
    live.time_up()
    assert live.table.leaving is not None
    (seat, *_) = live.table.leaving.bots
    asker = EVERYBODY[next(each for each in live.seats if each not in live.table.leaving.bots)]
    live.command(SeatBot(asker, "", QUICK, seat))
    rng = chance("ready again")
    while live.table.running_deal is not None or seat not in live.to_act:
        step(live, rng, rare=0)
    gate = live.game.course.gate
    assert gate is not None
    ready, resumed, *_ = live.command(Act(EVERYBODY[seat], gate()))
    assert (ready.public, resumed.public) == (PlayerReady(seat), SeatResumed(seat))
    intact(live)


def test_tl_7_3_a_substitute_whose_time_runs_out_goes() -> None:
    live = absent()
    live.command(SeatBot(ANNA, "", QUICK))
    made: list[str] = []
    for _ in range(2):
        until(live, 1)
        events = live.time_up()
        assert events[0].actor == "clock"
        made = types(events)
    assert "seat-taken-over" in made
    assert opponent_at(live.table, 1) is None
    assert live.table.leaving is not None
    assert live.table.leaving.bots == live.table.leaving.unattended == (1,)
    checked(finished(live, chance("goes")))


def test_tl_7_3_an_absent_player_who_abandons_leaves_the_seat_to_the_substitute() -> None:
    live = absent()
    live.command(SeatBot(ANNA, "", QUICK))
    assert [event.public for event in live.command(AbandonSeat(BO))] == [SeatAbandoned(1)]
    assert opponent_at(live.table, 1) == QUICK
    assert code(live, TakeSeat(BO)) is Code.ABANDONED
    checked(finished(live, chance("leaves")))


def test_tl_7_4_bots_agree_with_people() -> None:
    live = beside((1, STRONG))
    assert types(live.command(ProposeEnd(ANNA, agree=True))) == ["end-proposed"]
    assert types(live.command(ProposeEnd(CLEO, agree=True))) == ["end-proposed", "game-finished"]
    assert live.of(GameFinished)[0].reason == "ended by agreement"
    checked(live)


def test_tl_7_4_the_game_ends_when_the_house_plays_for_all_people() -> None:
    live = until(beside((1, STRONG)), 1)
    live.command(AbandonSeat(ANNA))
    live.command(SeatBot(CLEO, "", QUICK))
    assert live.table.status == "playing"
    live.command(AbandonSeat(CLEO))
    assert live.of(GameFinished)[0].reason == "no player is left"
    checked(live)


def test_tl_7_4_a_substitute_is_no_person() -> None:
    live = until(Live.started(), 1)
    live.command(AbandonSeat(ANNA))
    live.command(SeatBot(BO, "", QUICK))
    live.command(AbandonSeat(BO))
    live.command(SeatBot(CLEO, "", QUICK))
    assert live.table.status == "playing"
    live.command(AbandonSeat(CLEO))
    assert live.of(GameFinished)[0].reason == "no player is left"


@pytest.mark.parametrize("tables", TABLES, ids=lambda tables: tables.game.name)
def test_bots_play_every_game_to_its_end(tables: type[Live]) -> None:
    live = tables.opened(bots=[BotSeat(1, BOTS[1], QUICK)], deals=None)
    for seat in live.seats:
        if seat != 1:
            live.command(TakeSeat(EVERYBODY[seat], seat))
    rng = chance(("every game", tables.game.name))
    while live.table.scored < 1 and live.table.status == "playing":
        step(live, rng, rare=0)
    by_bot = [event for event in live.events if event.actor == "bot:1"]
    assert by_bot
    intact(live)
    for audience in (PUBLIC, "seat:0", "seat:1"):
        found = verified(exported(placed(live.records), audience))
        assert (found.verdict, [check.text for check in found.checks if not check.passed]) == ("unpinned", [])
