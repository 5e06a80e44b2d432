"""L'Hombre's own words."""

from domain.games.lhombre.events import BidMade, ContractDeclared, DealAbandoned, DealWashedOut
from domain.games.lhombre.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Row, Words, offered, say, terms_of, unless, when
from domain.parts.auction import BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned
from domain.parts.matadors import PACK, PLAIN_ORDER, RANKINGS
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon
from domain.parts.words import (
    BID_OR_PASS,
    BIDDING,
    BIDS,
    CONTRACT,
    DECLARING,
    EXCHANGE,
    EXCHANGING,
    HIGHEST,
    MATADORS,
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
    trump_order,
    words_of,
)
from domain.table.events import DealScored

WORDS = Words(
    introduction=Introduction(
        aim=(
            "One player plays alone against two and must win the most tricks, or none; a trick is one card from "
            "each player.",
            "Success is paid in chips by the others, failure is paid to them, and whoever has most chips at the "
            "end wins.",
        ),
        turn=(
            "First bid: name a contract (what you undertake to do) higher than the last one, or pass.",
            "In most contracts trumps, the suit that beats all others, are then fixed, and players may exchange "
            "cards for unseen ones.",
            TRUMPS_PLAYED,
        ),
        beginners=(
            "They forget that both black aces are trumps whatever suit is named, except in a nolo, the promise "
            "to win nothing.",
            "They misread red suits: below the jack, low cards beat high ones, yet the 7 of trumps is the second "
            "best card.",
            "They look to the left: play goes to the right, and with four players the one opposite the dealer "
            "sits out.",
        ),
    ),
    events={
        **words_of(
            BidPassed, TalonTurned, CardsExchanged, CardPlayed, HandExposed, TrickWon, PlayStopped, AllTricksUndertaken
        ),
        DealScored.TYPE: EventWords(
            "outcome",
            outcome_of(
                "win",
                {
                    "bete": "a tie or, in a nolo, one trick",
                    "kodille": "fewer tricks than a defender or, in a nolo, two or more",
                },
            ),
        ),
        BidMade.TYPE: EventWords(
            "auction",
            (
                say("{seat} bids {contract:term}.", when("self", False), when("shown", length=0)),
                say("{seat} says self to {contract:term}.", when("shown", length=0)),
                say("{seat} bids {contract:term}, and shows {shown:cards}.", when("self", False)),
                say("{seat} says self to {contract:term}, and shows {shown:cards}."),
            ),
        ),
        DealWashedOut.TYPE: EventWords("auction", (say("All have passed, and nothing is played."),)),
        ContractDeclared.TYPE: EventWords(
            "contract",
            (
                say("{seat} declares {contract:term}.", when("trump", None)),
                say("{seat} declares {contract:term}, with {trump:suit} as trumps."),
            ),
        ),
        DealAbandoned.TYPE: EventWords(
            "abandons", (say("{seat} abandons the deal, holding {cards:hand}."),), row=Row(TRICK, None, ends=True)
        ),
    },
    acts={
        **acts_of("bid", "pass", "declare", "exchange", "play", "stop"),
        "self": "Say self",
        "abandon": "Abandon",
    },
    prompts=(
        say(
            "Bid higher, say self to make the same bid your own, or pass{auction:last}.",
            offered("bid"),
            offered("self"),
            each=HIGHEST,
        ),
        say("Say self to make the same bid your own, or pass{auction:last}.", offered("self"), each=HIGHEST),
        BID_OR_PASS,
        say(
            "Declare the contract that you play, and its trumps if they are yours to name{auction:last}.",
            offered("declare"),
            each=YOUR_BID,
        ),
        *EXCHANGE,
        say("Stop here with the win, or lead on and undertake to win all nine tricks.", offered("stop")),
        say("Play a card, or abandon the deal now, which costs as much as a tie.", offered("abandon"), offered("play")),
        say("Wait for the others, or abandon the deal now, which costs as much as a tie.", offered("abandon")),
        *PLAY,
    ),
    sending={
        **sending_of("pass", "exchange", "play", "stop"),
        "bid": (say("Bidding {contract:term} …"),),
        "self": (say("Saying self …"),),
        "declare": (
            say("Declaring {contract:term} …", when("trump", None)),
            say("Declaring {contract:term} in {trump:suit} …"),
        ),
        "abandon": (say("Abandoning the deal …"),),
    },
    purposes={
        "auction": BIDDING,
        "declaration": DECLARING,
        "exchange": EXCHANGING,
        "play": TRICKS,
    },
    final={"bid": "contract", "declare": "contract", "exchange": "exchange"},
    sections=(
        "The game",
        "Cards and trumps",
        "The deal",
        "The auction",
        "Contracts and trumps",
        "Exchanging",
        "Play",
        "Results",
        "Payment",
    ),
    promises={
        **terms_of(RULEBOOK, "text"),
        "act": {
            "self": "The same bid is yours now, since you come before its bidder, who must bid higher or pass.",
            "stop": "The win is paid as it stands, and all nine tricks are not tried for.",
            "abandon": "You lay your hand open, and pay every payer as much as for a tie.",
        },
    },
    terms=terms_of(RULEBOOK)
    | {"phase": PHASES | {"washed-out": "washed out", "abandoned": "abandoned"}, "field": {"trump": "trumps"}},
    status=(
        BIDS,
        CONTRACT,
        (
            MATADORS,
            *trump_order(PACK, RANKINGS, PLAIN_ORDER),
            say(
                "Nothing is trump. High to low, red suits are K Q J A 2 3 4 5 6 7, black ones K Q J 7 6 5 4 3 2 A.",
                unless("contract", None),
                when("phase", "play"),
            ),
        ),
    ),
    marks={"contract.declarer": "declarer"},
    lines=dict.fromkeys(
        ("contract", "kodille", "tout"), (reasoned(note="{sitter:seat} sits out and {payment:text}"), reasoned())
    ),
    fields={
        "abandon": Meaning("Whether declarer may abandon the hand."),
        "becomes": Meaning("The contracts that declarer may redefine it as."),
        "defenders_exchange": Meaning("Whether the defenders may exchange."),
        "kodille": Meaning("The amount of a kodille, for each payer.", least=1),
        "per_trick": Meaning("Whether a kodille costs one more for each trick beyond the second."),
        "self": Meaning("Whether it is the standing bid, made by a player who comes before its bidder."),
        "Call.self": Meaning("Whether it is a *self*: the standing bid, made the player's own (LH-4.3)."),
        "shown": Meaning("The cards that are shown when it is bid."),
    },
)
