"""Khanhoo: fifteen cards of a doubled pack to be melded, and bumps, claims of a discard, answered all at once."""

from domain.games.khanhoo import meta
from domain.games.khanhoo.acts import ACTS, KhanhooAction
from domain.games.khanhoo.automatic import next_automatic
from domain.games.khanhoo.events import EVENTS
from domain.games.khanhoo.offers import default_action, offers, to_act
from domain.games.khanhoo.policy import HORIZON, over, policy
from domain.games.khanhoo.rules import RULEBOOK
from domain.games.khanhoo.scoring import SCORING
from domain.games.khanhoo.state import begin, evolve
from domain.games.khanhoo.unseen import UNSEEN
from domain.games.khanhoo.view import KhanhooView, seat_views, show
from domain.games.khanhoo.words import WORDS
from domain.kernel.course import Course
from domain.kernel.dealing import Dealing, whole_pack
from domain.kernel.game import Decider, Game, Showing
from domain.kernel.policy import RuleOfThumb
from domain.parts.turns import next_dealer, seats_of_players

KHANHOO = Game(
    name="khanhoo",
    title="Khanhoo",
    rulebook=RULEBOOK,
    options=meta.Options,
    actions=KhanhooAction,
    events=EVENTS,
    pack=meta.PACK,
    course=Course(seats=seats_of_players, deals=meta.TARGET.deals, next_dealer=next_dealer, over=meta.TARGET.over),
    dealing=Dealing(draw=whole_pack(meta.PACK), portions=meta.portions),
    decider=Decider(
        begin, ACTS.decide, ACTS.action_of, next_automatic, evolve, offers, to_act, SCORING.score, default_action
    ),
    # A card that all have seen may come back to a hand unseen, from a renewed stock.
    showing=Showing(view=KhanhooView, seats=seat_views, fields=show),
    words=WORDS,
    acts=ACTS,
    unseen=UNSEEN,
    telling=frozenset(),
    thumb=RuleOfThumb(policy, horizon=HORIZON, over=over),
    scoring=SCORING,
    basis={
        "seating": "KH-1.1",
        "first-dealer": "KH-1.2",
        "dealer": "KH-1.2",
        "pack": "KH-3.1",
        "discard-taken": "KH-4.2",
        "stock-renewed": "KH-4.4",
        "commitments": "KH-4.4",
        "bumps-announced": "KH-6.3",
        "meld-laid": "KH-6.6",
        "hands-shown": "KH-8.1",
        "stopping-point": "KH-7.1",
        "totals": "KH-8.5",
        "finish": "KH-1.3",
    },
)
