"""ND-4 to ND-7: what cards score and count, when a deal and the game end, and what is booked."""

from collections import Counter

import pytest

from domain.games.don.contracts import COUNTING, COUNTS, SCORING, scoring
from domain.games.don.events import TrickScored
from domain.games.don.meta import scores
from domain.games.don.scoring import for_game
from domain.parts.tricks import CardPlayed, TrickWon
from domain.table.events import CardsDealt, DealScored, GameFinished, LedgerCorrected
from tests.games.don.checker import at_once, towards_game
from tests.games.don.tables import (
    FIVE,
    PACK,
    QUEEN_AND_JACK,
    TRUMPS,
    WORTHLESS,
    DonLive,
    begun,
    dealt,
    planned,
    play,
    played,
)
from tests.golden.games import events as golden_events
from tests.support.for_each import for_each
from tests.support.games import chance, finished, step

BLANK = WORTHLESS[1:]
"""Eight tricks of other suits in which nothing scores."""
ALL = (
    "As Ks Qs Js", "Ts 9s 8s 7s", "6s 5s 4s 3s",
    "Ah Kh Qh Jh", "Th 9h 8h 7h", "6h 5h 4h 3h", "6d 5d 4d 3d", "6c 5c 4c 3c", "Ad Kd Qd Jd",
)  # fmt: skip
"""A deal in which every scoring card is dealt."""


@pytest.mark.parametrize("trump", "shdc")
def test_nd_4_1_what_each_card_scores(trump: str) -> None:
    for card in PACK:
        row = scoring(card, trump)  # type: ignore[arg-type] # a suit
        assert (0 if row is None else row.points) == at_once(card, trump)


def test_nd_4_1_the_table_of_points() -> None:
    table = {(row.rank, row.trump): row.points for row in SCORING}
    trumps = {"5": 10, "9": 9, "A": 4, "K": 3, "Q": 2, "J": 1}
    assert table == {(rank, True): points for rank, points in trumps.items()} | {("5", False): 5}


def test_nd_4_1_five_jack_and_ace_of_trumps_are_fifteen() -> None:
    live = dealt({0: "5h", 1: "Jh", 2: "Ah", 3: "2c Kc Qc Jc Tc 9c 8c 7c 6c"})
    for card in ("5h", "Jh", "Ah", "2c"):
        live.do("play", card=card)
    (won,) = live.of(TrickScored)
    assert (won.seat, won.score) == (2, 15)
    assert [(each.card, each.points) for each in won.points] == [("5h", 10), ("Jh", 1), ("Ah", 4)]
    assert live.scores() == [15, 0]


def test_nd_4_1_fives_of_trumps_and_of_diamonds_are_fifteen() -> None:
    clubs = "Kc Qc Jc Tc 9c 8c 7c"
    live = dealt({0: "As 5d", 1: "3s 9d", 2: "4s Kd", 3: f"6s 5s {clubs}"})
    for card in ("As", "3s", "4s", "6s", "5d", "9d", "Kd", "5s"):
        live.do("play", card=card)
    *_, won = live.of(TrickScored)
    assert (won.seat, [(each.card, each.points) for each in won.points]) == (3, [("5d", 5), ("5s", 10)])
    assert live.scores() == [4, 15]


def test_nd_4_1_the_side_scores_whoever_of_it_wins() -> None:
    live = played(("As 9s 8s 7s", *BLANK), [2, 0, 1, 2, 3, 0, 1, 2, 3], dealer=0)
    assert [(won.seat, won.score) for won in live.of(TrickScored)] == [
        (seat, 13 * (seat % 2 == 0)) for seat in (2, 0, 1, 2, 3, 0, 1, 2, 3)
    ]


def test_nd_4_2_all_cards_of_a_trick_score_together() -> None:
    live = begun(planned(ALL, [1] * 9))
    trick = planned(ALL, [1] * 9).tricks[0]
    for _ in range(3):
        live.do("play", card=trick[live.turn])
        assert live.scores() == [0, 0]
    live.do("play", card=trick[live.turn])
    assert live.scores() == [0, 10]


