"""KH-6: bumps, answered at once and sealed, challenges, and laid melds."""

from typing import Any

import pytest

from domain.games.khanhoo.acts import Bump, Challenge
from domain.games.khanhoo.events import (
    BumpChallenged,
    Bumped,
    BumpsAnnounced,
    BumpYielded,
    Claim,
    ClaimAnswered,
    DiscardTaken,
    HandsShown,
    MeldLaid,
    StockRenewed,
)
from domain.kernel.event import Event
from domain.kernel.rejection import Code, Rejected
from domain.seats import HOUSE
from domain.table.why import why_not
from tests.games.khanhoo.tables import KhanhooLive, dealt

RULE, ORDER = Code.RULE_VIOLATION, Code.NOT_YOUR_TURN


def test_kh_6_1_two_players_claim_nothing() -> None:
    live = dealt({0: "9h"}, players=2)
    live.discard(0, "9h")
    assert live.phase == "draw"


@pytest.mark.parametrize(("players", "asked"), [(3, (2,)), (4, (2, 3))])
def test_kh_6_1_all_but_the_discarder_and_the_next_player_are_asked(players: int, asked: tuple[int, ...]) -> None:
    live = dealt({0: "9h 2h"}, players=players)
    live.discard(0, "9h")
    assert (live.phase, live.to_act) == ("claim", asked)
    for seat in set(live.seats) - set(asked):
        assert live.offers(seat) == ()
        live.refuses(seat, "let-go", ORDER, "KH-6.1")
        live.refuses(seat, "bump", ORDER, "KH-6.1", meld="aces", cards=[])
    live.refuses(1, "draw-stock", Code.WRONG_PHASE, "KH-6.1")


def test_kh_6_1_nobody_draws_before_all_have_answered_and_each_answers_once() -> None:
    live = dealt({0: "9h"}, players=4)
    live.discard(0, "9h")
    live.act(3, "let-go")
    assert live.to_act == (2,)
    live.refuses(3, "let-go", ORDER, "KH-6.1")
    live.act(2, "let-go")
    assert (live.phase, live.turn) == ("discard", 1)
    assert live.of(BumpsAnnounced) == [BumpsAnnounced((), None)]


def test_kh_6_1_who_cannot_bump_is_asked_too() -> None:
    live = dealt({0: "9h", 2: "Ah As Ad 2h 2s 2d 3h 3s 3d 4h 4s 4d 5h 5s 5d"})
    live.discard(0, "9h")
    assert live.to_act == (2,)
    assert live.types(2) == {"let-go"}


def test_kh_6_1_a_bumpers_discard_is_asked_for_as_well() -> None:
    live = dealt({0: "6h", 2: "6s Jo 4s", 1: "4h"})
    live.discard(0, "6h")
    live.bump(2, "triplet", "6s Jo")
    live.act(1, "yield")
    live.discard(2, "4s")
    assert (live.phase, live.to_act) == ("claim", (1,))


def test_kh_6_2_a_bump_names_a_meld_and_cards_that_make_it_with_the_discard() -> None:
    live = dealt({0: "6h", 2: "6s Jo 6d 5h 4h 2s 2d 9d 8d 8h 7h Kc Qc 3s As"})
    live.discard(0, "6h")
    made = {tuple(sorted(cards)) for fields in live.offered(2, "bump") for cards in fields["cards"]["one_of"]}
    assert made == {("6d.1", "6s.1"), ("6s.1", "Jo.1"), ("6d.1", "Jo.1")}
    for meld, cards in (
        ("triplet", ["6s.1"]),
        ("triplet", ["6s.1", "5h.1"]),
        ("triplet", ["6s.1", "6d.2"]),
        ("triplet", ["6s.1", "6d.1", "Jo.1"]),
        ("triplet", ["2s.1", "2d.1"]),
        ("aces", ["6s.1", "6d.1"]),
    ):
        live.refuses(2, "bump", RULE, "KH-6.2", meld=meld, cards=cards)
    live.act(2, "bump", meld="triplet", cards=["6s.1", "6d.1"])


