"""Ledger lines in a game's own words.

A line's text is part of the record. It names seats by number and cards by name, and stays as it is. The sentences of
the line's kind have the forms of such texts, with holes where a text has a seat, a card or a number. So the first that
fits reads its values from the text, and they are written as those of an event are.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from typing import Any, TypeAlias

from domain.cards import Pack
from domain.kernel.words import Filled, Kind, Parts, Sentence, filled, split

LineWords: TypeAlias = Mapping[str, tuple[Sentence, ...]]
"""The sentences of lines, by the lines' kind."""

FORMS: Mapping[Kind, str] = {
    "seat": r"seat (\d+)",
    "seats": r"seats? (\d+(?: and \d+)*)",
    "card": r"([\w.]+)",
    "cards": r"([\w.]+(?: [\w.]+)*)",
    "number": r"([\d,]+)",
    "text": r"(.+?)",
    "line": r"(.+)",
}
"""The form in which texts of lines have each kind of value."""


def line_parts(words: LineWords, line: Mapping[str, Any], pack: Pack) -> Parts:
    """The sentence of a line (decoded JSON) with its holes filled; the recorded text if no sentence fits.

    Whether there is a seat of a number that it names is not checked.
    """
    fitting = (sentence for sentence in words.get(line["kind"], ()) if sentence.fits(line))
    return _parts(words, fitting, line["text"], pack)


def line_text(words: LineWords, line: Mapping[str, Any], pack: Pack, name_of: Callable[[int], str]) -> str:
    """The sentence of a line as plain text; `name_of` gives the name of a seat's player."""

    def written(part: Filled) -> str:
        match part.kind:
            case "seat":
                return name_of(part.value)
            case "card":
                return pack.faces[part.value].written
            case _:
                return str(part.value)

    return "".join([part if isinstance(part, str) else written(part) for part in line_parts(words, line, pack)])


def _parts(words: LineWords, sentences: Iterable[Sentence], text: str, pack: Pack) -> Parts:
    for sentence in sentences:
        values = _read(sentence, text, pack)
        if values is not None:
            return tuple(_with_lines(words, filled(sentence, values), pack))
    return (text,)


def _with_lines(words: LineWords, parts: Iterable[str | Filled], pack: Pack) -> Iterator[str | Filled]:
    """The parts, with the text of another line in the words of that line, whose kind the text does not say."""
    for part in parts:
        if isinstance(part, Filled) and part.kind == "line":
            yield from _parts(words, chain.from_iterable(words.values()), part.value, pack)
        else:
            yield part


def _read(sentence: Sentence, text: str, pack: Pack) -> Mapping[str, Any] | None:
    """The values of the holes in a text of the sentence's form, by the holes' fields; None for any other text."""
    holes = [sentence.holes[name] for name in split(sentence.text)[1::2]]
    match = _pattern(sentence.text, tuple(hole.kind for hole in holes)).fullmatch(text)
    if match is None:
        return None
    values = {hole.field: _value(hole.kind, part) for hole, part in zip(holes, match.groups(), strict=True)}
    named = [part for hole, part in zip(holes, match.groups(), strict=True) if hole.kind in ("card", "cards")]
    return values if all(card in pack for card in " ".join(named).split()) else None


@cache
def _pattern(text: str, kinds: tuple[Kind, ...]) -> re.Pattern[str]:
    literal = map(re.escape, split(text)[::2])
    forms = [*(FORMS[kind] for kind in kinds), ""]
    return re.compile("".join(chain.from_iterable(zip(literal, forms, strict=True))), re.ASCII)


def _value(kind: Kind, text: str) -> Any:
    """The value that stands in the text like this."""
    match kind:
        case "seat":
            return int(text)
        case "seats":
            return [int(seat) for seat in text.split(" and ")]
        case "cards":
            return text.split(" ")
        case _:
            return text
