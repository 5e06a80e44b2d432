"""Words: what a sentence says, and what the check of a game's words finds."""

from typing import Any, ClassVar, Literal

import pytest
from msgspec import Struct

from domain.cards import Card, Suit
from domain.kernel.action import Action
from domain.kernel.event import Payload
from domain.kernel.words import EventWords, Filled, Sentence, Words, offered, said, say, unless, when
from domain.kernel.words_check import faults
from domain.seats import Seat
from tests.support.for_each import for_each


class Drawn(Struct, frozen=True):
    card: Card


class Secret(Struct, frozen=True):
    drawn: tuple[Drawn, ...]


class Melded(Payload, frozen=True):
    TYPE: ClassVar = "melded"
    SECTIONS: ClassVar = {"seat": Secret}

    seat: Seat
    kind: Literal["run", "set"]
    cards: tuple[Card, ...]
    trump: Suit | None
    wild: bool


class Meld(Action, frozen=True, tag="meld"):
    RULE: ClassVar = "R-1"

    cards: tuple[Card, ...] = ()


class Doubled(Struct, frozen=True):
    declarer: Seat


class Group(Struct, frozen=True):
    cards: tuple[Card, ...]
    owner: Seat


class Side(Struct, frozen=True):
    melds: tuple[Group, ...]


class View(Struct, frozen=True):
    dealer: Seat | None
    contract: Doubled | None
    laid: tuple[Group, ...]
    sides: tuple[Side, ...]


TERMS = {"kind": {"run": "a run", "set": "a set"}}
PLAIN = say("{seat} melds {kind:term}.")


def words(*sentences: Sentence, **changed: Any) -> Words:
    """Words for the events, acts and view above."""
    own = {"acts": {"meld": "Meld"}, "sending": {"meld": (say("Melding …"),)}, "terms": TERMS}
    return Words(**{"events": {"melded": EventWords("meld", sentences)}, **own, **changed})


def found(wording: Words) -> tuple[str, ...]:
    return faults(wording, (Melded,), (Meld,), View)


def text(*sentences: Sentence, owner: int | None = None, **values: Any) -> str | None:
    """The sentence said, each value in brackets behind its kind."""
    parts = said(sentences, values, owner)
    if parts is None:
        return None
    return "".join(part if isinstance(part, str) else f"{part.kind}[{part.value}]" for part in parts)


def test_of_a_list_the_last_item_that_a_sentence_fits_is_said_or_nothing() -> None:
    highest = say("Bid{calls:last}.", each=(say(" more than {bid:text}", unless("bid", None)),))
    bids: list[dict[str, str | None]] = [{"bid": "one"}, {"bid": "two"}, {"bid": None}]
    assert text(highest, calls=bids) == "Bid more than text[two]."
    assert text(highest, calls=bids[2:]) == text(highest, calls=[]) == "Bid."


def test_the_first_sentence_that_fits_is_said() -> None:
    sentences = (say("none", when("trump", None)), say("wild", when("wild", True), unless("trump", "s")), say("else"))
    assert text(*sentences, trump=None, wild=True) == "none"
    assert text(*sentences, trump="h", wild=True) == "wild"
    assert text(*sentences, trump="s", wild=True) == "else"
    assert text(*sentences[:2], trump="s", wild=True) is None


def test_lengths_and_values_are_told_apart() -> None:
    assert text(say("one", when("cards", length=1)), cards=["Ks"]) == "one"
    assert text(say("one", when("cards", length=1)), cards=[]) is None
    assert text(say("some", unless("cards", length=0)), cards=["Ks"]) == "some"
    assert text(say("some", unless("cards", length=0)), cards=[]) is None
    assert text(say("true", when("count", True)), count=1) is None


def test_holes_are_filled_by_kind() -> None:
    assert text(say("{seat} sits on {seat:number}"), seat=2) == "seat[2] sits on number[2]"
    assert text(say("{owner} holds {drawn.card:hand}"), owner=1, drawn=[{"card": "Ks"}]) == "seat[1] holds hand[['Ks']]"
    assert said((say("{bid:term contract}"),), {"bid": "solo"}) == (Filled("term", "solo", "contract"),)


def test_a_list_is_written_item_by_item() -> None:
    assert text(say("{cards}"), cards=["Ks", "Qs", "2h"]) == "card[Ks] card[Qs] card[2h]"
    assert text(say("{winners:seats}"), winners=[0, 1, 2]) == "seat[0], seat[1] and seat[2]"
    each = (say("{seat} draws {card}", unless("seat", None)),)
    drawn = [{"seat": 0, "card": "Ks"}, {"seat": None, "card": "Qs"}, {"seat": 1, "card": "2h"}]
    assert text(say("{draws:each}", each=each), draws=drawn) == "seat[0] draws card[Ks] and seat[1] draws card[2h]"


