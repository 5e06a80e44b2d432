"""The log as a whole: its checkpoints, and proofs under them."""

from typing import Annotated

from litestar import Response, get
from litestar.params import QueryParameter

from service.http import schemas
from service.http.content_negotiation import JSON
from service.http.problems import Problem, invalid_query
from service.http.request import Ask
from service.http.responses import json, problems

TEXT = "text/plain"
BIGGEST = 2**53 - 1

Size = Annotated[
    int | None,
    QueryParameter(name="size", ge=1, le=BIGGEST, description="The tree's size; by default the newest head's."),
]


@get(
    "/log/checkpoint",
    operation_id="getCheckpoint",
    summary="The newest signed head",
    description="The size and the root of the Merkle tree (RFC 6962) over the hashes of all events in the order of "
    "their positions, as a signed note (C2SP tlog-checkpoint).",
    tags=["Log"],
    opt={"media_types": (TEXT,)},
    media_type=TEXT,
    responses=problems(),
)
async def checkpoint(request: Ask) -> Response[str]:
    """The newest checkpoint; the first one is signed when it is asked for."""
    transparency = request.edge.transparency
    newest = await transparency.newest() or await transparency.sign_checkpoint()
    return Response(newest.note, media_type=TEXT)


@get(
    "/log/proof/inclusion",
    operation_id="getInclusionProof",
    summary="That an event stands in the log",
    description="The inclusion proof (RFC 6962) of the event at a position, in the tree of a size that a signed head "
    "covers.",
    tags=["Log"],
    responses=problems(404),
)
async def inclusion(
    request: Ask,
    position: Annotated[int, QueryParameter(name="position", ge=1, le=BIGGEST, description="The event's position.")],
    size: Size = None,
) -> Response[schemas.InclusionProof]:
    """The proof for one event."""
    upto = await _covered(request, "size", size)
    if position > upto:
        raise invalid_query("position", f"must be at most {upto}, the tree's size")
    (record,) = await request.edge.store.log(position - 1, 1)
    (proof,) = await request.edge.transparency.inclusions([position], upto)
    return json(schemas.InclusionProof(position, upto, record.hash.hex(), _hex(proof)))


@get(
    "/log/proof/consistency",
    operation_id="getConsistencyProof",
    summary="That the log was only appended to",
    description="The consistency proof (RFC 6962) between two sizes that a signed head covers.",
    tags=["Log"],
    responses=problems(404),
)
async def consistency(
    request: Ask,
    first: Annotated[int, QueryParameter(name="first", ge=1, le=BIGGEST, description="The smaller tree's size.")],
    second: Annotated[
        int | None,
        QueryParameter(
            name="second", ge=1, le=BIGGEST, description="The greater tree's size; by default the newest head's."
        ),
    ] = None,
) -> Response[schemas.ConsistencyProof]:
    """The proof between two checkpoints."""
    upto = await _covered(request, "second", second)
    if first > upto:
        raise invalid_query("first", f"must be at most {upto}, the greater tree's size")
    return json(schemas.ConsistencyProof(first, upto, _hex(await request.edge.transparency.consistency(first, upto))))


@get(
    "/log/keys",
    operation_id="getLogKeys",
    summary="The keys that sign heads",
    description="The public keys by which signed heads and exports are checked, with the sizes that each one signs.",
    tags=["Log"],
    opt={"media_types": (JSON,)},
    responses=problems(),
)
async def keys(request: Ask) -> Response[schemas.LogKeys]:
    """All keys there were."""
    found = await request.edge.transparency.keys()
    return json(
        schemas.LogKeys(
            tuple(schemas.LogKey(str(key.verifier), key.since, key.until, key.announcement) for key in found)
        )
    )


async def _covered(request: Ask, name: str, size: int | None) -> int:
    """The size, which the newest head must cover; by default that head's own. Raises Problem."""
    newest = await request.edge.transparency.newest()
    covered = 0 if newest is None else newest.size
    if (size or 1) > covered:
        if size is None:
            raise Problem("no-such-head", "no head of the log is signed yet that has an event under it")
        raise invalid_query(name, f"must be at most {covered}, the size of the newest signed head")
    return size or covered


def _hex(proof: list[bytes]) -> tuple[str, ...]:
    return tuple(node.hex() for node in proof)


HANDLERS = (checkpoint, inclusion, consistency, keys)
