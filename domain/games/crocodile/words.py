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
from domain.kernel.words import EventWords, Introduction, Meaning, Row, Words, offered, say, terms_of, unless, when
from domain.parts.auction import BidPassed
from domain.parts.exchange import TalonTurned
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon
from domain.parts.words import (
    BID_OR_PASS,
    BIDDING,
    BIDS,
    DECLARING,
    EXCHANGE,
    EXCHANGING,
    PHASES,
    PLAY,
    TRICK,
    TRICKS,
    TRUMPS_PLAYED,
    YOUR_BID,
    acts_of,
    outcome_of,
    reasoned,
    sending_of,
    words_of,
)
from domain.table.events import DealScored

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
            TRUMPS_PLAYED,
        ),
        beginners=(
            "They play the ace as a high card: here it is the lowest of its suit, below the 2.",
            "They expect the lone player to begin: the player after the dealer always leads to the first trick.",
            "They win four tricks and relax: four are enough only if the opponents' five split three to two.",
        ),
    ),
    events={
        **words_of(BidPassed, TalonTurned, HandExposed, CardPlayed, TrickWon),
        DealScored.TYPE: EventWords(
            "outcome",
            outcome_of(
                "victory",
                {
                    "contraprimeras": "the opponents won the first five tricks",
                    "simple-remis": "as many tricks as the opponent with most",
                    "piccolo-remis": "one trick against four and four",
                    "crocodile-lunch": "fewer tricks than an opponent or, in a Nolo, two or more",
                    "simple-loss": "one trick in a Nolo, or conceded",
                    "contranolo": "most tricks in a Nolo",
                },
            ),
        ),
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
                say("{seat} exchanges one card.", when("count", 1), when("taken", length=0)),
                say("{seat} exchanges {count:number} cards.", when("taken", length=0)),
                say("{seat} exchanges one card, and takes {taken:cards}.", when("count", 1)),
                say("{seat} exchanges {count:number} cards, and takes {taken:cards}."),
            ),
            {
                "seat": (
                    say("Discarded: {discarded:cards}.", when("drawn", length=0), unless("discarded", length=0)),
                    say("Discarded: {discarded:cards}; drawn: {drawn.card:cards}.", unless("discarded", length=0)),
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
    prompts=(
        BID_OR_PASS,
        say(
            "Declare the contract that you play, of higher value than you bid if you like{auction:last}.",
            offered("declare"),
            each=YOUR_BID,
        ),
        say("Choose the card that you keep: you discard the others and take the talon.", offered("take-casco")),
        say("Lay five cards face up, and name a suit as trumps or none.", offered("lay-casco")),
        say("Answer whether you exchange before the other opponent.", offered("answer-priority")),
        say(
            "Discard exactly one card, face down: you get the turned-up card for it.",
            offered("exchange"),
            when("offers.exchange.fields.discard.min", 1),
        ),
        say(
            "Exchange cards, naming those that you take of the face-up ones, or offer the other the first exchange.",
            offered("exchange"),
            offered("offer-priority"),
            unless("stock", None),
        ),
        say(
            "Exchange cards, naming those that you take of the face-up ones, or keep all.",
            offered("exchange"),
            unless("stock", None),
        ),
        say("Exchange cards for unseen ones, or offer the other opponent to go first.", offered("offer-priority")),
        *EXCHANGE,
        say(
            "Play a card, or concede now, which costs the value of the contract and any bonus that you bid.",
            offered("concede"),
            offered("play"),
        ),
        say(
            "Wait for the others, or concede now, which costs the value of the contract and any bonus that you bid.",
            offered("concede"),
        ),
        *PLAY,
    ),
    sending={
        **sending_of("pass", "play"),
        "bid": (say("Bidding {contract:term} …"),),
        "declare": (
            say("Declaring {contract:term} …", when("trump", None), when("bonus", None)),
            say("Declaring {contract:term} with {bonus:term} …", when("trump", None)),
            say("Declaring {contract:term} in {trump:suit} …", when("bonus", None)),
            say("Declaring {contract:term} in {trump:suit}, with {bonus:term} …"),
        ),
        "take-casco": (say("Taking the talon for all but {keep:card} …"),),
        "lay-casco": (
            say("Laying {lay:cards} without trumps …", when("trump", None), when("bonus", None)),
            say("Laying {lay:cards} without trumps, with {bonus:term} …", when("trump", None)),
            say("Laying {lay:cards} with {trump:suit} as trumps …", when("bonus", None)),
            say("Laying {lay:cards} with {trump:suit} as trumps and {bonus:term} …"),
        ),
        "offer-priority": (say("Offering the first exchange …"),),
        "answer-priority": (
            say("Agreeing to exchange first …", when("accept", value=True)),
            say("Refusing to exchange first …"),
        ),
        "exchange": (
            say("Keeping all cards …", when("discard", length=0)),
            say("Exchanging {discard:cards} …", when("take", length=0)),
            say("Exchanging {discard:cards} for {take:cards} …"),
        ),
        "concede": (say("Conceding …"),),
    },
    purposes={
        "auction": BIDDING,
        "declaration": DECLARING,
        "casco": "Nobody has bid, so one player makes a new hand from the talon, and plays with that.",
        "casco-declaration": "In Casco five cards are shown, which the opponents may take, and trumps are named.",
        "priority": "Whoever exchanges first has more cards to draw from.",
        "exchange": EXCHANGING,
        "play": TRICKS,
    },
    final={
        "bid": "contract",
        "declare": "contract",
        "exchange": "exchange",
        "take-casco": "exchange",
        "lay-casco": "contract",
    },
    sections=(
        "The game",
        "Cards",
        "The deal",
        "The auction",
        "Contracts",
        "Declaring",
        "Exchanging",
        "Play",
        "Results",
        "Bonuses",
    ),
    promises={
        **terms_of(RULEBOOK, "text"),
        "act": {"concede": "The deal ends at once, costs the value of the contract, and a bonus that was bid fails."},
    },
    terms=terms_of(RULEBOOK)
    | {
        "field": {"trump": "trumps"},
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
        (say("In every suit the king is the highest card, and the ace the lowest.", unless("phase", None)),),
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
