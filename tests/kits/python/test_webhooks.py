"""Receivers of webhooks, with both kits: what the service has signed just now is taken, and nothing else."""

import asyncio
import json
import os
import signal
import sys
from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from codille_client import Client, Forged, verify_webhook

from service.live.sender import headers_of, secret_text
from service.store.outbox_store import Claimed
from tests.support.kits import ROOT
from tests.support.ports import free_port
from tests.support.projecting import until
from tests.support.typescript import NODE, asked, needs_node

SECRET, FORMER, LONG = b"s" * 24, b"f" * 24, b"l" * 80
BODY = json.dumps({"type": "your-turn", "timestamp": "", "data": {"table": "t", "name": "Zoë"}}, ensure_ascii=False)
UNSIGNED = "Forged: no webhook-signature is that of the secret over the body"
LACKS = "Forged: webhook-id, webhook-timestamp or webhook-signature is missing or malformed"
OLD = "Forged: webhook-timestamp is more than 300 s from now"


def sent(secret: bytes = SECRET, former: bytes | None = None, minutes: float = 0.0) -> dict[str, str]:
    """The headers of the service's message, so many minutes ago."""
    claimed = Claimed("w", 1, "your-turn", "msg_1", BODY.encode(), "", 0, "", secret, former)
    return headers_of(claimed, datetime.now(UTC) - timedelta(minutes=minutes))


def signed(text: str) -> dict[str, str]:
    """A message with this signature, where its own stands for %s."""
    headers = sent()
    return headers | {"webhook-signature": text.replace("%s", headers["webhook-signature"])}


def cases() -> list[tuple[str, bytes, dict[str, str], bytes, str]]:
    """What comes now, the receiver's secret, headers and body, and what is made of it."""
    return [
        ("of the secret", SECRET, sent(), BODY.encode(), "your-turn"),
        (
            "by names in capitals",
            SECRET,
            {name.title(): text for name, text in sent().items()},
            BODY.encode(),
            "your-turn",
        ),
        ("with a long secret", LONG, sent(LONG), BODY.encode(), "your-turn"),
        ("while the secret is rotated, for the old one", FORMER, sent(SECRET, FORMER), BODY.encode(), "your-turn"),
        ("while the secret is rotated, for the new one", SECRET, sent(SECRET, FORMER), BODY.encode(), "your-turn"),
        ("of another version beside it", SECRET, signed("v2,AAAA %s"), BODY.encode(), "your-turn"),
        ("of another secret", FORMER, sent(), BODY.encode(), UNSIGNED),
        ("another body", SECRET, sent(), BODY.replace("t", "u").encode(), UNSIGNED),
        ("a body that was encoded again", SECRET, sent(), json.dumps(json.loads(BODY)).encode(), UNSIGNED),
        ("a body in another encoding", SECRET, sent(), BODY.encode("utf-16"), UNSIGNED),
        ("a signature in another encoding", SECRET, signed("v1," + "0f" * 32), BODY.encode(), UNSIGNED),
        ("a signature that is no text of ours", SECRET, signed("v1,né"), BODY.encode(), UNSIGNED),
        ("an old message", SECRET, sent(minutes=6), BODY.encode(), OLD),
        ("a message of later", SECRET, sent(minutes=-6), BODY.encode(), OLD),
        ("a message a little late", SECRET, sent(minutes=4), BODY.encode(), "your-turn"),
        ("another time", SECRET, sent() | {"webhook-timestamp": "٣"}, BODY.encode(), LACKS),
        (
            "no time",
            SECRET,
            {name: text for name, text in sent().items() if "timestamp" not in name},
            BODY.encode(),
            LACKS,
        ),
        ("no headers", SECRET, {}, BODY.encode(), LACKS),
    ]


def test_python_takes_what_the_service_has_signed() -> None:
    found = []
    for _, secret, headers, body, _ in (given := cases()):
        try:
            found.append(verify_webhook(secret_text(secret), headers, body)["type"])
            assert verify_webhook(secret_text(secret), headers, body.decode())["data"]["table"] == "t"
        except Forged as error:
            found.append(f"Forged: {error}")
    assert dict(zip([what for what, *_ in given], found, strict=True)) == {what: said for what, *_, said in given}


@needs_node
def test_javascript_takes_what_the_service_has_signed() -> None:
    sent_now = cases()
    given = [(secret_text(secret), headers, b64encode(body).decode()) for _, secret, headers, body, _ in sent_now]
    given.append(("whsec_no secret!", sent(), ""))
    *answers, none = asked("webhook.mjs", given)
    assert answers == [said for *_, said in sent_now]
    assert none == "RangeError: a secret is whsec_ and base64"
    with pytest.raises(ValueError, match="a secret is whsec_ and base64"):
        verify_webhook("whsec_no secret!", sent(), b"")


def receivers(home: Path) -> dict[str, tuple[Sequence[str | Path], dict[str, str]]]:
    """The examples, as programs, and their settings."""
    kits = ROOT / "api-spec" / "clients"
    package = home / "node_modules" / "codille-client"
    package.mkdir(parents=True)
    (package / "package.json").write_bytes((kits / "typescript" / "package.json").read_bytes())
    (package / "src").symlink_to(kits / "typescript" / "src")
    script = home / "receiver.mjs"
    script.write_bytes((kits / "typescript" / "examples" / "receiver.js").read_bytes())
    python = [sys.executable, "-P", kits / "python" / "examples" / "receiver.py"]
    return {
        "python": (python, {"PYTHONPATH": str(kits / "python" / "src")}),
        "javascript": ([NODE, script], {}),
    }


@pytest.mark.parametrize("language", ["python", pytest.param("javascript", marks=needs_node)])
async def test_the_example_prints_notices_of_a_running_service(service_url: str, language: str, tmp_path: Path) -> None:
    command, settings = receivers(tmp_path)[language]
    async with Client(service_url) as ada, Client(service_url) as berta:
        await ada.register("Ada")
        await berta.register("Berta")
        own: dict[str, Any] = {"CODILLE_TOKEN": ada.token, "NO_PROXY": "127.0.0.1"} | settings
        program = await asyncio.create_subprocess_exec(
            *command, service_url, str(free_port()), env=os.environ | own, stdout=asyncio.subprocess.PIPE
        )
        assert program.stdout is not None

        async def is_added() -> bool:
            return bool((await ada.list_webhooks())["items"])

        async with asyncio.timeout(120):
            await until(is_added)
            table = await ada.open_table("diloti", deals=1)
            for client in (ada, berta):
                await client.table(table.id).sit()
            assert (await program.stdout.readline()).decode().split() == ["game-started", table.id]
            program.send_signal(signal.SIGINT)
            await program.wait()
            assert (await ada.list_webhooks())["items"] == []
