"""Burraco: melds of two sides, a pozzetto for each to take before it may close, to a target."""

from domain.games.burraco import meta
from domain.games.burraco.acts import ACTS, BurracoAction
from domain.games.burraco.automatic import next_automatic
from domain.games.burraco.events import EVENTS
from domain.games.burraco.offers import default_action, offers, to_act
from domain.games.burraco.policy import HORIZON, over, policy
from domain.games.burraco.rules import RULEBOOK
from domain.games.burraco.scoring import SCORING
from domain.games.burraco.state import begin, evolve
from domain.games.burraco.unseen import UNSEEN
from domain.games.burraco.view import BurracoView, show
from domain.games.burraco.words import WORDS
from domain.kernel.dealing import Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.kernel.policy import RuleOfThumb
from domain.parts.sides import course_of_two_sides, scores_settled
from domain.parts.views import hand_seats, hands

BURRACO = Game(
    name="burraco",
    title="Burraco",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=BurracoAction,
    events=EVENTS,
    pack=meta.PACK,
    course=course_of_two_sides(meta.TARGET),
    dealing=Dealing(draw=whole_pack(meta.PACK), portions=meta.portions),
    decider=Decider(
        begin, ACTS.decide, ACTS.action_of, next_automatic, evolve, offers, to_act, SCORING.score, default_action
    ),
    showing=Showing(view=BurracoView, seats=hand_seats, fields=show, settled=scores_settled, hands=hands),
    words=WORDS,
    acts=ACTS,
    unseen=UNSEEN,
    telling=frozenset(),
    thumb=RuleOfThumb(policy, horizon=HORIZON, over=over),
    scoring=SCORING,
    basis={
        "seating": "BU-1.1",
        "first-dealer": "BU-1.2",
        "dealer": "BU-1.2",
        "pack": "BU-3.1",
        "pozzetto-taken": "BU-8.1",
        "pozzetto-opened": "BU-8.3",
        "totals": "BU-10.7",
        "finish": "BU-1.3",
    },
)
