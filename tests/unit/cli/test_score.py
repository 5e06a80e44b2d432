"""`codille score`: a deal scored on the terminal, by answers to questions or by JSON, without a service."""

import json
import sys
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from domain.registry import GAMES
from domain.table.events import DealScored
from service.cli import main
from service.cli.commands import app
from service.describe.fact_schemas import facts_schema
from service.http.problems import Problem
from service.http.scores import ScoreRequest, scored
from service.queries.deal_facts import DealFacts
from tests.golden.games import READER, names, records
from tests.support.for_each import for_each

EIGHT = {"ended": "played", "declarer": 0, "contract": "eight", "suit": "d", "tricks": [9, 2, 1, 1], "honours": 3}
"""The first worked example of Boston: +72."""
EIGHT_TYPED = ("played", "0", "eight", "d", "9 2 1 1", "", "3", "")


def run(*arguments: str | Path, typed: str = "") -> tuple[int, str, str]:
    """The exit status, and what was printed as output and as errors."""
    done = CliRunner().invoke(app, ["score", *map(str, arguments)], input=typed, env={"COLUMNS": "300"})
    return done.exit_code, done.stdout, done.stderr


def lines(*answers: str) -> str:
    return "".join(f"{answer}\n" for answer in answers)


def test_a_worked_example_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "deal.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps({"facts": EIGHT}).encode())
    status, printed, errors = run("boston", file)
    assert (status, errors) == (0, "")
    outcome, headings, line, totals = printed.splitlines()
    assert outcome == "Boston: made"
    assert headings.split() == ["account", "amount", "line", "rule"]
    assert line.split()[:3] == ["seat", "0", "+72"]
    assert "Eight by seat 0" in line
    assert line.split()[-1] == "BO-7.5"
    assert totals == "total   seat 0 +72   seat 1 0   seat 2 0   seat 3 0   bank −72"


def test_json_is_what_the_interface_answers() -> None:
    status, printed, _ = run("boston", "-", "--json", typed=json.dumps({"facts": EIGHT}))
    assert (status, printed.encode()) == (0, msgspec.json.encode(scored(GAMES["boston"], ScoreRequest(EIGHT))) + b"\n")


def test_answers_are_facts_and_a_wrong_one_is_asked_for_again() -> None:
    asked = run("boston", "--json", typed=lines(*EIGHT_TYPED))
    assert asked[:2] == run("boston", "-", "--json", typed=json.dumps({"facts": EIGHT}))[:2]
    wrong = ("2", "0", "egiht", "6 clubs", "3", "x", "3", "9 2 1 one", "", "9,2 1  1", "none", "100", "3", "")
    status, printed, errors = run("boston", "--json", typed=lines(*wrong))
    assert (status, printed) == asked[:2]
    assert errors.count("The contract that was played (1 boston, 2 boston-ouvert, ") == 3
    assert errors.count("  must be one of boston, boston-ouvert, eight") == 2
    assert errors.count("  must be one of s, h, d, c\n") == 1
    assert errors.count("  must be a list, in a line, or none\n") == 1
    assert errors.count("  must be a whole number from 0 to 99\n") == 2
    assert "The supporter's seat (0 to 3) [none]: " in errors


@for_each("typed", ["", "played\n", "\x00\n{}\nnull\n[[[\n", "played\n9\n-1\n1e3\n٣\n"])
def test_an_end_of_the_input_ends_it(typed: str) -> None:
    status, printed, errors = run("boston", typed=typed)
    assert (status, printed) == (1, "")
    assert errors.endswith("Aborted.\n")


