"""The kits of a running service: each is brought into an empty folder and used as its three lines say."""

import json
import re
import subprocess
import sys
import threading
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser

from service.app import VERSION
from tests.kits.python.test_package import UV
from tests.support.browser import browser
from tests.support.kits import ROOT, needs_npm, served_kits
from tests.support.typescript import node, surroundings

__all__ = ["browser"]

pytestmark = needs_npm

CLIENTS = ROOT / "api-spec" / "clients"
WEB = re.compile(r"https?://|#")


@pytest.fixture(scope="module")
def listed(service_url: str) -> dict[str, Any]:
    """What the service says of its kits."""
    served_kits()
    answer = httpx.get(f"{service_url}/kits/", trust_env=False)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture(scope="module")
def titles(service_url: str) -> list[str]:
    """The games' titles."""
    games = httpx.get(f"{service_url}/v1/games", trust_env=False).json()["items"]
    return [game["title"] for game in games]


def run(command: list[str], folder: Path, **settings: str) -> str:
    """What a program prints. Raises AssertionError, with all of its output, if it fails."""
    done = subprocess.run(
        command, cwd=folder, env=surroundings(settings), capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_is_installed_by_its_address_and_lists_the_games(
    listed: dict[str, Any], titles: list[str], tmp_path: Path
) -> None:
    install, *lines = listed["items"][0]["use"]
    found = re.fullmatch(r'pip install "(\S+#sha256=[0-9a-f]{64})"', install)
    assert found is not None
    home = tmp_path / "home"
    # What it depends on is beside it in the environment of the tests, and is not brought from anywhere.
    run([UV, "pip", "install", "--quiet", "--no-deps", "--target", str(home), f"codille-client @ {found[1]}"], tmp_path)
    printed = run([sys.executable, "-c", "\n".join(lines)], tmp_path, PYTHONPATH=str(home))
    assert printed == f"{titles}\n"


def test_the_wheel_asks_the_registry_for_two_packages(listed: dict[str, Any]) -> None:
    with zipfile.ZipFile(served_kits() / listed["items"][0]["name"]) as wheel:
        (metadata,) = (name for name in wheel.namelist() if name.endswith("/METADATA"))
        described = message_from_bytes(wheel.read(metadata))
    assert [one.partition(">")[0] for one in described.get_all("Requires-Dist", [])] == ["httpx", "msgspec"]


def test_the_tarball_is_installed_by_its_address_without_a_registry(
    listed: dict[str, Any], titles: list[str], tmp_path: Path
) -> None:
    install, *lines = listed["items"][1]["use"]
    (tmp_path / "package.json").write_text('{"private": true, "type": "module"}')
    options = ["--registry", "http://127.0.0.1:9", "--no-audit", "--no-fund", "--silent"]
    run([*install.split(" "), *options], tmp_path)
    (tmp_path / "games.js").write_text("\n".join(lines))
    assert all(title in node("games.js", folder=tmp_path) for title in titles)


def test_the_module_is_one_file_for_node_that_plays_and_verifies(
    listed: dict[str, Any], service_url: str, tmp_path: Path
) -> None:
    kit = listed["items"][2]
    (tmp_path / kit["name"]).write_bytes(httpx.get(kit["url"], trust_env=False).content)
    (tmp_path / "play.mjs").write_text(
        f"""
        import {{ Client, anyOf, loggedIn, login, logout, verify }} from "./{kit["name"]}";
        if (![loggedIn, login, logout].every((each) => each instanceof Function)) throw new Error("no login");
        const ada = new Client("{service_url}");
        await ada.register("Ada");
        const table = await ada.openTable("crocodile", {{ deals: 3, bots: {{ 1: "random", 2: "random" }} }});
        await table.sit();
        for await (const turn of table.turns()) await turn.act(anyOf(turn.offers).random());
        const [key] = (await ada.getLogKeys()).items;
        console.log((await verify(await table.export(), [key.verifier])).verdict);
        """
    )
    assert node("play.mjs", folder=tmp_path) == "intact\n"


@contextmanager
def elsewhere(folder: Path) -> Iterator[str]:
    """The address of another service, which serves this folder."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_page_of_another_origin_imports_it_as_a_file_and_by_the_import_map(
    listed: dict[str, Any], titles: list[str], browser: Browser, tmp_path: Path
) -> None:
    imports = json.dumps({"imports": listed["imports"]})
    *_, asks = listed["items"][1]["use"]
    (tmp_path / "file.html").write_text("\n".join(listed["items"][2]["use"]))
    (tmp_path / "map.html").write_text(
        f'<script type="importmap">{imports}</script><script type="module">'
        f'import {{ Client }} from "codille-client"; import {{ verify }} from "codille-client/verify"; {asks}</script>'
    )
    with elsewhere(tmp_path) as address:
        for name in ("file", "map"):
            page = browser.new_context().new_page()
            with page.expect_console_message(lambda message: message.type == "log") as said:
                page.goto(f"{address}/{name}.html")
            assert [game["title"] for game in said.value.args[0].json_value()] == titles
            page.context.close()


def test_the_packages_say_of_themselves_what_registries_show() -> None:
    package = json.loads((CLIENTS / "typescript/package.json").read_text())
    project = tomllib.loads((CLIENTS / "python/pyproject.toml").read_text())["project"]
    assert package["version"] == project["version"] == VERSION
    assert package["license"] == project["license"] == "Apache-2.0"
    assert not any("Private" in one for one in project["classifiers"])
    assert "private" not in package
    assert package["keywords"]
    assert project["keywords"]
    assert package["author"] == project["authors"][0]["name"]


@pytest.mark.parametrize("kit", ["python", "typescript"])
def test_a_readme_has_no_link_that_a_registry_could_not_follow_and_names_this_version(kit: str) -> None:
    readme = (CLIENTS / kit / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", readme)
    assert [link for link in links if not WEB.match(link)] == []
    assert set(re.findall(r"codille.client-([0-9.]+[0-9])[-.]", readme)) == {VERSION}


def test_the_npm_package_holds_what_it_should_and_nothing_else(listed: dict[str, Any]) -> None:
    tarball = served_kits() / listed["items"][1]["name"]
    packed = run(["tar", "-tzf", str(tarball)], ROOT).split()
    sources = [path.stem for path in (CLIENTS / "typescript/src").glob("*.js")]
    expected = {f"src/{name}{suffix}" for name in sources for suffix in (".js", ".d.ts")}
    expected |= {"src/types.d.ts", "src/generic.d.ts", "package.json", "README.md", "CHANGELOG.md", "LICENSE"}
    expected |= {f"examples/{path.name}" for path in (CLIENTS / "typescript/examples").glob("*.js")}
    assert {name.removeprefix("package/") for name in packed} == expected
