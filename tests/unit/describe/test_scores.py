"""Running scores: the totals after each deal, as a picture and on the terminal."""

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from rich.text import Text

from service.cli.score_plot import HEIGHT, score_plot
from service.describe.drawing.scores import LINE_HEIGHT, ScoresDrawing
from service.describe.scores import RunningScores, ScoredLine, running_scores
from service.describe.texts import ENGLISH, Texts, english
from tests.support.registry import GAMES

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ("Ada", "<b>Bartholomew the Great</b>", "Carl", "Dora")
SEAT = "<b>seat {seat} of those at the table</b>"
LINES = (
    ScoredLine(6, 0, 1),
    ScoredLine(-6, 1, 1),
    ScoredLine(-3, 0, 3),
    ScoredLine(3, 2, 3),
    ScoredLine(99, None, 3),
)


def drawn(game: str, scores: RunningScores) -> ET.Element:
    named = Texts(msgspec.json.decode(ENGLISH.read_bytes(), type=dict[str, Any]) | {"seat": SEAT})
    return ET.fromstring(ScoresDrawing(GAMES[game], scores, named).svg())  # noqa: S314 (made here)


def text_of(drawing: ET.Element, tag: str) -> str:
    found = drawing.find(f"{SVG}{tag}")
    assert found is not None
    return found.text or ""


def test_totals_run_deal_by_deal_and_a_deal_without_lines_changes_nothing() -> None:
    scores = running_scores(LINES, 3, ())
    assert [curve.totals for curve in scores.curves] == [(0, 6, 6, 3), (0, -6, -6, -6), (0, 0, 0, 3)]
    assert (scores.deals, scores.has_end) == (3, False)


def test_a_correction_counts_for_its_deal_and_what_is_booked_outside_deals_comes_last() -> None:
    corrected = running_scores((*LINES, ScoredLine(-6, 0, 1), ScoredLine(-10, 2)), 3, ())
    assert [curve.totals for curve in corrected.curves] == [(0, 0, 0, -3, -3), (0, -6, -6, -6, -6), (0, 0, 0, 3, -7)]
    assert (corrected.deals, corrected.has_end) == (3, True)


def test_a_side_shares_a_line_unless_its_seats_differ() -> None:
    lines = [ScoredLine(amount, seat, 1) for seat, amount in enumerate((5, 0, 5, 2))]
    assert [curve.seats for curve in running_scores(lines, 4, ((0, 2), (1, 3))).curves] == [(0, 2), (1,), (3,)]


def test_a_plot_says_in_words_who_has_how_much_the_highest_first() -> None:
    drawing = drawn("crocodile", running_scores(LINES, 3, ()))
    assert text_of(drawing, "title") == "Crocodile: running scores"
    assert text_of(drawing, "desc") == (
        "Totals in points after 3 deals. <b>seat 1 of those at the table</b>: +3, between 0 and +6. "
        "<b>seat 3 of those at the table</b>: +3, between 0 and +3. "
        "<b>seat 2 of those at the table</b>: −6, between −6 and 0."
    )
    assert text_of(drawn("crocodile", running_scores((), 3, ())), "desc") == "Nothing is booked."


def test_a_plot_has_a_line_for_each_seat_with_its_name_and_total_at_its_end() -> None:
    drawing = drawn("crocodile", running_scores(LINES, 3, ()))
    curves = [group for group in drawing.iter(f"{SVG}g") if group.get("data-seats")]
    assert [group.get("data-seats") for group in curves] == ["0", "1", "2"]
    for group in curves:
        line, end = group.find(f"{SVG}polyline"), group.find(f"{SVG}circle")
        assert line is not None
        assert end is not None
        points = line.get("points", "").split()
        assert len(points) == 4
        assert points[-1] == f"{end.get('cx')},{end.get('cy')}"
    first, second, _ = ([text.text for text in group.iter(f"{SVG}text")] for group in curves)
    assert first == ["<b>seat 1 o…", "+3"]
    assert second == ["<b>seat 2 o…", "−6"]
    titles = [title.text for title in curves[1].iter(f"{SVG}title")]
    assert titles == [SEAT.format(seat=2)]


def test_names_whose_lines_end_together_stand_apart() -> None:
    drawing = drawn("lorum", running_scores([ScoredLine(1, seat, 1) for seat in range(4)], 4, ()))
    heights = sorted(float(text.get("y", "")) for text in drawing.iter(f"{SVG}text") if text.get("data-seat"))
    assert len(heights) == 4
    assert all(other - one >= LINE_HEIGHT for one, other in pairwise(heights))


@pytest.mark.parametrize("deals", [0, 1, 7, 99])
def test_a_plot_of_any_length_names_few_deals_and_stays_small(deals: int) -> None:
    scores = running_scores([ScoredLine((-1) ** deal * 10_000, deal % 4, deal) for deal in range(1, deals + 1)], 4, ())
    made = ScoresDrawing(GAMES["lhombre"], scores, english()).svg()
    assert len(made) < 15_000
    named = [text.text for text in ET.fromstring(made).iter(f"{SVG}text") if text.get("class") == "quiet axis"]  # noqa: S314
    assert len(named) <= 7
    assert not deals or named[-1] == f"deal {deals}"


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


def test_the_terminal_shows_the_same_as_dots_with_names_below() -> None:
    lines = plain(list(score_plot(running_scores(LINES, 3, ()), "points", english(), NAMES.__getitem__)))
    assert lines[0] == "Totals in points after 3 deals."
    assert lines[1].startswith("+6 ")
    assert lines[HEIGHT].startswith("−6 ")
    assert all(re.search("[⠁-⣿]", line) for line in lines[1 : HEIGHT + 1])
    assert lines[HEIGHT + 1].endswith("deal 3")
    assert lines[HEIGHT + 2 :] == ["+3 Ada", "+3 Carl", "−6 <b>Bartholomew the Great</b>"]


def test_the_terminal_shows_nothing_before_something_is_booked() -> None:
    assert list(score_plot(running_scores((), 3, ()), "points", english(), NAMES.__getitem__)) == []
