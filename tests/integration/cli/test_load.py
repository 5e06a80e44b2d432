"""`codille bench load` beside a running service, and what it says where something is wrong."""

import json
from pathlib import Path

import pytest

from domain.registry import GAMES
from service.cli.load_test import Load, latencies, play
from service.cli.load_test.play import PATIENCE
from tests.integration.cli.test_commands import Operator, codille
from tests.support.service import Running, running


def report(done_stdout: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(done_stdout)
    return found


def load(service: Running, *arguments: str) -> dict[str, object]:
    """The report of a load that meets no errors."""
    done = codille("bench", "load", "--url", service.url, "--json", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return report(done.stdout)


@pytest.mark.parametrize("game", GAMES)
def test_it_ends_after_so_many_actions_at_tables_of_any_game(service: Running, game: str) -> None:
    seats = GAMES[game].seats(GAMES[game].options())
    told = load(service, "--game", game, "--tables", "4", "--actions", "60", "--seconds", "60")
    assert told["actions"] == 60
    assert told["players"] == 4 * seats
    assert told["errors"] == {}
    counted = {name: times["count"] for name, times in told["latencies"].items()}  # type: ignore[attr-defined]
    assert counted["act"] == 60
    assert counted["open"] >= 4
    assert counted["sit"] >= 4 * seats
    assert counted["offers"] >= 60
    assert counted["look"] >= 60


def test_games_are_played_to_their_end_by_players_who_sit_at_several_tables(service: Running) -> None:
    told = load(service, "--tables", "3", "--players", "4", "--deals", "3", "--actions", "600", "--seconds", "100")
    assert told["players"] == 4
    assert int(str(told["games_finished"])) >= 1


def test_it_ends_after_its_time(service: Running) -> None:
    told = load(service, "--tables", "2", "--seconds", "1")
    assert int(str(told["actions"])) < 100_000


def test_thinking_takes_its_time(service: Running) -> None:
    told = load(service, "--tables", "2", "--think", "1000", "--seconds", "1", "--actions", "50")
    assert int(str(told["actions"])) < 50


def test_it_tells_throughput_and_latencies_on_a_terminal(service: Running) -> None:
    done = codille("bench", "load", "--url", service.url, "--tables", "2", "--actions", "10")
    assert done.returncode == 0, done.stderr
    for text in ("actions a second", "requests a second", "p99 ms", "act", "look"):
        assert text in done.stdout


def test_errors_are_counted_by_what_was_answered_and_fail_the_command(service: Running, tmp_path: Path) -> None:
    tokens = tmp_path / "tokens"
    tokens.write_text("\n".join(f"codille_{letter * 43}" for letter in "abc"))
    done = codille(
        "bench", "load", "--url", service.url, "--json", "--tables", "1", "--seconds", "1", "--tokens", str(tokens)
    )
    assert done.returncode == 1
    errors = report(done.stdout)["errors"]
    assert isinstance(errors, dict)
    assert list(errors) == ["open: 401 invalid-token"]


def test_what_is_refused_for_good_is_not_asked_for_ever(service: Running) -> None:
    done = codille("bench", "load", "--url", service.url, "--json", "--tables", "1", "--deals", "1")
    assert done.returncode == 1
    assert report(done.stdout)["errors"] == {"open: 422 rule-violation": PATIENCE}


def test_where_nobody_can_register_tokens_are_asked_for_and_used(tmp_path: Path) -> None:
    with running(tmp_path / "data", settings={"CODILLE_REGISTRATION": "closed"}) as service:
        done = codille("bench", "load", "--url", service.url, "--seconds", "5")
        assert done.returncode == 1
        assert "give tokens of players" in done.stderr
        assert "403 registration-closed" in done.stderr
        operator = Operator(service)
        added = [operator.run("players", "add", name).split() for name in ("Ada", "Berta", "Carl")]
        tokens = tmp_path / "tokens"
        tokens.write_text("\n".join(words[3] for words in added))
        told = load(service, "--tables", "2", "--actions", "20", "--tokens", str(tokens))
        assert (told["actions"], told["players"]) == (20, 3)
        short = tmp_path / "short"
        short.write_text(added[0][3])
        done = codille("bench", "load", "--url", service.url, "--tokens", str(short))
        assert "crocodile needs 3 players, and there are 1" in done.stderr


def test_being_held_back_is_no_error(tmp_path: Path) -> None:
    with running(tmp_path / "data", settings={"CODILLE_RATE_LIMIT": "60"}) as service:
        done = codille("bench", "load", "--url", service.url, "--json", "--tables", "1", "--seconds", "3")
        assert done.returncode == 0, done.stdout + done.stderr
        told = report(done.stdout)
        assert told["errors"] == {}
        assert int(str(told["held_back"])) >= 1


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("--url", "http://127.0.0.1:9"), 1, "no service answers at http://127.0.0.1:9"),
        (("--url", "nonsense"), 1, "no service answers at nonsense"),
        (("--tokens", "/nowhere/at/all"), 2, "cannot read"),
        (("--tables", "0"), 2, "tables"),
    ],
)
def test_what_is_wrong_is_said(arguments: tuple[str, ...], status: int, said: str) -> None:
    done = codille("bench", "load", *arguments)
    assert done.returncode == status
    assert said in done.stderr
    assert "Traceback" not in done.stderr


async def test_an_unknown_game_is_said(service: Running) -> None:
    done = codille("bench", "load", "--url", service.url, "--game", "bridge")
    assert done.returncode == 1
    assert "no game is called bridge" in done.stderr
    told = await play(service.url, Load(tables=1, actions=1))
    assert told.actions == 1


def test_percentiles_are_times_that_were_measured() -> None:
    found = latencies([number / 1000 for number in range(1, 101)])
    assert (found.count, found.p50_ms, found.p90_ms, found.p99_ms, found.max_ms) == (100, 50.0, 90.0, 99.0, 100.0)
    assert found.mean_ms == pytest.approx(50.5)
    assert latencies([0.002]).p99_ms == 2.0
