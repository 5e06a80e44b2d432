"""Ombre: three play for a pool; matadors, holding a bid, vole, and surrender to a new Ombre."""

from msgspec.structs import replace

from domain.games.ombre import meta
from domain.games.ombre.acts import ACTS, Exchange, OmbreAction
from domain.games.ombre.automatic import next_automatic
from domain.games.ombre.earlier import version_1
from domain.games.ombre.events import EVENTS
from domain.games.ombre.offers import default_action, offers, to_act
from domain.games.ombre.rules import RULEBOOK
from domain.games.ombre.scoring import SCORING
from domain.games.ombre.state import begin, evolve
from domain.games.ombre.view import OmbreView, show, tricks
from domain.games.ombre.words import WORDS
from domain.kernel.course import Course
from domain.kernel.dealing import TALON, Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.parts.exchange import CardsExchanged, unseen_exchange
from domain.parts.matadors import PACK
from domain.parts.views import hands, trick_seats

_NEWEST = Game(
    name="ombre",
    title="Ombre",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=OmbreAction,
    events=EVENTS,
    pack=PACK,
    course=Course(seats=meta.seats, deals=meta.deals, first_dealer=meta.first_dealer, next_dealer=meta.next_dealer),
    dealing=Dealing(draw=whole_pack(PACK), portions=meta.portions, antes=meta.antes, shares=meta.shares),
    decider=Decider(
        begin, ACTS.decide, ACTS.action_of, next_automatic, evolve, offers, to_act, SCORING.score, default_action
    ),
    showing=Showing(view=OmbreView, seats=trick_seats(tricks), fields=show, accounts=meta.show_accounts, hands=hands),
    words=WORDS,
    acts=ACTS,
    unseen={CardsExchanged: unseen_exchange(Exchange, TALON)},
    scoring=SCORING,
    basis={
        "seating": "OM-1.1",
        "first-dealer": "OM-1.3",
        "dealer": "OM-1.3",
        "pack": "OM-3.1",
        "antes": "OM-3.1",
        "deal-passed-out": "OM-4.3",
        "contract-declared": "OM-4.4",
        "talon-turned": "OM-4.4",
        "trick-won": "OM-5.1",
        "all-tricks-undertaken": "OM-6.2",
        "stopping-point": "OM-6.4",
        "totals": "OM-8.2",
        "finish": "OM-1.4",
    },
    unit="chips",
)

OMBRE = replace(_NEWEST, earlier=(version_1(_NEWEST),))
