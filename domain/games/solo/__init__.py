"""Solo, as it is played in Germany: a questioning auction, black queens as trumps, and a partner called by an ace."""

from msgspec.structs import replace

from domain.games.solo import meta
from domain.games.solo.acts import ACTS, SoloAction
from domain.games.solo.automatic import next_automatic
from domain.games.solo.earlier import version_1
from domain.games.solo.events import EVENTS
from domain.games.solo.offers import default_action, offers, to_act
from domain.games.solo.rules import RULEBOOK
from domain.games.solo.scoring import SCORING
from domain.games.solo.state import begin, evolve
from domain.games.solo.view import SoloView, show
from domain.games.solo.words import WORDS
from domain.kernel.dealing import Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.parts.views import hands, trick_seats

_NEWEST = Game(
    name="solo",
    title="Solo",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=SoloAction,
    events=EVENTS,
    pack=meta.PACK,
    course=meta.TURNS.course(meta.deals),
    dealing=Dealing(draw=whole_pack(meta.PACK), portions=meta.portions),
    decider=Decider(
        begin, ACTS.decide, ACTS.action_of, next_automatic, evolve, offers, to_act, SCORING.score, default_action
    ),
    showing=Showing(view=SoloView, seats=trick_seats(), fields=show, hands=hands),
    words=WORDS,
    acts=ACTS,
    scoring=SCORING,
    basis={
        "seating": "SO-1.1",
        "first-dealer": "SO-1.1",
        "dealer": "SO-1.1",
        "pack": "SO-1.1",
        "contract-declared": "SO-3.2",
        "queen-shown": "SO-3.4",
        "partner-shown": "SO-2.1",
        "trick-won": "SO-4.1",
        "stopping-point": "SO-4.3",
        "totals": "SO-4.2",
        "finish": "SO-1.1",
    },
)

SOLO = replace(_NEWEST, earlier=(version_1(_NEWEST),))
