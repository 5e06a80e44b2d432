"""What the texts of rules say of points that a reader once missed there. Digests leave texts out."""

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
