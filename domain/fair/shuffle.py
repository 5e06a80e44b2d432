"""Shuffling and drawing numbers, from a seed and the seats' entropies.

The layouts are those of `api-spec/record.md`, which has the test vectors.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from struct import unpack
from typing import TypeVar

T = TypeVar("T")

BLOCK = 64
"""The bytes of a block of SHA-256, to which HMAC brings its key."""
INNER, OUTER = (bytes(byte ^ mask for byte in range(256)) for mask in (0x36, 0x5C))


def _prefixed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def keyed_message(label: str, table: str, deal: int, entropies: Sequence[bytes]) -> bytes:
    """The label, the table, the deal (4 bytes, big-endian) and the entropies, each after its length (4 bytes)."""
    parts = [label.encode(), table.encode(), deal.to_bytes(4, "big"), *entropies]
    return b"".join(map(_prefixed, parts))


def keyed(key: bytes, prefix: bytes) -> Callable[[bytes], bytes]:
    """A function from the rest of a message to the HMAC-SHA256, under this key, of the prefix and that rest.

    A deal needs some fifty of them with one prefix, so the prefix is hashed once and the hash's state copied.
    """
    # Two states of SHA-256 cost half of what a copied HMAC does.
    padded = (key if len(key) <= BLOCK else sha256(key).digest()).ljust(BLOCK, b"\0")
    inner, outer = sha256(padded.translate(INNER) + prefix), sha256(padded.translate(OUTER))

    def digest(rest: bytes) -> bytes:
        within, around = inner.copy(), outer.copy()
        within.update(rest)
        around.update(within.digest())
        return around.digest()

    return digest


def _words(seed: bytes, message: bytes) -> Iterator[int]:
    """32-bit words, big-endian, of HMAC-SHA256(seed, message ‖ counter), the counter 64 bits from 0."""
    digest = keyed(seed, message)
    counter = 0
    while True:
        yield from unpack(">8I", digest(counter.to_bytes(8, "big")))
        counter += 1


def _below(bound: int, words: Iterator[int]) -> int:
    """A uniform number from 0 to `bound` - 1: words in the last, incomplete range are rejected."""
    limit = 2**32 - 2**32 % bound
    for word in words:
        if word < limit:
            return word % bound
    raise AssertionError("the stream of words has no end")


def shuffled(
    pack: Sequence[T], *, label: str, seed: bytes, table: str, deal: int, entropies: Sequence[bytes]
) -> list[T]:
    """The pack shuffled by Fisher–Yates from the last card down; every order is equally likely."""
    cards = list(pack)
    words = _words(seed, keyed_message(label, table, deal, entropies))
    for last in range(len(cards) - 1, 0, -1):
        other = _below(last + 1, words)
        cards[last], cards[other] = cards[other], cards[last]
    return cards


def drawn_number(bound: int, *, label: str, seed: bytes, table: str, entropies: Sequence[bytes]) -> int:
    """A uniform number from 0 to `bound` - 1, drawn under this label for deal 0."""
    return _below(bound, _words(seed, keyed_message(label, table, 0, entropies)))
