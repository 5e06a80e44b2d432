"""Takes the picture of the replay page: `python -m tests.support.picture FILE.png`.

A service of its own shows one game that was played with fixed chance, so the picture changes only where the page does.
"""

import os
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from playwright.sync_api import expect, sync_playwright

from deploy.embedded import Servers
from domain.record.recorded import GENESIS, Recorded
from service.auth.scopes import REGISTERED
from service.auth.secrets import mint_token
from service.cli.operate import with_services
from service.config import Settings
from service.services import Services
from service.store.store import Append, Store
from tests.support.browser import CHROMIUM
from tests.support.helpers import helper
from tests.support.recording import records
from tests.support.service import Running, running

GAME, SEED, STEP = "lhombre", 2, 111
"""The game, and a moment of it that shows much: four hands, a trick, and a ledger."""

NAMES = ("Ada", "Berta", "Carl", "Dora")
WIDTH, HEIGHT = 1110, 606


def append(service: Running, game: Sequence[Recorded]) -> None:
    """Registers the players of the game under names, and appends its events to the service's log."""
    payloads = [msgspec.json.decode(event.public) for event in game if event.type == "seat-taken"]
    players = dict.fromkeys(payload["player"] for payload in payloads)

    async def work(services: Services, _: Servers) -> None:
        for player, name in zip(players, NAMES, strict=False):
            await services.players.accounts.register(player, name, mint_token(REGISTERED)[1], datetime.now(UTC))
        await Store(services.log.database).append([Append(game[0].table, 0, GENESIS, tuple(game), None)])

    with_services(Settings(data_dir=service.data_dir), work)


def shoot(service: Running, table: str, file: Path) -> None:
    """Opens the table's page at the step, and writes what a visitor sees of it."""
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
        )
        page.goto(f"{service.url}/replay/{table}#{STEP}")
        expect(page.locator("#place")).to_contain_text(f"{STEP} /", timeout=30_000)
        expect(page.locator("#ledger")).to_contain_text(NAMES[0], timeout=30_000)
        page.screenshot(path=file)
        browser.close()


def main(file: Path) -> None:
    """Plays the game, starts the service and takes the picture."""
    game = records(SEED, {}, None, helper(GAME, "habits"))
    with (
        tempfile.TemporaryDirectory(prefix="codille-picture-") as made,
        running(Path(made) / "data") as service,
    ):
        append(service, game)
        shoot(service, game[0].table, file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
