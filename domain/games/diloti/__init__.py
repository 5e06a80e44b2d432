"""Diloti: captures by value and by sums, declarations that bind their owners, and xeris, for two sides to a target."""

from domain.games.diloti import meta
from domain.games.diloti.acts import ACTS, DilotiAction
from domain.games.diloti.automatic import next_automatic
from domain.games.diloti.events import EVENTS
from domain.games.diloti.offers import default_action, offers, to_act
from domain.games.diloti.rules import RULEBOOK
from domain.games.diloti.scoring import SCORING
from domain.games.diloti.state import begin, evolve
from domain.games.diloti.unseen import UNSEEN
from domain.games.diloti.view import DilotiView, show
from domain.games.diloti.words import WORDS
from domain.kernel.dealing import Dealing
from domain.kernel.game import Decider, Game, Showing
from domain.parts.sides import course_of_two_sides, scores_settled
from domain.parts.views import hand_seats, hands

DILOTI = Game(
    name="diloti",
    title="Diloti",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=DilotiAction,
    events=EVENTS,
    pack=meta.PACK,
    course=course_of_two_sides(meta.TARGET),
    dealing=Dealing(draw=meta.draw, portions=meta.portions),
    decider=Decider(
        begin, ACTS.decide, ACTS.action_of, next_automatic, evolve, offers, to_act, SCORING.score, default_action
    ),
    showing=Showing(view=DilotiView, seats=hand_seats, fields=show, settled=scores_settled, hands=hands),
    words=WORDS,
    acts=ACTS,
    unseen=UNSEEN,
    telling=frozenset(),
    scoring=SCORING,
    basis={
        "seating": "DL-1.1",
        "first-dealer": "DL-1.2",
        "dealer": "DL-1.2",
        "pack": "DL-3.1",
        "batch-dealt": "DL-3.2",
        "rest-taken": "DL-9.2",
        "stopping-point": "DL-9.1",
        "totals": "DL-9.8",
        "finish": "DL-1.3",
    },
)
