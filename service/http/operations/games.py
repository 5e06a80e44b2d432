"""The games that are offered, and everything a client needs to know of them."""

from typing import Annotated

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from domain.record.catalogue import UnknownEvent
from service.http import guards, schemas
from service.http.guards import guarded
from service.http.problems import Problem
from service.http.query import BIGGEST
from service.http.request import Ask
from service.http.responses import json, problems


@get(
    "/games",
    operation_id="listGames",
    summary="The games offered",
    description="The games that can be played here.",
    tags=["Games"],
    responses=problems(),
)
async def games(request: Ask) -> Response[schemas.Games]:
    """All games."""
    return json(request.edge.games_listed)


@get(
    "/games/{game:str}",
    operation_id="getGame",
    summary="A game",
    description="A game's seats, options, contracts, values, bonuses, outcomes and numbered rules, "
    "and the JSON Schemas of what it sends and takes.",
    tags=["Games"],
    opt=guarded(guards.game_exists),
    responses=problems(404),
)
async def game_of(
    request: Ask,
    game: Annotated[str, PathParameter(description="The game's name.")],
    rules_version: Annotated[
        int | None,
        QueryParameter(
            name="rules_version", ge=1, le=BIGGEST, description="The version of the rules; the newest without it."
        ),
    ] = None,
) -> Response[schemas.GameDetails]:
    """One game."""
    try:
        return json(request.edge.game_described(game, rules_version))
    except UnknownEvent:
        raise Problem("no-such-game", f"the rules of {game} have no version {rules_version}") from None


HANDLERS = (games, game_of)
