"""`codille bench load` beside a running service: its report, and its errors."""

import json
from pathlib import Path

import pytest

from service.cli.load_test import Load, latencies, play
from service.cli.load_test.play import PATIENCE
from tests.integration.cli.test_commands import Operator, codille, codille_here
from tests.support.registry import GAMES
from tests.support.service import Running, running


def report(done_stdout: str) -> dict[str, object]:
    decoded: dict[str, object] = json.loads(done_stdout)
    return decoded


def load(service: Running, *arguments: str) -> dict[str, object]:
    """The report of a load test without errors."""
    done = codille_here("bench", "load", "--url", service.url, "--json", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return report(done.stdout)


@pytest.mark.parametrize("game", GAMES)
def test_it_ends_after_so_many_actions_at_tables_of_any_game(service: Running, game: str) -> None:
    seats = GAMES[game].course.seats(GAMES[game].options())
    result = load(service, "--game", game, "--tables", "4", "--actions", "24", "--seconds", "60")
    assert result["actions"] == 24
    assert result["players"] == 4 * seats
    assert result["errors"] == {}
    counted = {name: times["count"] for name, times in result["latencies"].items()}  # type: ignore[attr-defined]
    assert counted["act"] == 24
    assert counted["open"] >= 4
    assert counted["sit"] >= 4 * seats
    assert counted["offers"] >= 24
    assert counted["look"] >= 24


def test_games_are_played_to_their_end_by_players_who_sit_at_several_tables(service: Running) -> None:
    result = load(service, "--tables", "3", "--players", "4", "--deals", "3", "--actions", "600", "--seconds", "100")
    assert result["players"] == 4
    assert int(str(result["games_finished"])) >= 1


def test_it_ends_after_its_time(service: Running) -> None:
    result = load(service, "--tables", "2", "--seconds", "1")
    assert int(str(result["actions"])) < 100_000


def test_thinking_takes_its_time(service: Running) -> None:
    result = load(service, "--tables", "2", "--think", "1000", "--seconds", "1", "--actions", "50")
    assert int(str(result["actions"])) < 50


def test_it_prints_throughput_and_latencies(service: Running) -> None:
    done = codille("bench", "load", "--url", service.url, "--tables", "2", "--actions", "10")
    assert done.returncode == 0, done.stderr
    for text in ("actions a second", "requests a second", "p99 ms", "act", "look"):
        assert text in done.stdout


def test_errors_are_counted_by_status_and_code_and_fail_the_command(service: Running, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("\n".join(f"codille_{letter * 43}" for letter in "abc"))
    done = codille_here("bench", "load", "--url", service.url, "--json", "--tables", "1", "--tokens", str(tokens))
    assert done.returncode == 1
    errors = report(done.stdout)["errors"]
    assert isinstance(errors, dict)
    assert list(errors) == ["open: 401 invalid-token"]


def test_a_request_that_keeps_failing_is_given_up(service: Running) -> None:
    done = codille_here("bench", "load", "--url", service.url, "--json", "--tables", "1", "--deals", "1")
    assert done.returncode == 1
    assert report(done.stdout)["errors"] == {"open: 422 rule-violation": PATIENCE}


def test_tokens_are_required_and_used_where_registration_is_closed(tmp_path: Path) -> None:
    with running(tmp_path / "data", settings={"CODILLE_REGISTRATION": "closed"}) as service:
        done = codille_here("bench", "load", "--url", service.url, "--seconds", "5")
        assert done.returncode == 1
        assert "give tokens of players" in done.stderr
        assert "403 registration-closed" in done.stderr
        operator = Operator(service)
        added = [operator.run("players", "add", name).split() for name in ("Ada", "Berta", "Carl")]
        tokens = tmp_path / "tokens"
        tokens.write_text("\n".join(words[3] for words in added))
        result = load(service, "--tables", "2", "--actions", "20", "--tokens", str(tokens))
        assert (result["actions"], result["players"]) == (20, 3)
        short = tmp_path / "short"
        short.write_text(added[0][3])
        done = codille_here("bench", "load", "--url", service.url, "--tokens", str(short))
        assert "crocodile needs 3 players, and there are 1" in done.stderr


def test_being_held_back_is_no_error(tmp_path: Path) -> None:
    # So little that also a slow machine is held back within these seconds, once the players have sat down.
    with running(tmp_path / "data", settings={"CODILLE_RATE_LIMIT": "60"}) as service:
        done = codille_here("bench", "load", "--url", service.url, "--json", "--tables", "1", "--seconds", "5")
        assert done.returncode == 0, done.stdout + done.stderr
        result = report(done.stdout)
        assert result["errors"] == {}
        assert int(str(result["held_back"])) >= 1


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (("--url", "http://127.0.0.1:9"), 1, "no service answers at http://127.0.0.1:9"),
        (("--url", "nonsense"), 2, "not 'nonsense'"),
        (("--tokens", "/nowhere/at/all"), 2, "cannot read"),
        (("--tables", "0"), 2, "tables"),
    ],
)
def test_a_wrong_argument_is_named(arguments: tuple[str, ...], status: int, message: str) -> None:
    done = codille_here("bench", "load", *arguments)
    assert done.returncode == status
    assert message in done.stderr
    assert "Traceback" not in done.stderr


async def test_an_unknown_game_is_named(service: Running) -> None:
    done = codille("bench", "load", "--url", service.url, "--game", "bridge")
    assert done.returncode == 1
    assert "no game is called bridge" in done.stderr
    result = await play(service.url, Load(tables=1, actions=1))
    assert result.actions == 1


def test_percentiles_are_times_that_were_measured() -> None:
    measured = latencies([number / 1000 for number in range(1, 101)])
    assert (measured.count, measured.p50_ms, measured.p90_ms, measured.p99_ms, measured.max_ms) == (
        100,
        50.0,
        90.0,
        99.0,
        100.0,
    )
    assert measured.mean_ms == pytest.approx(50.5)
    assert latencies([0.002]).p99_ms == 2.0
