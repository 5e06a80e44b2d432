"""Java's HttpClient plays a game."""

import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.foreign.playing import play

JAVA = shutil.which("java")
pytestmark = pytest.mark.skipif(
    JAVA is None or shutil.which("javac") is None, reason="Java's development kit is not installed"
)


def test_it_plays_a_game(service_url: str) -> None:
    command = [JAVA, "-XX:TieredStopAtLevel=1", Path(__file__).with_name("Send.java")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:

        def send(method: str, url: str, headers: Mapping[str, str], body: bytes) -> bytes:
            named = "\t".join(": ".join(header) for header in headers.items())
            print(method, url, named, b64encode(body).decode(), sep="\n", file=program.stdin, flush=True)
            status, _, content = program.stdout.readline().partition(" ")
            assert status in ("200", "201"), (method, url, status, b64decode(content))
            return b64decode(content)

        play(service_url, send)
        program.stdin.close()
