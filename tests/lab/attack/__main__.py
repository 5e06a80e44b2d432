"""Runs the attacks one after the other, and prints what was tried, what held, and what it cost."""

import argparse
import asyncio
import re
import sys
import time

import httpx
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from service.cli.progress import show_progress
from tests.lab.attack import bots, callers, clients, floods, framing, limits, rivals, sockets, streams, webhooks
from tests.lab.attack.target import Attack, NotOfThisMachine, NotTried, Result, Target

LONGEST_S = 600
"""What takes longer does not end."""

ATTACKS: dict[str, Attack] = {
    attack.__name__.replace("_", " "): attack
    for attack in (
        framing.smuggled, framing.odd_paths, callers.registered_again, callers.invisible_names, callers.scopes_taken,
        callers.cards_seen, callers.acts_doubled, callers.lent_tokens, callers.stolen_tokens,
        callers.private_tables_listed, clients.redirects_bent, clients.codes_stolen, clients.clients_beyond,
        clients.codes_hoarded, rivals.weak_substitutes, rivals.spectators_ahead,
        webhooks.inner_receivers, webhooks.hostile_receivers, webhooks.pauses_evaded, floods.random_requests,
        floods.heavy_reads, limits.codes_held_up, limits.bytes_taken, limits.addresses_pretended,
        limits.bots_left_alone, sockets.nothing_sent, sockets.half_heads, sockets.half_bodies, sockets.dripped_heads,
        sockets.not_reading, streams.streams_taken, streams.own_table_watched, streams.bot_tables_watched,
        bots.bots_timed, floods.still_there,
    )
}  # fmt: skip


def main() -> int:
    """The exit status: 0 if all held, 1 if not, 2 if the address is not one of this machine."""
    arguments = _arguments()
    console = Console(width=None if sys.stdout.isatty() else 160)
    try:
        target = Target(arguments.url)
    except NotOfThisMachine as error:
        console.print(str(error), style="red")
        return 2
    chosen = {name: attack for name, attack in ATTACKS.items() if not arguments.only or name in arguments.only}
    table = Table("attack", "tried", "held", "seconds", "CPU s", "seen", box=None)
    failed = 0
    with show_progress("attacking", "attacks") as progress:
        for number, (name, attack) in enumerate(chosen.items()):
            progress(number, len(chosen))
            before, began = _cpu(arguments.metrics), time.monotonic()
            result = asyncio.run(outcome(attack, target, arguments.measure))
            cpu = f"{_cpu(arguments.metrics) - before:.1f}" if arguments.metrics else "?"
            failed += not result.holds
            held = f"[{'green' if result.holds else 'bold red'}]{result.held}[/]"
            tried = str(result.tried or "not tried")
            table.add_row(name, tried, held, f"{time.monotonic() - began:.1f}", cpu, escape(result.seen))
        progress(len(chosen), len(chosen))
    console.print(table)
    return min(failed, 1)


async def outcome(attack: Attack, target: Target, measure: float) -> Result:
    """What the attack came to, from an address of its own.

    One that breaks off, whatever it met, or does not end, was not tried.
    """
    here = target.elsewhere()
    try:
        async with asyncio.timeout(LONGEST_S):
            async with here.http() as client:
                (await client.get("/v1/games")).raise_for_status()
            return await attack(here, measure)
    except Exception as error:
        return Result(0, 0, str(error) if isinstance(error, NotTried) else repr(error))


def _cpu(metrics: str | None) -> float:
    """The processor time that the service has used, in seconds, by its metrics; 0 where they are not named."""
    if metrics is None:
        return 0.0
    text = httpx.get(metrics, trust_env=False).text
    return sum(map(float, re.findall(r"^process_cpu_seconds_total(?:\{[^}]*\})? (\S+)$", text, re.MULTILINE)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make attack", description="Attacks a service of this machine.")
    parser.add_argument("url", help="the service's address, as http://127.0.0.1:8000")
    parser.add_argument("--measure", type=float, default=1.0, help="how hard: less than 1 takes less time")
    parser.add_argument("--metrics", help="the address of its metrics, to see what an attack costs it")
    parser.add_argument("only", nargs="*", help=f"some of: {', '.join(ATTACKS)}")
    return parser.parse_intermixed_args()


if __name__ == "__main__":
    sys.exit(main())
