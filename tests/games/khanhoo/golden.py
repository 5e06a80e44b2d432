"""Khanhoo's golden games: what they must show, and the wishes that make them."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.games.khanhoo.contracts import MELDS, RESULTS
from domain.games.khanhoo.meta import Options
from tests.games.khanhoo.checker import JOKER, plain
from tests.games.khanhoo.tables import KhanhooLive
from tests.golden.playing import Golden, Plan, Served, Wish, always, by_type
from tests.support.games import Live

EVENTS = (
    "stock-drawn",
    "discard-drawn",
    "discard-taken",
    "card-discarded",
    "went-out",
    "claim-answered",
    "bumps-announced",
    "bump-challenged",
    "bump-yielded",
    "meld-laid",
    "stock-renewed",
    "hands-shown",
)
OUTCOMES = ("went-out", "all-laid", "undecided")
LINES = (*(f"KH-5.{row}" for row in range(1, 11)), "KH-8.2")

WANTED: frozenset[str] = frozenset(
    [
        *OUTCOMES,
        *(f"line {rule}" for rule in LINES),
        *(f"option players {players}" for players in (2, 3, 4)),
        "nobody bumps",
        "one bumps",
        "two bump",
        "two bump with melds worth the same",
        "the later bump stands",
        "challenged with a sequence",
        "challenged with another meld",
        "joker in a meld laid",
        "joker in a meld in hand",
        "discard drawn is discarded",
        "stock renewed",
        "out by a bumper's discard",
        "over: target reached",
        "over: last deal scored",
    ]
)


def deal_labels(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    (score,) = of["deal-scored"]
    yield score["outcome"]
    yield from (f"line {line['rule']}" for line in score["lines"])
    if "stock-renewed" in of:
        yield "stock renewed"
    for announced in of.get("bumps-announced", ()):
        yield from _bump_labels(announced)
    for challenged in of.get("bump-challenged", ()):
        yield f"challenged with {'a sequence' if challenged['meld'] == 'sequence' else 'another meld'}"
    if any(JOKER in laid["cards"] for laid in of.get("meld-laid", ())):
        yield "joker in a meld laid"
    if any(JOKER in meld["cards"] for each in score["divisions"] for meld in each["melds"]):
        yield "joker in a meld in hand"
    for before, after in pairwise(deal):
        if before["type"] == "discard-drawn" and after["public"].get("card") == before["public"]["card"]:
            yield "discard drawn is discarded"
        if (before["type"], after["type"]) == ("meld-laid", "went-out"):
            yield "out by a bumper's discard"


def _bump_labels(announced: dict[str, Any]) -> Iterator[str]:
    bumps = announced["bumps"]
    yield ("nobody bumps", "one bumps", "two bump")[len(bumps)]
    if len(bumps) == 2:
        worth = [{row.meld: row.points for row in MELDS}[bump["meld"]] for bump in bumps]
        if worth[0] == worth[1]:
            yield "two bump with melds worth the same"
        if announced["standing"] == bumps[1]["seat"]:
            yield "the later bump stands"


def game_labels(events: Sequence[Served]) -> Iterator[str]:
    """What the game shows besides its deals."""
    if events[-1]["type"] == "game-finished":
        yield f"over: {events[-1]['public']['reason']}"


class Deal(Wish, frozen=True):
    """A deal in which one seat collects these cards, as they are written, and all others help it."""

    collects: str = ""
    collector: int = 0


def wish(*shows: str, collects: str = "", collector: int = 0) -> Deal:
    """A deal that shows all this."""
    return Deal(frozenset(shows), collects, collector)


def play(live: Live, wished: Deal, rng: random.Random) -> bool:
    """Plays a deal: by chance, or so that a seat collects the cards that are wished for."""
    deal = live.table.deal
    while live.table.running_deal == deal:
        seat = live.to_act[0]
        act = {"draw": draw, "discard": discard, "claim": claim, "challenge": challenge}[str(live.phase)]
        act(live, seat, wished, rng)
    return True


def lacks(live: Live, wished: Deal) -> Counter[str]:
    """The cards that the collector still lacks."""
    mine = Counter(map(plain, live.hand(wished.collector)))
    return Counter(wished.collects.split()) - mine


def draw(live: Live, seat: int, wished: Deal, rng: random.Random) -> None:
    """The collector draws a discard that it lacks; where the stock is to be renewed, all draw from it."""
    top = plain(live.table.deal_state.cards.top)
    if wished.collects:
        live.do("draw-discard" if seat == wished.collector and lacks(live, wished)[top] else "draw-stock")
    else:
        live.do(rng.choice(["draw-stock", "draw-stock" if "stock renewed" in wished.shows else "draw-discard"]))


def discard(live: Live, seat: int, wished: Deal, rng: random.Random) -> None:
    """Who can goes out; the collector keeps what it collects, and the others discard what it lacks."""
    out, hand = live.offered(seat, "go-out"), live.hand(seat)
    if out:
        live.do("go-out", card=out[0]["card"]["one_of"][0])
        return
    missing = lacks(live, wished)
    if seat != wished.collector:
        cards = [card for card in hand if missing[plain(card)]] or [*hand]
    else:
        spare = Counter(map(plain, hand)) - Counter(wished.collects.split())
        cards = [card for card in hand if spare[plain(card)]] or [*hand]
    live.do("discard", card=rng.choice(cards))


def claim(live: Live, seat: int, wished: Deal, rng: random.Random) -> None:
    """Who can bumps, but nobody when cards are collected."""
    bumps = [] if wished.collects else live.offered(seat, "bump")
    if not bumps or ("all-laid" in wished.shows and seat != wished.collector):
        live.act(seat, "let-go")
        return
    chosen = rng.choice(bumps)
    live.act(seat, "bump", meld=chosen["meld"]["one_of"][0], cards=list(rng.choice(chosen["cards"]["one_of"])))


def challenge(live: Live, seat: int, wished: Deal, rng: random.Random) -> None:
    """Who can challenges where that is to be seen, otherwise rarely."""
    challenges = live.offered(seat, "challenge")
    likely = 0.0 if "all-laid" in wished.shows else 0.4
    if challenges and rng.random() < likely:
        chosen = rng.choice(challenges)
        live.act(seat, "challenge", meld=chosen["meld"]["one_of"][0], cards=list(chosen["cards"]["one_of"][0]))
    else:
        live.act(seat, "yield")


def plans() -> Iterator[Plan]:
    """The games by name."""
    two = Options(players=2, target=60, turn_limit=60)
    yield Plan(
        "collected",
        two,
        (
            wish("went-out", "line KH-5.9", "line KH-5.10", collects="Ah Ah 2s 2s 3d 3d Jc Jc Qc Qc Kc Kc 5h 5s 5d"),
            wish("went-out", "line KH-5.7", "line KH-5.8", collects="Ah Ah As As Ad Ad 4h 4h 4s 4s 4d 4d 7d 7d Jc"),
        ),
        frozenset({"over: target reached"}),
    )
    yield Plan("claims", Options(players=4, turn_limit=10), (wish("two bump with melds worth the same"),))
    yield Plan("later-bump", Options(players=4, turn_limit=10), (wish("the later bump stands"),))
    yield Plan(
        "sequence",
        Options(players=3, turn_limit=10),
        (wish("challenged with a sequence", "challenged with another meld", "stock renewed"),),
    )
    yield Plan("all-laid", Options(players=3, turn_limit=20), (wish("all-laid"),))
    yield Plan("bumper-out", Options(players=3, turn_limit=20), (wish("out by a bumper's discard"),))


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (result.outcome for result in RESULTS)
    yield from (f"line {row.rule}" for row in MELDS)
    yield from (f"line {rule}" for rule in LINES)


GOLDEN = Golden(
    live=KhanhooLive,
    events=EVENTS,
    wanted=WANTED,
    possible=possible,
    plans=plans,
    disputed=Plan("disputed", Options(players=2, turn_limit=10), (wish("line KH-5.1"), wish())),
    fits=always,
    play=play,
    deal_labels=deal_labels,
    game_labels=game_labels,
)
