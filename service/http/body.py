"""Strict JSON: what is not well-formed is malformed (400), what does not fit is invalid (422), nothing is converted."""

import json
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, NoReturn

import msgspec

from domain.kernel.canonical import canonical
from service.http.problems import Problem, invalid_body

MAX_BYTES = 64 * 1024

DEEPEST = 32
"""Levels of lists and objects in a body."""


def parse(raw: bytes) -> object:
    """The value that the body holds. Raises Problem."""
    try:
        text = raw.decode()
        value: object = json.loads(text) if text.startswith("\ufeff") else _STRICT.decode(text)
    except UnicodeDecodeError:
        raise _malformed("the body is not UTF-8") from None
    except RecursionError:
        raise _malformed("the body is nested too deeply") from None
    except ValueError as error:
        raise _malformed(f"the body is not JSON: {error}") from None
    _check(value, DEEPEST, escapes=b"\\u" in raw)
    return value


def decode(raw: bytes, decoder: "msgspec.json.Decoder[Any]") -> Any:
    """The body as the decoder's type. Raises Problem."""
    try:
        value = decoder.decode(raw)
    except msgspec.ValidationError as error:
        parse(raw)
        raise invalid_body(error) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        parse(raw)
        raise _malformed(f"the body is not JSON: {error}") from None
    if not _as_written_here(raw, value):
        parse(raw)
    return value


def _as_written_here(raw: bytes, value: object) -> bool:
    """Whether the body is, byte for byte, what would be written for its value, and neither deep nor escaped.

    Then nothing is given twice in it and it is JSON. Most bodies are so; looking through one takes twenty times longer.
    """
    return b"\\" not in raw and raw.count(b"{") + raw.count(b"[") <= DEEPEST and msgspec.json.encode(value) == raw


def digest(raw: bytes) -> bytes:
    """SHA-256 of a well-formed body in canonical form, so that order and blanks do not matter."""
    return sha256(canonical(json.loads(raw))).digest()


def _malformed(detail: str) -> Problem:
    return Problem("malformed-body", detail)


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("a member's name is given twice")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _integer(digits: str) -> int | float:
    # As long as a double can be; what is longer than the schema allows is said with the field's name.
    return int(digits) if len(digits) <= 300 else float("inf")


_STRICT = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer)


def _check(value: object, levels: int, *, escapes: bool) -> None:
    """Raises Problem for text that is no Unicode or holds NUL, and for nesting that is too deep."""
    if isinstance(value, str):
        # Without escapes there is none of it: UTF-8 holds no surrogates, and JSON no NUL.
        if escapes and any(sign == "\0" or "\ud800" <= sign <= "\udfff" for sign in value):
            raise _malformed("the body holds NUL or half of a surrogate pair")
    elif isinstance(value, dict | list):
        if not levels:
            raise _malformed("the body is nested too deeply")
        if isinstance(value, dict):
            if escapes:
                for name in value:
                    _check(name, levels, escapes=escapes)
            value = list(value.values())
        for inner in value:
            if escapes or isinstance(inner, dict | list):
                _check(inner, levels - 1, escapes=escapes)
