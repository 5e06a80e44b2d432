"""The toy's rules, one by one."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain.audit.auditor import audit
from domain.kernel.ledger import LineAt
from domain.kernel.rejection import Code, Rejected
from domain.record.history import record_command
from domain.record.recorded import rehash
from domain.table.actions import Entry, OpenDispute, RuleDispute, RunOut
from domain.table.deadlines import timer_of
from domain.table.events import CardsDealt, DealScored, DisputeOpened, GameFinished, LedgerCorrected, PlayerReady
from tests.games.dealing import assert_deals
from tests.games.toy.events import (
    BatchDealt,
    CardPassed,
    CardTurned,
    PledgeMade,
    PledgesOpened,
    Snapped,
    StockRenewed,
    TurnLapsed,
)
from tests.games.toy.game import TOY
from tests.games.toy.meta import PACK, Options, value
from tests.games.toy.tables import ToyLive
from tests.support.games import EVERYBODY, READER, chance, finished, moment

WON = {"brows": "As.1 4h.2 Ad.1 3c.2", "stock": "4s.2 Ah.1 4d.2 4c.2 3s.2"}
"""Nothing being captured, seats 1 and 3 win, 7 to 2."""


def played_out(live: ToyLive) -> ToyLive:
    """The deal, in which everybody lays the first card held."""
    scored = live.table.scored
    while live.table.scored == scored:
        live.do("lay", card=live.hand(live.turn)[0])
    return live


# the table


def test_ty_1_1_seats_sides_and_eldest() -> None:
    live = ToyLive.started(options=Options(target=100), deals=2)
    assert (live.table.dealer, len(live.seats)) == (None, 4)
    for eldest in (0, 1):
        live.pass_gate()
        assert (live.table.dealer, live.view("public")["eldest"], live.to_act) == (None, eldest, (eldest,))
        played_out(live.play_to("playing"))
    assert live.table.players[0] is not None
    assert TOY.course.side_of(3, Options()) == (1, 3)


def test_ty_1_2_cards_and_what_they_count() -> None:
    assert (len(PACK), PACK.cards[:3], PACK.cards[-1]) == (33, ("4s.1", "4s.2", "3s.1"), "Jo.1")
    assert [value(card) for card in ("4h.2", "3s.1", "2c.1", "Ad.2", "Jo.1")] == [4, 3, 2, 1, 5]


def test_ty_1_3_a_deal_waits_until_all_are_ready() -> None:
    live = ToyLive.started()
    assert (live.table.deal, live.to_act) == (None, (0, 1, 2, 3))
    live.act(2, "ready")
    assert live.to_act == (0, 1, 3)
    live.refuses(2, "ready", Code.RULE_VIOLATION, "TY-1.3")
    live.refuses(0, "snap", Code.WRONG_PHASE, "TY-1.3")
    for seat in (0, 1):
        live.act(seat, "ready")
    *_, dealt = live.act(3, "ready")
    assert isinstance(dealt.public, CardsDealt)
    live.refuses(0, "ready", Code.WRONG_PHASE, "TY-2.1")
    assert [ready.seat for ready in live.of(PlayerReady)] == [2, 0, 1, 3]


def test_ty_1_3_the_top_card_is_open_and_an_ace_or_the_joker_is_rejected() -> None:
    rejected = 0
    for number in range(20):
        live = ToyLive.started(seed=chance(number).randbytes(32))
        live.pass_gate()
        (dealt,) = live.of(CardsDealt)
        (shown,) = dealt.shown
        assert PACK.rank(shown.card) in "432"
        assert live.view("public")["table_cards"]["known"] == [shown.card]
        if dealt.rejected is not UNSET:
            rejected += 1
            assert all(PACK.rank(card) in ("A", "Jo") for (card,) in dealt.rejected)
    assert 0 < rejected < 20


def test_ty_1_3_who_sees_which_cards() -> None:
    live = ToyLive.dealt()
    for audience in (*live.audiences, "house"):
        for seat in live.view(audience)["seats"]:
            own, house = audience == f"seat:{seat['seat']}", audience == "house"
            assert len(seat["hand"]["known"]) == (2 if own or house else 0)
            assert len(seat["blind"]["known"]) == house
            assert len(seat["brow"]["known"]) == (not own and audience != "public")
            assert [pile["hidden"] + len(pile["known"]) for pile in (seat["hand"], seat["blind"], seat["brow"])] == [
                2,
                1,
                1,
            ]
    assert live.view("public")["stock"] == {"known": [], "hidden": 5}


def test_ty_1_4_the_game_is_over_at_the_target() -> None:
    live = ToyLive.started(options=Options(target=1))
    assert live.table.deals == 99
    finished(live, chance("target"))
    (end,) = live.of(GameFinished)
    assert end.reason == "target reached"
    assert max(end.totals) >= 1
    assert end.winners in ((0, 2), (1, 3))


def test_ty_1_4_nobody_is_waited_for_where_the_game_is_over() -> None:
    live = ToyLive.started(options=Options(target=1))
    finished(live, chance("target"))
    end = next(event.version for event in live.events if isinstance(event.public, GameFinished))
    for audience in live.audiences:
        assert live.view(audience, end - 1)["to_act"] == []


def test_ty_1_4_the_last_deal_ends_the_game_too() -> None:
    live = finished(ToyLive.started(options=Options(target=100), deals=2), chance("last"))
    assert live.of(GameFinished)[0].reason == "last deal scored"
    assert_deals(ToyLive, "TY-1.4", never=[0, 100])


def test_ty_1_4_a_correction_between_deals_may_end_the_game() -> None:
    live = played_out(ToyLive.dealt(options=Options(target=3), **WON).play_to("playing"))
    assert live.to_act == (0, 1, 2, 3)
    live.act(0, "ready")
    scored = next(event.version for event in live.events if isinstance(event.public, DealScored))
    live.command(OpenDispute(EVERYBODY[1], (LineAt(scored, 0),), None, "More."))
    more = tuple(Entry(seat, "bank", 3, "deal", "TY-4.1", "Deal won") for seat in (1, 3))
    _, corrected, finish = live.command(RuleDispute("an arbiter", 1, "upheld", "Indeed.", more))
    assert corrected.public.totals == (0, 3, 0, 3)
    assert (finish.public.reason, finish.public.winners) == ("target reached", (1, 3))
    assert live.table.status == "finished"


# the secrets


def test_ty_2_1_a_card_passed_is_a_secret_of_two() -> None:
    live = ToyLive.dealt()
    live.refuses(1, "pass", Code.NOT_YOUR_TURN, "TY-2.1", card="4h.1")
    live.refuses(0, "pass", Code.RULE_VIOLATION, "TY-2.1", card="4h.1")
    event, *_ = live.act(0, "pass", card="3s.1")
    assert event.public == CardPassed(0, 2)
    assert set(event.sealed) == {"seat:0", "seat:2"}
    assert live.hand(2) == ("3s.1", "4d.1", "3d.1")
    seen = {audience: live.view(audience)["seats"][2]["hand"] for audience in live.audiences}
    assert seen["seat:0"] == {"known": ["3s.1"], "hidden": 2}
    assert seen["seat:2"]["hidden"] == 0
    for other in ("public", "seat:1", "seat:3"):
        assert seen[other] == {"known": [], "hidden": 3}


def test_ty_2_2_all_pledge_at_once_and_unseen() -> None:
    live = ToyLive.dealt().play_to("pledging")
    assert live.to_act == (0, 1, 2, 3)
    (fields,) = live.offered(2, "pledge")
    assert [sorted(each) for each in fields["cards"]["one_of"]] == [[], ["3d.1", "3s.1"], ["4d.1"]]
    live.refuses(2, "pledge", Code.RULE_VIOLATION, "TY-2.2", cards=["3d.1"])
    sealed = live.act(2, "pledge", cards=["3d.1", "3s.1"])
    nothing = live.act(0, "pledge", cards=[])
    for (event,) in (sealed, nothing):
        assert isinstance(event.public, PledgeMade)
        assert set(event.sealed) == {f"seat:{event.public.seat}"}
    assert live.to_act == (1, 3)
    live.refuses(2, "pledge", Code.NOT_YOUR_TURN, "TY-2.2", cards=[])
    live.act(1, "pledge", cards=[])
    _, opened = live.act(3, "pledge", cards=["4c.1"])
    assert isinstance(opened.public, PledgesOpened)
    assert [len(pledge.cards) for pledge in opened.public.pledges] == [0, 0, 2, 1]
    assert set(live.view("public")["seats"][2]["hand"]["known"]) == {"3d.1", "3s.1"}


def test_ty_2_2_pledges_are_won_and_lost() -> None:
    live = ToyLive.dealt(brows="As.1 3h.2 Ad.1 3c.2").play_to("pledging")
    for seat, cards in ((0, ["4s.1"]), (1, ["4h.1"]), (2, []), (3, ["4c.1"])):
        live.act(seat, "pledge", cards=cards)
    played_out(live)
    assert live.score.outcome == "won"
    won = [("deal", "TY-4.1", 2), ("pledge", "TY-2.2", 2)]
    assert [live.booked(seat) for seat in live.seats] == [
        [("pledge", "TY-2.2", -1)],
        won,
        [("pledge", "TY-2.2", -1)],
        won,
    ]


# the play


def test_ty_3_1_turns_go_to_those_who_hold_cards() -> None:
    live = ToyLive.dealt().play_to("playing")
    assert live.types(0) == {"lay", "turn"}
    live.refuses(1, "lay", Code.NOT_YOUR_TURN, "TY-3.1", card="4h.1")
    order = []
    for _ in range(8):
        order.append(live.turn)
        live.do("lay", card=live.hand(live.turn)[0])
    # Eldest has passed a card to the partner.
    assert order == [0, 1, 2, 3, 1, 2, 3, 2]


def test_ty_3_2_a_card_captures_sets_of_its_value() -> None:
    live = ToyLive.dealt(hands=("4s.1 3s.1", "3h.1 2h.2", "Ad.2 3d.1", "4c.1 3c.1")).play_to("playing")
    live.do("turn")
    live.do("lay", card="2h.2")
    assert live.view("public")["table_cards"]["known"] == ["2s.1", "2s.2", "2h.2"]
    live.do("lay", card="Ad.2")
    taken = {tuple(fields["card"]["one_of"]): fields["taken"]["sets_of"] for fields in live.offered(3, "capture")}
    assert set(taken) == {("4c.1",), ("3c.1",)}
    assert (taken["4c.1",]["total"], taken["4c.1",]["min"]) == (4, 1)
    live.refuses(3, "capture", Code.RULE_VIOLATION, "TY-3.2", card="4c.1", taken=["2s.1"])
    live.refuses(3, "capture", Code.RULE_VIOLATION, "TY-3.2", card="4c.1", taken=[])
    event, *_ = live.act(3, "capture", card="4c.1", taken=["2h.2", "2s.1"])
    assert event.public.taken == ("2s.1", "2h.2")
    assert live.view("public")["captured"] == [0, 8]


def test_ty_3_3_the_unseen_card_is_opened_to_all() -> None:
    live = ToyLive.dealt().play_to("playing")
    dealt = next(event for event in live.events if isinstance(event.public, CardsDealt))
    event, *_ = live.act(0, "turn")
    assert isinstance(event.public, CardTurned)
    assert (event.sealed, event.public.turned.card) == ({}, "2s.1")
    assert event.public.turned in dealt.sealed["house"].talon
    assert live.view("seat:0")["seats"][0]["blind"] == {"known": [], "hidden": 0}
    while live.turn != 0:
        live.do("turn")
    live.refuses(0, "turn", Code.RULE_VIOLATION, "TY-3.3")


def test_ty_3_4_the_first_to_snap_wins_the_point() -> None:
    live = ToyLive.dealt().play_to("playing")
    live.refuses(3, "snap", Code.RULE_VIOLATION, "TY-3.4")
    live.do("turn")  # a two on the two turned up
    assert all("snap" in live.types(seat) for seat in live.seats)
    assert live.to_act == (1,)
    live.act(3, "snap")
    live.refuses(2, "snap", Code.LOST_RACE, "TY-3.4")
    live.refuses(3, "snap", Code.RULE_VIOLATION, "TY-3.4")
    live.do("lay", card="4h.1")
    live.refuses(2, "snap", Code.RULE_VIOLATION, "TY-3.4")
    assert live.of(Snapped) == [Snapped(3)]
    played_out(live)
    assert [("snap", "TY-3.4", 1) in live.booked(seat) for seat in live.seats] == [False, True, False, True]


def test_ty_3_5_batches_come_from_the_stock() -> None:
    live = ToyLive.dealt().play_to("playing")
    events = [event for _ in range(8) for event in live.do("lay", card=live.hand(live.turn)[0])]
    batch = events[-1]
    assert batch.public == BatchDealt(1)
    assert [live.hand(seat) for seat in live.seats] == [("4s.2",), ("4h.2",), ("4d.2",), ("4c.2",)]
    seen = [seat["hand"] for seat in live.view("seat:1")["seats"]]
    assert seen == [{"known": ["4h.2"] if seat == 1 else [], "hidden": int(seat != 1)} for seat in live.seats]
    # One card is left in the stock, and nothing was captured.
    played_out(live)
    assert (live.of(StockRenewed), live.score.outcome) == ([], "level")


def test_ty_3_5_the_captured_cards_renew_the_stock_at_places_of_their_own() -> None:
    live = ToyLive.dealt().play_to("playing")
    for laid, captured in (("4s.1", "4h.1"), ("4d.1", "4c.1")):
        live.do("lay", card=laid)
        live.do("capture", card=captured, taken=[laid])
    while not live.of(StockRenewed):
        events = live.do("lay", card=live.hand(live.turn)[0])
    _, renewed, batch = events
    assert isinstance(batch.public, BatchDealt)
    assert (renewed.public.renewal, len(renewed.public.card_commitments)) == (1, 4)
    stock = renewed.sealed["house"].stock
    assert [opening.position for opening in stock] == [22, 23, 24, 25]
    assert {opening.card for opening in stock} == {"4s.1", "4h.1", "4d.1", "4c.1"}
    first, *others = [batch.sealed[f"seat:{seat}"].cards[0] for seat in live.seats]
    assert (first.card, others) == ("3s.2", list(stock[:3]))
    assert live.view("public")["discards"] == {"known": [], "hidden": 0}


def test_ty_3_6_the_time_for_a_turn_runs_out() -> None:
    live = ToyLive.dealt(options=Options(limit=30)).play_to("pledging")
    assert timer_of(TOY, live.table) is None
    live.play_to("playing")
    timer = timer_of(TOY, live.table)
    assert timer is not None
    assert (timer.since, timer.seconds, timer.event) == (live.version, 30, TurnLapsed(0))
    live.do("turn")
    with pytest.raises(Rejected) as refused:
        live.command(RunOut(timer.since))
    assert refused.value.code == Code.WRONG_PHASE
    lapse, *_ = live.run_out()
    assert (lapse.actor, lapse.public) == ("clock", TurnLapsed(1))
    assert live.score.outcome == "lapsed"
    assert [live.booked(seat) for seat in live.seats] == [[("deal", "TY-3.6", 2)], []] * 2
    assert timer_of(TOY, ToyLive.dealt(options=Options(limit=0)).play_to("playing").table) is None


@pytest.mark.parametrize(("early", "verdict"), [(0, "intact"), (1, "altered")])
def test_ty_3_6_the_audit_looks_at_the_time(early: int, verdict: str) -> None:
    live = finished(ToyLive.started(options=Options(target=1, limit=30)), chance("before"))
    live = ToyLive(
        live.records[: 1 + next(n for n, e in enumerate(live.events) if isinstance(e.public, PledgesOpened))]
    )
    timer = timer_of(TOY, live.table)
    assert timer is not None
    # The pledges were opened with the last of them, which was made when the table had two events fewer.
    late = moment(live.version, timer.seconds - 2)
    _, records = record_command(TOY, live.history, RunOut(timer.since), late)
    before = moment(live.version, timer.seconds - 2 - early)
    altered, previous = list(live.records), live.records[-1].hash
    for record in records:
        altered.append(replace(record, at=before.at))
        previous = rehash(altered[-1], previous)
        altered[-1] = replace(altered[-1], hash=previous)
    assert audit(READER, altered).verdict == verdict
    if early:
        with pytest.raises(Rejected) as refused:
            record_command(TOY, live.history, RunOut(timer.since), before)
        assert refused.value.rule == "TY-3.6"


# the score


def test_ty_4_1_the_side_that_captured_more_wins() -> None:
    live = ToyLive.dealt(**WON).play_to("playing")
    played_out(live)
    assert (live.score.outcome, live.score.captured) == ("won", (2, 7))
    assert [live.table.totals[seat] for seat in live.seats] == [0, 2, 0, 2]
    assert all(line.text == "Deal won" for line in live.score.lines)


def test_ty_4_1_a_dispute_takes_in_the_partners_line() -> None:
    live = played_out(ToyLive.dealt(**WON).play_to("playing"))
    scored = next(event.version for event in live.events if isinstance(event.public, DealScored))
    live.command(OpenDispute(EVERYBODY[1], (LineAt(scored, 0),), None, "Not so."))
    (disputed,) = live.of(DisputeOpened)
    assert disputed.lines == (LineAt(scored, 0), LineAt(scored, 2))
    live.command(RuleDispute("an arbiter", 1, "upheld", "Indeed."))
    (corrected,) = live.of(LedgerCorrected)
    assert corrected.totals == (0, 0, 0, 0)
