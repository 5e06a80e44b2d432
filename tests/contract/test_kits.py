"""The kits at the interface: the list for people and programs, the files, and what is there before they are made."""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from service.app import VERSION, create_app
from service.http import interface
from service.http.edge import Edge
from service.pages.kit_files import Kits
from service.services import Services
from tests.contract.conftest import problem
from tests.contract.test_pages import BROWSER, page
from tests.support.for_each import for_each

FILES = {
    f"codille_client-{VERSION}-py3-none-any.whl": "application/zip",
    f"codille-client-{VERSION}.tgz": "application/gzip",
    f"codille-client-{VERSION}.mjs": "text/javascript; charset=utf-8",
    f"tutorial-{VERSION}.md": "text/markdown; charset=utf-8",
}
"""The files' names, and their media types."""
WHEEL, TARBALL, MODULE, TUTORIAL = FILES


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the service reads the kits. Nothing is made there."""
    return tmp_path / "kits"


@pytest.fixture
def app(services: Services, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Edge:
    monkeypatch.setattr(interface, "Kits", lambda: Kits(folder))
    return create_app(services)


@pytest.fixture
def made(client: httpx.AsyncClient, folder: Path) -> httpx.AsyncClient:
    """A client of a service whose kits are made."""
    make(folder)
    return client


def make(folder: Path, names: Iterable[str] = FILES) -> None:
    """Writes files in the place of the kits, each long enough to be worth compressing."""
    folder.mkdir()
    for name in names:
        (folder / name).write_text(name * 100, encoding="utf-8")


async def test_programs_get_a_list_with_hashes_and_lines_of_use(made: httpx.AsyncClient, folder: Path) -> None:
    for headers in ({}, {"Accept": "*/*"}, {"Accept": "application/json"}):
        answer = await made.get("/kits/", headers=headers)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    listed = answer.json()
    assert listed["version"] == VERSION
    assert [kit["name"] for kit in listed["items"]] == [WHEEL, TARBALL, MODULE]
    for kit in listed["items"]:
        body = (await made.get(kit["url"])).content
        assert (kit["size"], kit["sha256"]) == (len(body), sha256(body).hexdigest())
        assert body == (folder / kit["name"]).read_bytes()
        assert len(kit["use"]) == 3
        assert kit["url"] in "".join(kit["use"])
    assert (await made.get(listed["tutorial"])).text == TUTORIAL * 100
    for address in listed["imports"].values():
        assert (await made.get(address)).headers["content-type"] == "text/javascript; charset=utf-8"


async def test_a_browser_gets_the_same_as_a_page(made: httpx.AsyncClient) -> None:
    answer = await made.get("/kits/", headers={"Accept": BROWSER})
    shown = page(answer, 200)
    for kit in (await made.get("/kits/")).json()["items"]:
        assert f'<a href="{kit["name"]}">' in shown
        assert kit["sha256"] in shown
    assert answer.headers["vary"] == "Accept, Accept-Encoding, Authorization"
    again = {"Accept": BROWSER, "If-None-Match": answer.headers["etag"]}
    assert (await made.get("/kits/", headers=again)).status_code == 304


async def test_the_address_without_a_slash_leads_there(made: httpx.AsyncClient) -> None:
    answer = await made.get("/kits")
    assert (answer.status_code, answer.headers["location"]) == (308, "/kits/")


@for_each("name", FILES)
async def test_a_file_never_changes_and_any_page_may_read_it(made: httpx.AsyncClient, name: str) -> None:
    plain = await made.get(f"/kits/{name}", headers={"Origin": "https://bot.example", "Accept-Encoding": "identity"})
    assert (plain.status_code, plain.headers["content-type"], plain.text) == (200, FILES[name], name * 100)
    assert plain.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert plain.headers["access-control-allow-origin"] == "*"
    known = {"If-None-Match": plain.headers["etag"], "Accept-Encoding": "identity"}
    same = await made.get(f"/kits/{name}", headers=known)
    assert (same.status_code, same.content) == (304, b"")
    head = await made.head(f"/kits/{name}", headers={"Accept-Encoding": "identity"})
    assert (head.status_code, head.content) == (200, b"")
    assert {head.headers[one] == plain.headers[one] for one in ("etag", "content-length", "content-type")} == {True}
    packed = await made.get(f"/kits/{name}", headers={"Accept-Encoding": "gzip"})
    # What is compressed already is sent as it is.
    assert packed.headers.get("content-encoding") == ("gzip" if name in (MODULE, TUTORIAL) else None)
    assert packed.text == plain.text


@for_each(
    "path",
    ["/kits/codille-client-9.9.9.tgz", "/kits/x", "/kits//", "/kits/a/b", "/kits/../kits/x", "/kits/%2e%2e/index.json",
     f"/kits/{TARBALL}/", "/kits/.stamp", f"/kits/{TARBALL.upper()}"],
)  # fmt: skip
async def test_there_is_nothing_else(made: httpx.AsyncClient, path: str) -> None:
    url = httpx.URL("http://codille.test").copy_with(raw_path=path.encode())
    problem(await made.get(url), 404, "no-such-route")


async def test_another_version_is_refused_with_the_one_that_is_there(made: httpx.AsyncClient) -> None:
    refused = problem(await made.get("/kits/codille-client-9.9.9.tgz"), 404, "no-such-route")
    assert all(name in refused["detail"] for name in FILES)


async def test_lines_of_use_name_the_service_as_the_caller_does_if_that_is_a_host(made: httpx.AsyncClient) -> None:
    listed = (await made.get("/kits/", headers={"Host": "games.example:8443"})).json()
    assert listed["tutorial"] == f"http://games.example:8443/kits/{TUTORIAL}"
    for host in ('x"><script>alert(1)</script>', "x; rm -rf", "x/y"):
        problem(await made.get("/kits/", headers={"Host": host}), 400, "bad-request")


@pytest.mark.parametrize("partly", [False, True])
async def test_kits_that_are_not_made_are_not_there_and_it_is_said_what_makes_them(
    client: httpx.AsyncClient, folder: Path, partly: bool
) -> None:
    if partly:
        make(folder, [TARBALL])
    for path in ("/kits/", f"/kits/{WHEEL}", f"/kits/{TARBALL}"):
        assert "make kits makes them" in problem(await client.get(path), 404, "no-such-route")["detail"]
    assert "make kits" in page(await client.get("/kits/", headers={"Accept": BROWSER}), 404)


async def test_a_running_service_serves_them_once_they_are_made(client: httpx.AsyncClient, folder: Path) -> None:
    problem(await client.get("/kits/"), 404, "no-such-route")
    make(folder)
    assert (await client.get("/kits/")).status_code == 200
