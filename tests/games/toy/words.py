"""The toy's own words."""

from domain.kernel.words import EventWords, Introduction, Meaning, Words, offered, say, terms_of, unless, when
from tests.games.toy.events import (
    BatchDealt,
    CardLaid,
    CardPassed,
    CardsCaptured,
    CardTurned,
    PledgeMade,
    PledgesOpened,
    Snapped,
    StockRenewed,
    TurnLapsed,
)
from tests.games.toy.rules import RULEBOOK

WORDS = Words(
    introduction=Introduction(
        aim=("Capture cards from the table.", "The side with more captured cards wins."),
        turn=(
            "Before play, pass a card and pledge some.",
            "Then lay a card, or capture cards with one.",
            "Anybody may snap when it is open.",
        ),
        beginners=("They pass too late.", "They pledge too much.", "They snap too early."),
    ),
    events={
        CardPassed.TYPE: EventWords(
            "pass", (say("{seat} passes a card to {to:seat}."),), {"seat": (say("{owner} knows that it is {card}."),)}
        ),
        PledgeMade.TYPE: EventWords(
            "pledge",
            (say("{seat} has answered."),),
            {"seat": (say("{owner} pledges nothing.", when("cards", length=0)), say("{owner} pledges {cards}."))},
        ),
        PledgesOpened.TYPE: EventWords(
            "pledge",
            (
                say(
                    "All have answered: {pledges:each}.",
                    each=(say("{seat} pledges nothing", when("cards", length=0)), say("{seat} pledges {cards}")),
                ),
            ),
        ),
        CardLaid.TYPE: EventWords("play", (say("{seat} lays {card}."),)),
        CardsCaptured.TYPE: EventWords("play", (say("{seat} takes {taken:cards} with {card}."),)),
        CardTurned.TYPE: EventWords("play", (say("{seat} turns up {turned.card:card}."),)),
        Snapped.TYPE: EventWords("snap", (say("{seat} snaps."),)),
        BatchDealt.TYPE: EventWords(
            "stock", (say("Batch {batch:number} is dealt."),), {"seat": (say("{owner} gets {cards.card:hand}."),)}
        ),
        StockRenewed.TYPE: EventWords(
            "stock",
            (say("The captured cards are shuffled into a new stock."),),
            {"house": (say("The new stock holds {stock.card:cards}."),)},
        ),
        TurnLapsed.TYPE: EventWords("time", (say("The time of {seat} has run out."),)),
    },
    acts={
        "ready": "Ready",
        "pass": "Pass",
        "pledge": "Pledge",
        "lay": "Lay",
        "capture": "Capture",
        "turn": "Turn up",
        "snap": "Snap",
    },
    prompts=(
        say("Say that you are ready.", offered("ready")),
        say("Pass a card to your partner.", offered("pass")),
        say("Pledge cards of one rank, or none.", offered("pledge")),
        say("Snap before anybody else, or play a card.", offered("snap"), offered("lay")),
        say("Snap before anybody else.", offered("snap")),
        say("Lay a card, or capture with it.", offered("lay")),
        say("Turn up the card that nobody has seen.", offered("turn")),
    ),
    sending={
        "ready": (say("Saying that you are ready …"),),
        "pass": (say("Passing {card} …"),),
        "pledge": (say("Pledging nothing …", when("cards", length=0)), say("Pledging {cards} …")),
        "lay": (say("Laying {card} …"),),
        "capture": (say("Capturing {taken:cards} with {card} …"),),
        "turn": (say("Turning up …"),),
        "snap": (say("Snapping …"),),
    },
    purposes={
        "passing": "A passed card is known to partners alone.",
        "pledging": "Pledged cards are shown before play.",
        "playing": "Captured cards are counted for their side.",
    },
    sections=("The game", "Passing and pledging", "Play", "Scoring"),
    terms=terms_of(RULEBOOK)
    | {"phase": {"passing": "Passing", "pledging": "Pledging", "playing": "Playing", "scored": "Scored"}},
    status=((say("On the table: {table_cards.known:cards}.", unless("table_cards.known", length=0)),),),
    marks={"eldest": "eldest"},
    fields={
        "answered": Meaning("The seats that have answered.", distinct=True),
        "batch": Meaning("The number of the batch in the deal.", least=1),
        "blind": Meaning("The card that nobody has seen, until it is turned up."),
        "brow": Meaning("The card that the other seats see."),
        "captured": Meaning("What each side has captured, in the order of sides.", least=0),
        "discards": Meaning("The captured cards."),
        "eldest": Meaning("The seat that begins the deal.", least=0),
        "pledges": Meaning("The pledges by seat, once they are open."),
        "renewal": Meaning("The number of the renewal in the deal.", least=1),
        "snap": Meaning("Whether anybody may snap."),
        "stock": Meaning("The cards that are left to be dealt."),
        "RenewedStock.stock": Meaning("The openings of the renewed stock, from its top."),
        "table_cards": Meaning("The cards on the table."),
        "taken": Meaning("The cards taken from the table.", distinct=True),
        "to": Meaning("The seat that gets the card.", least=0),
        "turned": Meaning("The opening of the card turned up."),
    },
)
