"""The commands that run, show and maintain the service."""

import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, TypeAlias
from uuid import UUID

import typer

from domain.kernel.game import Game
from domain.record.catalogue import UnknownEvent
from domain.seats import seat_audience
from service.cli import replay as replaying
from service.cli.archiving import archive
from service.cli.bench import bench
from service.cli.client import Client, ServiceRefusal, Unreachable
from service.cli.demo import Demo
from service.cli.operators import players, tables, tokens
from service.cli.progress import show_progress
from service.cli.reports import reports
from service.cli.settings import settings
from service.cli.shared_options import Url, wrong_option
from service.cli.signing_keys import keys
from service.cli.stepper import NoTerminal, step_through
from service.cli.terminal_text import console, counted
from service.config import RoleName, gone, load_registry
from service.queries.deal_audits import NoSuchDeal
from service.run.running import url_of
from service.run.serve_error import ServeError

app = typer.Typer(
    help="An event-sourced service for card games.\n\n"
    "Start it with [bold]codille serve[/bold], watch a game with [bold]codille demo[/bold]. "
    "Settings come from the environment, such as CODILLE_PORT: see deploy/settings.md.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(players)
app.add_typer(tokens)
app.add_typer(tables)
app.add_typer(reports)
app.add_typer(archive)
app.add_typer(keys)
app.add_typer(bench)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # no other command needs it

        typer.echo(f"codille {version('codille')}")
        raise typer.Exit


@app.callback()
def _codille(
    _: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Takes the options that precede a command."""


Players: TypeAlias = Literal["quick", "random"]
"""How the players of a demonstration play."""


@app.command()
def serve(
    role: Annotated[
        RoleName | None,
        typer.Option(
            help="Serve the interface, keep the projections, send to webhooks, play for bots, or do all of it (all; "
            "CODILLE_ROLE)."
        ),
    ] = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on (127.0.0.1; CODILLE_HOST).")] = None,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="Port to listen on, 0 for any (8000; CODILLE_PORT).")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="Processes that serve the interface (1; CODILLE_WORKERS).")
    ] = None,
) -> None:
    """Run the service until Ctrl-C or SIGTERM.

    It starts its own Postgres and Valkey, with their data under .codille, unless CODILLE_DATABASE_URL and
    CODILLE_REDIS_URL name servers to use.
    """
    # Imported late, as in the commands below: other commands need not wait for what it loads.
    from service.moments import now
    from service.observability.logs import set_up
    from service.run import serving

    given = {"ROLE": role, "HOST": host, "PORT": port, "WORKERS": workers}
    chosen = settings({name: str(value) for name, value in given.items() if value is not None})
    log = set_up(chosen.log_format, sys.stderr.buffer, terminal=sys.stderr.isatty(), clock=now, level=chosen.log_level)

    def say(text: str) -> None:
        if chosen.log_format != "json":
            typer.echo(text)

    for warning in gone(os.environ):
        log.warning(warning)
    serving.serve(chosen, log, say)


@app.command()
def demo(
    url: Url = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the players' choices; the cards still differ.")] = None,
    games: Annotated[int, typer.Option(min=1, help="The number of games to play.")] = 1,
    deals: Annotated[int | None, typer.Option(min=1, help="Deals a game. Default: as few as possible.")] = None,
    game: Annotated[
        str | None, typer.Option(metavar="NAME", help="The game to play. Default: the first that the service offers.")
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of the game, as players=3; may be repeated."),
    ] = None,
    players: Annotated[
        Players,
        typer.Option(help="quick: as quick opponents play. random: without rules, by picking from offers."),
    ] = "quick",
    slow: Annotated[bool, typer.Option("--slow", help="Pause after every action, to read along.")] = False,
) -> None:
    """Watch players play a whole game through the interface."""
    output, chosen = console(), settings()
    known = load_registry(chosen.registry)
    with Client.connect(url or url_of(chosen)) as client:
        playing = Demo(
            client,
            known,
            output.print,
            Random(seed),  # noqa: S311 (a demonstration)
            rules=players == "quick",
            pause_s=0.7 if slow else 0.0,
        )
        try:
            for _ in range(games):
                table = playing.play(game, deals, _settled(option))
                output.print(f"\n  Replay it at any time: codille replay {table}")
                output.print(f"  or in a browser:       {client.url}/replay/{table}\n")
        except ServiceRefusal as refusal:
            raise wrong_option(refusal) or refusal from None
        except Unreachable as error:
            raise ServeError(f"{error}; start one with `codille serve`, or name it with --url") from error


def _settled(options: Sequence[str] | None, hint: str = "--option") -> dict[str, Any] | None:
    """The options in the form of the interface: values are parsed as JSON, or else taken as strings."""
    settled: dict[str, Any] = {}
    for option in options or ():
        name, given, value = option.partition("=")
        if not given:
            raise typer.BadParameter(f"{option} is not of the form NAME=VALUE", param_hint=hint)
        try:
            settled[name] = json.loads(value)
        except ValueError:
            settled[name] = value
    return settled or None


@app.command()
def replay(
    table: Annotated[
        str,
        typer.Argument(metavar="TABLE|FILE", help="The table's id, or an export of its record, which needs no server."),
    ],
    audience: Annotated[
        str,
        typer.Option("--as", metavar="all|public|seat:N", help="Whose view to show; all: everything that is open now."),
    ] = replaying.ALL,
    url: Url = None,
    database: Annotated[
        bool, typer.Option("--database", help="Read the record from the database, not through the service.")
    ] = False,
    step: Annotated[
        bool, typer.Option("--step", help="Step through the game with the arrow keys, also deal by deal.")
    ] = False,
    deal: Annotated[int | None, typer.Option("--deal", min=1, metavar="N", help="Only this deal.")] = None,
    html: Annotated[
        bool, typer.Option("--html", help="With --deal: the deal as a page to print, complete in itself, to a file.")
    ] = False,
) -> None:
    """Replay a table's game on the terminal: auction, exchanges, tricks, outcome, ledger."""
    if not re.fullmatch(r"all|public|seat:[0-9]", audience):
        raise typer.BadParameter("must be all, public, seat:0, seat:1, …", param_hint="--as")
    if html and (deal is None or step or audience != replaying.ALL):
        raise typer.BadParameter("needs --deal, and neither --as nor --step", param_hint="--html")
    known = load_registry(settings().registry)
    recording = _recording(table, known, url, database=database)
    events, names, views, _ = recording
    seats = sorted({seat_audience(one["seat"]) for one in replaying.taken_seats(events)})
    if audience.startswith("seat:") and audience not in seats:
        raise typer.BadParameter(f"must be one of all, public, {', '.join(seats)} at this table", param_hint="--as")
    try:
        if deal is not None and html:
            from service.cli.deal_file import deal_file

            sys.stdout.buffer.write(deal_file(recording, deal, known))
            return
        chosen = None if deal is None else replaying.versions_of(recording, deal)
    except NoSuchDeal as error:
        raise typer.BadParameter(str(error), param_hint="--deal") from None
    output = console()
    lines = replaying.narrate(events, audience, lambda player: names.get(player, player), known, views, chosen)
    if step:
        try:
            step_through(list(lines), output)
        except NoTerminal:
            raise typer.BadParameter("needs a terminal, for its keys", param_hint="--step") from None
        return
    for line in lines:
        output.print(line)
    if deal is None:
        for line in replaying.plotted(recording, known):
            output.print(line)


def _recording(table: str, games: Mapping[str, Game], url: str | None, *, database: bool) -> replaying.Recording:
    """The recording of a table, or in a file."""
    try:
        table = str(UUID(table))
    except ValueError:
        try:
            return replaying.from_file(Path(table), games)
        except OSError as error:
            raise typer.BadParameter(f"neither a table's id nor a file: {error.strerror or error}") from None
        except (replaying.NoExport, UnknownEvent) as error:
            raise typer.BadParameter(str(error)) from None
    if database:
        # Imported late: it loads the whole service.
        from service.cli.operate import recorded

        return recorded(settings(), table)
    with Client.connect(url or url_of(settings())) as client:
        return replaying.from_service(client, table)


@app.command()
def verify(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="An export of a table's record, several one after the other, or a folder of such files or dumps.",
        ),
    ],
    key: Annotated[
        list[str] | None,
        typer.Option(
            "--key", metavar="KEY", help="A key of its log, as NAME+HASH+KEY: the one that signed it, or one before it."
        ),
    ] = None,
    code: Annotated[
        str | None,
        typer.Option("--code", metavar="CODE", help="The code of an event that it must have, as on a deal's page."),
    ] = None,
    unpinned: Annotated[
        bool, typer.Option("--unpinned", help="Exit with 0 without a key too, if nothing else is wrong.")
    ] = False,
) -> None:
    """Check an exported record without a server: chain, seals, seeds, deals, rules, ledger, proofs and signatures.

    Files may be packed by gzip or Zstandard. Of several records the worst decides, and is named with what is wrong.
    Exits with 0 if it is intact, 1 if it was altered, 2 if it cannot be read or checked, and 3 if nothing is wrong but
    no key was given, so that anybody may have signed it.
    """
    from service.cli.verify import run

    raise typer.Exit(run(file, load_registry(settings().registry), key or (), code, unpinned=unpinned))


