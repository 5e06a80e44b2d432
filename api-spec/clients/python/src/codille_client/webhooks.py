"""For receivers of webhooks: whether a message comes from the service, and just now."""

from __future__ import annotations

import binascii
import hmac
import time
from base64 import b64decode, b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

import msgspec

from codille_client.problems import Forged

if TYPE_CHECKING:
    from codille_client import models

TOLERANCE_S = 300
"""So many seconds a message may be old, or early by the receiver's clock."""


def verify_webhook(secret: str, headers: Mapping[str, str], body: bytes | str) -> models.NoticeBody:
    """The notice that a message brings, whose body is given as it was received, with the secret of the webhook.

    Raises Forged if no signature is that of the secret over this body, or if the message is too old. The same message
    may come again, with the same `webhook-id`. Raises ValueError if the secret is none.
    """
    given = {name.lower(): value for name, value in headers.items()}
    named = [given.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")]
    message, timestamp, signatures = named
    if not all(named) or not (timestamp.isascii() and timestamp.isdecimal()):
        raise Forged("webhook-id, webhook-timestamp or webhook-signature is missing or malformed")
    if abs(time.time() - int(timestamp)) > TOLERANCE_S:
        raise Forged(f"webhook-timestamp is more than {TOLERANCE_S} s from now")
    try:
        key = b64decode(secret.strip().removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("a secret is whsec_ and base64") from error
    content = body.encode() if isinstance(body, str) else body
    signed = hmac.digest(key, f"{message}.{timestamp}.".encode() + content, "sha256")
    due = b"v1," + b64encode(signed)
    if not any(hmac.compare_digest(due, one.encode()) for one in signatures.split(" ")):
        raise Forged("no webhook-signature is that of the secret over the body")
    return cast("models.NoticeBody", msgspec.json.decode(content))
