"""Logging in: the player lets this program in, on a page of the service, in the browser.

OAuth's authorization code with PKCE (RFC 6749, 4.1; 7636; 9207) for a program on the player's computer (RFC 8252, 7.3).
"""

from __future__ import annotations

import asyncio
import re
import sys
import time
import webbrowser
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import Thread
from typing import Any, TypeAlias
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from codille_client.problems import Forged, Problem, Unreachable

from .http import AGENT, LOST, READ_S, Http, refusal
from .operations import ClientOperations

PAUSE_S = 0.05

Show: TypeAlias = Callable[[str], object]
"""Has the player's browser open an address."""


def browse(url: str) -> None:
    """Prints the address, as there may be no browser here, and opens it."""
    print(f"Log in at {url}", file=sys.stderr, flush=True)
    webbrowser.open(url)


class ClientLogin(ClientOperations):
    """A client whose player can log in and out."""

    http: Http

    async def login(
        self, scope: str = "seat", *, name: str = "codille-client", show: Show = browse, wait_s: float = 600
    ) -> None:
        """Has the player log in, and acts as that player from now on. Keep the token as you keep a password.

        `scope` is `read`, `seat` or `webhooks`, or several with a space between. `name` is the program's own, which the
        player sees. Raises Problem if the player does not consent, Unreachable, also if nobody has logged in after
        `wait_s` seconds, and Forged if the answer is not the service's. Whatever is raised, another login may begin: a
        code is never sent twice.
        """
        if not re.fullmatch(r"[\w.~-]+", name, re.ASCII):
            raise ValueError(f"the name is {name!r}, and may have letters, digits and ._~- alone")
        origin = f"{self.http.url.scheme}://{self.http.url.netloc.decode()}"
        service = await self._once("GET", f"{origin}/.well-known/oauth-authorization-server")
        if (issuer := service.get("issuer")) != origin:
            raise Forged(f"{origin} is the service of {issuer}: log in there")
        state, verifier = token_urlsafe(32), token_urlsafe(32)
        with _answers(f"/{name}", state) as (port, answers):
            # On loopback a client's id has no port.
            client = {"client_id": f"http://127.0.0.1/{name}", "redirect_uri": f"http://127.0.0.1:{port}/{name}"}
            challenge = urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")
            asked = {"response_type": "code", **client, "scope": scope, "state": state, "code_challenge": challenge}
            show(f"{service['authorization_endpoint']}?{urlencode({**asked, 'code_challenge_method': 'S256'})}")
            ends = time.monotonic() + wait_s
            while not answers:
                if time.monotonic() > ends:
                    raise Unreachable(f"nobody has logged in within {wait_s:g} s")
                await asyncio.sleep(PAUSE_S)
        answer = answers[0]
        if answer.get("iss") != origin:
            raise Forged(f"this is no answer from {origin}")
        if "code" not in answer:
            error = answer.get("error", "invalid_request")
            raise Problem(403, {"code": error, "detail": f"nobody has logged in: {error}"})
        form = {"grant_type": "authorization_code", "code": answer["code"], "code_verifier": verifier, **client}
        self.http.token = (await self._once("POST", service["token_endpoint"], form))["access_token"]

    async def logout(self) -> None:
        """Ends the token that a login gave, and acts for nobody from now on. A player's own token is left."""
        try:
            async for token in self.list_tokens():
                if token["current"] and token["client"]:
                    await self.revoke_token(token["id"])
        except Problem as refused:
            # 401: its player has ended it already.
            if refused.status != 401:
                raise
        self.http.token = None

    async def _once(self, method: str, url: str, form: Mapping[str, str] | None = None) -> Any:
        """What an endpoint answers to one attempt: a code that is presented again ends its token (RFC 6749, 4.1.2)."""
        headers = {"User-Agent": AGENT}
        request = self.http.connections.build_request(method, url, data=form, headers=headers, timeout=READ_S)
        try:
            answer = await self.http.connections.send(request, follow_redirects=False)
            if answer.is_success:
                return msgspec.json.decode(answer.content)
        except (*LOST, msgspec.DecodeError) as error:
            raise Unreachable(f"no answer from {url}: {error!r}") from error
        refused = refusal(answer)
        if code := refused.document.get("error"):
            refused = Problem(refused.status, {"code": code, "detail": refused.document["error_description"]})
        raise refused


@contextmanager
def _answers(path: str, state: str) -> Iterator[tuple[int, list[dict[str, str]]]]:
    """A port of this computer, and the answers with this path and state that come there. Others may call as well."""
    answers: list[dict[str, str]] = []

    class Receiver(BaseHTTPRequestHandler):
        timeout = 10

        def do_GET(self) -> None:
            url = urlsplit(self.path)
            answer = dict(parse_qsl(url.query))
            is_ours = (url.path, answer.get("state")) == (path, state)
            said = b"Go back to the program. This page may be closed." if is_ours else b"No login has begun here."
            self.send_response(200 if is_ours else 404)
            self.send_header("Content-Type", "text/plain")
            self.end_headers()
            self.wfile.write(said)
            if is_ours:
                answers.append(answer)

        def log_message(self, *_: object) -> None:
            """Says nothing: the address has the code."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Receiver) as server:
        Thread(target=server.serve_forever, args=(PAUSE_S,), daemon=True).start()
        try:
            yield server.server_port, answers
        finally:
            server.shutdown()
