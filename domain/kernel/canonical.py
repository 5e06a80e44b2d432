"""Canonical JSON (RFC 8785) for values that hold integers, strings, booleans, nulls, lists and objects.

Everything that is hashed or stored is encoded here, once. Member names are ASCII, so sorting by code point equals the
RFC's order by UTF-16 units; there are no floats.
"""

import msgspec

_encoder = msgspec.json.Encoder(order="sorted")


def canonical(value: object) -> bytes:
    """The RFC 8785 bytes of `value`, which may be a struct."""
    return _encoder.encode(value)
