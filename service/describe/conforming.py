"""Whether recorded events are as their published schemas say."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from jsonschema_rs import Draft202012Validator

from domain.kernel.game import Game
from service.describe.game_schemas import event_schemas


def conforming(games: Mapping[str, Game]) -> Callable[[Mapping[str, Any]], str | None]:
    """A function that says what in an event of these games, as it is exported, its schema does not allow.

    It returns None if there is nothing, and for events of other games and types.
    """

    @cache
    def schemas(game: str) -> Mapping[str, Any]:
        catalogue = event_schemas([games[game]])
        return catalogue["table"] | catalogue[game]

    @cache
    def validator(game: str, kind: str) -> Draft202012Validator | None:
        schema = schemas(game).get(kind) if game in games else None
        return None if schema is None else Draft202012Validator(schema, validate_formats=True)

    def wrong_with(event: Mapping[str, Any]) -> str | None:
        schema = validator(event["game"], event["type"])
        for error in () if schema is None else schema.iter_errors(event):
            # The schema is the newest form's, and requires members that an earlier form lacks. All members that a form
            # has to have are there, or it would not have been read.
            if error.kind.name != "required":
                return f"{'.'.join(map(str, error.instance_path))}: {error.message}"
        return None

    return wrong_with
