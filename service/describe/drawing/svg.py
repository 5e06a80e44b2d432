"""Blocks of a drawing in SVG: cards and text, put beside and below each other.

Every text is the text of an element or an attribute's value, which the serialiser escapes.
"""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree as ET

from msgspec import Struct

from domain.cards import Face

CARD_WIDTH, CARD_HEIGHT = 36, 50
STEP, LEAST_STEP = 40, 20
"""The distance of two cards in a row, and the least one where they overlap."""
GAP = 10
SIZE = 14
"""The size of text."""
LETTER = 0.58
"""The mean width of a letter by its size. Fonts differ, so a text is given some room."""

STYLE = Path(__file__).with_name("drawing.css").read_text()
"""The styles that every drawing has in itself."""

POLICY = f"default-src 'none'; style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'"
"""The policy under which a browser shows a drawing that is opened by itself: its own styles, and nothing else."""


class Block(Struct, frozen=True):
    """A part of a drawing, of this size."""

    width: float
    height: float
    group: ET.Element
    """An element `g`, whose place is set once."""


def element(tag: str, attributes: dict[str, object] | None = None, text: str | None = None) -> ET.Element:
    """An element with these attributes and this text, without what XML cannot hold."""
    made = ET.Element(tag, {name: _plain(str(value)) for name, value in (attributes or {}).items()})
    made.text = None if text is None else _plain(text)
    return made


def _plain(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


def block(width: float, height: float, parts: Iterable[ET.Element] = ()) -> Block:
    """A block of these elements."""
    group = element("g")
    group.extend(parts)
    return Block(width, height, group)


def words(text: str, kind: str = "", *, most: float | None = None) -> Block:
    """A line of text, cut where it is wider than `most`; the whole text is then its title."""
    shown = text
    if most is not None and _wide(text) > most:
        shown = text[: max(1, int(most / (SIZE * LETTER)) - 1)] + "…"
    attributes: dict[str, object] = {"y": SIZE, "class": kind} if kind else {"y": SIZE}
    line = element("text", attributes, shown)
    if shown != text:
        line.append(element("title", text=text))
    return block(_wide(shown), SIZE + 5, [line])


def _wide(text: str) -> float:
    return len(text) * SIZE * LETTER


def paragraph(text: str, width: float) -> Block:
    """A text broken into lines at its spaces."""
    lines, line = [], ""
    for word in text.split(" "):
        longer = f"{line} {word}".strip()
        if line and _wide(longer) > width:
            lines.append(line)
            longer = word
        line = longer
    return below([words(one, most=width) for one in [*lines, line]], gap=0)


def card(face: Face | None, *, won: bool = False) -> Block:
    """A card, or the back of one."""
    kind = "back" if face is None else "card won" if won else "card"
    parts = [element("rect", {"width": CARD_WIDTH, "height": CARD_HEIGHT, "rx": 5, "class": kind})]
    if face is not None:
        suit = face.suit or "none"
        sign = face.written[-1] if face.suit else ""
        rank = face.written[:-1] if face.suit else face.written
        # In the left half, which is seen where cards overlap.
        kind = f"face {suit} ten" if len(rank) > 1 else f"face {suit}"
        parts.append(element("text", {"x": 3, "y": 19, "class": kind}, rank))
        parts.append(element("text", {"x": 3, "y": 40, "class": f"face {suit}"}, sign))
    return block(CARD_WIDTH, CARD_HEIGHT, parts)


def cards(faces: Sequence[Face | None], width: float) -> Block:
    """Cards in a row, which overlap where they are many; in several rows where even that is too wide."""
    most = max(1, int((width - CARD_WIDTH) / LEAST_STEP) + 1)
    rows = [faces[start : start + most] for start in range(0, len(faces), most)]
    return below([_row(row, width) for row in rows], gap=4)


def _row(faces: Sequence[Face | None], width: float) -> Block:
    step = min(STEP, (width - CARD_WIDTH) / max(1, len(faces) - 1))
    parts = [_at(card(face), place * step, 0) for place, face in enumerate(faces)]
    return block(CARD_WIDTH + step * (len(faces) - 1), CARD_HEIGHT, parts)


def beside(blocks: Iterable[Block], width: float, *, gap: float = GAP) -> Block:
    """Blocks from left to right, in several rows where they are wider."""
    rows: list[list[Block]] = []
    left = 0.0
    for one in blocks:
        if not rows or left + one.width > width:
            rows.append([])
            left = 0.0
        rows[-1].append(one)
        left += one.width + gap
    return below([_line(row, gap) for row in rows], gap=gap / 2)


def _line(blocks: Sequence[Block], gap: float) -> Block:
    parts, left = [], 0.0
    for one in blocks:
        parts.append(_at(one, left, 0))
        left += one.width + gap
    return block(max(0.0, left - gap), max((one.height for one in blocks), default=0.0), parts)


def below(blocks: Iterable[Block], *, gap: float = GAP) -> Block:
    """Blocks from top to bottom."""
    parts, top, width = [], 0.0, 0.0
    for one in blocks:
        parts.append(_at(one, 0, top))
        top += one.height + gap
        width = max(width, one.width)
    return block(width, max(0.0, top - gap), parts)


def panel(inner: Block, width: float, *, turn: bool = False, height: float | None = None) -> Block:
    """A frame of this width around a block."""
    high = max(inner.height + 2 * GAP, height or 0)
    frame = element(
        "rect", {"width": digits(width), "height": digits(high), "rx": 8, "class": "panel turn" if turn else "panel"}
    )
    return block(width, high, [frame, _at(inner, GAP, GAP)])


def document(inner: Block, title: str, description: str) -> bytes:
    """The drawing as a file, with what a screen reader says of it."""
    width, height = inner.width + 2 * GAP, inner.height + 2 * GAP
    root = element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {digits(width)} {digits(height)}",
            "width": digits(width),
            "height": digits(height),
            "role": "img",
            "aria-labelledby": "title description",
        },
    )
    root.append(element("title", {"id": "title"}, title))
    root.append(element("desc", {"id": "description"}, description))
    style = ET.SubElement(root, "style")
    style.text = STYLE
    root.append(element("rect", {"width": "100%", "height": "100%", "class": "paper"}))
    root.append(_at(inner, GAP, GAP))
    made: bytes = ET.tostring(root, encoding="utf-8")
    return made


def _at(one: Block, left: float, top: float) -> ET.Element:
    """The block's element at this place."""
    one.group.set("transform", f"translate({digits(left)} {digits(top)})")
    return one.group


def digits(value: float) -> str:
    """A number as attributes have it: with one digit at most behind the point."""
    return f"{value:.1f}".removesuffix(".0")
