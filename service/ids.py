"""Ids, times and chance: what the edge brings into an action, so that the domain needs none of its own."""

import secrets
from datetime import UTC, datetime

import uuid_utils

from domain.record import Moment

CHANCE_BYTES = 32


def new_id() -> str:
    """A UUIDv7 (RFC 9562), in text."""
    return str(uuid_utils.uuid7())


def now() -> str:
    """The time as it is recorded: RFC 3339 in UTC, with microseconds."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def moment() -> Moment:
    """A new action's time, id and secret random bytes."""
    return Moment(now(), new_id(), secrets.token_bytes(CHANCE_BYTES))
