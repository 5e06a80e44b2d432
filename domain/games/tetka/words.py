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
        "penalty": Meaning("The penalty."),
        "Penalty.points": Meaning("The points that it costs.", least=1),
        "Result.points": Meaning("The points that the deal gives in all.", least=1),
    },
)
