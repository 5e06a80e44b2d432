"""`codille audit`: the whole log, or a part of it, audited on all cores."""

import asyncio
from collections.abc import Iterator

from rich.text import Text

from service.audit import Summary, audit_log
from service.audit.whole import Servers
from service.cli.operate import servers
from service.cli.progress import progress
from service.cli.terminal import console, plain, table
from service.config import Settings
from service.wiring import open_services

MOST_FAILURES = 50
"""Differences that are told in full."""


def run(settings: Settings, since: int, only: str | None) -> int:
    """Audits the log that the settings name and prints a summary; answers the exit status.

    Raises ServeError, EmbeddedError and StoreUnavailable.
    """
    with servers(settings) as found, progress("auditing", "tables") as tell:

        async def work() -> Summary:
            async with open_services(settings, found.database_url, found.redis_url) as services:
                transparency = services.transparency
                return await audit_log(
                    Servers(found.database_url, found.redis_url),
                    tell,
                    since=since,
                    table=only,
                    checkpoint=await transparency.newest(),
                    keys=await transparency.keys(),
                )

        summary = asyncio.run(work())
    shown = console()
    for part in told(summary):
        shown.print(part)
    return 1 if summary.failures else 0


def told(summary: Summary) -> Iterator[object]:
    """What to print."""
    verdict = Text("altered", "bold red") if summary.failures else Text("intact", "bold green")
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
    for failure in summary.failures[:MOST_FAILURES]:
        yield Text.assemble((f"{failure.place}: ", "bold"), (f"{failure.check}: ", "red"), plain(failure.text))
    if len(summary.failures) > MOST_FAILURES:
        yield f"… and {len(summary.failures) - MOST_FAILURES} more"
