"""Nuts' own words."""

from msgspec.structs import replace

from domain.games.nuts.events import (
    AllStuck,
    CardBuilt,
    CardFounded,
    NutsCalled,
    PileFlipped,
    ShiftMade,
    StockTurned,
    StuckSaid,
)
from domain.games.nuts.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Words, offered, say, terms_of, unless, when
from domain.table.events import CardsDealt
from domain.table.words import EVENTS

_NEXT = "{uncovered.card:card} comes to light."

WORDS = Words(
    introduction=Introduction(
        aim=(
            "Get rid of your reserve, a pile of thirteen cards, and put your cards on the common piles in the middle.",
            "Your cards there count one point each, cards left in the reserve minus two; once somebody has over "
            "100, the highest score wins.",
        ),
        turn=(
            "There are no turns: everybody plays at once, and whoever is first to a place has it.",
            "In the middle, start a pile with an ace and build up in suit; on your own columns, build down in "
            "alternating colours.",
            "When nothing fits, turn three cards from your stock (the face-down cards), of which you can use the "
            "top one.",
        ),
        beginners=(
            "They only arrange their columns: cards from the reserve come first, since each one left costs two points.",
            "They watch only their own cards: every pile in the middle is open to you, whoever started it.",
            "They wait when they are stuck: say so, and once all have said it, every stock moves on by a card.",
        ),
    ),
    events={
        CardsDealt.TYPE: replace(
            EVENTS[CardsDealt.TYPE],
            sentences=(say("Deal {deal:number} is dealt."),),
            # A sentence with everything hidden would have a hundred cards.
            sections={},
        ),
        StockTurned.TYPE: EventWords(
            "stock",
            (
                say("{seat} turns a card: {top.card:card}.", when("count", 1)),
                say("{seat} turns {count:number} cards: {top.card:card} is on top."),
            ),
        ),
        PileFlipped.TYPE: EventWords("stock", (say("{seat} turns the discard pile over."),)),
        CardBuilt.TYPE: EventWords(
            "play",
            (
                say(
                    f"{{seat}} puts {{card}} from the {{from:term}} on column {{column:number}}. {_NEXT}",
                    unless("uncovered", None),
                ),
                say("{seat} puts {card} from the {from:term} on column {column:number}."),
            ),
        ),
        CardFounded.TYPE: EventWords(
            "play",
            (
                say(
                    f"{{seat}} puts {{card}} from the {{from:term}} on foundation {{foundation:number}}. {_NEXT}",
                    unless("uncovered", None),
                ),
                say("{seat} puts {card} from the {from:term} on foundation {foundation:number}."),
            ),
        ),
        StuckSaid.TYPE: EventWords("stuck", (say("{seat} is stuck."),)),
        AllStuck.TYPE: EventWords("stuck", (say("Nobody has got on for too long: all are stuck."),)),
        ShiftMade.TYPE: EventWords(
            "stock",
            (say("All are stuck: discard piles go onto the stocks, and each top card to the bottom."),),
        ),
        NutsCalled.TYPE: EventWords("nuts", (say("Nuts! {seat} has emptied the reserve."),)),
    },
    acts={
        "ready": "Ready",
        "turn": "Turn three",
        "flip": "Turn over",
        "build": "Build",
        "found": "Found",
        "stuck": "Stuck",
        "nuts": "Nuts!",
    },
    prompts=(
        say("Say that you are ready: the cards are dealt once everybody is.", offered("ready")),
        say("Call Nuts to end the hand, or play on.", offered("nuts")),
        say("Put a card in the middle, or move others first.", offered("found")),
        say("Build on a column, or go on through your stock.", offered("build")),
        say("Turn the next three cards of your stock.", offered("turn")),
        say("Turn your discard pile over: it is your stock again.", offered("flip")),
        say("Say that you are stuck: you have no move.", offered("stuck")),
    ),
    sending={
        "ready": (say("Saying that you are ready …"),),
        "turn": (say("Turning three cards …"),),
        "flip": (say("Turning the discard pile over …"),),
        "build": (say("Building {card} on column {column:number} …"),),
        "found": (
            say("Starting a foundation with {card} …", when("foundation", None)),
            say("Putting {card} on foundation {foundation:number} …"),
        ),
        "stuck": (say("Saying that you are stuck …"),),
        "nuts": (say("Calling Nuts …"),),
    },
    purposes={
        "racing": "All play at once, and the race goes on until somebody calls Nuts or nobody can move.",
    },
    piles={"stock": ("turn", "flip")},
    sections=(
        "The game",
        "Cards",
        "Dealing a hand",
        "Acts",
        "Where cards go",
        "Who is first",
        "When players are stuck",
        "The end of a hand",
        "Scoring",
        "What players know",
    ),
    promises={
        "act": {
            "stuck": "It costs nothing, and holds until you act or somebody gets on; once all say it, stocks move on.",
            "nuts": "The hand ends at once for everybody; calling earns nothing by itself.",
        }
    },
    terms=terms_of(RULEBOOK)
    | {
        "phase": {"racing": "race", "scored": "scored"},
        "from": {"reserve": "reserve", "discards": "discard pile", "tableau": "tableau"},
    },
    status=(
        (say("{seats:each}.", unless("phase", None), each=(say("{seat} has {founded:number} in the middle"),)),),
        (say("Stuck: {stuck:seats}.", unless("stuck", length=0)),),
    ),
    marks={"called": "Nuts"},
    lines={
        "founded": (say("Cards of {player:seat} on the foundations: {points:number}"),),
        "reserve": (
            say("Cards left in the reserve of {player:seat}: {formula:text} ({cards})"),
            say("Cards left in the reserve of {player:seat}: {formula:text}"),
        ),
    },
    fields={
        "called": Meaning("The seat for which Nuts was called; null before.", least=0),
        "column": Meaning("The number of the column, from 1.", least=1),
        "count": Meaning("How many cards were turned.", least=1),
        "discards": Meaning("The discard pile, with the cards that were seen in it before."),
        "foundation": Meaning("The number of the foundation, from 1, in the order they were started.", least=1),
        "Found.foundation": Meaning("The number of the foundation; null for an ace, which starts one.", least=1),
        "foundations": Meaning("The foundations in the middle: the first is number 1."),
        "founded": Meaning("How many own cards are on the foundations.", least=0),
        "from": Meaning("Where the card came from: `reserve`, `discards` (the discard pile) or `tableau`."),
        "reserve": Meaning("The reserve, of which only the top card lies face up."),
        "shift": Meaning("The number of the shift since the last progress, from 1.", least=1),
        "shifts": Meaning("How many shifts there were since the last progress.", least=0),
        "stock": Meaning("The stock, with the cards that were seen in an earlier pass."),
        "tableau": Meaning("The columns of the tableau, from column 1 on, each from its first card to its last."),
        "stuck": Meaning("The seats whose `stuck` stands.", distinct=True),
        "StockTurned.top": Meaning("The opening of the card that is seen, the last one turned."),
        "uncovered": Meaning("The opening of the card that lies on top where the card came from; null if none does."),
    },
)
