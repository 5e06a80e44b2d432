"""Players' names: which texts are valid, which names look alike, and which pretend to be no person's."""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import get_args

from precis_i18n import get_profile

from domain.seats import CLOCK, HOUSE, PUBLIC, Level

MAX_NAME = 64

MOST_MARKS = 4
"""On one letter, as pointed Hebrew has them at most. Composed letters, as those of Vietnamese, have none (NFKC)."""

FIRST_LETTERS = 8
"""The least number of an id's letters shown beside a name: the time of registration, to about a minute."""

RESERVED = (
    *get_args(Level), "level", "bot", "bots", HOUSE, CLOCK, PUBLIC, "arbiter", "operator", "admin", "administrator",
    "moderator", "staff", "support", "system", "team", "codille", "spectator", "seat", "seat one", "seat two",
    "seat three", "seat four", "seat five", "seat six", "free", "erased", "erased player", "bank", "pool",
)  # fmt: skip
"""What pages and records call those who are no people. No player registers under these words, or several in a row."""

_ASIDE = re.compile(r"^\W*(?:(?:the|an?)\W+|[\W\d]+)|\b\d+\b|[\W\d]+$", re.IGNORECASE)
"""What may stand beside reserved words: an article before them, numbers, and what is no letter."""

_WORD = re.compile(r"[^\s!-/:-@[-`{-~]+")

_LETTER = re.compile(r".*(?:LATIN|SYMBOL) .*LETTER (?:SMALL CAPITAL )?([A-Z])(?: WITH .*)?")
"""The Unicode name of a letter with a stroke, in a circle or the like. Of most of these no prototype is known."""

_AS_LETTERS = str.maketrans("l345678", "ieasbtb")
"""Digits that are read as letters, and the one letter for all that look like an `i`."""

_BOT = re.compile(f"(?:{'|'.join(get_args(Level))})?bots?")
"""Matches the forms of a bot's name."""

_NICKNAME = get_profile("NicknameCasePreserved")

_PRESENTATION = "\ufe0e\ufe0f"
_JOINER = "\u200d"
_SYMBOLS = ("So", "Sk")
"""The categories of emoji and their modifiers."""


def enforced_name(text: str) -> str:
    """The name in its stored form, by the Nickname profile (RFC 8266, 2.3).

    It is normalised (NFKC), with single spaces inside and none at its ends. It has nothing invisible, except that
    joiners and presentation selectors of emoji stay if nothing else had to change.

    Raises ValueError, which says what the name must be or must not hold.
    """
    bare = _without_joiners(text)
    try:
        enforced = str(_NICKNAME.enforce(bare))
    except UnicodeEncodeError as error:
        if error.reason.endswith("/empty"):
            raise ValueError("must have a visible character") from None
        raise ValueError(f"must not hold the character U+{ord(error.object[error.start]):04X}") from None
    if len(enforced) > MAX_NAME:
        raise ValueError(f"must have at most {MAX_NAME} characters")
    if _is_piled_up(enforced):
        raise ValueError(f"must have at most {MOST_MARKS} marks on a letter, each of them once")
    return text if enforced == bare else enforced


@lru_cache(maxsize=10_000)
def skeleton(name: str) -> str:
    """A canonical form of the name's look, ignoring case: names that look alike have the same one (UTS 39, 4)."""
    prototypes = _prototypes()
    signs = unicodedata.normalize("NFD", _without_joiners(name))
    return unicodedata.normalize("NFD", "".join(prototypes.get(sign, sign) for sign in signs)).casefold()


def look(name: str) -> bytes:
    """32 bytes that are the same for names that look alike: SHA-256 of their skeleton."""
    return sha256(skeleton(name).encode()).digest()


