"""The audit of a deal in the form of an answer."""

from typing import Any, Literal

from msgspec import Struct, structs

from domain.audit.findings import Audit
from service.queries.values import Version


class AuditCheck(Struct, frozen=True):
    """One check, with its rule and events. A failed check has the recorded and the computed value."""

    name: str
    passed: bool
    rule: str | None
    events: tuple[Version, ...]
    recorded: Any
    computed: Any
    text: str


class DealAudit(Struct, frozen=True):
    """A deal recomputed from its events. The verdict is `altered` if a check failed."""

    verdict: Literal["intact", "altered"]
    checks: tuple[AuditCheck, ...]

    @classmethod
    def of(cls, audit: Audit) -> "DealAudit":
        """The answer for an audit."""
        return cls(audit.verdict, tuple(AuditCheck(**structs.asdict(check)) for check in audit.checks))
