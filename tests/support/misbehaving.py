"""A server of a few lines that answers as bad ones do: it buffers, is silent, cuts off, redirects, or holds back."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Asked:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: Any


Answer: TypeAlias = Callable[[Asked, asyncio.StreamWriter], Awaitable[None]]
"""Writes what is answered. The connection is closed after it."""


class Misbehaving:
    """A server that answers each request by the next of its answers, and then by the last one again and again."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = [*answers]
        self.asked: list[Asked] = []
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Takes a connection."""
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            method, path, _ = head[0].split(" ")
            headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            self.asked.append(Asked(method, path, headers, json.loads(body) if body else None))
            answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
            await answer(self.asked[-1], writer)
            await writer.drain()
        writer.close()


@asynccontextmanager
async def misbehaving(*answers: Answer) -> AsyncIterator[Misbehaving]:
    """Such a server, on a free port."""
    made = Misbehaving(*answers)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        server.close()


def status(number: int, value: Any = None, kind: str = "application/json", **headers: str) -> Answer:
    """The answer with this status and JSON."""
    content = b"" if value is None else json.dumps(value).encode()
    return written(_head(number, kind, {"Content-Length": str(len(content)), **headers}) + content)


def problem(number: int, code: str, **members: Any) -> Answer:
    """A problem document, with `Retry-After` where it is named so."""
    headers = {"Retry-After": str(members.pop("retry_after"))} if "retry_after" in members else {}
    return status(number, {"status": number, "code": code, **members}, "application/problem+json", **headers)


def cut_off(value: Any, *, framed: bool = True) -> Answer:
    """An answer of which only the beginning comes; not `framed`, nothing says how long it would be."""
    content = json.dumps(value).encode()
    length = {"Content-Length": str(len(content))} if framed else {}
    return written(_head(200, "application/json", length) + content[: len(content) // 2])


def stream(*frames: Any, silent_s: float = 0.0) -> Answer:
    """Frames of a stream as lines, and then silence for so long. A text is sent as it is."""

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(_head(200, "application/x-ndjson", {}))
        for frame in frames:
            text = frame if isinstance(frame, str) else json.dumps(frame, ensure_ascii=False) + "\n"
            writer.write(text.encode())
        await writer.drain()
        await asyncio.sleep(silent_s)

    return answer


async def hung_up(asked: Asked, writer: asyncio.StreamWriter) -> None:
    """No answer at all."""


def written(content: bytes) -> Answer:
    """These bytes."""

    async def answer(asked: Asked, writer: asyncio.StreamWriter) -> None:
        writer.write(content)

    return answer


def _head(number: int, kind: str, headers: dict[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {number} Whatever", f"Content-Type: {kind}", "Connection: close"]
    return "\r\n".join(
        [*lines, *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()), "", ""]
    ).encode()
