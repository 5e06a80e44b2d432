"""Takes pictures of every game in play, to be looked at: `python -m tests.support.screenshots FOLDER [GAME[:N] …]`.

A person plays against bots at a service of its own, by chance with a fixed seed. Of the person's turn after N choices
there are ten pictures: light and dark, from a phone to a wide desktop.
"""

import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.browser import CHROMIUM
from tests.support.games import chance
from tests.support.play_page import POLLING_MS, READY, Player
from tests.support.registry import GAMES
from tests.support.service import running

SCHEMES = ("light", "dark")
SIZES = ((390, 844), (844, 390), (1024, 768), (1440, 900), (2560, 1440))
CHOICES = {"diloti": 4, "khanhoo": 6, "burraco": 12, "nuts": 12, "lorum": 4, "don": 5}
"""How often the person chooses before the pictures: so often that much lies on the table."""
MANY = 9
SETTLED_MS = 400
"""Until what is shown has come to rest."""


def taken(page: Page, folder: Path, name: str) -> Iterator[Path]:
    """The pictures of a page as it is."""
    for scheme in SCHEMES:
        for width, height in SIZES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(SETTLED_MS)
            file = folder / f"{name}-{width}-{scheme}.png"
            page.screenshot(path=file, full_page=True)
            yield file


def play(browser: Browser, url: str, game: str, choices: int) -> Player:
    """A person's page, at that person's turn after so many choices."""
    player = Player(browser.new_context(), url, name="Bartholomew")
    seats = GAMES[game].course.seats(GAMES[game].options())
    table = player.opens(game, bots={str(seat): "quick" for seat in range(1, seats)})
    player.sits(table).visit(table)
    player.plays(chance((game, "pictures")), most=choices)
    player.page.wait_for_function(READY, polling=POLLING_MS)
    return player


def main(folder: Path, games: Sequence[str]) -> None:
    """Plays the games, and takes the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with (
        tempfile.TemporaryDirectory(prefix="codille-pictures-") as made,
        running(Path(made) / "data") as service,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        for moment in games:
            game, _, number = moment.partition(":")
            player = play(browser, service.url, game, int(number or CHOICES.get(game, MANY)))
            for file in taken(player.page, folder, moment.replace(":", "-")):
                print(file)
            player.page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or [name for name in GAMES if name != "toy"])