def test_kh_6_2_says_what_is_wrong_with_a_bump() -> None:
    live = dealt({0: "6h 6h", 1: "6d 6d", 2: "6s 5h 4h"})
    live.discard(0, "6h")
    for meld, cards, detail in (
        ("triplet", ["6s.1", "6d.1"], "you do not hold 6d.1"),
        ("triplet", ["6s.1", "5h.1"], "the discard 6h.1 with 6s.1, 5h.1 makes no triplet (KH-5.3)"),
        ("sequence", ["4h.1", "5h.1"], "a sequence is no bump"),
        ("sequence", ["6d.1", "5h.1"], "a sequence is no bump"),
    ):
        assert live.refuses(2, "bump", RULE, "KH-6.2", meld=meld, cards=cards) == detail
    asked = why_not(live.game, live.table, 2, Bump, {})
    assert asked is not None
    assert (asked.rule, asked.detail) == ("KH-6.2", "the discard 6h.1 makes no meld with cards of your hand")


def test_kh_6_2_a_joker_that_was_discarded_makes_a_meld() -> None:
    live = dealt({0: "Jo", 2: "Ah 2s"})
    live.discard(0, "Jo")
    live.bump(2, "khanhoo", "Ah 2s")
    live.act(1, "yield")
    assert live.of(MeldLaid)[0].cards == ("2s.1", "Ah.1", "Jo.1")


# the three seats of example 7

EXAMPLE = {0: "Ah 9h 8h", 2: "2s 3d", 3: "As As"}


def example(next_player: str = "") -> KhanhooLive:
    """Example 7: seat 2 bumps with khanhoo, seat 3 with aces."""
    live = dealt({**EXAMPLE, 1: next_player}, players=4)
    live.discard(0, "Ah")
    live.bump(3, "aces", "As As")
    live.bump(2, "khanhoo", "2s 3d")
    return live


def test_kh_6_3_answers_are_sealed_until_the_last_is_in() -> None:
    live = dealt(EXAMPLE, players=4)
    live.discard(0, "Ah")
    (event,) = live.bump(3, "aces", "As As")
    assert (event.public, set(event.sealed)) == (ClaimAnswered(3), {"seat:3"})
    for audience in live.audiences:
        view = live.view(audience)
        assert (view["answered"], view["to_act"], view["bumps"], view["standing"]) == ([3], [2], [], None)
        own = {"meld": "aces", "cards": ["As.1", "As.2"]} if audience == "seat:3" else None
        assert view["answers"] == [{"seat": 3, "claim": own}]
    answered, announced = live.bump(2, "khanhoo", "2s 3d")
    assert announced.public == BumpsAnnounced((Bumped(2, "khanhoo"), Bumped(3, "aces")), 2)
    assert announced.sealed == {}
    assert answered.public == ClaimAnswered(2)


@pytest.mark.parametrize("act", ["bump", "let-go"])
def test_kh_6_3_an_answer_shows_others_the_same_whatever_it_is(act: str) -> None:
    def answered(act: str) -> Event[Any]:
        live = dealt(EXAMPLE, players=4)
        live.discard(0, "Ah")
        (event,) = live.bump(3, "aces", "As As") if act == "bump" else live.act(3, "let-go")
        return event

    one, other = answered(act), answered("let-go")
    assert (one.public, one.actor, list(one.sealed)) == (other.public, other.actor, list(other.sealed))
    assert [type(section) for section in one.sealed.values()] == [Claim]


def test_kh_6_3_the_bump_of_more_points_stands() -> None:
    live = example()
    assert (live.phase, live.view("public")["standing"]) == ("challenge", 2)
    live = dealt({0: "Ah", 2: "As As", 3: "2s 3d"}, players=4)
    live.discard(0, "Ah")
    live.bump(2, "aces", "As As")
    live.bump(3, "khanhoo", "2s 3d")
    assert live.of(BumpsAnnounced) == [BumpsAnnounced((Bumped(2, "aces"), Bumped(3, "khanhoo")), 3)]


@pytest.mark.parametrize("first", [1, 2])
def test_kh_6_3_of_equal_bumps_that_nearer_to_the_discarders_left(first: int) -> None:
    live = dealt({3: "5h", 1: "5s 5d", 2: "5s 5d"}, players=4, eldest=3)
    live.discard(3, "5h")
    for seat in (first, 3 - first):
        live.bump(seat, "triplet", "5s 5d")
    assert live.of(BumpsAnnounced)[0].standing == 1


