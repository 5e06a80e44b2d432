"""Audits of the log: of one table; of everything at once, on all cores; and of everything, slowly and continuously."""

from service.audit.at_once import AuditSummary, Sources, audit_log
from service.audit.continuous import ContinuousAudit
from service.audit.differences import Difference
from service.audit.tables import table_audit

__all__ = ["AuditSummary", "ContinuousAudit", "Difference", "Sources", "audit_log", "table_audit"]
