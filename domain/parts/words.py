"""The words for the events and acts that games share."""

from collections.abc import Mapping

from domain.kernel.event import Payload
from domain.kernel.words import EventWords, Row, Sentence, say, unless, unless_length, when
from domain.parts.auction import PASS, BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon

TRICK = "trick"

_EVENTS: Mapping[type[Payload], EventWords] = {
    BidPassed: EventWords("auction", (say("{seat} passes."),)),
    TalonTurned: EventWords(
        "contract", (say("The top card of the talon is turned up: {card}. Trumps are {trump:suit}."),)
    ),
    CardsExchanged: EventWords(
        "exchange",
        (
            say("{seat} keeps all cards.", when("count", 0)),
            say("{seat} exchanges one card.", when("count", 1)),
            say("{seat} exchanges {count:number} cards."),
        ),
        {"seat": (say("Discarded: {discarded:cards}; drawn: {drawn.card:cards}.", unless_length("discarded", 0)),)},
    ),
    HandExposed: EventWords("exposed", (say("{seat} lays all cards open: {cards:hand}."),)),
    CardPlayed: EventWords("play", (say("{seat} plays {card}."),), row=Row(TRICK, say("{seat} {card}"))),
    TrickWon: EventWords(
        "play", (say("{seat} wins trick {trick:number}."),), row=Row(TRICK, say("→ {seat}"), ends=True)
    ),
    PlayStopped: EventWords("play", (say("{seat} is content, and stops."),)),
    AllTricksUndertaken: EventWords("play", (say("{seat} leads on, and undertakes to win all tricks."),)),
}

BIDS: tuple[Sentence, ...] = (
    say(
        "{auction:each}.",
        when("contract", None),
        unless_length("auction", 0),
        each=(say("{seat} passes", when("bid", PASS)), say("{seat} bids {bid:term contract}")),
    ),
)
"""What sums up a view while contracts are bid."""

CONTRACT: tuple[Sentence, ...] = (
    say(
        "{contract.declarer:seat} plays {contract.contract:term}, and has undertaken all tricks.",
        unless("contract", None),
        when("contract.trump", None),
        when("contract.undertaken", True),
    ),
    say(
        "{contract.declarer:seat} plays {contract.contract:term} in {contract.trump:suit}, and has undertaken all "
        "tricks.",
        unless("contract", None),
        when("contract.undertaken", True),
    ),
    say(
        "{contract.declarer:seat} plays {contract.contract:term}.",
        unless("contract", None),
        when("contract.trump", None),
    ),
    say("{contract.declarer:seat} plays {contract.contract:term} in {contract.trump:suit}.", unless("contract", None)),
)
"""What sums up a view of a contract in which declarer may undertake to win all tricks."""

ACTS: Mapping[str, str] = {
    "bid": "Bid",
    "pass": "Pass",
    "declare": "Declare",
    "exchange": "Exchange",
    "play": "Play",
    "stop": "Stop",
}
"""The labels of acts that mean the same in several games, by type."""

PHASES: dict[str, str] = {
    "auction": "auction",
    "declaration": "declaration",
    "exchange": "exchange",
    "play": "play",
    "scored": "scored",
}
"""The names of phases that several games have."""


def words_of(*types: type[Payload]) -> dict[str, EventWords]:
    """The words for shared events, by type. Raises KeyError for one that is not shared."""
    return {payload.TYPE: _EVENTS[payload] for payload in types}


def acts_of(*types: str) -> dict[str, str]:
    """The labels of shared acts, by type. Raises KeyError for one that is not shared."""
    return {type: ACTS[type] for type in types}