def test_nd_4_2_a_deal_gives_44_points_at_most() -> None:
    live = played(ALL, [1, 1, 1, 1, 1, 1, 1, 1, 1])
    assert [side.points for side in live.score.sides] == [0, 44]
    live = played(ALL, [1, 0, 1, 0, 1, 0, 1, 0, 1])
    assert [side.points for side in live.score.sides] == [19, 25]


def test_nd_4_2_cards_that_were_not_dealt_score_for_nobody() -> None:
    live = played(WORTHLESS, [0] * 9)
    assert [side.points for side in live.score.sides] == [0, 0]
    assert {line.kind for line in live.score.lines} == {"game"}


# game


def test_nd_5_1_what_each_card_counts() -> None:
    assert [(row.rank, row.count) for row in COUNTING] == [("A", 4), ("K", 3), ("Q", 2), ("J", 1), ("T", 10)]
    assert [COUNTS.get(card, 0) for card in PACK] == [towards_game(card) for card in PACK]
    assert sum(COUNTS.values()) == 80


def test_nd_5_1_trumps_count_too() -> None:
    live = played(("As Ks Qs Js", *BLANK), [0] * 9)
    assert [side.count for side in live.score.sides] == [70, 0]


@pytest.mark.parametrize(
    ("first", "second", "game"),
    [
        ("As Ks Td", "Th Jc", (8, 0)),
        ("Th Jc", "As Ks Td", (0, 8)),
        ("As Ks Td", "Th As Qs Jc", (0, 0)),
        ("", "", (0, 0)),
        ("Jh", "", (8, 0)),
    ],
)
def test_nd_5_2_the_higher_count_scores_eight(first: str, second: str, game: tuple[int, int]) -> None:
    assert for_game(tuple([sum(map(COUNTS.__getitem__, cards.split())) for cards in (first, second)])) == game


@pytest.mark.parametrize(
    ("winners", "outcome", "counts", "points"),
    [
        ([0, 0, 0, 2, 0, 2, 0, 1, 3], "game-won", [40, 20], (8, 0)),
        ([0, 0, 0, 1, 3, 1, 3, 1, 0], "game-won", [10, 50], (0, 8)),
        ([1, 1, 1, 0, 1, 2, 3, 0, 1], "game-equal", [30, 30], (0, 0)),
    ],
)
def test_nd_5_2_for_game(winners: list[int], outcome: str, counts: list[int], points: tuple[int, int]) -> None:
    live = played(WORTHLESS, winners)
    assert live.score.outcome == outcome
    assert [side.count for side in live.score.sides] == counts
    assert tuple(side.game for side in live.score.sides) == points
    assert live.score.totals == (*points, *points)


# the end


def test_nd_6_1_a_side_that_gets_there_in_a_trick_has_won_and_the_deal_ends() -> None:
    live = played((QUEEN_AND_JACK, *BLANK), [2] * 9, scores=(118, 120))
    assert len(live.of(CardPlayed)) == 4
    assert live.score.outcome == "target-reached"
    assert live.score.totals == (121, 120, 121, 120)
    assert [(side.points, side.count, side.game) for side in live.score.sides] == [(3, None, 0), (0, None, 0)]
    assert live.of(GameFinished)[0].winners == (0, 2)
    assert [event.public.TYPE for event in live.events[-3:]] == ["trick-won", "deal-scored", "game-finished"]
    assert live.to_act == ()


def test_nd_6_1_nobody_is_to_act_once_a_side_is_there() -> None:
    live = played((QUEEN_AND_JACK, *BLANK), [2] * 9, scores=(118, 120))
    won = live.version - 2
    for audience in (*live.audiences, "house"):
        assert live.view(audience, won)["to_act"] == []


