"""A client that a player lets in: its requests of OAuth (RFC 6749 and 7636), written apart from the service."""

import base64
import hashlib
import secrets
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx

CLIENT = "https://client.example/in"


class AskingClient:
    """One login of a client: its verifier and what it asks for."""

    def __init__(
        self, http: httpx.AsyncClient, scope: str = "read", client_id: str = CLIENT, redirect_uri: str | None = None
    ) -> None:
        self.http = http
        self.scope = scope
        self.client_id = client_id
        self.redirect_uri = redirect_uri or client_id
        self.verifier = secrets.token_urlsafe(32)

    @property
    def challenge(self) -> str:
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")

    def query(self, **others: str | None) -> str:
        """The query of the authorization request; None leaves a field out."""
        fields: dict[str, str | None] = {
            "response_type": "code",
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scope": self.scope,
            "state": "s7",
            "code_challenge": self.challenge,
            "code_challenge_method": "S256",
        }
        return urlencode({name: value for name, value in (fields | others).items() if value is not None})

    async def consent(self, token: str, **others: object) -> httpx.Response:
        """The player's consent, with the player's token, as the page sends it."""
        body = {
            "client_id": self.client_id,
            "redirect_uri": self.redirect_uri,
            "scopes": self.scope.split(),
            "code_challenge": self.challenge,
        }
        headers = {"Authorization": f"Bearer {token}"}
        return await self.http.post("/v1/tokens/authorize", json=body | others, headers=headers)

    async def code(self, token: str, **others: object) -> str:
        answer = await self.consent(token, **others)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["code"])

    async def exchange(self, code: str, /, **others: str | None) -> httpx.Response:
        """The token request; None leaves a field out."""
        fields: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.redirect_uri,
            "client_id": self.client_id,
            "code_verifier": self.verifier,
        }
        form: dict[str, Any] = {name: value for name, value in (fields | others).items() if value is not None}
        return await self.http.post("/oauth/token", data=form)

    async def token(self, by: str, **others: object) -> str:
        """The client's token, which the player with the token `by` lets it have."""
        answer = await self.exchange(await self.code(by, **others))
        assert answer.status_code == 200, answer.text
        return str(answer.json()["access_token"])

    async def revoke(self, token: str, **others: str) -> httpx.Response:
        return await self.http.post("/oauth/revoke", data={"token": token, "client_id": self.client_id} | others)


def sent_back(url: str, player: str) -> str:
    """Where the browser of the player with this token is sent, once the button of the page at this URL is pressed."""
    service, _, query = url.partition("/authorize?")
    asked = dict(parse_qsl(query))
    assert (asked["response_type"], asked["code_challenge_method"]) == ("code", "S256")
    answer = httpx.post(
        f"{service}/v1/tokens/authorize",
        json={name: asked[name] for name in ("client_id", "redirect_uri", "code_challenge")}
        | {"scopes": asked["scope"].split(" ")},
        headers={"Authorization": f"Bearer {player}"},
        trust_env=False,
    )
    assert answer.status_code == 200, answer.text
    given = answer.json()
    fields = {"code": given["code"], "state": asked["state"], "iss": given["issuer"]}
    return f"{asked['redirect_uri']}?{urlencode(fields)}"
