"""Problem documents (RFC 9457), and the HTTP status of every refusal."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException, ValidationException
from msgspec import Meta, Struct

from domain.cards import Pack
from domain.kernel.rejection import Code
from domain.record.catalogue import Unreadable
from projections.cursors import BadCursor
from projections.models import ReadModelsUnavailable
from service.commands.cache import NoSuchTable
from service.commands.handler import KeyConflict, PreconditionFailed, Refused
from service.compute.fair_slots import Busy, Left
from service.compute.process_pool import JobLost
from service.http.faults import fault, in_words
from service.http.forms import NO_CURSOR
from service.limits.slots import AllTaken, TooManyOpen
from service.live.hub import Stopping
from service.queries.archive_search import ArchiveUnavailable
from service.queries.deal_audits import DealNotOver, NoSuchDeal
from service.queries.exports import ErasedFromExport
from service.store.accounts import LesserToken
from service.store.database import StoreUnavailable
from service.transparency.keys import NoKey
from service.transparency.tree import LogAltered

MEDIA_TYPE = "application/problem+json"

RETRY_AFTER_S = 1
"""Seconds after which a client may repeat a request that failed because of an outage."""

BUSY_AFTER_S = 5
"""Seconds after which a client may repeat a request for which there was no room: too many others hold connections or
streams, or wait for computations.
"""


CHALLENGE = 'Bearer realm="codille"'
"""The challenge of responses that refuse a token or the lack of one (RFC 6750, 3)."""


class Kind(Struct, frozen=True):
    """A kind of problem: its HTTP status and its title, which are the same at every occurrence."""

    status: int
    title: str


KINDS: Mapping[str, Kind] = {
    "malformed-header": Kind(400, "A header is malformed"),
    "malformed-body": Kind(400, "The body is malformed"),
    "bad-request": Kind(400, "The request is malformed"),
    "unauthenticated": Kind(401, "The request needs a token"),
    "invalid-token": Kind(401, "The token is not valid"),
    "missing-scope": Kind(403, "The token lacks a scope"),
    "lesser-token": Kind(403, "The token in use may not do this"),
    "invalid-recovery": Kind(403, "The player cannot be recovered with this secret"),
    "invalid-code": Kind(403, "The code is not valid"),
    "registration-closed": Kind(403, "Registration is closed"),
    Code.NOT_SEATED: Kind(403, "You do not sit at this table"),
    Code.NOT_OPENER: Kind(403, "You did not open this table"),
    Code.ARBITER_SEATED: Kind(403, "You sit at this table"),
    "no-such-route": Kind(404, "There is no such route"),
    "no-such-player": Kind(404, "There is no such player"),
    "no-such-token": Kind(404, "There is no such token"),
    "no-such-webhook": Kind(404, "There is no such webhook"),
    "no-such-game": Kind(404, "There is no such game"),
    "no-such-invitation": Kind(404, "There is no such invitation"),
    "no-such-table": Kind(404, "There is no such table"),
    "no-such-version": Kind(404, "The table has no such version"),
    "no-such-deal": Kind(404, "The table has no such deal"),
    Code.NO_SUCH_DISPUTE: Kind(404, "The table has no such dispute"),
    Code.NO_SUCH_BOT: Kind(404, "No bot sits there"),
    "no-such-head": Kind(404, "No checkpoint of the log is signed yet"),
    "method-not-allowed": Kind(405, "The method is not allowed here"),
    "not-acceptable": Kind(406, "The answer has none of the accepted media types"),
    "request-timeout": Kind(408, "The request took too long to arrive"),
    Code.TABLE_CLOSED: Kind(409, "The table is closed"),
    Code.TABLE_FINISHED: Kind(409, "The game is finished"),
    Code.NOT_STARTED: Kind(409, "The game has not started"),
    Code.ALREADY_STARTED: Kind(409, "The game has started"),
    Code.ALREADY_SEATED: Kind(409, "You already sit at this table"),
    Code.ABANDONED: Kind(409, "You have abandoned the game"),
    Code.TABLE_FULL: Kind(409, "All seats are taken"),
    Code.SEAT_TAKEN: Kind(409, "The seat is taken"),
    "not-finished": Kind(409, "The game is not finished"),
    Code.WRONG_PHASE: Kind(409, "The action does not belong to this phase"),
    Code.NOT_YOUR_TURN: Kind(409, "It is not your turn"),
    Code.LOST_RACE: Kind(409, "Another player was first"),
    Code.DEAL_NOT_OVER: Kind(409, "The deal is not over"),
    Code.DISPUTE_TOO_LATE: Kind(409, "The time for a dispute is over"),
    Code.ALREADY_DISPUTED: Kind(409, "The line is already disputed"),
    Code.ALREADY_RULED: Kind(409, "The dispute has been ruled on"),
    Code.AUDIT_CONFIRMS: Kind(409, "The audit confirms what the ruling changes"),
    "nothing-to-report": Kind(409, "There is nothing to report"),
    "already-reported": Kind(409, "You have reported it"),
    "record-unreadable": Kind(409, "The table's record cannot be read"),
    "too-many-webhooks": Kind(409, "You have as many webhooks as you may have"),
    "too-many-invitations": Kind(409, "The table has as many invitations as it may have"),
    "too-many-clients": Kind(409, "You have let in as many clients as you may"),
    "key-spent": Kind(409, "The first answer to this key cannot be repeated"),
    "dump-outdated": Kind(410, "The dump is outdated"),
    "precondition-failed": Kind(412, "The table is at another version"),
    "body-too-large": Kind(413, "The body is too large"),
    "url-too-long": Kind(414, "The URL is too long"),
    "unsupported-media-type": Kind(415, "The media type of the body is not supported"),
    "invalid-body": Kind(422, "The body does not fit its schema"),
    "invalid-query": Kind(422, "The query does not fit its schema"),
    "invalid-expiry": Kind(422, "A token cannot end then"),
    "invalid-client": Kind(422, "No client has this id and this redirect"),
    "invalid-url": Kind(422, "Webhooks may not call this URL"),
    "version-beyond-head": Kind(422, "The table has not reached this version"),
    "position-beyond-end": Kind(422, "The log has not reached this position"),
    "key-reused": Kind(422, "The idempotency key was used with another body"),
    "contradictory-facts": Kind(422, "The facts contradict the rules"),
    "more-to-play": Kind(422, "More must be played"),
    Code.NO_SUCH_SEAT: Kind(422, "The table has no such seat"),
    Code.NO_SUCH_LINE: Kind(422, "No such line is booked"),
    Code.DUPLICATE_LINE: Kind(422, "A line is named twice"),
    Code.RULE_VIOLATION: Kind(422, "The rules do not allow this"),
    "rate-limited": Kind(429, "Too many requests"),
    "too-many-connections": Kind(429, "Too many connections"),
    "too-many-streams": Kind(429, "Too many streams"),
    "too-many-bot-tables": Kind(429, "Too many tables of bots"),
    "headers-too-large": Kind(431, "The headers are too large"),
    "internal": Kind(500, "The service has failed"),
    "unavailable": Kind(503, "The service is temporarily unavailable"),
}
"""Every code of a problem document."""


DETAIL = Meta(description="The fault, in words.")


class Fault(Struct, frozen=True, omit_defaults=True):
    """A fault in one field of a body (named by a JSON pointer, RFC 6901) or in one parameter of a query."""

    detail: Annotated[str, DETAIL]
    pointer: Annotated[str | None, Meta(description="The field of the body, as a JSON pointer (RFC 6901).")] = None
    parameter: Annotated[str | None, Meta(description="The parameter of the query.")] = None


class ProblemDocument(Struct, frozen=True, omit_defaults=True):
    """A problem document (RFC 9457).

    Responses to a refused action have `rule`, `version` and `offers`: the numbered rule, the table's version, and the
    seat's offers. `errors` names the invalid fields and parameters.
    """

    type: Annotated[str, Meta(description="A URI that names the kind of problem.")]
    title: Annotated[str, Meta(description="The kind of problem, in words.")]
    status: Annotated[int, Meta(description="The HTTP status.")]
    detail: Annotated[str, DETAIL]
    code: Annotated[str, Meta(description="The kind of problem, for programs.")]
    rule: Annotated[str | None, Meta(description="The numbered rule that the refused action or fact breaks.")] = None
    version: Annotated[int | None, Meta(description="The table's version.")] = None
    offers: Annotated[Sequence[Any] | None, Meta(description="The seat's offers at this version.")] = None
    errors: Annotated[Sequence[Fault] | None, Meta(description="The invalid fields and parameters.")] = None


class Problem(Exception):
    """A refusal, answered with a problem document. `code` is one of `KINDS`."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        rule: str | None = None,
        version: int | None = None,
        offers: Sequence[Any] | None = None,
        errors: Sequence[Fault] | None = None,
    ) -> None:
        super().__init__(detail)
        kind = KINDS[code]
        self.code = code
        self.status = kind.status
        self.headers: Mapping[str, str] = headers or {}
        self.document = ProblemDocument(
            f"urn:codille:problem:{code}", kind.title, kind.status, detail, code, rule, version, offers, errors
        )

    def body(self) -> bytes:
        """The document as JSON."""
        return msgspec.json.encode(self.document)


