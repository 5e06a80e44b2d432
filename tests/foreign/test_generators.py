"""Generators from npm make clients of the interface's document. Their types hold, and the clients play a game."""

import json
import subprocess
from pathlib import Path

import httpx
import pytest

from tests.foreign import npm
from tests.support.typescript import surroundings

GENERATORS = {
    "@hey-api/openapi-ts": ["openapi-ts", "--client", "@hey-api/client-fetch", "--input", "DOCUMENT", "--output", "."],
    "swagger-typescript-api": ["swagger-typescript-api", "generate", "--path", "DOCUMENT", "--name", "index.ts"],
}
STRICTLY = ["--strict", "--module", "commonjs", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"]

pytestmark = [pytest.mark.long, npm.needs(*GENERATORS)]


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("document", ["/v1/openapi.json", "/v1/openapi/generic.json"])
def test_its_client_plays_a_game(service_url: str, tmp_path: Path, generator: str, document: str) -> None:
    (tmp_path / "document.json").write_bytes(httpx.get(service_url + document, timeout=300, trust_env=False).content)
    made = tmp_path / "made"
    made.mkdir()
    program, *options = GENERATORS[generator]
    _run(made, program, *(str(tmp_path / "document.json") if one == "DOCUMENT" else one for one in options))
    _run(made, "tsc", *STRICTLY, "index.ts")
    played = json.loads(npm.run("generated.mjs", generator, str(made / "index.js"), service_url))
    assert played["status"] == "finished"


def _run(folder: Path, program: str, *arguments: str) -> None:
    command = [npm.INSTALLED / "node_modules" / ".bin" / program, *arguments]
    done = subprocess.run(command, cwd=folder, env=surroundings(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
