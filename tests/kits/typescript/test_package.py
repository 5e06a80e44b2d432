"""The package of the kit for TypeScript, as it is installed: in an empty folder, and as its README says."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.typescript import KIT, LINTERS, ROOT, TESTS, needs_node, node, surroundings

pytestmark = [
    needs_node,
    pytest.mark.skipif(
        shutil.which("npm") is None or not (LINTERS / "typescript").exists(),
        reason="the package cannot be made: `make typescript` installs its compiler where there is npm",
    ),
]

BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)

CHECKED = {
    "strict": True,
    "noEmit": True,
    "skipLibCheck": True,
    "target": "ES2022",
    "module": "NodeNext",
    "lib": ["ES2023", "DOM"],
}


def run(*command: str | Path, folder: Path) -> str:
    """What a program prints. Raises AssertionError, with all of its output, if it fails."""
    done = subprocess.run(command, cwd=folder, env=surroundings(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def blocks() -> dict[str, list[str]]:
    """The README's blocks of code, by language."""
    found: dict[str, list[str]] = {}
    for language, code in BLOCK.findall((KIT / "README.md").read_text(encoding="utf-8")):
        found.setdefault(language, []).append(code)
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder in which the package is installed, and nothing else."""
    made = tmp_path_factory.mktemp("kit")
    within = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    command = [shutil.which("make") or "make", "--no-print-directory", "kit-typescript", f"KITS={made}"]
    subprocess.run(command, cwd=ROOT, env=within, check=True)
    (package,) = made.glob("*.tgz")
    empty = made / "empty"
    empty.mkdir()
    (empty / "package.json").write_text('{"private": true, "type": "module"}')
    run("npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", package, folder=empty)
    return empty


def test_the_package_has_its_modules_types_and_examples_and_needs_no_other(folder: Path) -> None:
    installed = folder / "node_modules" / "codille-client"
    assert [path.name for path in (folder / "node_modules").iterdir() if path.name[0] != "."] == ["codille-client"]
    modules = sorted(path.name for path in (KIT / "src").glob("*.js"))
    assert sorted(path.name for path in (installed / "src").glob("*.js")) == modules
    for module in modules:
        assert (installed / "src" / module).read_bytes() == (KIT / "src" / module).read_bytes()
        assert (installed / "src" / module).with_suffix(".d.ts").exists()
    assert {"CHANGELOG.md", "README.md", "LICENSE", "examples", "src", "package.json"} == {
        path.name for path in installed.iterdir()
    }
    assert "dependencies" not in json.loads((installed / "package.json").read_text())


def test_a_game_is_played_in_an_empty_folder_as_the_readme_says(
    folder: Path, blocks: dict[str, list[str]], service_url: str
) -> None:
    (folder / "readme.js").write_text("\n".join(blocks["js"]), encoding="utf-8")
    printed = node("readme.js", settings={"CODILLE_URL": service_url}, folder=folder).splitlines()
    assert printed[0] == "keep them: true"
    assert any(re.match(r"\d+ The game is over", line) for line in printed)
    assert "409 table-finished undefined 0" in printed
    assert any(line.startswith("K♠ king of spades ") for line in printed)
    assert "the record is intact 0 1" in printed
    assert printed[-1].startswith("webhook-id, webhook-timestamp or webhook-signature is missing")


def test_its_declarations_are_those_that_programs_in_typescript_need(folder: Path) -> None:
    (folder / "usage.ts").write_text((TESTS / "any_game.ts").read_text(encoding="utf-8"), encoding="utf-8")
    options = {**CHECKED, "types": ["node"], "typeRoots": [str(LINTERS / "@types")]}
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["*.ts"]}))
    run(LINTERS / ".bin" / "tsc", folder=folder)


def test_the_types_of_one_game_are_made_and_checked_as_the_readme_says(blocks: dict[str, list[str]]) -> None:
    """They are checked by `make lint`, which makes those of another game."""
    made, imported = blocks["sh"][-1], blocks["ts"][0]
    game = re.fullmatch(r"npx openapi-typescript \S+/v1/games/(\w+)/openapi\.json (.*) --output \1\.d\.ts\n", made)
    assert game is not None
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert re.search(rf"openapi-typescript api-spec/built/openapi/\$\$need\.json {game[2]} ", makefile)
    checked = (TESTS / "one_game.ts").read_text(encoding="utf-8")
    other = re.search(r'"\./(\w+)\.js"', checked)
    assert other is not None
    assert re.search(rf"^NEEDS \?= .*\b{other[1]}\b", makefile, re.MULTILINE)
    assert checked.startswith(imported.replace(f"./{game[1]}.js", f"./{other[1]}.js"))
