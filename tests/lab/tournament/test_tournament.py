"""The tournament: which deals are played next, what is kept of them, and what they come to."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from domain.opponents.paired import LEAST
from domain.registry import GAMES
from tests.lab.tournament.__main__ import app
from tests.lab.tournament.contests import Contest, Played, Tournament, signed
from tests.lab.tournament.duplicates import Duplicate, Pair, duplicate
from tests.lab.tournament.plot import plotted
from tests.lab.tournament.report import measured_before, served, write_report
from tests.lab.tournament.state import DealsFile, codes
from tests.support.for_each import for_each
from tests.support.picking import repeatable
from tests.support.waiting import PATIENCE_S, until

COMMAND = (sys.executable, "-m", "tests.lab.tournament")
CODES = {"solo": "code", "king": "code"}
ROOT = Path(__file__).parents[3]

PAIR = Pair("quick", "random")
ARGUMENTS = ("solo", "--levels", "quick-random", "--deals", "9", "--jobs", "2")


def played(
    number: int, difference: float = 1.0, *, game: str = "solo", seconds: float = 1.0, unended: int = 0
) -> Played:
    return Played(game, PAIR.name, number, Duplicate(difference, 1, 40, unended), seconds)


def contest(*differences: float, most: int = 1000, game: str = "solo", pair: Pair = PAIR) -> Contest:
    made = Contest(game, pair, most)
    for number, difference in enumerate(differences):
        made.add(played(number, difference))
    return made


WINS = (2.0, 3.0) * 5
"""Decided after eight: the mean is 2.5, the variance 0.25, so the half width is 0.8033 (tests/unit/opponents)."""


@pytest.mark.long
def test_the_result_is_the_same_in_whichever_order_deals_end() -> None:
    expected = contest(*WINS).strength
    assert expected.deals == LEAST
    for seed in range(5):
        shuffled = list(enumerate(WINS))
        repeatable(seed).shuffle(shuffled)
        other = Contest("solo", PAIR, 1000)
        for number, difference in shuffled:
            other.add(played(number, difference))
        assert other.strength == expected


@pytest.mark.long
def test_a_deal_counts_only_when_those_before_it_are_played() -> None:
    waiting = Contest("solo", PAIR, 1000)
    for number in (1, 2, 3):
        waiting.add(played(number))
    assert waiting.strength.deals == 0
    waiting.add(played(0))
    assert waiting.strength.deals == 4


@pytest.mark.long
def test_plays_without_an_end_are_counted_with_the_deals_that_count() -> None:
    made = contest(*WINS[:3])
    made.add(played(4, 0.0, unended=2))
    assert made.unended == 0
    made.add(played(3, 0.0, unended=1))
    assert made.unended == 3


@pytest.mark.long
def test_each_deal_is_given_once_and_the_contest_with_the_least_time_is_next() -> None:
    slow, fast = Contest("solo", PAIR, 1000), Contest("king", PAIR, 1000)
    tournament = Tournament([slow, fast])
    tournament.add([played(0, 0.0, seconds=10.0), played(0, 0.0, game="king", seconds=2.0)])
    given = [tournament.next() for _ in range(6)]
    assert given == [(fast, 1), (fast, 2), (fast, 3), (fast, 4), (slow, 1), (fast, 5)]


@pytest.mark.long
def test_a_deal_is_not_begun_that_is_likely_to_end_too_late() -> None:
    slow, fast = Contest("solo", PAIR, 1000), Contest("king", PAIR, 1000)
    tournament = Tournament([slow, fast])
    tournament.add([played(0, seconds=10.0), *(played(number, game="king", seconds=6.0) for number in range(3))])
    assert tournament.next(9.0) == (fast, 3)
    assert tournament.next(11.0) == (slow, 1)
    assert tournament.next(5.0) is None


@pytest.mark.long
def test_no_more_deals_are_given_than_may_count() -> None:
    tournament = Tournament([Contest("solo", PAIR, 8)])
    given = [tournament.next() for _ in range(9)]
    assert [one and one[1] for one in given] == [*range(8), None]
    tournament.add(played(number, 0.0) for number in range(8))
    assert tournament.next() is None
    assert tournament.counted == (8, 8)


@pytest.mark.long
def test_a_complete_contest_needs_no_deals() -> None:
    tournament = Tournament([contest(*WINS), contest(game="king")])
    assert tournament.counted == (8, 1008)
    following = tournament.next()
    assert following is not None
    assert following[0].game == "king"


@pytest.mark.long
def test_deals_of_other_contests_are_passed_over() -> None:
    tournament = Tournament([contest()])
    tournament.add([played(0, game="king")])
    assert tournament.counted == (0, 1000)


@pytest.mark.long
def test_the_file_gives_back_the_deals_of_its_seed_and_code(tmp_path: Path) -> None:
    path = tmp_path / "made" / "deals.jsonl"
    file = DealsFile(path, "1", CODES)
    assert not list(file.read())
    file.append(played(0))
    DealsFile(path, "2", CODES).append(played(1))
    DealsFile(path, "1", CODES | {"solo": "other code"}).append(played(2))
    file.append(played(3, -1.5, seconds=0.25))
    file.append(played(4, game="king"))
    assert list(file.read()) == [played(0), played(3, -1.5, seconds=0.25), played(4, game="king")]
    assert list(DealsFile(path, "1", CODES | {"solo": "newer code"}).read()) == [played(4, game="king")]


@pytest.mark.long
def test_the_code_of_a_game_is_its_own_and_what_all_share() -> None:
    solo, king = codes(["solo", "king"]).values()
    assert solo.split("-")[0] == king.split("-")[0]
    assert solo.split("-")[1] != king.split("-")[1]


@pytest.mark.long
@for_each("lost", range(1, 60, 7))
def test_half_a_line_is_left_out_and_the_next_one_is_whole(tmp_path: Path, lost: int) -> None:
    path = tmp_path / f"{lost}.jsonl"
    file = DealsFile(path, "1", CODES)
    file.append(played(0))
    file.append(played(1))
    path.write_bytes(path.read_bytes()[: -1 - lost])
    file.append(played(2))
    assert list(file.read()) == [played(0), played(2)]


@pytest.mark.long
def test_the_served_file_has_the_agreed_form(tmp_path: Path) -> None:
    strong = Pair("strong", "quick")
    contests = [contest(*WINS), contest(*WINS, pair=strong), contest(1.0, game="king")]
    write_report(tmp_path, contests, GAMES)
    strength = {"difference": 2.5, "interval": [1.697, 3.303], "deals": 8}
    assert json.loads((tmp_path / "strength.json").read_text()) == {
        "solo": {"quick-random": strength, "strong-quick": strength}
    }
    assert served([contests[2].measured])["king"][PAIR.name].deals == 1


def test_one_games_results_stand_beside_those_of_the_others(tmp_path: Path) -> None:
    figures, served_now = ROOT / "deploy/decisions/figures", ROOT / "domain/opponents/strength.json"
    before = measured_before(served_now)
    write_report(tmp_path, [], GAMES, before)
    for path in (served_now, figures / "strength.md", figures / "strength.svg"):
        assert (tmp_path / path.name).read_text() == path.read_text()
    write_report(tmp_path, [contest(*WINS), contest(*WINS, pair=Pair("strong", "quick"))], GAMES, before)
    now, then = (json.loads(path.read_text()) for path in (tmp_path / "strength.json", served_now))
    assert list(now) == list(then)
    assert {game for game in then if now[game] != then[game]} == {"solo"}


@pytest.mark.long
def test_the_table_has_a_row_for_each_game_and_says_what_did_not_end(tmp_path: Path) -> None:
    king = Contest("king", PAIR, 1000)
    for number in range(8):
        king.add(played(number, -20.0, game="king", unended=number == 3))
    write_report(tmp_path, [contest(*WINS), contest(*WINS, pair=Pair("strong", "quick")), king], GAMES)
    assert (tmp_path / "strength.md").read_text().splitlines() == [
        "| game | unit | quick over random | deals | strong over quick | deals |",
        "|---|---|---|---:|---|---:|",
        "| Solo | points | +2.50 (+1.70 to +3.30) | 8 | +2.50 (+1.70 to +3.30) | 8 |",
        "| King | points | −20.0 (−20.0 to −20.0) | 8 | | |",
        "",
        "king quick-random: 1 play without an end, each counted as no difference.",
    ]


@pytest.mark.long
def test_the_plot_shows_each_interval_beside_0_on_light_and_dark_pages() -> None:
    both = (contest(*WINS), contest(*[-value for value in WINS], pair=Pair("strong", "quick")))
    text = plotted([one.measured for one in both], GAMES)
    drawn = ET.fromstring(text)  # noqa: S314 (made here)
    lines = [one.attrib for one in drawn.iter("{http://www.w3.org/2000/svg}line")]
    zero, better, worse = (sorted((float(one["x1"]), float(one["x2"]))) for one in lines)
    assert worse[1] < zero[0] < better[0]
    assert worse[0] == pytest.approx(110, abs=0.1)
    assert better[1] <= 560
    assert "prefers-color-scheme:dark" in text
    assert {one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")} >= {
        "Solo", "quick over random", "strong over quick", "+2.50 points, 8 deals", "−2.50 points, 8 deals"
    }  # fmt: skip


@pytest.mark.long
@for_each("amount, text", [(0.0, "+0.00"), (-1.234, "−1.23"), (12.34, "+12.3"), (-0.5, "−0.50")])
def test_amounts_have_a_sign(amount: float, text: str) -> None:
    assert signed(amount) == text


@pytest.mark.long
async def test_an_interrupted_tournament_goes_on_and_comes_to_the_same(tmp_path: Path) -> None:
    """Its processes end with it, in whatever way it ends."""
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    with running(cut) as command:
        await until((cut / "deals.jsonl").exists)
        workers = children(command.pid)
        assert len(workers) >= 2
    await until(lambda: not any(map(alive, workers)))
    kept = (cut / "deals.jsonl").read_bytes()
    for folder in (cut, whole):
        with running(folder) as command:
            assert command.wait(PATIENCE_S) == 0
    assert (cut / "deals.jsonl").read_bytes().startswith(kept)
    for name in ("strength.json", "strength.md", "strength.svg"):
        assert (cut / name).read_bytes() == (whole / name).read_bytes()
    # Processes whose hashes differ play the same.
    first = next(DealsFile(whole / "deals.jsonl", "1", codes(["solo"])).read())
    assert first.result == duplicate(GAMES["solo"], PAIR, first.number, "1", lambda text: Random(text).randrange)  # noqa: S311 (as it plays)
    # Nothing is left to play.
    before = (cut / "deals.jsonl").read_bytes()
    outcome = CliRunner().invoke(app, [*ARGUMENTS, "--out", str(cut)])
    assert outcome.exit_code == 0, outcome.output
    assert (cut / "deals.jsonl").read_bytes() == before


def test_a_deal_that_fails_is_named_and_the_others_are_played(tmp_path: Path) -> None:
    arguments = ("--levels", "random-random", "--deals", "8", "--jobs", "1", "--out", tmp_path)
    done = subprocess.run(
        [*COMMAND, *arguments],
        env=os.environ | {"CODILLE_REGISTRY": "tests.lab.tournament.unplayable:GAMES"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    assert "solo random-random, deal 0: Traceback" in done.stderr
    assert "\nRuntimeError: this game cannot be played\n" in done.stderr
    assert done.stderr.endswith("codille: deals failed: solo random-random\n")
    assert json.loads((tmp_path / "strength.json").read_text()) == {
        "don": {"random-random": {"difference": 0.0, "interval": [0.0, 0.0], "deals": 8}}
    }


@pytest.mark.long
@for_each(
    "arguments, text",
    [
        (("poker",), "Invalid value for GAME: poker is not one of crocodile, boston,"),
        (
            ("--levels", "best-quick"),
            "Invalid value for --levels: 'best-quick' names no two of the levels",
        ),
        (("--deals", "7"), "7 is not in the range x>=8"),
    ],
)
def test_a_wrong_argument_is_refused(arguments: tuple[str, ...], text: str) -> None:
    outcome = CliRunner().invoke(app, [*arguments], env={"COLUMNS": "200", "TERM": "dumb"})
    assert outcome.exit_code == 2, outcome.output
    assert text in " ".join(outcome.output.replace("│", " ").split())


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long random tests take is no setting of the program, which refuses what it does not know."""
    for name in os.environ:
        if name.startswith("CODILLE_"):
            monkeypatch.delenv(name)


@contextmanager
def running(folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """The command; it is killed when the context ends."""
    command = [*COMMAND, *ARGUMENTS, "--out", folder]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.kill()


def children(process: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


def alive(process: int) -> bool:
    """Whether the process runs. One that has ended stays until somebody has asked for its status."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
