"""L'Hombre, or La Bête: three play, a fourth sits out; matadors, nolos, and payment in chips."""

from msgspec.structs import replace

from domain.games.lhombre import meta
from domain.games.lhombre.acts import ACTS, Exchange, LhombreAction
from domain.games.lhombre.automatic import next_automatic
from domain.games.lhombre.earlier import version_1
from domain.games.lhombre.events import EVENTS
from domain.games.lhombre.offers import default_action, offers, to_act
from domain.games.lhombre.rules import RULEBOOK
from domain.games.lhombre.scoring import SCORING
from domain.games.lhombre.state import begin, evolve
from domain.games.lhombre.view import LhombreView, show
from domain.games.lhombre.words import WORDS
from domain.kernel.course import Course
from domain.kernel.dealing import TALON, Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.parts.exchange import CardsExchanged, unseen_exchange
from domain.parts.matadors import PACK
from domain.parts.turns import seats_of_players
from domain.parts.views import hands, trick_seats

_NEWEST = Game(
    name="lhombre",
    title="L'Hombre",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=LhombreAction,
    events=EVENTS,
    pack=PACK,
    course=Course(seats=seats_of_players, deals=meta.deals, next_dealer=meta.next_dealer),
    dealing=Dealing(draw=whole_pack(PACK), portions=meta.portions),
    decider=Decider(
        begin, ACTS.decide, ACTS.action_of, next_automatic, evolve, offers, to_act, SCORING.score, default_action
    ),
    showing=Showing(view=LhombreView, seats=trick_seats(), fields=show, hands=hands),
    words=WORDS,
    acts=ACTS,
    unseen={CardsExchanged: unseen_exchange(Exchange, TALON)},
    scoring=SCORING,
    basis={
        "seating": "LH-1.1",
        "first-dealer": "LH-1.3",
        "dealer": "LH-1.3",
        "pack": "LH-3.1",
        "deal-washed-out": "LH-4.4",
        "contract-declared": "LH-5.1",
        "talon-turned": "LH-5.2",
        "hand-exposed": "LH-7.4",
        "trick-won": "LH-7.3",
        "all-tricks-undertaken": "LH-8.3",
        "stopping-point": "LH-8.5",
        "totals": "LH-9.1",
        "finish": "LH-1.4",
    },
    unit="chips",
)

LHOMBRE = replace(_NEWEST, earlier=(version_1(_NEWEST),))
