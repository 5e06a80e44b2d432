"""What is said of Diloti: of xeris, of groups, and of what is shuffled back."""

from typing import Any

import pytest

from domain.games.diloti import DILOTI
from domain.kernel.words import said
from domain.table.words import complete
from tests.games.sentences import plain, sentence, summary

WORDS = complete(DILOTI)


@pytest.mark.parametrize(
    ("xeri", "text"), [(False, "1 takes 5h 3c with 8s."), (True, "1 takes 5h 3c with 8s: a xeri.")]
)
def test_a_xeri_is_told(xeri: object, text: str) -> None:
    taken = {"seat": 1, "card": "8s", "loose": ["5h"], "declarations": [2], "taken": ["5h", "3c"], "xeri": xeri}
    assert sentence(WORDS, "cards-captured", taken) == text


@pytest.mark.parametrize(
    ("sets", "text"),
    [
        (1, "0 plays 3s and declares 8 with 3s 5h."),
        (2, "0 plays 3s and declares 2 sets of 8 with 3s 5h."),
    ],
)
def test_a_declaration_is_told_with_its_sets(sets: int, text: str) -> None:
    made = {"seat": 0, "card": "3s", "value": 8, "cards": ["3s", "5h"], "sets": sets, "declaration": 1}
    assert sentence(WORDS, "declaration-made", made) == text


@pytest.mark.parametrize(("rejected", "told"), [({}, False), ({"rejected": [["2s", "2h", "2d", "Kc"]]}, True)])
def test_a_redeal_is_told(rejected: dict[str, Any], told: bool) -> None:
    dealing = {"deal": 3, "dealer": 1, "shown": [{"card": "2s"}, {"card": "9h"}], **rejected}
    text = sentence(WORDS, "cards-dealt", dealing)
    assert text.startswith("Deal 3: 1 deals, 2s 9h face up.")
    assert ("shuffled back" in text) is told


def test_declarations_sum_up_a_view() -> None:
    view = {
        "loose": {"known": ["2s"], "hidden": 0},
        "declarations": [{"value": 9, "sets": 1, "owner": 0}, {"value": 7, "sets": 2, "owner": 1}],
        "sides": [{"seats": [0], "score": 12, "xeris": 0, "captured": {"hidden": 8}}],
    }
    assert summary(WORDS, view) == (
        "Loose cards: ['2s']. 0: 12 points, 8 cards captured. Declared: 9 by 0 and a group of 7 by 1."
    )


@pytest.mark.parametrize(("xeris", "text"), [(0, "with 20 cards."), (1, "and one xeri."), (2, "and 2 xeris.")])
def test_xeris_are_counted(xeris: int, text: str) -> None:
    sides = [{"seats": [0, 2], "cards": 20, "xeris": xeris, "points": 3}]
    [each] = [one.each for one in WORDS.events["deal-scored"].sentences[0].holes.values() if one.each]
    assert f"{plain(said(each, sides[0]))}.".endswith(text)
