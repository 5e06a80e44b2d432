"""Crocodile, by Jakob Sauntved: L'Hombre's auction and bidding with plain ranks and no matadors."""

from domain.games.crocodile import meta
from domain.games.crocodile.actions import CrocodileAction
from domain.games.crocodile.decide import action_of, decide, next_automatic
from domain.games.crocodile.events import EVENTS
from domain.games.crocodile.offers import offers, to_act
from domain.games.crocodile.rules import RULEBOOK
from domain.games.crocodile.scoring import score
from domain.games.crocodile.state import begin, evolve
from domain.games.crocodile.view import CrocodileView, hands, show, tricks
from domain.games.crocodile.words import WORDS
from domain.kernel.game import Game

CROCODILE = Game(
    name=meta.NAME,
    title=meta.TITLE,
    rulebook=RULEBOOK,
    seats=meta.seats,
    default_deals=meta.DEFAULT_DEALS,
    check_deals=meta.check_deals,
    options=meta.Options,
    actions=CrocodileAction,
    events=EVENTS,
    view=CrocodileView,
    pack=meta.PACK,
    portions=meta.portions,
    next_dealer=meta.next_dealer,
    begin=begin,
    decide=decide,
    action_of=action_of,
    next_automatic=next_automatic,
    evolve=evolve,
    offers=offers,
    to_act=to_act,
    score=score,
    hands=hands,
    tricks=tricks,
    show=show,
    words=WORDS,
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