@for_each("reached", range(1, 9))
def test_nd_6_1_in_whatever_trick(reached: int) -> None:
    fours = (TRUMPS, *BLANK[: reached - 1], FIVE, *BLANK[reached - 1 : -1])
    live = played(fours, [3, *[0] * (reached - 1), 1, *[2] * (8 - reached)], scores=(80, 86), target=91)
    assert [won.trick for won in live.of(TrickWon)] == list(range(1, reached + 2))
    assert live.score.outcome == "target-reached"
    assert live.of(GameFinished)[0].winners == (1, 3)


def test_nd_6_1_in_the_ninth_trick_game_is_not_counted_any_more() -> None:
    # Seats 0 and 2 would have game, and with it the target too.
    live = played((TRUMPS, *BLANK[2:], "6d 4d 3d 2d", FIVE), [0] * 8 + [1], scores=(115, 116))
    assert len(live.of(TrickWon)) == 9
    assert live.score.outcome == "target-reached"
    assert live.score.totals == (115, 121, 115, 121)
    assert [side.count for side in live.score.sides] == [None, None]
    assert live.of(GameFinished)[0].winners == (1, 3)


def test_nd_6_1_only_a_score_at_the_target_ends_the_deal() -> None:
    live = played((QUEEN_AND_JACK, *BLANK), [0] * 9, scores=(117, 0))
    assert len(live.of(TrickWon)) == 9
    assert live.score.totals == (128, 0, 128, 0)
    assert live.score.outcome == "game-won"


def test_nd_6_1_the_target_can_be_reached_by_game() -> None:
    live = played(WORTHLESS, [0, 0, 0, 2, 0, 2, 0, 1, 3], scores=(114, 117))
    assert live.score.totals == (122, 117, 122, 117)
    assert live.of(GameFinished)[0].winners == (0, 2)


def test_nd_6_1_where_game_is_equal_the_next_deal_begins() -> None:
    live = played(WORTHLESS, [1, 1, 1, 0, 1, 2, 3, 0, 1], scores=(116, 119))
    assert (live.score.outcome, live.score.totals) == ("game-equal", (116, 119, 116, 119))
    assert (live.table.status, live.table.deal, live.phase) == ("playing", 3, "pitch")


def test_nd_6_2_each_trick_and_game_score_for_one_side() -> None:
    rng = chance("one side")
    for number in range(6):
        live = DonLive.started(seed=bytes([number]) * 32)
        scores = [0, 0]
        while live.table.scored < 2:
            before = live.scores()
            step(live, rng)
            scores = live.scores()
            assert sum(one != other for one, other in zip(before, scores, strict=True)) <= 1 or live.phase == "pitch"
        for scored in live.of(DealScored):
            assert sum(side.game > 0 for side in scored.sides) <= 1


def test_nd_6_3_points_beyond_the_target_stay() -> None:
    live = played(("As 9s 8s 7s", *BLANK), [0] * 9, scores=(120, 0))
    assert live.score.totals == live.of(GameFinished)[0].totals == (133, 0, 133, 0)


def test_nd_6_4_a_deal_goes_by_the_scores_it_began_with() -> None:
    plan = planned((QUEEN_AND_JACK, *BLANK), [0] * 9)
    live = begun(plan, scores=(110, 50))
    live.correct(10, 0)
    assert live.table.totals == (120, 50, 120, 50)
    assert live.scores() == [110, 50]
    play(live, plan)
    # By the accounts seats 0 and 2 had 123 after the first trick.
    assert len(live.of(TrickWon)) == 9
    assert live.score.totals == (131, 50, 131, 50)
    assert live.of(GameFinished)[0].winners == (0, 2)


def test_nd_6_4_a_correction_may_end_the_game_after_the_deal() -> None:
    plan = planned(WORTHLESS, [1, 1, 1, 0, 1, 2, 3, 0, 1])
    live = begun(plan, scores=(110, 50))
    live.correct(11, 0)
    assert live.table.status == "playing"
    play(live, plan)
    (end,) = live.of(GameFinished)
    assert (end.reason, end.totals, end.winners) == ("target reached", (121, 50, 121, 50), (0, 2))


