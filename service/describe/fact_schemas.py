"""JSON Schemas of the facts by which games score deals."""

from collections.abc import Mapping
from functools import cache
from typing import get_args

from msgspec.structs import replace

from domain.cards import Card, Pack
from domain.kernel.course import Standing
from domain.kernel.game import Game
from domain.kernel.words import Meaning
from service.describe.field_meanings import meanings_of
from service.describe.json_schema import Schema, alone, one_of
from service.describe.type_schemas import CARD, components_of, structs_in

_FACTS: Mapping[str, str] = {
    "ended": "How the deal ended.",
    "tricks": "The number of tricks won by each seat, as far as they were played.",
    "declarer": "The declarer's seat.",
    "contract": "The contract that was played.",
    "trick": "The number of the trick in the deal, from 1; 0 if unknown.",
    "bonus": "The bonus bid; null for none.",
    "undertaken": "Whether all tricks were undertaken after the first five, as a tout or a vole.",
    "first_five": "The side that won all of the first five tricks, in a positive contract; null for neither.",
    "honours": "How many of A K Q J of trumps declarer was dealt; without effect where tricks are not counted.",
    "supporter_honours": "How many of A K Q J of trumps the supporter was dealt.",
    "supporter": "The supporter's seat; null for none.",
    "suit": "The suit of the contract.",
    "sides": "What each side has.",
    "hands": "The cards left to each seat; a pozzetto not yet looked at is its owner's hand.",
    "closer": "The seat that has closed; null if none has.",
    "melds": "The side's melds, as laid.",
    "pozzetto": "Whether the side has taken its pozzetto.",
    "piles": "What each side has captured.",
    "xeris": "The seats that made xeris, in their order.",
    "scoring": "The captured cards that score by themselves.",
    "Pile.cards": "The number of captured cards.",
    "won": "The cards of score piles and penalty piles, in the order in which they came there.",
    "scored": "Whether the card is in a score pile; false in a penalty pile.",
    "Facts.captured": "What scores or costs in this deal, by who captured it.",
    "counts": "What each side's cards count towards game; null where a side had reached the target before.",
    "seats": "What each seat has, by seat.",
    "out": "The seat that is out of cards, or went out.",
    "hand": "The cards in the hand when the deal ended.",
    "laid": "The melds that the seat has laid.",
    "aim": "The aim of the deal.",
    "buyer": "The high bidder for the right to name trumps; null for none.",
    "price": "The high bid; null for none.",
    "stopped": "Whether play stopped before the last trick, since all that counts was captured.",
    "kind": "What cost.",
    "Captured.captured": "The number of hearts, or of tricks, captured by each seat.",
    "hearts": "The captor of the queen of hearts.",
    "diamonds": "The captor of the queen of diamonds.",
    "spades": "The captor of the queen of spades.",
    "clubs": "The captor of the queen of clubs.",
    "captor": "The seat that captured the king of hearts.",
    "passed": "The seat that passed each mark, in the order of the marks.",
    "held": "The number of cards that each seat still holds.",
    "founded": "The player's cards on the foundations.",
    "left": "The number of cards left in the reserve.",
    "Own.cards": "The cards left in the reserve; they may be left out.",
    "QuartOut.cards": "The cards that each seat still holds; they may be left out.",
    "DominoOut.cards": "The cards that each seat still holds; they may be left out.",
    "Laid.cards": "The meld's cards; it may be left out which copies they are.",
    "number": "The meld's number in the deal, from 1; 0 if unknown.",
    "meld": "The kind of meld.",
    "ombre": "Ombre's seat.",
    "new_ombre": "The defender that forbade Ombre's surrender and played on in Ombre's stead; null for none.",
    "trump": "The trump suit, without which no estuches count; null where it does not count.",
    "estuches": "The highest trumps without a gap that an Ombre who wins held when play began, high to low.",
    "level": "The level of the game, which says whether color is trumps.",
    "partner": "The holder of the called card, in a simple game; null for none.",
    "bum": "The bum card.",
    "costly": "The bum card and the queens, with the seats that captured them.",
    "numbered": "The seat that won the trick whose number is the bum card's rank.",
    "last": "The seat that won the last trick.",
    "bum_suit": "The cards of the bum suit that each seat captured, where several have the most tricks.",
    "highest": "The seat with the highest card of that suit, of those who are equal in that too; null for none.",
    "card": "The card.",
    "seat": "The seat that captured or played it.",
}
"""What facts mean, by field, or by type and field where types of one name differ from others."""

_TITLES: Mapping[str, str] = {
    "ended": "How it ended",
    "tricks": "Tricks won",
    "undertaken": "All tricks undertaken",
    "first_five": "First five tricks",
    "supporter_honours": "Supporter's honours",
    "new_ombre": "New Ombre",
    "hands": "Cards left",
    "closer": "Who has closed",
    "pozzetto": "Pozzetto taken",
    "Laid.cards": "Meld",
    "Pile.cards": "Cards captured",
    "scoring": "Cards that score",
    "xeris": "Xeri",
    "counts": "Count for game",
    "won": "Cards won",
    "scored": "Score pile",
    "out": "Who is out",
    "laid": "Meld laid",
    "meld": "Kind",
    "stopped": "Stopped early",
    "hearts": "Queen of hearts",
    "diamonds": "Queen of diamonds",
    "spades": "Queen of spades",
    "clubs": "Queen of clubs",
    "captor": "King of hearts",
    "passed": "Mark passed",
    "held": "Cards held",
    "founded": "On the foundations",
    "left": "Left in the reserve",
    "bum": "Bum card",
    "costly": "Bum card and queens",
    "numbered": "Trick of the bum card's number",
    "last": "Last trick",
    "bum_suit": "Cards of the bum suit",
    "highest": "Highest of the bum suit",
}
"""The labels of facts in a form, where the field's name is not one."""

_FALSE: Mapping[str, str] = {"scored": "Penalty pile"}
"""The labels of what is not so, where that has a name."""


def facts_schema(game: Game) -> Schema:
    """The schema of the facts of the game's deals. Facts that have a default may be left out.

    A form can be made from it. `title` is a label where the name is not one, `x-false` one for what is not so, and the
    format `seat` is a seat. `x-by` says of what each item is a fact: of a `seat` or a `side`. No amount depends on a
    fact whose `x-counts` is false. In a game without a dealer `x-dealer` is false. Where the number of a deal fixes its
    kind, `x-kinds` are those of the deals, over and over, as values of facts; null for one that is not fixed.
    """
    kind = game.scoring.facts_type
    types = structs_in((kind,))
    words = {field: Meaning(text) for field, text in _FACTS.items()}
    components = components_of(
        types, {one.__name__: one.__name__ for one in types}, sent=types, meanings=(words, *meanings_of(game))
    )
    for name, component in components.items():
        for field, schema in component.get("properties", {}).items():
            labels = {"title": _TITLES.get(f"{name}.{field}", _TITLES.get(field)), "x-false": _FALSE.get(field)}
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
