"""Packs and the fair deal: the cards of each game, the orders drawn from a seed, and what follows from it.

`record.md` of the specification has the layouts, in the sections on seeds and shuffles.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from struct import unpack
from typing import Any

ACE_HIGH, ACE_LOW, BLACK, RED = "AKQJT98765432", "KQJT98765432A", "KQJ765432A", "KQJA234567"
OMBRE = {"s": BLACK, "h": RED, "d": RED, "c": BLACK}
RANKS: Mapping[str, Any] = {
    **dict.fromkeys(("boston", "burraco", "dingo", "don", "king", "tetka"), ACE_HIGH),
    **dict.fromkeys(("diloti", "nuts"), ACE_LOW),
    **dict.fromkeys(("lorum", "solo"), "AKQJT987"),
    "lhombre": OMBRE,
    "ombre": OMBRE,
    "crocodile": BLACK,
    "khanhoo": {"s": "98765432A", "h": "98765432A", "d": "98765432A", "c": "KQJ"},
}
"""The ranks of each game's pack, high to low, by suit where they differ."""
COPIES, JOKERS = {"burraco": 2, "khanhoo": 2}, {"burraco": 4, "khanhoo": 1}


def pack(game: str) -> list[str]:
    """The cards of a game's pack in sorted order, those of one seat where each has its own. Raises KeyError."""
    ranks, copies = RANKS[game], range(1, COPIES.get(game, 1) + 1)
    plain = [f"{rank}{suit}" for suit in "shdc" for rank in (ranks if isinstance(ranks, str) else ranks[suit])]
    named = [f"{card}.{copy}" for card in plain for copy in copies] if len(copies) > 1 else plain
    return [*named, *(f"Jo.{number}" for number in range(1, JOKERS.get(game, 0) + 1))]


def shuffled(cards: Sequence[str], seed: bytes, label: str, table: str, deal: int, added: Sequence[bytes]) -> list[str]:
    """The cards in the order drawn under a label; `added` are the seats' entropies."""
    order, words = [*cards], words_of(seed, label, table, deal, added)
    for last in range(len(order) - 1, 0, -1):
        other = below(last + 1, words)
        order[last], order[other] = order[other], order[last]
    return order


def words_of(seed: bytes, label: str, table: str, deal: int, entropies: Sequence[bytes]) -> Iterator[int]:
    """The 32-bit numbers that a seed gives under a label."""
    parts = [label.encode(), table.encode(), deal.to_bytes(4, "big"), *entropies]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    for block in range(2**64):
        yield from unpack(">8I", hmac.digest(seed, message + block.to_bytes(8, "big"), "sha256"))


def below(bound: int, words: Iterator[int]) -> int:
    """A number below the bound, each equally likely; words that would make some likelier are passed over."""
    return next(word for word in words if word < 2**32 - 2**32 % bound) % bound


def salts_of(seed: bytes, table: str, deal: int, number: int) -> Iterator[bytes]:
    """The salts of the commitments to the first places of a deal, up to this number."""
    parts = (b"codille-card", table.encode(), deal.to_bytes(4, "big"))
    message = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    yield from (hmac.digest(seed, message + place.to_bytes(4, "big"), "sha256") for place in range(number))


def hashed(seed: bytes, times: int) -> bytes:
    """The seed hashed so often, which gives the seeds of earlier deals."""
    for _ in range(times):
        seed = sha256(seed).digest()
    return seed
