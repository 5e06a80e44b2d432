"""Ids, times and chance: what the edge brings into an action, so that the domain needs none of its own."""

import secrets

import uuid_utils

from domain.record.history import Moment
from service.commands.clock import now

CHANCE_BYTES = 32


def new_id() -> str:
    """A UUIDv7 (RFC 9562), in text."""
    return str(uuid_utils.uuid7())


def moment() -> Moment:
    """A new action's time, id and secret random bytes."""
    return Moment(now(), new_id(), secrets.token_bytes(CHANCE_BYTES))
