"""Lórum: seven kinds of deal in a row for each dealer, with tricks, a count, sequences and rows, and a pot."""

from domain.games.lorum import meta
from domain.games.lorum.acts import ACTS, LorumAction
from domain.games.lorum.automatic import next_automatic
from domain.games.lorum.events import EVENTS
from domain.games.lorum.offers import default_action, offers, to_act
from domain.games.lorum.rules import RULEBOOK
from domain.games.lorum.scoring import SCORING, game_checks
from domain.games.lorum.state import begin, evolve
from domain.games.lorum.view import LorumView, seat_views, show
from domain.games.lorum.words import WORDS
from domain.kernel.course import Course
from domain.kernel.dealing import Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.parts.views import hands

LORUM = Game(
    name="lorum",
    title="Lórum",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=LorumAction,
    events=EVENTS,
    pack=meta.PACK,
    course=Course(seats=meta.TURNS.seats, deals=meta.deals, next_dealer=meta.next_dealer),
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
    showing=Showing(view=LorumView, seats=seat_views, fields=show, accounts=meta.show_accounts, hands=hands),
    words=WORDS,
    acts=ACTS,
    scoring=SCORING,
    basis={
        "seating": "LO-1.1",
        "first-dealer": "LO-1.3",
        "dealer": "LO-1.2",
        "pack": "LO-2.2",
        "trick-won": "LO-3.1",
        "trick-kept": "LO-4.3",
        "stopping-point": "LO-3.10",
        "totals": "LO-9.2",
        "finish": "LO-1.6",
    },
    unit="chips",
)
