"""The OpenAPI document: what Litestar generates from the handlers, corrected and completed.

Litestar knows paths, parameters and types. It does not know which members msgspec types forbid, the discriminators of
unions, types that depend on a game (actions, views), problem documents, headers, links or examples.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, get_args

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from msgspec import Struct

from domain.kernel.game import Game
from domain.seats import HOUSE, PUBLIC
from service.auth.scopes import ClientScope
from service.describe.game_schemas import row_components
from service.describe.json_schema import Schema, pascal, reachable, ref, relocated
from service.describe.texts import english
from service.http.examples import plain
from service.http.interface import GENERIC
from service.http.operation import declared_operations
from service.http.request import RoutedRequest
from service.spec.components import COMPONENTS, all_components, generic_components
from service.spec.example_bodies import Bodies, Harvest
from service.spec.frame_schemas import example_lines
from service.spec.messages import webhook_requests
from service.spec.operation_problems import ProblemResponses
from service.spec.operations import HEADERS, OAUTH_SCHEME, complete_operation
from service.spec.shared_parts import share_examples, share_parameters, without_repeated_examples

DESCRIPTION = """\
Card games, played over HTTP. Every act is recorded as an immutable event. Views, ledgers and \
replays are folds of the events, as far as their audience may know them.

To play: register (`POST /v1/players`) and keep the token; open a table or choose an open one; take a seat. The game \
starts when all seats are taken. Then read your offers (`GET …/offers`), pick one, and send it as your action \
(`POST …/actions`). Every combination that an offer describes is accepted and everything else is refused, so \
clients need not know the rules.

Send the token as `Authorization: Bearer …`. Public reads need none. Errors are problem documents (RFC 9457), and \
`code` names the kind of problem. Responses about a table carry its version in `ETag`.

The AsyncAPI document, at `/v1/asyncapi.json`, describes what the service sends: frames of streams and notices to \
webhooks."""

LICENCE = "Apache-2.0"
"""The SPDX identifier of the project's licence."""

TAGS = {
    "Players": "Registration, profiles and records.",
    "Tokens": "The caller's tokens.",
    "Webhooks": "Notices sent to a URL of the caller's.",
    "Notices": "What receivers of webhooks get.",
    "Games": "The games offered, with their rules and schemas.",
    "Tables": "Opening, listing and joining tables.",
    "Play": "Offers and actions.",
    "Streams": "What happens, as it happens.",
    "Record": "A table's events, replays, audits and exports.",
    "Ledgers": "Booked lines, statements and the leaderboard.",
    "Disputes": "Disputes of booked lines, and arbiters' rulings.",
    "Archive": "Finished deals of all tables, found and counted.",
    "Log": "Signed checkpoints of the whole log, and proofs against them.",
    "Operations": "For the operator of the service.",
    "Specification": "This document.",
}


BEARER = {
    "type": "http",
    "scheme": "bearer",
    "description": "A player's token, from `POST /v1/players` or `POST /v1/tokens`.",
}

OAUTH2 = {
    "type": "oauth2",
    "description": "A client's token, for which a player lets the client in at `/authorize`. Clients are public, with "
    "PKCE (S256). `/.well-known/oauth-authorization-server` has the metadata (RFC 8414). `client_id` is the https URL "
    "that the browser is sent back to, or such an http URL of 127.0.0.1, [::1] or localhost without a port.",
    "flows": {
        "authorizationCode": {
            "authorizationUrl": "/authorize",
            "tokenUrl": "/oauth/token",
            "scopes": {scope: english().plain(f"authorize.{scope}") for scope in get_args(ClientScope)},
        }
    },
}

IN_VAIN = 20
"""The search of a game's tables ends after this many in a row without a new example."""


class Need(Struct, frozen=True):
    """The name of a need, the title of what is described, and the addresses of its documents."""

    name: str
    title: str
    openapi: str
    asyncapi: str


EVERYTHING = Need("", "Card games", "/v1/openapi.json", "/v1/asyncapi.json")
ANY_GAME = Need(GENERIC, "Card games", f"/v1/openapi/{GENERIC}.json", f"/v1/asyncapi/{GENERIC}.json")


def for_game(game: Game) -> Need:
    """The need of a client for this game alone."""
    return Need(game.name, game.title, f"/v1/games/{game.name}/openapi.json", f"/v1/games/{game.name}/asyncapi.json")


