"""Who may do what: every operation of the document, called by everyone there is.

A row is an operation; its cells are the statuses that the callers are answered with, in the order of `CALLERS`. A
request is right in all but its caller. An operation of the document without a row fails.
"""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec import Struct

from tests.contract.conftest import Caller, deal_over, next_of, opened, register, seated, with_scopes
from tests.contract.test_lists import services, until_listed
from tests.support.judging import body_of

__all__ = ["services"]

SPECIFICATION = Path(__file__).parents[2] / "api-spec"
DOCUMENT = json.loads((SPECIFICATION / "openapi.json").read_text())
RECORD = SPECIFICATION / "examples" / "records" / "crocodile-casco.ndjson"
METHODS = ("get", "post", "put", "patch", "delete")
OPERATIONS = {
    operation["operationId"]: (method.upper(), path)
    for path, item in DOCUMENT["paths"].items()
    for method, operation in item.items()
    if method in METHODS
}

CALLERS = ("anonymous", "stranger", "seat", "arbiter", "admin", "erased", "revoked")
"""Without a token; with one of `play`, beside the table and at it; with one of `arbiter` or `admin` alone; with tokens
that are valid no more."""

EVERYONE = "200 200 200 200 200 200 200"
"""No token is looked at."""
READERS = "200 200 200 200 200 401 401"
"""A token is not needed, but one that is sent must be valid."""
OWNERS = "401 200 200 200 200 401 401"
"""What is the caller's own."""

MATRIX = {
    "getLiveness": EVERYONE,
    "getReadiness": EVERYONE,
    "listGames": READERS,
    "getGame": READERS,
    "scoreDeal": READERS,
    "judgeDeals": READERS,
    "checkRecord": READERS,
    "listBots": READERS,
    "getLeaderboard": READERS,
    "getCheckpoint": READERS,
    "getLogKeys": READERS,
    "getConsistencyProof": READERS,
    "getInclusionProof": READERS,
    "getOpenApi": READERS,
    "getAsyncApi": READERS,
    "getGenericOpenApi": READERS,
    "getGenericAsyncApi": READERS,
    "getGameOpenApi": READERS,
    "getGameAsyncApi": READERS,
    "getPlayers": READERS,
    "getPlayer": READERS,
    "getPlayerLedger": READERS,
    "getPlayerRecords": "200 200 200 200 200 401 401",
    "listTables": READERS,
    "listAllDisputes": READERS,
    "listArchivedDeals": READERS,
    "getGameStatistics": READERS,
    "getTable": READERS,
    "auditDeal": READERS,
    "getDealFacts": READERS,
    "listDisputes": READERS,
    "getDispute": READERS,
    "listEvents": READERS,
    "exportTable": READERS,
    "getTableLedger": READERS,
    "getOffers": READERS,
    "getReplayRange": READERS,
    "getReplay": READERS,
    "getReplayDrawing": READERS,
    "getScoresDrawing": READERS,
    "streamEvents": READERS,
    "listInvitations": "401 403 200 403 403 401 401",
    "revokeInvitation": "401 403 404 403 403 401 401",
    "getPresence": READERS,
    "streamLobby": READERS,
    "streamPlayer": OWNERS,
    "getMe": OWNERS,
    "listTokens": OWNERS,
    "getToken": OWNERS,
    "listWebhooks": OWNERS,
    "getWebhook": OWNERS,
    "listWebhookDeliveries": OWNERS,
    "addWebhook": "401 201 201 403 403 401 401",
    "changeWebhook": "401 200 200 403 403 401 401",
    "rotateWebhook": "401 200 200 403 403 401 401",
    "replayWebhook": "401 202 202 403 403 401 401",
    "removeWebhook": "401 204 204 403 403 401 401",
    "registerPlayer": "201 201 201 201 201 401 401",
    "recoverPlayer": "403 403 403 403 403 401 401",
    "renamePlayer": OWNERS,
    "addToken": "401 201 201 201 201 401 401",
    "rotateToken": "401 200 200 403 403 401 401",
    "authorizeClient": "401 200 200 403 403 401 401",
    "offerHandover": "401 200 200 403 403 401 401",
    # A wrong code needs no token, and none helps.
    "claimHandover": "403 403 403 403 403 401 401",
    "openTable": "401 201 201 403 403 401 401",
    "invite": "401 403 201 403 403 401 401",
    # The game is not over: who may ask is told so.
    "rematch": "401 403 409 403 403 401 401",
    "leaveSeat": "401 403 200 403 403 401 401",
    "takeSeat": "401 201 201 403 403 401 401",
    # A player sits there: who may remove bots is told so.
    "removeBot": "401 403 404 403 403 401 401",
    "closeTable": "401 403 200 403 403 401 401",
    "act": "401 403 201 403 403 401 401",
    "openDispute": "401 403 201 403 403 401 401",
    "proposeEnd": "401 403 200 403 403 401 401",
    "abandonSeat": "401 403 200 403 403 401 401",
    "ruleOnDispute": "401 403 403 201 403 401 401",
    "report": "401 204 204 204 204 401 401",
    "revokeToken": "401 204 204 204 204 401 401",
    "erasePlayer": "401 204 204 204 204 401 401",
}
"""In the order of calls: what is needed later is erased last."""


class Scene(Struct):
    """A table with two deals over, the first of them disputed, and a third begun; another that waits; and a caller."""

    playing: str
    waiting: str
    acting: dict[str, Any]
    """An action that the seat on turn may take."""
    line: dict[str, Any]
    words: int
    """The version of the event that opened the dispute."""
    player: str
    token: str
    """The id of a token that the caller does not use."""
    webhook: str
    """The id of a webhook of the caller's."""
    caller: Caller


