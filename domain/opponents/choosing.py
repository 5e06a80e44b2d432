"""Choosing an act: every candidate is played on in the same worlds, and the best mean result counts."""

from collections.abc import Callable, Sequence
from math import ceil, inf, log2, sqrt

from domain.kernel.action import Action, plays_card
from domain.kernel.game import Game
from domain.kernel.offers import Offer
from domain.opponents.beliefs import Belief
from domain.opponents.placing import Impossible
from domain.opponents.playouts import (
    DISCARD,
    MOST,
    Endless,
    Playouts,
    candidates,
    discarding,
    is_talk,
)
from domain.opponents.worlds import World
from domain.picking import Chance
from domain.seats import Level, Seat
from domain.table.state import Table

LEVELS = {"random": 0, "quick": 24, "strong": 200}
"""The number of worlds in which the best candidates are tried, by level, the weakest first."""

STRONGEST: Level = "strong"
"""The level that no other is stronger than, in any game."""

STEP = 20
"""After so many worlds the acts that are clearly worse are dropped."""

CLEAR = 3.0
"""An act is clearly worse if its mean is behind by so many standard errors."""

LEARNING = 100
"""From so many worlds on, playouts learn from each other."""


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
    learner = seat if worlds >= LEARNING else None
    playouts = Playouts(game, chance, len(own.players), learner, own.standing)
    if not offers:
        return None
    if not worlds:
        return playouts.any_act(offers)
    usual = playouts.usual_act(own.deal_state, seat, offers)
    if usual is None or belief is None or (game.thumb is not None and game.thumb.alone):
        return usual
    try:
        acts = _tried(playouts, belief, seat, offers, usual, in_time)
        return acts[0] if len(acts) == 1 else _best(playouts, belief, seat, acts, worlds, in_time)
    except (Impossible, Endless):
        return usual


def _tried(
    playouts: Playouts,
    belief: Belief,
    seat: Seat,
    offers: Sequence[Offer],
    usual: Action,
    in_time: Callable[[], bool],
) -> Sequence[Action]:
    """The acts that are tried. If playouts learn, they learn first which cards to discard."""
    acts = list(dict.fromkeys((usual, *candidates(offers, MOST, playouts.act))))
    giving = discarding(offers)
    if not playouts.learns or not giving:
        return acts
    for _ in range(STEP):
        if in_time():
            world = belief.draw(playouts.chance)
            for act in acts[:2]:
                _worth(playouts, world, (), seat, act)
    learned = [act for one in giving for act in playouts.discards(seat, *one)]
    others = candidates([offer for offer in offers if DISCARD not in offer.fields], MOST, playouts.act)
    return list(dict.fromkeys((usual, *learned, *others))) if learned else acts


def _best(
    playouts: Playouts,
    belief: Belief,
    seat: Seat,
    acts: Sequence[Action],
    worlds: int,
    in_time: Callable[[], bool],
) -> Action:
    """The best act by halving: all are tried in the first worlds, and the better half of them in the next ones.

    Those that are clearly worse are dropped before. Of equal ones the first is taken.
    """
    left, results, trick = list(range(len(acts))), [Results() for _ in acts], belief.trick
    rounds = max(1, ceil(log2(len(acts))))
    for turn in range(1, rounds + 1):
        for tried in range(1, max(1, worlds // rounds) + 1):
            if len(left) == 1 or not in_time():
                break
            world = belief.draw(playouts.chance)
            for number in left:
                worth = _worth(playouts, world, trick, seat, acts[number])
                results[number].add(None if playouts.strayed else worth)
            if tried % STEP == 0:
                best = max(left, key=lambda number: results[number].mean)
                left = [number for number in left if number == best or not results[number].behind(results[best])]
        left.sort(key=lambda number: -results[number].mean)
        left = left[: ceil(len(acts) / 2**turn)]
    return acts[left[0]]


class Results:
    """What an act was worth in one world after the other."""

    def __init__(self) -> None:
        self._worth: list[float | None] = []
        self._sum = 0.0
        self._number = 0

    def add(self, worth: float | None) -> None:
        """Takes in the next world; None says nothing."""
        self._worth.append(worth)
        if worth is not None:
            self._sum += worth
            self._number += 1

    @property
    def mean(self) -> float:
        """The mean worth; less than any other while nothing is known."""
        return self._sum / self._number if self._number else -inf

    def behind(self, best: "Results") -> bool:
        """Whether the best act is clearly better, or was worth exactly as much in each world."""
        leads = [b - own for own, b in zip(self._worth, best._worth, strict=True) if own is not None and b is not None]
        if len(leads) < STEP // 2:
            return False
        lead = sum(leads) / len(leads)
        variance = sum((one - lead) ** 2 for one in leads) / (len(leads) - 1)
        return lead >= CLEAR * sqrt(variance / len(leads))


def _worth(playouts: Playouts, world: World, trick: Sequence[Action], seat: Seat, action: Action) -> float:
    """What the deal is worth to the seat in this world if it acts so, after these cards of a trick, and the others as
    usual.
    """
    decider, table = playouts.game.decider, world.table
    state = decider.evolve(table.deal_state, decider.decide(table.deal_state, seat, action))
    # How to play depends on what was bid, but hardly on which card was played first, or which ones were discarded.
    played = (*trick, action) if plays_card(action) else ()
    about = None if played or hasattr(action, DISCARD) else action
    return playouts.gained(state, table.version + 1, played, about)[seat]