def document(
    handlers: Sequence[HTTPRouteHandler], bodies: Bodies, version: str, need: Need = EVERYTHING
) -> dict[str, Any]:
    """The document of these operations, and of the games of these bodies.

    The whole document has an example for every component. Those for one need have each example once, where it is most
    of use.
    """
    operations = {one.id: one for one in declared_operations(handlers)}
    components = (
        generic_components(handlers, bodies.games[0]) if need == ANY_GAME else all_components(handlers, bodies.games)
    )
    shared = ProblemResponses()
    paths = {
        path: {
            method: complete_operation(operations[operation["operationId"]], operation, bodies, shared)
            for method, operation in sorted(methods.items())
        }
        for path, methods in sorted(_generated_paths(tuple(handlers)).items())
    }
    responses, examples = dict(sorted(shared.responses.items())), shared.examples
    harvest = _harvest(components, paths, bodies, examples)
    if need == EVERYTHING:
        _add_parts(harvest, components, bodies)
    components |= {name: components[name] | {"examples": [example]} for name, example in harvest.examples.items()}
    parameters, examples = share_parameters(paths), examples | share_examples(paths)
    used = sorted(reachable([paths, responses], components))
    if need != EVERYTHING:
        components = without_repeated_examples(components, paths)
    completed: dict[str, Any] = relocated(
        {
            "openapi": "3.1.0",
            "info": {
                "title": "codille",
                "version": version,
                "summary": f"{need.title} over HTTP",
                "description": DESCRIPTION.replace(EVERYTHING.asyncapi, need.asyncapi),
                "license": {"name": LICENCE, "identifier": LICENCE},
            },
            "servers": [{"url": "/", "description": "The server of this document."}],
            "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
            "paths": paths,
            "webhooks": webhook_requests(),
            "components": {
                "schemas": {name: components[name] for name in used},
                "parameters": parameters,
                "responses": responses,
                "examples": examples,
                "headers": HEADERS,
                "securitySchemes": {"bearer": BEARER, OAUTH_SCHEME: OAUTH2},
            },
        },
        COMPONENTS,
    )
    return completed


@cache
def _generated_paths(handlers: tuple[HTTPRouteHandler, ...]) -> Mapping[str, Any]:
    """The paths as Litestar describes them. Cached: every document of these operations has the same."""
    described = Litestar(handlers, openapi_config=OpenAPIConfig(title="", version=""), request_class=RoutedRequest)
    paths: Mapping[str, Any] = described.openapi_schema.to_schema()["paths"]
    # A suffix is routed as a segment of its own.
    return {path.replace("/.", "."): methods for path, methods in paths.items()}


def _harvest(
    components: dict[str, Schema], paths: Mapping[str, Schema], bodies: Bodies, problems: Mapping[str, Schema]
) -> Harvest:
    """Examples of components: for each, the first value in any body that it describes."""
    harvest = Harvest(components)
    for sample in bodies.samples:
        game, by_type = sample.game, sample.by_type
        title = pascal(game.name)
        for event in by_type.events.values():
            harvest.take(ref("Event"), event)
        for action in by_type.actions.values():
            harvest.take(ref(f"{title}Action"), action)
        for offer in by_type.offers.values():
            harvest.take(ref("Offer"), offer)
        for rows, name in row_components(game).items():
            harvest.take(ref(name), plain(game.rulebook.tables[rows][0]))
    for schema, example in _examples(paths):
        harvest.take(schema, example)
    for problem in problems.values():
        harvest.take(ref("Problem"), problem["value"])
    for name, lines in example_lines(bodies.sample).items():
        for line in lines:
            harvest.take(ref(name), line)
    harvest.examples["Action"] = next(iter(bodies.requests["act"].values()))
    return harvest


def _add_parts(harvest: Harvest, components: Mapping[str, Schema], bodies: Bodies) -> None:
    """Adds examples of parts of events and views that occur in no body, from all sample tables."""
    for sample in bodies.samples:
        view = ref(f"{pascal(sample.game.name)}View")
        parts = reachable(view, components) | reachable(ref("TableEvent"), components)
        in_vain = 0
        for table in sample.tables:
            # Otherwise parts that occur only in other games would be searched for in all tables.
            if parts <= harvest.examples.keys() or in_vain == IN_VAIN:
                break
            before = len(harvest.examples)
            for record in table.records:
                harvest.take(ref("Event"), table.event(record.version, HOUSE, over=True))
            for version in table.views(PUBLIC):
                harvest.take(view, version)
            in_vain = in_vain + 1 if len(harvest.examples) == before else 0


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