@app.command()
def fetch(
    player: Annotated[UUID, typer.Argument(metavar="PLAYER", help="The player's id.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", dir_okay=False, help="The file to write.")],
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file",
            metavar="FILE",
            exists=True,
            dir_okay=False,
            help="A file with the player's token, for what the player knew, and tables that lists do not show.",
        ),
    ] = None,
    game: Annotated[str | None, typer.Option(metavar="NAME", help="Only games of this kind.")] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="With --game: only with this option; may be repeated."),
    ] = None,
    partner: Annotated[
        list[UUID] | None, typer.Option("--with", metavar="PLAYER", help="Only with this player; may be repeated.")
    ] = None,
    since: Annotated[str | None, typer.Option(metavar="TIME", help="Only finished at or after this time.")] = None,
    until: Annotated[str | None, typer.Option(metavar="TIME", help="Only finished before this time.")] = None,
    bots: Annotated[bool | None, typer.Option(help="Only with bots as players, or only without.")] = None,
    disputed: Annotated[bool | None, typer.Option(help="Only with a disputed line, or only without.")] = None,
    corrected: Annotated[bool | None, typer.Option(help="Only changed by a ruling, or only not.")] = None,
    url: Url = None,
) -> None:
    """Take the records of all finished games of a player along, newest first, in one file for `codille verify`.

    A file that is there is completed: what was interrupted goes on after its last whole record, and games that were
    finished since are added at its end. A time is as 2026-11-30T00:00:00Z.
    """
    from service.cli.fetch import NoRecords
    from service.cli.fetch import fetch as fetched

    token = None if token_file is None else token_file.read_text().strip()
    flags = {"bots": bots, "disputed": disputed, "corrected": corrected}
    given = {"game": game, "since": since, "until": until}
    filters = {
        **{name: str(value).lower() for name, value in flags.items() if value is not None},
        **{name: value for name, value in given.items() if value is not None},
        "option": [one.replace("=", ":", 1) for one in option or ()],
        "with": [str(one) for one in partner or ()],
    }
    with Client.connect(url or url_of(settings())) as client:
        try:
            count = fetched(client if token is None else client.authenticated(token), str(player), out, filters)
        except OSError as error:
            raise typer.BadParameter(f"{out}: {error.strerror or error}", param_hint="--out") from None
        except NoRecords:
            raise typer.BadParameter(f"{out} holds something else than records", param_hint="--out") from None
    console().print(f"{out}: {counted(count, 'record')}")


