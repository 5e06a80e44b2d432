"""Dingo: cards are discarded and passed, then each rank's rabbit is hunted by its dingo and its two wolves."""

from domain.games.dingo import meta
from domain.games.dingo.acts import ACTS, DingoAction
from domain.games.dingo.automatic import next_automatic
from domain.games.dingo.events import EVENTS
from domain.games.dingo.offers import default_action, offers, to_act
from domain.games.dingo.rules import RULEBOOK
from domain.games.dingo.scoring import SCORING
from domain.games.dingo.state import begin, evolve
from domain.games.dingo.unseen import UNSEEN
from domain.games.dingo.view import DingoView, seats, show
from domain.games.dingo.words import WORDS
from domain.kernel.course import Course
from domain.kernel.dealing import Dealing
from domain.kernel.game import Decider, Game, Showing
from domain.parts.views import hands

DINGO = Game(
    name="dingo",
    title="Dingo",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=DingoAction,
    events=EVENTS,
    pack=meta.PACK,
    course=Course(seats=meta.TURNS.seats, deals=meta.deals, next_dealer=meta.TURNS.next_dealer, winners=meta.winners),
    dealing=Dealing(draw=meta.draw, portions=meta.portions, undealt=frozenset(meta.OPEN_RABBITS)),
    decider=Decider(
        begin, ACTS.decide, ACTS.action_of, next_automatic, evolve, offers, to_act, SCORING.score, default_action
    ),
    showing=Showing(view=DingoView, seats=seats, fields=show, hands=hands),
    words=WORDS,
    acts=ACTS,
    unseen=UNSEEN,
    scoring=SCORING,
    basis={
        "seating": "DG-1.1",
        "first-dealer": "DG-1.3",
        "dealer": "DG-1.3",
        "pack": "DG-3.1",
        "dingo-played": "DG-5.1",
        "hunt-off": "DG-5.1",
        "hunt-ended": "DG-5.6",
        "rabbit-played": "DG-6.4",
        "ace-shown": "DG-6.5",
        "hand-exposed": "DG-7.1",
        "stopping-point": "DG-7.2",
        "totals": "DG-8.2",
        "finish": "DG-8.4",
    },
)
