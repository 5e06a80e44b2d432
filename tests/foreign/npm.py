"""Programs from npm, which are installed in `.foreign`, run by Node."""

import json
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.foreign.playing import Follow, Heard
from tests.support.typescript import NODE, surroundings

HERE = Path(__file__).parent
INSTALLED = Path(__file__).parents[2] / ".foreign"


def needs(*packages: str) -> pytest.MarkDecorator:
    """The test is skipped where one of these packages is not installed, or Node is not."""
    missing = [name for name in packages if not (INSTALLED / "node_modules" / name).is_dir()]
    return pytest.mark.skipif(
        bool(missing) or shutil.which(NODE) is None, reason=f"not installed from npm: {', '.join(missing) or 'node'}"
    )


def program(name: str) -> Path:
    """One of the packages' programs."""
    return INSTALLED / "node_modules" / ".bin" / name


def command(script: str, *arguments: str) -> list[str]:
    """What runs one of this folder's scripts, from the folder in which its packages are."""
    return [NODE, "--input-type=module", "--eval", (HERE / script).read_text(), *arguments]


def run(script: str, *arguments: str, given: str = "") -> str:
    """What the script prints. It is given a text to read. Raises AssertionError, with all output, if it fails."""
    done = subprocess.run(
        command(script, *arguments),
        input=given,
        cwd=INSTALLED,
        env=surroundings(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def following(script: str) -> Follow:
    """Follows a stream with the script, which prints each frame as a list in JSON: name, id, data."""

    def events(url: str, headers: Mapping[str, str]) -> Iterator[Heard]:
        started = subprocess.Popen(
            command(script, url, json.dumps(headers)), cwd=INSTALLED, env=surroundings(), stdout=subprocess.PIPE
        )
        with started as program:
            try:
                for line in program.stdout or ():
                    yield Heard(*json.loads(line))
            finally:
                program.kill()
        raise AssertionError("the program ended")

    return events
