"""The OpenAPI document: what Litestar generates from the handlers, mended and completed.

Litestar knows paths, parameters and types. It does not know what msgspec types forbid, what tells members of a
union apart, what a body or an answer depends on at run time (an action on its table's game, a view on its game),
problem documents, headers, links and examples.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig

from domain.kernel.game import Game
from domain.seats import PUBLIC
from service.http.operation import Operation, operation_of
from service.http.request import Request
from service.queries.game_schemas import Schema, pascal, reachable, ref, relocated, row_components
from service.spec.components import COMPONENTS, all_components
from service.spec.examples import Bodies, harvest
from service.spec.operations import HEADERS, complete_operation
from service.spec.sample import plain, plays

DESCRIPTION = """\
Card games of the ombre family, played over HTTP. Every act is an immutable event; views, ledgers and replays are \
folds of the events that their audience was told.

To play: register (`POST /v1/players`) and keep the token; open a table or find one; sit down; the game starts when \
all seats are taken. Then ask for your offers (`GET …/offers`), pick one, and send it as your action \
(`POST …/actions`). Every combination that an offer describes is accepted and everything else is refused, so a \
client needs to know no rules.

Send the token as `Authorization: Bearer …`. Reading public things needs none. Errors are problem documents \
(RFC 9457); `code` tells them apart. What belongs to a table carries its version as `ETag`."""

TAGS = {
    "Players": "Registering, profiles, records.",
    "Tokens": "One's own tokens.",
    "Games": "The games offered, their rules and schemas.",
    "Tables": "Opening, finding and joining tables.",
    "Play": "Offers and actions.",
    "Record": "Events, and tables as they were.",
    "Ledgers": "Booked lines and totals.",
    "Disputes": "Disputed lines, and what arbiters rule.",
    "Log": "Signed heads of the whole log, and proofs under them.",
    "Operations": "For whoever runs the service.",
    "Specification": "This document.",
}


def document(handlers: Sequence[HTTPRouteHandler], games: Sequence[Game], version: str) -> dict[str, Any]:
    """The document of these operations and games."""
    config = OpenAPIConfig(title="codille", version=version)
    generated = Litestar(handlers, openapi_config=config, request_class=Request).openapi_schema.to_schema()
    operations = {one.id: one for one in declared_operations(handlers)}
    components = all_components(handlers, games)
    shown_bodies = Bodies(tuple(operations.values()), games)
    paths = {
        path: {
            method: complete_operation(operations[operation["operationId"]], operation, shown_bodies)
            for method, operation in sorted(methods.items())
        }
        for path, methods in sorted(generated["paths"].items())
    }
    _add_examples(components, paths, shown_bodies)
    used = sorted(reachable(paths, components))
    mended: dict[str, Any] = relocated(
        {
            "openapi": "3.1.0",
            "info": {"title": "codille", "version": version, "summary": "Card games of the ombre family"}
            | {"description": DESCRIPTION},
            "servers": [{"url": "/", "description": "Where this document is served."}],
            "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
            "paths": paths,
            "components": {
                "schemas": {name: components[name] for name in used},
                "headers": HEADERS,
                "securitySchemes": {
                    "bearer": {
                        "type": "http",
                        "scheme": "bearer",
                        "description": "A token of a player, from registering or from `POST /v1/tokens`.",
                    }
                },
            },
        },
        COMPONENTS,
    )
    return mended


def declared_operations(handlers: Iterable[HTTPRouteHandler]) -> list[Operation]:
    """What is declared of these handlers."""
    return [declared for handler in handlers if (declared := operation_of(handler)) is not None]


def _add_examples(components: dict[str, Schema], paths: Mapping[str, Schema], shown_bodies: Bodies) -> None:
    """Gives every component an example: the first part of all bodies that it describes."""
    found: dict[str, Any] = {}
    for game in shown_bodies.games:
        title = pascal(game.name)
        happened = shown_bodies.samples[game.name].happened
        for event in happened.events.values():
            harvest(ref("Event"), event, components, found)
        for action in happened.actions.values():
            harvest(ref(f"{title}Action"), action, components, found)
        for offer in happened.offers.values():
            harvest(ref("Offer"), offer, components, found)
        for table, name in row_components(game).items():
            harvest(ref(name), plain(game.rulebook.tables[table][0]), components, found)
    for schema, example in _examples(paths):
        harvest(schema, example, components, found)
    for game in shown_bodies.games:
        view = ref(f"{pascal(game.name)}View")
        shown_in_views = reachable(view, components)
        for played in plays(game):
            if shown_in_views <= found.keys():
                break
            for version in played.views(PUBLIC):
                harvest(view, version, components, found)
    found["Action"] = next(iter(shown_bodies.requests["act"].values()))
    for name, example in found.items():
        components[name] = components[name] | {"examples": [example]}


def _examples(part: Any) -> Iterator[tuple[Schema, Any]]:
    """All examples of bodies with their schemas."""
    match part:
        case {"schema": schema, "examples": named}:
            yield from ((schema, example["value"]) for example in named.values())
        case {"schema": schema, "example": example}:
            yield schema, example
        case dict():
            for value in part.values():
                yield from _examples(value)
        case _:
            return
