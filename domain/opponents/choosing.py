"""Choosing an act: every candidate is played on in the same worlds, and the best mean of the own result counts."""

from collections.abc import Sequence
from math import ceil, log2

from domain.kernel.action import Action
from domain.kernel.game import Game
from domain.opponents.beliefs import Belief
from domain.opponents.placing import Impossible
from domain.opponents.playouts import Endless, Playouts, candidates, own_amount
from domain.picking import Chance
from domain.seats import Seat
from domain.table.state import Table

MOST = 24
"""The most candidates of one offer."""

LEVELS = {"random": 0, "quick": 24, "strong": 200}
"""The number of worlds in which the best candidates are tried, by level."""


def choose(game: Game, own: Table, seat: Seat, belief: Belief | None, chance: Chance, worlds: int) -> Action:
    """The act that the seat takes, from its own fold, its own offers and its belief alone.

    Without worlds or a belief any act is as likely as another. Raises Endless if the seat has no offer.
    """
    playouts = Playouts(game, chance)
    offers = game.decider.offers(own.deal_state, seat)
    acts = candidates(offers, MOST, playouts.act) if belief is not None and worlds else []
    if len(acts) == 1:
        return acts[0]
    if not acts or belief is None:
        return playouts.any_act(offers)
    try:
        return _best(playouts, belief, seat, acts, worlds)
    except (Impossible, Endless):
        return playouts.any_act(offers)


def _best(playouts: Playouts, belief: Belief, seat: Seat, acts: Sequence[Action], worlds: int) -> Action:
    """The best act by halving: all are tried in the first worlds, and the better half of them in the next ones."""
    left, sums = list(range(len(acts))), [0] * len(acts)
    rounds = max(1, ceil(log2(len(acts))))
    for turn in range(rounds):
        for _ in range(max(1, worlds // rounds)):
            world, _ = belief.draw(playouts.chance)
            for number in left:
                sums[number] += _worth(playouts, world, seat, acts[number])
        left.sort(key=lambda number: -sums[number])
        if turn + 1 < rounds:
            left = left[: max(1, ceil(len(left) / 2))]
    return acts[left[0]]


def _worth(playouts: Playouts, world: Table, seat: Seat, action: Action) -> int:
    """What the deal is worth to the seat in this world if it acts so, and chance plays on."""
    game = playouts.game
    event = game.decider.decide(world.deal_state, seat, action)
    state = game.decider.evolve(world.deal_state, event)
    return own_amount(playouts.ended(state, world.version + 1), seat)
