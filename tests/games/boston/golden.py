"""Boston's golden games: what they must show, and the wishes that make them."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from domain.games.boston.contracts import CONTRACTS as ROWS
from domain.games.boston.contracts import RESULTS
from domain.games.boston.meta import Options
from tests.games.boston.checker import FOUR_ACES, LADDER, SUPPORTED, TRICKS, WITHOUT_TRUMPS, Played, goal_of, worth
from tests.games.boston.tables import ACES, RANKS, SUITS, BostonLive
from tests.golden.course import Course, course_of
from tests.golden.playing import Choice, Golden, Plan, Served, Wish, by_type, nothing
from tests.support.checker.record import following, taker
from tests.support.games import Live

TEMPERS = ("win", "win", "lose", "random")
EVENTS = (
    "bid-made",
    "bid-passed",
    "played-alone",
    "support-called",
    "support-answered",
    "card-put-down",
    "hand-exposed",
    "card-played",
    "trick-won",
)

ALLIED = ("both-made", "both-failed", "declarer-failed", "supporter-failed")
RULES = ("BO-7.5", "BO-8.1", "BO-8.2", "BO-8.3")

ALLIED_OUTCOMES: Mapping[str, Sequence[str]] = {
    "five": ("failed", "both-made", "declarer-failed", "supporter-failed"),
    "six": ("made", "both-failed", "declarer-failed", "supporter-failed"),
    "seven": ("made", "both-made", "both-failed", "declarer-failed"),
    "eight": ("failed", "both-made", "both-failed", "supporter-failed"),
}
"""The outcomes of contracts with a supporter, or with none who accepted, that no other game shows."""

WANTED: frozenset[str] = frozenset(
    [
        *(f"{contract} reached" for contract in LADDER),
        *(f"{contract} missed" for contract in LADDER),
        *(f"{contract} {outcome}" for contract in ALLIED_OUTCOMES for outcome in ("made", "failed", *ALLIED)),
        *("made", "failed", *ALLIED, "thrown-in"),
        *(f"line {rule}" for rule in RULES),
        *(f"bid in {suit}" for suit in SUITS),
        "outbid in a higher suit",
        "outbid by a misère",
        "fourth speaks last",
        "ended at once",
        "aces shown and outbid",
        "all declined",
        "third accepted",
        "no answer but the first",
        "three honours",
        "four honours",
        "half a point",
        "suit broken",
        "suit broken again",
        "stopped after one trick",
        "twelve tricks",
        "all tricks played",
        "option five_base 3",
        "option five_base 4",
        "option piccolissimo true",
        "option piccolissimo false",
        "option four_ace_revoke once",
        "option four_ace_revoke free",
    ]
)


def order_of_turns(dealer: int) -> tuple[int, ...]:
    """From the dealer's left to the dealer."""
    return tuple((dealer + step) % 4 for step in range(1, 5))


class Auction(NamedTuple):
    """What was said, in order, contract and suit null for a pass; and who has won with what, if anybody."""

    said: list[tuple[int, str | None, str | None]]
    won: tuple[int, str, str] | None


def auction_of(deal: Sequence[Served]) -> Auction:
    """The deal's auction."""
    said, won = [], None
    for event in deal:
        public = event["public"]
        if event["type"] == "bid-made":
            won = public["seat"], public["contract"], public["suit"]
            said.append(won)
        if event["type"] == "bid-passed":
            said.append((public["seat"], None, None))
    return Auction(said, won)


