"""Writes what is generated and not committed: the types, from the service's generic document, and the sync face.

`python generate.py DOCUMENT`. The folder `src` is complete after that.
"""

import json
import sys
from pathlib import Path

import unasync

HERE = Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "codille_client"
SOURCES = ("client", "http", "streams", "table")
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


def types(document: Path) -> None:
    """Writes `codille_client.models`."""
    sys.path.insert(0, str(PACKAGE.parent))
    from codille_client.types import module

    (PACKAGE / "models.py").write_text(module(json.loads(document.read_bytes())), encoding="utf-8")


if __name__ == "__main__":
    sync_face()
    types(Path(sys.argv[1]))
