"""`codille audit`: audits the whole log, or a part of it, on all cores."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from rich.text import Text

from domain.record.export import with_line_feeds
from domain.record.note import parse_checkpoint
from service.audit import AuditSummary, Difference, Sources, audit_log
from service.cli.operate import servers
from service.cli.progress import show_progress
from service.cli.terminal_text import console, counted, plain, table
from service.config import Settings
from service.run.serve_error import ServeError
from service.transparency import Checkpoint
from service.wiring import open_services

MOST_DIFFERENCES = 50
"""The most differences printed; the rest are counted."""

MOST_LETTERS = 80
"""The most letters of a value that are printed."""

_OF_BYTES = ("chain", "seals", "payload")
"""Checks of bytes, which fail together with those of what the bytes say."""


def run(settings: Settings, since: int, only: str | None, kept: Path | None) -> int:
    """Audits the log in the settings, prints a summary, and returns the exit status: 1 if anything differs.

    The log's tree is compared with the checkpoint in the file `kept`, or otherwise with the log's own newest. Raises
    ServeError if there is no data, EmbeddedError if the servers do not start, and StoreUnavailable.
    """
    expected = None if kept is None else read_checkpoint(kept)
    with servers(settings) as running, show_progress("auditing", "tables") as progress:

        async def work() -> AuditSummary:
            async with open_services(settings, running.database_url, running.redis_url) as services:
                return await audit_log(
                    Sources(running.database_url, running.redis_url, settings.registry),
                    progress,
                    since=since,
                    table=only,
                    checkpoint=expected or await services.log.transparency.newest(),
                    keys=await services.log.transparency.keys(),
                )

        summary = asyncio.run(work())
    output = console()
    for part in rendered(summary):
        output.print(part)
    return 1 if summary.differences else 0


def read_checkpoint(file: Path) -> Checkpoint:
    """The checkpoint in a file. Raises ServeError."""
    try:
        text = with_line_feeds(file.read_bytes()).decode(errors="replace")
        return Checkpoint(*parse_checkpoint(text), text)
    except OSError as error:
        raise ServeError(f"{file} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise ServeError(f"{file} is no checkpoint as GET /v1/log/checkpoint answers it: {error}") from error


def rendered(summary: AuditSummary) -> Iterator[object]:
    """The summary for a terminal, part by part."""
    verdict = Text("altered", "bold red") if summary.differences else Text("intact", "bold green")
    if summary.not_judged:
        verdict += Text(
            f"; {counted(summary.not_judged, 'table')} not judged: of rules or events unknown here", "yellow"
        )
    if summary.not_checked:
        verdict += Text(f"; not checked: {', '.join(summary.not_checked)}", "yellow")
    yield table(
        ("audit of the log", ""),
        (
            ("tables", f"{summary.tables:,}"),
            ("events", f"{summary.events:,}"),
            ("up to position", f"{summary.position:,}"),
            ("tree", summary.tree),
            ("read models", summary.models),
            ("tallies", summary.tallies),
            ("time", f"{summary.seconds:.1f} s on {summary.processes} processes"),
            ("rate", f"{summary.rate:,.0f} events/s"),
            ("verdict", verdict),
        ),
    )
    differences = _folded(summary.differences)
    for one, others in differences[:MOST_DIFFERENCES]:
        text = " ".join([one.text, *_values(one)])
        yield Text.assemble((f"{one.subject}: ", "bold"), (f"{one.check}: ", "red"), plain(text))
        if others:
            yield plain(f"  {len(others)} more in this table may follow from it: {_in_one_line(others)}")
    if len(differences) > MOST_DIFFERENCES:
        yield f"… and {len(differences) - MOST_DIFFERENCES} more"


def _folded(differences: Sequence[Difference]) -> list[tuple[Difference, list[Difference]]]:
    """The first difference of each table's record, with the others, which may follow from it; each other one alone.

    Of the first event's, hashes and seals come last: they say that something differs, and the others what.
    """
    of_tables: dict[str, list[Difference]] = {}
    for number, one in enumerate(differences):
        of_tables.setdefault(one.table or f"#{number}", []).append(one)
    ordered = (sorted(own, key=lambda one: (one.event, one.check in _OF_BYTES)) for own in of_tables.values())
    return [(first, others) for first, *others in ordered]


def _in_one_line(differences: Sequence[Difference]) -> str:
    """The checks that failed, each with its events."""
    events: dict[str, dict[int, None]] = {}
    for one in differences:
        events.setdefault(one.check, {})[one.event] = None
    return "; ".join(f"{check} at event {', '.join(map(str, at))}" for check, at in events.items())


def _values(one: Difference) -> Iterator[str]:
    """The two values, part by part where they are given so. Those of whole payloads say no more than the text."""
    if one.check == "payload" or (one.recorded is None and one.computed is None):
        return
    if isinstance(one.recorded, dict) and isinstance(one.computed, dict):
        parts = [(f"{path}: ", value, one.computed.get(path)) for path, value in one.recorded.items()]
    else:
        parts = [("", one.recorded, one.computed)]
    for path, recorded, computed in parts:
        yield f"{path}recorded {_short(recorded)}, computed {_short(computed)}."


def _short(value: object) -> str:
    """A value as JSON, shortened."""
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}…"