@app.command()
def score(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game that was played.")],
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE",
            exists=True,
            dir_okay=False,
            allow_dash=True,
            help="The facts as JSON, a body of POST /v1/games/{game}/score; - for standard input. Default: they are "
            "asked for, one by one.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="An option of the table, as players=3; may be repeated."),
    ] = None,
    standing: Annotated[
        list[str] | None,
        typer.Option(
            "--standing",
            metavar="NAME=VALUE",
            help="What stood before the deal, where it was not the first: deal=3, dealer=1, totals=[5,0,-5], pool=10; "
            "may be repeated.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what the interface would answer.")] = False,
) -> None:
    """Score a deal that was played anywhere, by the rules installed here. It needs no service, and records nothing.

    Exits with 1 if the facts contradict the rules, with the rule and the reason.
    """
    from service.cli.score import run

    known = load_registry(settings().registry)
    if game not in known:
        raise typer.BadParameter(f"must be one of {', '.join(known)}", param_hint="GAME")
    beside = {"options": _settled(option), "standing": _settled(standing, "--standing") or {}}
    if file is not None and (option or standing):
        raise typer.BadParameter("the file has options and standing", param_hint="FILE")
    raise typer.Exit(run(game, known, file, beside, as_json=as_json))


@app.command()
def audit(
    since: Annotated[
        int, typer.Option("--since", min=0, metavar="POSITION", help="Only tables with events after it.")
    ] = 0,
    table: Annotated[UUID | None, typer.Option("--table", metavar="ID", help="Only this table.")] = None,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A checkpoint kept elsewhere, which the log must still match, for example after a restore.",
        ),
    ] = None,
) -> None:
    """Audit the whole log on all cores: chains, positions, tree, seals, rules, ledgers, and what Redis serves of them.

    Exits with 1 if anything differs, and names the places. Says what it did not check.
    """
    from service.cli.audit import run

    raise typer.Exit(run(settings(), since, None if table is None else str(table), checkpoint))


