"""Requests that get through: sent again after what was lost, carried out once, given up after a deadline."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from random import uniform
from typing import Any, TypeAlias
from uuid import uuid4

import httpx
import msgspec

from codille_client.problems import Problem, Unreachable, problem

Members: TypeAlias = Mapping[str, Any] | None

AGAIN = (408, 429, 502, 503, 504)
"""Statuses after which a request is sent again: the service's, or those of a proxy before it."""
LOST = (httpx.NetworkError, httpx.TimeoutException, httpx.RemoteProtocolError, httpx.ProxyError, httpx.DecodingError)
"""What httpx raises where a connection was lost, or an answer cut off."""
CONNECT_S, READ_S = 10.0, 30.0
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.25, 8.0
AGENT = "codille-client"
METHODS = ("GET", "POST", "PATCH", "DELETE")


class Patience:
    """Pauses between attempts, until the deadline has passed since the last success. A wrong clock does not matter."""

    def __init__(self, deadline_s: float) -> None:
        self._deadline_s = deadline_s
        self.renew()

    def renew(self) -> None:
        """Begins anew: something has come."""
        self._attempts = 0
        self._ends = time.monotonic() + self._deadline_s

    def end(self) -> None:
        """No further attempt is made."""
        self._ends = 0.0

    async def pause(self, why: Exception, retry_after: float | None = None) -> None:
        """Waits for a moment, or as long as was asked for. Raises `why` if that is beyond the deadline."""
        wait_s = min(FIRST_PAUSE_S * 2**self._attempts, LONGEST_PAUSE_S) if retry_after is None else retry_after
        self._attempts = min(self._attempts + 1, 10)
        wait_s *= uniform(1.0, 1.25)
        if time.monotonic() + wait_s > self._ends:
            raise why
        await asyncio.sleep(wait_s)

    @asynccontextmanager
    async def attempt(self, lost: str) -> AsyncIterator[None]:
        """One attempt, after which there is a pause if another one may succeed. Raises Problem, and Unreachable."""
        try:
            yield
        except Problem as refused:
            if refused.status not in AGAIN:
                raise
            await self.pause(refused, refused.retry_after)
        except (*LOST, msgspec.DecodeError) as error:
            unreachable = Unreachable(f"{lost}: {error!r}")
            unreachable.__cause__ = error
            await self.pause(unreachable)


class Http:
    """A connection to the service. It adds the token, and sends again what may have been lost.

    Members of bodies and queries that are None are left out.
    """

    def __init__(self, url: str, token: str | None, deadline_s: float, http: httpx.AsyncClient | None) -> None:
        self.url = httpx.URL(url.rstrip("/").removesuffix("/v1") + "/v1/")
        # A file that has been carried may begin with a byte order mark, and end with CR and LF.
        self.token = token and token.strip().strip("\ufeff").strip()
        self.deadline_s = deadline_s
        # A stream has a connection of its own, and there may be as many as there are tables to follow.
        self.connections = http or httpx.AsyncClient(limits=httpx.Limits(max_keepalive_connections=20))

    async def close(self) -> None:
        """Closes all connections."""
        await self.connections.aclose()

    async def send(self, method: str, path: str, body: Members, query: Members, headers: Members) -> Any:
        """The answer: JSON as its value, a text as text, nothing as None, all else as bytes.

        Raises Problem for a refusal, and Unreachable if there is no answer within the deadline. What is posted has an
        idempotency key, the same in each attempt, so it is carried out once. All other requests may be repeated.
        Raises ValueError and TypeError for what is no request.
        """
        if method not in METHODS:
            raise ValueError(f"the method is {method!r}, and must be one of {', '.join(METHODS)}")
        for name, members in (("body", body), ("query", query), ("headers", headers)):
            if not isinstance(members, Mapping | None):
                raise TypeError(f"the {name} is {members!r}, and must be a mapping or None")
        sent = {"Accept": "application/json, */*;q=0.1", **_given(headers)}
        if method == "POST":
            sent.setdefault("Idempotency-Key", str(uuid4()))
        wait_s = float(_given(query).get("wait", 0))
        patience, read_s = Patience(wait_s + self.deadline_s), wait_s + min(self.deadline_s, READ_S)
        while True:
            async with patience.attempt(f"no answer to {method} {path} within {self.deadline_s:g} s"):
                async with self.open(method, path, body, query, sent, read_s) as answer:
                    content = await answer.aread()
                return _read(answer.headers.get("Content-Type", ""), content)

    @asynccontextmanager
    async def open(
        self, method: str, path: str, body: Members | bytes, query: Members, headers: Mapping[str, str], read_s: float
    ) -> AsyncIterator[httpx.Response]:
        """An answer that is yet to be read, to one attempt. Raises Problem for a refusal, and those of `LOST`.

        A body of bytes is sent as it is, with the media type that the headers give it.

        A redirect is refused, too: it may lead to another origin, which must not be shown the token.
        """
        url = self.url.join(path.removeprefix("/").removeprefix("v1/"))
        if not str(url).startswith(str(self.url)):
            raise ValueError(f"{path!r} is no path under {self.url}")
        own = {"User-Agent": AGENT, **headers}
        if self.token is not None:
            own["Authorization"] = f"Bearer {self.token}"
        if isinstance(body, Mapping):
            own["Content-Type"] = "application/json"
        request = self.connections.build_request(
            method,
            url.copy_merge_params(_given(query)),
            headers=own,
            content=msgspec.json.encode(_given(body)) if isinstance(body, Mapping) else body,
            timeout=httpx.Timeout(read_s, connect=CONNECT_S, pool=None),
        )
        answer = await self.connections.send(request, stream=True, follow_redirects=False)
        try:
            if not answer.is_success:
                await answer.aread()
                raise refusal(answer)
            yield answer
        finally:
            await answer.aclose()


def preconditions(version: int | None = None, key: str | None = None) -> dict[str, str | None]:
    """The headers of a request that is carried out at this version alone, and once with this key."""
    return {"If-Match": None if version is None else f'"{version}"', "Idempotency-Key": key}


def _given(members: Members) -> dict[str, Any]:
    return {name: value for name, value in (members or {}).items() if value is not None}


def _read(kind: str, content: bytes) -> Any:
    if kind.startswith("application/json"):
        return msgspec.json.decode(content)
    return content.decode() if kind.startswith(("text/", "image/svg")) else content or None


def refusal(answer: httpx.Response) -> Problem:
    """The problem of an answer that is none of success."""
    try:
        document = msgspec.json.decode(answer.content)
    except msgspec.DecodeError:
        document = {"title": answer.reason_phrase}
    if answer.is_redirect:
        document = {"code": "redirected", "detail": f"the service is at another address: {answer.headers['Location']}"}
    # A date would have to be compared with a clock, which may be wrong.
    after = answer.headers.get("Retry-After", "")
    return problem(answer.status_code, document, float(after) if after.isdecimal() else None)
