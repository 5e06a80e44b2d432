"""Crocodile's own words."""

from domain.games.crocodile.events import (
    BidMade,
    CardsExchanged,
    CascoForced,
    CascoLaid,
    CascoTaken,
    ContractDeclared,
    DealConceded,
    PriorityAnswered,
    PriorityOffered,
)
from domain.games.crocodile.rules import RULEBOOK
from domain.kernel.words import (
    EventWords,
    Introduction,
    Meaning,
    Row,
    Words,
    say,
    terms_of,
    unless,
    unless_length,
    when,
    when_length,
)
from domain.parts.auction import BidPassed
from domain.parts.exchange import TalonTurned
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon
from domain.parts.words import BIDS, PHASES, PLAY_TRUMPS, TRICK, acts_of, reasoned, words_of

_DECLARES = "{seat} declares {contract:term}"
_LAYS = "{seat} lays {cards} face up"
_TRUMPS = ", with {trump:suit} as trumps"
_BONUS = ", and bids {bonus:term}"

WORDS = Words(
    introduction=Introduction(
        aim=(
            "One player plays alone against two and must win the most tricks, or none; a trick is one card from "
            "each player.",
            "Only the lone player's score changes, up or down, and the highest score after the last deal wins.",
        ),
        turn=(
            "First bid: name a contract (what you undertake to do) higher than the last one, or pass.",
            "The winner of the bidding often names trumps, the suit that beats all others, and most contracts "
            "let players exchange cards.",
            PLAY_TRUMPS,
        ),
        beginners=(
            "They play the ace as a high card: here it is the lowest of its suit, below the 2.",
            "They expect the lone player to begin: the player after the dealer always leads to the first trick.",
            "They win four tricks and relax: four are enough only if the opponents' five split three to two.",
        ),
    ),
    events={
        **words_of(BidPassed, TalonTurned, HandExposed, CardPlayed, TrickWon),
        BidMade.TYPE: EventWords("auction", (say("{seat} bids {contract:term}."),)),
        CascoForced.TYPE: EventWords("auction", (say("All have passed, so {seat} must play Casco."),)),
        ContractDeclared.TYPE: EventWords(
            "contract",
            (
                say(f"{_DECLARES}.", when("trump", None), when("bonus", None)),
                say(f"{_DECLARES}{_BONUS}.", when("trump", None)),
                say(f"{_DECLARES}{_TRUMPS}.", when("bonus", None)),
                say(f"{_DECLARES}{_TRUMPS}{_BONUS}."),
            ),
        ),
        CascoTaken.TYPE: EventWords(
            "casco",
            (say("{seat} keeps one card, discards the others and takes the talon."),),
            {"seat": (say("Kept: {kept:card}; discarded: {discarded:cards}; taken: {taken.card:cards}."),)},
        ),
        CascoLaid.TYPE: EventWords(
            "casco",
            (
                say(f"{_LAYS}, and plays sans.", when("trump", None), when("bonus", None)),
                say(f"{_LAYS}, plays sans{_BONUS}.", when("trump", None)),
                say(f"{_LAYS}{_TRUMPS}.", when("bonus", None)),
                say(f"{_LAYS}{_TRUMPS}{_BONUS}."),
            ),
        ),
        PriorityOffered.TYPE: EventWords("exchange", (say("{seat} offers {to:seat} to exchange first."),)),
        PriorityAnswered.TYPE: EventWords(
            "exchange",
            (
                say("{seat} agrees to exchange first.", when("accepted", True)),
                say("{seat} refuses to exchange first."),
            ),
        ),
        CardsExchanged.TYPE: EventWords(
            "exchange",
            (
                say("{seat} keeps all cards.", when("count", 0)),
                say("{seat} exchanges one card.", when("count", 1), when_length("taken", 0)),
                say("{seat} exchanges {count:number} cards.", when_length("taken", 0)),
                say("{seat} exchanges one card, and takes {taken:cards}.", when("count", 1)),
                say("{seat} exchanges {count:number} cards, and takes {taken:cards}."),
            ),
            {
                "seat": (
                    say("Discarded: {discarded:cards}.", when_length("drawn", 0), unless_length("discarded", 0)),
                    say("Discarded: {discarded:cards}; drawn: {drawn.card:cards}.", unless_length("discarded", 0)),
                )
            },
        ),
        DealConceded.TYPE: EventWords("concedes", (say("{seat} concedes."),), row=Row(TRICK, None, ends=True)),
    },
    acts={
        **acts_of("bid", "pass", "declare", "exchange", "play"),
        "take-casco": "Take the talon",
        "lay-casco": "Lay five cards",
        "offer-priority": "Offer the first exchange",
        "answer-priority": "Answer the offer",
        "concede": "Concede",
    },
    terms=terms_of(RULEBOOK)
    | {
        "phase": PHASES
        | {
            "casco": "Casco",
            "casco-declaration": "declaration of Casco",
            "priority": "who exchanges first",
            "conceded": "conceded",
        }
    },
    status=(
        BIDS,
        (
            say(
                "{contract.declarer:seat} plays {contract.contract:term}.",
                unless("contract", None), when("contract.trump", None), when("contract.bonus", None),
            ),
            say(
                "{contract.declarer:seat} plays {contract.contract:term} with {contract.bonus:term}.",
                unless("contract", None), when("contract.trump", None),
            ),
            say(
                "{contract.declarer:seat} plays {contract.contract:term} in {contract.trump:suit}.",
                unless("contract", None), when("contract.bonus", None),
            ),
            say(
                "{contract.declarer:seat} plays {contract.contract:term} in {contract.trump:suit}, with "
                "{contract.bonus:term}.",
                unless("contract", None),
            ),
        ),
    ),
    marks={"contract.declarer": "declarer"},
    lines={"contract": (reasoned(),), "bonus": (reasoned(how=None), reasoned())},
    fields={
        "bonus": Meaning("The bonus bid that goes with the contract, if any."),
        "CascoLaid.trump": Meaning("The trump suit; null for sans."),
        "LayCasco.trump": Meaning("The trump suit; null for sans."),
        "concede": Meaning("Whether declarer may concede."),
        "declared": Meaning("The value if it was bid."),
        "face_down": Meaning("The cards that lie face down."),
        "face_up": Meaning("The cards that lie face up."),
        "factor": Meaning("Declarer's score, in contract values."),
        "flat": Meaning("Whether the value counts in points instead of contract values."),
        "keep": Meaning("The card to keep."),
        "kept": Meaning("The card that was kept."),
        "lay": Meaning("The cards to lay down.", distinct=True),
        "silent": Meaning("The value if it happens without a bid; null for none."),
        "stock": Meaning("The cards that the opponents may draw from in Casco."),
        "take": Meaning("The face-up cards to take.", distinct=True),
        "taken": Meaning("The cards that were taken."),
    },
)  # fmt: skip
