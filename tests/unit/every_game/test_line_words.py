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


EARLIER = (
    ("burraco", "meld", "Meld 2 of seats 0 and 2: 30"),
    ("burraco", "burraco", "Clean burraco, meld 2 of seats 0 and 2: 200"),
    ("burraco", "hand", "Cards left to seat 1: 45"),
    ("crocodile", "contract", "Tournee by seat 1, crocodile lunch: 2 × 3"),
    ("crocodile", "bonus", "Silent Primeras by seat 0: 1 × 4"),
    ("lhombre", "kodille", "Simple Nolo by seat 1, more for kodille with 2 tricks: 1"),
    ("lhombre", "tout", "Tout by seat 1, made: 1"),
    ("lorum", "cards-held", "Cards still held by seat 1, seat 2 out: 3"),
    ("nuts", "reserve", "Cards left in the reserve of seat 1: 8 × 2"),
    ("ombre", "primeras", "Primeras by seat 1: 1"),
    ("ombre", "contract", "Entrada by seat 0, lost by the new Ombre too (seat 2): 5"),
    ("ombre", REVERSAL, "Taken back, as deal 2 does not count: The dealer's ante: 5"),
    ("solo", "contract", "Simple game in suit by seat 0, made, seat 2 as partner: 2"),
)
"""Lines with texts of before these named tricks, cards, or the lines that are taken back."""


@for_each("of, kind, text", EARLIER)
def test_a_line_with_an_earlier_text_is_in_words(of: str, kind: str, text: str) -> None:
    game = GAMES[of]
    line = {"kind": kind, "rule": "", "text": text}
    assert line_parts(complete(game).lines, line, game.pack) != (text,)
    assert not RAW.search(in_words(game, line))


NAMED = {
    "lhombre": (("contract", "kodille", "tout"), r", tricks \d against \d and \d: |, abandoned: "),
    "ombre": (
        ("contract", "pool", "puesta", "codille", "primeras", "vole"),
        r", tricks \d against \d and \d|surrender",
    ),
    "crocodile": (("contract", "bonus"), r", tricks \d against \d and \d: |, (conceded|failed): "),
    "solo": (("contract",), r", tricks \d against \d"),
    "burraco": (("meld", "burraco", "hand"), r": \d+ \(\w\w\.\d( \w\w\.\d)*\)$"),
    "lorum": (("cards-held",), r" \(\w\w( \w\w)*\)$"),
    "nuts": (("reserve",), r" \(\d\.\w\w( \d\.\w\w)*\)$"),
}
"""The kinds of lines that tricks or cards decide, by game, and the form in which their texts name them."""


@for_each("of", NAMED)
def test_a_line_names_the_tricks_or_cards_that_it_rests_on(of: str) -> None:
    kinds, form = NAMED[of]
    texts = [line["text"] for line in lines(of) if line["kind"] in kinds]
    assert texts
    assert [text for text in texts if not re.search(form, text)] == []


def test_a_line_that_takes_another_back_names_it() -> None:
    texts = [line["text"] for of in GAMES for line in lines(of) if line["kind"] == REVERSAL]
    assert [text for text in texts if not re.match(r"Lines \d+ and \d+ of event \d+ taken back", text)] == []
