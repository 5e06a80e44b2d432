"""Audits over the log: of one table, of everything at once, and of everything bit by bit for as long as it runs."""

from service.auditing.tables import table_audit
from service.auditing.whole import Failure, Summary, audit_log
from service.auditing.worker import AuditWorker

__all__ = ["AuditWorker", "Failure", "Summary", "audit_log", "table_audit"]
