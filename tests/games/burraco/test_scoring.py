"""BU-10: what a deal comes to, and what is booked."""

import pytest
from msgspec.structs import replace

from domain.games.burraco.events import SideScore
from domain.games.burraco.melds import arranged, burraco
from domain.games.burraco.meta import ORDER, PACK, Options
from domain.games.burraco.scoring import SCORING
from domain.games.burraco.state import Drawing, Meld, Pozzetto
from domain.kernel.course import Standing
from domain.kernel.hands import Hand
from domain.kernel.ledger import BANK, LineAt, book
from domain.kernel.worth import Score
from domain.parts.copies import with_copies
from domain.table.actions import Entry, OpenDispute, RuleDispute
from domain.table.events import GameFinished
from tests.games.burraco.tables import KINGS, RUN, TWO, BurracoLive, dealt
from tests.support.games import EVERYBODY

SPADES = "5s 6s 7s 8s 9s Ts Js"
EIGHTS = "8s 8h 8d 8c 8d 8c 2c"
UNSEEN = "Qd Jd Td 9d 9d 7d 6d 5d 4d 3d Ad"


def scored(
    melds: tuple[tuple[int, str], ...] = (),
    hands: tuple[str, str, str, str] = ("", "", "", ""),
    *,
    takers: tuple[int | None, int | None] = (0, 1),
    closer: int | None = None,
    lying: str = "",
    options: Options | None = None,
) -> Score:
    """What a deal comes to that ended so; the pozzetto `lying` is that of seat 3."""
    options = options or Options()
    common = dealt({}, options=options).table.deal_state.common
    named = with_copies(PACK, [names.split() for names in (*[names for _, names in melds], *hands, lying)])
    assert named is not None
    laid = []
    for number, ((side, _), own) in enumerate(zip(melds, named[: len(melds)], strict=True), 1):
        made = arranged(own)
        assert made is not None
        laid.append(Meld(number, side, made, burraco(made, semi_clean=options.semi_clean), (20 + number,)))
    pozzetti = (Pozzetto(2, named[-1], 3),) if lying else ()
    held = tuple(Hand.of(each, ORDER) for each in named[len(melds) : len(melds) + options.players])
    ended = replace(common, melds=tuple(laid), hands=held, takers=takers, pozzetti=pozzetti, stock=(None, None))
    found = SCORING.score(Drawing(ended, 0, closer, 99))
    assert found is not None
    return found


def items(found: Score, seat: int = 0) -> list[tuple[str, int]]:
    """Rule and amount of each of the seat's lines."""
    return [(each.rule, each.amount) for each in found.transfers if each.account == seat]


def points(found: Score) -> list[int]:
    """What each side scored."""
    sides: tuple[SideScore, ...] = found.extra["sides"]
    return [side.points for side in sides]


def test_bu_10_1_each_meld_scores_its_cards() -> None:
    found = scored(((0, "3s 4s 5s"), (1, "Ks Kh Jo.1"), (0, "Ah Ad 2c")), ("9s", "", "", ""))
    assert items(found)[:2] == [("BU-10.1", 15), ("BU-10.1", 50)]
    assert [each.events for each in found.transfers[:2]] == [(21,), (23,)]


def test_bu_10_2_a_clean_burraco_is_worth_200() -> None:
    found = scored(((0, "3h 4h 5h 6h 7h 8h Jo.1"), (0, SPADES)))
    # Row by row, so the clean one first.
    assert items(found)[2:] == [("BU-10.2", 200), ("BU-10.3", 100)]


@pytest.mark.parametrize(
    ("names", "semi_clean", "bonus"),
    [
        ("Jo.1 3h 4h 5h 6h 7h 8h 9h", False, 100),
        ("Jo.1 3h 4h 5h 6h 7h 8h 9h", True, 150),
        ("3h 4h 5h 6h Jo.1 8h 9h Th", False, 100),
        ("3h 4h 5h 6h Jo.1 8h 9h Th", True, 100),
    ],
)
def test_bu_10_3_a_dirty_burraco_is_worth_100_or_150(names: str, semi_clean: bool, bonus: int) -> None:
    found = scored(((0, names),), options=Options(semi_clean=semi_clean))
    assert [amount for rule, amount in items(found) if rule == "BU-10.3"] == [bonus]


def test_bu_10_4_closing_scores_100_for_the_side() -> None:
    found = scored(((0, SPADES),), ("", "9d", "5c", ""), closer=0)
    assert found.outcome == "closed"
    assert [("BU-10.4", 100) in items(found, seat) for seat in range(4)] == [True, False, True, False]


def test_bu_10_5_each_hand_costs_its_cards() -> None:
    found = scored((), ("9s 3s", "Jo.1", "Ah", ""))
    assert items(found) == [("BU-10.5", -15), ("BU-10.5", -15)]
    assert items(found, 3) == [("BU-10.5", -30)]
    lying = scored((), lying=UNSEEN)
    assert items(lying, 1) == items(lying, 3) == [("BU-10.5", -90)]


