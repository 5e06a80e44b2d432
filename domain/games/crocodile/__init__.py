"""Crocodile, by Jakob Sauntved: L'Hombre's auction and bidding with plain ranks and no matadors."""

from msgspec.structs import replace

from domain.games.crocodile import meta
from domain.games.crocodile.acts import ACTS, CrocodileAction
from domain.games.crocodile.automatic import next_automatic
from domain.games.crocodile.earlier import version_1
from domain.games.crocodile.events import EVENTS
from domain.games.crocodile.offers import default_action, offers, to_act
from domain.games.crocodile.rules import RULEBOOK
from domain.games.crocodile.scoring import SCORING
from domain.games.crocodile.state import begin, evolve
from domain.games.crocodile.unseen import UNSEEN
from domain.games.crocodile.view import CrocodileView, show
from domain.games.crocodile.words import WORDS
from domain.kernel.dealing import Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.parts.views import hands, trick_seats

_NEWEST = Game(
    name="crocodile",
    title="Crocodile",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=CrocodileAction,
    events=EVENTS,
    pack=meta.PACK,
    course=meta.TURNS.course(meta.deals),
    dealing=Dealing(draw=whole_pack(meta.PACK), portions=meta.portions),
    decider=Decider(
        begin, ACTS.decide, ACTS.action_of, next_automatic, evolve, offers, to_act, SCORING.score, default_action
    ),
    showing=Showing(view=CrocodileView, seats=trick_seats(), fields=show, hands=hands),
    words=WORDS,
    acts=ACTS,
    unseen=UNSEEN,
    scoring=SCORING,
    basis={
        "seating": "CR-1.1",
        "first-dealer": "CR-1.3",
        "dealer": "CR-1.3",
        "pack": "CR-3.1",
        "casco-forced": "CR-4.5",
        "hand-exposed": "CR-5.3",
        "talon-turned": "CR-6.4",
        "trick-won": "CR-8.3",
        "stopping-point": "CR-8.4",
        "totals": "CR-9.12",
        "finish": "CR-1.5",
    },
)

CROCODILE = replace(_NEWEST, earlier=(version_1(_NEWEST),))