def unauthenticated(detail: str, *, presented: bool) -> Problem:
    """The problem of a request without a token, or with a token that was `presented` but is not valid."""
    challenge = CHALLENGE + (', error="invalid_token"' if presented else "")
    return Problem("invalid-token" if presented else "unauthenticated", detail, headers={"WWW-Authenticate": challenge})


def unavailable(detail: str, *, retry_after_s: int = RETRY_AFTER_S) -> Problem:
    """The problem of an outage."""
    return Problem("unavailable", detail, headers={"Retry-After": str(retry_after_s)})


def invalid_query(parameter: str, detail: str) -> Problem:
    """The problem of one invalid parameter of a query."""
    return Problem("invalid-query", f"{parameter}: {detail}", errors=(Fault(detail, parameter=parameter),))


def invalid_field(pointer: str, detail: str) -> Problem:
    """The problem of one invalid field of a body, at a JSON pointer."""
    return Problem("invalid-body", f"{pointer or 'the body'}: {detail}", errors=(Fault(detail, pointer=pointer),))


def position_beyond_end(*, pointer: str | None = None, parameter: str | None = None) -> Problem:
    """The problem of a position that the log has not reached.

    It does not say where the log ends: that moves with what happens at tables that the caller follows late.
    """
    fault = Fault("must be reached by the log", pointer, parameter)
    return Problem("position-beyond-end", "the log has not reached this position", errors=(fault,))


