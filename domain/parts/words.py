"""The words for the events and acts that games share."""

from collections.abc import Mapping

from domain.cards import SUITS, Face, Pack, Suit
from domain.kernel.event import Payload
from domain.kernel.words import EventWords, Meaning, Row, Sentence, offered, say, unless, when
from domain.parts.auction import PASS, BidPassed
from domain.parts.exchange import CardsExchanged, TalonTurned
from domain.parts.ranks import Ranking
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
        {"seat": (say("Discarded: {discarded:cards}; drawn: {drawn.card:cards}.", unless("discarded", length=0)),)},
    ),
    HandExposed: EventWords("exposed", (say("{seat} lays the hand open: {cards:hand}."),)),
    CardPlayed: EventWords("play", (say("{seat} plays {card}."),), row=Row(TRICK, say("{seat} {card}"))),
    TrickWon: EventWords(
        "play", (say("{seat} wins trick {trick:number}."),), row=Row(TRICK, say("→ {seat}"), ends=True)
    ),
    PlayStopped: EventWords("play", (say("{seat} is content, and stops."),)),
    AllTricksUndertaken: EventWords("play", (say("{seat} leads on, and undertakes to win all tricks."),)),
}

TRUMPS_PLAYED = (
    "Then play a card in turn, of the suit led (played first) if you can; the highest trump, else the highest of that "
    "suit, wins."
)
"""The play of a game with trumps, for somebody who has never seen it."""

SUIT_FOLLOWED = "Play one card in turn, of the suit led (played first) if you have one, otherwise any card."
"""Likewise of a game that has no bidding."""

BIDS: tuple[Sentence, ...] = (
    say(
        "{auction:each}.",
        when("contract", None),
        unless("auction", length=0),
        each=(say("{seat} passes", when("bid", PASS)), say("{seat} bids {bid:term contract}")),
    ),
)
"""The summary of a view while contracts are bid."""

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
"""The summary of a view of a contract in which declarer may undertake to win all tricks."""


def trump_order(
    pack: Pack, rankings: Mapping[Suit, Ranking] | Mapping[Suit | None, Ranking], others: str = ""
) -> tuple[Sentence, ...]:
    """The summary of how trumps rank, by the suit that is trump, for games in which other cards are trumps too."""

    def written(trump: Suit) -> str:
        ranking = rankings[trump]
        trumps = sorted((card for card in pack if ranking.suits[card] == trump), key=lambda card: -ranking.power[card])
        faces = [pack.faces[card] for card in trumps]
        return " ".join(Face(face.rank).written if face.suit == trump else face.written for face in faces)

    return tuple(
        say(f"Trumps, high to low: {written(trump)}{others}.", when("contract.trump", trump)) for trump in SUITS
    )


MATADORS = say(
    "In any trump suit the highest cards, in this order, are A♠, its 2 if black or 7 if red, and A♣.",
    when("contract", None),
    unless("phase", None),
)
"""How the ombre family's trumps rank, for who is to bid."""

HIGHEST: tuple[Sentence, ...] = (say(": the highest so far is {bid:term contract}", unless("bid", PASS)),)
"""What a prompt adds of the highest bid of an auction, as an item of it; nothing while nobody has bid."""

YOUR_BID: tuple[Sentence, ...] = (say(": you have bid {bid:term contract}", unless("bid", PASS)),)
"""What a prompt adds for the seat whose bid was the highest."""

BID_OR_PASS = say("Bid, or pass{auction:last}.", offered("bid"), each=HIGHEST)
"""What a seat is asked to do while contracts are bid."""

_MOST = "offers.exchange.fields.discard.max"

EXCHANGE: tuple[Sentence, ...] = (
    say("Discard one card, face down, and draw one from the talon, or keep all.", offered("exchange"), when(_MOST, 1)),
    say(
        f"Discard up to {{{_MOST}:number}} cards, face down, and draw as many from the talon, or keep all.",
        offered("exchange"),
    ),
)
"""What a seat is asked to do in an exchange."""

PLAY: tuple[Sentence, ...] = (
    say("Lead a card: the others must follow its suit if they can.", offered("play"), when("trick", length=0)),
    say("Play a card: follow the suit that was led, if you can.", offered("play")),
)
"""What a seat is asked to do when it plays to a trick."""

SENDING: Mapping[str, tuple[Sentence, ...]] = {
    "pass": (say("Passing …"),),
    "exchange": (say("Keeping all cards …", when("discard", length=0)), say("Exchanging {discard:cards} …")),
    "play": (say("Playing {card} …"),),
    "stop": (say("Stopping …"),),
}
"""What is said of acts while they are sent, where it is the same in several games, by type."""

_OVER = "Deal {deal:number} is over"


