"""Lines of a statement in words."""

from domain.registry import GAMES
from service.queries.statements import in_words
from tests.support.for_each import for_each

NAMES = ("Ada", "Berta", "Carl")

MELD = "Sequence by seat 1, laid: 1 (9d.2 8d.2 7d.1)"


@for_each(
    "game, names, text, expected",
    (
        ("khanhoo", NAMES, MELD, "Sequence by Berta, laid: 1 (9♦ 8♦ 7♦)"),
        ("khanhoo", None, MELD, MELD),
        (None, NAMES, MELD, MELD),
        ("crocodile", NAMES, MELD, "Sequence by Berta, laid: 1 (9d.2 8d.2 7d.1)"),
        # An arbiter's own text may name what there is not.
        ("khanhoo", NAMES, "Sequence by seat 7, laid: 1 (9d.2)", "Sequence by seat 8, laid: 1 (9♦)"),
        ("khanhoo", NAMES, "Sequence by seat 1, laid: 1 (5x)", "Sequence by seat 1, laid: 1 (5x)"),
        ("khanhoo", NAMES, "as it should have been", "as it should have been"),
    ),
)
def test_a_line_is_in_the_games_words_with_the_players_names(
    game: str | None, names: tuple[str, ...] | None, text: str, expected: str
) -> None:
    line = {"kind": "contract" if game == "crocodile" else "meld", "rule": "KH-5.1", "text": text}
    assert in_words(line, None if game is None else GAMES[game], names) == expected
