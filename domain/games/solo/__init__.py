"""Solo, as it is played in Germany: a questioning auction, black queens as trumps, and a partner called by an ace."""

from domain.games.solo import meta
from domain.games.solo.actions import SoloAction
from domain.games.solo.decide import action_of, decide, next_automatic
from domain.games.solo.events import EVENTS
from domain.games.solo.offers import offers, to_act
from domain.games.solo.rules import RULEBOOK
from domain.games.solo.scoring import score
from domain.games.solo.state import begin, evolve
from domain.games.solo.view import SoloView, hands, show, tricks
from domain.games.solo.words import WORDS
from domain.kernel.game import Game

SOLO = Game(
    name=meta.NAME,
    title=meta.TITLE,
    rulebook=RULEBOOK,
    seats=meta.seats,
    default_deals=meta.DEFAULT_DEALS,
    check_deals=meta.check_deals,
    options=meta.Options,
    actions=SoloAction,
    events=EVENTS,
    view=SoloView,
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
        "seating": "SO-1.1",
        "first-dealer": "SO-1.1",
        "dealer": "SO-1.1",
        "pack": "SO-1.1",
        "queen-shown": "SO-3.4",
        "partner-shown": "SO-2.1",
        "trick-won": "SO-4.1",
        "stopping-point": "SO-4.3",
        "totals": "SO-4.2",
        "finish": "SO-1.1",
    },
)
