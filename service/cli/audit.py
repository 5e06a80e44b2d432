"""`codille audit`: audits the whole log, or a part of it, on all cores."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from rich.text import Text

from domain.record.export import with_line_feeds
from domain.record.note import parse_checkpoint
from service.audit import AuditSummary, Sources, audit_log
from service.cli.operate import servers
from service.cli.progress import show_progress
from service.cli.terminal_text import console, counted, plain, table
from service.config import Settings
from service.run.serve_error import ServeError
from service.transparency import Checkpoint
from service.wiring import open_services

MOST_DIFFERENCES = 50
"""The most differences printed; the rest are counted."""


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
                    checkpoint=expected or await services.transparency.newest(),
                    keys=await services.transparency.keys(),
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
    yield table(
        ("audit of the log", ""),
        (
            ("tables", f"{summary.tables:,}"),
            ("events", f"{summary.events:,}"),
            ("up to position", f"{summary.position:,}"),
            ("tree", summary.tree),
            ("read models", summary.models),
            ("time", f"{summary.seconds:.1f} s on {summary.processes} processes"),
            ("rate", f"{summary.rate:,.0f} events/s"),
            ("verdict", verdict),
        ),
    )
    for one in summary.differences[:MOST_DIFFERENCES]:
        yield Text.assemble((f"{one.subject}: ", "bold"), (f"{one.check}: ", "red"), plain(one.text))
    if len(summary.differences) > MOST_DIFFERENCES:
        yield f"… and {len(summary.differences) - MOST_DIFFERENCES} more"
