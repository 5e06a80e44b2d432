"""What a process of the service loads."""

import subprocess
import sys

LOADED = """
import sys, service.run.worker
print(*{name.partition(".")[0] for name in sys.modules} & {"litestar", "uvicorn", "jinja2"})
"""


def test_a_process_that_answers_nobody_does_not_load_the_interface() -> None:
    loaded = subprocess.run([sys.executable, "-P", "-c", LOADED], capture_output=True, text=True, check=True)
    assert loaded.stdout.split() == []
