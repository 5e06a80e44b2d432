"""Requests that can be framed in two ways, and paths that can be read in two ways."""

from tests.lab.attack.target import NotTried, Result, Target

HOST = b"Host: codille.test\r\n"
HIDDEN = b"GET /v1/games/hidden HTTP/1.1\r\n" + HOST + b"\r\n"
"""What a smuggler wants to be answered as a request of its own."""
LENGTH = b"Content-Length: %d\r\n" % len(HIDDEN)
CHUNKED = b"Transfer-Encoding: chunked\r\n"
POST = b"POST /v1/players HTTP/1.1\r\n"
OFFER = POST + HOST + b"Connection: Upgrade\r\nUpgrade: "

FORMS: dict[str, tuple[bytes, ...]] = {
    "length and chunks": (POST + HOST + LENGTH + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + HIDDEN,),
    "two lengths": (POST + HOST + b"Content-Length: 0\r\n" + LENGTH + b"\r\n" + HIDDEN,),
    "a list of lengths": (POST + HOST + b"Content-Length: 0, %d\r\n\r\n" % len(HIDDEN) + HIDDEN,),
    "a signed length": (POST + HOST + b"Content-Length: +0\r\n\r\n" + HIDDEN,),
    "an unknown coding": (POST + HOST + b"Transfer-Encoding: xchunked\r\n\r\n" + HIDDEN,),
    "two codings": (POST + HOST + b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n" + HIDDEN,),
    "a coding twice": (POST + HOST + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + HIDDEN,),
    "a blank before the colon": (POST + HOST + b"Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n" + HIDDEN,),
    "a folded header": (POST + HOST + b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + HIDDEN,),
    "bare line feeds": (b"GET /v1/games HTTP/1.1\n" + HOST.replace(b"\r", b"") + b"\n" + HIDDEN,),
    "no host": (b"GET /v1/games HTTP/1.1\r\n\r\n" + HIDDEN,),
    "two hosts": (b"GET /v1/games HTTP/1.1\r\n" + HOST + b"Host: other.test\r\n\r\n" + HIDDEN,),
    "an upgrade with a body": (OFFER + b"websocket\r\n" + LENGTH + b"\r\n", HIDDEN),
    "an upgrade with chunks": (
        OFFER + b"h2c\r\n" + CHUNKED + b"\r\n",
        b"%x\r\n" % len(HIDDEN) + HIDDEN + b"\r\n0\r\n\r\n",
    ),
    "an upgrade with length and chunks": (OFFER + b"h2c\r\n" + LENGTH + CHUNKED + b"\r\n", b"0\r\n\r\n" + HIDDEN),
    "an upgrade and a tunnel": (OFFER.replace(b"POST /v1/players", b"CONNECT x:80") + b"other\r\n\r\n", HIDDEN),
    "a size that is no number": (POST + HOST + b"Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n" + HIDDEN,),
    "a zero byte in a header": (b"GET /v1/games HTTP/1.1\r\n" + HOST + b"X: a\x00b\r\n\r\n" + HIDDEN,),
    "HTTP/2's preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + HIDDEN,),
}

PATHS = (
    "//metrics", "/metrics/", "/%6detrics", "/v1//games", "/v1/games/", "/v1/%67ames", "/v1/./games", "/v1/../v1/games",
    "/v1/games;a=b", "/v1\\games", "/V1/games", "/v1/games%00", "/v1/games%2f",
)  # fmt: skip


async def smuggled(target: Target, _: float) -> Result:
    """Requests framed in two ways: the hidden one is never answered."""
    if await target.exchanged(HIDDEN) != [404]:
        raise NotTried("the hidden request by itself is not answered")
    through = [name for name, segments in FORMS.items() if _hidden(await target.exchanged(*segments))]
    return Result(
        len(FORMS), len(FORMS) - len(through), ", ".join(through) or "the first is refused, no second answered"
    )


def _hidden(answered: list[int]) -> bool:
    """Whether more than a refusal was answered."""
    return len(answered) > 1 or any(status < 400 for status in answered)


async def odd_paths(target: Target, _: float) -> Result:
    """Paths that resemble an operation's."""
    answered = {}
    for path in PATHS:
        request = b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + b"Connection: close\r\n\r\n"
        answered[path] = (await target.exchanged(request) or [0])[0]
    through = [f"{path} {status}" for path, status in answered.items() if status not in (400, 404)]
    return Result(len(PATHS), len(PATHS) - len(through), ", ".join(through) or "404")
