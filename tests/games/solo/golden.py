"""Solo's golden games: what they must show, and the wishes that make them."""

import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from domain.games.solo.contracts import CONTRACTS, RESULTS
from domain.games.solo.meta import Options
from tests.games.solo.checker import PACK, suit_in, trumps, winner_of
from tests.games.solo.tables import GAMES, SUITS, SoloLive
from tests.golden.course import course_of, dealt
from tests.golden.playing import Choice, Golden, Plan, Served, Wish, by_type, nothing
from tests.support.games import Live

BLACK_QUEENS = {"Qc", "Qs"}
ACES = {"As", "Ah", "Ad", "Ac"}
OUTCOMES = ("made", "failed")
TEMPERS = ("win", "win", "lose", "lose", "random")
EVENTS = (
    "bid-asked",
    "bid-held",
    "bid-passed",
    "queen-shown",
    "contract-declared",
    "card-played",
    "partner-shown",
    "trick-won",
)


def name_of(level: int) -> str:
    """The game of this level."""
    game, color = GAMES[level]
    return f"{game} in {'color' if color else 'suit'}"


WANTED: frozenset[str] = frozenset(
    [
        *(f"{name_of(level)} {outcome}" for level in GAMES for outcome in OUTCOMES),
        *(f"won at level {level}" for level in range(7)),
        "line SO-4.2",
        "declared above the level held",
        "holder went on",
        "asker took over",
        "dealer wins the auction",
        "black queens opened",
        "black queens asked",
        "black queens answered",
        "black queens alone",
        "queen shown in color",
        "queen shown in suit",
        "king called",
        "called card led",
        "partner shown when all was settled",
        "partner won more tricks",
        "black queen not of its suit",
        "stopped after one trick",
        "stopped within a trick",
        "all tricks played",
        *(f"option color {suit}" for suit in SUITS),
        "shared win",
    ]
)


def order_of_turns(dealer: int) -> tuple[int, ...]:
    """From the dealer's left to the dealer."""
    return tuple((dealer + step) % 4 for step in range(1, 5))