def test_bytes_that_are_no_text_are_wrong_answers(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"\xff\xfe\n" + b"9" * 5000 + b"\nplayed\n" + b"9" * 5000)))
    monkeypatch.setattr(sys, "argv", ["codille", "score", "boston"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    said = capsys.readouterr().err
    assert said.count("must be one of thrown-in, played\n") == 2
    assert said.endswith("must be a whole number from 0 to 3\nThe declarer's seat (0 to 3): \nAborted.\n")


@for_each("typed", ["", "junk", "\x00\xff", "[]", "{}", "[" * 100_000, '{"facts": 1}', '{"facts": {}, "more": 1}'])
def test_junk_is_refused_in_one_line(typed: str) -> None:
    status, printed, errors = run("boston", "-", typed=typed)
    assert (status, printed) == (1, "")
    assert errors.startswith("codille: ")
    assert errors.count("\n") == 1


def test_facts_that_contradict_the_rules_are_refused_by_the_rule() -> None:
    flawed = {"facts": EIGHT | {"tricks": [9, 2, 2, 1]}}
    assert run("boston", "-", typed=json.dumps(flawed)) == (
        1, "", "codille: BO-2.2: 14 tricks are won, and 13 are played\n",
    )  # fmt: skip
    with pytest.raises(Problem) as refusal:
        scored(GAMES["boston"], ScoreRequest(**flawed))
    assert run("boston", "-", "--json", typed=json.dumps(flawed))[:2] == (1, refusal.value.body().decode() + "\n")
    assert run("boston", typed=lines("played", "0", "eight", "d", "9 1", "", "", ""))[2].endswith(
        "codille: BO-2.2: tricks are given for 2 seats, and 4 sit at the table\n"
    )


def test_options_and_the_standing_are_given_beside_the_answers() -> None:
    standing = ("--standing", "deal=5", "--standing", "totals=[1,2,3,4]", "--standing", "pool=7")
    status, printed, _ = run("lorum", *standing, "--option", "train_ten=10", typed=lines("train", "0 0 1 1"))
    assert (status, printed.splitlines()[-1]) == (0, "total   seat 0 −2   seat 1 −5   seat 2 +3   seat 3 +4   pool +17")
    assert run("lorum", typed=lines("train", "0 0 1"))[2].endswith("LO-1.2: the kind of this deal is No hearts\n")


def test_the_end_of_a_game_names_who_has_won() -> None:
    last = {"deal": 3, "deals": 3, "totals": [0, 5, -5]}
    deal = {"facts": {"ended": "passed-out"}, "standing": last}
    status, printed, _ = run("ombre", "-", typed=json.dumps(deal))
    assert status == 0
    assert printed.splitlines()[-1] == "last deal scored; won by seat 1"


@for_each(
    "arguments, said",
    [
        (("poker",), "must be one of "),
        (("boston", "no-such-file"), "does not exist"),
        (("boston", "--option", "x"), "x is not of the form NAME=VALUE"),
        (("boston", "-", "--standing", "deal=2"), "the file has options and standing"),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], said: str) -> None:
    status, _, errors = run(*arguments)
    assert status == 2
    assert said in errors


def answers(schema: dict[str, Any], value: Any, types: dict[str, Any]) -> Iterator[str]:
    """The answers that say this value, in the order of the questions."""
    schema = types[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    match value:
        case dict() if "discriminator" in schema:
            yield value["ended"]
            yield from answers({"$ref": schema["discriminator"]["mapping"][value["ended"]]}, value, types)
        case dict():
            for name, member in schema["properties"].items():
                if "const" not in member:
                    yield from answers(member, value[name], types)
        case list() if (
            "anyOf" not in schema
            and not {"$ref", "items"}.isdisjoint(schema["items"])
            and (schema["items"].get("$ref", "") != "#/$defs/Card")
        ):
            if schema.get("minItems") is None:
                yield str(len(value))
            for each in value:
                yield from answers(schema["items"], each, types)
        case list():
            yield " ".join(map(str, value)) or "none"
        case None:
            yield "none"
        case bool():
            yield "yes" if value else "no"
        case _:
            yield str(value)


@pytest.mark.parametrize("game", GAMES)
def test_the_questions_lead_to_the_facts_of_a_recorded_deal(game: str) -> None:
    record = records(game, names(game)[0])
    scores = next(one.version for one in record if one.type == DealScored.TYPE)
    deal = DealFacts.of(READER, record[: scores - 1])
    body = msgspec.json.encode(deal).decode()
    facts = json.loads(body)["facts"]
    schema = facts_schema(GAMES[game])
    beside = [
        argument
        for option, members in (("--option", deal.options), ("--standing", msgspec.to_builtins(deal.standing)))
        for name, value in members.items()
        for argument in (option, f"{name}={json.dumps(value)}")
    ]
    typed = lines(*answers(schema, facts, schema.get("$defs", {})))
    asked, sent = run(game, *beside, "--json", typed=typed), run(game, "-", "--json", typed=body)
    assert sent[0] == 0
    assert asked[:2] == sent[:2]
