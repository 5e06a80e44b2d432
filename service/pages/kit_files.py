"""The kits for clients: the files that `make kits` has made of this version, and how each is used."""

import asyncio
from collections.abc import Mapping
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

from msgspec import Struct

from service.config import SPECIFICATION
from service.describe.texts import Texts
from service.pages import File, rendered
from service.pages.rendering import page

FOLDER = SPECIFICATION / "kits"
"""Where `make kits` puts them. The wheel has them there too."""

ADDRESS = "/kits/"

VERSION = version("codille")

IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
"""A file of a name and version never changes."""

_GAMES = 'console.log(await new Client("{service}").games());'

_USE: Mapping[str, tuple[str, tuple[str, str, str]]] = {
    f"codille_client-{VERSION}-py3-none-any.whl": (
        "Python",
        (
            'pip install "{url}#sha256={sha256}"',
            "from codille_client.sync import Client",
            'print([game["title"] for game in Client("{service}").games()])',
        ),
    ),
    f"codille-client-{VERSION}.tgz": (
        "TypeScript and JavaScript",
        ("npm install {url}", 'import { Client } from "codille-client";', _GAMES),
    ),
    f"codille-client-{VERSION}.mjs": (
        "JavaScript in pages and Node, without a package manager",
        ('<script type="module">', 'import { Client } from "{url}";', f"{_GAMES}</script>"),
    ),
}
"""By the name of the file, its language and three lines of use. They name its `url` and `sha256`, and the `service`."""

TUTORIAL = f"tutorial-{VERSION}.md"

_IMPORTS = {"codille-client": "/page/kit/index.js", "codille-client/verify": "/page/kit/verify.js"}


class Kit(Struct, frozen=True):
    """A kit as a file, with lines that bring it and let it ask the service for its games."""

    name: str
    language: str
    url: str
    media_type: str
    size: int
    """In bytes."""
    sha256: str
    use: tuple[str, ...]


class KitList(Struct, frozen=True):
    """The kits of this version, a tutorial, and an import map to the modules that the service's own pages load."""

    version: str
    items: tuple[Kit, ...]
    tutorial: str
    """Its address."""
    imports: Mapping[str, str]


class NotMade(Exception):
    """The kits of this version are not there."""


class Kits:
    """The kits in a folder. They are read at the first request for one; while they are not made, at each."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._files: Mapping[str, File] = {}

    async def files(self) -> Mapping[str, File]:
        """The files by name. Raises NotMade."""
        if not self._files:
            try:
                self._files = await asyncio.to_thread(self._read)
            except FileNotFoundError:
                raise NotMade from None
        return self._files

    def _read(self) -> Mapping[str, File]:
        return {name: File.read(self._folder / name, IMMUTABLE) for name in (*_USE, TUTORIAL)}


def listed(files: Mapping[str, File], service: str) -> KitList:
    """The kits as they are had from the service at this address."""
    kits = []
    for name, (language, use) in _USE.items():
        file = files[name]
        holes = {"url": f"{service}{ADDRESS}{name}", "sha256": sha256(file.body).hexdigest(), "service": service}
        lines = tuple(_filled(line, holes) for line in use)
        kits.append(Kit(name, language, holes["url"], file.media_type, len(file.body), holes["sha256"], lines))
    tutorial = f"{service}{ADDRESS}{TUTORIAL}"
    return KitList(VERSION, tuple(kits), tutorial, {name: service + path for name, path in _IMPORTS.items()})


def kits_page(kits: KitList | None, texts: Texts) -> File:
    """The page of these kits, or of none where they are not made."""
    return rendered(page("kits.html", texts, kits=kits))


def _filled(line: str, holes: Mapping[str, str]) -> str:
    """The line with its holes filled. Its other braces are JavaScript's."""
    for name, value in holes.items():
        line = line.replace(f"{{{name}}}", value)
    return line
