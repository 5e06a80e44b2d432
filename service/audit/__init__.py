"""Audits of the log: of one table, of everything at once on all cores, and continuously of what is appended."""

from service.audit.at_once import AuditSummary, Sources, audit_log
from service.audit.checks import Difference
from service.audit.continuous import ContinuousAudit, Pace
from service.audit.one_table import deal_audit, table_audit

__all__ = [
    "AuditSummary", "ContinuousAudit", "Difference", "Pace", "Sources", "audit_log", "deal_audit", "table_audit",
]  # fmt: skip
