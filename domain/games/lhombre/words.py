"""L'Hombre's own words."""

from domain.games.lhombre.events import BidMade, ContractDeclared, DealAbandoned, DealWashedOut
from domain.games.lhombre.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Row, Words, say, terms_of, when, when_length
from domain.parts.auction import BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon
from domain.parts.words import BIDS, CONTRACT, PHASES, PLAY_TRUMPS, TRICK, acts_of, reasoned, words_of

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
            PLAY_TRUMPS,
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
        BidMade.TYPE: EventWords(
            "auction",
            (
                say("{seat} bids {contract:term}.", when("self", False), when_length("shown", 0)),
                say("{seat} says self to {contract:term}.", when_length("shown", 0)),
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
        "self": "Self",
        "abandon": "Abandon",
    },
    terms=terms_of(RULEBOOK) | {"phase": PHASES | {"washed-out": "washed out", "abandoned": "abandoned"}},
    status=(BIDS, CONTRACT),
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
