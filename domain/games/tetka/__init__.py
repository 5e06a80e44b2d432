"""Tëtka: thirteen tricks without trumps, in which queens, a card shown to all and its number cost points."""

from domain.games.tetka import meta
from domain.games.tetka.acts import ACTS, TetkaAction
from domain.games.tetka.rules import RULEBOOK
from domain.games.tetka.scoring import score, settled
from domain.games.tetka.state import begin
from domain.games.tetka.view import TetkaView, show
from domain.games.tetka.words import WORDS
from domain.kernel.dealing import Dealing, whole_pack
from domain.kernel.game import Game, Showing
from domain.parts.plain_tricks import EVENTS, plain_tricks
from domain.parts.views import hands, trick_seats

TETKA = Game(
    name="tetka",
    title="Tëtka",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=TetkaAction,
    events=EVENTS,
    pack=meta.PACK,
    course=meta.TURNS.course(meta.deals),
    dealing=Dealing(draw=whole_pack(meta.PACK), portions=meta.portions),
    decider=plain_tricks(meta.PACK, ACTS, begin, settled, score),
    showing=Showing(view=TetkaView, seats=trick_seats(), fields=show, hands=hands),
    words=WORDS,
    acts=ACTS,
    basis={
        "seating": "TE-1.1",
        "first-dealer": "TE-1.3",
        "dealer": "TE-1.3",
        "pack": "TE-2.2",
        "trick-won": "TE-3.2",
        "stopping-point": "TE-3.3",
        "totals": "TE-5.1",
        "finish": "TE-1.4",
    },
)
