"""The games offered, with everything that a client needs to know about them."""

from itertools import islice
from typing import Annotated, Any

import msgspec
from litestar import Response

from domain.kernel.game import Game
from domain.record.catalogue import UnknownEvent
from service.describe.game_details import GameDetails, GameList, details, summary
from service.http import guards
from service.http.examples import Sample
from service.http.operation import operation
from service.http.parameters import query
from service.http.problems import Problem
from service.http.query import BIGGEST
from service.http.request import Request
from service.http.responses import unless_unchanged

FIRST_GAME = {"game": "$response.body#/items/0/game"}


@operation(
    "GET",
    "/v1/games",
    tag="Games",
    summary="The games offered",
    description="The games that can be played here.",
    answers="The games.",
    client_scope="any",
    headers=("If-None-Match",),
    links=(("game", "getGame", FIRST_GAME), ("leaderboard", "getLeaderboard", FIRST_GAME)),
    example=lambda sample: GameList((summary(sample.played.game),)),
)
async def list_games(request: Request) -> Response[GameList]:
    """All games offered, encoded once."""
    return unless_unchanged(request.interface.games, request)


def _shortened(game: Game, words: dict[str, Any]) -> dict[str, Any]:
    """The words of two events: the deal, and the first in a row of its own, or else with several sentences."""
    own = {payload.TYPE: words["events"][payload.TYPE] for payload in game.events}
    several = [type for type, words_of in own.items() if len(words_of["sentences"]) > 1]
    in_rows = [type for type, words_of in own.items() if words_of["row"]]
    events, acts = ["cards-dealt", *[*in_rows, *several][:1]], list(words["acts"])[:1]
    fields = words["fields"]
    return words | {
        "events": {type: words["events"][type] for type in events},
        "acts": {type: words["acts"][type] for type in acts},
        "introduction": dict(islice(words["introduction"].items(), 1)),
        "prompts": words["prompts"][:1],
        "sending": dict(islice(words["sending"].items(), 1)),
        "promises": {of: dict(islice(texts.items(), 1)) for of, texts in islice(words["promises"].items(), 1)},
        "lines": dict(list(words["lines"].items())[-1:]),
        "terms": {of: dict(islice(names.items(), 1)) for of, names in words["terms"].items()},
        "status": words["status"][-1:],
        "fields": {
            "options": dict(islice(fields["options"].items(), 1)),
            "acts": {type: fields["acts"][type] for type in acts},
            "events": {type: fields["events"][type] for type in events},
            "view": dict(list(fields["view"].items())[-1:]),
        },
    }


def _details_example(sample: Sample) -> Any:
    """A game's details: a card, a row of each table, a rule, the words for two events and one schema."""
    described = msgspec.to_builtins(details(sample.played.game))
    tables = {name: described[name][:1] for name in ("contracts", "bonuses", "outcomes")}
    tables |= {"tables": {name: rows[:1] for name, rows in described["tables"].items()}}
    rest = {"pack": dict(list(described["pack"].items())[:1])}
    rest |= {"rules": described["rules"][:1], "schemas": {"options": described["schemas"]["options"]}}
    rest |= {"acts": {act: rules[:1] for act, rules in islice(described["acts"].items(), 1)}}
    rest |= {"table_rules": described["table_rules"][:1], "searched": described["searched"]}
    rest |= {"words": _shortened(sample.played.game, described["words"]), "documents": described["documents"]}
    return msgspec.to_builtins(summary(sample.played.game)) | tables | {"options": described["options"]} | rest


@operation(
    "GET",
    "/v1/games/{game:str}",
    tag="Games",
    summary="A game",
    description="A game's seats, cards, options, contracts, bonuses, outcomes and other tables, numbered rules and "
    "words, and the JSON Schemas of what its clients send and receive.",
    answers="The game.",
    headers=("If-None-Match",),
    guards=(guards.game_exists,),
    client_scope="any",
    links=(
        ("openapi", "getGameOpenApi", {"game": "$request.path.game"}),
        ("asyncapi", "getGameAsyncApi", {"game": "$request.path.game"}),
    ),
    example=_details_example,
    by_game=True,
)
async def get_game(
    request: Request,
    game: str,
    rules_version: Annotated[
        int | None, query("rules_version", "The version of the rules; by default the newest.", 1, ge=1, le=BIGGEST)
    ] = None,
) -> Response[GameDetails]:
    """A game under one version of its rules. Raises Problem if the rules have no such version."""
    try:
        return unless_unchanged(request.interface.game_details(game, rules_version), request)
    except UnknownEvent:
        raise Problem("no-such-game", f"the rules of {game} have no version {rules_version}") from None
