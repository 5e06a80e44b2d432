"""Solo's own words."""

from domain.games.solo.events import BidAsked, BidHeld, ContractDeclared, GameScored, PartnerShown, QueenShown
from domain.games.solo.meta import PACK, RANKINGS
from domain.games.solo.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Words, offered, say, terms_of, unless, when
from domain.parts.auction import BidPassed
from domain.parts.tricks import CardPlayed, TrickWon
from domain.parts.words import PHASES, PLAY, TRUMPS_PLAYED, acts_of, reasoned, sending_of, trump_order, words_of

WORDS = Words(
    introduction=Introduction(
        aim=(
            "Win enough of the eight tricks for your game: five with a partner, five alone, or all; a trick is "
            "one card from each player.",
            "The highest bidder, and a partner if there is one, gain or lose points; the highest score at the "
            "end wins.",
        ),
        turn=(
            "Bidding goes by questions: ask for a higher game, say yes to hold it yourself, or pass.",
            "The last to hold names trumps, the suit that beats all others, and in a simple game an ace, whose "
            "holder is the partner.",
            TRUMPS_PLAYED,
        ),
        beginners=(
            "They forget that both black queens are always trumps: the queen of clubs is the highest card of all.",
            "They misjudge the 7 of trumps: it is the second highest, between the two black queens.",
            "They look for the partner in the bidding: it stays a secret until the called ace is played.",
        ),
    ),
    events={
        **words_of(BidPassed, CardPlayed, TrickWon),
        BidAsked.TYPE: EventWords("auction", (say("{seat} asks for {level:term}."),)),
        BidHeld.TYPE: EventWords("auction", (say("{seat} says yes to {level:term}."),)),
        QueenShown.TYPE: EventWords("auction", (say("All have passed: {seat} shows {card}, and must declare."),)),
        ContractDeclared.TYPE: EventWords(
            "contract",
            (
                say("{seat} declares {level:term}, with {trump:suit} as trumps.", when("called", None)),
                say("{seat} declares {level:term}, with {trump:suit} as trumps, and calls {called:card}."),
            ),
        ),
        PartnerShown.TYPE: EventWords("partner", (say("{seat} held the called card, and is the partner."),)),
        GameScored.TYPE: EventWords(
            "outcome",
            (
                say(
                    "Deal {deal:number} is over: {declarer:seat} played {level:term}: {outcome:term}.",
                    when("partner", None),
                ),
                say(
                    "Deal {deal:number} is over: {declarer:seat} played {level:term} with {partner:seat}: "
                    "{outcome:term}."
                ),
            ),
        ),
    },
    acts={
        **acts_of("pass", "declare", "play"),
        "ask": "Ask",
        "yes": "Say yes",
    },
    prompts=(
        say(
            "Ask for {question.asked:term level}, or pass.",
            offered("ask"),
            offered("pass"),
            unless("question", None),
            unless("question.asked", None),
        ),
        say("Ask for the next game: with both black queens you may not pass.", offered("ask")),
        say(
            "Say yes to hold {question.asked:term level} yourself, or pass.",
            offered("yes"),
            offered("pass"),
            unless("question", None),
            unless("question.asked", None),
        ),
        say("Say yes: with both black queens you may not pass.", offered("yes")),
        say(
            "Declare your game and its trumps, and in a simple game a card to call, whose holder is your secret "
            "partner: you have bid {question.level:term}.",
            offered("declare"),
            unless("question", None),
            unless("question.level", 0),
        ),
        say(
            "Declare a simple game, its trumps, and a card to call, whose holder is your partner: nobody has bid.",
            offered("declare"),
        ),
        *PLAY,
    ),
    sending={
        **sending_of("pass", "play"),
        "ask": (say("Asking …"),),
        "yes": (say("Saying yes …"),),
        "declare": (
            say("Declaring {game:term} with {trump:suit} as trumps …", when("called", None)),
            say("Declaring {game:term} with {trump:suit} as trumps and {called:card} called …"),
        ),
    },
    purposes={
        "auction": "Questions and answers find out who plays the highest game.",
        "declaration": "A game is worth twice as much with color as trumps, the suit that the table has chosen.",
        "play": "Tricks decide whether declarer's game is won.",
    },
    final={"declare": "contract"},
    sections=("The game and its cards", "Games and partners", "The auction", "Play and results"),
    promises={
        **terms_of(RULEBOOK, "text"),
        "game": {
            "simple": "Win five tricks with the holder of a card that you call: gains or costs each of you 2, or 4 "
            "with color as trumps.",
            "solo": "Win five tricks alone: gains or costs 4, or 8 with color as trumps.",
            "tout": "Win all eight tricks alone: gains or costs 16, or 32 with color as trumps.",
        },
        "act": {
            "ask": "Once the other passes, you hold the game that you ask for, and must play it or a higher one.",
            "yes": "You hold the game that you are asked about, and must play it or a higher one if nobody asks on.",
            "declare": "A game declared higher than the bid gains and costs its own points, not those of the bid.",
        },
    },
    terms=terms_of(RULEBOOK)
    | {
        "phase": PHASES,
        "game": {"simple": "Simple game", "solo": "Solo", "tout": "Tout"},
        "bid": {"ask": "asks for", "yes": "says yes to"},
        "promise": terms_of(RULEBOOK, "text")["level"],
        "field": {"called": "card to call", "trump": "trumps"},
    },
    status=(
        (
            say(
                "Color is {options.color:suit}: as trumps it doubles what a game is worth.",
                when("contract", None),
                unless("phase", None),
            ),
        ),
        (
            say(
                "The question is {question.asked:term level}. {question.asked:term promise}",
                when("phase", "auction"),
                unless("question.asked", None),
            ),
        ),
        (
            say(
                "{auction:each}.",
                when("contract", None),
                unless("auction", length=0),
                each=(
                    say("{seat} asks for {level:term}", when("bid", "ask"), unless("level", None)),
                    say("{seat} says yes to {level:term}", when("bid", "yes"), unless("level", None)),
                    say("{seat} passes"),
                ),
            ),
            say(
                "{contract.declarer:seat} plays {contract.level:term}, with {contract.trump:suit} as trumps.",
                unless("contract", None),
                when("contract.called", None),
            ),
            say(
                "{contract.declarer:seat} plays {contract.level:term}, with {contract.trump:suit} as trumps, and has "
                "called {contract.called:card}, whose holder is the partner.",
                unless("contract", None),
            ),
        ),
        (
            say(
                "In any trump suit the highest cards, in this order, are Q♣, its 7, and Q♠.",
                when("contract", None),
                unless("phase", None),
            ),
            *trump_order(PACK, RANKINGS),
        ),
    ),
    marks={"contract.declarer": "declarer", "contract.partner": "partner"},
    lines={"contract": (reasoned(how="{outcome:text}, {partner:seat} as partner"), reasoned())},
    fields={
        "asked": Meaning("The level in question; null when the auction is over."),
        "asker": Meaning("The seat that has asked for the next level, or is to; null when the auction is over."),
        "called": Meaning("The card whose holder is the partner; null where declarer plays alone."),
        "color": Meaning("Whether the trump suit is color."),
        "game": Meaning("The game that is played: with a partner, alone, or alone for all tricks."),
        "goal": Meaning("The number of tricks that declarer must win, together with a partner.", least=1),
        "holder": Meaning("The seat that holds it; null if nobody has asked."),
        "QuestionView.level": Meaning("The level held; 0 if nobody has asked.", least=0),
        "partner": Meaning("Declarer's partner; null until the called card was played, and without one.", least=0),
        "Contract.partner": Meaning("Whether declarer calls a partner."),
        "question": Meaning("The question that the auction has come to; null before the first deal."),
    },
)
