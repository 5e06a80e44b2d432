"""Players: registration and recovery, profiles with records, renaming, and erasure."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from litestar import Response
from msgspec.structs import replace

from projections.models import ReadModelsUnavailable
from service.auth.names import MAX_NAME, enforced_name, look, pretends, skeleton
from service.auth.scopes import REGISTERED
from service.auth.secrets import RECOVERY_PREFIX, mint_secret, mint_token
from service.commands.handler import KeyConflict
from service.http import account_schemas as schemas
from service.http import guards
from service.http.examples import PLAYERS, RECOVERY_SECRET, REGISTERED_AT, SECRET, TOKEN, Sample
from service.http.forms import NAME
from service.http.operation import operation
from service.http.operations.tables import table_summary
from service.http.operations.tokens import SPENT, forget_tokens
from service.http.parameters import query
from service.http.problems import Problem, invalid_field, invalid_query, unauthenticated
from service.http.request import Request
from service.http.responses import json
from service.moments import new_id
from service.store import accounts
from service.store.store import KeyReused

MOST_PROFILES = 200
MOST_TABLES = 200
MOST_ALIKE = 20

THIS_PLAYER = {"player": "$response.body#/player"}
REGISTERED_EXAMPLE = {"player": PLAYERS[0], "token": TOKEN, "recovery_secret": RECOVERY_SECRET}


@operation(
    "POST",
    "/v1/players",
    tag="Players",
    summary="Register a player",
    description="Registers a player, with a first token of the scope `play` and a recovery secret that replaces lost "
    "tokens. Only this response has them. If the response is lost, the same request with the same `Idempotency-Key` "
    "and the same `secret` returns new ones instead, as long as the first token has not been used. Without a `secret`, "
    "a key that was used before is refused, since an address identifies nobody.",
    answers="The player is registered.",
    status=201,
    cost=4,
    records="registrations",
    guards=(guards.registration_open,),
    headers=("Idempotency-Key",),
    body=schemas.Registration,
    problems=("key-spent",),
    links=(("profile", "getPlayer", THIS_PLAYER), ("statement", "getPlayerLedger", THIS_PLAYER)),
    requests=lambda _: {"a name": {"name": "Ada"}, "a name and a secret": {"name": "Ada", "secret": SECRET}},
    example=lambda _: REGISTERED_EXAMPLE,
)
async def register_player(request: Request) -> Response[schemas.Registered]:
    """Registers a player with a first token.

    Raises Problem for an invalid name, and Problem or KeyConflict if the key cannot be used again.
    """
    name = _name(request)
    (secret, token), (recovery_secret, recovery) = mint_token(REGISTERED), mint_secret(RECOVERY_PREFIX)
    proved = request.body.proof is not None
    match issued := await request.services.players.accounts.register(
        new_id(), name, token, datetime.now(UTC), request.receipt, recovery=recovery, renewable=proved, look=look(name)
    ):
        case accounts.Issued():
            return _registered(issued, secret, recovery_secret)
        case accounts.Spent():
            raise Problem("key-spent", SPENT if proved else _UNPROVED)
        case KeyReused():
            raise KeyConflict


_UNPROVED = (
    "a player was registered with this key, and without a secret the token is not given again: register with another "
    "key, and with a secret"
)


@operation(
    "POST",
    "/v1/players/recovery",
    tag="Players",
    summary="Recover a player",
    description="Replaces all tokens of the player, which are revoked, by a new one with the scope `play`, and the "
    "recovery secret by a new one. What the tokens made ends with them: webhooks, invitations and the code for another "
    "device. Whoever sits at a table stays seated. If the response is lost, the same request returns new ones again, "
    "as long as the new token has not been used. Needs no token.",
    answers="The player has one token.",
    status=201,
    cost=4,
    headers=("Idempotency-Key",),
    body=schemas.Recovery,
    problems=("invalid-recovery", "key-spent"),
    links=(("profile", "getPlayer", THIS_PLAYER), ("statement", "getPlayerLedger", THIS_PLAYER)),
    requests=lambda _: {"the secret": {"player": PLAYERS[0], "recovery_secret": RECOVERY_SECRET}},
    example=lambda _: REGISTERED_EXAMPLE,
)
async def recover_player(request: Request) -> Response[schemas.Registered]:
    """Ends all tokens of a player and what they made in every process. Returns a new token and recovery secret.

    Raises Problem if no player has this id and this secret, and Problem or KeyConflict if the key cannot be used again.
    """
    services, player = request.services, str(request.body.player)
    (secret, token), (recovery_secret, recovery) = mint_token(REGISTERED), mint_secret(RECOVERY_PREFIX)
    match issued := await services.players.accounts.recover(
        player, request.body.recovery_secret, token, recovery, datetime.now(UTC), request.receipt
    ):
        case accounts.Issued():
            forget_tokens(services, player)
            return _registered(issued, secret, recovery_secret)
        case accounts.Spent():
            raise Problem("key-spent", SPENT)
        case accounts.UnknownPlayer():
            raise Problem("invalid-recovery", "no player has this id and this recovery secret")
        case KeyReused():
            raise KeyConflict


def _example(sample: Sample) -> Any:
    table = sample.played.history(sample.played.version).table
    count = {"games": 1, "wins": int(0 in (table.winners or ()))}
    by_game = [{"game": table.game, "total": table.totals[0]} | count]
    return {
        "player": PLAYERS[0],
        "name": "Ada",
        "skeleton": skeleton("Ada"),
        "created_at": REGISTERED_AT,
        "erased": False,
        "record": count | {"by_game": by_game},
    }


@operation(
    "GET",
    "/v1/players/{player:uuid}",
    tag="Players",
    summary="A player's profile",
    description="The public profile and record of a player. An erased player has no name. Games at unlisted and "
    "private tables count only in the record that the player's own token gets.",
    answers="The profile.",
    cost=2,
    guards=(guards.player_exists,),
    client_scope="any",
    example=_example,
)
async def get_player(request: Request) -> Response[schemas.PublicPlayer]:
    """The profile of one player, with the record if the read models are available."""
    (profile,) = await _with_records(request, [request.profile] if request.profile else [])
    return json(profile)


@operation(
    "GET",
    "/v1/players",
    tag="Players",
    summary="Players' profiles",
    description="The public profiles and records of several players, without unknown ids; or of those whose names look "
    f"like `name`, which have the same `skeleton`: at most {MOST_ALIKE}, in order of their ids.",
    answers="The profiles.",
    cost=3,
    client_scope="any",
    example=lambda sample: {"items": [_example(sample)]},
)
async def get_players(
    request: Request,
    id_: Annotated[
        list[UUID] | None,
        query("id", "A player's id; may be repeated.", [PLAYERS[0]], min_items=1, max_items=MOST_PROFILES),
    ] = None,
    name: Annotated[
        str | None, query("name", "In place of ids: the name.", min_length=1, max_length=MAX_NAME, pattern=NAME)
    ] = None,
) -> Response[schemas.Players]:
    """The profiles of several players, with their records if the read models are available. Raises Problem."""
    stored = request.services.players.accounts
    if (id_ is None) == (name is None):
        raise invalid_query("id", "is missing, and so is name" if name is None else "must not be given beside name")
    if name is not None:
        try:
            alike = await stored.alike(look(enforced_name(name)), MOST_ALIKE)
        except ValueError as error:
            raise invalid_query("name", str(error)) from None
        return json(schemas.Players(await _with_records(request, alike)))
    ids = list(dict.fromkeys(map(str, id_ or ())))
    known = await stored.players(ids)
    return json(schemas.Players(await _with_records(request, [known[one] for one in ids if one in known])))


def _own_example(sample: Sample) -> Any:
    playing = replace(table_summary(sample.played, sample.played.version), status="playing", winners=None)
    return {"player": PLAYERS[0], "name": "Ada", "scopes": ["play"], "tables": [playing]}


@operation(
    "GET",
    "/v1/players/me",
    tag="Players",
    summary="The caller",
    description="The token's player and scopes, and the tables at which the player is playing.",
    answers="The caller.",
    cost=3,
    guards=(guards.authenticated,),
    client_scope="read",
    links=(("profile", "getPlayer", THIS_PLAYER), ("statement", "getPlayerLedger", THIS_PLAYER)),
    example=_own_example,
)
async def get_me(request: Request) -> Response[schemas.OwnProfile]:
    """The caller, with the running tables if the read models are available."""
    services, player = request.services, request.player
    profile = await services.players.accounts.player(player)
    tables: tuple[Any, ...] | None = None
    # Without read models the profile has no tables.
    with suppress(ReadModelsUnavailable):
        listed = await services.edge.queries.models.tables(status="playing", player=player, own=True, limit=MOST_TABLES)
        tables = tuple(map(msgspec.Raw, listed.items))
    scopes = request.bearer.scopes if request.bearer else ()
    return json(schemas.OwnProfile(player, profile.name if profile else None, scopes, tables))


@operation(
    "PATCH",
    "/v1/players/me",
    tag="Players",
    summary="Rename the caller",
    description="Gives the caller a new name, which past tables show too, since records hold ids instead of names.",
    answers="The profile with the new name.",
    cost=4,
    guards=(guards.authenticated,),
    body=schemas.Renaming,
    links=(("profile", "getPlayer", THIS_PLAYER), ("statement", "getPlayerLedger", THIS_PLAYER)),
    requests=lambda _: {"a name": {"name": "Ada"}},
    example=_example,
)
async def rename_player(request: Request) -> Response[schemas.PublicPlayer]:
    """Gives the caller another name. Raises Problem for an invalid name, and if the profile is erased."""
    services, player = request.services, request.player
    name = _name(request)
    if not await services.players.accounts.rename(player, name, look(name)):
        raise unauthenticated("the player is erased", presented=True)
    known = await services.players.accounts.players([player])
    (profile,) = await _with_records(request, tuple(known.values()))
    return json(profile)


@operation(
    "DELETE",
    "/v1/players/me",
    tag="Players",
    summary="Erase the caller's profile",
    description="Erases the caller's name, and ends all tokens and what they made: webhooks, invitations and the code "
    "for another device. The games stay on record under the player's id, and so does what the player wrote: talk, "
    "reasons of disputes and texts of rulings. With `words=true` the operator is asked to erase it from all records, "
    "which say so then. This needs a token from registration or recovery without an expiry: a token that was added by "
    "another one, or that expires, cannot erase the player.",
    answers="The profile is erased.",
    status=204,
    cost=4,
    guards=(guards.authenticated,),
    problems=("lesser-token",),
)
async def erase_player(
    request: Request,
    words: Annotated[
        Literal["true", "false"],
        query("words", "Whether the operator is asked to erase what the player wrote.", "true"),
    ] = "false",
) -> None:
    """Erases the caller's name, and ends all tokens and what they made in every process.

    Raises LesserToken, and Problem if the token in use was revoked.
    """
    player, bearer = request.player, guards.bearer(request)
    at, asked = datetime.now(UTC), words == "true"
    if not await request.services.players.accounts.erase(player, at, by=bearer.token, words=asked):
        raise unauthenticated("the player is erased, or the token in use was revoked", presented=True)
    forget_tokens(request.services, player)


def _name(request: Request) -> str:
    """The name in the body, in its stored form. Raises Problem for an invalid name, and for one that pretends."""
    try:
        name = enforced_name(request.body.name)
    except ValueError as error:
        raise invalid_field("/name", str(error)) from None
    if pretends(name):
        raise invalid_field("/name", "must not look like a name of the house, a bot, its level or a seat")
    return name


def _registered(issued: accounts.Issued, secret: str, recovery_secret: str) -> Response[schemas.Registered]:
    registered = schemas.Registered(issued.player, secret, recovery_secret)
    return json(registered, status=201, location=f"/v1/players/{issued.player}", replayed=issued.replayed)


async def _with_records(
    request: Request, profiles: Sequence[accounts.PlayerProfile]
) -> tuple[schemas.PublicPlayer, ...]:
    """The profiles with their records; the caller's own record includes unlisted and private tables."""
    records: Sequence[Any] = [None] * len(profiles)
    try:
        if profiles:
            models, ids = request.services.edge.queries.models, [one.id for one in profiles]
            records = [msgspec.Raw(one) for one in await models.record(ids, own=request.player or None)]
    except ReadModelsUnavailable:
        # Without read models the profiles have no records.
        pass
    return tuple(
        schemas.PublicPlayer(
            one.id, one.name, one.name and skeleton(one.name), one.created_at, one.erased_at is not None, record
        )
        for one, record in zip(profiles, records, strict=True)
    )