@app.command()
def migrate() -> None:
    """Bring the database's schema up to date.

    `codille serve` does this by itself, except when its parts run apart (--role).
    """
    from service.cli import operate

    run, left, unknown = operate.migrate(settings())
    typer.echo("\n".join(run) if run else "The schema is up to date.")
    if unknown:
        typer.echo(
            f"{counted(unknown, 'table')} pinned rules that this version does not have: they will be set aside. "
            "Another version that has them can play them on."
        )
    if left:
        statements = "".join(f"\n    {statement};" for statement in left)
        typer.echo(f"The service's role may do more than it needs. Let an administrator of Postgres run:{statements}")


@app.command()
def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Check what the service needs, before its first start or at any time, and print what to do about what is wrong.

    It looks at settings, roles, keys, versions, clocks, disks, Redis' eviction and poolers, and changes nothing. Run it
    with the settings of the service, and with the owner's address if the owner is to be checked too.

    Exits with 1 if anything is wrong.
    """
    from service.cli.doctor import run

    raise typer.Exit(run(os.environ, as_json=as_json))


@app.command()
def rebuild() -> None:
    """Rebuild the read models in Redis from the log, then switch to them. The service may run meanwhile."""
    from service.cli import operate

    with show_progress("building read models", "events") as progress:
        operate.rebuild(settings(), progress)


@app.command()
def openapi(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if the committed files differ from the code.")
    ] = False,
    built: Annotated[
        bool, typer.Option("--built", help="Write only what is not committed, unless it is there for this code.")
    ] = False,
    registry: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The games, as package.module:NAME (CODILLE_REGISTRY)."),
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="The folder of the files.")] = Path("api-spec"),
) -> None:
    """Write the OpenAPI and AsyncAPI documents and the event catalogue, and what is built beside them, from the code.

    The service serves the documents of the folder that CODILLE_SPEC_DIR names.
    """
    if check and built:
        raise typer.BadParameter("--check compares what is committed alone", param_hint="--built")
    from service.built import rebuild
    from service.spec import generated
    from service.spec.sample import sample_of

    chosen = settings({} if registry is None else {"REGISTRY": registry}).registry
    bodies = cache(lambda: generated.bodies_of([sample_of(game) for game in load_registry(chosen).values()]))
    if check:
        if differing := generated.check(out, generated.committed_files(bodies())):
            for difference in differing:
                typer.echo(difference, err=True)
            raise ServeError("`codille openapi` writes these files anew")
        return
    if not built:
        generated.write_committed(out, generated.committed_files(bodies()))
    rebuild(out, chosen, lambda: generated.write_built(out, generated.built_files(bodies())), always=not built)