def test_kh_6_4_the_next_player_challenges_or_yields_and_is_asked_in_any_case() -> None:
    live = example()
    assert live.to_act == (1,)
    assert live.types(1) == {"yield"}
    live.refuses(1, "let-go", Code.WRONG_PHASE, "KH-6.4")
    live.refuses(2, "yield", ORDER, "KH-6.4")
    detail = live.refuses(1, "challenge", RULE, "KH-6.4", meld="sequence", cards=["2s.1", "3d.1"])
    assert detail == "sequence is worth 1, and the bump, khanhoo, 5"
    own = live.hand(1)[:2]
    detail = live.refuses(1, "challenge", RULE, "KH-6.4", meld="khanhoo", cards=own)
    assert detail == f"the discard Ah.1 with {', '.join(own)} makes no khanhoo (KH-5.6)"
    other = live.hand(2)[:1]
    detail = live.refuses(1, "challenge", RULE, "KH-6.4", meld="khanhoo", cards=other)
    assert detail == f"you do not hold {other[0]}"
    asked = why_not(live.game, live.table, 1, Challenge, {})
    assert asked is not None
    worth = "the discard Ah.1 makes no meld that is worth 5 with cards of your hand"
    assert (asked.rule, asked.detail) == ("KH-6.4", worth)


def test_kh_6_4_a_challenge_is_worth_no_less_than_the_bump() -> None:
    live = example("Ad Ad 2h 3h 2s 3d 9d 9d 8d 8d 7d 7d 6d 6d 5d")
    offered = {fields["meld"]["one_of"] for fields in live.offered(1, "challenge")}
    assert offered == {("khanhoo",)}
    live.refuses(1, "challenge", RULE, "KH-6.4", meld="sequence", cards=live.cards(1, "2h 3h"))
    with pytest.raises(Rejected, match="aces is worth 1, and the bump, khanhoo, 5"):
        live.challenge(1, "aces", "Ad Ad")
    live.refuses(1, "challenge", RULE, "KH-6.4", meld="aces", cards=live.cards(1, "Ad Ad"))
    event, *_ = live.challenge(1, "khanhoo", "2s 3d")
    assert event.public == BumpChallenged(1, "khanhoo")
    assert event.sealed == {"seat:1": Claim("khanhoo", ("2s.1", "3d.1"))}


def test_kh_6_4_a_sequence_challenges_where_it_is_worth_enough() -> None:
    live = dealt({0: "Ah", 1: "2h 3h 4h", 2: "As As"})
    live.discard(0, "Ah")
    live.bump(2, "aces", "As As")
    live.refuses(1, "challenge", RULE, "KH-6.4", meld="sequence", cards=live.cards(1, "2h 4h"))
    live.challenge(1, "sequence", "2h 3h 4h")
    assert "Ah.1" in live.hand(1)


def test_kh_6_5_a_challenge_voids_the_bump_and_the_discard_is_drawn() -> None:
    live = example("2s 3d 9s")
    hand = live.hand(1)
    _, taken = live.challenge(1, "khanhoo", "2s 3d")
    assert (taken.public, taken.actor) == (DiscardTaken(1, "Ah.1"), HOUSE)
    assert live.of(MeldLaid) == []
    assert (live.phase, live.turn) == ("discard", 1)
    assert set(live.hand(1)) == {*hand, "Ah.1"}
    assert all(not seat["laid"] for seat in live.view("public")["seats"])
    live.do("discard", card="Ah.1")


def last_of_stock() -> KhanhooLive:
    """The stock is empty, the turn is over, and seat 2 has bumped."""
    live = dealt({0: "Ah 9d 9d 8d 8d 7d", 1: "2s 3d 9h 9h 8h 8h 7h", 2: "As As 9s 9s 8s 8s 7s"}, turn_limit=40)
    while live.view("public")["stock"]["hidden"]:
        if live.phase == "draw":
            live.do("draw-stock")
        if live.view("public")["stock"]["hidden"]:
            live.do("discard", card=next(card for card in live.hand(live.turn) if card[0] in "987"))
            live.let_go()
    assert live.turn == 0
    live.discard(0, "Ah")
    live.bump(2, "aces", "As As")
    return live


