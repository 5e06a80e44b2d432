"""Boston: an auction over contracts and suits, alliances for one deal, misères, hands laid open."""

from msgspec.structs import replace

from domain.games.boston import meta
from domain.games.boston.acts import ACTS, BostonAction
from domain.games.boston.automatic import next_automatic
from domain.games.boston.earlier import version_1
from domain.games.boston.events import EVENTS
from domain.games.boston.offers import default_action, offers, to_act
from domain.games.boston.rules import RULEBOOK
from domain.games.boston.scoring import SCORING
from domain.games.boston.state import begin, evolve
from domain.games.boston.unseen import UNSEEN
from domain.games.boston.view import BostonView, show
from domain.games.boston.words import WORDS
from domain.kernel.dealing import Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.parts.views import hands, trick_seats

_BOSTON = Game(
    name="boston",
    title="Boston",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=BostonAction,
    events=EVENTS,
    pack=meta.PACK,
    course=meta.AROUND.course(meta.deals),
    dealing=Dealing(draw=whole_pack(meta.PACK), portions=meta.portions),
    decider=Decider(
        begin, ACTS.decide, ACTS.action_of, next_automatic, evolve, offers, to_act, SCORING.score, default_action
    ),
    showing=Showing(view=BostonView, seats=trick_seats(), fields=show, hands=hands),
    words=WORDS,
    acts=ACTS,
    unseen=UNSEEN,
    scoring=SCORING,
    basis={
        "seating": "BO-1.1",
        "first-dealer": "BO-1.3",
        "dealer": "BO-1.3",
        "pack": "BO-2.2",
        "bid-made": "BO-3.3",
        "bid-passed": "BO-3.1",
        "played-alone": "BO-5.1",
        "support-called": "BO-5.1",
        "support-answered": "BO-5.2",
        "card-put-down": "BO-5.3",
        "hand-exposed": "BO-5.4",
        "card-played": "BO-6.2",
        "trick-won": "BO-6.3",
        "stopping-point": "BO-6.5",
        "outcome": "BO-7.5",
        "totals": "BO-9.1",
        "finish": "BO-1.5",
    },
)

BOSTON = replace(_BOSTON, earlier=(version_1(_BOSTON),))
