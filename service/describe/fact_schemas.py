"""JSON Schemas of the facts by which games score deals."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, get_args

from msgspec.structs import replace

from domain.cards import Card, Pack
from domain.kernel.course import Standing
from domain.kernel.game import Game
from domain.kernel.words import Meaning
from service.describe.field_meanings import meanings_of
from service.describe.json_schema import Schema, alone, one_of
from service.describe.type_schemas import CARD, components_of, structs_in


class _Fact(NamedTuple):
    """What a fact means, its label in a form where the field's name is not one, and the label of its opposite."""

    text: str
    title: str = ""
    opposite: str = ""


_FACTS: Mapping[str, _Fact] = {
    "ended": _Fact("How the deal ended.", "How it ended"),
    "tricks": _Fact("The number of tricks won by each seat, as far as they were played.", "Tricks won"),
    "declarer": _Fact("The declarer's seat."),
    "contract": _Fact("The contract that was played."),
    "trick": _Fact("The number of the trick in the deal, from 1; 0 if unknown."),
    "bonus": _Fact("The bonus bid; null for none."),
    "undertaken": _Fact(
        "Whether all tricks were undertaken after the first five, as a tout or a vole.", "All tricks undertaken"
    ),
    "first_five": _Fact(
        "The side that won all of the first five tricks, in a positive contract; null for neither.", "First five tricks"
    ),
    "honours": _Fact("How many of A K Q J of trumps declarer was dealt; without effect where tricks are not counted."),
    "supporter_honours": _Fact("How many of A K Q J of trumps the supporter was dealt.", "Supporter's honours"),
    "supporter": _Fact("The supporter's seat; null for none."),
    "suit": _Fact("The suit of the contract."),
    "sides": _Fact("What each side has."),
    "hands": _Fact("The cards left to each seat; a pozzetto not yet looked at is its owner's hand.", "Cards left"),
    "closer": _Fact("The seat that has closed; null if none has.", "Who has closed"),
    "melds": _Fact("The side's melds, as laid."),
    "pozzetto": _Fact("Whether the side has taken its pozzetto.", "Pozzetto taken"),
    "piles": _Fact("What each side has captured."),
    "xeris": _Fact("The seats that made xeris, in their order.", "Xeri"),
    "scoring": _Fact("The captured cards that score by themselves.", "Cards that score"),
    "Pile.cards": _Fact("The number of captured cards.", "Cards captured"),
    "won": _Fact("The cards of score piles and penalty piles, in the order in which they came there.", "Cards won"),
    "scored": _Fact("Whether the card is in a score pile; false in a penalty pile.", "Score pile", "Penalty pile"),
    "Facts.captured": _Fact("What scores or costs in this deal, by who captured it."),
    "counts": _Fact(
        "What each side's cards count towards game; null where a side had reached the target before.", "Count for game"
    ),
    "seats": _Fact("What each seat has, by seat."),
    "out": _Fact("The seat that is out of cards, or went out.", "Who is out"),
    "hand": _Fact("The cards in the hand when the deal ended."),
    "laid": _Fact("The melds that the seat has laid.", "Meld laid"),
    "aim": _Fact("The aim of the deal."),
    "buyer": _Fact("The high bidder for the right to name trumps; null for none."),
    "price": _Fact("The high bid; null for none."),
    "stopped": _Fact(
        "Whether play stopped before the last trick, since all that counts was captured.", "Stopped early"
    ),
    "kind": _Fact("What cost."),
    "Captured.captured": _Fact("The number of hearts, or of tricks, captured by each seat."),
    "hearts": _Fact("The captor of the queen of hearts.", "Queen of hearts"),
    "diamonds": _Fact("The captor of the queen of diamonds.", "Queen of diamonds"),
    "spades": _Fact("The captor of the queen of spades.", "Queen of spades"),
    "clubs": _Fact("The captor of the queen of clubs.", "Queen of clubs"),
    "captor": _Fact("The seat that captured the king of hearts.", "King of hearts"),
    "passed": _Fact("The seat that passed each mark, in the order of the marks.", "Mark passed"),
    "held": _Fact("The number of cards that each seat still holds.", "Cards held"),
    "founded": _Fact("The player's cards on the foundations.", "On the foundations"),
    "left": _Fact("The number of cards left in the reserve.", "Left in the reserve"),
    "Own.cards": _Fact("The cards left in the reserve; they may be left out."),
    "QuartOut.cards": _Fact("The cards that each seat still holds; they may be left out."),
    "DominoOut.cards": _Fact("The cards that each seat still holds; they may be left out."),
    "Laid.cards": _Fact("The meld's cards; it may be left out which copies they are.", "Meld"),
    "number": _Fact("The meld's number in the deal, from 1; 0 if unknown."),
    "meld": _Fact("The kind of meld.", "Kind"),
    "ombre": _Fact("Ombre's seat."),
    "new_ombre": _Fact(
        "The defender that forbade Ombre's surrender and played on in Ombre's stead; null for none.", "New Ombre"
    ),
    "trump": _Fact("The trump suit, without which no estuches count; null where it does not count."),
    "estuches": _Fact("The highest trumps without a gap that an Ombre who wins held when play began, high to low."),
    "level": _Fact("The level of the game, which says whether color is trumps."),
    "partner": _Fact("The holder of the called card, in a simple game; null for none."),
    "bum": _Fact("The bum card.", "Bum card"),
    "costly": _Fact("The bum card and the queens, with the seats that captured them.", "Bum card and queens"),
    "numbered": _Fact(
        "The seat that won the trick whose number is the bum card's rank.", "Trick of the bum card's number"
    ),
    "last": _Fact("The seat that won the last trick.", "Last trick"),
    "bum_suit": _Fact(
        "The cards of the bum suit that each seat captured, where several have the most tricks.",
        "Cards of the bum suit",
    ),
    "highest": _Fact(
        "The seat with the highest card of that suit, of those who are equal in that too; null for none.",
        "Highest of the bum suit",
    ),
    "card": _Fact("The card."),
    "seat": _Fact("The seat that captured or played it."),
}
"""Facts by field, or by type and field where types of one name differ from others."""


