"""What the texts of rules say of points that a reader once missed there. Digests leave texts out."""

import pytest

from tests.support.for_each import for_each
from tests.support.registry import GAMES


@for_each(
    "game, rule, says",
    [
        ("boston", "BO-3.7", "until they are played or, if declarer puts a card face down, until then"),
        ("boston", "BO-9.2", "A line names tricks over and honours apart."),
        ("burraco", "BU-2.1", "Copies differ in two rules only"),
        ("burraco", "BU-4.3", "what closes is no wild card"),
        ("burraco", "BU-8.3", "The card discarded may be wild."),
        ("burraco", "BU-10.7", "all of one row of BU-10.1 to BU-10.6 before the next"),
        ("burraco", "BU-10.7", "Both players of the winning side win."),
        ("don", "ND-7.1", "rounded down, and both win or lose with it"),
        ("king", "KG-2.3", "Nobody may talk."),
        ("lorum", "LO-2.3", "Nobody may talk."),
        ("ombre", "OM-8.2", "and the line says so"),
        ("tetka", "TE-5.2", "Lines stand in the order of the tricks"),
    ],
)
def test_the_text_says_so(game: str, rule: str, says: str) -> None:
    (text,) = [each.text for each in GAMES[game].rulebook.rules if each.id == rule]
    assert says in text


@pytest.mark.parametrize(
    ("game", "digest"),
    [
        ("burraco", "19b475eaa93baf9c98b583c742539307eb396a356aca4a789aea832629794d5f"),
        ("don", "6c0102335454ff916819635d3c6ce50a4cbf11edb30b8cbb3fb52f013fba2c5d"),
        ("king", "bc644fe22caec280115c81d600e269954f4e5a60619ebb0dcef0a7881ab68800"),
        ("lorum", "fa706598d8369197e5143a1c9deef50ca5848cc2233acd0951a21d52aaca0509"),
        ("tetka", "8a902f6cb8c4547b388f8cc86097f8b23255f850a6cfb871735804ce6c4133b0"),
    ],
)
def test_a_mended_text_leaves_the_digest_as_it_was(game: str, digest: str) -> None:
    assert GAMES[game].rulebook.digest() == digest
