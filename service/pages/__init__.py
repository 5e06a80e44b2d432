"""The pages for people at a browser, their files, and the policy under which a browser shows them.

A page is a client of the interface like any other, and has no special rights.
"""

import gzip
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from typing import Self, get_args

import msgspec
from msgspec import Struct

from service.auth.client_ids import ClientIdentity
from service.auth.scopes import GIVES, ClientScope
from service.config import SPECIFICATION
from service.describe.texts import ENGLISH, Texts, english
from service.pages.rendering import page

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".ico": "image/vnd.microsoft.icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".tgz": "application/gzip",
    ".txt": "text/plain; charset=utf-8",
    ".whl": "application/zip",
}
HTML = "text/html; charset=utf-8"


class File(Struct, frozen=True, dict=True):
    """A file as it is served: its bytes, their media type, and its own headers."""

    body: bytes
    media_type: str
    etag: str
    """A strong entity tag, derived from the bytes."""
    headers: Mapping[str, str] = {}

    @classmethod
    def read(cls, path: Path, headers: Mapping[str, str] | None = None) -> Self:
        """The file at this path. Raises OSError if it cannot be read, KeyError if its suffix has no media type."""
        return cls.of(path.read_bytes(), MEDIA_TYPES[path.suffix], headers)

    @classmethod
    def of(cls, body: bytes, media_type: str, headers: Mapping[str, str] | None = None) -> Self:
        """A file of these bytes."""
        return cls(body, media_type, f'"{sha256(body).hexdigest()[:32]}"', headers or {})

    @cached_property
    def gzipped(self) -> "File":
        """The file compressed with gzip, with its own entity tag. It is compressed once."""
        headers = {**self.headers, "Content-Encoding": "gzip"}
        return File(gzip.compress(self.body, mtime=0), self.media_type, f'{self.etag[:-1]}-gzip"', headers)


_OWN = Path(__file__).with_name("static")
_VIEWER = Path(str(distribution("flask-swagger-ui").locate_file("flask_swagger_ui/dist")))
"""Swagger UI's own files, read where they are installed: the package around them is never imported."""

_KIT = SPECIFICATION / "clients/typescript/src"
"""The kit for clients in JavaScript. Pages load the very modules that it has."""

KIT_MODULES = tuple(sorted(path.name for path in _KIT.glob("*.js")))
"""All of its modules: pages of others load them from here too."""

_LOADED = {".css", ".js", ".json", ".svg"}
"""The kinds of files that pages load. The pages themselves have addresses of their own."""

FACES = "vendored/cards.svg"
"""The pictures of all cards. They are large and seldom change, so a browser asks for them once a day."""

_READ: Mapping[str, File] = {
    **{path.relative_to(_OWN).as_posix(): File.read(path) for path in _OWN.rglob("*") if path.suffix in _LOADED},
    FACES: File.read(_OWN / FACES, {"Cache-Control": "max-age=86400"}),
    **{f"kit/{name}": File.read(_KIT / name) for name in KIT_MODULES},
    ENGLISH.name: File.read(ENGLISH),
    **{path.name: File.read(path) for path in (_VIEWER / "swagger-ui-bundle.js", _VIEWER / "swagger-ui.css")},
}


_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "img-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}

_DIFFERENT: Mapping[str, Mapping[str, str]] = {
    "docs": {"frame-src": "'self'"},
    "viewer": {
        "sandbox": "allow-scripts allow-forms",
        "connect-src": "'none'",
        "img-src": "'self' data:",
        "frame-ancestors": "'self'",
    },
}
"""What differs for some pages. The documentation's page has the viewer in a frame. The viewer has an origin of its own,
so it reads nothing that pages keep, and it sends nothing but by the page around it. Its stylesheet has its icons as
`data:` images.
"""


def _headers(differs: Mapping[str, str]) -> Mapping[str, str]:
    """The policy that nothing is loaded from elsewhere, and only the page's own files run."""
    policy = "; ".join(f"{name} {value}" for name, value in {**_POLICY, **differs}.items())
    return {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"}


def rendered(body: bytes, differs: Mapping[str, str] = {}) -> File:
    """A page that the service has rendered, under the policy of pages but for what `differs`."""
    return File.of(body, HTML, _headers(differs))


VERSION = sha256(b"".join(file.etag.encode() for _, file in sorted(_READ.items()))).hexdigest()[:16]
"""What the files are, in short: a page that stays open while the service is upgraded finds that they are others."""

FILES: Mapping[str, File] = {
    **_READ,
    "version.json": File.of(msgspec.json.encode({"pages": VERSION}), MEDIA_TYPES[".json"]),
}
"""The files that pages load, by their paths below `/page/`. Nothing else of the viewer's package is served."""


AT_ROOT: Mapping[str, File] = {f"/{name}": File.read(_OWN / name) for name in ("robots.txt", "favicon.ico")}
"""The files that are looked for at the root, by their paths."""


@cache
def scripted(name: str, texts: Texts | None = None, *, dumps: bool = False) -> File:
    """A page whose script shows what it is about, by its template's name, with one language's labels, usually English.

    That of the archive leads to the dumps if they are served. A page is rendered at the first request for it: most
    processes of the service serve none.
    """
    return rendered(page(f"{name}.html", texts or english(), files=VERSION, dumps=dumps), _DIFFERENT.get(name, {}))


def authorization(
    issuer: str,
    *,
    client: ClientIdentity | None = None,
    redirect_uri: str = "",
    state: str | None = None,
    scopes: Sequence[ClientScope] = (),
    challenge: str = "",
    error: str | None = None,
    fault: str | None = None,
) -> File:
    """The page on which a player lets a client in.

    Without a client it says what is the `fault`, and leads nowhere. With an `error`, the code of what is refused,
    the player may send the client that code.
    """
    file = rendered(
        page(
            "authorize.html",
            english(),
            files=VERSION,
            issuer=issuer,
            client=client,
            redirect_uri=redirect_uri,
            state=state,
            scopes=[scope for scope in get_args(ClientScope) if any(scope in GIVES[given] for given in scopes)],
            scope=scopes,
            challenge=challenge,
            error=error,
            fault=fault,
        )
    )
    # No window that opened the page, or that it opens, reaches it.
    headers = {**file.headers, "Cross-Origin-Opener-Policy": "same-origin", "Cache-Control": "no-store"}
    return File(file.body, file.media_type, file.etag, headers)


ERROR_HEADERS = _headers({})
"""The headers of an error page."""


def error_page(status: int, title: str, detail: str, code: str, texts: Texts | None = None) -> bytes:
    """An error page: what pages say of this code of a problem, or else the words of the problem document."""
    texts = texts or english()
    sentence = texts.known(f"problem.{code}") or f"{detail[:1].upper()}{detail[1:]}."
    return page("error.html", texts, status=status, title=texts.known(f"title.{code}") or title, detail=sentence)
