"""Burraco's own words."""

from msgspec.structs import replace

from domain.games.burraco.events import (
    BurracoScored,
    CardAdded,
    CardDiscarded,
    CardDrawn,
    MeldLaid,
    PileTaken,
    PozzettoOpened,
    PozzettoTaken,
)
from domain.games.burraco.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Words, offered, say, terms_of, unless, when
from domain.parts.words import PHASES
from domain.table.events import CardsDealt, GameFinished
from domain.table.words import EVENTS

WORDS = Words(
    introduction=Introduction(
        aim=(
            "With your partner, lay as many cards as you can in melds: three or more of one rank, or a row in "
            "one suit.",
            "A meld of seven or more cards is a burraco and earns extra; once a side has over 2,000 points, the "
            "higher score wins.",
        ),
        turn=(
            "Draw the top card of the stock (the face-down cards), or take all cards that were discarded face up.",
            "Then lay new melds and add cards to those of your side, as many as you like, or none.",
            "End your turn by discarding one card, for the next player to take or leave.",
        ),
        beginners=(
            "They look for a way to lay seven cards at once: lay three, then add the others one by one.",
            "They want to end the deal too early: your side first needs a burraco and its pozzetto, a second "
            "hand of eleven cards.",
            "They spoil a burraco with a wild card (a joker, or a 2 out of its place): with one it earns 100, "
            "without 200.",
        ),
    ),
    events={
        CardsDealt.TYPE: replace(
            EVENTS[CardsDealt.TYPE],
            sections={
                **EVENTS[CardsDealt.TYPE].sections,
                "house": (say("The pozzetti and the stock hold {talon.card:cards}."),),
            },
        ),
        CardDrawn.TYPE: EventWords(
            "turn", (say("{seat} draws from the stock."),), {"seat": (say("The card is {card.card:card}."),)}
        ),
        PileTaken.TYPE: EventWords("turn", (say("{seat} takes the pile: {cards}."),)),
        MeldLaid.TYPE: EventWords("meld", (say("{seat} lays meld {meld:number}: {cards}."),)),
        CardAdded.TYPE: EventWords(
            "meld",
            (
                say("{seat} adds {card} to meld {meld:number}: {cards}.", when("burraco", None)),
                say("{seat} adds {card} to meld {meld:number}: {cards}, a {burraco:term}."),
            ),
        ),
        CardDiscarded.TYPE: EventWords(
            "discard",
            (
                say("{seat} discards {card}, and closes.", when("closes", value=True)),
                say("{seat} discards {card}."),
            ),
        ),
        PozzettoTaken.TYPE: EventWords("pozzetto", (say("{seat} takes a pozzetto."),)),
        PozzettoOpened.TYPE: EventWords(
            "pozzetto", (say("{seat} looks at the pozzetto."),), {"seat": (say("{owner} holds {cards.card:hand}."),)}
        ),
        BurracoScored.TYPE: EventWords(
            "outcome",
            (
                say(
                    "Deal {deal:number} is over, {outcome:term}: {sides:each}.",
                    each=(say("{points:amount} for {seats}"),),
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
    acts={"draw": "Draw", "take-pile": "Take the pile", "lay": "Lay", "add": "Add", "discard": "Discard"},
    terms=terms_of(RULEBOOK) | {"phase": {"draw": "draw", "meld": "melds", "scored": PHASES["scored"]}},
    status=(
        (
            say(
                "{sides:each}.",
                unless("sides", length=0),
                each=(
                    say("{seats}: {score:number} points, {points:number} on the table", when("pozzetto", None)),
                    say("{seats}: {score:number} points, {points:number} on the table, pozzetto with {pozzetto:seat}"),
                ),
            ),
        ),
        (say("A pozzetto lies face down before {face_down:seats}.", unless("face_down", length=0)),),
        (say("In this turn {barred:card} may not be discarded.", unless("barred", None)),),
        (say("Idle turns in a row: {idle:number}; one for each player ends the deal.", unless("idle", 0)),),
    ),
    lines={
        # The earlier texts name no cards, and those of a deal on paper no number of the meld.
        "meld": (
            say("Meld {meld:number} of {side:seats}: {points:number} ({cards})"),
            say("Meld {meld:number} of {side:seats}: {points:number}"),
            say("A meld of {side:seats}: {points:number} ({cards})"),
        ),
        "burraco": (
            say("{burraco:text}, meld {meld:number} of {side:seats}: {points:number} ({cards})"),
            say("{burraco:text}, meld {meld:number} of {side:seats}: {points:number}"),
            say("{burraco:text}, a meld of {side:seats}: {points:number} ({cards})"),
        ),
        "closing": (say("Closing by {closer:seat}: {points:number}"),),
        "hand": (
            say("Cards left to {holder:seat}: {points:number} ({cards})"),
            say("Cards left to {holder:seat}: {points:number}"),
        ),
        "pozzetto": (say("No pozzetto taken by {side:seats}: {points:number}"),),
    },
    prompts=(
        say("Draw from the stock, or take the whole discard pile.", offered("draw")),
        say(
            "Lay a meld, add a card to one, or discard a card to end your turn.",
            offered("lay"),
            offered("add"),
        ),
        say("Lay a meld, or discard a card to end your turn.", offered("lay")),
        say("Add a card to a meld, or discard a card to end your turn.", offered("add"), offered("discard")),
        say("Discard a card: that ends your turn.", offered("discard")),
        say("Add your last card to a meld: it may not be discarded in this turn.", offered("add")),
    ),
    sending={
        "draw": (say("Drawing from the stock …"),),
        "take-pile": (say("Taking the pile …"),),
        "lay": (
            say("Laying {cards} …", when("wild", None)),
            say("Laying {cards} with {wild:card} wild …"),
        ),
        "add": (say("Adding {card} to meld {meld:number} …"),),
        "discard": (say("Discarding {card} …"),),
    },
    purposes={
        "draw": "Each turn begins with new cards: an unseen one, or all that lie face up.",
        "meld": "A meld is three cards or more of one rank, or in a row of one suit; cards left in hands cost.",
    },
    final={"discard": "discard"},
    piles={"stock": ("draw",), "pile": ("take-pile",)},
    sections=(
        "The game",
        "Cards and their values",
        "The deal",
        "Drawing and discarding",
        "What a meld is",
        "Laying and adding",
        "Burrachi",
        "The pozzetto",
        "Closing and the end of a deal",
        "Scoring",
        "What players know",
    ),
    promises=terms_of(RULEBOOK, "text"),
    fields={
        "Burraco.text": Meaning("What it is, and what it gains."),
        "barred": Meaning("The card that may not be discarded in this turn, since it was the whole pile."),
        "bonus": Meaning("What the burraco is worth besides its cards.", least=1),
        "burraco": Meaning("The kind of burraco that the meld is; null for none."),
        "Burraco.burraco": Meaning("The kind of burraco."),
        "cards": Meaning("The cards in order.", distinct=True),
        "Lay.cards": Meaning("Three cards that stand for themselves, or two beside a wild one.", distinct=True),
        "closes": Meaning("Whether the discard closes."),
        "idle": Meaning("How many turns in a row were idle.", least=0),
        "meld": Meaning("The number of the meld in the deal, from 1.", least=1),
        "melds": Meaning("The side's melds, as laid."),
        "pile": Meaning("The discard pile, sorted."),
        "points": Meaning("What the side's melds on the table are worth, burrachi included.", least=0),
        "SideScore.points": Meaning("What the side scored in the deal."),
        "face_down": Meaning("The seats that a pozzetto lies before which they have not looked at.", least=0),
        "pozzetti": Meaning("The pozzetti by number; empty once somebody has looked at it."),
        "pozzetto": Meaning("The number of the pozzetto, 1 or 2.", least=1),
        "SideView.pozzetto": Meaning("The seat that took the side's pozzetto; null while it is to be taken.", least=0),
        "Value.rank": Meaning("The card's rank."),
        "score": Meaning(
            "The side's score when the cards were dealt. Once the deal is over, it is that of its `totals`."
        ),
        "SideScore.seats": Meaning("The seats of the side.", least=0),
        "SideView.seats": Meaning("The seats of the side.", least=0),
        "sides": Meaning("Each side, that of seat 0 first."),
        "stock": Meaning("The stock."),
        "value": Meaning("What a card of the rank is worth.", least=1),
        "top": Meaning("The card on top of the discard pile."),
        "wild": Meaning("The card that counts as wild; null for none."),
    },
)
