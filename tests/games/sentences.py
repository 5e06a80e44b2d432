"""What a game says of its events and views, each value as it stands in them."""

from collections.abc import Mapping
from typing import Any

from domain.kernel.words import Parts, Words, said


def plain(parts: Parts | None) -> str:
    """The parts of a sentence as one text."""
    assert parts is not None
    return "".join(part if isinstance(part, str) else str(part.value) for part in parts)


def sentence(words: Words, kind: str, public: Mapping[str, Any]) -> str:
    """What is said of an event of this type."""
    return plain(said(words.events[kind].sentences, public))


def summary(words: Words, view: Mapping[str, Any]) -> str:
    """What sums up a view."""
    return " ".join(plain(parts) for group in words.status if (parts := said(group, view)) is not None)
