"""King: six deals of tricks and cards to avoid, then four whose trumps and direction are named, up or down."""

from domain.games.king import meta
from domain.games.king.acts import ACTS, KingAction
from domain.games.king.automatic import next_automatic
from domain.games.king.events import EVENTS
from domain.games.king.offers import default_action, offers, to_act
from domain.games.king.rules import RULEBOOK
from domain.games.king.scoring import SCORING, game_checks
from domain.games.king.state import begin, evolve
from domain.games.king.view import KingView, seat_views, show
from domain.games.king.words import WORDS
from domain.kernel.dealing import Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.parts.views import hands

KING = Game(
    name="king",
    title="King",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=KingAction,
    events=EVENTS,
    pack=meta.PACK,
    course=meta.TURNS.course(meta.deals),
    dealing=Dealing(draw=whole_pack(meta.PACK), portions=meta.portions),
    decider=Decider(
        begin,
        ACTS.decide,
        ACTS.action_of,
        next_automatic,
        evolve,
        offers,
        to_act,
        SCORING.score,
        default_action,
        game_checks=game_checks,
    ),
    showing=Showing(view=KingView, seats=seat_views, fields=show, hands=hands),
    words=WORDS,
    acts=ACTS,
    scoring=SCORING,
    basis={
        "seating": "KG-1.1",
        "first-dealer": "KG-1.3",
        "dealer": "KG-1.3",
        "pack": "KG-2.2",
        "trick-won": "KG-3.3",
        "stopping-point": "KG-3.5",
        "totals": "KG-1.4",
        "finish": "KG-1.4",
    },
)
