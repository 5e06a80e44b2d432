"""The media types and encodings that a client accepts (RFC 9110, 12.5.1 and 12.5.3)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from service.http.problems import Problem

JSON = "application/json"
CSV = "text/csv"
SVG = "image/svg+xml"


def acceptable(lines: Sequence[tuple[bytes, bytes]], offered: Sequence[str]) -> str:
    """The offered media type that the client prefers, by all its headers. Raises Problem if it accepts none."""
    wanted = b",".join([value for name, value in lines if name == b"accept"])
    if not wanted:
        return offered[0]
    best = _best(wanted, tuple(offered))
    if best is None:
        raise Problem("not-acceptable", f"this is answered as {' or '.join(offered)}")
    return best


@lru_cache(maxsize=256)
def _best(wanted: bytes, offered: tuple[str, ...]) -> str | None:
    """The best of those offered, or None. Cached: clients send the same few headers with every request."""
    weights = _weights(wanted)
    best = max(offered, key=lambda media_type: _weight(media_type, weights))
    return best if _weight(best, weights) else None


def takes_gzip(headers: Mapping[bytes, bytes]) -> bool:
    """Whether the client accepts gzip; without Accept-Encoding the response is not compressed."""
    wanted = headers.get(b"accept-encoding")
    return wanted is not None and _gzip(wanted)


@lru_cache(maxsize=256)
def _gzip(wanted: bytes) -> bool:
    weights = _weights(wanted)
    return weights.get("gzip", weights.get("*", 0.0)) > 0


def _weights(wanted: bytes) -> Mapping[str, float]:
    """The weight of each media range or encoding."""
    weights: dict[str, float] = {}
    for part in wanted.decode("latin-1").split(","):
        media_range, *parameters = (piece.strip().lower() for piece in part.split(";"))
        weight = 1.0
        for parameter in parameters:
            name, _, value = parameter.partition("=")
            if name.strip() == "q":
                try:
                    weight = float(value)
                except ValueError:
                    weight = 0.0
        weights[media_range] = weight
    return weights


def _weight(media_type: str, weights: Mapping[str, float]) -> float:
    for media_range in (media_type, media_type.split("/", maxsplit=1)[0] + "/*", "*/*"):
        if media_range in weights:
            return weights[media_range]
    return 0.0
