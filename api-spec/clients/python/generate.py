"""Writes what is generated and not committed: operations and types, from the generic document, and the sync face.

`python generate.py DOCUMENT`. The folder `src` is complete after that.
"""

import json
import runpy
import sys
from pathlib import Path

import unasync

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "codille_client"
SOURCES = ("client", "http", "login", "operations", "streams", "table")
"""The modules that wait. They name one another relatively, and everything else absolutely."""
REPLACED = {
    "AsyncClient": "Client",
    "AsyncGenerator": "Generator",
    "aclose": "close",
    "aclosing": "closing",
    "aiter_bytes": "iter_bytes",
    "aread": "read",
    "asyncio": "time",
}
FACE = '''"""The same client without `async`."""

from codille_client.sync.client import Client
from codille_client.sync.table import Moment, Table

__all__ = ["Client", "Moment", "Table"]
'''


def sync_face() -> None:
    """Writes `codille_client.sync`."""
    sources = [str(PACKAGE / f"{name}.py") for name in SOURCES]
    rule = unasync.Rule(f"{PACKAGE}/", f"{PACKAGE / 'sync'}/", additional_replacements=REPLACED)
    unasync.unasync_files(sources, [rule])
    (PACKAGE / "sync" / "__init__.py").write_text(FACE, encoding="utf-8")


def described(path: Path) -> None:
    """Writes `codille_client.models` and `codille_client.operations`."""
    document = json.loads(path.read_bytes())
    made = {
        "models": runpy.run_path(str(PACKAGE / "schemas.py"))["module"],
        "operations": runpy.run_path(str(HERE.parent / "operations.py"))["python"],
    }
    for name, module in made.items():
        (PACKAGE / f"{name}.py").write_text(module(document), encoding="utf-8")


if __name__ == "__main__":
    described(Path(sys.argv[1]))
    sync_face()