def test_every_operation_of_the_document_has_a_row() -> None:
    assert MATRIX.keys() == OPERATIONS.keys()


@pytest.mark.parametrize("kind", CALLERS)
async def test_each_caller_may_do_what_the_matrix_says(kind: str, three: list[Caller], dsn: str) -> None:
    scene = await scene_of(kind, three, dsn)
    column = CALLERS.index(kind)
    due = {operation: int(row.split()[column]) for operation, row in MATRIX.items()}
    answers = {operation: await called(operation, scene) for operation in MATRIX}
    assert {operation: answer.status_code for operation, answer in answers.items()} == due
    for operation, answer in answers.items():
        if answer.status_code in (401, 403):
            assert answer.headers["content-type"] == "application/problem+json", operation


async def scene_of(kind: str, three: list[Caller], dsn: str) -> Scene:
    """The scene, with a caller of this kind. The caller with a seat is the first to act in the third deal."""
    playing = await seated(three)
    for _ in range(2):
        await deal_over(three, playing)
    booked = (await three[0].get(f"/tables/{playing}/ledger")).json()["lines"]
    first, last = ({"version": line["version"], "line": 0} for line in (booked[0], booked[-1]))
    disputed = {"lines": [first], "reason": "It was mine."}
    raised = await three[0].post(f"/tables/{playing}/disputes", disputed)
    assert raised.status_code == 201
    seat, on_turn = await next_of(three, playing)
    waiting = await opened(on_turn)
    assert (await on_turn.post(f"/tables/{waiting}/seats", {"seat": seat})).status_code == 201
    caller = on_turn if kind == "seat" else await register(three[0].http, "Zoe")
    spare = (await caller.post("/tokens", {})).json()["id"]
    webhook = (await caller.post("/webhooks", {"url": "https://bot.example/"})).json()["id"]
    caller = await of_kind(kind, caller, dsn)
    await until_listed(three[0], playing)
    return Scene(
        playing=playing,
        waiting=waiting,
        acting={"type": "pass"},
        line=last,
        words=raised.json()["version"],
        player=caller.player,
        token=spare,
        webhook=webhook,
        caller=caller,
    )


async def of_kind(kind: str, caller: Caller, dsn: str) -> Caller:
    """The player with a token of this kind."""
    match kind:
        case "anonymous":
            return Caller(caller.http, caller.player, "")
        case "arbiter" | "admin":
            return await with_scopes(dsn, caller, kind)
        case "erased":
            assert (await caller.delete("/players/me")).status_code == 204
        case "revoked":
            (own,) = [one for one in (await caller.get("/tokens")).json()["items"] if one["current"]]
            assert (await caller.delete(f"/tokens/{own['id']}")).status_code == 204
    return caller


async def called(operation: str, scene: Scene) -> httpx.Response:
    """The answer to the operation, called with what it needs."""
    method, path = OPERATIONS[operation]
    bodies: dict[str, object] = {
        "registerPlayer": {"name": "Xaver"},
        "recoverPlayer": {"player": scene.player, "recovery_secret": "codille_recovery_guessed_by_somebody"},
        "renamePlayer": {"name": "Zoë"},
        "addToken": {},
        "rotateToken": {},
        "claimHandover": {"code": "AAAAAAAA"},
        "authorizeClient": {
            "client_id": "https://client.example/in",
            "redirect_uri": "https://client.example/in",
            "scopes": ["seat"],
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWBuGJSstw-cM",
        },
        "addWebhook": {"url": "https://bot.example/"},
        "changeWebhook": {"name": "mine"},
        "rotateWebhook": {},
        "replayWebhook": {"after": 0},
        "openTable": {"game": "crocodile"},
        "scoreDeal": {"facts": {"ended": "conceded", "declarer": 0, "contract": "casco"}},
        "judgeDeals": body_of("crocodile"),
        "takeSeat": {},
        "rematch": {},
        "act": scene.acting,
        "openDispute": {"lines": [scene.line], "reason": "It was not."},
        "proposeEnd": {"agree": True},
        "report": {"about": f"event:{scene.playing}/{scene.words}"},
        "ruleOnDispute": {"ruling": "rejected", "text": "It stands."},
    }
    files = {"checkRecord": RECORD.read_bytes()}
    queries = {
        "getConsistencyProof": {"first": 1, "second": 2},
        "getLeaderboard": {"game": "crocodile"},
        "getInclusionProof": {"position": 1, "size": 2},
        "getPlayers": {"id": scene.player},
        "getReplayRange": {"from": 1, "to": 2},
    }
    table = scene.waiting if operation in ("takeSeat", "leaveSeat", "closeTable") else scene.playing
    values = {
        "table": table, "player": scene.player, "token": scene.token, "game": "crocodile", "deal": 1, "dispute": 1,
        "version": 3, "webhook": scene.webhook, "invitation": scene.webhook, "seat": 1,
    }  # fmt: skip
    headers = {"Authorization": f"Bearer {scene.caller.token}"} if scene.caller.token else {}
    if operation in files:
        headers["Content-Type"] = "application/x-ndjson"
    if operation.startswith("stream"):
        # The whole answer would never come.
        method = "HEAD"
    return await scene.caller.http.request(
        method,
        path.format_map(values),
        headers=headers,
        params=queries.get(operation),
        json=bodies.get(operation),
        content=files.get(operation),
    )
