"""Nine-Card Don's own words."""

from msgspec.structs import replace

from domain.games.don.events import DonScored, HandOpened, TrickScored
from domain.games.don.rules import RULEBOOK
from domain.kernel.words import EventWords, Introduction, Meaning, Row, Words, offered, say, terms_of, unless, when
from domain.parts.sides import OPPOSITE
from domain.parts.tricks import CardPlayed
from domain.parts.words import PHASES, PLAY, SUIT_FOLLOWED, TRICK, acts_of, reasoned, sending_of, words_of
from domain.table.events import CardsDealt, GameFinished
from domain.table.words import EVENTS

_WON = "{what:text}, trick {trick:number} won"

WORDS = Words(
    introduction=Introduction(
        aim=(
            "With the partner opposite you, win tricks that hold scoring cards; a trick is one card from each of "
            "the four players.",
            "The first side with 121 points wins, at once, even in the middle of a deal.",
        ),
        turn=(
            SUIT_FOLLOWED,
            "The very first card of a deal makes its suit trumps, the suit that beats all others.",
            "The highest trump, or else the highest card of the suit led, wins the trick, and its player leads "
            "to the next.",
        ),
        beginners=(
            "They play for high cards alone: the 5 and the 9 of trumps score most, ten and nine points.",
            "They give away fives: a 5 of any other suit scores five points for the side that wins its trick.",
            "They ignore tens, which score nothing at once but count most for the eight points at the end of the deal.",
        ),
    ),
    events={
        **words_of(CardPlayed),
        CardsDealt.TYPE: replace(
            EVENTS[CardsDealt.TYPE],
            sections={
                **EVENTS[CardsDealt.TYPE].sections,
                "house": (say("Nobody sees {talon.card:cards}."),),
            },
            absent=(say("{owner} sees no card until the first is led."),),
        ),
        HandOpened.TYPE: EventWords(
            "hands",
            (say("{seat}, the pitcher's partner, takes up the hand."),),
            {"seat": (say("{owner} holds {cards.card:hand}."),)},
        ),
        TrickScored.TYPE: EventWords(
            "play",
            (
                say("{seat} wins trick {trick:number}.", when("points", length=0)),
                say(
                    "{seat} wins trick {trick:number}, {points:each}: the side now has {score:number}.",
                    each=(say("{card} for {points:number}"),),
                ),
            ),
            row=Row(TRICK, say("→ {seat}, {score:number}"), ends=True),
        ),
        DonScored.TYPE: EventWords(
            "outcome",
            (
                say(
                    "Deal {deal:number} is over, {outcome:term}: {sides:each}.",
                    each=(
                        say("{seats} score {points:number}", when("game", 0)),
                        say("{seats} score {points:number} (and {game:number} for game)"),
                    ),
                ),
            ),
        ),
        GameFinished.TYPE: replace(
            EVENTS[GameFinished.TYPE],
            sentences=(
                say("The game is over. {winners:seats} win: {totals}.", when("winners", length=len(OPPOSITE[0]))),
                *EVENTS[GameFinished.TYPE].sentences,
            ),
        ),
    },
    acts=acts_of("play"),
    prompts=(
        say("Lead a card: its suit becomes trumps.", offered("play"), when("phase", "pitch")),
        *PLAY,
    ),
    sending=sending_of("play"),
    purposes={
        "pitch": "The pitcher leads the first card of a deal, which fixes the trump suit for all of it.",
        "play": "Fives score for the side that wins their trick, and so do ace, king, queen, jack and nine of trumps.",
    },
    sections=(
        "The game",
        "Cards and the deal",
        "Play",
        "Scoring cards",
        "Points for game",
        "The end of the game",
        "Booking",
    ),
    terms=terms_of(RULEBOOK) | {"phase": {**PHASES, "pitch": "pitch"}},
    status=(
        (
            say("{pitcher:seat} pitches.", unless("pitcher", None), when("trump", None)),
            say("Trumps are {trump:suit}.", unless("trump", None)),
        ),
        (say("Scores: {sides:each}.", unless("sides", length=0), each=(say("{score:number} for {seats}"),)),),
    ),
    marks={"pitcher": "pitcher"},
    lines={
        # The earlier texts name no card, and those of a deal on paper no trick.
        "card": (
            reasoned(_WON, None, "{card}"),
            reasoned(_WON, None),
            reasoned("{what:text}, a trick won", None, "{card}"),
        ),
        "game": (say("Game for {side:seats}, {count:number} to {other_count:number}: {points:number}"),),
    },
    fields={
        "aside": Meaning("The cards that were not dealt to anybody."),
        "CardPoints.points": Meaning("What the card scores.", least=1),
        "Counting.rank": Meaning("The rank that counts, in every suit."),
        "count": Meaning("What the cards captured so far count towards points for game.", least=0),
        "Counting.count": Meaning("What a card of the rank counts towards points for game.", least=1),
        "SideScore.count": Meaning(
            "What the captured cards count towards points for game; null where the deal ended before.", least=0
        ),
        "SideScore.game": Meaning("The points for game.", least=0),
        "SideScore.points": Meaning("What the captured cards scored at once.", least=0),
        "pitcher": Meaning("The seat that leads the first card of the deal.", least=0),
        "Scoring.points": Meaning("What the card scores at once.", least=1),
        "Scoring.rank": Meaning("The card's rank."),
        "Scoring.trump": Meaning("Whether it scores as a trump, or as a card of another suit."),
        "scoring": Meaning("A card that scores at once, by name."),
        "score": Meaning("The side's score, with what it has scored in this deal."),
        "SideScore.seats": Meaning("The seats of the side.", least=0),
        "SideView.seats": Meaning("The seats of the side.", least=0),
        "SideView.score": Meaning(
            "The side's score when the cards were dealt, with what it has scored in this deal; after the last trick "
            "with its points for game. Once the deal is over, it is that of its `totals`."
        ),
        "TrickScored.trick": Meaning("The number of the trick in the deal, from 1.", least=1),
        "points": Meaning("What the side scores for the trick's cards, card by card."),
        "sides": Meaning("Each side, that of seat 0 first."),
        "waiting": Meaning("The cards of the pitcher's partner, which nobody sees until the first card is led."),
    },
)
