"""Clients that a player lets in, and those who would like to be one: codes that are stolen, bent redirects, scopes."""

import base64
import hashlib
import re
import secrets
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import httpx

from tests.lab.attack.callers import player
from tests.lab.attack.target import NotTried, Result, Target

CLIENT = "https://client.example/in"
RIVAL = "https://rival.example/in"
BENT = (
    f"{CLIENT}?to=https://rival.example/", "https://client.example/~rival", RIVAL, f"{CLIENT}#x", f"{CLIENT}/", "",
    "https://client.example@rival.example/in", "https://client.example/%2569n", "https://client.example/x/../in",
    "https://client.example\\@rival.example/in", "http://client.example/in", "javascript:alert(1)",
    "http://127.0.0.1:1/in",
)  # fmt: skip
"""Redirects that are not the client's."""
ODD = re.compile(r"https://(client|rival)\.example/[~a-z/]*$")
"""Matches what would be a client by itself."""
PLAIN: Mapping[str, str] = {"code_challenge_method": "plain"}
REFUSED = (PLAIN, {"prompt": "none"}, {"response_type": "token"}, {"scope": "play"}, {"scope": "read arbiter"})
"""What no page grants."""
ANY_ID = "01970000-0000-7000-8000-000000000001"
MANY = 120
"""So many codes of one player are more than are given."""


async def redirects_bent(target: Target, _: float) -> Result:
    """Requests for another redirect, or for what is not granted: the page has no way to consent, and leads nowhere."""
    held = 0
    async with await player(target) as owner:
        bent = [{"redirect_uri": uri} for uri in BENT]
        bent += [{"redirect_uri": uri, "client_id": uri} for uri in BENT if not ODD.match(uri)]
        for fields in (*bent, *REFUSED):
            answer = await owner.get(f"/authorize?{urlencode(_asked(secrets.token_urlsafe(32)) | fields)}")
            held += answer.status_code == 200 and "</html>" in answer.text and 'id="yes"' not in answer.text
        for fields in bent:
            wanted = {"client_id": CLIENT, "redirect_uri": CLIENT} | fields
            answer = await owner.post("/v1/tokens/authorize", json=_consent(secrets.token_urlsafe(32)) | wanted)
            held += answer.status_code == 422
        await owner.delete("/v1/players/me")
    return Result(2 * len(bent) + len(REFUSED), held, "no way to consent")


async def codes_stolen(target: Target, _: float) -> Result:
    """A code without its verifier, of another client, for another redirect, twice, and after its player is erased."""
    verifier = secrets.token_urlsafe(32)
    tries: list[Mapping[str, str]] = [
        {"code_verifier": secrets.token_urlsafe(32)}, {"code_verifier": verifier[:42]}, {"code_verifier": ""},
        {"client_id": RIVAL}, {"client_id": RIVAL, "redirect_uri": RIVAL}, {"redirect_uri": RIVAL},
        {"grant_type": "password"}, {"code": f"{secrets.token_urlsafe(32)}"},
    ]  # fmt: skip
    held = 0
    async with await player(target) as owner, target.http() as thief:
        for fields in tries:
            held += _refused(await _exchanged(thief, await _code(owner, verifier), verifier, fields))
        code = await _code(owner, verifier)
        given = (await _exchanged(thief, code, verifier)).json()
        held += _refused(await _exchanged(thief, code, verifier))
        async with target.http(given["access_token"]) as client:
            held += (await client.get("/v1/players/me")).status_code == 401
        code = await _code(owner, verifier)
        await owner.delete("/v1/players/me")
        held += _refused(await _exchanged(thief, code, verifier))
    return Result(len(tries) + 3, held, "no token for it")


async def clients_beyond(target: Target, _: float) -> Result:
    """A client that may read alone tries every operation that needs more of it, and one that is for no client."""
    verifier = secrets.token_urlsafe(32)
    async with await player(target) as owner:
        answer = await _exchanged(owner, await _code(owner, verifier, scopes=["read"]), verifier, bare=True)
        async with target.http(answer.json()["access_token"]) as client:
            document: Any = (await client.get("/v1/openapi/generic.json")).json()
            tried = [
                (method, re.sub(r"\{(version|deal|dispute|seat)\}", "1", path).replace("{game}", "crocodile"))
                for path, methods in document["paths"].items()
                for method, operation in methods.items()
                if path.startswith("/v1/") and not _allows(operation.get("security", []))
            ]
            answers = [
                await client.request(method, re.sub(r"\{\w+\}", ANY_ID, path), json={}) for method, path in tried
            ]
        held = sum(
            one.status_code == 403 and "insufficient_scope" in one.headers["www-authenticate"] for one in answers
        )
        held += (await owner.delete("/v1/players/me")).status_code == 204
    return Result(len(tried) + 1, held, "insufficient_scope")


async def codes_hoarded(target: Target, _: float) -> Result:
    """More codes than a player has clients: from some number on they are refused."""
    async with await player(target) as owner:
        statuses = [
            (await owner.post("/v1/tokens/authorize", json=_consent(secrets.token_urlsafe(32)))).status_code
            for _ in range(MANY)
        ]
        await owner.delete("/v1/players/me")
    return Result(1, int(statuses[-1] == 409), f"{statuses.count(200)} were given")


def _allows(security: list[dict[str, list[str]]]) -> bool:
    """Whether a client that may read may call it."""
    return any(set(one["authorization_code"]) <= {"read"} for one in security if "authorization_code" in one)


def _challenge(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def _asked(verifier: str) -> dict[str, str]:
    return {
        "response_type": "code", "client_id": CLIENT, "redirect_uri": CLIENT, "scope": "read", "state": "s",
        "code_challenge": _challenge(verifier), "code_challenge_method": "S256",
    }  # fmt: skip


def _consent(verifier: str, **others: object) -> dict[str, object]:
    asked = {"client_id": CLIENT, "redirect_uri": CLIENT, "scopes": ["read"], "code_challenge": _challenge(verifier)}
    return asked | others


async def _code(owner: httpx.AsyncClient, verifier: str, **others: object) -> str:
    """A code of the owner's. Raises NotTried where no client can be let in."""
    answer = await owner.post("/v1/tokens/authorize", json=_consent(verifier, **others))
    if answer.status_code == 404:
        raise NotTried("no client can be let in: CODILLE_PUBLIC_URL is not set")
    answer.raise_for_status()
    return str(answer.json()["code"])


async def _exchanged(
    client: httpx.AsyncClient, code: str, verifier: str, fields: Mapping[str, str] | None = None, *, bare: bool = False
) -> httpx.Response:
    """The answer to the token request; `bare` sends it without the caller's own token."""
    form = {
        "grant_type": "authorization_code", "code": code, "redirect_uri": CLIENT, "client_id": CLIENT,
        "code_verifier": verifier,
    }  # fmt: skip
    request = client.build_request("POST", "/oauth/token", data=form | dict(fields or {}))
    if bare:
        del request.headers["Authorization"]
    return await client.send(request)


def _refused(answer: httpx.Response) -> bool:
    return answer.status_code == 400 and "access_token" not in answer.text
