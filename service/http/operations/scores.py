"""What deals are worth: by their facts, wherever they were played, and the facts of those that were played here."""

import time

from litestar import Response

from domain.record.catalogue import UnknownRules
from domain.record.history import Reader
from domain.table.events import DealScored
from projections.models import Stored
from service.http.examples import Sample
from service.http.guards import game_exists
from service.http.min_version import check_min_version
from service.http.operation import operation
from service.http.operations.audits import end_of, recorded
from service.http.parameters import MinVersion
from service.http.problems import invalid_field
from service.http.request import Request
from service.http.responses import at_version, json
from service.http.scores import ScoredDeal, ScoreRequest, scored
from service.queries.deal_facts import DealFacts, deal_facts


def _facts(sample: Sample) -> DealFacts:
    """The facts of the first deal."""
    played = sample.played
    scores = next(record.version for record in played.records if record.type == DealScored.TYPE)
    return DealFacts.of(Reader({played.game.name: played.game}), played.records[: scores - 1])


@operation(
    "POST",
    "/v1/games/{game:str}/score",
    tag="Games",
    summary="What a deal is worth",
    description="Scores a deal by its facts, wherever it was played. Antes are booked as the rules say, and so is what "
    "the end of the game books if this deal ends it. Nothing is stored or signed. Refused are facts that contradict "
    "the rules or each other, by the rule, and facts that do not settle the deal.",
    answers="The deal is scored, not recorded.",
    cost=50,
    kept_cost=3,
    guards=(game_exists,),
    body=ScoreRequest,
    problems=("contradictory-facts", "more-to-play", "rule-violation"),
    requests=lambda sample: {"the first deal of a game": {"facts": _facts(sample).facts}},
    example=lambda sample: scored(sample.played.game, ScoreRequest(_facts(sample).facts)),
    by_game=True,
)
async def score_deal(request: Request, game: str) -> Response[ScoredDeal]:
    """The score of a deal. Raises Problem."""
    asked: ScoreRequest = request.body
    try:
        rules = request.services.reader.game(game, asked.rules_version)
    except UnknownRules:
        raise invalid_field("/rules_version", f"must be a version of the rules of {game}") from None
    began = time.process_time()
    try:
        return json(scored(rules, asked))
    finally:
        request.spending.add(time.process_time() - began)


@operation(
    "GET",
    "/v1/tables/{table:uuid}/deals/{deal:int}/facts",
    tag="Record",
    summary="A deal's facts",
    description="What the score of a finished deal depends on: the facts that a player knows, the rules, the options "
    "and the standing before the deal. Sent to `POST /v1/games/{game}/score`, they give the recorded lines.",
    answers="The facts.",
    cost=60,
    kept_cost=15,
    guards=(recorded,),
    headers=("If-None-Match",),
    problems=("deal-not-over", "no-such-deal"),
    example=_facts,
)
async def get_deal_facts(request: Request, deal: int, min_version: MinVersion = None) -> Response[DealFacts]:
    """The facts of one deal. Raises NoSuchDeal and DealNotOver, and Problem below `min_version`."""
    table, heavy = request.table, request.services.edge.heavy
    head = await end_of(request)
    check_min_version(min_version, head.version)
    body = await heavy.kept(
        ("facts", table, deal, head.hash),
        lambda: heavy.run(request.spending, deal_facts, table, deal, head.version, events=head.version),
    )
    return at_version(Stored(head.version, body), request.known_tags)