def breaks(course: Course) -> list[int]:
    """The tricks, from 1, to which another suit was played while the suit led was held."""
    turns = enumerate(course.turns)
    return [place // 4 + 1 for place, turn in turns if turn.card not in following(turn.hand, turn.led)]


def honours(course: Course, seat: int, suit: str) -> int:
    """How many honours the seat has played."""
    return sum(turn.seat == seat and turn.card[0] in "AKQJ" and turn.card[1] == suit for turn in course.turns)


def deal_labels(deal: Sequence[Served], options: dict[str, Any]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(deal)
    score, auction = of["deal-scored"][0], auction_of(deal)
    yield score["outcome"]
    yield from (f"line {line['rule']}" for line in score["lines"])
    yield from _auction(auction)
    if auction.won is None:
        return
    declarer, contract, suit = auction.won
    reached = score["outcome"] in ("made", "both-made", "supporter-failed")
    yield f"{contract} {'reached' if reached else 'missed'}"
    if contract in ALLIED_OUTCOMES:
        yield f"{contract} {score['outcome']}"
    answers = [public["accepted"] for public in of.get("support-answered", ())]
    if answers == [False, False, False]:
        yield "all declined"
    if answers == [False, False, True]:
        yield "third accepted"
    if answers == [True]:
        yield "no answer but the first"
    course = course_of(deal, order_of_turns(deal[0]["public"]["dealer"]))
    if contract in TRICKS:
        number = max(honours(course, seat, suit) for seat in (declarer, score["supporter"]) if seat is not None)
        yield from ("three honours",) if number == 3 else ("four honours",) if number == 4 else ()
        if score["outcome"] in ALLIED:
            dues = _dues(course, score, options)
            if any(sum(part) % 2 for part in dues):
                yield "half a point"
    broken = breaks(course)
    if broken:
        yield "suit broken again" if len(broken) > 1 else "suit broken"
    if len(course.winners) == 1:
        yield "stopped after one trick"
    if len(course.winners) == 12:
        yield "twelve tricks"
    if len(course.winners) == 13:
        yield "all tricks played"


def _dues(course: Course, score: Mapping[str, Any], options: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """The values that are halved: each alone, or both together."""
    contract, suit = score["contract"], score["suit"]
    goals = (goal_of(contract), SUPPORTED[contract])
    values = tuple(
        worth(contract, suit, goal, _did(course, seat, suit), options["five_base"])
        for seat, goal in zip((score["declarer"], score["supporter"]), goals, strict=True)
    )
    return [values] if score["outcome"] in ("declarer-failed", "supporter-failed") else [(value,) for value in values]


def _did(course: Course, seat: int, suit: str) -> Played:
    return Played(course.winners.count(seat), honours(course, seat, suit))


def _auction(auction: Auction) -> Iterator[str]:
    if auction.won is None:
        return
    yield f"bid in {auction.won[2]}"
    bids = [(contract, suit) for _, contract, suit in auction.said if contract is not None and suit is not None]
    for (before, lower), (after, higher) in pairwise(bids):
        if before == after and SUITS.index(higher) > SUITS.index(lower):
            yield "outbid in a higher suit"
        if before in TRICKS and after not in TRICKS and "misere" in after:
            yield "outbid by a misère"
        if before == FOUR_ACES and after != before:
            yield "aces shown and outbid"
    if len(bids) == 1 and len(auction.said) == 4 and auction.said[3][1] is not None:
        yield "fourth speaks last"
    if auction.said[-1][1] == "boston-ouvert" and len(auction.said) < 4:
        yield "ended at once"


class Deal(Wish, frozen=True, kw_only=True):
    """A deal in which this contract is played, or none."""

    contract: str | None
    supported: bool = False
    tempers: tuple[str, str, str] | None = None
    """How declarer, the supporter and the others play; null for anyhow."""
    rising: tuple[str, ...] = ()
    """What the others bid before declarer."""
    suit: str | None = None
    last: bool = False
    """Whether the dealer is to be declarer."""
    answers: tuple[bool, ...] = (True,)


def wish(contract: str | None, *shows: str, **how: Any) -> Deal:
    """A deal in which this contract is played and that shows all this."""
    return Deal(frozenset(shows), contract=contract, **how)


def reach(contract: str, *shows: str, **how: Any) -> Deal:
    """A deal in which all play so that declarer reaches the aim."""
    wins = contract not in WITHOUT_TRUMPS
    tempers = ("win", "random", "lose") if wins else ("lose", "win", "win")
    return wish(contract, f"{contract} reached", *shows, tempers=tempers, **how)


def miss(contract: str, *shows: str, **how: Any) -> Deal:
    """A deal in which declarer misses the aim."""
    wins = contract not in WITHOUT_TRUMPS
    tempers = ("random", "random", "win") if wins else ("win", "lose", "lose")
    return wish(contract, f"{contract} missed", *shows, tempers=tempers, **how)


TEMPERS_FOR: Mapping[str, tuple[str, str, str]] = {
    "made": ("win", "random", "lose"),
    "failed": ("random", "random", "win"),
    "both-made": ("win", "win", "lose"),
    "both-failed": ("lose", "lose", "win"),
    "supporter-failed": ("win", "lose", "random"),
    "declarer-failed": ("lose", "win", "random"),
}
"""How declarer, the supporter and the others play for it."""


def allied(contract: str, outcome: str) -> Deal:
    """A deal in which a contract that may have a supporter comes out so."""
    reached = "reached" if outcome in ("made", "both-made", "supporter-failed") else "missed"
    shows = (outcome, f"{contract} {reached}", f"{contract} {outcome}")
    return wish(contract, *shows, supported=outcome in ALLIED, tempers=TEMPERS_FOR[outcome])


def best_suit(hand: Sequence[str]) -> str:
    """The longest suit, of several the one with the highest cards."""
    return max(SUITS, key=lambda suit: sum(20 - RANKS.index(card[0]) for card in hand if card[1] == suit))


def strength(hand: Sequence[str]) -> int:
    """How good the hand is for winning tricks."""
    long = sum(card[1] == best_suit(hand) for card in hand)
    return sum(max(0, 4 - RANKS.index(card[0])) for card in hand) + 3 * max(0, long - 4)


def able(live: Live, wished: Deal) -> list[int]:
    """Who may be declarer as wished for, the best first."""
    seats = [seat for seat in live.seats if not wished.last or seat == live.table.standing.dealer]
    hands = {seat: live.hand(seat) for seat in live.seats}
    if wished.contract == FOUR_ACES or FOUR_ACES in wished.rising:
        holding = [seat for seat in live.seats if {*ACES} <= {*hands[seat]}]
        if FOUR_ACES in wished.rising:
            return [seat for seat in seats if holding and seat != holding[0]]
        return [seat for seat in seats if seat in holding]
    wants = wished.contract not in WITHOUT_TRUMPS or f"{wished.contract} missed" in wished.shows
    return sorted(seats, key=lambda seat: strength(hands[seat]), reverse=wants)


def fits(live: Live, wished: Deal) -> bool:
    """Whether the cards dealt allow it."""
    candidates = able(live, wished)
    if not candidates:
        return False
    best = strength(live.hand(candidates[0]))
    least = {"eleven": 14, "twelve": 16, "boston": 20, "boston-ouvert": 20}.get(wished.contract or "", 0)
    if f"{wished.contract} reached" in wished.shows and best < least:
        return False
    if {"three honours", "four honours"} & wished.shows:
        hand = live.hand(candidates[0])
        suit = best_suit(hand)
        number = sum(card[1] == suit and card[0] in "AKQJ" for card in hand)
        return number == (3 if "three honours" in wished.shows else 4)
    return True


def play(live: Live, wished: Deal, rng: random.Random) -> bool:
    """Plays one deal of the wished contract, as far as the cards allow."""
    scored = live.table.scored
    declarer = able(live, wished)[0]
    if not bid(live, wished, declarer, rng):
        return False
    if wished.contract is None:
        return True
    if live.phase == "support":
        live.do("call" if wished.supported else "play-alone")
    answers = iter(wished.answers)
    while live.phase == "answer":
        live.do("answer", accept=next(answers))
    if live.phase == "discard":
        (fields,) = live.offered(declarer, "put-down")
        live.do("put-down", card=min(fields["card"]["one_of"], key=lambda card: RANKS.index(card[0])))
    supporter = live.table.deal_state.commitment.supporter
    mine, allied, others = wished.tempers or tuple(rng.choice(TEMPERS) for _ in range(3))
    tempers = {seat: mine if seat == declarer else allied if seat == supporter else others for seat in live.seats}
    while live.table.scored == scored:
        play_card(live, declarer, tempers[live.turn], rng)
    return True


def bid(live: Live, wished: Deal, declarer: int, rng: random.Random) -> bool:
    """The auction, in which declarer comes to the contract as wished for."""
    rising, scored = list(wished.rising), live.table.scored
    while live.phase == "auction" and live.table.scored == scored:
        seat = live.turn
        bids = [
            (contract, suit)
            for fields in live.offered(seat, "bid")
            for contract in fields["contract"]["one_of"]
            for suit in fields["suit"]["one_of"]
        ]
        if wished.contract is None:
            live.do("pass")
        elif seat != declarer and rising and any(contract == rising[0] for contract, _ in bids):
            contract = rising.pop(0)
            live.do("bid", contract=contract, suit=min((s for c, s in bids if c == contract), key=SUITS.index))
        elif seat == declarer and not rising:
            suits = [suit for contract, suit in bids if contract == wished.contract]
            suit = wished.suit or best_suit(live.hand(seat))
            if not suits:
                return False
            live.do("bid", contract=wished.contract, suit=suit if suit in suits else rng.choice(suits))
        else:
            live.do("pass")
    won = getattr(live.table.deal_state, "commitment", None)
    return wished.contract is None or (won is not None and won.declarer == declarer)


def play_card(live: Live, declarer: int, temper: str, rng: random.Random) -> None:
    """Plays the card that the temper chooses."""
    seat, state = live.turn, live.table.deal_state
    trump = state.commitment.trump
    trick = [(one.seat, one.card) for one in state.tricks.trick]
    cards = [card for fields in live.offered(seat, "play") for card in fields["card"]["one_of"]]

    def power(card: str) -> tuple[bool, int]:
        return card[1] == trump, -RANKS.index(card[0])

    if state.commitment.bid.contract.contract == FOUR_ACES and temper == ("lose" if seat == declarer else "win"):
        live.do("play", card=helping(live, declarer, cards, rng))
        return
    choice = Choice(seat, cards, trick, power, lambda trick: taker(trick, trump))
    live.do("play", card=choice.by(temper, rng))


def helping(live: Live, declarer: int, cards: Sequence[str], rng: random.Random) -> str:
    """The card by which a Four-ace misère is rather made: declarer gets rid of aces, the others help."""
    trick = [one.card for one in live.table.deal_state.tricks.trick]
    hand, seat = live.hand(declarer), live.turn

    def height(card: str) -> int:
        return -RANKS.index(card[0])

    if seat == declarer:
        losing = [card for card in cards if trick and (card[1] != trick[0][1] or height(card) < _top(trick))]
        away = [card for card in losing if card[1] != trick[0][1]] if trick else []
        lengths = Counter(card[1] for card in hand)
        best = max(away, key=lambda card: (height(card), -lengths[card[1]])) if away else None
        return best or max(losing, key=height, default=min(cards, key=height))
    if trick:
        return max(cards, key=lambda card: (card[1] == trick[0][1], height(card)))

    def safe(card: str) -> tuple[int, float]:
        own = sorted(height(one) for one in hand if one[1] == card[1])
        ducks = [one for one in own if one < height(card)]
        return (2 if not own else 1 if ducks else 0, rng.random() + height(card) / 20)

    return max(cards, key=safe)


def _top(trick: Sequence[str]) -> int:
    return max(-RANKS.index(card[0]) for card in trick if card[1] == trick[0][1])


def plans() -> Iterator[Plan]:
    """The games by name: every contract reached and missed, every outcome, every option, and what else there is."""
    plain = Options()
    wide = Options(five_base=4, piccolissimo=True, four_ace_revoke="free")
    yield Plan(
        "supported-1",
        plain,
        (
            reach("five", "made", "three honours"),
            wish("five", "both-failed", "five missed", "no answer but the first", "half a point", supported=True),
            wish("six", "both-made", "six reached", "third accepted", supported=True, answers=(False, False, True)),
            miss("six", "failed", "all declined", supported=True, answers=(False, False, False)),
        ),
    )
    yield Plan(
        "supported-2",
        wide,
        (
            wish("seven", "supporter-failed", "seven reached", supported=True),
            miss("seven", "failed"),
            reach("eight", "made"),
            wish("eight", "declarer-failed", "eight missed", supported=True),
        ),
    )
    for contract, outcomes in ALLIED_OUTCOMES.items():
        yield Plan(f"supported-{contract}", plain, tuple(allied(contract, outcome) for outcome in outcomes))
    yield Plan(
        "counted-1",
        plain,
        (reach("nine", "four honours"), miss("nine"), reach("ten"), miss("ten", rising=("five", "petite-misere"))),
    )
    yield Plan("counted-2", plain, (reach("eleven"), miss("eleven"), reach("twelve"), miss("twelve")))
    yield Plan(
        "miseres-1",
        wide,
        (reach("petite-misere"), miss("petite-misere"), reach("piccolissimo"), miss("piccolissimo")),
    )
    yield Plan(
        "miseres-2",
        plain,
        (
            reach("grande-misere"),
            miss("grande-misere", "stopped after one trick"),
            reach("petite-misere-ouverte"),
            miss("petite-misere-ouverte", "outbid by a misère", rising=("five",)),
        ),
    )
    yield Plan(
        "miseres-3",
        plain,
        (
            reach("grande-misere-ouverte"),
            miss("grande-misere-ouverte", "fourth speaks last", last=True),
            wish(None, "thrown-in"),
            miss("boston"),
        ),
    )
    yield Plan(
        "four-aces-once",
        plain,
        (reach(FOUR_ACES, "suit broken"), wish(None), miss("boston"), miss("boston-ouvert", "ended at once", suit="h")),
    )
    yield Plan(
        "four-aces-free",
        Options(four_ace_revoke="free"),
        (
            wish(FOUR_ACES, f"{FOUR_ACES} reached", "suit broken again", tempers=("lose", "win", "win")),
            *[wish(None)] * 3,
        ),
    )
    yield Plan(
        "four-aces-missed",
        plain,
        (miss(FOUR_ACES), wish(None), *[miss("boston")] * 2),
    )
    yield Plan(
        "four-aces-outbid",
        plain,
        (miss("boston", "aces shown and outbid", rising=(FOUR_ACES,)), wish(None), *[miss("boston")] * 2),
    )
    yield Plan(
        "boston",
        Options(five_base=4),
        (
            reach("boston"),
            miss("boston", "bid in s", suit="s"),
            miss("boston", "bid in c", suit="c"),
            miss("boston", "bid in d", "outbid in a higher suit", suit="d", rising=("boston",)),
        ),
    )
    yield Plan(
        "boston-ouvert", plain, (reach("boston-ouvert"), miss("boston", "bid in h", suit="h"), *[wish(None)] * 2)
    )


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (f"line {result.rule}" for result in RESULTS if result.declarer is not None)
    yield from (result.outcome for result in RESULTS)
    yield from (f"{contract} {how}" for contract in ROWS for how in ("reached", "missed"))


GOLDEN = Golden(
    live=BostonLive,
    events=EVENTS,
    wanted=WANTED,
    possible=possible,
    plans=plans,
    disputed=Plan("disputed", Options(), (miss("boston"), miss("grande-misere"), wish(None), miss("boston-ouvert"))),
    fits=fits,
    play=play,
    deal_labels=deal_labels,
    game_labels=nothing,
    seldom=("four-aces-free", "four-aces-once"),
)
