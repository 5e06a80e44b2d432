"""A small client of the REST interface, for this project's own commands."""

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

if TYPE_CHECKING:
    import httpx

TIMEOUT_SECONDS = 30.0
LONGEST_WAIT_S = 60.0
PAGE = 200
AGAIN = (429, 503)
"""The statuses after which a stream is asked for again."""
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class Unreachable(Exception):
    """No service answers at the address."""

    def __init__(self, url: str) -> None:
        super().__init__(f"no service answers at {url}")
        self.url = url


class ServiceRefusal(Exception):
    """The service answered with a problem document."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"the service answered {status}")
        self.status = status
        self.code: str | None = problem.get("code")
        first = (problem.get("errors") or [{}])[0]
        self.pointer: str | None = first.get("pointer")
        """The invalid field of the body, as a JSON pointer, if the problem names one."""
        self.fault: str | None = first.get("detail")
        """The fault of that field."""


class Client:
    """Talks to one service, as a player if there is a token.

    Every request raises Unreachable if no service answers, and ServiceRefusal if it answers with a problem. A request
    over a quota is repeated after the time that the service asks for, up to a minute.
    """

    def __init__(self, url: str, http: "httpx.Client", token: str | None = None) -> None:
        self.url = url
        self._http = http
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}

    @classmethod
    def connect(cls, url: str) -> Self:
        """A client without a token, to be used as a context manager. Raises Unreachable if the URL is malformed."""
        import httpx

        url = url.rstrip("/")
        # A proxy in the environment cannot reach this machine's own addresses.
        outside = urlsplit(url).hostname not in LOOPBACK
        try:
            return cls(url, httpx.Client(base_url=url, timeout=TIMEOUT_SECONDS, trust_env=outside))
        except httpx.InvalidURL as error:
            raise Unreachable(url) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.close()

    def authenticated(self, token: str) -> "Client":
        """A client over the same connection, with a player's token."""
        return Client(self.url, self._http, token)

    def get(self, path: str, **query: str | int | Sequence[str]) -> Any:
        """The decoded response to a GET."""
        return self._request("GET", path, params=query)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The decoded response to a POST."""
        return self._request("POST", path, json=body)

    def events(self, table: str, after: int = 0) -> Iterator[Mapping[str, Any]]:
        """A table's events after a version, up to its last, with the sections that the caller may see."""
        while True:
            page = self.get(f"/v1/tables/{table}/events", after=after, limit=PAGE)
            yield from page["items"]
            if len(page["items"]) < PAGE:
                return
            after = page["items"][-1]["version"]

    def pieces(self, path: str, **query: str | Sequence[str]) -> Iterator[bytes]:
        """The response to a GET, unpacked, piece by piece. Raises Unreachable if it is cut off, too.

        It may pause for as long as a quota lasts.
        """
        import httpx

        headers = self._headers | {"Accept-Encoding": "gzip"}
        timeout = httpx.Timeout(TIMEOUT_SECONDS, read=LONGEST_WAIT_S + TIMEOUT_SECONDS)
        while True:
            try:
                with self._http.stream("GET", path, params=query, headers=headers, timeout=timeout) as answer:
                    if answer.is_success:
                        yield from answer.iter_bytes()
                        return
                    answer.read()
            except (httpx.TransportError, httpx.UnsupportedProtocol, httpx.DecodingError) as error:
                raise Unreachable(self.url) from error
            wait_s = float(answer.headers.get("Retry-After", LONGEST_WAIT_S + 1))
            if answer.status_code not in AGAIN or wait_s > LONGEST_WAIT_S:
                raise ServiceRefusal(answer.status_code, _problem_in(answer.content))
            time.sleep(wait_s)

    def _request(self, method: str, path: str, **request: Any) -> Any:
        import httpx

        while True:
            try:
                answer = self._http.request(method, path, headers=self._headers, **request)
            except (httpx.TransportError, httpx.UnsupportedProtocol) as error:
                raise Unreachable(self.url) from error
            if answer.status_code == httpx.codes.TOO_MANY_REQUESTS:
                wait_s = float(answer.headers.get("Retry-After", 1))
                if wait_s <= LONGEST_WAIT_S:
                    time.sleep(wait_s)
                    continue
            try:
                body = answer.json()
            except ValueError as error:
                raise Unreachable(self.url) from error
            if answer.is_error:
                raise ServiceRefusal(answer.status_code, body if isinstance(body, dict) else {})
            return body


def _problem_in(content: bytes) -> Mapping[str, Any]:
    """The problem document in a response; empty if there is none."""
    try:
        body = json.loads(content)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}
