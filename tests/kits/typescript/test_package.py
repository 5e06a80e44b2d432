"""The package of the kit for TypeScript, as it is installed: in an empty folder, and as its README says."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.typescript import KIT, LINTERS, ROOT, needs_node, node, surroundings

pytestmark = [
    needs_node,
    pytest.mark.skipif(
        shutil.which("npm") is None or not (LINTERS / "typescript").exists(),
        reason="the package cannot be made: `make typescript` installs its compiler where there is npm",
    ),
]

BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)

CHECKED = {"strict": True, "noEmit": True, "target": "ES2022", "module": "NodeNext", "lib": ["ES2023", "DOM"]}


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
    assert {"README.md", "LICENSE", "examples", "src", "package.json"} == {path.name for path in installed.iterdir()}
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
    assert printed[-1] == "the record is intact 0 1"


def test_types_are_those_of_any_game_or_of_one_as_the_readme_says(
    folder: Path, blocks: dict[str, list[str]], service_url: str
) -> None:
    made = blocks["sh"][-1]
    program, arguments = re.fullmatch(r"npx (\S+) (.*)\n", made.replace("$CODILLE_URL", service_url)).groups()
    run(LINTERS / ".bin" / program, *arguments.split(), folder=folder)
    (folder / "any.ts").write_text(ANY, encoding="utf-8")
    (folder / "one.ts").write_text(blocks["ts"][0] + ONE, encoding="utf-8")
    options = {**CHECKED, "types": ["node"], "typeRoots": [str(LINTERS / "@types")]}
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["*.ts"]}))
    run(LINTERS / ".bin" / "tsc", folder=folder)


ANY = """
import { Client, Words, type Schemas, type Moment, type Offer } from "codille-client";

const client = new Client("http://127.0.0.1:8000", null, { deadline: 5 });
const table = await client.openTable("ombre", { deals: 3, table: { talk: true } });
const moment: Moment | null = await table.myTurn();
const offers: Offer[] = moment?.offers ?? [];
const event: Schemas["Event"] | null | undefined = moment?.event;
const acted: Schemas["Acted"] = await table.act(offers[0]!.act({ card: "Ks" }), 3);
const total: number = (await table.view()).totals.reduce((one, other) => one + other, acted.version);
const said: string = String(new Words(await client.game("ombre")).event(event));
// @ts-expect-error a table has no such option
await client.openTable("ombre", { table: { colour: "red" } });
// @ts-expect-error no such method
await table.cheat(total, said);
"""

ONE = """
const table = await client.openTable("diloti", { options: { players: 2 } });
await table.act({ type: "lay", card: "Ks" });
// @ts-expect-error no card of the pack
await table.act({ type: "lay", card: "Kx" });
// @ts-expect-error no act of this game
await table.act({ type: "bid", contract: "solo" });
"""
