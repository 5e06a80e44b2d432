"""Every game's ledger in its own words: players by their names, cards by their faces."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from domain.cards import NAMES
from domain.kernel.game import Game
from domain.kernel.line_words import line_parts, line_text
from domain.registry import GAMES
from domain.table.disputes import REVERSAL
from domain.table.words import complete
from tests.golden.games import events, names
from tests.support.for_each import for_each

PLAYERS = ("Ada", "Berta", "Carl", "Dora")

RAW = re.compile(rf"\bseats? \d|(?<![\w.])(?:{'|'.join(map(re.escape, NAMES))})(?![\w.])")
"""A seat by its number, or a card by its name, as texts of lines have them."""

CORPUS = sorted((Path(__file__).parents[3] / "api-spec" / "examples" / "records").glob("*.ndjson"))

AS_RECORDED = 0
"""How many lines of the recorded games are shown as recorded, since no sentence fits their texts."""


def lines(of: str) -> Iterator[Mapping[str, Any]]:
    """The lines booked in the recorded games of a game."""
    for name in names(of):
        for event in events(of, name):
            if event["type"] != "dispute-opened":
                yield from event["public"].get("lines", ())


def in_words(game: Game, line: Mapping[str, Any]) -> str:
    return line_text(complete(game).lines, line, game.pack, PLAYERS.__getitem__)


@for_each("game", GAMES.values())
def test_no_line_of_a_recorded_game_shows_a_seats_number_or_a_cards_name(game: Game) -> None:
    for line in lines(game.name):
        assert not RAW.search(in_words(game, line)), line["text"]


@for_each("game", GAMES.values())
def test_a_line_that_is_taken_back_is_in_the_words_of_the_line(game: Game) -> None:
    for line in lines(game.name):
        reversal = line | {"kind": REVERSAL, "text": f"Lines 2 and 3 of event 40 taken back: {line['text']}"}
        assert in_words(game, reversal) == f"Lines 2 and 3 of event 40 taken back: {in_words(game, line)}"


def test_so_many_lines_of_the_recorded_games_are_shown_as_recorded() -> None:
    as_recorded = [
        line["text"]
        for game in GAMES.values()
        for line in lines(game.name)
        if line_parts(complete(game).lines, line, game.pack) == (line["text"],)
    ]
    assert len(as_recorded) <= AS_RECORDED, as_recorded


@for_each("record", CORPUS)
def test_lines_of_every_record_ever_published_are_in_words(record: Path) -> None:
    opened, *events = map(json.loads, record.read_text(encoding="utf-8").splitlines()[1:-1])
    game = GAMES[opened["public"]["game"]]
    for line in [line for event in events for line in event["public"].get("lines", ()) if "text" in line]:
        assert line_parts(complete(game).lines, line, game.pack) != (line["text"],), line["text"]
