"""What people look at in a browser: two pages, their files, and the policy under which a browser shows them.

A page is a client of the interface like any other, and has no rights.
"""

from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import distribution
from pathlib import Path
from typing import Self

from msgspec import Struct

MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


class File(Struct, frozen=True):
    """A file as it is served: its bytes, their media type, and the headers of its own."""

    body: bytes
    media_type: str
    etag: str
    """A strong entity tag, which follows from the bytes."""
    headers: Mapping[str, str] = {}

    @classmethod
    def read(cls, path: Path, headers: Mapping[str, str] | None = None) -> Self:
        """The file at this path. Raises OSError when it cannot be read, KeyError when its suffix has no media type."""
        body = path.read_bytes()
        return cls(body, MEDIA_TYPES[path.suffix], f'"{sha256(body).hexdigest()[:32]}"', headers or {})


_OWN = Path(__file__).with_name("static")
_VIEWER = Path(str(distribution("swagger-ui-py").locate_file("swagger_ui/static")))
"""Swagger UI's own files. They are read where they are installed: the package around them is never imported."""

FILES: Mapping[str, File] = {
    path.name: File.read(path)
    for path in (
        *(path for path in _OWN.iterdir() if path.suffix in {".css", ".js", ".svg"}),
        _VIEWER / "swagger-ui-bundle.js",
        _VIEWER / "swagger-ui.css",
    )
}
"""What the pages load, by name. Nothing else of the viewer's package is served."""


def _page(name: str, *, images: str) -> File:
    """A page under a policy by which nothing comes from elsewhere and nothing runs but the page's own files."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
        f"img-src {images}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return File.read(_OWN / name, {"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"})


REPLAY = _page("replay.html", images="'self'")
"""The page on which people step through a game."""

DOCS = _page("docs.html", images="'self' data:")
"""The documentation of the interface. The viewer's stylesheet holds its icons as `data:` images."""