def test_nd_6_4_otherwise_another_deal_follows() -> None:
    plan = planned((QUEEN_AND_JACK, *BLANK), [0] * 9)
    live = begun(plan, scores=(118, 50))
    live.correct(-20, 0)
    play(live, plan)
    assert (live.score.outcome, live.score.totals) == ("target-reached", (101, 50, 101, 50))
    assert (live.table.status, live.table.deal) == ("playing", 3)
    assert live.scores() == [101, 50]


@pytest.mark.parametrize(
    ("more", "winners"), [((10, 75), (1, 3)), ((75, 10), (0, 2)), ((40, 40), (0, 1, 2, 3)), ((0, 100), (1, 3))]
)
def test_nd_6_4_the_side_with_more_points_wins_or_both(more: tuple[int, int], winners: tuple[int, ...]) -> None:
    plan = planned(WORTHLESS, [1, 1, 1, 0, 1, 2, 3, 0, 1])
    live = begun(plan, scores=(81, 81), target=91)
    live.correct(*more)
    play(live, plan)
    assert live.of(GameFinished)[0].winners == winners


def test_nd_6_4_a_correction_after_the_end_decides_anew_who_has_won() -> None:
    live = played((QUEEN_AND_JACK, *BLANK), [2] * 9, scores=(118, 120))
    live.correct(0, 1)
    assert live.of(LedgerCorrected)[-1].winners == (0, 1, 2, 3)
    assert live.table.winners == (0, 1, 2, 3)


# the ledger


def test_nd_7_1_points_are_booked_in_full_to_both_players() -> None:
    live = finished(DonLive.started(), chance("both"))
    for scored in live.of(DealScored):
        assert scored.totals[:2] == scored.totals[2:]
        assert sum(line.amount for line in scored.lines) == 0
        for line in scored.lines:
            assert line.counter == "bank" or line.account == "bank"
    assert sum(live.table.balances.values()) == 0


@pytest.mark.parametrize(
    ("alone", "score", "status"), [(20, 120, "playing"), (21, 120, "playing"), (22, 121, "finished")]
)
def test_nd_7_1_where_an_arbiter_books_to_one_account_alone_the_mean_counts(
    alone: int, score: int, status: str
) -> None:
    plan = planned(WORTHLESS, [1, 1, 1, 0, 1, 2, 3, 0, 1])
    live = begun(plan, scores=(110, 50))
    live.correct(0, 0, alone=alone)
    play(live, plan)
    assert (live.table.totals, live.table.status) == ((110 + alone, 50, 110, 50), status)
    assert scores(live.table.totals) == (score, 50)


def test_nd_7_1_what_an_arbiter_books_to_one_partner_makes_both_win() -> None:
    live = played((QUEEN_AND_JACK, *BLANK), [2] * 9, scores=(118, 120))
    live.correct(0, 1, alone=2)
    assert live.table.totals == (123, 121, 121, 121)
    assert live.table.winners == live.of(LedgerCorrected)[-1].winners == (0, 2)


def test_nd_7_2_a_line_for_each_scoring_card_and_player_then_for_game() -> None:
    live = played(("5s 4s 3s 2s", "Ks 9s 8s 7s", *BLANK[1:6], FIVE, BLANK[6]), [2, 3, 0, 0, 0, 2, 3, 1, 0])
    own = [(line.seat, line.rule, line.amount, line.text) for line in live.score.lines if line.seat is not None]
    booked = [
        ((0, 2), "ND-4.1", 10, "5 of trumps, trick 1 won by seat 2: 10 (5s)"),
        ((1, 3), "ND-4.1", 3, "King of trumps, trick 2 won by seat 3: 3 (Ks)"),
        ((1, 3), "ND-4.1", 9, "9 of trumps, trick 2 won by seat 3: 9 (9s)"),
        ((1, 3), "ND-4.1", 5, "5 of another suit, trick 8 won by seat 1: 5 (5c)"),
        ((0, 2), "ND-5.2", 8, "Game for seats 0 and 2, 40 to 13: 8"),
    ]
    assert own == [(seat, *line) for seats, *line in booked for seat in seats]
    assert {(line.kind, line.rule) for line in live.score.lines} == {("card", "ND-4.1"), ("game", "ND-5.2")}


