"""Minimum versions: reading one's own writes, and waiting for others' events."""

import time

from service.http.guards import may_look
from service.http.problems import Fault, Problem, invalid_query, unauthenticated
from service.http.request import Request
from service.limits.addresses import keys_of
from service.live.hub import version_beyond
from service.live.subscription import EarlyEnd


async def require_min_version(request: Request, min_version: int | None) -> int:
    """The version that a read must show; 0 for any. Raises Problem if the table has not reached it."""
    if min_version is None:
        return 0
    head = await request.services.tables.spectators.version(request.table, request.player, min_version)
    check_min_version(min_version, head)
    return min_version


async def awaited_version(request: Request, min_version: int | None, after: int | None, wait: int | None) -> int:
    """The version that a read must show, once the table is beyond `after` or `wait` seconds have passed.

    Raises Problem if the table has not reached `min_version` or `after`, or if the token is revoked during the wait;
    NoSuchTable if the caller may no longer see the table; and what `version_beyond` raises.
    """
    floor = await require_min_version(request, min_version)
    if wait is None:
        return floor
    if after is None:
        raise invalid_query("after", "is missing")
    services, table = request.services, request.table

    async def head() -> int:
        return await services.tables.spectators.version(table, request.player)

    known = await head()
    check_version("after", after, known)
    if after < known or not wait:
        return max(floor, known)
    began = time.perf_counter()
    audience = await services.tables.seating.audience(table, request.player)
    early = EarlyEnd()
    with (
        services.edge.live.slots.taken(keys_of(request.address), request.player, early.give_way),
        services.edge.presence.counted(request.player, table),
    ):
        opened = await services.edge.streams.feeds.open(table, audience)
        known = await version_beyond(opened, after, head, seconds=wait, gone=request.gone, early=early)
    request.notes.waited_s = time.perf_counter() - began
    if request.token is not None and await services.edge.bearers.of(request.token) is None:
        raise unauthenticated("the token was revoked", presented=True)
    await may_look(request)
    return max(floor, known)


def check_min_version(min_version: int | None, head: int) -> None:
    """Raises Problem if the table, which is at version `head`, has not reached `min_version`."""
    if min_version is not None:
        check_version("min_version", min_version, head)


def check_version(parameter: str, version: int, head: int) -> None:
    """Raises Problem if the table, which is at version `head`, has not reached the version in the parameter."""
    if version > head:
        raise Problem(
            "version-beyond-head",
            f"the table is at version {head}",
            version=head,
            errors=(Fault(f"must be at most {head}", parameter=parameter),),
        )
