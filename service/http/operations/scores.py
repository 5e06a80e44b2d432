"""What deals are worth, wherever they were played: by their facts, or by their cards and acts; and the facts of those
that were played here.
"""

import time

from litestar import Response

from domain.table.automatic import next_standing
from domain.table.events import CardsDealt, DealScored
from domain.table.judging import ImpossibleDeal, judge, places_of
from projections.models import Stored
from service.http.body import ActDecoder
from service.http.examples import Sample, cards_opened
from service.http.guards import game_exists
from service.http.min_version import check_min_version
from service.http.operation import operation
from service.http.operations.audits import end_of, recorded
from service.http.parameters import MinVersion
from service.http.problems import invalid_field
from service.http.request import Request
from service.http.responses import at_version, json
from service.http.scores import (
    GivenDeal,
    GivenPile,
    JudgeRequest,
    ScoredDeal,
    ScoreRequest,
    given_deals,
    scored,
)
from service.queries.deal_facts import DealFacts, StandingBefore, deal_facts
from service.queries.judged_deals import JudgedDeals, answer, judged_deals

ACTS_SHOWN = 3
"""The number of acts in an example."""


def _facts(sample: Sample) -> DealFacts:
    """The facts of the first deal."""
    played = sample.played
    scores = next(record.version for record in played.records if record.type == DealScored.TYPE)
    return DealFacts.of(played.reader, played.records[: scores - 1])


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
    client_scope="any",
    body=ScoreRequest,
    problems=("contradictory-facts", "more-to-play", "rule-violation"),
    requests=lambda sample: {"the first deal of a game": {"facts": _facts(sample).facts}},
    example=lambda sample: scored(sample.played.game, ScoreRequest(_facts(sample).facts)),
    by_game=True,
)
async def score_deal(request: Request, game: str) -> Response[ScoredDeal]:
    """The score of a deal. Raises Problem."""
    asked: ScoreRequest = request.body
    rules = asked.rules_of(game, request.services.reader)
    began = time.process_time()
    try:
        return json(scored(rules, asked))
    finally:
        request.spending.add(time.process_time() - began)


def _judge_request(sample: Sample) -> JudgeRequest:
    """The cards of the first deal, and its first acts; the last of them once more, which is refused."""
    played = sample.played
    dealt = next(record for record in played.records if record.type == CardsDealt.TYPE)
    table = played.history(dealt.version - 1).table
    event, standing = played.reader.read(dealt), next_standing(played.game, table)
    places = places_of(played.game.dealing.portions(standing))
    cards = cards_opened(event)
    acts = [(seat, act) for version, (seat, act) in played.actions.items() if version >= dealt.version]
    return JudgeRequest(
        deals=(
            GivenDeal(
                piles=tuple(
                    [GivenPile(pile, tuple([cards[at] for at in own]), seat) for (pile, seat), own in places.items()]
                ),
                acts=tuple([{"seat": seat, **act} for seat, act in (*acts[:ACTS_SHOWN], acts[ACTS_SHOWN - 1])]),
            ),
        ),
        standing=StandingBefore(dealer=standing.dealer),
    )


def _judged_example(sample: Sample) -> JudgedDeals:
    game, asked = sample.played.game, _judge_request(sample)
    standing = asked.standing_in(game)
    deals = given_deals(game, ActDecoder(game), asked, len(standing.totals))
    return answer(game, judge(game, standing, deals))


@operation(
    "POST",
    "/v1/games/{game:str}/judge",
    tag="Games",
    summary="What the rules say of deals",
    description="Plays deals by their cards and acts, wherever they were played. The answer has the events, the lines "
    "and the totals. Of acts that the rules refuse it names the first, with the numbered rule and with what was open "
    "instead. The acts of the last deal may end before the deal does. Nothing is stored or signed.",
    answers="The deals are judged, not recorded.",
    cost=300,
    kept_cost=10,
    guards=(game_exists,),
    client_scope="any",
    body=JudgeRequest,
    requests=lambda sample: {"the beginning of a deal": _judge_request(sample)},
    example=_judged_example,
    by_game=True,
)
async def judge_deals(request: Request, game: str) -> Response[JudgedDeals]:
    """The deals as the rules judge them. Raises Problem, Busy, Left and JobLost."""
    asked: JudgeRequest = request.body
    rules = asked.rules_of(game, request.services.reader)
    began = time.process_time()
    try:
        standing = asked.standing_in(rules)
        deals = given_deals(rules, request.interface.decoders.of_acts(rules), asked, len(standing.totals))
    finally:
        request.spending.add(time.process_time() - began)
    acts = sum(len(deal.acts) for deal in deals)
    version = rules.rulebook.version
    try:
        body = await request.services.edge.heavy.run(
            request.spending, judged_deals, game, version, standing, deals, events=acts
        )
    except ImpossibleDeal as impossible:
        raise invalid_field(f"/deals{impossible.pointer}", impossible.text) from None
    return json(body)


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
    client_scope="read",
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
