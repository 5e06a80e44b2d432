"""`codille verify`: checks an exported record on this machine, with nothing but the file."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path

import msgspec
from rich.table import Table
from rich.text import Text

from domain.audit.findings import Check
from domain.audit.verification import CHECKS, Verdict, Verification, trimmed, verify
from domain.kernel.game import Game
from domain.record.history import Reader
from domain.record.note import BadKey, parse_key
from service.cli.terminal_text import console, counted, plain
from service.cli.verify_many import Dumped, PackedFiles, Source, Verified, files_in, first_two, run_many
from service.describe.conforming import conforming
from service.describe.event_codes import code_of
from service.garbage import collect_seldom
from service.transparency.keys import ed25519

INTACT, ALTERED, UNREADABLE, UNPINNED = range(4)
"""Exit statuses. `UNREADABLE` also stands for rules that this version does not know."""

MOST_FAILURES = 20
"""The most failed checks printed; one altered event may fail many."""

VERDICTS = {
    "intact": (INTACT, Text("intact", "bold green")),
    "unpinned": (UNPINNED, Text("unpinned: nothing is wrong, but anybody may have signed it", "bold yellow")),
    "altered": (ALTERED, Text("altered", "bold red")),
    "unknown": (UNREADABLE, Text("cannot be checked: its rules are not known to this version", "bold yellow")),
    "unreadable": (UNREADABLE, Text("no export", "bold red")),
}


def run(
    file: Path, games: Mapping[str, Game], keys: Sequence[str], code: str | None = None, *, unpinned: bool = False
) -> int:
    """Checks the file by these games, prints the result, and returns the exit status.

    A folder has files of records, or dumps with their manifests, and a file may have several records, one after the
    other: of these counts are printed, and the worst decides the status. With `unpinned`, a file in which nothing is
    wrong will do without a key. With the code of an event, as a printed deal has it, a file without that event counts
    as altered.
    """
    output = console()
    collect_seldom()
    try:
        for key in keys:
            parse_key(trimmed(key))
        files = PackedFiles(files_in(file), Dumped(file if file.is_dir() else None))
        first, records = first_two(files)
        if file.is_dir() or len(first) > 1:
            return _many(files, records, games, keys, code, unpinned=unpinned)
        (only,) = first
        if isinstance(only, Verified):
            raise OSError(only.reason)
        data = only[1]
        verification = verify(data, Reader(games), ed25519, conforming(games), keys)
    except OSError as error:
        console(sys.stderr).print(f"codille: {file} cannot be read: {error.strerror or error}")
        return UNREADABLE
    except BadKey as error:
        console(sys.stderr).print(f"codille: {plain(str(error))}")
        return UNREADABLE
    for part in rendered(verification):
        output.print(part, soft_wrap=not isinstance(part, Table))
    status = status_of(verification.verdict, unpinned=unpinned)
    if code is None or verification.verdict == "unreadable":
        return status
    if code in _codes(data):
        output.print(f"has the event of the code {code}")
        return status
    output.print(Text(f"has no event of the code {plain(code)}", "bold red"))
    return ALTERED


def status_of(verdict: Verdict, *, unpinned: bool) -> int:
    """The exit status for a verdict."""
    return INTACT if unpinned and verdict == "unpinned" else VERDICTS[verdict][0]


def _many(
    files: PackedFiles,
    records: Iterator[Source | Verified],
    games: Mapping[str, Game],
    keys: Sequence[str],
    code: str | None,
    *,
    unpinned: bool,
) -> int:
    """Checks many records, and returns the exit status."""
    if code is not None:
        console(sys.stderr).print("codille: a code is looked for in one record, and these are several")
        return UNREADABLE
    worst = run_many(files, records, games, keys)
    if worst is None:
        console(sys.stderr).print("codille: no record was verified")
        return UNREADABLE
    console().print(Text.assemble("worst: ", VERDICTS[worst][1]))
    return status_of(worst, unpinned=unpinned)


def _codes(data: bytes) -> Iterator[str]:
    """The codes of the events in an export."""
    # The first line is the header, the last one the trailer.
    for line in data.splitlines()[1:-1]:
        with suppress(msgspec.MsgspecError):
            event = _events.decode(line)
            yield code_of(event.version, event.hash)


class _Coded(msgspec.Struct):
    """The members of an event that its code is made of."""

    version: int
    hash: str


_events = msgspec.json.Decoder(_Coded)


def rendered(verification: Verification) -> Iterator[str | Text | Table]:
    """The result for a terminal, part by part."""
    if verification.table is not None:
        table, game = plain(verification.table), plain(verification.game or "?")
        whom = "everyone" if verification.audience == "public" else plain(verification.audience or "")
        yield f"table {table} · {game} · {counted(verification.events, 'event')} · as open to {whom}\n"
    yield _table(verification.checks)
    failed = [check for check in verification.checks if not check.passed]
    if failed:
        yield ""
    for check in failed[:MOST_FAILURES]:
        yield Text.assemble((f"{check.name}: ", "bold red"), plain(check.text))
        if check.recorded is not None or check.computed is not None:
            yield f"    recorded  {_value(check.recorded)}"
            yield f"    computed  {_value(check.computed)}"
    if len(failed) > MOST_FAILURES:
        yield f"… and {len(failed) - MOST_FAILURES} more"
    if verification.unchecked:
        yield Text("\nnot checked", "bold yellow")
    for text in verification.unchecked:
        yield f"  {text}"
    verdict = VERDICTS[verification.verdict][1]
    if verification.line_ends is not None:
        yield f"\n{verification.line_ends}"
        if verification.verdict == "intact":
            verdict = verdict + ", but for its line ends"
    yield Text.assemble("\n", verdict)


def _table(checks: Sequence[Check]) -> Table:
    """The checks, one row a name. The last column is wrapped to the remaining width."""
    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for heading in ("check", "", "rules", "events"):
        made.add_column(heading, no_wrap=True)
    made.add_column("what it says", ratio=1)
    for row in _rows(checks):
        made.add_row(*row)
    return made


def _rows(checks: Sequence[Check]) -> Iterator[tuple[str | Text, ...]]:
    for name, group in groupby(checks, key=lambda check: check.name):
        own = list(group)
        failed = [check for check in own if not check.passed]
        rules = sorted({check.rule for check in own if check.rule}, key=_natural)
        events = sorted({event for check in failed or own for event in check.events})
        sign = Text(f"failed {len(failed)}×", "red") if failed else Text("passed", "green")
        range_ = f"{rules[0]} … {rules[-1]}" if len(rules) > 2 else " ".join(rules)
        yield name, sign, range_, _numbers(events), CHECKS[name] if failed or len(own) > 1 else plain(own[0].text)


def _natural(rule: str) -> list[tuple[int, str]]:
    """A sort key by which CR-10.1 comes after CR-9.12."""
    return [(int(part) if part.isdigit() else 0, part) for part in rule.replace("-", ".").split(".")]


def _numbers(events: Sequence[int]) -> str:
    """The numbers of a few events, or the range of many."""
    if len(events) <= 4:
        return " ".join(map(str, events))
    return f"{events[0]}–{events[-1]} ({len(events)})"


def _value(value: object) -> str:
    """A value on one line, at most 300 characters of it."""
    text = value.replace("\n", " ⏎ ") if isinstance(value, str) else msgspec.json.encode(value).decode()
    return plain(text if len(text) <= 300 else text[:300] + "…")
