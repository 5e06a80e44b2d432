"""Nuts: a race of patiences without turns, in which everybody acts at any time on shared foundations."""

from domain.games.nuts import meta
from domain.games.nuts.acts import ACTS, NutsAction, Ready
from domain.games.nuts.automatic import next_automatic, timer
from domain.games.nuts.events import EVENTS
from domain.games.nuts.offers import default_action, offers, race, to_act
from domain.games.nuts.policy import policy
from domain.games.nuts.rules import RULEBOOK
from domain.games.nuts.scoring import SCORING
from domain.games.nuts.state import begin, evolve
from domain.games.nuts.view import NutsView, seat_views, show
from domain.games.nuts.words import WORDS
from domain.kernel.course import Course
from domain.kernel.dealing import Dealing
from domain.kernel.game import Decider, Game, Showing
from domain.kernel.policy import RuleOfThumb
from domain.parts.turns import seats_of_players

NUTS = Game(
    name="nuts",
    title="Nuts",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=NutsAction,
    events=EVENTS,
    pack=meta.PACK,
    course=Course(
        seats=seats_of_players,
        deals=meta.TARGET.deals,
        next_dealer=meta.no_dealer,
        first_dealer=meta.nobody,
        over=meta.TARGET.over,
        gate=Ready,
    ),
    dealing=Dealing(draw=meta.draw, portions=meta.portions),
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
        timer=timer,
        race=race,
    ),
    showing=Showing(view=NutsView, seats=seat_views, fields=show, alike=True),
    words=WORDS,
    acts=ACTS,
    telling=frozenset(),
    thumb=RuleOfThumb(policy, alone=True),
    scoring=SCORING,
    basis={
        "seating": "NU-1.1",
        "first-dealer": "NU-1.1",
        "dealer": "NU-1.1",
        "pack": "NU-3.2",
        "commitments": "NU-3.2",
        "player-ready": "NU-3.1",
        "shift-made": "NU-7.3",
        "nuts-called": "NU-8.1",
        "stopping-point": "NU-8.2",
        "totals": "NU-9.3",
        "finish": "NU-1.2",
    },
)
