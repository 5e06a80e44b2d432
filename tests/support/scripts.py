"""What scripts say by themselves: literals in the source of a module that become text or a label on a page."""

import re
from typing import NamedTuple

from tests.support.spoken import LATIN


class Token(NamedTuple):
    """A part of a script: a literal (`text`), a name (`name`) or a sign (`sign`)."""

    kind: str
    value: str


_PARTS = re.compile(
    r"""
    (?P<blank>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<name>[\w$]+)
    |(?P<sign>===|!==|=>|\.\.\.|\?\.|\?\?|&&|\|\||==|!=|<=|>=|[^\s])
    """,
    re.VERBOSE | re.DOTALL,
)
_BEFORE_PATTERN = {"(", ",", "=", ":", "[", "!", "&", "|", "?", "{", "}", ";", "=>", "return", "&&", "||", "??"}
"""What stands before a pattern; after anything else a slash divides."""
_PATTERN = re.compile(r"/(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")


def tokens_of(source: str) -> list[Token]:
    """The tokens of a module. The texts between a template's holes are literals, the holes stand in `${` and `}$`."""
    found: list[Token] = []
    at = depth = 0
    depths: list[int] = []
    """How many braces were open where the holes begin that are open."""

    def template(start: int) -> int:
        """Reads the text of a template up to its end or to a hole."""
        end = start
        while source[end] != "`" and source[end : end + 2] != "${":
            end += 2 if source[end] == "\\" else 1
        found.append(Token("text", source[start:end]))
        if source[end] == "`":
            return end + 1
        found.append(Token("sign", "${"))
        depths.append(depth)
        return end + 2

    while at < len(source):
        if source[at] == "`":
            at = template(at + 1)
            continue
        if source[at] == "}" and depths and depths[-1] == depth:
            depths.pop()
            found.append(Token("sign", "}$"))
            at = template(at + 1)
            continue
        is_pattern = source[at] == "/" and (not found or found[-1].value in _BEFORE_PATTERN)
        if is_pattern and source[at + 1] not in "/*" and (pattern := _PATTERN.match(source, at)):
            found.append(Token("name", "/pattern/"))
            at = pattern.end()
            continue
        part = _PARTS.match(source, at)
        assert part is not None, source[at : at + 40]
        at = part.end()
        match part.lastgroup:
            case "blank":
                pass
            case "text":
                found.append(Token("text", part[0][1:-1]))
            case kind:
                depth += {"{": 1, "}": -1}.get(part[0], 0)
                found.append(Token(str(kind), part[0]))
    return found


LABELS = {
    "title",
    "aria-label",
    "placeholder",
    "alt",
    "label",
    "aria-description",
    "ariaLabel",
    "ariaDescription",
    "detail",
}
"""Attributes and members whose values people read or hear."""
WRITTEN = {"textContent", "innerText", "innerHTML", *LABELS}
"""Properties that are text or labels."""
FIRST_CHILD = {"element": 2, "drawn": 2, "append": 0, "prepend": 0, "replaceChildren": 0, "Option": 0, "alert": 0}
"""Calls that make text of their arguments, from this one on."""
_OPENED = {"(": ")", "[": "]", "{": "}", "${": "}$"}


class _Frame:
    """What stands between brackets that are open."""

    def __init__(self, closes: str, call: str | None, *, is_said: bool, begun: int = 0) -> None:
        """`call` is the name that is called; `is_said`, whether the brackets only group what is said."""
        self.closes = closes
        self.call = call
        self.begun = begun
        self.place = 0
        """The number of the argument."""
        self.member = ""
        """The member of an object, or after a dot the property, that is given a value."""
        self.attribute = ""
        """The attribute that is set."""
        self._is_said = is_said

    def says(self) -> bool:
        """Whether a literal that stands here is text or a label."""
        if self.member.startswith("."):
            return self.member[1:] in WRITTEN
        if self.call == "setAttribute":
            return self.place == 1 and self.attribute in LABELS
        if self.call in FIRST_CHILD:
            return self.place >= FIRST_CHILD[self.call]
        if self.closes == "}" and self.member:
            return self.member in LABELS
        return self._is_said


def spoken_in(source: str) -> list[str]:
    """The literals with words that become text or labels of a page, where they stand in the code itself."""
    tokens = tokens_of(source)
    found: list[str] = []
    open_frames = [_Frame("", None, is_said=False)]
    for at, token in enumerate(tokens):
        before = tokens[at - 1] if at else _END
        after = tokens[at + 1] if at + 1 < len(tokens) else _END
        frame = open_frames[-1]
        if token.kind == "text":
            is_key = frame.closes == "}" and after.value == ":" and before.value in ("{", ",")
            if frame.call == "setAttribute" and frame.place == 0:
                frame.attribute = token.value
            said = frame.says() if LATIN.search(token.value) else False
            if frame.call not in ("say", "Error") and PROSE.search(token.value):
                said = True
            if said and not (is_key or {before.value, after.value} & _COMPARES):
                found.append(token.value)
        elif token.value in _OPENED:
            follows = (before.kind == "name" or before.value in (")", "]")) and before.value not in _WORDS
            is_call = token.value == "(" and follows
            is_grouping = token.value != "{" and not follows
            call = before.value if is_call else None
            open_frames.append(
                _Frame(_OPENED[token.value], call, is_said=is_grouping and frame.says(), begun=len(found))
            )
        elif token.value == frame.closes:
            # What a list leads to is not said as it is.
            if token.value == "]" and after.value == ".":
                del found[frame.begun :]
            open_frames.pop()
        elif token.value == ",":
            frame.place += 1
            frame.member = ""
        elif token.value == ";":
            frame.member = ""
        elif token.value == ":" and frame.closes == "}" and tokens[at - 2].value in ("{", ","):
            frame.member = before.value
        elif token.value == "=" and before.kind == "name" and tokens[at - 2].value == ".":
            frame.member = f".{before.value}"
    return found


_END = Token("sign", ";")
_COMPARES = {"===", "!==", "==", "!=", "in"}
_WORDS = {
    "return",
    "if",
    "for",
    "while",
    "of",
    "in",
    "switch",
    "case",
    "await",
    "typeof",
    "void",
    "yield",
    "new",
    "/pattern/",
}
"""Names after which a bracket is no call."""
PROSE = re.compile(r"^[A-Z][a-z]+ [a-z]+\b|[a-z]{2,} [a-z]{2,}[.…?!]")
"""What is a sentence, wherever it stands."""
