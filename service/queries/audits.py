"""The audit of a deal, as it is answered."""

from typing import Any, Literal

from msgspec import Struct, structs

from domain.audit.findings import Audit
from service.queries.values import Version


class AuditCheck(Struct, frozen=True):
    """What was checked: passed, or what was recorded and what was computed; the rule and events it rests on."""

    name: str
    passed: bool
    rule: str | None
    events: tuple[Version, ...]
    recorded: Any
    computed: Any
    text: str


class DealAudit(Struct, frozen=True):
    """A deal computed anew from its events; `altered` if a check failed."""

    verdict: Literal["intact", "altered"]
    checks: tuple[AuditCheck, ...]

    @classmethod
    def of(cls, audit: Audit) -> "DealAudit":
        """What is answered of an audit."""
        return cls(audit.verdict, tuple(AuditCheck(**structs.asdict(check)) for check in audit.checks))
