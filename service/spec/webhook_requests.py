"""The requests that the service sends to receivers of webhooks."""

from collections.abc import Mapping
from typing import Any

from service.describe.json_schema import Schema, ref
from service.http.examples import plain
from service.http.operations.webhooks import DELIVERY_EXAMPLE

SIGNED_HEADERS: Mapping[str, tuple[Schema, str, object]] = {
    "webhook-id": (
        {"type": "string", "pattern": "^msg_[0-9a-f]{32}$"},
        "The message's id, the same at every attempt: a second request with it is a repetition.",
        DELIVERY_EXAMPLE["id"],
    ),
    "webhook-timestamp": (
        {"type": "string", "pattern": "^[0-9]+$"},
        "When the attempt was made, in seconds since 1970. An old one may be a replay by somebody else.",
        "1795168800",
    ),
    "webhook-signature": (
        {"type": "string"},
        "`v1,` and the HMAC-SHA256, in base64, over id, timestamp and body, joined by full stops. While a secret is "
        "rotated there are two, separated by a space. One valid signature is enough.",
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
}
"""The headers of a message by name: their schemas, what they mean, and examples."""


def webhook_requests() -> dict[str, Any]:
    """The document's `webhooks`."""
    parameters: list[Schema] = [
        {"name": name, "in": "header", "required": True, "description": text, "schema": schema, "example": example}
        for name, (schema, text, example) in SIGNED_HEADERS.items()
    ]
    content = {"schema": ref("NoticeBody"), "example": plain(DELIVERY_EXAMPLE["message"])}
    return {
        "notice": {
            "post": {
                "operationId": "receiveNotice",
                "summary": "A notice",
                "description": "Sent to the URL of a webhook, following Standard Webhooks 1.0.0. Check "
                "the signature over the bytes of the body as received.",
                "tags": ["Notices"],
                "parameters": parameters,
                "requestBody": {
                    "required": True,
                    "description": "The notice to the player.",
                    "content": {"application/json": content},
                },
                "responses": {
                    "2XX": {"description": "The notice was received. Only the status is read."},
                    "410": {"description": "No more notices are wanted: the webhook is disabled."},
                    "default": {"description": "The notice is sent again later."},
                },
                "security": [],
            }
        }
    }
