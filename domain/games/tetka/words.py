"""Tëtka's own words."""

from domain.games.tetka.rules import RULEBOOK
from domain.kernel.words import Introduction, Meaning, Words, say, unless
from domain.parts.plain_tricks import plain_words
from domain.parts.words import reasoned

WORDS = plain_words(RULEBOOK, Words(
    introduction=Introduction(
        aim=(
            "Take as few penalty points as you can: they count as minus, and the highest total wins.",
            "A trick is one card from each player; points come with queens, a card shown at the deal, certain "
            "tricks, and most tricks.",
        ),
        turn=(
            "Play one card to the table, face up.",
            "You must play the suit of the first card (spades, hearts, diamonds or clubs) if you have it, "
            "otherwise any card.",
            "The highest card of that suit takes the trick, and its player begins the next one.",
        ),
        beginners=(
            "They keep high cards too long: the last trick always costs a point.",
            "They forget that Tëtka, the queen of the suit shown at the deal, costs two points, and every other "
            "queen one.",
            "They overlook the trick whose number is the rank of the shown card (ace 1, jack 11), for it costs a "
            "point too.",
        ),
    ),
    purposes={
        "play": "Queens, the bum card, the trick of its number, the last trick and most tricks cost whoever wins them.",
    },
    sections=("The game", "Cards and the deal", "Play", "Penalties", "Booking"),
    status=(
        (
            say(
                "The bum card is {bum_card:card}: Tëtka is the queen of {bum_suit:suit}, and trick {bum_trick:number} "
                "costs a point.",
                unless("bum_card", None),
                unless("bum_suit", None),
                unless("bum_trick", None),
            ),
        ),
    ),
    lines={
        **dict.fromkeys(("bum-card", "tetka", "queen"), (reasoned(note="{card}"),)),
        **dict.fromkeys(("number", "last-trick", "most-tricks"), (reasoned(),)),
    },
    terms={"cost": {"points": "penalty points"}},
    fields={
        "bum_card": Meaning("The card that was dealt last and shown; null before the first deal."),
        "bum_suit": Meaning("The suit whose queen is Tëtka; null before the first deal."),
        "bum_trick": Meaning("The number of the trick that the bum card's rank names; null before the first deal."),
        "captured": Meaning("How many cards of the bum suit were captured in the deal, by seat."),
        "penalty": Meaning("The penalty."),
        "Penalty.points": Meaning("The points that it costs.", least=1),
        "Result.points": Meaning("The points that the deal gives in all.", least=1),
        "points": Meaning("What the complete tricks of the deal have cost, by seat."),
    },
))  # fmt: skip
