"""L'Hombre's golden games: what they must show, and the wishes that make them."""

import random
from collections.abc import Iterator, Sequence
from itertools import cycle, pairwise
from typing import Any

from domain.games.lhombre.contracts import CONTRACTS as ROWS
from domain.games.lhombre.contracts import RESULTS, TOUT
from domain.games.lhombre.meta import Options
from tests.games.lhombre.checker import ABANDONABLE, BIDS, CONTRACTS, GAMES, REDEFINED, trumps_for, turns
from tests.games.lhombre.tables import FOUR, SITTER_FREE, THREE, LhombreLive
from tests.golden.course import course_of
from tests.golden.matadors import (
    TEMPERS,
    auction,
    best_trump,
    exchange,
    matador_labels,
    play_card,
)
from tests.golden.playing import Golden, Plan, Served, Wish, by_type, nothing
from tests.support.games import Live

TALON = 13
OUTCOMES = ("win", "bete", "kodille")
MOMENTS = (
    "before the defenders' exchange",
    "between the defenders' exchanges",
    "before the lead",
    "after one card",
    "after two cards",
)
EVENTS = (
    "bid-made",
    "bid-passed",
    "deal-washed-out",
    "contract-declared",
    "talon-turned",
    "cards-exchanged",
    "card-played",
    "hand-exposed",
    "trick-won",
    "play-stopped",
    "all-tricks-undertaken",
    "deal-abandoned",
)

WANTED: frozenset[str] = frozenset(
    [
        *(f"{contract} {outcome}" for contract in CONTRACTS for outcome in OUTCOMES),
        *(f"{contract} abandoned" for contract in ABANDONABLE),
        "washed-out",
        *(f"{bid} made into {name}" for bid, names in REDEFINED.items() for name in names),
        *(f"abandoned {moment}" for moment in MOMENTS),
        *(f"line {rule}" for rule in ("LH-8.1", "LH-8.2", "LH-8.3", "LH-8.4")),
        "tout made",
        "tout failed",
        "tout declined",
        "win on four tricks",
        "bete 4-4-1",
        "bete 3-3-3",
        "kodille without a trick",
        "simple-nolo kodille in two tricks",
        "simple-nolo kodille in more",
        "self",
        "self of pure-nolo",
        "self of spade-solo",
        "self outbid",
        "nolo-ouvert over pure-nolo",
        "nolo-ouvert over spade-solo",
        "backhand alone",
        "grand-tourne shown",
        "turned spadille",
        "turned basta",
        "turn-up drawn by declarer",
        "turn-up left by declarer",
        "passed over",
        "matador kept back",
        "matador drawn out by a higher one",
        "sitter pays",
        "sitter is paid",
        "sitter left out",
        "option players 3",
        "option players 4",
        "option sitter_pays true",
        "option sitter_pays false",
        "shared win",
    ]
)


