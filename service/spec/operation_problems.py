"""The problems that an operation may respond with, an example of each, and the responses that operations share."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from service.describe.json_schema import Schema, pascal, ref
from service.http.guards import PROBLEMS
from service.http.operation import Operation
from service.http.problems import KINDS, MEDIA_TYPE

DETAILS: dict[str, str] = {
    "malformed-header": 'If-Match must be entity tags like "31", or *',
    "malformed-body": "the body is not JSON at line 1, column 1",
    "bad-request": "the request is malformed",
    "unauthenticated": "this needs a token: Authorization: Bearer …",
    "invalid-token": "the token is unknown, has expired or was revoked",
    "missing-scope": "this needs a token with the scope play",
    "lesser-token": "the token in use was added by another one, or ends: this needs one that lasts as long, as from "
    "registration or recovery",
    "invalid-recovery": "no player has this id and this recovery secret",
    "invalid-code": "the code is wrong, was used, or has expired; ask for another one",
    "registration-closed": "only the operator of this service registers players",
    "deal-not-over": "deal 2 is not over",
    "not-seated": "you do not sit at this table",
    "arbiter-seated": "an arbiter cannot rule at a table where they sit",
    "no-such-dispute": "the table has no dispute of this number",
    "no-such-bot": "no bot sits on this seat",
    "no-such-line": "event 50 has not booked a line 2",
    "duplicate-line": "line 0 of event 50 is named twice",
    "no-such-head": "no checkpoint that covers an event is signed yet",
    "dispute-too-late": "the time for disputing it has run out",
    "already-disputed": "dispute 1 about it is open",
    "already-ruled": "dispute 1 was rejected",
    "audit-confirms": "the audit confirms line 0 of event 50, which the ruling changes",
    "nothing-to-report": "the player's name is erased",
    "already-reported": "you have reported it before; the operator will look at it",
    "not-opener": "only the player who opened the table may close it",
    "no-such-route": "nothing is served at this address",
    "no-such-player": "no player has this id",
    "no-such-token": "you have no token with this id",
    "too-many-clients": "a player may let in 100 clients at a time: end some of them",
    "invalid-client": "/redirect_uri: must be the client's id, letter for letter",
    "no-such-webhook": "you have no webhook with this id",
    "too-many-webhooks": "a player may have 10 webhooks",
    "no-such-invitation": "the table has no invitation with this id that you may take back",
    "too-many-invitations": "a table may have 50 invitations",
    "no-such-game": "no game of this name is offered",
    "no-such-table": "no table has this id",
    "record-unreadable": "this version of the service cannot read what the table has recorded; all of it is kept, and "
    "a later version may read it",
    "no-such-version": "the table has no version 99",
    "no-such-deal": "deal 4 has not started",
    "method-not-allowed": "the method is not allowed at this address",
    "not-acceptable": "this is answered as application/json",
    "request-timeout": "the head of a request must arrive within 10 seconds",
    "table-closed": "the table is closed",
    "table-finished": "the game is finished",
    "not-started": "the game starts when all seats are taken",
    "already-started": "the game has started",
    "already-seated": "you sit at this table already",
    "abandoned": "you have abandoned this game",
    "table-full": "all seats are taken",
    "no-such-seat": "there is no such seat: the table has 3",
    "seat-taken": "this seat is not free",
    "not-finished": "a rematch needs a finished game",
    "wrong-phase": "bid has no place in the phase play, whose acts are: concede, play, talk",
    "not-your-turn": "it is not your turn",
    "lost-race": "another player was first",
    "key-spent": "the token of the first answer has been used or revoked",
    "precondition-failed": "the table is at version 32",
    "body-too-large": "a body may have 65536 bytes",
    "url-too-long": "a URL may have 16384 bytes",
    "unsupported-media-type": "the body must be application/json",
    "invalid-body": "/name: must be a text, not a whole number",
    "invalid-query": "limit: must be a whole number",
    "invalid-expiry": "/expires_at: must be later than now",
    "invalid-url": "/url: must lead to a public address",
    "version-beyond-head": "the table is at version 32",
    "position-beyond-end": "the log has not reached this position",
    "contradictory-facts": "10 tricks are won, and 9 are played",
    "more-to-play": "by these facts the deal is not over yet",
    "key-reused": "this idempotency key was used with another body",
    "rule-violation": "you can follow suit: Qs is led, play Ks or 7s",
    "rate-limited": "no more than a cost of 60000 a minute for one address",
    "too-many-streams": "one player may hold 64 streams and waiting reads at once",
    "too-many-bot-tables": "a player may have 8 running tables at which only bots play",
    "too-many-connections": "an address may have 200 connections at once",
    "headers-too-large": "a request may have 100 headers and a head of 32768 bytes",
    "internal": "the failure is in the log",
    "unavailable": "the log cannot be reached",
}

VERSION = 32
EXTRAS: dict[str, dict[str, Any]] = {
    "invalid-body": {"errors": [{"detail": "must be a text, not a whole number", "pointer": "/name"}]},
    "invalid-expiry": {"errors": [{"detail": "must be later than now", "pointer": "/expires_at"}]},
    "invalid-url": {"errors": [{"detail": "must lead to a public address", "pointer": "/url"}]},
    "invalid-query": {"errors": [{"detail": "must be a whole number", "parameter": "limit"}]},
    "version-beyond-head": {
        "version": VERSION, "errors": [{"detail": "must be at most 32", "parameter": "min_version"}],
    },
    "position-beyond-end": {"errors": [{"detail": "must be reached by the log", "parameter": "after"}]},
    "precondition-failed": {"version": VERSION},
    "contradictory-facts": {
        "rule": "CR-8.1",
        "errors": [{"detail": "10 tricks are won, and 9 are played", "pointer": "/facts/tricks"}],
    },
    "more-to-play": {"rule": "CR-8.4"},
    "rule-violation": {
        "rule": "CR-8.2",
        "version": VERSION,
        "offers": [{"type": "play", "fields": {"card": {"one_of": ["Ks", "7s"]}}}],
    },
    "not-your-turn": {"rule": "CR-8.1", "version": VERSION, "offers": []},
    "wrong-phase": {
        "rule": "CR-8.1",
        "version": VERSION,
        "offers": [{"type": "play", "fields": {"card": {"one_of": ["Ks", "7s"]}}}],
    },
    "abandoned": {"rule": "TL-3.3", "version": VERSION, "offers": []},
    **{code: {"version": 2, "offers": []} for code in ("no-such-bot", "no-such-seat", "seat-taken")},
    **{
        code: {"version": VERSION, "offers": []}
        for code in (
            "table-closed", "table-finished", "not-started", "already-started", "already-seated", "table-full",
            "lost-race", "dispute-too-late", "already-disputed", "already-ruled", "audit-confirms", "no-such-line",
            "duplicate-line", "arbiter-seated",
        )
    },
}  # fmt: skip

BY_PATH = {
    "table": ("no-such-table", "no-such-route", "record-unreadable"),
    "token": ("no-such-token", "no-such-route"),
    "webhook": ("no-such-webhook", "no-such-route"),
    "invitation": ("no-such-invitation", "no-such-route"),
    "player": ("no-such-player", "no-such-route"),
    "dispute": ("no-such-dispute", "no-such-route"),
    "seat": ("no-such-bot", "no-such-route"),
}
BY_HEADER = {
    "If-Match": ("malformed-header", "precondition-failed"),
    "If-None-Match": ("malformed-header",),
    "Idempotency-Key": ("malformed-header", "key-reused"),
    "Last-Event-ID": ("malformed-header",),
}
BODY = ("malformed-body", "body-too-large", "unsupported-media-type", "invalid-body")
FILE = ("malformed-body", "body-too-large", "unsupported-media-type")
ANYWHERE = ("invalid-token", "missing-scope", "rate-limited", "unavailable", "not-acceptable", "invalid-query")
"""The codes that every operation of the interface may respond with."""


def codes(operation: Operation, parameters: AbstractSet[str]) -> list[str]:
    """The codes that the operation may respond with, in the order of `KINDS`; `parameters` has the names of its own."""
    possible = set(operation.problems)
    for guard in operation.guards:
        possible.update(PROBLEMS.get(guard, ()))
    for name, own in BY_PATH.items():
        if f"{{{name}:" in operation.path:
            possible.update(own)
    for name in operation.headers:
        possible.update(BY_HEADER[name])
    if parameters & {"min_version", "wait"}:
        possible.add("version-beyond-head")
    if "wait" in parameters or operation.stream is not None:
        possible.add("too-many-streams")
    if operation.body is not None:
        possible.update(BODY)
    if operation.takes is not None:
        possible.update(FILE)
    if not operation.lenient:
        possible.update(ANYWHERE)
    return [code for code in KINDS if code in possible]


def example(code: str) -> dict[str, Any]:
    """A problem document with this code."""
    kind = KINDS[code]
    return {
        "type": f"urn:codille:problem:{code}",
        "title": kind.title,
        "status": kind.status,
        "detail": DETAILS[code],
        "code": code,
    } | EXTRAS.get(code, {})


DESCRIPTIONS: Mapping[int, str] = {
    400: "The request, a header or the body is malformed.",
    401: "The request has no token, or its token is not valid.",
    403: "The caller may not do this.",
    404: "What the address names does not exist.",
    405: "The method is not allowed here.",
    406: "The response has none of the accepted media types.",
    409: "The current state does not allow the request.",
    412: "The table is at another version.",
    413: "The body is too large.",
    415: "The media type of the body is not supported.",
    422: "A field or parameter is invalid, the key was used with another body, or the rules do not allow it.",
    429: "A quota of the address, of the player or of the table is used up.",
    503: "The service is temporarily unavailable.",
}
"""The descriptions of the responses with a problem document, by status."""

REFUSAL_HEADERS: Mapping[int, tuple[str, ...]] = {
    401: ("WWW-Authenticate",),
    415: ("Accept",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}
"""The headers that such a response has beside those of every response, by status."""


class ProblemResponses:
    """Collects the components that the operations of a document refer to.

    They are a response for each set of codes, and one for each kind of entity tag.
    """

    def __init__(self) -> None:
        self.responses: dict[str, Schema] = {}
        self._codes: set[str] = set()

    @property
    def examples(self) -> dict[str, Schema]:
        """An example of each code."""
        return {code: {"value": example(code)} for code in KINDS if code in self._codes}

    def response(self, status: int, codes: Sequence[str], headers: Mapping[str, Schema], *, metered: bool) -> Schema:
        """A reference to the response with these codes and headers; `metered` if it has those of quotas."""
        name = "Or".join(map(pascal, codes)) + ("" if metered else "Unmetered")
        listed = ", ".join(f"`{code}`" for code in codes)
        self._codes.update(codes)
        self.responses[name] = {
            "description": f"{DESCRIPTIONS[status]} Codes: {listed}.",
            "headers": headers,
            "content": {
                MEDIA_TYPE: {
                    "schema": ref("Problem"),
                    "examples": {code: {"$ref": f"#/components/examples/{code}"} for code in codes},
                }
            },
        }
        return {"$ref": f"#/components/responses/{name}"}

    def unchanged(self, tag: str, description: str, headers: Mapping[str, Schema], *, metered: bool) -> Schema:
        """A reference to the response without a body that says that what the client has is still the same.

        `tag` is the name of the entity tag's header among the components.
        """
        name = f"Same{tag}" + ("" if metered else "Unmetered")
        self.responses[name] = {"description": description, "headers": headers}
        return {"$ref": f"#/components/responses/{name}"}
