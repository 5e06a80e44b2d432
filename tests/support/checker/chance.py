"""Canonical bytes, hashes, seals and the fair shuffle, written from `api-spec/record.md`."""

import hashlib
import hmac
import itertools
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Envelope = dict[str, Any]

GENESIS = "00" * 32

_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False).encode


def canonical(value: object) -> bytes:
    """RFC 8785 for values without floats whose member names are ASCII."""
    return _encode(value).encode()


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def header(event: Envelope, previous: str) -> dict[str, Any]:
    """What an event's hash covers."""
    copied = ("action", "actor", "at", "deal", "game", "schema", "seals", "table", "type", "version")
    chained = {"previous": previous, "public": sha256(canonical(event["public"])).hex()}
    return {name: event[name] for name in copied} | chained


def event_hash(event: Envelope, previous: str) -> str:
    """The hash an envelope must carry after an event whose hash is `previous`."""
    return sha256(b"codille-event-v1\n" + canonical(header(event, previous))).hex()


def seal(section: dict[str, Any]) -> str:
    """The commitment to a section that is open."""
    return sha256(bytes.fromhex(section["salt"]) + canonical(section["data"])).hex()


def prefixed(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def numbers(seed: bytes, start: bytes) -> Iterator[int]:
    """The 32-bit words of the counter stream."""
    for counter in itertools.count():
        block = hmac.new(seed, start + counter.to_bytes(8, "big"), hashlib.sha256).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(block[at : at + 4], "big")


def below(bound: int, words: Iterator[int]) -> int:
    while True:
        word = next(words)
        if word < (2**32 // bound) * bound:
            return word % bound


def message(label: str, table: str, deal: int, entropies: Sequence[bytes]) -> bytes:
    return prefixed(label.encode(), table.encode(), deal.to_bytes(4, "big"), *entropies)


def shuffled(
    pack: Sequence[str], label: str, seed: bytes, table: str, deal: int, entropies: Sequence[bytes]
) -> list[str]:
    words = numbers(seed, message(label, table, deal, entropies))
    cards = list(pack)
    for i in range(len(cards) - 1, 0, -1):
        j = below(i + 1, words)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


Shuffle = Callable[[str, Sequence[str]], list[str]]
"""Shuffles cards under a label, with the seed, table, deal and entropies of a deal."""
Draw = Callable[[Shuffle, Sequence[str], Mapping[str, Any]], tuple[list[str], list[list[str]]]]
"""From the sorted pack, and by the options, the cards that are dealt, from the top, and lists of cards that were
rejected before."""


def whole_pack(shuffle: Shuffle, pack: Sequence[str], _: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """All cards are dealt, and nothing is rejected."""
    return shuffle("codille-deal", pack), []


def card_salt(seed: bytes, table: str, deal: int, place: int) -> bytes:
    labelled = message("codille-card", table, deal, ()) + place.to_bytes(4, "big")
    return hmac.new(seed, labelled, hashlib.sha256).digest()


def card_commitment(salt: bytes, card: str) -> str:
    return sha256(salt + card.encode("ascii")).hex()


Drawn = tuple[int | None, list[dict[str, Any]]]
"""The first dealer (none in games without one), and the `draws` that are recorded."""
Lots = Callable[[bytes, str, Sequence[bytes]], Drawn]
"""What the first seed, the table and the entropies by seat lead to."""


def by_number(seed: bytes, table: str, entropies: Sequence[bytes]) -> Drawn:
    """The first dealer as a number below the number of seats."""
    words = numbers(seed, message("codille-first-dealer", table, 0, entropies))
    return below(len(entropies), words), []


def nobody(seed: bytes, table: str, entropies: Sequence[bytes]) -> Drawn:
    """No dealer."""
    return None, []


def by_cards(pack: Sequence[str], ranks: str) -> Lots:
    """Everyone draws a card, in the order of seats; highest in `ranks` deals, and those who tie for it draw again."""

    def lots(seed: bytes, table: str, entropies: Sequence[bytes]) -> Drawn:
        cards = iter(shuffled(pack, "codille-dealer-draw", seed, table, 0, entropies))
        drawing, draws = list(range(len(entropies))), []
        while len(drawing) > 1:
            drawn = [(seat, next(cards)) for seat in drawing]
            draws += [{"seat": seat, "card": card} for seat, card in drawn]
            highest = min(ranks.index(card[0]) for _, card in drawn)
            drawing = [seat for seat, card in drawn if ranks.index(card[0]) == highest]
        return drawing[0], draws

    return lots
