"""The command line beside a running service, as an operator and a newcomer use it."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from datetime import UTC, datetime
from functools import cache
from io import StringIO
from pathlib import Path
from typing import TypeAlias
from unittest.mock import patch

import httpx
import pytest
import zstandard

from domain.kernel.game import Game
from service.cli import main
from service.cli.narrator import HEADING_WIDTH
from service.cli.operate import recorded
from service.cli.terminal_text import counted
from service.config import Settings
from tests.support.for_each import for_each
from tests.support.registry import GAMES, REGISTRY, fewest_deals
from tests.support.repetition import times
from tests.support.service import CODILLE, Running
from tests.support.table_page import events_of
from tests.support.waiting import until

ROOT = Path(__file__).parents[3]
COMMANDS = (
    "serve", "demo", "replay", "verify", "score", "audit", "migrate", "doctor", "rebuild", "openapi", "players",
    "tokens", "tables", "reports", "keys", "bench",
)  # fmt: skip
ONE_GAME = "tests.support.registry:ONE_GAME"
SHORT = 4
"""A game is demonstrated whose shortest has no more deals than so many; `make long` has all games demonstrated."""
DEMONSTRATED = {name: game for name, game in GAMES.items() if times(1) > 1 or fewest_deals(game) <= SHORT}
Printed: TypeAlias = Callable[[str], str]
"""What is printed of the game of a name."""
LONGEST = 4000
"""More events than a demonstration of any game has."""
PLAYED = ("  trick", "  play ", "  meld ", "  hunt ", "  capture ")
"""What a line about a card played, melded or captured begins with."""


def codille(*arguments: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    given = {name: text for name, text in os.environ.items() if not name.startswith("CODILLE_")}
    return subprocess.run(
        [CODILLE, *arguments], env=given | settings, capture_output=True, text=True, timeout=120, check=False
    )


def codille_here(*arguments: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    """The same in this process, which has loaded already what each process would load anew."""
    given = {name: text for name, text in os.environ.items() if not name.startswith("CODILLE_")}
    out, err, status = StringIO(), StringIO(), 0
    with (
        patch.dict(os.environ, given | settings, clear=True),
        patch.object(sys, "argv", ["codille", *arguments]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            status = int(ended.code or 0)
    return subprocess.CompletedProcess(arguments, status, out.getvalue(), err.getvalue())


class Operator:
    """Runs commands on the data of a service, in this process unless it is said otherwise."""

    def __init__(self, service: Running) -> None:
        self.url = service.url
        self.data_dir = service.data_dir
        self._settings = {"CODILLE_DATA_DIR": str(service.data_dir), "CODILLE_REGISTRY": REGISTRY}

    def run(self, *arguments: str) -> str:
        """The output of the command, which must succeed."""
        return self._output(codille_here(*arguments, **self._settings))

    def run_apart(self, *arguments: str) -> str:
        """The same in a process of its own."""
        return self._output(codille(*arguments, **self._settings))

    def _output(self, done: "subprocess.CompletedProcess[str]") -> str:
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def fail(self, *arguments: str) -> str:
        """The one line with which the command fails."""
        done = codille_here(*arguments, **self._settings)
        assert done.returncode == 1, done.stdout + done.stderr
        assert done.stderr.startswith("codille: "), done.stderr
        assert done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    def misuse(self, *arguments: str) -> str:
        """The message of a command that does not accept its arguments."""
        done = codille_here(*arguments, **self._settings)
        assert done.returncode == 2, done.stdout + done.stderr
        return " ".join(done.stderr.replace("│", " ").split())

    def get(self, path: str, token: str) -> httpx.Response:
        return httpx.get(self.url + path, headers={"Authorization": f"Bearer {token}"}, trust_env=False)


def test_a_command_loads_nothing_that_it_does_not_need() -> None:
    heavy = {"asyncio", "asyncpg", "httpx", "litestar", "prometheus_client", "redis", "structlog", "uvicorn"}
    look = f"import sys, service.cli; print(*sorted({heavy} & sys.modules.keys()))"
    loaded = subprocess.run([sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True)
    assert loaded.stdout.strip() == ""


@pytest.fixture
def operator(service: Running) -> Operator:
    return Operator(service)


@pytest.fixture(params=DEMONSTRATED.values(), ids=list(DEMONSTRATED))
def game(request: pytest.FixtureRequest) -> Game:
    """Each game that is demonstrated."""
    chosen: Game = request.param
    return chosen


@pytest.fixture(scope="module")
def demonstrations(service: Running) -> Printed:
    """What the demonstration of a game prints, by players without rules, which takes least time."""
    return cache(lambda name: Operator(service).run("demo", "--seed", "7", "--players", "random", "--game", name))


@pytest.fixture
def demonstration(demonstrations: Printed, game: Game) -> str:
    """What the demonstration of the game prints."""
    return demonstrations(game.name)


def table_of(demonstration: str) -> str:
    """The table that a demonstration was played at."""
    (table,) = re.findall(r"codille replay (\S+)", demonstration)
    return str(table)


@pytest.fixture
def table(demonstrations: Printed) -> str:
    """A table with a finished game."""
    return table_of(demonstrations("crocodile"))


@pytest.fixture(scope="module")
def replays(service: Running, demonstrations: Printed) -> Printed:
    """What the replay of a game's demonstration prints."""
    return cache(lambda name: Operator(service).run("replay", table_of(demonstrations(name))))


