"""A process that runs jobs imports little: there may be several beside each worker, and each takes what it imports."""

import json
import subprocess
import sys

LOOK = """
import json, sys
import service.compute.job_process, service.audit, service.queries.disputes, service.queries.exports
import service.queries.table_queries
from service.config import load_registry
load_registry("domain.registry:GAMES")
resident = open("/proc/self/status").read().split("VmRSS:")[1].split()[0]
print(json.dumps([int(resident), sorted(sys.modules)]))
"""

MOST_KB = 70_000
"""The memory that `deploy/decisions/0012` promises."""

UNNEEDED = {"app", "bots", "cli", "http", "live", "pages", "run", "spec", "wiring"}
"""Rooms of the service that no job needs."""


def test_job_processes_import_neither_the_interface_nor_its_libraries() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, check=True, timeout=60)
    resident_kb, modules = json.loads(done.stdout)
    assert not UNNEEDED & {module.split(".")[1] for module in modules if module.startswith("service.")}
    assert not {"httptools", "httpx", "litestar", "typer", "uvicorn", "uvloop"} & set(modules)
    assert [module for module in modules if module.startswith("service.describe.")] == [
        "service.describe.shared_fields"
    ]
    assert resident_kb <= MOST_KB
