"""Tables among friends: invitations, and another game of the same players."""

from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID

import msgspec
from litestar import Response

from domain.kernel.rejection import Code
from domain.kernel.table_view import TableView
from domain.opponents import VERSION
from domain.seats import Bot, seat_audience
from domain.table.actions import BotSeat, TakeSeat
from domain.table.events import Rematch
from service.auth.secrets import INVITATION_PREFIX, mint_secret
from service.http import guards, schemas
from service.http.examples import DAY, ENTROPY, INVITATION, INVITATION_ID, PLAYERS, TABLE
from service.http.operation import operation
from service.http.operations.tables import OF_TABLE, PLAYING, THIS_TABLE, count_bots
from service.http.problems import Problem, unauthenticated
from service.http.request import Request
from service.http.responses import json
from service.store.invitations import MOST, id_of
from service.store.store import Receipt


@operation(
    "POST",
    "/v1/tables/{table:uuid}/invitations",
    tag="Tables",
    summary="Invite to a table",
    description="Makes an invitation, with which anybody may see a private table and sit there: as `?invite=` in every "
    "request about the table. Only this response has it. The table's opener and its players may invite, and revoke "
    "invitations. A table may have 50 at a time. A request repeated with its `Idempotency-Key` returns another "
    "invitation, since only a hash of the first is stored; both are valid. An invitation ends with the token that made "
    "it.",
    answers="The invitation is valid.",
    status=201,
    cost=4,
    guards=(*PLAYING, guards.may_invite),
    client_scope="seat",
    headers=("Idempotency-Key",),
    body=schemas.InvitationRequest,
    problems=("too-many-invitations",),
    links=(
        ("table", "getTable", {"table": "$response.body#/table", "invite": "$response.body#/invitation"}),
        ("revoke", "revokeInvitation", {"table": "$response.body#/table", "invitation": "$response.body#/id"}),
    ),
    requests=lambda _: {"an invitation": {}},
    example=lambda _: {"table": TABLE, "id": INVITATION_ID, "invitation": INVITATION},
)
async def invite(request: Request) -> Response[schemas.Invitation]:
    """Makes an invitation to the table. Raises Problem if there are too many, or if the token in use was revoked."""
    invitation, digest = mint_secret(INVITATION_PREFIX)
    scope = None if request.receipt is None else request.receipt.scope
    outcome = await request.services.players.invitations.add(
        request.table, digest, request.player, datetime.now(UTC), scope, by=guards.bearer(request).token
    )
    if outcome == "unknown":
        raise unauthenticated("the token in use was revoked", presented=True)
    if outcome == "too-many":
        raise Problem("too-many-invitations", f"a table may have {MOST} invitations")
    made = schemas.Invitation(request.table, id_of(digest), invitation)
    return json(made, status=201, location=f"/v1/tables/{request.table}", replayed=outcome == "repeated")


@operation(
    "GET",
    "/v1/tables/{table:uuid}/invitations",
    tag="Tables",
    summary="A table's invitations",
    description="The invitations to a table, without their secret texts: all of them for the table's opener, for a "
    "player at the table those that the player made.",
    answers="The invitations, oldest first.",
    cost=2,
    guards=(guards.authenticated, guards.table_exists, guards.may_invite),
    client_scope="seat",
    links=(
        ("revoke", "revokeInvitation", {"table": "$request.path.table", "invitation": "$response.body#/items/0/id"}),
    ),
    example=lambda _: {"items": [{"id": INVITATION_ID, "player": PLAYERS[0], "created_at": f"{DAY}T10:00:00Z"}]},
)
async def list_invitations(request: Request) -> Response[schemas.InvitationList]:
    """The invitations that the caller may revoke."""
    made = await request.services.players.invitations.of_table(request.table, datetime.now(UTC), await _only(request))
    items = tuple(schemas.OwnInvitation(one.id, one.player, one.created_at) for one in made)
    return json(schemas.InvitationList(items))


@operation(
    "DELETE",
    "/v1/tables/{table:uuid}/invitations/{invitation:uuid}",
    tag="Tables",
    summary="Revoke an invitation",
    description="Revokes an invitation that the caller made, or any if the caller opened the table. Players who sit at "
    "the table stay. Those who only watch a private table by it no longer may, and their streams end.",
    answers="The invitation is no longer valid.",
    status=204,
    cost=4,
    guards=(*PLAYING, guards.may_invite),
    client_scope="seat",
)
async def revoke_invitation(request: Request, invitation: UUID) -> None:
    """Revokes an invitation. Raises Problem if there is none with this id that the caller may revoke."""
    if not await request.services.players.invitations.revoke(request.table, str(invitation), await _only(request)):
        raise Problem("no-such-invitation", "the table has no invitation with this id that you may take back")


async def _only(request: Request) -> str | None:
    """The player whose invitations the caller may see and revoke; None for all of them, if the caller is the opener."""
    state = (await request.services.tables.cache.current(request.table)).table
    return None if request.player == state.opener else request.player


@operation(
    "POST",
    "/v1/tables/{table:uuid}/rematch",
    tag="Tables",
    summary="Play the same again",
    description="Takes the caller's seat at the rematch of a finished game: a table of the same game, options and "
    "players, with every player one seat further on. The first player's request opens it, with the same bots; seats "
    "are kept for the others, and the game starts when all have taken theirs. A table has one rematch.",
    answers="The seat is taken.",
    status=201,
    cost=8,
    records="tables",
    guards=(*PLAYING, guards.seated, guards.game_finished),
    client_scope="seat",
    headers=("Idempotency-Key",),
    body=schemas.RematchRequest,
    problems=("already-seated", "already-started", "table-full", "table-closed", "table-finished", "rule-violation"),
    links=(
        ("offers", "getOffers", THIS_TABLE),
        ("leave", "leaveSeat", THIS_TABLE),
        *((name, name, THIS_TABLE) for name in OF_TABLE if name != "getOffers"),
    ),
    requests=lambda _: {"at once": {}, "with entropy": {"entropy": ENTROPY}},
    example=lambda sample: sample.played.view(2, seat_audience(0)),
)
async def rematch(request: Request) -> Response[TableView]:
    """Takes the caller's seat at the table's rematch, and opens it for the first player. Raises Refused."""
    services = request.services
    before = (await services.tables.cache.current(request.table)).table
    game = services.reader.games[before.game]
    # In the form of the game's newest rules.
    try:
        options = msgspec.convert(msgspec.to_builtins(before.options), game.options)
    except msgspec.ValidationError:
        raise Problem(Code.RULE_VIOLATION, "the game has other options now") from None
    players = tuple(player for player in before.players if player is not None)
    # All players share one receipt, so that each gets the table that the first of them opened.
    bots = tuple(
        BotSeat((seat + 1) % len(players), players[seat], Bot(seated.bot.level, VERSION))
        for seat, seated in sorted(before.opponents.items())
    )
    await count_bots(request, len(bots))
    once = Receipt(sha256(f"rematch of {before.table}".encode()).digest(), bytes(32))
    opened = await services.tables.commands.open(
        request.player,
        game,
        before.deals,
        options,
        once,
        before.table_options,
        Rematch(before.table, (players[-1], *players[:-1])),
        bots,
    )
    entropy = None if request.body.entropy is None else bytes.fromhex(request.body.entropy)
    result = await services.tables.commands.handle(
        opened.table, TakeSeat(request.player, None, entropy), receipt=request.receipt
    )
    view = await services.edge.queries.view_at(opened.table, result.records[-1].version, result.records[0].actor)
    return json(view.body, status=201, location=f"/v1/tables/{opened.table}", replayed=result.replayed)
