"""Audits over the log: of one table, of everything at once, and of everything bit by bit for as long as it runs."""

from service.audit.tables import table_audit
from service.audit.whole import Failure, Summary, audit_log
from service.audit.worker import AuditWorker

__all__ = ["AuditWorker", "Failure", "Summary", "audit_log", "table_audit"]
