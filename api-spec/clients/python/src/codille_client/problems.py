"""What can go wrong: refusals of the service, a service that does not answer, a record that was altered."""

from collections.abc import Mapping
from typing import Any

from codille_client.offers import Offer


class CodilleError(Exception):
    """The class of all errors that this package raises, but for those of wrong arguments."""


class Unreachable(CodilleError):
    """There was no answer until the deadline, however often the request was sent. It may have been carried out."""


class Altered(CodilleError):
    """What the service sent does not fit the hashes and commitments that it gave before."""


class Forged(CodilleError):
    """A webhook's message or a login's answer is not from the service, or was changed on the way, or is an old one."""


class Problem(CodilleError):
    """A refusal: the service's problem document (RFC 9457).

    `document` is the whole document, with members that this version does not know. An answer without one, as proxies
    give, has the code `http-STATUS`. `retry_after` is the number of seconds after which to ask again, if it was given.
    """

    def __init__(self, status: int, document: Mapping[str, Any], retry_after: float | None = None) -> None:
        self.status = status
        self.document = document
        self.retry_after = retry_after
        self.code: str = document.get("code", f"http-{status}")
        self.title: str = document.get("title", "")
        self.detail: str = document.get("detail", "")
        self.rule: str | None = document.get("rule")
        self.version: int | None = document.get("version")
        self.offers = [Offer(offer) for offer in document.get("offers") or ()]
        self.errors: list[dict[str, str]] = document.get("errors") or []
        faults = [f"{error.get('pointer') or error.get('parameter')}: {error.get('detail')}" for error in self.errors]
        text = "; ".join([self.detail or self.title, *(fault for fault in faults if fault not in self.detail)])
        super().__init__(f"{status} {self.code}{f' (rule {self.rule})' if self.rule else ''}: {text}")


class NotYourTurn(Problem):
    """The table waits for another seat."""


class RuleViolation(Problem):
    """The rules do not allow the act: `rule` says which, and `offers` what they allow."""


class Stale(Problem):
    """The table is at a later version than the act was meant for, or another player was first."""


KINDS: Mapping[str, type[Problem]] = {
    "not-your-turn": NotYourTurn,
    "rule-violation": RuleViolation,
    "precondition-failed": Stale,
    "lost-race": Stale,
}
"""The codes that have a class of their own."""


def problem(status: int, document: object, retry_after: float | None = None) -> Problem:
    """The exception for a refusal. Whatever is not a problem document counts as an empty one."""
    found: Mapping[str, Any] = document if isinstance(document, Mapping) else {}
    return KINDS.get(found.get("code", ""), Problem)(status, found, retry_after)