def outcome_of(won: str, lost: Mapping[str, str], declarer: str = "declarer") -> tuple[Sentence, ...]:
    """What a deal came to for declarer: sentences for the outcome that wins, for those that lose, with what they mean,
    and for others.
    """
    return (
        say(f"{_OVER}: {declarer} wins.", when("outcome", won)),
        *(
            say(f"{_OVER}: {declarer} loses ({{outcome:term}}: {meaning}).", when("outcome", outcome))
            for outcome, meaning in lost.items()
        ),
        say(f"{_OVER}: {{outcome:term}}."),
    )


BIDDING = "Bidding decides who plays alone against the others, and what for."
DECLARING = "Whoever has won the bidding now fixes the contract, and with it what the deal is worth."
EXCHANGING = "Cards that are not wanted go for unseen ones, before a card is played."
TRICKS = "Tricks now decide whether the contract is kept, and what it gains or costs."
"""Why there is a phase that several games have."""

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

RANKS: dict[str, str] = {
    "A": "aces",
    "K": "kings",
    "Q": "queens",
    "J": "jacks",
    "T": "tens",
    "9": "nines",
    "8": "eights",
    "7": "sevens",
    "6": "sixes",
    "5": "fives",
    "4": "fours",
    "3": "threes",
    "2": "twos",
}
"""The names of all cards of a rank, high to low."""


FIELDS: Mapping[str, Meaning] = {
    "accept": Meaning("Whether to accept."),
    "accepted": Meaning("Whether the offer was accepted."),
    "auction": Meaning("The calls of the auction, in order."),
    "bid": Meaning("A contract, or `pass`."),
    "Said.bid": Meaning("`ask`, `yes` or `pass`."),
    "bonus": Meaning("The bonus."),
    "contract": Meaning("The contract."),
    "Bonus.text": Meaning("What it promises, and what it gains and costs."),
    "Contract.text": Meaning("What it promises, and what it gains and costs."),
    "count": Meaning("The number of discarded cards.", least=0),
    "declarer": Meaning("The seat that plays the contract.", least=0),
    "discard": Meaning("The cards to discard.", distinct=True),
    "discarded": Meaning("The cards that were discarded."),
    "drawn": Meaning("The cards that were drawn unseen, in the order drawn."),
    "exchange": Meaning("The least and the most cards that declarer may exchange; null for none."),
    "exchanges": Meaning("The exchanges in order: the seat and the number of cards."),
    "exposed": Meaning("Whether declarer's cards lie open."),
    "last_trick": Meaning("The last complete trick of the deal."),
    "level": Meaning("The level, from 1.", least=1),
    "name": Meaning("The title."),
    "number": Meaning("The number bid; null for a pass.", least=1),
    "opening": Meaning("The opening of the card's commitment, which proves that the card was dealt there."),
    "order": Meaning("The seats that play this deal, in the order of turns, eldest first.", least=0),
    "positive": Meaning("Whether declarer plays to win tricks; null for a bonus with either kind of contract."),
    "rank": Meaning("The place in the order of bids; 0 for a contract that cannot be bid."),
    "sign": Meaning("1 if each opponent pays, -1 if declarer pays, 0 if nobody pays."),
    "talon": Meaning("The talon, as far as it is known."),
    "to": Meaning("The seat that it is offered to.", least=0),
    "top": Meaning("The card on top; null if it lies face down, or there is none."),
    "trick": Meaning("The cards on the table, in the order played."),
    "TrickWon.trick": Meaning("The number of the trick in the deal, from 1.", least=1),
    "tricks": Meaning("The number of tricks that the seat won in this deal.", least=0),
    "trump": Meaning("The trump suit; null for none, or none yet."),
    "trumps": Meaning("The way in which the trump suit is fixed."),
    "turned": Meaning("The card that was turned up; null for none."),
    "undertaken": Meaning("Whether declarer has undertaken to win all tricks."),
    "value": Meaning("The value, in the game's unit.", least=1),
    "winner": Meaning("The seat that won the trick.", least=0),
}
"""The meanings of fields that several games have, by name or by `Type.name`."""


def reasoned(what: str = "{what:text}", how: str | None = "{how:text}", note: str | None = None) -> Sentence:
    """The sentence of a line whose text is a `reason` (`domain.parts.scoring`) of this form."""
    outcome = "" if how is None else f", {how}"
    return say(f"{what} by {{player:seat}}{outcome}: {{formula:text}}" + ("" if note is None else f" ({note})"))


def words_of(*types: type[Payload]) -> dict[str, EventWords]:
    """The words for shared events, by type. Raises KeyError for one that is not shared."""
    return {payload.TYPE: _EVENTS[payload] for payload in types}


def sending_of(*types: str) -> dict[str, tuple[Sentence, ...]]:
    """What is said of shared acts while they are sent, by type. Raises KeyError for one that is not shared."""
    return {type: SENDING[type] for type in types}


def acts_of(*types: str) -> dict[str, str]:
    """The labels of shared acts, by type. Raises KeyError for one that is not shared."""
    return {type: ACTS[type] for type in types}
