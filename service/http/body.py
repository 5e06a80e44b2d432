"""Bodies of requests: at most 64 KiB of strict JSON, but for files.

A body that is not well-formed is malformed (400). One that does not fit its type is invalid (422). No value is
converted. A number is a double, however it is written, so 3.0 and 3e0 are the integer 3, as in JSON Schema.
"""

import json
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any, NoReturn, cast

import msgspec
from litestar.types import HTTPRequestEvent, Receive

from domain.cards import Pack
from domain.kernel.action import Action
from domain.kernel.canonical import canonical
from domain.kernel.game import Game
from domain.table.talk import action_types_of, actions_of
from service.http.content_negotiation import JSON
from service.http.faults import card_fields, not_in_pack, one_of
from service.http.problems import Problem, invalid_body, invalid_field
from service.http.query import BIGGEST_POSITION

EMPTY = b"{}"
"""The body of an operation without one, or of a request that leaves out an optional one."""

MAX_BYTES = 64 * 1024

DEEPEST = 32
"""The most levels of lists and objects in a body."""


_JSON = JSON.encode()
_OTHER_BOMS = (BOM_UTF16_LE, BOM_UTF16_BE, BOM_UTF32_BE)
"""One of UTF-32 in little endian begins with the first."""


async def read(headers: Mapping[bytes, bytes], receive: Receive, most: int = MAX_BYTES) -> bytes:
    """The body's bytes. Raises Problem if there are too many, or if the client leaves before the last of them."""
    announced = headers.get(b"content-length", b"")
    if announced.isdigit() and int(announced) > most:
        raise _too_large(most)
    raw = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Problem("malformed-body", "the body is not complete")
        raw += cast("HTTPRequestEvent", message)["body"]
        if len(raw) > most:
            raise _too_large(most)
        if not message.get("more_body", False):
            return bytes(raw)


def check_media_type(lines: Sequence[tuple[bytes, bytes]], due: Sequence[str] = (JSON,)) -> None:
    """Raises Problem unless the body is sent as one of these media types in UTF-8, by all the request's headers."""
    given = [value for name, value in lines if name == b"content-type"]
    if given == [_JSON] and JSON in due:
        return
    media_type, _, parameters = given[0].decode("latin-1").partition(";") if len(given) == 1 else ("", "", "")
    charset = parameters.strip().lower().replace('"', "")
    if media_type.strip().lower() not in due or charset not in ("", "charset=utf-8"):
        raise Problem(
            "unsupported-media-type", f"the body must be {' or '.join(due)}", headers={"Accept": ", ".join(due)}
        )


def _too_large(most: int) -> Problem:
    return Problem("body-too-large", f"a body may have {most} bytes")


def parse(raw: bytes) -> object:
    """The body's value. Raises Problem."""
    try:
        value: object = _STRICT.decode(raw.decode())
    except UnicodeDecodeError:
        other = raw.startswith(_OTHER_BOMS)
        raise _malformed(f"the body must be UTF-8, {'not UTF-16 or UTF-32' if other else 'and is not'}") from None
    except RecursionError:
        raise _malformed("the body is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise _malformed(f"the body is not JSON at line {error.lineno}, column {error.colno}") from None
    _check(value, DEEPEST, escapes=b"\\u" in raw)
    return value


def decode(raw: bytes, decoder: "msgspec.json.Decoder[Any]", pack: Pack | None = None) -> Any:
    """The body, decoded as the decoder's type. Raises Problem, which names cards of the pack if a card is wrong."""
    if not raw:
        raise _malformed("the body is empty")
    try:
        value = decoder.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return convert(parse(raw), decoder.type, pack=pack)
    if not _as_written_here(raw, value):
        parse(raw)
    return value


def convert(value: object, kind: Any, *, under: str = "", pack: Pack | None = None) -> Any:
    """A value of a body as the type. Raises Problem, whose pointer begins with `under`, the pointer to the value."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        value = _whole(value)
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise invalid_body(error, kind, value, under=under, pack=pack) from None


def _whole(value: object) -> object:
    """The value, in which every number is an int that JSON Schema counts as an integer, up to the largest exact one."""
    match value:
        case float() if value.is_integer() and abs(value) <= BIGGEST_POSITION:
            return int(value)
        case dict():
            return {name: _whole(inner) for name, inner in value.items()}
        case list():
            return [_whole(inner) for inner in value]
        case _:
            return value


def _as_written_here(raw: bytes, value: object) -> bool:
    """Whether the body equals, byte for byte, the encoding of its value, without escapes and not too deep.

    Then it is JSON without repeated members. Most bodies are; checking one in full takes twenty times longer.
    """
    return b"\\" not in raw and raw.count(b"{") + raw.count(b"[") <= DEEPEST and msgspec.json.encode(value) == raw


class ActDecoder:
    """Decodes acts under a game's rules. Their types admit the cards of any game; this admits those of the pack."""

    def __init__(self, game: Game) -> None:
        self._decoder = msgspec.json.Decoder(actions_of(game))
        self._pack = game.pack
        self._cards = {act: card_fields(act) for act in action_types_of(game)}

    def decode(self, raw: bytes) -> Action:
        """The act in the body. Raises Problem."""
        return self._in_pack(decode(raw, self._decoder, self._pack), "")

    def convert(self, value: object, under: str) -> Action:
        """The act in a part of a body, to which the pointer `under` leads. Raises Problem."""
        return self._in_pack(convert(value, self._decoder.type, under=under, pack=self._pack), under)

    def _in_pack(self, act: Action, under: str) -> Action:
        for name in self._cards[type(act)]:
            place = not_in_pack(getattr(act, name), self._pack)
            if place is not None:
                raise invalid_field(f"{under}/{name}{place}", f"must be {one_of(self._pack.cards)}")
        return act


class Decoders:
    """The decoders of bodies. Each is made at the first request for it."""

    def __init__(self) -> None:
        self.of: Callable[[Any], msgspec.json.Decoder[Any]] = cache(msgspec.json.Decoder)
        """The decoder for bodies of a type."""
        self._acts: dict[tuple[str, int], ActDecoder] = {}

    def of_acts(self, game: Game) -> ActDecoder:
        """The decoder for acts under these rules of the game."""
        key = (game.name, game.rulebook.version)
        decoder = self._acts.get(key)
        if decoder is None:
            decoder = self._acts[key] = ActDecoder(game)
        return decoder


def digest(raw: bytes) -> bytes:
    """SHA-256 of a well-formed body in canonical form, independent of order, white space and the form of numbers."""
    return sha256(canonical(_PLAIN.decode(raw.decode()))).digest()


def _malformed(detail: str) -> Problem:
    return Problem("malformed-body", detail)


def _object(pairs: Sequence[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise _malformed("a member's name is given twice")
    return value


def _no_constant(name: str) -> NoReturn:
    raise _malformed(f"{name} is no number")


def _integer(digits: str) -> int | float:
    # Up to the length of a double; longer ones fit no integer of a schema, and are reported with the field's name.
    return int(digits) if len(digits) <= 300 else float("inf")


_PLAIN = json.JSONDecoder(parse_float=lambda text: _whole(float(text)), parse_int=_integer)
_STRICT = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer)


def _check(value: object, levels: int, *, escapes: bool) -> None:
    """Raises Problem for text with lone surrogates or NUL, and for nesting that is too deep."""
    if isinstance(value, str):
        # Only escapes can produce these: UTF-8 has no surrogates, and JSON has no raw NUL.
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