def pretends(name: str) -> bool:
    """Whether the name reads as that of the house, a bot, a level, a seat or another of `RESERVED`, or begins with a
    bot's, as bots' marks stand first.

    Numbers beside its words, an article, spaces, punctuation, accents and look-alikes of letters make no difference.
    """
    words = _WORD.findall(name)
    begun = (form for many in (1, 2, 3) for form in _forms(" ".join(words[:many])))
    return any(map(_reserved().fullmatch, _forms(name))) or any(map(_BOT.fullmatch, begun))


def labels(names: Mapping[str, str]) -> dict[str, str]:
    """By id, the labels of players at one table: names, with the id's first letters where names look alike."""
    by_look: dict[str, list[str]] = {}
    for player, name in names.items():
        by_look.setdefault(skeleton(name), []).append(player)
    alike = {player: players for players in by_look.values() if len(players) > 1 for player in players}
    return {
        player: f"{name} ({first_letters(player, alike[player])})" if player in alike else name
        for player, name in names.items()
    }


def first_letters(player: str, players: Iterable[str] = ()) -> str:
    """The first letters of a player's id: at least eight, and enough to differ from those of the other players."""
    others = [other for other in players if other != player]
    lengths = range(FIRST_LETTERS, len(player))
    enough = (length for length in lengths if all(other[:length] != player[:length] for other in others))
    return player[: next(enough, len(player))].rstrip("-")


def _is_piled_up(name: str) -> bool:
    """Whether a letter has more marks than any orthography needs, or the same one twice (UTS 39, 5.4).

    Vowel signs that take a place of their own are not counted.
    """
    marks: list[str] = []
    for sign in name:
        category = unicodedata.category(sign)
        if category in ("Mn", "Me"):
            if sign in marks or len(marks) == MOST_MARKS:
                return True
            marks.append(sign)
        elif category not in ("Mc", "Cf"):
            marks = []
    return False


def _without_joiners(text: str) -> str:
    """The text without joiners and presentation selectors next to emoji."""
    kept = []
    for before, sign, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if sign in _PRESENTATION and unicodedata.category(before) in _SYMBOLS:
            continue
        joined = before in _PRESENTATION or unicodedata.category(before) in _SYMBOLS
        if sign == _JOINER and joined and unicodedata.category(after) == "So":
            continue
        kept.append(sign)
    return "".join(kept)


@cache
def _prototypes() -> Mapping[str, str]:
    """By character, the prototype that stands for all that look like it.

    The library's table is symmetric: a prototype is listed with all its sources, a source only with its prototype. So
    the prototype is the one with several; in a pair it is the one of several characters, or otherwise the lesser one.
    """
    table = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_bytes())
    alike = {sign: [one["c"] for one in found] for sign, found in table.items()}
    prototypes = {}
    for sign, others in alike.items():
        if len(sign) == len(others) == 1:
            (other,) = others
            prototypes[sign] = other if len(other) > 1 or len(alike.get(other, ())) > 1 else min(sign, other)
    return prototypes


@cache
def _reserved() -> re.Pattern[str]:
    """Matches the forms of reserved names. After a seat, letters that look like numbers are ones."""
    words = sorted({form for word in RESERVED for form in _forms(word)})
    return re.compile(f"(?:the)?(?:(?:{'|'.join(words)})+|seat[io]+)")


def _forms(name: str) -> Iterator[str]:
    """The letters that the name may be read as, with and without what stands beside its words.

    It is read in lower and in upper case, since letters look alike in one and not in the other.
    """
    whole = (name, _ASIDE.sub("", name))
    for text in (*whole, *("".join(filter(str.isalnum, one)) for one in whole)):
        for cased in (text.casefold(), text.upper()):
            letters = "".join(map(_plain_letter, skeleton(cased))).casefold()
            yield "".join(filter(str.isalnum, letters)).translate(_AS_LETTERS)


def _plain_letter(sign: str) -> str:
    found = None if sign.isascii() else _LETTER.fullmatch(unicodedata.name(sign, ""))
    return found[1] if found else sign