def deal_labels(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    order = turns(of["cards-dealt"][0]["dealer"], options["players"])
    score = of["deal-scored"][0]
    yield from (f"line {line['rule']}" for line in score["lines"])
    yield from _bidding(deal)
    if "contract-declared" not in of:
        yield score["outcome"]
        return
    declaration = of["contract-declared"][0]
    contract, declarer = declaration["contract"], declaration["seat"]
    yield f"{contract} {score['outcome']}"
    bid = of["bid-made"][-1]["contract"]
    if bid != contract:
        yield f"{bid} made into {contract}"
    if score["outcome"] == "abandoned":
        yield f"abandoned {_moment(of, declarer)}"
    yield from _cards(deal, of, order, contract, declarer)
    paid = [line["amount"] for line in score["lines"] if line["seat"] not in (*order, None)]
    if options["players"] == 4:
        yield ("sitter pays" if sum(paid) < 0 else "sitter is paid") if paid else "sitter left out"


def _bidding(deal: Sequence[Served]) -> Iterator[str]:
    calls = [(event["type"], event["public"]) for event in deal if event["type"] in ("bid-made", "bid-passed")]
    bids = [public for kind, public in calls if kind == "bid-made"]
    for before, after in pairwise(bids):
        if after["self"]:
            yield from ("self", f"self of {after['contract']}")
        if before["self"]:
            yield "self outbid"
        if after["contract"] == "nolo-ouvert":
            yield f"nolo-ouvert over {before['contract']}"
    if [kind for kind, _ in calls] == ["bid-passed", "bid-passed", "bid-made"]:
        yield "backhand alone"
    if any(bid["shown"] == ["As", "Ac"] for bid in bids):
        yield "grand-tourne shown"


def _cards(
    deal: Sequence[Served], of: dict[str, list[dict[str, Any]]], order: Sequence[int], contract: str, declarer: int
) -> Iterator[str]:
    outcome = of["deal-scored"][0]["outcome"]
    course = course_of(deal, order)
    tricks = course.winners.count(declarer)
    if "play-stopped" in of:
        yield "tout declined"
    if "all-tricks-undertaken" in of:
        yield "tout made" if tricks == 9 else "tout failed"
    if contract in GAMES and outcome == "win" and tricks == 4:
        yield "win on four tricks"
    if contract in GAMES and outcome == "bete":
        yield "bete 3-3-3" if tricks == 3 else "bete 4-4-1"
    if contract in GAMES and outcome == "kodille" and tricks == 0:
        yield "kodille without a trick"
    if contract == "simple-nolo" and outcome == "kodille":
        yield "simple-nolo kodille in two tricks" if tricks == 2 else "simple-nolo kodille in more"
    for turned in of.get("talon-turned", []):
        yield {"As": "turned spadille", "Ac": "turned basta"}.get(turned["card"], "turned")
        if of.get("cards-exchanged"):
            yield "turn-up drawn by declarer" if of["cards-exchanged"][0]["count"] else "turn-up left by declarer"
    exchanges = of.get("cards-exchanged", [])
    if sum(done["count"] for done in exchanges) == TALON and sum(done["seat"] != declarer for done in exchanges) < 2:
        yield "passed over"
    yield from matador_labels(course)


def _moment(of: dict[str, list[dict[str, Any]]], declarer: int) -> str:
    """When declarer abandoned the hand."""
    played = len(of.get("card-played", []))
    if played:
        return "after one card" if played == 1 else "after two cards"
    exchanges = of["cards-exchanged"]
    if sum(done["count"] for done in exchanges) == TALON:
        return "before the lead"
    return MOMENTS[sum(done["seat"] != declarer for done in exchanges)]


class Deal(Wish, frozen=True, kw_only=True):
    """A deal of this contract, of none for a wash-out."""

    contract: str | None
    bid: str | None = None
    """The bid that wins the auction, if it is made into another contract."""
    wild: bool = False
    """Whether the others bid too."""
    abandon: str | None = None
    """When declarer abandons the hand."""


def wish(
    contract: str | None, *shows: str, bid: str | None = None, wild: bool = False, abandon: str | None = None
) -> Deal:
    """A deal of this contract that shows all this."""
    return Deal(frozenset(shows), contract=contract, bid=bid or contract, wild=wild, abandon=abandon)


def fits(live: Live, wished: Deal) -> bool:
    """Whether the cards dealt allow it: some hand that holds both black aces, the talon's top card."""
    play = live.table.deal_state
    able = wished.bid != "grand-tourne" or any({"As", "Ac"} <= set(hand.known) for hand in play.hands)
    top = {"turned spadille": "As", "turned basta": "Ac"}
    return able and all(play.talon[0] == top.get(shown, play.talon[0]) for shown in wished.shows)


def play(live: Live, wished: Deal, rng: random.Random) -> bool:
    """Plays one deal of the wished contract, as far as the cards allow."""
    scored, order = live.table.scored, live.table.deal_state.common.order
    able = [seat for seat in order if wished.bid != "grand-tourne" or {"As", "Ac"} <= set(live.hand(seat))]
    declarer = rng.choice(able)
    if not auction(live, declarer if wished.contract else None, wished.bid, BIDS, wild=wished.wild, rng=rng):
        return False
    if wished.contract is None:
        return True
    tempers = {seat: rng.choice(TEMPERS) for seat in order}
    (only, *others) = trumps_for(wished.contract)
    trump = best_trump(live, declarer, rng, tempers[declarer]) if others else only
    if live.phase == "declaration":
        live.do("declare", contract=wished.contract, trump=trump)
    while live.table.scored == scored:
        seat = live.turn
        if wished.abandon and "abandon" in live.types(declarer) and moment(live, declarer) == wished.abandon:
            live.act(declarer, "abandon")
        elif live.phase == "exchange":
            exchange(live, tempers[seat], rng)
        elif "stop" in live.types(seat) and rng.random() < 0.5:
            live.do("stop")
        else:
            play_card(live, tempers[seat], rng)
    return True


def moment(live: Live, declarer: int) -> str:
    """At what moment for abandoning the table is."""
    if live.phase == "play":
        return MOMENTS[2 + len(live.table.deal_state.tricks.trick)]
    return MOMENTS[sum(done.seat != declarer for done in live.table.deal_state.exchange.done)]


def plans() -> Iterator[Plan]:
    """The games by name: every contract with every outcome, and what else there is to show."""
    wishes = [wish(contract, f"{contract} {outcome}") for contract in CONTRACTS for outcome in OUTCOMES]
    wishes += [
        wish(contract, f"{contract} abandoned", abandon=when)
        for contract, when in zip(ABANDONABLE, MOMENTS, strict=False)
    ]
    wishes.append(wish(None, "washed-out"))
    wishes.sort(key=lambda wished: wished.contract != "grand-tourne")
    tables = cycle((FOUR, THREE, SITTER_FREE, Options(players=3, sitter_pays=False)))
    hard, easy = wishes[:4], wishes[4:]
    for number in range(9):
        options = next(tables)
        game, hard = hard[:1], hard[1:]
        rest = options.players - len(game)
        game, easy = game + easy[:rest], easy[rest:]
        yield Plan(f"outcomes-{number + 1}", options, tuple(game))
    yield Plan(
        "touts",
        FOUR,
        (
            wish("solo", "tout made"),
            wish("simple-game", "tout failed"),
            wish("spade-game", "tout declined"),
            wish("simple-nolo", "simple-nolo kodille in more"),
        ),
    )
    yield Plan(
        "selves",
        THREE,
        (
            wish("pure-nolo", "self of pure-nolo", wild=True),
            wish("spade-solo", "self of spade-solo", wild=True),
            wish("solo", "self outbid", wild=True),
        ),
    )
    yield Plan(
        "equal-bids",
        FOUR,
        (
            wish("nolo-ouvert", "nolo-ouvert over pure-nolo", wild=True),
            wish("nolo-ouvert", "nolo-ouvert over spade-solo", wild=True),
            wish("tourne", "backhand alone", "turn-up left by declarer"),
            wish(None, "washed-out"),
        ),
    )
    yield Plan(
        "made-into-others",
        SITTER_FREE,
        tuple(wish(name, f"{bid} made into {name}", bid=bid) for bid, names in REDEFINED.items() for name in names),
    )
    yield Plan(
        "abandoned",
        THREE,
        (
            wish("tourne", "abandoned after two cards", "turn-up drawn by declarer", abandon="after two cards"),
            wish("simple-game", "abandoned after one card", abandon="after one card"),
            wish("spade-game", "abandoned before the lead", "passed over", abandon="before the lead"),
        ),
    )
    yield Plan(
        "level",
        THREE,
        (
            wish("simple-game", "win on four tricks"),
            wish("spade-game", "bete 3-3-3"),
            wish("tourne", "bete 4-4-1"),
        ),
    )
    yield Plan(
        "black-aces-turned",
        THREE,
        (
            wish("tourne", "turned spadille", "matador kept back"),
            wish("simple-nolo", "simple-nolo kodille in two tricks"),
            wish("simple-game", "kodille without a trick", "passed over"),
        ),
    )
    yield Plan(
        "basta-turned",
        SITTER_FREE,
        (
            wish("tourne", "turned basta"),
            wish("solo", "matador drawn out by a higher one"),
            wish(None, "washed-out"),
            wish("nolo-ouvert", "backhand alone"),
        ),
    )
    yield Plan("washed-out", THREE, (wish(None, "washed-out"),) * 3)


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield f"line {TOUT.rule}"
    for row in ROWS.values():
        for result in RESULTS:
            if result.positive is row.positive or (result.outcome == "abandoned" and row.abandon):
                yield from (f"{row.contract} {result.outcome}", f"line {result.rule}")
        yield from (f"{row.contract} made into {name}" for name in row.becomes)
    yield from (result.outcome for result in RESULTS if result.sign == 0)


GOLDEN = Golden(
    live=LhombreLive,
    events=EVENTS,
    wanted=WANTED,
    possible=possible,
    plans=plans,
    disputed=Plan("disputed", THREE, (wish("simple-game", abandon="before the lead"),) * 3),
    fits=fits,
    play=play,
    deal_labels=deal_labels,
    game_labels=nothing,
)
