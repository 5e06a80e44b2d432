"""Generators make clients of the interface's documents. They are imported, their types hold, and they play a game."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.foreign import npm
from tests.support.typescript import LINTERS, node, surroundings

GENERATORS = {
    "@hey-api/openapi-ts": ["openapi-ts", "--client", "@hey-api/client-fetch", "--input", "DOCUMENT", "--output", "."],
    "swagger-typescript-api": ["swagger-typescript-api", "generate", "--path", "DOCUMENT", "--name", "index.ts"],
}
STRICTLY = ["--strict", "--target", "es2022", "--lib", "es2023,dom,dom.iterable"]
OPENAPI_GENERATOR = Path(sys.executable).with_name("openapi-generator-cli")
DOCUMENTS = (GENERIC := "/v1/openapi/generic.json", "/v1/openapi.json")

pytestmark = pytest.mark.long

needs_openapi_generator = pytest.mark.skipif(
    not OPENAPI_GENERATOR.exists() or shutil.which("java") is None,
    reason="openapi-generator-cli from PyPI or Java is not installed",
)

of_any_game = pytest.mark.parametrize("document", [GENERIC], indirect=True)
"""openapi-generator makes one class with all members of the acts of all games, so it takes the generic document."""


@pytest.fixture(params=DOCUMENTS)
def document(request: pytest.FixtureRequest, service_url: str, tmp_path: Path) -> Path:
    """One of the service's documents, in a folder of its own."""
    path = tmp_path / "document.json"
    path.write_bytes(httpx.get(service_url + request.param, timeout=300, trust_env=False).content)
    return path


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """The folder for what is made."""
    folder = tmp_path / "made"
    folder.mkdir()
    return folder


@npm.needs(*GENERATORS)
@pytest.mark.parametrize("generator", GENERATORS)
def test_its_client_plays_a_game(service_url: str, document: Path, made: Path, generator: str) -> None:
    program, *options = GENERATORS[generator]
    _run(made, npm.program(program), *(str(document) if one == "DOCUMENT" else one for one in options))
    _run(made, npm.program("tsc"), *STRICTLY, "--module", "commonjs", "index.ts")
    played = json.loads(npm.run("generated.mjs", generator, str(made / "index.js"), service_url))
    assert played["status"] == "finished"


@needs_openapi_generator
@npm.needs("typescript")
@of_any_game
def test_openapi_generators_client_in_typescript_plays_a_game(service_url: str, document: Path, made: Path) -> None:
    _run(made, OPENAPI_GENERATOR, "generate", "-g", "typescript-fetch", "-i", str(document), "-o", ".")
    _run(made, npm.program("tsc"), *STRICTLY, "--module", "commonjs", "index.ts")
    played = json.loads(npm.run("generated.mjs", "openapi-generator", str(made / "index.js"), service_url))
    assert played["status"] == "finished"


@needs_openapi_generator
@of_any_game
def test_openapi_generators_client_in_python_plays_a_game(service_url: str, document: Path, made: Path) -> None:
    _run(made, OPENAPI_GENERATOR, "generate", "-g", "python", "-i", str(document), "-o", ".")
    player = (npm.HERE / "generated_python.py").read_text(encoding="utf-8")
    played = json.loads(_run(made, Path(sys.executable), "-W", "error::SyntaxWarning", "-c", player, service_url))
    assert played["status"] == "finished"


@npm.needs("openapi-fetch", "typescript")
@pytest.mark.skipif(not (LINTERS / "openapi-typescript").exists(), reason="openapi-typescript is not installed")
def test_the_types_of_openapi_typescript_hold_where_openapi_fetch_plays_a_game(
    service_url: str, document: Path, made: Path
) -> None:
    types = LINTERS / ".bin" / "openapi-typescript"
    _run(made, types, str(document), "--default-non-nullable=false", "--output", "codille.d.ts")
    (made / "node_modules").symlink_to(npm.INSTALLED / "node_modules")
    (made / "package.json").write_text('{"type": "module"}')
    shutil.copy(npm.HERE / "typed_fetch.ts", made)
    _run(made, npm.program("tsc"), *STRICTLY, "--module", "es2022", "--moduleResolution", "bundler", "typed_fetch.ts")
    assert json.loads(node("typed_fetch.js", service_url, folder=made))["status"] == "finished"


def _run(folder: Path, program: Path, *arguments: str) -> str:
    """What the program prints. Raises AssertionError, with all of its output, if it fails."""
    command = [program, *arguments]
    done = subprocess.run(command, cwd=folder, env=surroundings(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
