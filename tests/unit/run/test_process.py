"""What processes of the service load: each start takes as long as its imports, and each process has their memory."""

import subprocess
import sys

import pytest

LOADED = "import sys, {}; print(*{{name.partition('.')[0] for name in sys.modules}})"


@pytest.mark.parametrize(
    ("module", "unused"),
    [
        ("service.run.worker", {"jinja2", "litestar", "uvicorn"}),
        ("service.compute.job_process", {"jinja2", "litestar", "redis", "uvicorn"}),
    ],
)
def test_a_process_that_answers_nobody_does_not_load_the_interface(module: str, unused: set[str]) -> None:
    loaded = subprocess.run(
        [sys.executable, "-P", "-c", LOADED.format(module)], capture_output=True, text=True, check=True
    )
    assert {*loaded.stdout.split()} & {*unused, "msgspec"} == {"msgspec"}
