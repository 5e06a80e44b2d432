"""Boston's own words."""

from domain.games.boston.contracts import CONTRACTS
from domain.games.boston.events import (
    BidMade,
    CardPutDown,
    GameScored,
    PlayedAlone,
    SupportAnswered,
    SupportCalled,
)
from domain.games.boston.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Words, offered, say, terms_of, unless, when
from domain.parts.auction import BidPassed
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon
from domain.parts.words import PHASES, PLAY, TRICKS, acts_of, reasoned, sending_of, words_of

_BIDS = "{seat} bids {contract:term} in {suit:suit}"
_OVER = "Deal {deal:number} is over"
_PLAYED = "{declarer:seat} played {contract:term} in {suit:suit}"
_PLAYED_AT_ALL = (unless("declarer", None), unless("contract", None), unless("suit", None))
_PLAYS = "{contract.declarer:seat} plays {contract.contract:term} in {contract.suit:suit}"

WORDS = Words(
    introduction=Introduction(
        aim=(
            "In each deal one player promises to win a number of tricks, or none at all; a trick is one card "
            "from each player.",
            "A promise kept gains points, a broken one loses them, and the highest score after the last deal wins.",
        ),
        turn=(
            "First bid in turn: promise something higher than the last bid, or pass, which is final for this deal.",
            "Then play a card in turn, of the suit led (played first) if you have one, otherwise any card.",
            "The highest trump (a card of the suit named in the bid) wins the trick; without one, the highest "
            "card of the suit led does.",
        ),
        beginners=(
            "They think that a misère, the promise to win no trick, has trumps: its suit only multiplies the score.",
            "They bid in hearts too lightly: hearts multiply the score by four, losses included.",
            "They count on the supporter's tricks: after a call for help, each of the two must win a number of "
            "tricks alone.",
        ),
    ),
    events={
        **words_of(BidPassed, HandExposed, CardPlayed, TrickWon),
        BidMade.TYPE: EventWords(
            "auction",
            (say(f"{_BIDS}.", when("shown", length=0)), say(f"{_BIDS}, and shows {{shown:cards}}.")),
        ),
        PlayedAlone.TYPE: EventWords("support", (say("{seat} plays alone."),)),
        SupportCalled.TYPE: EventWords("support", (say("{seat} calls for a supporter."),)),
        SupportAnswered.TYPE: EventWords(
            "support", (say("{seat} supports declarer.", when("accepted", True)), say("{seat} declines."))
        ),
        CardPutDown.TYPE: EventWords(
            "discard", (say("{seat} puts a card face down."),), {"seat": (say("Put down: {card}."),)}
        ),
        GameScored.TYPE: EventWords(
            "outcome",
            (
                say(f"{_OVER}: {_PLAYED}: {{outcome:term}}.", *_PLAYED_AT_ALL, when("supporter", None)),
                say(
                    f"{_OVER}: {_PLAYED}, supported by {{supporter:seat}}: {{outcome:term}}.",
                    *_PLAYED_AT_ALL,
                    unless("supporter", None),
                ),
                say(f"{_OVER}: all have passed, and it is thrown in."),
            ),
        ),
    },
    acts={
        "play-alone": "Play alone",
        "call": "Call for a supporter",
        "answer": "Answer the call",
        "put-down": "Put a card down",
        **acts_of("bid", "pass", "play"),
    },
    prompts=(
        say(
            "Bid, or pass{auction:last}.",
            offered("bid"),
            each=(
                say(
                    ": the highest so far is {contract:term} in {suit:suit}",
                    unless("contract", None),
                    unless("suit", None),
                ),
            ),
        ),
        say("Play alone, or call for a supporter, who shares gain and loss.", offered("call")),
        say(
            "Answer the call: as supporter you must win three tricks yourself.",
            offered("answer"),
            unless("contract", None),
            when("contract.contract", "five"),
        ),
        say("Answer the call: as supporter you must win four tricks yourself.", offered("answer")),
        say("Put one card down, face down: it is out of play.", offered("put-down")),
        *PLAY,
    ),
    sending={
        **sending_of("pass", "play"),
        "bid": (say("Bidding {contract:term} in {suit:suit} …"),),
        "play-alone": (say("Playing alone …"),),
        "call": (say("Calling for a supporter …"),),
        "answer": (say("Agreeing to support …", when("accept", value=True)), say("Declining to support …")),
        "put-down": (say("Putting down {card} …"),),
    },
    purposes={
        "auction": "Bidding decides who plays which contract; in one contract spades are the lowest suit, "
        "then come clubs, diamonds and hearts.",
        "support": "Low contracts can be shared: a supporter takes half of what they gain or cost.",
        "answer": "Before play the others say in turn whether they share declarer's contract.",
        "discard": "This contract is played in twelve tricks, so one of declarer's cards goes first.",
        "play": TRICKS,
    },
    final={"bid": "contract", "put-down": "discard"},
    sections=(
        "The game",
        "Cards and the deal",
        "The auction",
        "Contracts",
        "Support, discard and open hands",
        "Play",
        "What a contract is worth",
        "With a supporter",
        "Booking",
    ),
    promises={
        **terms_of(RULEBOOK, "text"),
        "suit": {
            "s": "The lowest suit, which leaves the value of a contract as it is.",
            "c": "The next suit above spades, which makes a contract count twice, won or lost.",
            "d": "The next suit above clubs, which makes a contract count three times, won or lost.",
            "h": "The highest suit, which makes a contract count four times, won or lost.",
        },
        "act": {
            "play-alone": "All gain and all loss of the contract are yours.",
            "call": "With a supporter each of you must win an own number of tricks, and gains or loses half.",
            "answer": "A supporter must win three tricks at Five, four at Six to Eight, and gains or loses half.",
        },
    },
    terms={
        **terms_of(RULEBOOK),
        "helping": {row.contract: f"{row.supporter or 0} tricks" for row in CONTRACTS.values()},
        "phase": {
            **PHASES,
            "thrown-in": "thrown in",
            "support": "alone or supported",
            "answer": "answers to the call",
            "discard": "discard",
        },
    },
    status=(
        (
            say(
                "{auction:each}.",
                when("contract", None),
                unless("auction", length=0),
                each=(say(_BIDS, unless("contract", None), unless("suit", None)), say("{seat} passes")),
            ),
            say(f"{_PLAYS}.", unless("contract", None), when("contract.supporter", None)),
            say(
                f"{_PLAYS}, supported by {{contract.supporter:seat}}, who must win {{contract.contract:term helping}}.",
                unless("contract", None),
            ),
        ),
    ),
    marks={"contract.declarer": "declarer", "contract.supporter": "supporter"},
    lines={"contract": (reasoned(),)},
    fields={
        "Reply.accepted": Meaning("Whether the player accepted to be the supporter."),
        "SupportAnswered.accepted": Meaning("Whether the player accepted to be the supporter."),
        "answers": Meaning("The answers to declarer's call for a supporter, in order."),
        "base": Meaning("What it is worth before tricks, honours and suit.", least=1),
        "discard": Meaning("Whether declarer puts a card face down before play."),
        "factor": Meaning("What the suit multiplies values by.", least=1),
        "GameScored.contract": Meaning("The contract; null where the deal was thrown in."),
        "GameScored.declarer": Meaning(
            "The seat that played the contract; null where the deal was thrown in.", least=0
        ),
        "GameScored.suit": Meaning("The suit that was bid; null where the deal was thrown in."),
        "honours": Meaning("The number of honours in one hand.", least=3),
        "least": Meaning("The fewest tricks that declarer must win.", least=0),
        "most": Meaning("The most tricks that declarer may win.", least=0),
        "ouvert": Meaning("Whether declarer's hand lies open."),
        "premium": Meaning(
            "What each trick over or short is worth, and each honour premium; null where the base counts alone."
        ),
        "premiums": Meaning("How many premiums they are worth.", least=1),
        "put_down": Meaning("The card that declarer put face down, as far as it is known."),
        "shown": Meaning("The four aces, where Four-ace misère was bid; else empty."),
        "suit": Meaning("The suit that was bid: trumps, or in a misère only what multiplies the value."),
        "supporter": Meaning("The seat that supports declarer; null for none.", least=0),
        "Contract.supporter": Meaning("The tricks that a supporter must win; null where none may be called.", least=3),
        "Result.declarer": Meaning("Whether declarer reached the contract; null if nothing was played."),
        "Result.supporter": Meaning("Whether the supporter won the tricks undertaken; null without a supporter."),
        "SuitFactor.suit": Meaning("The suit."),
        "trumps": Meaning("Whether the suit is trumps; in a misère it only multiplies the value."),
    },
)
