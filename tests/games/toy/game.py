"""The toy: a game for tests alone, which has what the kernel holds and the games that are offered do not need.

A doubled pack and a joker, of which not all cards are dealt; two sides; a target; a gate; no dealer; cards dealt during
the deal; a stock renewed, with commitments of its own; answers given at once and sealed; an act without a turn that can
come too late; a time limit; a card unknown to its owner, another that only the owner and the public do not see; a
secret of two seats; cards that make up sets; no tricks; and a fold of its own for every audience.
"""

from domain.kernel.course import Course
from domain.kernel.dealing import Dealing
from domain.kernel.game import Decider, Game, Showing
from domain.parts.defaults import low_first, mildest
from tests.games.toy import meta
from tests.games.toy.actions import MILDEST, Ready, ToyAction
from tests.games.toy.acts import ACTS
from tests.games.toy.decide import action_of, decide, next_automatic, race, timer
from tests.games.toy.events import EVENTS
from tests.games.toy.offers import offers, to_act
from tests.games.toy.rules import RULEBOOK
from tests.games.toy.scoring import SCORING
from tests.games.toy.state import begin, evolve
from tests.games.toy.view import ToyView, seat_views, show
from tests.games.toy.words import WORDS

TOY = Game(
    name=meta.NAME,
    title=meta.TITLE,
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=ToyAction,
    events=EVENTS,
    pack=meta.PACK,
    course=Course(
        seats=meta.seats,
        deals=meta.deals,
        next_dealer=meta.no_dealer,
        first_dealer=meta.nobody,
        sides=meta.sides,
        over=meta.over,
        winners=meta.winners,
        gate=Ready,
    ),
    dealing=Dealing(draw=meta.draw, portions=meta.portions),
    decider=Decider(
        begin=begin,
        decide=decide,
        action_of=action_of,
        next_automatic=next_automatic,
        evolve=evolve,
        offers=offers,
        to_act=to_act,
        score=SCORING.score,
        default_action=mildest(offers, low_first(meta.PACK), MILDEST),
        timer=timer,
        race=race,
    ),
    showing=Showing(view=ToyView, seats=seat_views, fields=show),
    words=WORDS,
    acts=ACTS,
    scoring=SCORING,
    basis={
        "seating": "TY-1.1",
        "first-dealer": "TY-1.1",
        "dealer": "TY-1.1",
        "pack": "TY-1.3",
        "commitments": "TY-1.3",
        "pledges-opened": "TY-2.2",
        "batch-dealt": "TY-3.5",
        "stock-renewed": "TY-3.5",
        "stopping-point": "TY-4.1",
        "totals": "TY-4.1",
        "finish": "TY-1.4",
    },
)
