"""The service keeps to its OpenAPI document, whatever it is sent."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.repetition import TIMES, times

HERE = Path(__file__).parent
STREAMS = ("streamEvents", "streamPlayer", "streamLobby")
EXAMPLES = times(3)
"""Requests an operation and phase."""
PHASES = ("examples", "fuzzing", "stateful", *(["coverage"] if TIMES > 1 else []))
"""To try each limit of each field takes as long as all the rest, and is left to longer runs."""


def test_every_answer_is_as_documented(service_url: str, tmp_path: Path) -> None:
    command = [
        str(Path(sys.executable).with_name("schemathesis")),
        *("--no-color", "--config-file", str(HERE / "schemathesis.toml")),
        *("run", f"{service_url}/v1/openapi.json", "--checks", "all"),
        # Closing a table is no deletion: its record stays. That a revoked token is gone is tested in test_accounts.py.
        *("--exclude-checks", "use_after_free"),
        # An answer that goes on never ends for it. Streams have tests of their own.
        *(part for name in STREAMS for part in ("--exclude-operation-id", name)),
        *("--phases", ",".join(PHASES), "--max-examples", str(EXAMPLES), "--seed", "1", "--continue-on-failure"),
    ]
    environment = os.environ | {"CODILLE_TEST_URL": service_url, "SCHEMATHESIS_HOOKS": str(HERE / "hooks.py")}
    run = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
