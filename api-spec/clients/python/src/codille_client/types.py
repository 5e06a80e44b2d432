"""Writes static types: `python -m codille_client.types http://127.0.0.1:8000 crocodile lorum`.

They are made of a game's own document, and go to `codille_client.games.GAME`, or with `--out` to a folder. Without a
game they are those of the generic document.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import Any

from codille_client.client import Client
from codille_client.problems import CodilleError
from codille_client.schemas import module


async def document(url: str, path: str) -> Any:
    """A document of the service, which may be made at the first request for it."""
    async with Client(url) as client:
        return await client.request("GET", path)


def main() -> None:
    """What the command does."""
    parser = argparse.ArgumentParser(prog="python -m codille_client.types", description=__doc__)
    parser.add_argument("url", help="the service")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent / "games", help="the folder to write to")
    given = parser.parse_args()
    paths = {game: f"games/{game}/openapi.json" for game in given.games} or {"generic": "openapi/generic.json"}
    try:
        for name, path in paths.items():
            text = module(asyncio.run(document(given.url, path)))
            given.out.mkdir(parents=True, exist_ok=True)
            (given.out / f"{name}.py").write_text(text, encoding="utf-8")
    except CodilleError as error:
        parser.exit(1, f"{parser.prog}: there are no types of {name}: {error}\n")
    except OSError as error:
        parser.exit(1, f"{parser.prog}: {error.filename}: {error.strerror}. Name another folder with --out.\n")


if __name__ == "__main__":
    main()