def test_kh_6_5_the_stock_is_renewed_before_a_challenger_draws() -> None:
    live = last_of_stock()
    _, renewed, taken = live.challenge(1, "khanhoo", "2s 3d")
    assert isinstance(renewed.public, StockRenewed)
    assert taken.public == DiscardTaken(1, "Ah.1")
    assert live.view("public")["discards"] == []


def test_kh_6_6_the_stock_is_not_renewed_for_a_bumper() -> None:
    live = last_of_stock()
    live.act(1, "yield")
    assert (live.phase, live.turn, live.of(StockRenewed)) == ("discard", 2, [])
    live.do("discard", card=live.hand(2)[0])
    live.let_go()
    assert live.events[-1].public.renewal == 1
    assert (live.phase, live.turn) == ("draw", 0)


def test_kh_6_6_the_bumper_lays_the_meld_and_discards_and_those_between_are_skipped() -> None:
    live = example()
    yielded, laid = live.act(1, "yield")
    assert yielded.public == BumpYielded(1)
    assert laid.public == MeldLaid(2, "khanhoo", ("2s.1", "Ah.1", "3d.1"))
    assert (live.phase, live.turn, len(live.hand(2))) == ("discard", 2, 13)
    live.refuses(1, "discard", Code.NOT_YOUR_TURN, "KH-6.6", card=live.hand(1)[0])
    live.refuses(1, "draw-discard", Code.WRONG_PHASE, "KH-6.6")
    assert live.view("public")["seats"][2]["laid"] == [{"meld": "khanhoo", "cards": ["2s.1", "Ah.1", "3d.1"]}]
    live.do("discard", card=live.hand(2)[-1])
    live.let_go()
    assert live.turn == 3
    assert live.of(DiscardTaken)[-1].seat == 3


def test_kh_6_6_a_laid_meld_is_never_changed() -> None:
    live = example()
    live.act(1, "yield")
    # It is in the hand no more.
    live.refuses(2, "discard", RULE, "KH-4.1", card="Ah.1")


def test_kh_6_6_a_bumper_may_go_out() -> None:
    live = dealt({0: "Ah", 2: "2s 3d Ah 2s 3d Kc Qc Jc 5h 5s 5d 7d 7d Jc 9s"})
    live.discard(0, "Ah")
    live.bump(2, "khanhoo", "2s 3d")
    live.act(1, "yield")
    live.go_out(2, "9s")
    assert live.scores().out == 2
    laid, in_hand = ("KH-5.6", 5), [("KH-5.3", 2), ("KH-5.4", 3), ("KH-5.5", 4), ("KH-5.6", 5)]
    assert live.booked(2) == [laid, *in_hand, ("KH-8.2", 5)]


def all_laid() -> KhanhooLive:
    """Seat 2 has bumped five times, each time with a discard of seat 0, and lays fifteen cards."""
    halves = "2s 3d 5s 5d 6s 6d 7s 7d 8s 8d"
    live = dealt({0: "Ah 5h 6h 7h 8h", 1: "9s 9s", 2: f"{halves} 9d 4s 4d 3h 2h"}, turn_limit=40)
    live.discard(0, "Ah")
    live.bump(2, "khanhoo", "2s 3d")
    live.act(1, "yield")
    for spare, rank in zip(("9d", "4s", "4d", "3h"), "5678", strict=True):
        live.discard(2, spare)
        live.let_go()
        live.act(0, "draw-stock")
        live.discard(0, f"{rank}h")
        live.bump(2, "triplet", f"{rank}s {rank}d")
        live.act(1, "yield")
    return live


def test_kh_6_7_who_has_laid_fifteen_cards_is_out_at_once() -> None:
    live = all_laid()
    (shown,) = live.of(HandsShown)
    assert (live.scores().outcome, live.scores().out) == ("all-laid", 2)
    assert len(live.of(MeldLaid)) == 5
    assert len(shown.hands[2].cards) == 1
    assert live.divisions(2) == []
    assert live.booked(2) == [("KH-5.6", 5), *[("KH-5.3", 2)] * 4, ("KH-8.2", 5)]
