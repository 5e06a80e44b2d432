"""The sample tables of every game, each played once a test process."""

from functools import cache

from service.spec.example_bodies import Bodies, GameSample, sample_of
from service.spec.generated import bodies_of
from tests.support.registry import GAMES


@cache
def sample(game: str) -> GameSample:
    """The sample of the game of this name. It is shared: nothing of it may be changed."""
    return sample_of(GAMES[game])


@cache
def bodies(games: tuple[str, ...] = tuple(GAMES)) -> Bodies:
    """The example bodies from the samples of these games, shared likewise."""
    return bodies_of([sample(game) for game in games])
