"""Players: registering, profiles, records, leaving for good."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from litestar import Response, delete, get, post
from litestar.params import JSONBody, QueryParameter

from projections import ReadModelsUnavailable
from service.auth.scopes import REGISTERED
from service.auth.secrets import mint_token
from service.commands.handler import KeyConflict
from service.commands.ids import new_id
from service.http import guards, schemas
from service.http.context import Edge
from service.http.guards import guarded
from service.http.parameters import IdempotencyKey, PlayerId
from service.http.preconditions import receipt
from service.http.problems import Problem
from service.http.request import Ask
from service.http.responses import REPLAYED, json, problems
from service.store import accounts
from service.store.store import KeyReused

MOST_PROFILES = 200


@post(
    "/players",
    operation_id="registerPlayer",
    summary="Register",
    description="Makes a player, and a token with the scope `play`, which is shown only here.",
    tags=["Players"],
    opt=guarded(guards.registration_open),
    responses=problems(400, 403, 409, 413, 415),
)
async def register(
    request: Ask, data: JSONBody[schemas.Registration], idempotency_key: IdempotencyKey = None
) -> Response[schemas.Registered]:
    """Makes a player and a first token."""
    once = await receipt(request, idempotency_key)
    secret, token = mint_token(REGISTERED)
    issued = await request.edge.accounts.register(new_id(), data.name, token, datetime.now(UTC), once)
    match issued:
        case accounts.Issued():
            headers = {"Location": f"/v1/players/{issued.player}"} | (REPLAYED if issued.replayed else {})
            return json(schemas.Registered(issued.player, secret), status=201, headers=headers)
        case accounts.Spent():
            raise Problem("key-spent", "the token that this key was first answered with has been used or revoked")
        case KeyReused():
            raise KeyConflict


@get(
    "/players/{player:uuid}",
    operation_id="getPlayer",
    summary="A player's profile",
    description="The public profile and record of a player. An erased player has no name any more.",
    tags=["Players"],
    opt=guarded(guards.player_exists),
    responses=problems(404),
)
async def profile(request: Ask, player: PlayerId) -> Response[schemas.Player]:
    """One public profile."""
    assert request.exchange.player is not None, f"the guard has looked {player} up"  # noqa: S101 (for the type checker)
    (found,) = await _profiles(request.edge, [request.exchange.player])
    return json(found)


@get(
    "/players",
    operation_id="getPlayers",
    summary="Players' profiles",
    description="The public profiles and records of several players, in the order asked for; unknown ids are left out.",
    tags=["Players"],
    responses=problems(),
)
async def profiles(
    request: Ask,
    id_: Annotated[
        list[UUID],
        QueryParameter(name="id", min_items=1, max_items=MOST_PROFILES, description="A player's id; give several."),
    ],
) -> Response[schemas.Players]:
    """Several public profiles."""
    asked = list(dict.fromkeys(map(str, id_)))
    found = await request.edge.accounts.players(asked)
    return json(schemas.Players(await _profiles(request.edge, [found[player] for player in asked if player in found])))


@delete(
    "/players/me",
    operation_id="erasePlayer",
    summary="Erase one's profile",
    description="Erases the caller's name and revokes all tokens. Games that were played stay, under the id alone.",
    tags=["Players"],
    opt=guarded(guards.authenticated),
    status_code=204,
    security=[{"bearer": []}],
    responses=problems(),
)
async def erase(request: Ask) -> None:
    """Erases the caller's profile."""
    player = request.bearer.player
    await request.edge.accounts.erase(player, datetime.now(UTC))
    request.edge.bearers.forget_player(player)


async def _profiles(edge: Edge, found: Sequence[accounts.PlayerProfile]) -> tuple[schemas.Player, ...]:
    records: Sequence[Any] = [None] * len(found)
    try:
        if found:
            records = [msgspec.Raw(record) for record in await edge.reads.models.record([one.id for one in found])]
    except ReadModelsUnavailable:
        # A name is worth having without a record.
        pass
    return tuple(
        schemas.Player(one.id, one.name, one.created_at, one.erased_at is not None, record)
        for one, record in zip(found, records, strict=True)
    )


HANDLERS = (register, profile, profiles, erase)