def test_bu_10_6_a_pozzetto_not_taken_costs_100() -> None:
    found = scored((), ("3s", "3h", "3d", "3c"), takers=(None, 1))
    assert items(found)[-1] == ("BU-10.6", -100)
    assert "BU-10.6" not in dict(items(found, 1))


def test_bu_10_7_example_6() -> None:
    melds = ((0, SPADES), (0, "Ks Kh Kd Jo.1"), (0, "2d 7h 8h 9h"), (1, EIGHTS))
    found = scored(melds, ("", "Jo.2 4c", "Ac 9c 3c", ""), closer=0, lying=UNSEEN)
    assert points(found) == [430, 55]
    assert items(found) == [
        ("BU-10.1", 55),
        ("BU-10.1", 60),
        ("BU-10.1", 45),
        ("BU-10.2", 200),
        ("BU-10.4", 100),
        ("BU-10.5", -30),
    ]
    assert items(found, 2) == items(found)
    assert items(found, 1) == [("BU-10.1", 80), ("BU-10.3", 100), ("BU-10.5", -35), ("BU-10.5", -90)]
    lines = book(found.transfers, ("a", "b", "c", "d"))
    assert sum(line.amount for line in lines if line.account == BANK) == -970
    assert sum(line.amount for line in lines) == 0


def test_bu_10_7_of_two_players_each_is_a_side() -> None:
    found = scored(((1, "3s 4s 5s"),), ("9s", "3c", "", ""), options=TWO)
    assert points(found) == [-10, 10]
    assert {each.account for each in found.transfers} == {0, 1}


def test_bu_10_7_no_line_is_zero_and_lines_say_whose_they_are() -> None:
    found = scored(((0, SPADES),), ("", "4c", "", "3c"), closer=0, takers=(0, None))
    assert 0 not in {each.amount for each in found.transfers}
    assert [each.text for each in found.transfers if each.account == 0] == [
        "Meld 1 of seats 0 and 2: 55 (5s.1 6s.1 7s.1 8s.1 9s.1 Ts.1 Js.1)",
        "Clean burraco, meld 1 of seats 0 and 2: 200 (5s.1 6s.1 7s.1 8s.1 9s.1 Ts.1 Js.1)",
        "Closing by seat 0: 100",
    ]
    assert [each.text for each in found.transfers if each.account == 1] == [
        "Cards left to seat 1: 5 (4c.1)",
        "Cards left to seat 3: 5 (3c.1)",
        "No pozzetto taken by seats 1 and 3: 100",
    ]


def test_bu_10_7_all_lines_of_a_row_stand_before_those_of_the_next() -> None:
    found = scored(((0, EIGHTS), (0, SPADES), (0, "3c 4c 5c")), ("9s", "", "3h", ""), closer=1, takers=(None, 1))
    assert [each.account for each in found.transfers] == sorted(each.account for each in found.transfers)
    for seat in (0, 2):
        rules = [rule for rule, _ in items(found, seat)]
        assert rules == ["BU-10.1"] * 3 + ["BU-10.2", "BU-10.3"] + ["BU-10.5"] * 2 + ["BU-10.6"]
        melds = [each.text for each in found.transfers if each.account == seat and each.rule == "BU-10.1"]
        assert [text.split()[1] for text in melds] == ["1", "2", "3"]
        hands = [each.text for each in found.transfers if each.account == seat and each.rule == "BU-10.5"]
        assert hands == ["Cards left to seat 0: 10 (9s.2)", "Cards left to seat 2: 5 (3h.1)"]


def test_bu_10_7_both_players_of_the_winning_side_win() -> None:
    live = dealt({0: f"{RUN} {KINGS}"}, stock="4d", options=Options(target=500))
    standing: Standing = live.table.standing
    assert live.game.course.winners(replace(standing, totals=(10, 20, 10, 20), deal=1)) == (1, 3)


def test_bu_10_7_a_correction_to_one_account_counts_as_the_mean() -> None:
    live = BurracoLive.started(deals=2, options=Options())
    while live.table.scored == 0:
        live.pass_by()
    line = live.score.lines[0]
    assert line.seat is not None
    version = live.version - 1
    live.command(OpenDispute(EVERYBODY[line.seat], (LineAt(version, 0),), None, "Not so."))
    again = [Entry(seat, "bank", line.amount, "again", line.rule, "As before") for seat in (0, 2)]
    more = Entry(0, "bank", 21, "corrected", line.rule, "Corrected")
    live.command(RuleDispute("an arbiter", 1, "upheld", "Indeed.", (*again, more)))
    totals = live.table.totals
    assert totals[0] == totals[2] + 21
    assert live.game.course.over(live.table.standing) is None
    while live.table.status == "playing":
        live.pass_by()
    assert live.of(GameFinished)[0].winners in ((0, 2), (1, 3))
