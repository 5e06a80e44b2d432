"""Diloti's own words."""

from msgspec.structs import replace

from domain.games.diloti.events import (
    BatchDealt,
    CardLaid,
    CardsCaptured,
    DeclarationMade,
    DilotiScored,
    RestTaken,
)
from domain.games.diloti.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Words, offered, say, terms_of, unless, when
from domain.parts.words import PHASES
from domain.table.events import CardsDealt, GameFinished
from domain.table.words import EVENTS

WORDS = Words(
    introduction=Introduction(
        aim=(
            "Capture cards from the table: a card takes others that add up to its value; a jack, queen or king "
            "takes its like.",
            "Points come for most cards, certain cards and a cleared table; once a side has 61, the higher score wins.",
        ),
        turn=(
            "Play exactly one card from your hand.",
            "Either capture cards with it, or lay it on the table for anybody to take.",
            "Or declare: combine it with table cards to a value of another card in your hand; only such a card "
            "takes them.",
        ),
        beginners=(
            "They want to lay a card while their own declaration stands, which is not allowed: capture it, or "
            "something else.",
            "They leave cards that the next player can take all at once: a cleared table is a xeri, worth ten points.",
            "They try to take two jacks, queens or kings at once: such a card takes only one of its rank.",
        ),
    ),
    events={
        CardsDealt.TYPE: replace(
            EVENTS[CardsDealt.TYPE],
            sentences=(
                say(
                    "Deal {deal:number}: {dealer:seat} deals, {shown.card:cards} face up. Before that, three or more "
                    "cards of one rank lay there and were shuffled back.",
                    unless("dealer", None),
                    unless("rejected", length=0),
                ),
                *EVENTS[CardsDealt.TYPE].sentences,
            ),
            sections={
                **EVENTS[CardsDealt.TYPE].sections,
                "house": (say("The stock holds {talon.card:cards}."),),
            },
        ),
        CardLaid.TYPE: EventWords("lay", (say("{seat} lays {card}."),)),
        CardsCaptured.TYPE: EventWords(
            "capture",
            (
                say("{seat} takes {taken:cards} with {card}: a xeri.", when("xeri", value=True)),
                say("{seat} takes {taken:cards} with {card}."),
            ),
        ),
        DeclarationMade.TYPE: EventWords(
            "declare",
            (
                say("{seat} plays {card} and declares {value:number} with {cards}.", when("sets", 1)),
                say("{seat} plays {card} and declares {sets:number} sets of {value:number} with {cards}."),
            ),
        ),
        BatchDealt.TYPE: EventWords(
            "batch", (say("The next cards are dealt."),), {"seat": (say("{owner} holds {cards.card:hand}."),)}
        ),
        RestTaken.TYPE: EventWords("rest", (say("{seat} captured last, and takes {cards}."),)),
        DilotiScored.TYPE: EventWords(
            "outcome",
            (
                say(
                    "Deal {deal:number} is over, {outcome:term}: {sides:each}.",
                    each=(
                        say("{points:amount} for {seats} with {cards:number} cards", when("xeris", 0)),
                        say("{points:amount} for {seats} with {cards:number} cards and one xeri", when("xeris", 1)),
                        say("{points:amount} for {seats} with {cards:number} cards and {xeris:number} xeris"),
                    ),
                ),
            ),
        ),
        GameFinished.TYPE: replace(
            EVENTS[GameFinished.TYPE],
            sentences=(
                EVENTS[GameFinished.TYPE].sentences[0],
                say("The game is over. {winners:seats} win: {totals}.", when("winners", length=2)),
                *EVENTS[GameFinished.TYPE].sentences[1:],
            ),
        ),
    },
    acts={"lay": "Lay", "capture": "Capture", "declare": "Declare"},
    terms=terms_of(RULEBOOK) | {"phase": PHASES},
    status=(
        (say("Loose cards: {loose.known:hand}.", unless("loose.known", length=0)),),
        (
            say(
                "{sides:each}.",
                unless("sides", length=0),
                each=(
                    say("{seats}: {score:number} points, {captured.hidden:number} cards captured", when("xeris", 0)),
                    say(
                        "{seats}: {score:number} points, {captured.hidden:number} cards captured, one xeri",
                        when("xeris", 1),
                    ),
                    say(
                        "{seats}: {score:number} points, {captured.hidden:number} cards captured, {xeris:number} xeris"
                    ),
                ),
            ),
        ),
        (
            say(
                "Declared: {declarations:each}.",
                unless("declarations", length=0),
                each=(
                    say("{value:number} by {owner:seat}", when("sets", 1)),
                    say("a group of {value:number} by {owner:seat}"),
                ),
            ),
        ),
    ),
    marks={"last_captor": "captured last"},
    groups={
        "declarations": (
            say("{value:number} by {owner:seat}", when("sets", 1)),
            say("group of {value:number} by {owner:seat}"),
        ),
    },
    prompts=(
        say(
            "Capture with a card, choosing what it takes, declare a value with it, or lay it on the table.",
            offered("lay"),
            offered("capture"),
            offered("declare"),
        ),
        say("Capture with a card, choosing what it takes, or lay it on the table.", offered("lay"), offered("capture")),
        say("Declare a value with a card, or lay it on the table.", offered("lay"), offered("declare")),
        say("Lay a card on the table: you can capture nothing.", offered("lay")),
        say("Capture with a card, or declare with it: you may lay none now.", offered("capture"), offered("declare")),
        say("Capture with a card: you may lay none now.", offered("capture")),
    ),
    sending={
        "lay": (say("Laying {card} …"),),
        "capture": (
            say("Capturing declared cards with {card} …", when("loose", length=0)),
            say("Capturing {loose:cards} with {card} …", when("declarations", length=0)),
            say("Capturing {loose:cards} and declared cards with {card} …"),
        ),
        "declare": (
            say("Declaring {value:number} with {card} and {loose:cards} …", when("declarations", length=0)),
            say("Declaring {value:number} with {card} and declared cards …", when("loose", length=0)),
            say("Declaring {value:number} with {card}, {loose:cards} and declared cards …"),
        ),
    },
    purposes={
        "play": "A card that is played captures, prepares a capture, or stays on the table for anybody.",
    },
    sections=(
        "The game",
        "Cards and their values",
        "The deal",
        "A turn",
        "Capturing",
        "Declaring",
        "Owning a declaration",
        "Xeri",
        "Scoring",
        "What players know",
    ),
    promises={
        "act": {
            "declare": "You keep a card of the declared value and capture with it later, unless another does so first; "
            "meanwhile you may not lay.",
        }
    },
    lines={
        "xeri": (say("Xeri by {captor:seat} for {side:seats}: {points:number}"),),
        "most-cards": (say("Most cards, {most:number} to {fewest:number} for {side:seats}: {points:number}"),),
        "card": (say("{what:text} for {side:seats}: {points:number}"),),
    },
    fields={
        "batch": Meaning("The number of the batch in the deal.", least=1),
        "captured": Meaning("The side's pile, of which only the number of cards is shown."),
        "Scoring.card": Meaning("The card that scores; null for none."),
        "DeclarationMade.cards": Meaning("All cards of the declaration, sorted.", distinct=True),
        "Declaration.cards": Meaning("All cards of the declaration, sorted.", distinct=True),
        "RestTaken.cards": Meaning("The cards that were loose, sorted.", distinct=True),
        "SideScore.cards": Meaning("How many cards the side has.", least=0),
        "declaration": Meaning("The number of the declaration in the deal.", least=1),
        "declarations": Meaning("The numbers of declarations.", least=1, distinct=True),
        "DilotiView.declarations": Meaning("The declarations on the table, as made."),
        "last_captor": Meaning("The seat that captured last in this deal; null while nobody has.", least=0),
        "loose": Meaning("Loose cards.", distinct=True),
        "DilotiView.loose": Meaning("The loose cards on the table, all of them known."),
        "owner": Meaning("The seat that owns the declaration.", least=0),
        "points": Meaning("What it scores.", least=1),
        "SideView.points": Meaning(
            "What the side's xeris and the cards that count have scored so far in the deal.", least=0
        ),
        "SideScore.points": Meaning("What the side scores in the deal.", least=0),
        "score": Meaning(
            "The side's score when the cards were dealt. Once the deal is over, it is that of its `totals`."
        ),
        "scoring": Meaning("What scores, by name."),
        "SideScore.seats": Meaning("The seats of the side.", least=0),
        "SideView.seats": Meaning("The seats of the side.", least=0),
        "sets": Meaning("How many sets, each adding up to the value: 1 for a plain declaration.", least=1),
        "sides": Meaning("Each side, that of seat 0 first."),
        "stock": Meaning("The cards that are left to be dealt."),
        "taken": Meaning("The cards taken from the table.", distinct=True),
        "value": Meaning("The value of the declaration.", least=1),
        "xeri": Meaning("Whether the capture is a xeri."),
        "xeris": Meaning("How many xeris the side has made in the deal.", least=0),
    },
)
