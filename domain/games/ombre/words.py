"""Ombre's own words."""

from domain.games.ombre.events import (
    BidMade,
    ContractDeclared,
    DealPassedOut,
    EstuchesScored,
    ExchangeYielded,
    SurrenderAnswered,
    SurrenderOffered,
)
from domain.games.ombre.rules import RULEBOOK
from domain.kernel.words import EventWords, Words, say, terms_of, unless, when, when_length
from domain.parts.auction import BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, TrickWon
from domain.parts.words import BIDS, CONTRACT, PHASES, acts_of, words_of

WORDS = Words(
    events={
        **words_of(BidPassed, TalonTurned, CardsExchanged, CardPlayed, TrickWon, PlayStopped, AllTricksUndertaken),
        BidMade.TYPE: EventWords(
            "auction",
            (
                say("{seat} holds {contract:term}.", when("hold", True)),
                say("{seat} bids {contract:term}."),
            ),
        ),
        DealPassedOut.TYPE: EventWords(
            "auction", (say("All have passed: nothing is played, and the pool stays as it is."),)
        ),
        ContractDeclared.TYPE: EventWords(
            "contract",
            (
                say("{seat} plays {contract:term}.", when("trump", None)),
                say("{seat} plays {contract:term}, with {trump:suit} as trumps."),
            ),
        ),
        ExchangeYielded.TYPE: EventWords("exchange", (say("{seat} lets {to:seat} exchange first."),)),
        SurrenderOffered.TYPE: EventWords("surrender", (say("{seat} offers to surrender."),)),
        SurrenderAnswered.TYPE: EventWords(
            "surrender",
            (
                say("{seat} accepts the surrender.", when("accepted", True)),
                say("{seat} forbids the surrender, and plays on as new Ombre."),
            ),
        ),
        EstuchesScored.TYPE: EventWords(
            "outcome",
            (
                say("Deal {deal:number} is over: {outcome:term}.", when_length("estuches", 0)),
                say("Deal {deal:number} is over: {outcome:term}, with the estuches {estuches:cards}."),
            ),
        ),
    },
    acts={
        **acts_of("bid", "pass", "declare", "exchange", "play", "stop"),
        "hold": "Hold",
        "yield-exchange": "Let the other exchange first",
        "offer-surrender": "Offer to surrender",
        "answer-surrender": "Answer the surrender",
    },
    terms=terms_of(RULEBOOK)
    | {"phase": PHASES | {"passed-out": "passed out", "surrender": "surrender", "surrendered": "surrendered"}},
    status=(
        BIDS,
        CONTRACT,
        (
            say("{surrender.new_ombre:seat} is new Ombre.", unless("surrender.new_ombre", None)),
            say("{surrender.seat:seat} offers to surrender.", unless("surrender", None)),
        ),
    ),
    marks={"contract.declarer": "Ombre", "surrender.new_ombre": "new Ombre"},
)
