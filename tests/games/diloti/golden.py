"""Diloti's golden games: what they must show, and the wishes that make them."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from domain.games.diloti.contracts import RESULTS, SCORING
from domain.games.diloti.meta import Options
from domain.picking import pick
from tests.games.diloti.tables import DilotiLive
from tests.golden.playing import Golden, Plan, Served, Wish, by_type
from tests.support.games import Live

EVENTS = ("card-laid", "cards-captured", "declaration-made", "batch-dealt", "rest-taken")
LINES = tuple(dict.fromkeys(row.rule for row in SCORING))

WANTED: frozenset[str] = frozenset(
    [
        *(result.outcome for result in RESULTS),
        *(f"line {rule}" for rule in LINES),
        "option players 2",
        "option players 4",
        "option target 21",
        "option target 61",
        "option redeal any",
        "option redeal court",
        "option court_lay never-past-a-match",
        "option court_lay free",
        "option court_capture one",
        "option court_capture all",
        "redeal",
        "no redeal for numerals",
        "plain declaration",
        "group",
        "declaration raised",
        "declaration of an opponent grouped",
        "own declaration captured",
        "declaration of another captured",
        "several courts captured",
        "court laid beside its like",
        "table cleared by the first turn",
        "nothing left",
        "over: target reached",
        "over: last deal scored",
        "shared win",
    ]
)


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    (score,) = of["deal-scored"]
    yield score["outcome"]
    yield from (f"line {line['rule']}" for line in score["lines"])
    (dealing,) = of["cards-dealt"]
    ranks = [opening["card"][0] for opening in dealing["shown"]]
    if "rejected" in dealing:
        yield "redeal"
    if max(map(ranks.count, ranks)) >= 3:
        yield "no redeal for numerals"
    if "rest-taken" not in of and score["outcome"] != "nothing-captured":
        yield "nothing left"
    if deal[1]["type"] == "cards-captured" and len(deal[1]["public"]["taken"]) == 4:
        yield "table cleared by the first turn"
    yield from _declaration_labels(deal)
    for taken in of.get("cards-captured", ()):
        if len(taken["loose"]) > 1 and taken["card"][0] in "KQJ":
            yield "several courts captured"
    yield from _laid_labels(deal, [opening["card"] for opening in dealing["shown"]])


def _declaration_labels(deal: Sequence[Served]) -> Iterator[str]:
    """What became of declarations."""
    made: dict[int, dict[str, Any]] = {}
    for event in deal:
        public = event["public"]
        if event["type"] == "cards-captured":
            for number in public["declarations"]:
                own = made[number]["seat"] == public["seat"]
                yield "own declaration captured" if own else "declaration of another captured"
        if event["type"] == "declaration-made":
            made[public["declaration"]] = public
            yield "group" if public["sets"] > 1 else "plain declaration"
            for number in public["declarations"]:
                if made[number]["value"] != public["value"]:
                    yield "declaration raised"
                elif (made[number]["seat"] - public["seat"]) % 2:
                    yield "declaration of an opponent grouped"


def _laid_labels(deal: Sequence[Served], table: list[str]) -> Iterator[str]:
    """Whether a court card was laid beside a loose one of its rank."""
    for event in deal:
        public = event["public"]
        if event["type"] == "card-laid":
            if public["card"][0] in "KQJ" and any(card[0] == public["card"][0] for card in table):
                yield "court laid beside its like"
            table.append(public["card"])
        table = [card for card in table if card not in public.get("loose", ())]


def game_labels(events: Sequence[Served]) -> Iterator[str]:
    """What the game shows besides its deals."""
    if events[-1]["type"] == "game-finished":
        yield f"over: {events[-1]['public']['reason']}"


class Deal(Wish, frozen=True):
    """A deal in which players pick acts as readily as it says, by type; dealt in a certain way, if it says so."""

    readiness: Mapping[str, float]
    dealing: str | None = None
    """What its dealing shows."""


EVEN = {"lay": 1.0, "capture": 2.0, "declare": 3.0}
KEEN = {"lay": 1.0, "capture": 9.0, "declare": 9.0}
"""Who captures and declares what they can."""
SHY = {"lay": 1.0, "capture": 0.0001, "declare": 0.0001}
"""Who lays whatever may be laid."""


def wish(*shows: str, readiness: Mapping[str, float] = EVEN, dealing: str | None = None) -> Deal:
    """A deal that shows all this."""
    return Deal(frozenset([*shows, *([dealing] if dealing else [])]), readiness, dealing)


def fits(live: Live, wished: Deal) -> bool:
    """Whether the cards were dealt as it is wished for."""
    dealing = [event for event in live.events if event.public.TYPE == "cards-dealt"][-1].public
    if wished.dealing == "redeal":
        return bool(dealing.rejected)
    if wished.dealing == "no redeal for numerals":
        ranks = [opening.card[0] for opening in dealing.shown]
        return max(map(ranks.count, ranks)) >= 3
    return True


def play(live: Live, wished: Deal, rng: random.Random) -> bool:
    """Plays one deal."""
    scored = live.table.scored
    while live.table.scored == scored:
        offers = live.offers(live.turn)
        types = list(dict.fromkeys(offer.type for offer in offers))
        (kind,) = rng.choices(types, [wished.readiness[each] for each in types])
        offer = rng.choice([each for each in offers if each.type == kind])
        wire = pick(offer, rng.randrange)
        live.take(live.turn, {name: list(value) if isinstance(value, tuple) else value for name, value in wire.items()})
    return True


FREE = Options(players=4, redeal="court", court_lay="free", court_capture="all")


def plans() -> Iterator[Plan]:
    """The games by name."""
    yield Plan(
        "redeal",
        Options(),
        (wish("most-cards", "declaration of an opponent grouped", "declaration raised", dealing="redeal"),),
    )
    yield Plan(
        "no-redeal",
        FREE,
        (wish("several courts captured", "court laid beside its like", dealing="no redeal for numerals"),),
    )
    yield Plan(
        "target", Options(target=21), (wish("line DL-9.3", readiness=KEEN),), frozenset({"over: target reached"})
    )
    yield Plan("cards-equal", Options(players=4), (wish("cards-equal", "group"),))
    yield Plan("nothing-captured", FREE, (wish("nothing-captured", readiness=SHY),), frozenset({"shared win"}))
    yield Plan("nothing-left", Options(), (wish("nothing left", readiness=KEEN),))
    yield Plan(
        "first-turn",
        Options(players=4, court_capture="all"),
        (wish("table cleared by the first turn", readiness=KEEN),),
    )


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (result.outcome for result in RESULTS)
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=DilotiLive,
    events=EVENTS,
    wanted=WANTED,
    possible=possible,
    plans=plans,
    disputed=Plan("disputed", Options(players=4), (wish("most-cards"), wish("most-cards"))),
    fits=fits,
    play=play,
    deal_labels=deal_labels,
    game_labels=game_labels,
)
