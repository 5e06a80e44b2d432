"""Playing: a seat's offers, and taking an action."""

from typing import Annotated, Any

import msgspec
from litestar import Response
from msgspec.structs import replace

from domain.seats import seat_audience
from domain.table.actions import Act
from domain.table.seat_offers import offers
from domain.table.state import seat_of
from domain.table.talk import action_types_of
from domain.table.view import to_act
from domain.table.why import why_not
from projections.models import Stored
from service.commands.handler import PreconditionFailed, Refused
from service.http import guards, schemas
from service.http.acting import Acted, act_answer, carried_out
from service.http.examples import Sample
from service.http.forms import LINE_KIND
from service.http.min_version import awaited_version
from service.http.operation import READS_TABLE, operation
from service.http.parameters import After, MinVersion, Wait, query
from service.http.request import Request
from service.http.responses import at_version, json
from service.http.why_question import Question, question, reason

SAME_TABLE = {"table": "$request.path.table"}
AFTERWARDS = SAME_TABLE | {"min_version": "$response.body#/version"}


def _offers_example(sample: Sample) -> Any:
    version, seat, _ = sample.played.midway()
    played = sample.played
    game, state = played.game, played.history(version).table
    # An act that is not offered, if there is one.
    asked = [Question(kind, {}) for kind in action_types_of(game)]
    answers = [(one, why_not(game, state, seat, one.act, one.fields)) for one in asked]
    why, refusal = next((answer for answer in answers if answer[1] is not None), answers[0])
    return {
        "version": version,
        "you": seat,
        "to_act": played.to_act(version),
        "offers": played.offers(version, seat),
        "why": msgspec.to_builtins(reason(game, why, refusal)),
    }


@operation(
    "GET",
    "/v1/tables/{table:uuid}/offers",
    tag="Play",
    summary="The caller's offers",
    description="The caller's seat (`you`), the seats that must act, and every action that the caller's seat may take "
    "at this version. A caller without a seat has no offers. With `why`, the response also says why an act of that "
    "type is not offered, by the numbered rule. Beside `why` the query may give fields of the act, as in "
    "`?why=play&card=Ks`: the question is then about acts with these fields, and with all fields the answer is what a "
    "refusal of the act would say. A list is given as one parameter per item, and `null` is not a value. The answer "
    "depends only on what the seat knows.",
    answers="The offers.",
    cost=2,
    **READS_TABLE,
    links=(("act", "act", SAME_TABLE),),
    example=_offers_example,
    open_query="why",
    by_game=True,
    fast=True,
)
async def get_offers(
    request: Request,
    why: Annotated[
        str | None,
        query("why", "A type of act of the table's game, to ask why it is not offered.", "play", pattern=LINE_KIND),
    ] = None,
    min_version: MinVersion = None,
    after: After = None,
    wait: Wait = None,
) -> Response[schemas.Offers]:
    """The caller's offers at the newest version that the caller sees. Raises what `awaited_version` raises.

    Raises Problem if `why` names no act of the game.
    """
    services = request.services
    await awaited_version(request, min_version, after, wait)
    state = (await services.tables.spectators.seen(request.table, request.player)).table
    game = services.reader.of(state)
    seat = seat_of(state, request.player)
    own = () if seat is None else offers(game, state, seat)
    answer = schemas.Offers(
        state.version, seat, to_act(game, state), tuple([schemas.OfferedAct(**offer.describe()) for offer in own])
    )
    if why is not None:
        asked = question(game, why, request.others)
        answer = replace(answer, why=reason(game, asked, why_not(game, state, seat, asked.act, asked.fields)))
    return at_version(Stored(state.version, msgspec.json.encode(answer)), request.known_tags)


def _acted_example(sample: Sample) -> Any:
    version, seat, _ = sample.played.midway()
    after, events = sample.played.events_of_act(version, seat_audience(seat))
    return {"version": after, "events": events, "to_act": sample.played.to_act(after)}


@operation(
    "POST",
    "/v1/tables/{table:uuid}/actions",
    tag="Play",
    summary="Take an action",
    description="Takes an action for the caller's seat. The response is sent when the resulting events are durable, "
    "and contains them as the actor sees them. At tables where players may talk, a player's remark is an action too, "
    "of the type talk; it neither needs nor ends a turn (TL-5.3).",
    answers="The action is taken, and its events are durable.",
    status=201,
    cost=3,
    guards=(guards.authenticated, guards.table_exists, guards.may_play, guards.seated),
    client_scope="seat",
    headers=("If-Match", "Idempotency-Key"),
    body=Any,
    problems=(
        "table-closed",
        "table-finished",
        "not-started",
        "wrong-phase",
        "not-your-turn",
        "lost-race",
        "rule-violation",
    ),
    links=(
        ("offers", "getOffers", AFTERWARDS),
        ("view", "getTable", AFTERWARDS),
        ("ledger", "getTableLedger", AFTERWARDS),
        ("replay", "getReplay", SAME_TABLE | {"version": "$response.body#/version"}),
    ),
    requests=lambda sample: sample.by_type.actions,
    example=_acted_example,
    by_game=True,
    fast=True,
)
async def act(request: Request) -> Response[Acted]:
    """Appends the action's events and responds with them. Raises Refused or PreconditionFailed, and counts these."""
    services, table, action = request.services, request.table, request.body
    game, kind = request.game, str(action.__struct_config__.tag)
    try:
        result = await carried_out(request, Act(request.player, action))
    except Refused as refused:
        services.metrics.action(game, kind, refused.rejected.code)
        raise
    except PreconditionFailed:
        services.metrics.action(game, kind, "precondition-failed")
        raise
    services.metrics.action(game, kind, "replayed" if result.replayed else "accepted")
    answer = await act_answer(request, result)
    first, count = result.records[0].version, len(result.records)
    location = f"/v1/tables/{table}/events?after={first - 1}&limit={count}"
    return json(answer, status=201, location=location, replayed=result.replayed, version=answer.version)
