"""The log as a whole: its checkpoints, and proofs against them."""

from typing import Annotated, Any

from litestar import Response

from domain.record import merkle, note
from service.http import schemas
from service.http.examples import Sample
from service.http.operation import operation
from service.http.parameters import query
from service.http.problems import Problem, invalid_query
from service.http.query import BIGGEST_POSITION
from service.http.request import Request
from service.http.responses import json
from service.transparency.keys import SigningKey

TEXT = "text/plain"

EXAMPLE_KEY = bytes(32)


def _nodes(sample: Sample) -> merkle.Nodes:
    """The tree of a log with the events of one played game only."""
    leaves = [merkle.leaf_hash(record.hash) for record in sample.played.records]
    return lambda level, index: merkle.subtree_hash(leaves[index << level : (index + 1) << level])


def _checkpoint_example(sample: Sample) -> Any:
    size = sample.played.version
    return SigningKey(EXAMPLE_KEY).sign(note.checkpoint_text(size, merkle.root_hash(_nodes(sample), size)))


@operation(
    "GET",
    "/v1/log/checkpoint",
    tag="Log",
    summary="The newest checkpoint",
    description="A signed note (C2SP tlog-checkpoint) of the size and the root of the log's Merkle tree (RFC 6962). "
    "The tree is over the hashes of all events, in the order of their positions.",
    answers="The newest checkpoint.",
    cost=2,
    client_scope="any",
    media_types=(TEXT,),
    example=_checkpoint_example,
)
async def get_checkpoint(request: Request) -> Response[str]:
    """The newest checkpoint; the first request signs the first one. Raises NoKey if it cannot be signed."""
    transparency = request.services.log.transparency
    newest = await transparency.newest() or await transparency.sign_checkpoint()
    return Response(newest.note, media_type=TEXT)


def _inclusion_example(sample: Sample) -> Any:
    size = sample.played.version
    proof = _hex(merkle.inclusion_proof(_nodes(sample), 0, size))
    return schemas.InclusionProof(1, size, sample.played.records[0].hash.hex(), proof)


@operation(
    "GET",
    "/v1/log/proof/inclusion",
    tag="Log",
    summary="A proof that the log contains an event",
    description="The inclusion proof (RFC 6962) of the event at a position, in the tree of a size that the newest "
    "checkpoint covers.",
    answers="The inclusion proof.",
    cost=6,
    client_scope="any",
    problems=("no-such-head",),
    example=_inclusion_example,
)
async def get_inclusion_proof(
    request: Request,
    position: Annotated[int, query("position", "The event's position.", 1, ge=1, le=BIGGEST_POSITION)],
    size: Annotated[
        int | None, query("size", "The tree's size; by default the newest checkpoint's.", 1, ge=1, le=BIGGEST_POSITION)
    ] = None,
) -> Response[schemas.InclusionProof]:
    """The proof for one event. Raises Problem if no checkpoint covers the position and the size."""
    services = request.services
    upto = await _covered(request, "size", size)
    if position > upto:
        raise invalid_query("position", f"must be at most {upto}, the tree's size")
    (record,) = await services.log.store.log(position - 1, 1)
    (proof,) = await services.log.transparency.tree.inclusions([position], upto)
    return json(schemas.InclusionProof(position, upto, record.hash.hex(), _hex(proof)))


def _consistency_example(sample: Sample) -> Any:
    size = sample.played.version
    first = size // 2
    return schemas.ConsistencyProof(first, size, _hex(merkle.consistency_proof(_nodes(sample), first, size)))


@operation(
    "GET",
    "/v1/log/proof/consistency",
    tag="Log",
    summary="A proof that the log was only appended to",
    description="The consistency proof (RFC 6962) between the trees of two sizes that the newest checkpoint covers.",
    answers="The consistency proof.",
    cost=6,
    client_scope="any",
    problems=("no-such-head",),
    links=(("leaf", "getInclusionProof", {"position": "$response.body#/second"}),),
    example=_consistency_example,
)
async def get_consistency_proof(
    request: Request,
    first: Annotated[int, query("first", "The smaller tree's size.", 1, ge=1, le=BIGGEST_POSITION)],
    second: Annotated[
        int | None,
        query("second", "The larger tree's size; by default the newest checkpoint's.", 2, ge=1, le=BIGGEST_POSITION),
    ] = None,
) -> Response[schemas.ConsistencyProof]:
    """The proof between two sizes. Raises Problem if no checkpoint covers them."""
    upto = await _covered(request, "second", second)
    if first > upto:
        raise invalid_query("first", f"must be at most {upto}, the larger tree's size")
    proof = await request.services.log.transparency.tree.consistency(first, upto)
    return json(schemas.ConsistencyProof(first, upto, _hex(proof)))


@operation(
    "GET",
    "/v1/log/keys",
    tag="Log",
    summary="The keys that sign checkpoints",
    description="The public keys that verify checkpoints and exports, each with the tree sizes that it signs.",
    answers="The keys, newest last.",
    cost=2,
    client_scope="any",
    example=lambda _: schemas.LogKeys((schemas.LogKey(str(SigningKey(EXAMPLE_KEY).verifier), 0, None, None),)),
)
async def get_log_keys(request: Request) -> Response[schemas.LogKeys]:
    """All keys that sign or have signed checkpoints."""
    keys = await request.services.log.transparency.keys()
    items = tuple(schemas.LogKey(str(key.verifier), key.since, key.until, key.announcement) for key in keys)
    return json(schemas.LogKeys(items))


async def _covered(request: Request, name: str, size: int | None) -> int:
    """The size, by default that of the newest checkpoint, which must cover it. Raises Problem."""
    newest = await request.services.log.transparency.newest()
    covered = 0 if newest is None else newest.size
    if (size or 1) > covered:
        if size is None:
            raise Problem("no-such-head", "no checkpoint that covers an event is signed yet")
        raise invalid_query(name, f"must be at most {covered}, the size of the newest checkpoint")
    return size or covered


def _hex(proof: list[bytes]) -> tuple[str, ...]:
    return tuple(node.hex() for node in proof)