def facts_schema(game: Game) -> Schema:
    """The schema of the facts of the game's deals. Facts that have a default may be left out.

    A form can be made from it. `title` is a label where the name is not one, `x-false` one for what is not so, and the
    format `seat` is a seat. `x-by` says of what each item is a fact: of a `seat` or a `side`. No amount depends on a
    fact whose `x-counts` is false. In a game without a dealer `x-dealer` is false. Where the number of a deal fixes its
    kind, `x-kinds` are those of the deals, over and over, as values of facts; null for one that is not fixed.
    """
    kind = game.scoring.facts_type
    types = structs_in((kind,))
    words = {field: Meaning(fact.text) for field, fact in _FACTS.items()}
    components = components_of(
        types, {one.__name__: one.__name__ for one in types}, sent=types, meanings=(words, *meanings_of(game))
    )
    for name, component in components.items():
        for field, schema in component.get("properties", {}).items():
            fact = _FACTS.get(f"{name}.{field}", _FACTS.get(field, _Fact("")))
            labels = {"title": fact.title, "x-false": fact.opposite}
            component["properties"][field] = {key: label for key, label in labels.items() if label} | schema
    components["Card"] = CARD | {"enum": list(cards_in_facts(game.pack))}
    variants = {str(one.__struct_config__.tag): one.__name__ for one in get_args(kind)}
    root = kind.__name__ if not variants else "Facts"
    if variants:
        components[root] = one_of(f"The facts of a deal of {game.title}, by how it ended.", "ended", variants)
    schema = alone(f"{game.title}: The facts of a deal", root, components)
    options = game.options()
    agreed = game.course.deals(options)
    begun = Standing(options, agreed.default, 1, 0, (0,) * game.course.seats(options), {})
    kinds = [game.scoring.terms(replace(begun, deal=deal)).kind for deal in range(1, agreed.least + 1)]
    dealer = {} if game.course.next_dealer(begun) is not None else {"x-dealer": False}
    return schema | dealer | ({"x-kinds": kinds} if any(kinds) else {})


@cache
def cards_in_facts(pack: Pack) -> tuple[Card, ...]:
    """The cards of the pack and, since facts may leave out which copy one is, their names without copies."""
    return tuple(dict.fromkeys([*pack, *(card.rpartition(".")[0] for card in pack if card[-2:-1] == ".")]))
