"""King's own words."""

from domain.games.king.contracts import DIRECTIONS
from domain.games.king.events import AuctionOpened, DirectionDeclared, KingScored, TricksBid, TrumpsNamed
from domain.games.king.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Words, offered, say, terms_of, unless, when
from domain.parts.auction import BidPassed
from domain.parts.tricks import CardPlayed, TrickWon
from domain.parts.words import PHASES, PLAY, SUIT_FOLLOWED, acts_of, reasoned, sending_of, words_of

_OVER = "Deal {deal:number} is over ({aim:term}): {outcome:term}"

WORDS = Words(
    introduction=Introduction(
        aim=(
            "Six deals are about avoiding certain cards or tricks (one card from each player), four about "
            "winning tricks or avoiding them.",
            "All scores are added up, and the highest after ten deals wins.",
        ),
        turn=(
            SUIT_FOLLOWED,
            "The highest card of the suit led wins the trick; in the last four deals trumps, a suit that beats "
            "the others, may win it.",
            "Before those four deals the dealer names trumps or sells that right, and says whether tricks gain "
            "or cost points.",
        ),
        beginners=(
            "They play the same way in every deal: look first at what this deal punishes.",
            "They take a bid for a promise: it is a price, a number of tricks counted to the dealer instead of "
            "the bidder.",
            "They keep the king of hearts too long: in the fifth deal, winning its trick costs 160 points.",
        ),
    ),
    events={
        **words_of(BidPassed, CardPlayed, TrickWon),
        TrumpsNamed.TYPE: EventWords(
            "contract",
            (
                say("{seat} names no trumps.", when("trump", None)),
                say("{seat} names {trump:suit} as trumps."),
            ),
        ),
        AuctionOpened.TYPE: EventWords("auction", (say("{seat} puts the right to name trumps up for auction."),)),
        TricksBid.TYPE: EventWords(
            "auction", (say("{seat} bids one trick.", when("tricks", 1)), say("{seat} bids {tricks:number} tricks."))
        ),
        DirectionDeclared.TYPE: EventWords("contract", (say("{seat} says: {direction:term aim}."),)),
        KingScored.TYPE: EventWords(
            "outcome",
            (
                say(f"{_OVER}.", when("buyer", None)),
                say(f"{_OVER}.", when("price", None)),
                say(f"{_OVER}. {{buyer:seat}} had bought the right to name trumps for one trick.", when("price", 1)),
                say(f"{_OVER}. {{buyer:seat}} had bought the right to name trumps for {{price:number}} tricks."),
            ),
        ),
    },
    acts={
        **acts_of("bid", "pass", "play"),
        "auction": "Open the auction",
        "declare-direction": "Up or down",
        "name-trumps": "Name trumps",
    },
    prompts=(
        say("Name a suit as trumps or none, or put that right up for auction.", offered("auction")),
        say("Name a suit as trumps, or none.", offered("name-trumps")),
        say(
            "Bid a price in tricks for naming trumps, or pass{auction:last}.",
            offered("bid"),
            offered("pass"),
            each=(say(": the highest so far is {number}", unless("number", None)),),
        ),
        say("Bid a price in tricks for naming trumps: you must open the auction.", offered("bid")),
        say("Say whether tricks gain points, up, or cost points, down.", offered("declare-direction")),
        *PLAY,
    ),
    sending={
        **sending_of("pass", "play"),
        "bid": (say("Bidding one trick …", when("tricks", 1)), say("Bidding {tricks:number} tricks …")),
        "auction": (say("Opening the auction …"),),
        "declare-direction": (say("Declaring {direction:term aim} …"),),
        "name-trumps": (say("Naming no trumps …", when("trump", None)), say("Naming {trump:suit} as trumps …")),
    },
    purposes={
        "choice": "In the last four deals the dealer names trumps, or sells that right for tricks.",
        "auction": "The right to name trumps goes to the highest bidder, who pays for it in tricks.",
        "naming": "Whoever has bought the right now names the suit that beats the others.",
        "direction": "In such a deal tricks are good or bad for everybody, as the dealer says.",
        "play": "What a player captures counts as the aim of this deal says.",
    },
    final={"bid": "contract", "declare-direction": "contract", "name-trumps": "contract"},
    sections=(
        "The game",
        "Cards and the deal",
        "Play",
        "The six negative deals",
        "Trumps in positive deals",
        "The positive deals",
        "Booking",
    ),
    promises={
        **terms_of(RULEBOOK, "text"),
        "direction": {direction: terms_of(RULEBOOK, "text")["aim"][direction] for direction in DIRECTIONS},
        "act": {
            "auction": "The others bid for naming trumps, and the high bid is counted to you as tricks of yours.",
            "bid": "The highest bidder names trumps; the bid is a price, tricks that count for the dealer instead.",
        },
    },
    terms=terms_of(RULEBOOK)
    | {
        "phase": {
            "choice": "choice of trumps",
            "auction": PHASES["auction"],
            "naming": "naming of trumps",
            "direction": "direction",
            "play": PHASES["play"],
            "scored": PHASES["scored"],
        },
    },
    status=(
        (
            say("{aim:term}.", unless("aim", None)),
            say(
                "A positive deal: {dealer:seat} names trumps, or puts them up for auction.",
                when("phase", "choice"),
                unless("dealer", None),
            ),
            say("A positive deal.", unless("phase", None), unless("phase", "scored")),
        ),
        (
            say("{trumps.namer:seat} has named no trumps.", unless("trumps", None), when("trumps.trump", None)),
            say("{trumps.namer:seat} has named {trumps.trump:suit} as trumps.", unless("trumps", None)),
            say(
                "{auction:each}.",
                unless("auction", length=0),
                each=(say("{seat} passes", when("number", None)), say("{seat} bids {number}")),
            ),
        ),
        (
            say(
                "The price is one trick, to be settled between {trumps.namer:seat} and {dealer:seat}.",
                when("trumps.price", 1),
                unless("trumps", None),
                unless("dealer", None),
            ),
            say(
                "The price is {trumps.price:number} tricks, to be settled between {trumps.namer:seat} and "
                "{dealer:seat}.",
                unless("trumps", None),
                unless("trumps.price", None),
                unless("dealer", None),
            ),
        ),
    ),
    marks={"trumps.namer": "named trumps"},
    lines={"price": (reasoned(note="{dealer:seat} dealt"),), "captured": (reasoned(),)},
    fields={
        "Aim.text": Meaning("What it gains and costs."),
        "points": Meaning("What captures have scored so far in the deal, by seat, without what each has before any."),
        "aim": Meaning("What the deal is played for."),
        "DealRow.aim": Meaning("What the deal is played for; null where the dealer says up or down."),
        "KingView.aim": Meaning(
            "What the deal is played for; null in a positive deal until the dealer has said up or down."
        ),
        "base": Meaning("What each player scores beforehand.", least=0),
        "buyer": Meaning("The seat that bought the right to name trumps; null if nobody did.", least=0),
        "captured": Meaning("The captured cards that count in this deal, sorted."),
        "cards": Meaning("The cards that count; empty where tricks do."),
        "deal": Meaning("The number of the deal in the game.", least=1),
        "direction": Meaning("Whether winning tricks is to gain or to lose: up or down."),
        "each": Meaning("What a player scores for each card captured that counts or, where no cards do, each trick."),
        "namer": Meaning("The seat that named trumps."),
        "price": Meaning("The number of tricks that the right to name trumps was bought for; null if it was not."),
        "Aim.price": Meaning("What the buyer of trumps gains from the dealer for each trick of the bid."),
        "TrumpsView.price": Meaning("The number of tricks bid for the right; null if it was not bought."),
        "tricks": Meaning("The number of tricks that is bid.", least=1),
        "NameTrumps.trump": Meaning("The trump suit; null for no trumps."),
        "TrumpsNamed.trump": Meaning("The trump suit; null for no trumps."),
        "Aim.tricks": Meaning("The numbers of the tricks that count; empty where cards do."),
        "KingSeatView.tricks": Meaning("The number of tricks that the seat has won in this deal.", least=0),
        "TrumpsView.trump": Meaning("The trump suit; null for no trumps."),
        "KingView.trumps": Meaning("The trumps of a positive deal, once they are named."),
    },
)
