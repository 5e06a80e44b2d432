"""The sample tables of every game, each played once a test process."""

from functools import cache

from service.http.examples import Sample
from service.spec.example_bodies import Bodies
from service.spec.generated import bodies_of
from service.spec.sample import sample_of
from tests.support.registry import GAMES


@cache
def sample(game: str) -> Sample:
    """The sample of the game of this name. It is shared: nothing of it may be changed."""
    return sample_of(GAMES[game])


@cache
def bodies(games: tuple[str, ...] = tuple(GAMES)) -> Bodies:
    """The example bodies from the samples of these games, shared likewise."""
    return bodies_of([sample(game) for game in games])
