"""`codille doctor`: checks what the service needs, before its first start and after it, and says what to do.

Each check is tried by itself, so that one that fails hides no other. No secret is printed: servers are named by their
hosts, and keys by the ids that verifiers know.
"""

import asyncio
import re
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack

import asyncpg
import msgspec
from msgspec import Struct, structs
from rich.text import Text

from deploy.embedded import EmbeddedError, Servers, embedded
from projections.connection import OUTAGES as REDIS_OUTAGES
from projections.connection import connect
from service.cli.doctor_checks import (
    GUIDE,
    HERE,
    MEND_SETTING,
    OF_OTHERS,
    OF_OWNER,
    OF_PRIMARY,
    OF_REDIS,
    Finding,
    Patient,
)
from service.cli.terminal_text import console, plain
from service.config import PREFIX, ConfigError, Settings, gone
from service.run.schema import NO_ADDRESS
from service.run.serve_error import unreachable
from service.store.database import OUTAGES, REFUSALS, Database, StoreUnavailable, WrongAddress
from service.store.migrate import MigrationRefused

NOT_STARTED = "none"
"""In place of the address of an embedded server that was never started."""

_REFUSED = f"mend the address, or make its role and database: *Set it up with two roles* in {GUIDE}"


class Result(Struct, frozen=True):
    """The result of one check."""

    check: str
    text: str
    """What was seen, or what is wrong."""
    to_do: str | None = None
    """What to do; None if nothing is wrong."""


def run(environ: Mapping[str, str], *, as_json: bool) -> int:
    """Checks everything, prints the results, and returns the exit status: 1 if anything is wrong."""
    results = examine(environ)
    if as_json:
        sys.stdout.write(msgspec.json.format(msgspec.json.encode(results)).decode() + "\n")
    else:
        output = console()
        for result in results:
            verdict = ("well   ", "green") if result.to_do is None else ("wrong  ", "bold red")
            output.print(Text.assemble(f"{result.check:10}", verdict, plain(result.text)))
            for line in (result.to_do or "").splitlines():
                output.print(f"{'':10}do     {plain(line)}")
    return 1 if any(result.to_do for result in results) else 0


def examine(environ: Mapping[str, str], clock: Callable[[], float] = time.time) -> list[Result]:
    """The results of all checks of the settings in these variables.

    Embedded servers that were started before run meanwhile; none is made. Must be called in the main thread, outside
    any event loop.
    """
    settings, faults = Settings.read(environ)
    results = [Result("settings", fault, MEND_SETTING) for fault in faults] or [Result("settings", "all can be read")]
    results += [Result("settings", warning) for warning in gone(environ)]
    wrong = frozenset(fault.partition(" ")[0].removeprefix(PREFIX) for fault in faults)

    def given(url: str | None, variable: str, data: str) -> str | None:
        started = variable not in wrong and (settings.data_dir / data).is_dir()
        return url or (None if started else NOT_STARTED)

    with ExitStack() as stack:
        running = embedded(
            settings.data_dir,
            database_url=given(settings.database_url, "DATABASE_URL", "postgres"),
            owner_url=settings.database_owner_url,
            redis_url=given(settings.redis_url, "REDIS_URL", "valkey"),
            share=True,
        )
        try:
            servers = stack.enter_context(running)
        except EmbeddedError as error:
            results.append(
                Result("embedded servers", str(error), f"look at the logs in {settings.data_dir.absolute()}")
            )
            servers = Servers(settings.database_url or NOT_STARTED, settings.redis_url or NOT_STARTED)
        return results + asyncio.run(_examine(Patient(settings, servers, "", clock, wrong)))


async def _examine(patient: Patient) -> list[Result]:
    settings, servers = patient.settings, patient.servers
    results = [await _result(name, check(patient), "the service", "") for name, check in HERE]
    for variable, url, checks in (
        ("DATABASE_URL", servers.database_url, OF_PRIMARY),
        ("DATABASE_DIRECT_URL", settings.database_direct_url, OF_OTHERS),
        ("STANDBY_URL", settings.standby_url, OF_OTHERS),
        ("DATABASE_OWNER_URL", servers.owner_url, OF_OWNER),
    ):
        if url == NOT_STARTED:
            if variable not in patient.wrong:
                results.append(Result("Postgres", "embedded: the first start makes it"))
        elif url is not None:
            # As the owner, since a role that may do too much must hide nothing else.
            async with Database(url, owner=True, connections=2) as database:
                this = structs.replace(patient, url=url)
                seen = ((name, check(this, database)) for name, check in checks)
                results += await _all(seen, "Postgres", variable, url)
    if servers.redis_url == NOT_STARTED:
        if "REDIS_URL" not in patient.wrong:
            results.append(Result("Redis", "embedded: the first start makes it"))
        return results
    try:
        client = connect(servers.redis_url)
    except NO_ADDRESS:
        return [*results, _no_address("Redis", "REDIS_URL")]
    async with client as redis:
        seen = ((name, check(patient, redis)) for name, check in OF_REDIS)
        return results + await _all(seen, "Redis", "REDIS_URL", servers.redis_url)


async def _all(checks: Iterator[tuple[str, Awaitable[str]]], server: str, variable: str, url: str) -> list[Result]:
    """The results of the checks of one server, of which the first one connects; if it fails, the only one."""
    results: list[Result] = []
    for name, seeing in checks:
        results.append(await _result(name, seeing, server, variable, url))
        if len(results) == 1 and results[0].to_do:
            break
    return results


async def _result(name: str, seeing: Awaitable[str], server: str, variable: str, url: str = "") -> Result:
    """The result of a check, whatever it raises."""
    try:
        return Result(name, await seeing)
    except Finding as finding:
        return Result(name, str(finding), finding.to_do)
    except ConfigError as error:
        return Result(name, str(error), MEND_SETTING)
    except MigrationRefused as error:
        return Result(name, str(error), f"see *Upgrade it* in {GUIDE}")
    except WrongAddress as error:
        text, to_do = re.split(r"[.:] ", str(error), maxsplit=1)
        return Result(name, f"{PREFIX}{variable}: {text}", to_do)
    except NO_ADDRESS:
        return _no_address(name, variable)
    except (StoreUnavailable, asyncpg.PostgresError, *OUTAGES, *REDIS_OUTAGES) as error:
        cause = error.__cause__ if isinstance(error.__cause__, Exception) else error
        to_do = _REFUSED if isinstance(cause, REFUSALS) else f"start {server}, or mend {PREFIX}{variable}"
        return Result(name, str(unreachable(server, url, cause)), to_do)
    except Exception as error:  # a fault of one check must hide no other
        return Result(name, f"this cannot be checked: {type(error).__name__}", "report it")


def _no_address(name: str, variable: str) -> Result:
    # The driver's text may have a part of a password.
    return Result(name, f"{PREFIX}{variable} cannot be read", "write special characters of user and password as in %2F")
