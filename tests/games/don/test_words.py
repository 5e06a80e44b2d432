"""What is said of Nine-Card Don: of a hand that its owner may not see, and of tricks that score."""

from typing import Any

import pytest

from domain.games.don import DON
from domain.kernel.line_words import line_text
from domain.kernel.words import Filled, said
from domain.table.words import complete
from tests.games.sentences import sentence
from tests.golden.games import events as golden_events
from tests.golden.games import names as golden_names

WORDS = complete(DON)
EVENTS = [event for name in golden_names("don") for event in golden_events("don", name)]


def test_a_line_names_the_winner_of_the_trick_and_the_card_if_the_record_does() -> None:
    line = {"kind": "card", "rule": "ND-4.1"}
    for recorded, shown in (("3 (Ks)", "3 (K♠)"), ("3", "3")):
        text = f"King of trumps, trick 1 won by seat 1: {recorded}"
        said_of = line_text(complete(DON).lines, line | {"text": text}, DON.pack, "player {}".format)
        assert said_of == f"King of trumps, trick 1 won by player 1: {shown}"


def test_a_partner_is_told_why_there_is_no_hand() -> None:
    parts = said(WORDS.events["cards-dealt"].absent, {}, 2)
    assert parts == (Filled("seat", 2), " sees no card until the first is led.")


@pytest.mark.parametrize(
    ("points", "text"),
    [
        ([], "1 wins trick 3."),
        ([{"card": "5h", "points": 10}], "1 wins trick 3, 5h for 10: the side now has 41."),
        (
            [{"card": "5h", "points": 10}, {"card": "Jh", "points": 1}],
            "1 wins trick 3, 5h for 10 and Jh for 1: the side now has 41.",
        ),
    ],
)
def test_a_trick_is_told_with_what_it_scores(points: list[dict[str, Any]], text: str) -> None:
    assert sentence(WORDS, "trick-won", {"seat": 1, "trick": 3, "points": points, "score": 41}) == text


def test_a_deal_is_told_by_sides() -> None:
    told = {sentence(WORDS, "deal-scored", event["public"]) for event in EVENTS if event["type"] == "deal-scored"}
    assert len(told) > 8
    assert {"game-won" in text or "game-equal" in text or "target-reached" in text for text in told} == {True}
    assert all(text.count("score") == 2 for text in told)
