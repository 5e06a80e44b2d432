"""npm's papaparse reads a statement, as a spreadsheet does: separator and encoding from the file alone."""

import json

import pytest

from tests.foreign import npm
from tests.foreign.playing import Game
from tests.support.for_each import for_each

pytestmark = npm.needs("papaparse")


@pytest.fixture(scope="module")
def game(service_url: str) -> Game:
    """A game that is over, in which nobody was a bot: those of bots are in no statement."""
    game = Game(service_url, bots=False)
    game.play()
    game.get(f"{game.path}/ledger?min_version={game.get(game.path)['version']}")
    return game


@for_each("query, separator, begins", [("", ",", b"at,"), ("&bom=true&separator=semicolon", ";", b"\xef\xbb\xbfat;")])
def test_it_reads_a_statement(game: Game, query: str, separator: str, begins: bytes) -> None:
    path = f"/players/{game.get('/players/me')['player']}/ledger?game=crocodile"
    lines = game.get(path)["items"]
    sheet = game.read(path + query, Accept="text/csv")
    assert sheet.startswith(begins)
    read = json.loads(npm.run("papaparse.mjs", given=sheet.decode()))
    assert (read["separator"], read["errors"]) == (separator, [])
    assert [(row["rule"], int(row["amount"])) for row in read["rows"]] == [
        (line["rule"], line["amount"]) for line in lines
    ]
    assert lines
