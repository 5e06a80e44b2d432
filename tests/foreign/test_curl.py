"""curl, which offers to go on in HTTP/2, plays a game."""

import shutil
import subprocess
from collections.abc import Mapping

import pytest

from tests.foreign.playing import play

CURL = shutil.which("curl")
pytestmark = pytest.mark.skipif(CURL is None, reason="curl is not installed")


def send(method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
    named = [option for header in headers.items() for option in ("--header", ": ".join(header))]
    sent = ["--data-binary", "@-"] if method == "POST" else []
    command = [CURL, "--http2", "--no-progress-meter", "--fail-with-body", "--noproxy", "*", *named, *sent, url]
    done = subprocess.run(command, input=body, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout, done.stderr)
    return done.stdout


def test_it_plays_a_game(service_url: str) -> None:
    play(service_url, send)
