"""What a command says of an option that is wrong: by the option's name, and with what is allowed."""

import httpx
import pytest
import typer
from typer.testing import CliRunner

from service.cli import commands
from service.cli.client import Client, ServiceRefusal
from service.cli.commands import app
from service.cli.shared_options import wrong_option
from tests.support.for_each import for_each

RUNNER = CliRunner()


def said(*arguments: str) -> str:
    """What the command prints, in one line, as it refuses its arguments."""
    outcome = RUNNER.invoke(app, arguments, env={"COLUMNS": "200", "TERM": "dumb"})
    assert outcome.exit_code == 2, outcome.output
    return " ".join(outcome.output.replace("│", " ").split())


URLS = [
    "notaurl",
    "ftp://cards.example",
    "localhost:8000",
    "http://",
    "http://[::1",
    "http://127.0.0.1:99999",
    "http://x:0",
]
COMMANDS = [("demo",), ("replay", "0" * 8 + "-0000" * 3 + "-" + "0" * 12), ("bench", "load")]


@for_each(
    "month, text",
    [
        ("2026-13", "must be a month"),
        ("november", "must be a month"),
        ("1999-12", "must be a month"),
        ("9999-12", "has not begun"),
    ],
)
def test_what_is_no_month_of_a_dump_is_called_so(month: str, text: str) -> None:
    assert text in said("archive", "dump", "--month", month, "--out", "nowhere")


@for_each("url", URLS)
@for_each("command", COMMANDS)
def test_what_is_no_address_is_called_so(command: tuple[str, ...], url: str) -> None:
    refusal = said(*command, "--url", url)
    assert f"'--url': must be the address of a service, like http://127.0.0.1:8000, not '{url}'" in refusal


def answering(pointer: str, detail: str) -> Client:
    """A client of a service that refuses every table for this fault."""
    problem = {
        "detail": f"{pointer}: {detail}",
        "code": "invalid-body",
        "errors": [{"pointer": pointer, "detail": detail}],
    }

    def answer(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/v1/tables":
            return httpx.Response(422, json=problem)
        return httpx.Response(201, json={"player": "0" * 8, "token": "codille_"})

    http = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://codille.test")
    return Client("http://codille.test", http)


def test_a_game_that_is_not_offered_is_refused_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    client = answering("/game", "must be one of crocodile, solo")
    monkeypatch.setattr(commands.Client, "connect", lambda _: client)
    assert "Invalid value for --game: must be one of crocodile, solo" in said("demo", "--game", "poker")


@pytest.mark.parametrize(
    ("pointer", "option", "detail"),
    [
        ("/deals", "--deals", "must be at least 1"),
        ("/options/players", "--option", "players: must be at least 1"),
        ("/options", "--option", "must be at least 1"),
    ],
)
def test_a_fault_of_a_table_is_called_by_the_option_that_made_it(pointer: str, option: str, detail: str) -> None:
    problem = wrong_option(ServiceRefusal(422, {"errors": [{"pointer": pointer, "detail": "must be at least 1"}]}))
    assert isinstance(problem, typer.BadParameter)
    assert (problem.param_hint, problem.message) == (option, detail)


@pytest.mark.parametrize(
    "problem", [{}, {"errors": [{"parameter": "game", "detail": "is missing"}]}, {"errors": [{"pointer": "/gamer"}]}]
)
def test_other_refusals_are_no_fault_of_an_option(problem: dict[str, object]) -> None:
    assert wrong_option(ServiceRefusal(422, problem)) is None
