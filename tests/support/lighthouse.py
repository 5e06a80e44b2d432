"""Lets Lighthouse look at the pages of a service of its own: `python -m tests.support.lighthouse`.

Accessibility and best practices must have 100 points of 100. What it says of performance depends on the machine, and is
printed: the median of a few runs.
"""

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.support.browser import CHROMIUM
from tests.support.play_page import POLLING_MS, READY, Player
from tests.support.ports import free_port
from tests.support.service import running

LIGHTHOUSE = Path(__file__).parents[2] / ".lighthouse/node_modules/lighthouse/cli/index.js"
WHOLE = ("accessibility", "best-practices")
"""What must be without a fault."""
TIMES = int(os.environ.get("CODILLE_LIGHTHOUSE_TIMES", "5"))
"""How often it looks at each page."""
PATIENCE_S = 300


@contextmanager
def looked_at(url: str, folder: Path) -> Iterator[tuple[int, str]]:
    """A browser in which a player has a seat at a running table: the port by which it is led, and the table."""
    port = free_port()
    arguments = [f"--remote-debugging-port={port}", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    with sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(folder, executable_path=CHROMIUM, args=arguments)
        player = Player(context, url)
        table = player.opens("crocodile", bots={"1": "quick", "2": "quick"})
        player.sits(table).visit(table)
        player.page.evaluate("token => localStorage.setItem('codille-token', token)", player.token)
        player.page.wait_for_function(READY, polling=POLLING_MS)
        yield port, table
        context.close()


def report(address: str, port: int) -> Mapping[str, Any]:
    """What Lighthouse says of a page. Raises CalledProcessError."""
    options = ["--output=json", "--quiet", "--disable-storage-reset", f"--port={port}"]
    categories = f"--only-categories={','.join((*WHOLE, 'performance'))}"
    node = [str(shutil.which("node")), str(LIGHTHOUSE), address, *options, categories]
    done = subprocess.run(node, check=True, capture_output=True, timeout=PATIENCE_S)
    found: Mapping[str, Any] = json.loads(done.stdout)
    return found


def faults(found: Mapping[str, Any]) -> Iterator[str]:
    """What keeps a page from the whole number of points."""
    for category in WHOLE:
        about = found["categories"][category]
        if about["score"] == 1:
            continue
        yield f"{category}: {about['score']} of 1"
        for reference in about["auditRefs"]:
            audit = found["audits"][reference["id"]]
            if reference["weight"] and audit["score"] not in (1, None):
                places = [item.get("node", item) for item in audit.get("details", {}).get("items", [])][:3]
                yield f"{category}: {audit['title']}: {json.dumps(places)[:600]}"


def main() -> int:
    """Looks at the pages. 1 if one has a fault."""
    failed = False
    with (
        tempfile.TemporaryDirectory() as folder,
        running(Path(folder) / "data") as service,
        looked_at(service.url, Path(folder) / "browser") as (port, table),
    ):
        for path in ("/", "/games/crocodile", f"/play/{table}"):
            found = [report(f"{service.url}{path}", port) for _ in range(TIMES)]
            said = {fault for one in found for fault in faults(one)}
            speed = statistics.median(100 * one["categories"]["performance"]["score"] for one in found)
            print(f"{path}: performance {speed:.0f}")
            for fault in sorted(said):
                print(f"  {fault}")
            failed = failed or bool(said)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
