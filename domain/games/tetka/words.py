"""Tëtka's own words."""

from domain.games.tetka.rules import RULEBOOK
from domain.kernel.words import Meaning, Words, say, terms_of, unless
from domain.parts.tricks import CardPlayed, TrickWon
from domain.parts.words import PHASES, acts_of, reasoned, words_of

WORDS = Words(
    events=words_of(CardPlayed, TrickWon),
    acts=acts_of("play"),
    terms=terms_of(RULEBOOK) | {"phase": {"play": PHASES["play"], "scored": PHASES["scored"]}},
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
)
