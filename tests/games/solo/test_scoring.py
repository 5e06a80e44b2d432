"""SO-4.2, SO-4.3: what a deal comes to, what is booked, and when play stops."""

from collections.abc import Sequence
from itertools import permutations, product

import pytest

from domain.games.solo.contracts import CONTRACTS, FAILED, MADE
from domain.games.solo.events import PartnerShown, QueenShown
from domain.games.solo.scoring import result
from domain.seats import Seat
from domain.table.actions import Act
from domain.table.decide import decide
from domain.table.events import DealScored
from tests.games.solo.checker import VALUES, fates
from tests.games.solo.tables import GAMES, Plan, SoloLive, declared, planned, played
from tests.support.for_each import for_each
from tests.support.games import EVERYBODY, chance, parsed, step

FIVE = [0, 0, 0, 0, 0, 1, 1, 1]
FOUR = [0, 0, 0, 0, 1, 1, 1, 1]
ROWS = {
    1: ("Simple game in suit", "simple", False, 5, True, 2),
    2: ("Simple game in color", "simple", True, 5, True, 4),
    3: ("Solo in suit", "solo", False, 5, False, 4),
    4: ("Solo in color", "solo", True, 5, False, 8),
    5: ("Tout in suit", "tout", False, 8, False, 16),
    6: ("Tout in color", "tout", True, 8, False, 32),
}
"""The table of SO-2: name, game, whether in color, tricks to be won, whether with a partner, value."""


@for_each("level", GAMES)
def test_so_4_2_the_table_of_games(level: int) -> None:
    row = CONTRACTS[level]
    assert row.level == level
    assert (row.name, row.game, row.color, row.goal, row.partner, row.value) == ROWS[level]


def still(level: int, sides: Sequence[bool]) -> frozenset[str]:
    """What may still come of the game after these tricks, true where declarer's side has won."""
    return fates(GAMES[level][0], sum(sides), len(sides) - sum(sides))


def settling(level: int, sides: Sequence[bool]) -> int:
    """The number of the trick that settles the game."""
    return next(number for number in range(9) if len(still(level, sides[:number])) == 1)


@for_each(
    "level, winners, amounts",
    [
        (1, [0, 0, 0, 2, 2, 1, 3, 1], [2, 0, 2, 0]),
        (1, [0, 0, 2, 2, 1, 1, 3, 3], [-2, 0, -2, 0]),
        (2, [2, 2, 2, 2, 2, 1, 1, 1], [4, 0, 4, 0]),
        (2, [1, 1, 1, 1, 0, 0, 2, 2], [-4, 0, -4, 0]),
        (3, FIVE, [4, 0, 0, 0]),
        (3, FOUR, [-4, 0, 0, 0]),
        (4, FIVE, [8, 0, 0, 0]),
        (4, FOUR, [-8, 0, 0, 0]),
        (5, [0] * 8, [16, 0, 0, 0]),
        (5, [*[0] * 7, 3], [-16, 0, 0, 0]),
        (6, [0] * 8, [32, 0, 0, 0]),
        (6, [1, *[0] * 7], [-32, 0, 0, 0]),
    ],
)
def test_so_4_2_all_games_made_and_failed(level: int, winners: list[Seat], amounts: list[int]) -> None:
    partner = 2 if level < 3 else None
    live = played(level, winners, partner=partner)
    score = live.score
    assert score.outcome == ("made" if amounts[0] > 0 else "failed")
    assert list(score.totals) == list(live.table.totals) == amounts
    assert live.table.accounts == {"bank": -sum(amounts)}
    assert sum(line.amount for line in score.lines) == 0
    declarer = live.booked(0)
    assert declarer == [("contract", "SO-4.2", amounts[0])]
    assert live.booked(2) == (declarer if partner else [])
    assert live.booked(1) == live.booked(3) == []


@for_each("declarer, partner", list(permutations(range(4), 2)))
def test_so_4_2_the_partner_scores_the_same_wherever_he_sits(declarer: Seat, partner: Seat) -> None:
    rest = [seat for seat in range(4) if seat not in (declarer, partner)]
    winners = [declarer, partner, rest[0], partner, rest[1], declarer, partner, rest[0]]
    live = played(2, winners, declarer=declarer, partner=partner, fall=2)
    assert [live.score.totals[seat] for seat in (declarer, partner, *rest)] == [4, 4, 0, 0]
    assert [line.amount for line in live.score.lines if line.account == "bank"] == [-4, -4]


