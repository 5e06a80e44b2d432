"""Commands for the log that are right in all that the store looks at: ids, versions, hash chain."""

import secrets
import time
import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import msgspec

from domain.record.recorded import GENESIS, Recorded, rehash
from service.store.store import Append, Appended, Outcome, Receipt

_EPOCH = datetime(2026, 11, 20, 10, tzinfo=UTC)


def new_id() -> str:
    """A UUIDv7."""
    bits = (time.time_ns() // 1_000_000) << 80 | secrets.randbits(80)
    bits = bits & ~(0xF << 76) | 0x7 << 76
    return str(uuid.UUID(int=bits & ~(0x3 << 62) | 0x2 << 62))


def receipt(key: str, body: str = "{}") -> Receipt:
    """The receipt of a request with this key and body."""
    return Receipt(sha256(key.encode()).digest(), sha256(body.encode()).digest())


def command(
    table: str, version: int = 0, head: bytes = GENESIS, count: int = 1, receipt: Receipt | None = None
) -> Append:
    """`count` events that follow `version` and `head`, of an action of their own."""
    action = new_id()
    events = []
    previous = head
    for number in range(version + 1, version + count + 1):
        event = _event(table, number, previous, action)
        events.append(event)
        previous = event.hash
    return Append(table, version, head, tuple(events), receipt)


def following(before: Append, count: int = 1, receipt: Receipt | None = None) -> Append:
    """The next command of the same table."""
    return command(before.table, before.records[-1].version, before.records[-1].hash, count, receipt)


def spans(outcomes: Iterable[Outcome | BaseException]) -> list[object]:
    """Of each that is appended its first and last version and its first position; the other outcomes as they are."""
    return [
        (one.records[0].version, one.records[-1].version, one.records[0].position) if isinstance(one, Appended) else one
        for one in outcomes
    ]


def chained(events: Sequence[Recorded]) -> bool:
    """Whether these are a table's events from its first on, each hash right and none missing."""
    previous = GENESIS
    for number, event in enumerate(events, 1):
        if event.version != number or event.hash != rehash(event, previous):
            return False
        previous = event.hash
    return True


def _event(table: str, version: int, previous: bytes, action: str) -> Recorded:
    event = Recorded(
        table=table,
        game="crocodile",
        version=version,
        deal=1 if version % 2 else None,
        type="card-played",
        schema=1,
        at=(_EPOCH + timedelta(microseconds=secrets.randbelow(10**12))).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
        actor=f"seat:{version % 3}",
        action=action if version % 2 else None,
        public=b'{"card":"Ks","seat":%d}' % (version % 3),
        seals=b'{"seat:1":"00"}',
        sealed=b'{"seat:1":{"data":{},"salt":"\xc3\xa9"}}',
        hash=b"",
    )
    return msgspec.structs.replace(event, hash=rehash(event, previous))
