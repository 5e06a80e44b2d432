"""Signatures by Ed25519 (RFC 8032, 5.1) over public data, checked without another package."""

from __future__ import annotations

from hashlib import sha512
from typing import TypeAlias

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Point: TypeAlias = tuple[int, int, int, int]
IDENTITY: Point = (0, 1, 1, 0)


def ed25519(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether a signature (64 bytes) by a public key (32 bytes) over the message is good."""
    a, r = _point(public), _point(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or a is None or r is None or s >= ORDER:
        return False
    k = int.from_bytes(sha512(signature[:32] + public + message).digest(), "little") % ORDER
    one, other = _times(BASE, s), _sum(r, _times(a, k))
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


def _point(text: bytes) -> Point | None:
    y = int.from_bytes(text, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if len(text) != 32 or y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def _sum(one: Point, other: Point) -> Point:
    a, b = (one[1] - one[0]) * (other[1] - other[0]) % P, (one[1] + one[0]) * (other[1] + other[0]) % P
    c, d = 2 * one[3] * other[3] * D % P, 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(point: Point, number: int) -> Point:
    result = IDENTITY
    while number:
        result = _sum(result, point) if number & 1 else result
        point, number = _sum(point, point), number >> 1
    return result


BASE = _point((4 * pow(5, -1, P) % P).to_bytes(32, "little")) or IDENTITY
