"""The texts of what the service renders: sentences with holes, by key, in one file for each language."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec
from markupsafe import Markup, escape

_ENGLISH = Path(__file__).with_name("texts.en.json")


class Texts:
    """The texts of a language."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    def say(self, key: str, **holes: object) -> Markup:
        """The text with its holes filled, safe in a page: what is not markup already is escaped.

        Raises KeyError for an unknown key, and for a hole that is not filled.
        """
        return escape(self._texts[key]).format(**holes)

    def plain(self, key: str, **holes: object) -> str:
        """The text with its holes filled, not escaped: for what is no markup. Raises KeyError as `say` does."""
        return self._texts[key].format(**holes)

    def known(self, key: str) -> Markup | None:
        """The text without holes; None for an unknown key."""
        return self.say(key) if key in self._texts else None


@cache
def english() -> Texts:
    """The texts in English."""
    return Texts(msgspec.json.decode(_ENGLISH.read_bytes(), type=dict[str, str]))
