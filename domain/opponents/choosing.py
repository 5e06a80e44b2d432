"""Choosing an act: every candidate is played on in the same worlds, and the best mean result counts."""

from collections.abc import Callable, Sequence
from math import ceil, log2

from domain.kernel.action import Action
from domain.kernel.game import Game
from domain.kernel.offers import Offer, Text
from domain.opponents.beliefs import Belief
from domain.opponents.placing import Impossible
from domain.opponents.playouts import MOST, Endless, Playouts, candidates
from domain.opponents.worlds import World
from domain.picking import Chance
from domain.seats import Seat
from domain.table.state import Table

LEVELS = {"random": 0, "quick": 24, "strong": 200}
"""The number of worlds in which the best candidates are tried, by level."""


def choose(
    game: Game,
    own: Table,
    seat: Seat,
    belief: Belief | None,
    chance: Chance,
    worlds: int,
    in_time: Callable[[], bool] = lambda: True,
) -> Action | None:
    """The act that the seat takes, from its own fold, its own offers and its belief alone.

    Without worlds any act is as likely as another; without a belief it is the usual one. None if nothing is offered,
    or nothing is worth doing. Once it is no longer `in_time`, the best candidate so far is taken.
    """
    # An opponent says nothing: it plays.
    offers = [offer for offer in game.decider.offers(own.deal_state, seat) if not is_talk(offer)]
    playouts = Playouts(game, chance, len(own.players))
    if not offers:
        return None
    if not worlds:
        return playouts.any_act(offers)
    usual = playouts.usual_act(own.deal_state, seat, offers)
    if usual is None or belief is None or (game.thumb is not None and game.thumb.alone):
        return usual
    acts = list(dict.fromkeys((usual, *candidates(offers, MOST, playouts.act))))
    try:
        return acts[0] if len(acts) == 1 else _best(playouts, belief, seat, acts, worlds, in_time)
    except (Impossible, Endless):
        return usual


def _best(
    playouts: Playouts,
    belief: Belief,
    seat: Seat,
    acts: Sequence[Action],
    worlds: int,
    in_time: Callable[[], bool],
) -> Action:
    """The best act by halving: all are tried in the first worlds, and the better half of them in the next ones.

    Of equal ones the first is taken.
    """
    left, sums = list(range(len(acts))), [0.0] * len(acts)
    rounds = max(1, ceil(log2(len(acts))))
    for turn in range(rounds):
        for _ in range(max(1, worlds // rounds)):
            if not in_time():
                break
            world = belief.draw(playouts.chance)
            for number in left:
                sums[number] += _worth(playouts, world, seat, acts[number])
        left.sort(key=lambda number: -sums[number])
        if turn + 1 < rounds:
            left = left[: max(1, ceil(len(left) / 2))]
    return acts[left[0]]


def _worth(playouts: Playouts, world: World, seat: Seat, action: Action) -> float:
    """What the deal is worth to the seat in this world if it acts so, and the others as usual."""
    decider, table = playouts.game.decider, world.table
    state = decider.evolve(table.deal_state, decider.decide(table.deal_state, seat, action))
    return playouts.gained(state, table.version + 1)[seat]


def is_talk(offer: Offer) -> bool:
    """Whether the act is to say something."""
    return any(isinstance(field, Text) for field in offer.fields.values())
