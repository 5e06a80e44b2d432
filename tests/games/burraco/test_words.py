"""What is said of Burraco: of melds that become burrachi, and of idle turns."""

import pytest

from domain.games.burraco import BURRACO
from domain.table.words import complete
from tests.games.sentences import sentence

WORDS = complete(BURRACO)


@pytest.mark.parametrize(
    ("burraco", "text"),
    [(None, "2 adds 9h.1 to meld 3: 7h.1 8h.1 9h.1."), ("clean", "2 adds 9h.1 to meld 3: 7h.1 8h.1 9h.1, a clean.")],
)
def test_a_burraco_is_told(burraco: str | None, text: str) -> None:
    added = {"seat": 2, "meld": 3, "card": "9h.1", "cards": ["7h.1", "8h.1", "9h.1"], "wild": None, "burraco": burraco}
    assert sentence(WORDS, "card-added", added) == text
    assert WORDS.terms["burraco"]["clean"] == "clean burraco"


@pytest.mark.parametrize(
    ("closes", "idle", "text"),
    [
        (True, 0, "1 discards 4d.1, and closes."),
        (False, 0, "1 discards 4d.1."),
        (False, 2, "1 discards 4d.1."),
    ],
)
def test_a_discard_is_told_with_what_it_does(closes: object, idle: int, text: str) -> None:
    assert sentence(WORDS, "card-discarded", {"seat": 1, "card": "4d.1", "closes": closes, "idle": idle}) == text
