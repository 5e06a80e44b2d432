"""The forms of what is recorded: each that was ever written stands in `forms.txt`, and is read for good.

Who changes a form first adds an archive of the form before, and then the new form to the file.
"""

import gzip
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import service.store
from domain.record.export import FORMAT, Header, Trailer
from domain.registry import GAMES
from domain.table.events import EVENTS
from tests.history.archives import ARCHIVES, unescaped
from tests.history.forms import Shape, fits, of_exports, of_games, of_migrations

KNOWN = (Path(__file__).parent / "forms.txt").read_text().splitlines()
RECORDED = Path(__file__).parents[1] / "unit" / "audit" / "forms"
"""Recorded games of earlier commits, which are audited there."""
ADVICE = "first add an archive of the form before, as tests/history/README.md says, and then these lines to forms.txt"


@cache
def written_today() -> frozenset[str]:
    """The forms that are written now."""
    migrations = Path(next(iter(service.store.__path__))) / "migrations"
    return frozenset((*of_games(GAMES, EVENTS), *of_exports(FORMAT, Header, Trailer), *of_migrations(migrations)))


@cache
def archived() -> dict[tuple[str, ...], tuple[Any, ...]]:
    """What archives and recorded games hold, each once, by the words that a form's line begins with."""
    found: dict[tuple[str, ...], dict[str, Any]] = {}

    def add(value: Any, *words: str) -> None:
        found.setdefault(words, {}).setdefault(json.dumps(value), value)

    def add_event(game: str, type_: str, schema: str, public: Any, sections: Any) -> None:
        sealed = {to.partition(":")[0]: section["data"] for to, section in sections.items()}
        for owner in (game, "table"):
            add({"public": public, "sealed": sealed}, "event", owner, type_, schema)
        if type_ == "table-opened":
            add(None, "rules", game, str(public["rules_version"]), public["rules_digest"])
            add(public["options"], "options", game)

    for file in RECORDED.glob("*.json.gz"):
        for each in json.loads(gzip.decompress(file.read_bytes()))["events"]:
            add_event(each["game"], each["type"], str(each["schema"]), each["public"], each["sealed"])
    for archive in ARCHIVES.values():
        for row in archive.rows("event"):
            game, type_, schema = (row[name].decode() for name in ("game", "type", "schema"))
            add_event(game, type_, schema, json.loads(unescaped(row["public"])), json.loads(unescaped(row["sealed"])))
        for row in archive.rows("schema_migration"):
            add(None, "migration", row["name"].decode().partition("_")[2], unescaped(row["digest"]).hex())
        for export in archive.exports.values():
            first, *_, last, _end = export.split(b"\n")
            header = json.loads(first)
            add({"header": header, "trailer": json.loads(last)}, "export", header["format"])
    return {words: tuple(values.values()) for words, values in found.items()}


def is_archived(form: str) -> bool:
    """Whether an archive holds something of the form."""
    words, brace, members = form.partition(" {")
    held = archived().get(tuple(words.split()), ())
    return any(not brace or of_form(value, json.loads(f"{{{members}")) for value in held)


def of_form(value: Any, members: Shape) -> bool:
    """Whether it has the form's members; of sealed sections those that stand in it, since words may be erased."""
    if "sealed" not in members:
        return fits(value, members)
    sealed = all(
        kind in members["sealed"] and fits(data, members["sealed"][kind]) for kind, data in value["sealed"].items()
    )
    return sealed and fits(value["public"], members["public"])


def missing(forms: Iterator[str]) -> list[str]:
    return [form for form in sorted(forms) if not is_archived(form)]


def test_every_form_that_is_written_is_known() -> None:
    assert sorted(written_today() - set(KNOWN)) == [], ADVICE


def test_every_digest_of_rules_is_one_of_its_own_version() -> None:
    versions = [version for game in GAMES.values() for version in (*game.earlier, game)]
    books = [(version.name, version.rulebook) for version in versions]
    pinned = {f"rules {name} {book.version} {each}" for name, book in books for each in (book.digest(), *book.also)}
    assert pinned == {form for form in KNOWN if form.startswith("rules ")}, "`also` is of one version alone"


def test_every_form_that_is_written_no_longer_stands_in_an_archive() -> None:
    former = set(KNOWN) - written_today()
    assert former
    assert missing(iter(former)) == [], "no archive holds these forms, which today's code does not write any more"


def test_a_form_that_no_archive_holds_is_missed() -> None:
    held = next(form for form in KNOWN if form.startswith("event table seat-taken 1 "))
    assert is_archived(held)
    for other in (held.replace('"seat": "int"', '"seat": "str"'), held.replace("entropy", "luck")):
        assert other != held
        assert not is_archived(other)
