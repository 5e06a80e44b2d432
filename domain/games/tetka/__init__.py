"""Tëtka: thirteen tricks without trumps, in which queens, a card shown to all and its number cost points."""

from domain.games.tetka import meta
from domain.games.tetka.actions import TetkaAction
from domain.games.tetka.decide import action_of, decide, next_automatic
from domain.games.tetka.events import EVENTS
from domain.games.tetka.offers import default_action, offers, to_act
from domain.games.tetka.refusals import REFUSALS
from domain.games.tetka.rules import RULEBOOK
from domain.games.tetka.scoring import score
from domain.games.tetka.state import begin, evolve
from domain.games.tetka.view import TetkaView, show
from domain.games.tetka.words import WORDS
from domain.kernel.course import Course
from domain.kernel.dealing import Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.parts.view import hands, trick_seats

TETKA = Game(
    name="tetka",
    title="Tëtka",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=TetkaAction,
    events=EVENTS,
    pack=meta.PACK,
    course=Course(seats=meta.TURNS.seats, deals=meta.deals, next_dealer=meta.TURNS.next_dealer),
    dealing=Dealing(draw=whole_pack(meta.PACK), portions=meta.portions),
    decider=Decider(begin, decide, action_of, next_automatic, evolve, offers, to_act, score, default_action),
    showing=Showing(view=TetkaView, seats=trick_seats(), fields=show, hands=hands),
    words=WORDS,
    refusals=REFUSALS,
    basis={
        "seating": "TE-1.1",
        "first-dealer": "TE-1.3",
        "dealer": "TE-1.3",
        "pack": "TE-2.2",
        "trick-won": "TE-3.2",
        "stopping-point": "TE-3.3",
        "totals": "TE-5.1",
        "finish": "TE-1.4",
    },
)