def test_a_path_that_leads_nowhere_is_null() -> None:
    assert text(say("nothing", when("contract.declarer", None)), contract=None) == "nothing"
    assert text(say("nothing", when("contract.declarer", None))) == "nothing"


def test_a_hole_of_no_kind_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the hole \{trick\} is of no kind"):
        say("wins {trick}")


def test_words_that_fit_have_no_fault() -> None:
    assert found(words(PLAIN)) == ()
    assert found(words(say("Trumps are {trump:suit}.", unless("trump", None)), PLAIN)) == ()
    assert found(words(say("No trumps.", when("trump", None)), say("Trumps are {trump:suit}."))) == ()
    secret = EventWords("meld", (PLAIN,), {"seat": (say("{owner}: {drawn.card:cards} for {cards}"),)})
    assert found(words(events={"melded": secret})) == ()
    assert found(words(PLAIN, marks={"dealer": "dealer", "contract.declarer": "declarer"})) == ()
    owned = (say("{cards} of {owner:seat}"),)
    assert found(words(PLAIN, groups={"laid": owned, "sides.melds": owned})) == ()


@for_each(
    "wording, fault",
    [
        (words(events={}), "melded: no words"),
        (words(PLAIN, events={"melded": EventWords("", (PLAIN,)), "laid": EventWords("", (PLAIN,))}), "no such event"),
        (words(), "does not fit always"),
        (words(say("Wild.", when("wild", True))), "does not fit always"),
        (words(say("{seat} lays {laid:cards}.")), "laid is no cards"),
        (words(say("{kind:seat} melds.")), "kind is no seat"),
        (words(say("{kind:card}.")), "kind is no card"),
        (words(say("{cards:terms}.")), "cards is no terms"),
        (words(say("{seat:text} melds.")), "seat is no text"),
        (words(say("{cards:card}.")), "cards is no card"),
        (words(say("{seat:seats}.")), "seat is no seats"),
        (words(say("{kind:suit}.")), "kind is no suit"),
        (words(say("{wild:number}.")), "wild is no number"),
        (words(say("{wild:term}.")), "wild is no term"),
        (words(say("Trumps are {trump:suit}.")), "trump may be null"),
        (words(say("Wild.", when("wild", True), when("trump", None)), say("{trump:suit}.")), "trump may be null"),
        (words(say("{trump:suit}.", unless("trump", "s")), PLAIN), "trump may be null"),
        (words(say("{seat}.", when("price", 1)), PLAIN), "price, which is no field"),
        (words(PLAIN, terms={"kind": {"run": "a run"}}), "set has no name"),
        (words(events={"melded": EventWords("", (PLAIN,), {"house": (PLAIN,)})}), "no section for house"),
        (words(events={"melded": EventWords("", (PLAIN,), {"seat": (say("{drawn:cards}."),)})}), "drawn is no cards"),
        (words(PLAIN, acts={}), "meld: there is no such act, or no label of it"),
        (words(PLAIN, acts={"meld": "Meld", "lay": "Lay"}), "lay: there is no such act"),
        (words(PLAIN, sending={}), "meld: nothing is said while it is sent"),
        (words(PLAIN, sending={"meld": (say("Melding …"),), "lay": (say("Laying …"),)}), "lay: there is no such act"),
        (words(PLAIN, sending={"meld": (say("Melding …", when("wild", True)),)}), "does not fit always"),
        (words(PLAIN, sending={"meld": (say("Melding {dealer:seat} …"),)}), "meld: 'Melding {dealer:seat} …': dealer"),
        (words(PLAIN, prompts=(say("Lay.", offered("lay")),)), "prompts: 'Lay.' rests on offers.lay"),
        (words(PLAIN, prompts=(say("Meld {laid:card}.", offered("meld")),)), "{laid:card}.': laid is no card"),
        (words(PLAIN, prompts=(say("Meld {offers.meld.fields.cards.max:number}."),)), "cards.max may be null"),
        (words(PLAIN, status=((say("{contract.declarer:seat} plays."),),)), "contract.declarer may be null"),
        (words(PLAIN, marks={"contract": "contract"}), "contract is no seat"),
        (words(PLAIN, groups={"dealer": (say("a meld"),)}), "dealer is no list of groups"),
        (words(PLAIN, groups={"contract": (say("a meld"),)}), "contract is no list of groups"),
        (words(PLAIN, groups={"sides.melds": (say("{kind:term}"),)}), "groups: '{kind:term}': kind is no term"),
        (words(Sentence("{seat} {to}.", PLAIN.holes)), "other holes than it names"),
    ],
)  # fmt: skip
def test_words_that_do_not_fit_are_found(wording: Words, fault: str) -> None:
    assert any(fault in one for one in found(wording)), found(wording)
