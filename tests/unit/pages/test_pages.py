"""The pages: each may load only files that are served with it, and runs no script but those."""

import json
import re
import xml.etree.ElementTree as ET
from hashlib import sha256
from html.parser import HTMLParser

import pytest

from domain.registry import GAMES
from service.describe.texts import english
from service.pages import ERROR_HEADERS, FACES, FILES, File, error_page, rendered, scripted
from service.pages.games import game_page, games_page
from tests.support.scripted import all_of

ERROR = File(
    error_page(404, "There is no such route", "nothing is served here", "no-such-route"),
    "text/html",
    '"error"',
    ERROR_HEADERS,
)
RULES = rendered(game_page(GAMES["crocodile"], (1, 2), None, english()))
ALL_GAMES = rendered(games_page(GAMES.values(), english()))
PAGES: dict[str, File] = {**all_of(), "error": ERROR, "rules": RULES, "games": ALL_GAMES}
SERVED = {
    "/",
    "/new",
    *(f"/new?game={game}" for game in GAMES),
    "/docs",
    "/kits/",
    "/replay",
    "/leaderboard",
    "/archive",
    *(f"/archive?game={game}" for game in GAMES),
    "/tables?status=finished",
    "/v1/openapi.json",
    "/v1/openapi/generic.json",
    "/v1/asyncapi.json",
    "/v1/games",
    "/v1/tables",
    "/v1/disputes",
    "/v1/archive/deals",
    "/v1/log/keys",
    "/games",
    "/tables",
    "/disputes",
    *(f"/games/{game}{page}" for game in GAMES for page in ("", "/score", "/statistics")),
    *(f"/games/crocodile?rules_version={version}" for version in (1, 2)),
    "/v1/games/crocodile?rules_version=2",
}
"""What pages link to besides their files."""
VIEWER = {"swagger-ui-bundle.js", "swagger-ui.css"}


class Read(HTMLParser):
    """What a page refers to, and whether a script or a style stands in the page itself."""

    def __init__(self, page: File) -> None:
        super().__init__()
        self.references: set[str] = set()
        self.inline: list[str] = []
        self.feed(page.body.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.references |= {value for name in ("href", "src") if (value := given.get(name))}
        self.inline += [f"{tag} {name}" for name in given if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline.append(tag)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_a_page_refers_only_to_what_is_served(page: File) -> None:
    files = {reference for reference in Read(page).references - SERVED if not reference.startswith("#")}
    assert files <= {f"/page/{name}" for name in FILES}
    assert files


POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "img-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
DIFFERS = {
    "docs": {"frame-src": "'self'"},
    # It has no origin, and sends nothing.
    "viewer": {
        "sandbox": "allow-scripts allow-forms",
        "connect-src": "'none'",
        "img-src": "'self' data:",
        "frame-ancestors": "'self'",
    },
}


@pytest.mark.parametrize("name", PAGES)
def test_nothing_stands_inline_and_the_policy_forbids_it(name: str) -> None:
    page = PAGES[name]
    assert Read(page).inline == []
    policy = dict(rule.split(" ", 1) for rule in page.headers["Content-Security-Policy"].split("; "))
    assert policy == POLICY | DIFFERS.get(name, {})


def test_without_javascript_there_is_a_link_to_the_document() -> None:
    without = re.search(r"<noscript>(.*)</noscript>", scripted("docs").body.decode())
    assert without
    assert '<a href="/v1/openapi.json">' in without[1]


def test_of_the_viewer_only_what_is_needed_is_served() -> None:
    assert {name for name in FILES if name.startswith("swagger")} == VIEWER
    assert not {name for name in FILES if name.endswith((".html", ".map"))}


def test_the_library_for_codes_is_unchanged_and_has_its_licence() -> None:
    licence, _, source = FILES["vendored/lean-qr.js"].body.partition(b"\n*/\n")
    assert licence.startswith(b"/*\nlean-qr 2.7.4, ")
    assert b"Permission is hereby granted, free of charge" in licence
    # The file index.mjs of the package from npm, without line breaks.
    digest = "d2da72b0e9ac5d1c2876ad0efd13c315a5642e724321421db69effe912585e3a"
    assert sha256(source.replace(b"\n", b"")).hexdigest() == digest


def test_every_card_has_a_picture_in_one_file_that_is_small_and_kept() -> None:
    file = FILES[FACES]
    assert file.headers["Cache-Control"] == "max-age=86400"
    assert len(file.gzipped.body) < 120_000
    assert b"CC0 1.0 Universal" in file.body
    drawn = ET.fromstring(file.body)  # noqa: S314 (committed)
    symbols = {symbol.get("id") for symbol in drawn.iter("{http://www.w3.org/2000/svg}symbol")}
    ids = [one.get("id") for one in drawn.iter() if one.get("id")]
    assert len(ids) == len(set(ids))
    assert {(one.get("href") or "")[1:] for one in drawn.iter("{http://www.w3.org/2000/svg}use")} <= set(ids)
    # Nothing runs in it, and nothing is loaded by it.
    names = {name.rpartition("}")[2] for one in drawn.iter() for name in (one.tag, *one.attrib)}
    assert not {name for name in names if name in ("script", "style", "image") or name.startswith("on")}
    for game in GAMES.values():
        pictures = {f"{face.rank}{face.suit or ''}" for face in game.pack.faces.values()}
        assert pictures | {f"{picture}-small" for picture in pictures} <= symbols, game.name


def test_each_file_has_a_tag_of_its_own() -> None:
    files = (*FILES.values(), *all_of().values(), RULES, ALL_GAMES)
    tags = {file.etag for file in files}
    assert len(tags) == len(files)
    assert all(re.fullmatch('"[0-9a-f]{32}"', tag) for tag in tags)


def test_a_page_knows_the_files_that_it_was_made_with() -> None:
    served = json.loads(FILES["version.json"].body)["pages"]
    assert len(served) == 16
    for page in all_of().values():
        assert f'data-pages="{served}"' in page.body.decode()


def test_what_an_error_says_cannot_become_part_of_the_page() -> None:
    page = error_page(400, "<b>bold</b>", 'a "name" & <script>$title</script>', "bad").decode()
    assert "<b>" not in page
    assert "<script>" not in page
    assert "A &#34;name&#34; &amp; &lt;script&gt;$title&lt;/script&gt;." in page
