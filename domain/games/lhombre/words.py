"""L'Hombre's own words."""

from domain.games.lhombre.events import BidMade, ContractDeclared, DealAbandoned, DealWashedOut
from domain.games.lhombre.rules import RULEBOOK
from domain.kernel.words import EventWords, Meaning, Row, Words, say, terms_of, when, when_length
from domain.parts.auction import BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon
from domain.parts.words import BIDS, CONTRACT, PHASES, TRICK, acts_of, reasoned, words_of

WORDS = Words(
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
