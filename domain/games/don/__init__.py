"""Nine-Card Don: two sides to a target, trumps by the first card, and a partner who may not look until then."""

from domain.games.don import meta
from domain.games.don.acts import ACTS, DonAction
from domain.games.don.automatic import next_automatic
from domain.games.don.events import EVENTS
from domain.games.don.offers import default_action, offers, to_act
from domain.games.don.rules import RULEBOOK
from domain.games.don.scoring import SCORING
from domain.games.don.state import begin, evolve
from domain.games.don.unseen import UNSEEN
from domain.games.don.view import DonView, show
from domain.games.don.words import WORDS
from domain.kernel.course import Course
from domain.kernel.dealing import Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.parts.sides import highest_together, scores_settled
from domain.parts.views import hands, trick_seats

DON = Game(
    name="don",
    title="Nine-Card Don",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=DonAction,
    events=EVENTS,
    pack=meta.PACK,
    course=Course(
        seats=meta.TURNS.seats,
        deals=meta.TARGET.deals,
        next_dealer=meta.TURNS.next_dealer,
        sides=meta.sides,
        over=meta.TARGET.over,
        winners=highest_together(),
    ),
    dealing=Dealing(draw=whole_pack(meta.PACK), portions=meta.portions),
    decider=Decider(
        begin, ACTS.decide, ACTS.action_of, next_automatic, evolve, offers, to_act, SCORING.score, default_action
    ),
    showing=Showing(view=DonView, seats=trick_seats(), fields=show, settled=scores_settled, hands=hands),
    words=WORDS,
    acts=ACTS,
    unseen=UNSEEN,
    scoring=SCORING,
    basis={
        "seating": "ND-1.1",
        "first-dealer": "ND-1.4",
        "dealer": "ND-1.5",
        "pack": "ND-2.2",
        "hand-opened": "ND-2.3",
        "trick-won": "ND-3.3",
        "stopping-point": "ND-6.1",
        "totals": "ND-7.1",
        "finish": "ND-7.3",
    },
)