def problem_of(error: Exception) -> Problem | None:
    """The problem that answers an exception; None if the exception is a failure of the service itself."""
    match error:
        case Problem():
            return error
        case Refused():
            rejected = error.rejected
            offers = [offer.describe() for offer in error.offers] if error.version else None
            return Problem(
                rejected.code, rejected.detail, rule=rejected.rule, version=error.version or None, offers=offers
            )
        case Unreadable():
            return Problem("record-unreadable", _UNREADABLE)
        case NoSuchTable():
            return Problem("no-such-table", "no table has this id")
        case PreconditionFailed():
            return Problem("precondition-failed", str(error), version=error.version)
        case LesserToken():
            return Problem("lesser-token", str(error))
        case KeyConflict():
            return Problem("key-reused", "this idempotency key was used with another body")
        case ArchiveUnavailable():
            return unavailable(str(error))
        case StoreUnavailable():
            return unavailable("the log cannot be reached")
        case ReadModelsUnavailable():
            return unavailable("the read models cannot be reached")
        case BadCursor():
            return invalid_query("cursor", NO_CURSOR)
        case Busy():
            return unavailable("too much is being computed", retry_after_s=BUSY_AFTER_S)
        case Left():
            return unavailable("the client is gone")
        case Stopping():
            return unavailable("the service is stopping")
        case TooManyOpen():
            return Problem("too-many-streams", str(error), headers={"Retry-After": str(BUSY_AFTER_S)})
        case AllTaken():
            return unavailable("all streams are taken", retry_after_s=BUSY_AFTER_S)
        case JobLost():
            return unavailable("the computation was interrupted")
        case ErasedFromExport():
            return unavailable("a text of this table is being erased")
        case NoSuchDeal():
            return Problem("no-such-deal", str(error))
        case DealNotOver():
            return Problem(Code.DEAL_NOT_OVER, str(error))
        case NoKey() | LogAltered():
            return unavailable("checkpoints of the log cannot be signed")
        case ValidationException():
            return _of_query(error)
        case NotFoundException():
            return Problem("no-such-route", "nothing is served at this address")
        case MethodNotAllowedException():
            return Problem("method-not-allowed", "the method is not allowed at this address", headers=error.headers)
        case HTTPException() if error.status_code < 500:
            return Problem("bad-request", "this is not a request that can be answered")
        case _:
            return None


_UNREADABLE = (
    "this version of the service cannot read what the table has recorded; all of it is kept, and a later version may "
    "read it"
)
_MISSING = re.compile(r"Missing required query parameter '([^']*)'")


def _of_query(error: ValidationException) -> Problem:
    """The problem for the parameters that Litestar refused. Bodies are decoded without Litestar."""
    if missing := _MISSING.match(error.detail):
        return invalid_query(missing[1], "is missing")
    refused = error.extra if isinstance(error.extra, list) else []
    # Handlers add an underscore to names that Python reserves.
    named = [(str(one.get("key")).rstrip("_"), in_words(str(one.get("message")))) for one in refused]
    faults = tuple(Fault(detail, parameter=parameter) for parameter, detail in named)
    return Problem("invalid-query", "; ".join(f"{one.parameter}: {one.detail}" for one in faults), errors=faults)


def invalid_body(
    error: msgspec.ValidationError, kind: Any, value: object, *, under: str = "", pack: Pack | None = None
) -> Problem:
    """The problem for a part of a body that does not fit its type, with a JSON pointer to the field.

    `under` is the pointer to the part that was decoded, and `pack` has the cards that it may contain.
    """
    pointer, detail = fault(error, kind, value, pack)
    return invalid_field(under + pointer, detail)