def test_so_4_2_lines_explain_themselves() -> None:
    live = played(1, [0, 0, 0, 2, 2, 1, 3, 1], partner=2, fall=1)
    own = [line for line in live.score.lines if line.seat is not None]
    assert [(line.seat, line.text, line.counter) for line in own] == [
        (0, "Simple game in suit by seat 0, made, tricks 5 against 0: 2", "bank"),
        (2, "Simple game in suit by seat 0, made, tricks 5 against 0, seat 2 as partner: 2", "bank"),
    ]
    assert live.cited(own[0]) == ["contract-declared", "trick-won", "partner-shown", *["trick-won"] * 4]
    assert own[0].events == own[1].events
    alone = played(6, [1] * 8)
    assert [line.text for line in alone.score.lines if line.seat == 0] == [
        "Tout in color by seat 0, failed, tricks 0 against 1: 32"
    ]


@for_each("level", GAMES)
def test_so_4_2_the_score_names_declarer_partner_and_game(level: int) -> None:
    partner = 2 if level < 3 else None
    score = played(level, [0] * 8, partner=partner).score
    assert (score.declarer, score.partner, score.game, score.level) == (0, partner, GAMES[level][0], level)


def test_so_3_4_the_lines_rest_on_the_queen_shown_where_all_passed() -> None:
    live = SoloLive.started(deals=4)
    forced, rng = 0, chance("passing")
    while live.table.status == "playing":
        if "pass" in live.types(live.turn):
            live.do("pass")
        else:
            step(live, rng)
    for number, event in enumerate(live.events):
        if isinstance(event.public, DealScored):
            shown = any(
                isinstance(other.public, QueenShown) for other in live.events[:number] if other.deal == event.deal
            )
            forced += shown
            assert all(("queen-shown" in live.cited(line)) == shown for line in event.public.lines)
    assert forced


@for_each("level", GAMES)
def test_so_4_3_settled_exactly_when_every_way_to_go_on_agrees(level: int) -> None:
    for tricks in range(9):
        for sides in product((True, False), repeat=tricks):
            verdict = result(CONTRACTS[level], sum(sides), tricks - sum(sides))
            assert {verdict} == {
                None if len(still(level, sides)) > 1 else {"made": MADE, "failed": FAILED}[one]
                for one in still(level, sides)
            }


def cards_played(live: SoloLive, plan: Plan) -> tuple[int, str, list[int]]:
    """How many cards are played until the deal is scored, its outcome and its totals; nothing is recorded."""
    table, game = live.table, live.game
    for number in range(33):
        if table.scored:
            raise AssertionError("scored before")
        state = table.deal_state
        (seat,) = game.decider.to_act(state)
        wire = {"type": "play", "card": plan.tricks[len(state.tricks.winners)][seat]}
        table, events = decide(game, table, Act(EVERYBODY[seat], parsed(wire, game)))
        for event in events:
            if isinstance(event.public, DealScored):
                return number + 1, event.public.outcome, list(event.public.totals)
    raise AssertionError("never scored")


@pytest.mark.parametrize("level", [3, 4, 5, 6])
def test_so_4_3_alone_play_stops_with_the_trick_that_settles_it(level: int) -> None:
    rng = chance(level)
    for sides in product((True, False), repeat=8):
        winners = [0 if own else rng.choice([1, 2, 3]) for own in sides]
        plan = planned(winners)
        cards, outcome, totals = cards_played(declared(level, plan), plan)
        assert cards == 4 * settling(level, sides)
        assert {outcome} == still(level, sides)
        assert totals == [VALUES[level] if outcome == "made" else -VALUES[level], 0, 0, 0]


@for_each("level", [1, 2])
@for_each("fall", range(8))
def test_so_4_3_with_a_partner_not_before_the_called_card(level: int, fall: int) -> None:
    rng = chance((level, fall))
    for sides in product((True, False), repeat=8):
        partner = rng.choice([1, 2, 3])
        others = [seat for seat in (1, 2, 3) if seat != partner]
        winners = [rng.choice([0, partner] if own else others) for own in sides]
        plan = planned(winners, partner, fall)
        leader = ([0, *winners])[fall]
        fallen = 4 * fall + (partner - leader) % 4 + 1
        cards, outcome, totals = cards_played(declared(level, plan), plan)
        assert cards == max(4 * settling(level, sides), fallen)
        assert {outcome} == still(level, sides)
        amount = VALUES[level] if outcome == "made" else -VALUES[level]
        assert totals == [amount if seat in (0, partner) else 0 for seat in range(4)]


def test_so_4_3_it_may_stop_in_the_middle_of_a_trick() -> None:
    winners = [0, 0, 0, 0, 0, 0, 2, 1]
    live = played(1, winners, partner=2, fall=6)
    assert isinstance(live.events[-3].public, PartnerShown)
    assert len(live.of(PartnerShown)) == 1
    types = [event.public.TYPE for event in live.events]
    assert types.count("trick-won") == 6
    assert types.count("card-played") == 27


def test_so_4_3_after_the_stop_nothing_more_is_played() -> None:
    live = played(3, FIVE)
    types = [event.public.TYPE for event in live.events]
    assert types.count("card-played") == 20
    assert live.phase == "auction"
    assert live.table.deal == 2
