"""Words of Python and of libraries, which no refusal shows: the literal parts of the messages of their errors."""

import ast
import base64
import datetime
import ipaddress
import json.decoder
import re
import urllib.parse
import uuid
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from pathlib import Path

import litestar
import msgspec._core

LITESTAR = Path(litestar.__file__).parent
WRITTEN = (
    *(Path(module.__file__) for module in (base64, datetime, ipaddress, json.decoder, urllib.parse, uuid)),
    *(
        path
        for name in ("_asgi", "_kwargs", "_signature", "connection", "routes")
        for path in LITESTAR.rglob(f"{name}/*")
    ),
)
BUILT_IN = (
    "Expecting value", "maximum recursion depth", "codec can't", "Exceeds the limit", "invalid literal for",
    "could not convert string", "isoformat string", "fromhex() arg", "is not in list", "object is not",
    "has no attribute", "must be in range(", "must be in 1..",
)  # fmt: skip
"""Parts of messages of the interpreter, and of what it has in C."""
NOTATION = re.compile(
    r"`|\$\.|\$\[|<class|(?<!-)\b(?:None|True|False)\b|\b[A-Z]\w+(?:Error|Exception)\b|\(char |\(byte |\\x|\bb'"
)
"""What no sentence of the service has: paths, values and names as Python or msgspec write them."""
LONG = 24
"""Characters from which a literal part says whose it is; a shorter one does so if it begins a sentence."""


def in_text(text: str) -> list[str]:
    """The foreign words in a text."""
    return [*NOTATION.findall(text), *(part for part in _parts() if part in text)]


@cache
def _parts() -> frozenset[str]:
    parts = (part for template in _messages() for part in re.split(r"%[\d.]*[a-zA-Z]+|\{[^}]*\}", template))
    return frozenset({*BUILT_IN, *(part for part in parts if len(part) >= LONG or re.match("[A-Z][a-z]+ ", part))})


def _messages() -> Iterator[str]:
    yield from (status.phrase for status in HTTPStatus)
    # msgspec's end in the place of the fault.
    for text in re.findall(rb"[ -~]+(?=%U\0)", Path(msgspec._core.__file__).read_bytes()):
        yield text.decode()
    for path in WRITTEN:
        if path.suffix == ".py":
            raised = (node for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Raise))
            for part in (part for node in raised for part in ast.walk(node) if isinstance(part, ast.Constant)):
                if isinstance(part.value, str):
                    yield part.value
