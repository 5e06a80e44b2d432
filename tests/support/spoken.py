"""A language that nobody speaks: all texts in other letters, so that what stands in Latin ones comes from elsewhere."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from service.describe.texts import ENGLISH, Texts

LATIN = re.compile(r"[A-Za-z]{2,}")
"""A word of a language that somebody speaks."""

_HOLES = re.compile(r"(\{[^{}]*\})")
_LETTERS = {ord(letter): chr(0x0561 + place % 26) for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz")} | {
    ord(letter): chr(0x0531 + place % 26) for place, letter in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}


def in_made_up_letters(text: str) -> str:
    """The text in letters of the made-up language, with its holes as they are."""
    return "".join(part if _HOLES.fullmatch(part) else part.translate(_LETTERS) for part in _HOLES.split(text))


@cache
def made_up_texts() -> Mapping[str, Any]:
    """The file of the made-up language."""
    english = msgspec.json.decode(ENGLISH.read_bytes())
    return {name: text if name == "language" else marked(text) for name, text in english.items()}


def made_up() -> Texts:
    """The texts of the made-up language."""
    return Texts(made_up_texts())


def marked(value: Any) -> Any:
    """The same data with all texts in letters of the made-up language. Names of members stay."""
    match value:
        case str():
            return in_made_up_letters(value)
        case Mapping():
            return {name: marked(one) for name, one in value.items()}
        case list() | tuple():
            return type(value)(marked(one) for one in value)
        case _:
            return value


NO_WORD = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-\S*|[0-9a-f]{32,}|\d{4}-\d\d-\d\dT\S+|[A-Z]{2,3}-\d[\d.]*|/v1/\S*|\b(?:true|false|null|and)\b"
)
"""Ids, hashes, times, numbers of rules, addresses and values of the interface, and what a game joins a list with."""
NAMES = {"OpenAPI", "AsyncAPI"}
"""What is called the same in every language."""


def in_latin(texts: Iterable[str], known: Iterable[str] = ()) -> list[str]:
    """The texts that have words of a language that somebody speaks, but for those that are known data."""
    data = {_plain(one) for one in known} | NAMES
    return [one for one in map(_plain, texts) if LATIN.search(one) and one not in data]


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", NO_WORD.sub("", text)).strip(" .,:;…0123456789")


def members(value: Any) -> Iterator[str]:
    """The names of the data's members as people read them."""
    match value:
        case Mapping():
            for name, one in value.items():
                yield from _named(str(name))
                yield from members(one)
        case list() | tuple():
            for one in value:
                yield from members(one)
        case _:
            pass


def strings(value: Any) -> Iterator[str]:
    """All texts in the data, and the names of its members as people read them."""
    match value:
        case str():
            yield value
            yield value.replace("-", " ")
        case Mapping():
            for name, one in value.items():
                yield from _named(str(name))
                yield from strings(one)
        case list() | tuple():
            for one in value:
                yield from strings(one)
            yield ", ".join(one.replace("-", " ") for one in value if isinstance(one, str))
        case _:
            pass


def _named(name: str) -> Iterator[str]:
    words = name.replace("_", " ").replace("-", " ")
    yield from (name, words, words[:1].upper() + words[1:], words.title())