@pytest.fixture
def replay(replays: Printed, game: Game) -> str:
    """What the replay of the game's demonstration prints."""
    return replays(game.name)


@for_each("command", COMMANDS)
def test_help_describes_each_command(command: str) -> None:
    done = codille_here(command, "--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout


def test_help_names_each_command() -> None:
    done = codille("--help")
    assert done.returncode == 0
    assert "Usage:" in done.stdout
    assert [command for command in COMMANDS if f"│ {command} " not in done.stdout] == []


def test_a_demonstration_plays_a_game_to_its_end(demonstration: str, game: Game) -> None:
    numbers = game.course.deals(game.options())
    deals = min(numbers.least, numbers.default)
    assert f"  table     {game.title}, {counted(deals, 'deal')}," in demonstration
    for deal in range(1, deals + 1):
        assert f"Deal {deal} of {deals}" in demonstration
    assert printed(demonstration) >= {"outcome", "totals", "finished"}


def test_a_demonstration_tells_what_was_recorded(operator: Operator, demonstration: str, game: Game) -> None:
    events = events_of(operator.url, table_of(demonstration))
    headed = {kind: words.heading for kind, words in game.words.events.items() if words.row is None}
    # The headline of a deal stands for its first event.
    happened = {event["type"] for event in events} - {"cards-dealt"}
    assert printed(demonstration) >= {headed[kind] for kind in happened & headed.keys()}
    booked = any(event["public"].get("lines") for event in events)
    assert ("ledger" in printed(demonstration)) == booked
    assert booked or not re.search(r"^  totals .*[1-9]", demonstration, re.MULTILINE)


def printed(demonstration: str) -> set[str]:
    """The headings of a demonstration's lines."""
    return {line[2 : 2 + HEADING_WIDTH].strip() for line in demonstration.splitlines() if line.startswith("  ")}


def test_a_demonstration_of_any_game_is_soon_over(operator: Operator, demonstration: str) -> None:
    table = httpx.get(f"{operator.url}/v1/tables/{table_of(demonstration)}", trust_env=False).json()
    assert table["version"] < LONGEST


def test_a_demonstration_names_the_page_first_and_last(operator: Operator, demonstration: str) -> None:
    address = f"{operator.url}/replay/{table_of(demonstration)}"
    lines = [line for line in demonstration.splitlines() if line.strip()]
    assert [place for place, line in enumerate(lines) if line.endswith(address)] == [0, len(lines) - 1]
    assert httpx.get(address, trust_env=False).headers["content-type"].startswith("text/html")


def test_a_demonstration_needs_no_more_than_to_be_run(operator: Operator) -> None:
    assert "  table     Crocodile, 3 deals" in operator.run_apart("demo", "--seed", "7")


# A bid to play and a deal's worth of cards in the short one; `make long` plays all games.
@pytest.mark.parametrize("name", GAMES if times(1) > 1 else ["solo"])
def test_quick_players_play_a_game_to_its_end(operator: Operator, name: str) -> None:
    demonstration = operator.run("demo", "--players", "quick", "--game", name)
    assert printed(demonstration) >= {"outcome", "totals", "finished"}
    actors = {event["actor"].partition(":")[0] for event in events_of(operator.url, table_of(demonstration))}
    assert actors <= {"seat", "house", "clock"}


def test_a_demonstration_of_a_game_with_options(operator: Operator) -> None:
    settled = ("--option", "players=3", "--option", "sitter_pays=false")
    demonstration = operator.run("demo", "--seed", "7", "--game", "lhombre", "--deals", "3", *settled)
    assert "players: 3, sitter pays: no" in demonstration
    assert "takes seat 3" in demonstration
    assert "takes seat 4" not in demonstration
    assert "sits out" not in demonstration


def test_an_unknown_game_or_option_is_named(operator: Operator) -> None:
    assert "must be one of crocodile" in operator.misuse("demo", "--game", "bridge")
    assert "players: must be one of 3, 4" in operator.misuse("demo", "--game", "lhombre", "--option", "players=5")
    assert codille_here("demo", "--option", "players").returncode == 2


def test_a_replay_in_a_process_of_its_own_is_the_same(operator: Operator, table: str, replays: Printed) -> None:
    assert operator.run_apart("replay", table) == replays("crocodile")


def test_a_replay_shows_the_same_game_as_the_demonstration(demonstration: str, replay: str) -> None:
    lines = [line.rstrip() for line in demonstration.splitlines()]
    again = [line.rstrip() for line in replay.splitlines()]
    played = [line for line in lines if line.startswith(PLAYED)]
    assert played
    assert played == [line for line in again if line.startswith(PLAYED)]
    assert [line for line in lines if "ledger" in line] == [line for line in again if "ledger" in line]


def test_a_replay_ends_with_the_running_scores_if_something_is_booked(replay: str) -> None:
    played, _, plot = replay.partition("\nTotals in ")
    assert bool(plot) == ("ledger" in printed(played))
    assert not plot or re.search("[\N{BRAILLE PATTERN DOTS-1}-\N{BRAILLE PATTERN DOTS-12345678}]", plot)


def test_a_replay_from_the_database_equals_that_from_the_service(
    operator: Operator, demonstration: str, replay: str
) -> None:
    assert operator.run("replay", table_of(demonstration), "--database") == replay


def test_a_replay_from_the_database_opens_what_a_closed_table_opens(operator: Operator) -> None:
    _, secret = re.findall(r"^(?:player|token) +(\S+)$", operator.run("players", "add", "Zoe"), re.MULTILINE)
    headers = {"Authorization": f"Bearer {secret}"}
    url = f"{operator.url}/v1/tables"
    table = httpx.post(url, json={"game": "crocodile"}, headers=headers, trust_env=False).json()["table"]
    assert httpx.delete(f"{url}/{table}", headers=headers, trust_env=False).status_code == 200
    served = httpx.get(f"{url}/{table}/events", trust_env=False).json()["items"]
    assert "house" in served[0]["sealed"]
    kept = Settings(data_dir=operator.data_dir)
    assert recorded(kept, table)[0] == served
    assert operator.run("replay", table, "--database") == operator.run("replay", table)


def test_a_replay_through_a_seats_eyes_shows_its_own_hand_alone(
    operator: Operator, demonstration: str, replay: str
) -> None:
    table = table_of(demonstration)
    own = operator.run("replay", table, "--as", "seat:1")
    public = operator.run("replay", table, "--as", "public")
    hands = [len(re.findall(r"[♠♥♦♣]", seen)) for seen in (replay, own, public)]
    game = httpx.get(f"{operator.url}/v1/tables/{table}", trust_env=False).json()["game"]
    if GAMES[game].showing.alike:
        assert hands[0] >= hands[1] == hands[2] > 0
    else:
        assert hands[0] > hands[1] > hands[2] > 0


def test_a_replay_through_the_eyes_of_no_audience_is_refused(table: str) -> None:
    assert codille_here("replay", table, "--as", "nobody").returncode == 2


@pytest.mark.parametrize("past", [(), ("--database",)])
def test_a_replay_through_an_unknown_seats_eyes_is_refused(
    operator: Operator, demonstration: str, past: tuple[str, ...]
) -> None:
    assert "seat:0, seat:1" in operator.misuse("replay", table_of(demonstration), "--as", "seat:7", *past)


def test_an_unknown_table_is_named_in_one_line(operator: Operator) -> None:
    unknown = "0197a000-0000-7000-8000-000000000000"
    assert "no table has this id" in operator.fail("replay", unknown)
    operator.fail("replay", unknown, "--database")


def test_players_are_added_listed_and_erased(operator: Operator) -> None:
    player, token = re.findall(r"^(?:player|token) +(\S+)$", operator.run("players", "add", "Zoe"), re.MULTILINE)
    assert operator.get("/v1/tokens", token).status_code == 200
    assert re.search(rf"^{player} +Zoe ", operator.run("players", "list"), re.MULTILINE)
    operator.run("players", "erase", player)
    asyncio.run(until(lambda: operator.get("/v1/tokens", token).status_code == 401))
    assert re.search(rf"^{player} +\(erased\) ", operator.run("players", "list"), re.MULTILINE)
    operator.fail("players", "erase", player)
    for name in ("x" * 65, " ", "Zoe\u202e"):
        assert codille_here("players", "add", name).returncode == 2


def test_reports_are_listed_with_what_erases_and_dismissed(operator: Operator) -> None:
    for report in re.findall(r"codille reports dismiss (\S+)$", operator.run("reports"), re.MULTILINE):
        operator.run("reports", "dismiss", report)  # of other tests
    bad, good, reporter = (operator.run("players", "add", name).split() for name in ("Rude word", "Nice word", "Xenia"))
    headers = {"Authorization": f"Bearer {reporter[3]}"}
    for player in (bad[1], good[1]):
        about = {"about": f"player:{player}"}
        assert httpx.post(f"{operator.url}/v1/reports", headers=headers, json=about, trust_env=False).is_success
    rude, nice = operator.run("reports").strip().split("\n\n")
    assert re.fullmatch(rf"Rude word\n  reported by 1 player since .*\n  codille (.*){bad[1]}\n  .*", rude)
    (report,) = re.findall(r"^Nice word\n.*\n.*\n  codille reports dismiss (\S+)$", nice)
    operator.run("players", "erase", bad[1])
    assert operator.run("reports").strip() == nice
    operator.run("reports", "dismiss", report)
    assert operator.run("reports") == "Nothing is reported.\n"
    operator.fail("reports", "dismiss", report)


def test_tokens_are_issued_listed_and_revoked(operator: Operator) -> None:
    player, _ = re.findall(r"^(?:player|token) +(\S+)$", operator.run("players", "add", "Yan"), re.MULTILINE)
    secret = operator.run("tokens", "add", player, "--scope", "arbiter", "--scope", "play").strip()
    (token,) = operator.get("/v1/tokens", secret).json()["items"][1:]
    assert token["scopes"] == ["arbiter", "play"]
    assert re.search(rf"{token['id']} +– +arbiter play .* when revoked ", operator.run("tokens", "list", player))
    operator.run("tokens", "add", player, "--name", "a bot", "--days", "3")
    assert re.search(r" a bot +play +\S+ +\d{4}-\d\d-\d\d \d\d:\d\d +never", operator.run("tokens", "list", player))
    headers = {"Authorization": f"Bearer {secret}"}
    added = httpx.post(f"{operator.url}/v1/tokens", json={}, headers=headers, trust_env=False).json()["token"]
    assert operator.get("/v1/tokens", added).status_code == 200
    operator.run("tokens", "revoke", player, token["id"])
    # The running service stops accepting the tokens that it has in its cache.
    assert [operator.get("/v1/tokens", one).status_code for one in (secret, added)] == [401, 401]
    operator.fail("tokens", "revoke", player, token["id"])
    operator.fail("tokens", "list", "0197a000-0000-7000-8000-000000000000")
    operator.fail("tokens", "add", "0197a000-0000-7000-8000-000000000000")
    assert codille_here("tokens", "add", player, "--scope", "king").returncode == 2


def test_text_is_erased_under_a_running_service(operator: Operator, table: str) -> None:
    path = f"/v1/tables/{table}"
    player = httpx.get(operator.url + path, trust_env=False).json()["seats"][0]["player"]
    secret = operator.run("tokens", "add", player).strip()
    headers = {"Authorization": f"Bearer {secret}"}
    body = {"deal": 1, "reason": "I live at 5 Low Street."}
    raised = httpx.post(f"{operator.url}{path}/disputes", headers=headers, json=body, trust_env=False)
    assert raised.status_code == 201, raised.text
    version = str(raised.json()["version"])
    assert "erased" in operator.run("tables", "erase-text", table, version)
    for what in ("/disputes", "/events?limit=200", "/export"):
        assert "Low Street" not in httpx.get(operator.url + path + what, trust_env=False).text
    assert f"event {version} has no text" in operator.fail("tables", "erase-text", table, version)
    assert "no text" in operator.fail("tables", "erase-text", table, "1")
    operator.fail("tables", "erase-text", "0197a000-0000-7000-8000-000000000000", "1")
    assert "intact" in operator.run("audit", "--table", table)


def test_words_are_erased_with_a_player_and_when_the_player_asked_for_it(operator: Operator) -> None:
    added = [operator.run("players", "add", name).split() for name in ("Ada", "Berta", "Carl")]
    people = [(one[1], httpx.Client(base_url=operator.url, trust_env=False)) for one in added]
    for (_, own), one in zip(people, added, strict=True):
        own.headers["Authorization"] = f"Bearer {one[3]}"
    opening = {"game": "ombre", "table": {"talk": True}}
    table = people[0][1].post("/v1/tables", json=opening).json()["table"]
    for seat, (_, own) in enumerate(people):
        assert own.post(f"/v1/tables/{table}/seats", json={"seat": seat}).is_success
    for name, (_, own) in zip(("Ada", "Berta", "Carl"), people, strict=True):
        assert own.post(f"/v1/tables/{table}/actions", json={"type": "talk", "text": f"I am {name}."}).is_success
    (ada, own), (berta, _), _ = people
    assert own.delete("/v1/players/me?words=true").status_code == 204
    assert operator.run("players", "erase", "--asked") == f"{ada}: 1 text erased\n"
    assert operator.run("players", "erase", "--asked") == "Nobody has asked for it.\n"
    operator.run("players", "erase", berta)
    for texts in ("1 text", "0 texts"):
        assert operator.run("players", "erase", berta, "--words") == f"{berta}: {texts} erased\n"
    events = httpx.get(f"{operator.url}/v1/tables/{table}/events?limit=200", trust_env=False).text
    assert re.findall(r"I am \w+", events) == ["I am Carl"]
    operator.fail("players", "erase", table, "--words")
    for misuse in ((), (berta, "--asked")):
        assert "name a player, or give --asked" in operator.misuse("players", "erase", *misuse)
    assert "intact" in operator.run("audit", "--table", table)


def test_read_models_are_rebuilt_while_the_service_runs(operator: Operator, table: str) -> None:
    before = httpx.get(f"{operator.url}/v1/tables", trust_env=False).json()
    operator.run_apart("rebuild")
    after = httpx.get(f"{operator.url}/v1/tables", trust_env=False).json()
    assert table in [item["table"] for item in after["items"]]
    assert len(after["items"]) >= len(before["items"])


def test_an_export_is_verified_and_an_altered_one_is_not(operator: Operator, table: str, tmp_path: Path) -> None:
    whole = tmp_path / "game.ndjson"
    whole.write_bytes(httpx.get(f"{operator.url}/v1/tables/{table}/export", trust_env=False).content)
    key = operator.run("keys", "show").strip()
    pinned = codille("verify", str(whole), "--key", key)
    assert (pinned.returncode, "intact" in pinned.stdout) == (0, True), pinned.stdout
    for arguments, status in (((), 3), (("--unpinned",), 0)):
        unpinned = codille_here("verify", str(whole), *arguments)
        assert (unpinned.returncode, "not pinned" in unpinned.stdout) == (status, True), unpinned.stdout
    altered = tmp_path / "altered.ndjson"
    altered.write_bytes(whole.read_bytes().replace(b'"seat":1', b'"seat":2', 1))
    assert codille_here("verify", str(altered), "--key", key).returncode == 1
    (tmp_path / "nothing").write_bytes(b"\x00")
    assert codille_here("verify", str(tmp_path / "nothing")).returncode == 2
    assert codille_here("verify", str(tmp_path / "missing")).returncode == 2


def test_a_months_games_are_dumped_while_the_service_runs(operator: Operator, table: str, tmp_path: Path) -> None:
    month = datetime.now(UTC).strftime("%Y-%m")
    assert f"codille-{month}-" in operator.run("archive", "dump", "--month", month, "--out", str(tmp_path / "dumps"))
    key = operator.run("keys", "show").strip()
    assert "worst: intact" in operator.run("verify", str(tmp_path / "dumps"), "--key", key)
    (file,) = (tmp_path / "dumps").glob("*.zst")
    assert table.encode() in zstandard.ZstdDecompressor().decompressobj().decompress(file.read_bytes())


def test_the_log_is_audited_while_the_service_runs(operator: Operator, table: str) -> None:
    summary = operator.run_apart("audit")
    assert "intact" in summary
    assert "events/s" in summary
    assert "intact" in operator.run("audit", "--table", table)


def test_a_doctor_finds_nothing_wrong_with_a_running_service_and_exits_by_what_it_finds(
    operator: Operator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.cli.doctor_checks.ROOM", 0)
    lines = operator.run("doctor").splitlines()
    assert [line for line in lines if "  well   " not in line] == []
    results = json.loads(operator.run("doctor", "--json"))
    assert [one["check"] for one in results] == [line.split()[0] for line in lines]
    assert {one["to_do"] for one in results} == {None}
    done = codille_here("doctor", CODILLE_DATA_DIR=str(operator.data_dir), CODILLE_PROT="1", CODILLE_BODY_TIMEOUT_S="9")
    assert (done.returncode, done.stderr) == (1, "")
    *wrong, warned = done.stdout.splitlines()[:3]
    assert warned.startswith("settings  well   CODILLE_BODY_TIMEOUT_S is not a setting any more: a request's body may")
    assert wrong == [
        "settings  wrong  CODILLE_PROT is not a setting; did you mean CODILLE_PORT?",
        "          do     mend the variable; deploy/settings.md has all of them",
    ]


def test_keys_are_rotated_under_a_running_service(operator: Operator, table: str, tmp_path: Path) -> None:
    before = operator.run("keys", "show").strip()
    after = operator.run_apart("keys", "rotate").strip()
    assert operator.run("keys", "show").strip() == after != before
    listed = operator.run("keys", "list")
    assert before in listed
    assert after in listed
    operator.run("players", "list")
    export = tmp_path / "game.ndjson"
    export.write_bytes(httpx.get(f"{operator.url}/v1/tables/{table}/export", trust_env=False).content)
    assert codille_here("verify", str(export), "--key", before, "--key", after).returncode == 0
    # The key that was pinned before announces the next one in the file.
    assert codille_here("verify", str(export), "--key", before).returncode == 0
    served = httpx.get(f"{operator.url}/v1/log/keys", trust_env=False).json()["items"]
    assert [item["verifier"] for item in served] == [before, after]


def test_a_schema_that_is_up_to_date_stays(operator: Operator) -> None:
    assert operator.run_apart("migrate") == "The schema is up to date.\n"


def test_a_specification_that_differs_from_the_code_is_detected_and_rewritten(tmp_path: Path) -> None:
    def openapi(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return codille_here("openapi", "--registry", ONE_GAME, "--out", str(tmp_path), *arguments)

    assert openapi().returncode == 0
    assert openapi("--check").returncode == 0
    written = contents(tmp_path)
    (tmp_path / "openapi.json").write_text("{}\n")
    (tmp_path / "catalogue" / "table.txt").unlink()
    (tmp_path / "catalogue" / "other.txt").write_text("{}\n")
    done = openapi("--check")
    assert done.returncode == 1
    for path in ("openapi.json", "catalogue/table.txt", "catalogue/other.txt"):
        assert path in done.stderr
    assert done.stderr.splitlines()[-1] == "codille: `codille openapi` writes these files anew"
    assert "\N{REPLACEMENT CHARACTER}" not in done.stderr
    assert openapi().returncode == 0
    assert contents(tmp_path) == written
    # With it was written what is built, and is not written again.
    event = tmp_path / "built" / "events" / "table" / "seat-left.json"
    assert event.is_file()
    event.unlink()
    assert openapi("--built").returncode == 0
    assert not event.exists()
    assert codille_here("openapi", "--built", "--check").returncode == 2


def contents(folder: Path) -> dict[Path, bytes]:
    """The files in a folder, by their paths in it, without what is built."""
    files = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {path: file.read_bytes() for path, file in files.items() if path.parts[0] != "built"}


def test_wrong_settings_are_named() -> None:
    done = codille_here("serve", CODILLE_PROT="1")
    assert (done.returncode, done.stderr.startswith("codille: CODILLE_PROT is not a setting")) == (2, True)
    done = codille_here("serve", CODILLE_PORT="high")
    assert (done.returncode, "CODILLE_PORT must be" in done.stderr) == (2, True)
    done = codille("serve", CODILLE_IDLE_TIMEOUT_S="75", CODILLE_SPEC_DIR="nowhere")
    assert (done.returncode, done.stderr.count("CODILLE_IDLE_TIMEOUT_S is not a setting any more")) == (2, 1)


@pytest.mark.parametrize("command", [("serve",), ("serve", "--workers", "2"), ("openapi", "--check"), ("verify", "x")])
def test_a_registry_that_is_not_there_is_named(command: tuple[str, ...], tmp_path: Path) -> None:
    run = codille if command[0] == "serve" else codille_here
    done = run(*command, CODILLE_REGISTRY="domain.registrar:GAMES", CODILLE_DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("codille: CODILLE_REGISTRY must be where the games are")
    assert list(tmp_path.iterdir()) == [], "nothing was started"


def test_a_specification_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = codille("serve", CODILLE_SPEC_DIR=str(tmp_path), CODILLE_DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("codille: CODILLE_SPEC_DIR must be a folder with openapi.json")
    assert list(tmp_path.iterdir()) == [], "nothing was started"


def test_a_missing_service_is_named(tmp_path: Path) -> None:
    done = codille_here("demo", "--url", "http://127.0.0.1:9", CODILLE_DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "no service answers at http://127.0.0.1:9" in done.stderr
    done = codille_here("players", "list", CODILLE_DATA_DIR=str(tmp_path))
    assert (done.returncode, "there is no data in" in done.stderr) == (1, True)
