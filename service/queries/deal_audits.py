"""The audit of a deal in its served form."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, structs

from domain.audit.findings import Audit
from service.describe.shared_fields import Version


class NoSuchDeal(Exception):
    """The deal has not started."""


class DealNotOver(Exception):
    """The deal is not over, so it cannot be audited yet."""


class AuditCheck(Struct, frozen=True):
    """One check, with its rule and events. A failed check has the recorded and the computed value."""

    name: Annotated[str, Meta(description="The check's name.")]
    passed: Annotated[bool, Meta(description="Whether the record agrees with the computed value.")]
    rule: Annotated[
        str | None,
        Meta(description="The numbered rule that the check applies; null if it applies no rule of the game."),
    ]
    events: Annotated[tuple[Version, ...], Meta(description="The versions of the events that the check is about.")]
    recorded: Annotated[Any, Meta(description="The recorded value of a failed check; several values by position.")]
    computed: Annotated[Any, Meta(description="The value that a failed check computed.")]
    text: Annotated[str, Meta(description="The check in words.")]


class DealAudit(Struct, frozen=True):
    """A deal recomputed from its events. The verdict is `altered` if a check failed.

    It is `not-judged` if none did, but this version of the service lacks the rules of the record, or does not know an
    event in it.
    """

    verdict: Annotated[
        Literal["intact", "altered", "not-judged"],
        Meta(description="`altered` if a check failed; else `not-judged` if rules or events are unknown, or `intact`."),
    ]
    checks: Annotated[
        tuple[AuditCheck, ...],
        Meta(description="The checks: one entry for each name and rule that passed, one for each check that failed."),
    ]

    @classmethod
    def of(cls, audit: Audit) -> "DealAudit":
        """The served form of an audit."""
        return cls(audit.verdict, tuple(AuditCheck(**structs.asdict(check)) for check in audit.checks))