def deal_labels(deal: Sequence[Served], _: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    order = order_of_turns(of["cards-dealt"][0]["dealer"])
    score, declaration = of["deal-scored"][0], of["contract-declared"][0]
    yield f"{name_of(declaration['level'])} {score['outcome']}"
    yield from (f"line {line['rule']}" for line in score["lines"])
    yield from _auction(deal, order)
    course = course_of(deal, order)
    trump = declaration["trump"]
    for turn in course.turns:
        void = turn.led and suit_in(turn.led, trump) not in {suit_in(card, trump) for card in turn.hand}
        if void and any(turn.led and queen[1] == turn.led[1] for queen in BLACK_QUEENS & {*turn.hand}):
            yield "black queen not of its suit"
    if len(course.winners) == 1:
        yield "stopped after one trick"
    if len(course.turns) % 4:
        yield "stopped within a trick"
    if len(course.turns) == 32:
        yield "all tricks played"
    called = declaration["called"]
    if called:
        if called[0] == "K":
            yield "king called"
        partner = of["partner-shown"][0]["seat"]
        if deal[-2]["type"] == "partner-shown":
            yield "partner shown when all was settled"
        if course.winners.count(partner) > course.winners.count(declaration["seat"]):
            yield "partner won more tricks"
        if next(turn for turn in course.turns if turn.card == called).led is None:
            yield "called card led"


def _auction(deal: Sequence[Served], order: Sequence[int]) -> Iterator[str]:
    of = by_type(deal)
    declaration = of["contract-declared"][0]
    declarer = declaration["seat"]
    said = [(event["type"], event["public"]) for event in deal if event["type"] in EVENTS[:3]]
    level = max((public["level"] for kind, public in said if kind != "bid-passed"), default=0)
    yield f"won at level {level}"
    if level and declaration["level"] > level:
        yield "declared above the level held"
    if level and declarer == order[3]:
        yield "dealer wins the auction"
    if "queen-shown" in of:
        yield "queen shown in color" if declaration["level"] == 2 else "queen shown in suit"
    asked = 0
    for kind, public in said:
        both = {*dealt(deal, public["seat"])} >= BLACK_QUEENS
        if kind == "bid-held":
            yield "holder went on"
            yield from ("black queens answered",) if both and public["level"] <= 3 else ()
        if kind == "bid-asked":
            yield from ("black queens asked" if asked else "black queens opened",) if both and asked < 3 else ()
            asked = public["level"]
    for (kind, public), (answer, _) in pairwise(said):
        if (kind, answer) == ("bid-asked", "bid-passed") and public["level"] > 1:
            yield "asker took over"
    if {*dealt(deal, declarer)} >= BLACK_QUEENS and level <= 3 <= declaration["level"]:
        yield "black queens alone"


class Deal(Wish, frozen=True, kw_only=True):
    """A deal in which the game of this level is declared."""

    level: int
    wild: bool = False
    """Whether others ask and hold too."""
    shown: bool = False
    """Whether all are to pass."""
    queens: bool = False
    """Whether one hand is to hold both black queens."""
    king: bool = False
    """Whether declarer is to hold all aces."""


def wish(
    level: int, *shows: str, wild: bool = False, shown: bool = False, queens: bool = False, king: bool = False
) -> Deal:
    """A deal with a game of this level that shows all this."""
    return Deal(frozenset(shows), level=level, wild=wild, shown=shown, queens=queens, king=king)


def able(live: Live, wished: Deal) -> list[int]:
    """Who may be declarer as wished for."""
    hands = {seat: {*live.hand(seat)} for seat in live.seats}
    both = [seat for seat in live.seats if hands[seat] >= BLACK_QUEENS]
    if wished.shown:
        return [] if both else [seat for seat in live.seats if "Qc" in hands[seat]]
    if wished.queens:
        return both
    if both and wished.level <= 3:
        return []
    if wished.level > 4 and f"{name_of(wished.level)} made" in wished.shows:
        suits = [suit for suit in SUITS if (suit == live.table.options.color) == GAMES[wished.level][1]]
        best = {seat: max(len(hands[seat] & {*trumps(suit)}) for suit in suits) for seat in live.seats}
        return [seat for seat in live.seats if best[seat] > 5 and "Qc" in hands[seat]]
    return [seat for seat in live.seats if (hands[seat] >= ACES or not wished.king) and seat not in both]


def fits(live: Live, wished: Deal) -> bool:
    """Whether the cards dealt allow it."""
    return bool(able(live, wished))


def play(live: Live, wished: Deal, rng: random.Random) -> bool:
    """Plays one deal of the wished game, as far as the cards allow."""
    scored = live.table.scored
    declarer = rng.choice(able(live, wished))
    while live.phase == "auction":
        seat, types = live.turn, live.types(live.turn)
        question = live.table.deal_state.common.auction.question
        wants = not wished.shown and (
            seat == declarer or (wished.wild and question < wished.level and rng.random() < 0.8)
        )
        if wants and question > wished.level:
            return False
        live.do("pass" if "pass" in types and not wants else next(iter(types - {"pass"})))
    held = live.table.deal_state
    if declarer != (held.commitment if live.phase == "play" else held).declarer:
        return False
    tempers = {seat: rng.choice(TEMPERS) for seat in live.seats}
    if live.phase == "declaration" and not declare(live, wished, declarer, rng):
        return False
    while live.table.scored == scored:
        play_card(live, tempers[live.turn], rng)
    return True


def declare(live: Live, wished: Deal, declarer: int, rng: random.Random) -> bool:
    """Declares the game wished for, as far as the cards allow."""
    (game, in_color), color = GAMES[wished.level], live.table.options.color
    fields = [one for one in live.offered(declarer, "declare") if game in one["game"]["one_of"]]
    suits = [trump for one in fields for trump in one["trump"]["one_of"] if (trump == color) == in_color]
    if not suits:
        return False
    trump = max(suits, key=lambda suit: (sum(card in trumps(suit) for card in live.hand(declarer)), rng.random()))
    live.do("declare", game=game, trump=trump, called=rng.choice(fields[0]["called"]["one_of"]))
    return True


def play_card(live: Live, temper: str, rng: random.Random) -> None:
    """Plays the card that the temper chooses."""
    seat, trump = live.turn, live.table.deal_state.commitment.trump
    (fields,) = live.offered(seat, "play")
    trick = [(played.seat, played.card) for played in live.table.deal_state.tricks.trick]

    def strength(card: str) -> tuple[bool, int]:
        suit = suit_in(card, trump)
        ranking = trumps(trump) if suit == trump else [each for each in PACK if suit_in(each, trump) == suit]
        return suit == trump, -ranking.index(card)

    choice = Choice(seat, list(fields["card"]["one_of"]), trick, strength, lambda trick: winner_of(trick, trump))
    live.do("play", card=choice.by(temper, rng))


def plans() -> Iterator[Plan]:
    """The games by name: every game with every outcome under every color, and what else there is to show."""
    lower = [wish(level, f"{name_of(level)} {outcome}") for level in range(1, 5) for outcome in OUTCOMES]
    touts = [wish(level, f"{name_of(level)} {outcome}") for outcome in OUTCOMES for level in (5, 6)]
    clubs, spades, hearts, diamonds = (Options(color=color) for color in ("c", "s", "h", "d"))
    yield Plan("outcomes-1", clubs, (touts[0], *lower[:3]))
    yield Plan("outcomes-2", spades, (touts[1], *lower[3:6]))
    yield Plan("outcomes-3", hearts, (*lower[6:], *touts[2:]))
    yield Plan(
        "black-queens",
        clubs,
        (
            wish(3, "black queens opened", "black queens alone", queens=True),
            wish(4, "black queens asked", queens=True, wild=True),
            wish(5, "black queens answered", queens=True, wild=True),
            wish(1, "simple in suit made"),
        ),
    )
    yield Plan(
        "levels-1",
        diamonds,
        (
            wish(2, "won at level 2", "dealer wins the auction", wild=True),
            wish(3, "won at level 3", "holder went on", wild=True),
            wish(4, "won at level 4", "asker took over", wild=True),
            wish(6, "declared above the level held", "tout in color failed"),
        ),
    )
    yield Plan(
        "levels-2",
        spades,
        (
            wish(5, "won at level 5", wild=True),
            wish(6, "won at level 6", wild=True),
            wish(5, "stopped after one trick"),
            wish(1, "all tricks played"),
        ),
    )
    yield Plan(
        "queen-shown",
        clubs,
        (
            wish(1, "queen shown in suit", shown=True),
            wish(2, "queen shown in color", shown=True),
            wish(2, "partner shown when all was settled"),
            wish(1, "partner won more tricks", "simple in suit made"),
        ),
    )
    yield Plan(
        "king-called",
        hearts,
        (
            wish(1, "king called", king=True),
            wish(3, "black queen not of its suit"),
            wish(2, "stopped within a trick"),
            wish(1, "called card led"),
        ),
    )
    yield Plan("shared", clubs, (wish(1), wish(2), wish(1), wish(2)), frozenset({"shared win"}))


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (f"line {result.rule}" for result in RESULTS)
    yield from (f"{name_of(level)} {result.outcome}" for level in CONTRACTS for result in RESULTS)


GOLDEN = Golden(
    live=SoloLive,
    events=EVENTS,
    wanted=WANTED,
    possible=possible,
    plans=plans,
    disputed=Plan("disputed", Options(), (wish(1), wish(3), wish(2), wish(6, "tout in color failed"))),
    fits=fits,
    play=play,
    deal_labels=deal_labels,
    game_labels=nothing,
)
