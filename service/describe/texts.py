"""What pages and pictures say: texts with holes, by name, in one file for each language.

Scripts in the browser read the same file (`say.js`), since both speak of cards, seats and tables.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TypeAlias

import msgspec
from markupsafe import Markup, escape

from domain.seats import Bot, Seat

ENGLISH = Path(__file__).with_name("sentences.en.json")

Sentence: TypeAlias = str | Mapping[str, str]
"""A text, or one for each plural form of the hole `count`."""

_PLURALS: Mapping[str, Callable[[object], str]] = {"en": lambda count: "one" if count == 1 else "other"}
"""The plural form of a number, by language."""


class Texts:
    """The texts of a language, which the text `language` names."""

    def __init__(self, texts: Mapping[str, Sentence]) -> None:
        self._texts = texts
        self._form = _PLURALS[str(texts["language"])]

    def say(self, key: str, **holes: object) -> Markup:
        """The text with its holes filled, safe in a page: what is not markup already is escaped.

        Raises KeyError for an unknown key, and for a hole that is not filled.
        """
        return escape(self._text(key, holes)).format(**holes)

    def plain(self, key: str, **holes: object) -> str:
        """The text with its holes filled, not escaped: for what is no markup. Raises KeyError as `say` does."""
        return self._text(key, holes).format(**holes)

    def known(self, key: str) -> Markup | None:
        """The text without holes; None for an unknown key."""
        return self.say(key) if key in self._texts else None

    def bots(self, bots: Mapping[str, tuple[Seat, Bot | None]]) -> dict[str, str]:
        """The names of a table's bots, which have no accounts, by their ids as players; each is given with its seat.

        The seat's number tells several of a level apart. All have a mark that no player's name can have: names are
        kept normalised (NFKC), and the mark is not.
        """
        levels = Counter(bot and bot.level for _, bot in bots.values())
        return {
            player: self.plain("bot.any")
            if bot is None
            else self.plain(
                "bot.one-of" if levels[bot.level] > 1 else "bot", level=self.plain(f"level.{bot.level}"), seat=seat + 1
            )
            for player, (seat, bot) in bots.items()
        }

    def _text(self, key: str, holes: Mapping[str, object]) -> str:
        found = self._texts[key]
        return found if isinstance(found, str) else found[self._form(holes["count"])]


@cache
def english() -> Texts:
    """The texts in English."""
    return Texts(msgspec.json.decode(ENGLISH.read_bytes(), type=dict[str, str | dict[str, str]]))