def test_nd_7_2_two_cards_of_one_trick_are_told_apart_by_their_lines() -> None:
    """In a recorded game two fives lie in one trick."""
    scored = [event["public"] for event in golden_events("don", "last-trick") if event["type"] == "deal-scored"]
    booked = [Counter((line["seat"], line["text"]) for line in public["lines"]) for public in scored]
    assert [line for lines in booked for line, times in lines.items() if line[0] is not None and times > 1] == []
    fives = [
        text for lines in booked for seat, text in lines if seat is not None and "trick 9 won by seat 3: 5" in text
    ]
    assert len(set(fives)) > 1


def test_nd_7_2_what_the_lines_rest_on() -> None:
    live = played(("5s 4s 3s 2s", "Ks 9s 8s 7s", *BLANK[1:6], FIVE, BLANK[6]), [2, 3, 0, 0, 0, 2, 3, 1, 0])
    deal = [event for event in live.events if event.deal == 2]
    first = next(event.version for event in deal if isinstance(event.public, CardPlayed))
    won = [event.version for event in deal if isinstance(event.public, TrickWon)]
    by_card = {event.public.card: event.version for event in deal if isinstance(event.public, CardPlayed)}
    rests_on = list(dict.fromkeys(line.events for line in live.score.lines))
    assert rests_on == [
        tuple(sorted({first, by_card["5s"], won[0]})),
        (first, by_card["Ks"], won[1]),
        (first, by_card["9s"], won[1]),
        (first, by_card["5c"], won[7]),
        tuple(won),
    ]


def test_nd_7_2_the_running_score_is_public_from_the_trick_on() -> None:
    plan = planned(ALL, [1, 0] * 4 + [1])
    live = begun(plan, scores=(30, 40))
    scores = []
    for tricks in range(1, 9):
        play(live, planned([ALL[tricks - 1]], [[1, 0][(tricks - 1) % 2]]))
        scores.append([live.view(audience)["sides"][0]["score"] for audience in live.audiences])
        assert live.of(DealScored)[-1].deal == 1
    assert scores == [[score] * 5 for score in (30, 39, 39, 39, 39, 44, 44, 49)]


@pytest.mark.parametrize("audience", ["public", "seat:0", "seat:3"])
def test_nd_7_2_the_score_of_a_finished_deal_has_the_for_game(audience: str) -> None:
    live = played(WORTHLESS, [0] * 9, scores=(115, 50))
    (finish,) = live.of(GameFinished)
    (scored,) = [event for event in live.events if event.public is live.score]
    assert [side.game for side in live.score.sides] == [8, 0]
    for version in (scored.version, live.version):
        sides = live.view(audience, version)["sides"]
        assert [side["score"] for side in sides] == list(finish.totals[:2])


def test_nd_7_2_a_target_reached_in_play_has_no_for_game() -> None:
    live = played(("As 9s 8s 7s", *BLANK), [0] * 9, scores=(120, 0))
    assert [side["score"] for side in live.view("public")["sides"]] == [133, 0] == list(live.score.totals[:2])


def test_nd_7_3_both_players_of_the_winning_side_are_winners() -> None:
    sides = Counter(finished(DonLive.started(seed=bytes([n]) * 32), chance(n)).table.winners for n in range(8))
    assert set(sides) == {(0, 2), (1, 3)}


def test_only_what_was_dealt_and_captured_is_counted() -> None:
    live = finished(DonLive.started(), chance("captured"))
    for scored in live.of(DealScored):
        events = [event.public for event in live.events if event.deal == scored.deal]
        assert isinstance(events[0], CardsDealt)
        cards = [each.card for each in events if isinstance(each, CardPlayed)]
        if scored.outcome != "target-reached":
            assert sum(side.count for side in scored.sides) == sum(map(towards_game, cards))
        assert sum(side.points for side in scored.sides) == sum(at_once(card, cards[0][1]) for card in cards)
