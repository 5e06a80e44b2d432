"""npm's oauth4webapi is let in by a player, checks who answers, and ends its token."""

import json
import subprocess

from tests.foreign import npm
from tests.foreign.playing import Game
from tests.support.letting_in import CLIENT, sent_back
from tests.support.typescript import surroundings

pytestmark = npm.needs("oauth4webapi")


def test_it_logs_in_acts_and_ends_its_token(service_url: str) -> None:
    player = Game(service_url).tokens[0]
    command = npm.command("oauth4webapi.mjs", service_url, CLIENT)
    with subprocess.Popen(
        command, cwd=npm.INSTALLED, env=surroundings(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        url = program.stdout.readline()
        said, _ = program.communicate(sent_back(url.strip(), player) + "\n")
    assert program.returncode == 0
    assert json.loads(said) == {
        "name": "Ada",
        "scope": "read seat",
        "refused": ["OAUTH_INVALID_RESPONSE"] * 2,
        "status": 401,
        "challenge": "invalid_token",
    }
