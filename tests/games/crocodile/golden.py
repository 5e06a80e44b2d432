"""Crocodile's golden games: what they must show, and the wishes that make them."""

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from domain.games.crocodile.contracts import BONUSES, RESULTS
from domain.games.crocodile.contracts import CONTRACTS as ROWS
from domain.games.crocodile.meta import RANKS, Options
from tests.games.crocodile.checker import BIDS, CONTRACTS, NEGATIVE, POSITIVE, height_of
from tests.games.crocodile.checker import OPTIONS as CHOICES
from tests.golden.playing import Choice, Golden, Plan, Served, Wish, always, by_type, nothing
from tests.support.checker.record import taker
from tests.support.games import Live, pick

OPTIONS = tuple(
    Options(contraprimeras=contraprimeras, bonus_stacking=stacking, casco_stock=stock)  # type: ignore[arg-type] # as named
    for contraprimeras, stacking, stock in product(*CHOICES.values())
)
TEMPERS = ("win", "win", "lose", "lose", "random")
POSITIVE_OUTCOMES = ("contraprimeras", "victory", "simple-remis", "piccolo-remis", "crocodile-lunch")
NEGATIVE_OUTCOMES = ("victory", "simple-loss", "contranolo", "crocodile-lunch")
CONCEDABLE = tuple(name for name, row in CONTRACTS.items() if row["concede"])
SILENT = ("cuatro", "primeras", "tout")
CONCESSIONS = ("exchange", "priority", "after-priority", "before-own-card", "own-card")
EVENTS = (
    "bid-made",
    "bid-passed",
    "casco-forced",
    "contract-declared",
    "talon-turned",
    "casco-taken",
    "casco-laid",
    "priority-offered",
    "priority-answered",
    "cards-exchanged",
    "hand-exposed",
    "card-played",
    "trick-won",
    "deal-conceded",
    "table-talk",
)
LINE_RULES = (*(f"CR-9.{number}" for number in (*range(1, 10), 11)), "CR-10.2", "CR-10.3")

WANTED: frozenset[str] = frozenset(
    [
        *(f"line {rule}" for rule in LINE_RULES),
        *(f"{contract} {outcome}" for contract in POSITIVE for outcome in POSITIVE_OUTCOMES),
        *(f"{contract} {outcome}" for contract in NEGATIVE for outcome in NEGATIVE_OUTCOMES),
        *(f"{contract} conceded" for contract in CONCEDABLE),
        *(f"conceded {moment}" for moment in CONCESSIONS),
        *(f"{bonus} {result}" for bonus in ("talking", "cuatro", "primeras", "tout") for result in ("made", "failed")),
        *(f"silent {bonus}" for bonus in SILENT),
        "bonus failed on a concession",
        "silent primeras beside tout",
        "silent primeras beside a failed tout",
        "silent tout beside primeras",
        "victory after the opponents' first five",
        "contraprimeras if-lost with tricks for declarer",
        "raised",
        "priority accepted",
        "priority refused",
        "turn-up drawn by declarer",
        "turn-up left by declarer",
        "passed over",
        "casco all, taken by name",
        "casco all, drawn unseen",
        "casco face-up, taken by name",
        "sans",
        "shared win",
        "option contraprimeras always",
        "option contraprimeras if-lost",
        "option bonus_stacking exclusive",
        "option bonus_stacking cumulative",
        "option casco_stock all",
        "option casco_stock face-up",
    ]
)


def deal_labels(events: Sequence[Served], options: dict[str, str]) -> Iterator[str]:
    """All that the deal shows."""
    of = by_type(events)
    (score,) = of["deal-scored"]
    declaration = (of.get("contract-declared") or of["casco-laid"])[0]
    contract = declaration.get("contract", "casco")
    declarer = declaration["seat"]
    winners = [won["seat"] for won in of.get("trick-won", [])]
    yield f"{contract} {score['outcome']}"
    texts = [line["text"] for line in score["lines"] if line["seat"] == declarer]
    yield from (f"line {line['rule']}" for line in score["lines"])
    silent = {bonus for bonus in SILENT if any(text.startswith(f"Silent {bonus.title()}") for text in texts)}
    yield from (f"silent {bonus}" for bonus in silent)
    bonus = declaration["bonus"]
    if bonus:
        result = "made" if any(", made: " in text for text in texts) else "failed"
        yield f"{bonus} {result}"
        if result == "failed" and score["outcome"] == "conceded":
            yield "bonus failed on a concession"
        if bonus == "tout" and "primeras" in silent:
            yield "silent primeras beside a failed tout" if result == "failed" else "silent primeras beside tout"
        if bonus == "primeras" and "tout" in silent:
            yield "silent tout beside primeras"
    if {"primeras", "tout"} <= silent:
        yield "silent primeras beside tout"
    if declarer not in winners[:5] and len(winners) >= 5 and CONTRACTS[contract]["positive"]:
        if score["outcome"] == "victory":
            yield "victory after the opponents' first five"
        if options["contraprimeras"] == "if-lost" and declarer in winners:
            yield "contraprimeras if-lost with tricks for declarer"
    yield from _exchange_labels(events, of, declarer, contract, options)


def _exchange_labels(
    events: Sequence[Served], of: dict[str, list[dict[str, Any]]], declarer: int, contract: str, options: dict[str, str]
) -> Iterator[str]:
    bids = of.get("bid-made", [])
    if bids and bids[-1]["contract"] != contract:
        yield "raised"
    for answer in of.get("priority-answered", []):
        yield "priority accepted" if answer["accepted"] else "priority refused"
    exchanges = of.get("cards-exchanged", [])
    if contract == "tournee" and exchanges:
        yield "turn-up drawn by declarer" if exchanges[0]["count"] else "turn-up left by declarer"
    if of.get("card-played") and sum(done["seat"] != declarer for done in exchanges) < 2:
        yield "passed over"
    if contract == "casco":
        if of["casco-laid"][0]["trump"] is None:
            yield "sans"
        if any(done["taken"] for done in exchanges):
            yield f"casco {options['casco_stock']}, taken by name"
        if any(done["count"] > len(done["taken"]) for done in exchanges):
            yield f"casco {options['casco_stock']}, drawn unseen"
    if events[-2]["type"] == "deal-conceded":
        yield f"conceded {_moment(events, of, declarer)}"


def _moment(events: Sequence[Served], of: dict[str, list[dict[str, Any]]], declarer: int) -> str:
    """When declarer conceded."""
    if of.get("card-played") or sum(done["seat"] != declarer for done in of.get("cards-exchanged", [])) == 2:
        turn = (events[0]["public"]["dealer"] + 1 + len(of.get("card-played", []))) % 3
        return "own-card" if turn == declarer else "before-own-card"
    before = events[-3]["type"]
    return {"priority-offered": "priority", "priority-answered": "after-priority"}.get(before, "exchange")


class Deal(Wish, frozen=True, kw_only=True):
    """A deal of this contract."""

    contract: str
    bonus: str | None = None
    bid: str | None = None
    """The bid that wins the auction, if it is raised."""
    concede: str | None = None
    """When declarer concedes."""


def wish(
    contract: str, *shows: str, bonus: str | None = None, bid: str | None = None, concede: str | None = None
) -> Deal:
    """A deal of this contract that shows all this."""
    return Deal(frozenset(shows), contract=contract, bonus=bonus, bid=bid, concede=concede)


def play(live: Live, wished: Deal, rng: random.Random) -> bool:
    """Plays one deal of the wished contract, to its end."""
    scored = live.table.scored
    declarer = (live.table.dealer or 0) + 1 if wished.contract == "casco" else rng.randrange(3)
    declarer %= 3
    tempers = [rng.choice(TEMPERS) for _ in range(3)]
    talk = 0
    while live.table.scored == scored:
        if wished.concede and "concede" in live.types(declarer) and moment(live, declarer) == wished.concede:
            live.act(declarer, "concede")
            continue
        for seat in range(3):
            if "talk" in live.types(seat) and talk < 3 and rng.random() < 0.3:
                live.act(seat, "talk", text=rng.choice(["Low hearts, please.", "Ik heb niets – né?", "王 is out"]))
                talk += 1
        act(live, wished, declarer, tempers, rng)
    return True


def moment(live: Live, declarer: int) -> str:
    """At what moment for a concession the table is."""
    if live.phase == "play":
        return "own-card" if live.turn == declarer else "before-own-card"
    if live.phase == "priority":
        return "priority"
    return "after-priority" if live.events[-1].public.TYPE == "priority-answered" else "exchange"


def act(live: Live, wished: Deal, declarer: int, tempers: list[str], rng: random.Random) -> None:
    """One action of whose turn it is."""
    seat = live.turn
    bid = wished.bid or wished.contract
    match live.phase:
        case "auction":
            lower = [name for name in live.offered(seat, "bid")[0]["contract"]["one_of"] if bid in BIDS[1:]]
            lower = [name for name in lower if BIDS.index(name) < BIDS.index(bid)]
            if seat == declarer and wished.contract != "casco":
                live.do("bid", contract=bid)
            elif lower and rng.random() < 0.3 and all(call.bid != bid for call in live.table.deal_state.common.calls):
                live.do("bid", contract=rng.choice(lower))
            else:
                live.do("pass")
        case "declaration":
            named = CONTRACTS[wished.contract]["trumps"] == "named"
            trump = longest(live, seat) if named else None
            live.do("declare", contract=wished.contract, trump=trump, bonus=wished.bonus)
        case "casco-declaration":
            lay = worst(live, seat, tempers[seat])[:5]
            trump = rng.choice([None, longest(live, seat)])
            live.do("lay-casco", lay=lay, trump=trump, bonus=wished.bonus)
        case "exchange":
            exchange(live, wished, tempers[seat], rng)
        case "play":
            live.do("play", card=card(live, tempers[seat], rng))
        case _:
            live.take(seat, pick(live.offers(seat), rng))


def exchange(live: Live, wished: Deal, temper: str, rng: random.Random) -> None:
    """Exchanges the cards that the temper has least use for, or offers priority."""
    seat = live.turn
    asking = 1.0 if wished.concede in ("priority", "after-priority") else 0.2
    if "offer-priority" in live.types(seat) and rng.random() < asking:
        live.do("offer-priority")
        return
    wire = pick([offer for offer in live.offers(seat) if offer.type == "exchange"], rng)
    if temper != "random":
        wire["discard"] = worst(live, seat, temper)[: len(wire["discard"])]
    live.take(seat, wire)


def trump_of(live: Live) -> str | None:
    """The suit that is trump, once that is known."""
    commitment = getattr(live.table.deal_state, "commitment", None)
    return commitment.trump if commitment else None


def worst(live: Live, seat: int, temper: str) -> list[str]:
    """The seat's cards, those first that it has least use for."""
    trump = trump_of(live)
    cards: list[str] = sorted(live.hand(seat), key=lambda card: (card[1] == trump, -RANKS.index(card[0])))
    return cards[::-1] if temper == "lose" else list(cards)


def longest(live: Live, seat: int) -> str:
    """The seat's longest suit."""
    return max("shdc", key=lambda suit: sum(card[1] == suit for card in live.hand(seat)))


def card(live: Live, temper: str, rng: random.Random) -> str:
    """The card that the temper plays."""
    seat = live.turn
    cards: list[str] = list(live.offered(seat, "play")[0]["card"]["one_of"])
    trick = [(played.seat, played.card) for played in live.table.deal_state.tricks.trick]
    trump = trump_of(live)

    def strength(card: str) -> tuple[bool, int]:
        return card[1] == trump, -RANKS.index(card[0])

    return Choice(seat, cards, trick, strength, lambda trick: taker(trick, trump, power=height_of)).by(temper, rng)


def plans() -> Iterator[Plan]:
    """The games by name: every contract with every outcome, and what else there is to show."""
    always, if_lost = Options(), Options(contraprimeras="if-lost")
    cumulative, face_up = Options(bonus_stacking="cumulative"), Options(casco_stock="face-up")
    plain = [(contract, outcome) for contract in POSITIVE for outcome in POSITIVE_OUTCOMES]
    plain += [(contract, outcome) for contract in NEGATIVE for outcome in NEGATIVE_OUTCOMES]
    wishes = [wish(contract, f"{contract} {outcome}") for contract, outcome in plain]
    for number in range(0, len(wishes), 3):
        game = (*wishes[number : number + 3], *wishes[: max(0, number + 3 - len(wishes))])
        yield Plan(f"outcomes-{number // 3 + 1:02}", OPTIONS[number // 3 % len(OPTIONS)], game)
    yield Plan(
        "concessions-1",
        always,
        tuple(
            wish(contract, f"{contract} conceded", f"conceded {when}", bonus="tout", concede=when)
            for contract, when in zip(CONCEDABLE[1:], CONCESSIONS, strict=False)
        ),
    )
    yield Plan(
        "concessions-2",
        face_up,
        tuple(
            wish("casco", "casco conceded", f"conceded {when}", concede=when)
            for when in ("exchange", "priority", "own-card")
        ),
    )
    yield Plan(
        "concessions-3",
        always,
        tuple(
            wish(contract, f"{contract} conceded", f"conceded {when}", concede=when)
            for contract, when in (("play", "before-own-card"), ("grand", "own-card"), ("casco", "after-priority"))
        ),
    )
    yield Plan(
        "cuatro-and-primeras",
        always,
        (
            wish("tournee", "cuatro made", bonus="cuatro", bid="grand"),
            wish("grand", "cuatro failed", "grand victory", "silent primeras", bonus="cuatro"),
            wish("play", "primeras made", bonus="primeras"),
        ),
    )
    yield Plan(
        "touts",
        always,
        (
            wish("play", "tout made", bonus="tout"),
            wish("solo", "silent primeras beside a failed tout", "solo victory", bonus="tout", bid="play"),
            wish("play", "silent tout"),
        ),
    )
    yield Plan(
        "stacked",
        cumulative,
        (
            wish("play", "silent primeras beside tout"),
            wish("play", "silent tout beside primeras", bonus="primeras"),
            wish(
                "casco",
                "primeras failed",
                "silent cuatro",
                "casco victory",
                "casco all, drawn unseen",
                bonus="primeras",
            ),
        ),
    )
    yield Plan(
        "if-lost",
        if_lost,
        (
            wish("play", "victory after the opponents' first five"),
            wish("grand", "contraprimeras if-lost with tricks for declarer", "passed over"),
            wish("tournee", "tournee victory", "turn-up left by declarer"),
        ),
    )
    yield Plan(
        "talking",
        always,
        (
            wish("nolo-ouvert", "talking made", bonus="talking", bid="nolo"),
            wish("nolo-ouvert", "talking failed", "nolo-ouvert simple-loss", bonus="talking"),
            wish("nolo-ouvert", "talking failed", "nolo-ouvert contranolo", bonus="talking"),
        ),
    )
    yield Plan(
        "casco-face-up",
        face_up,
        (
            wish("casco", "casco victory", "casco face-up, taken by name", "sans"),
            wish("casco", "casco crocodile-lunch", "passed over"),
            wish("casco", "casco simple-remis", "priority accepted"),
        ),
    )


def possible() -> Iterator[str]:
    """What the domain's tables say can happen."""
    yield from (f"line {row.rule}" for row in RESULTS)
    yield from ("line CR-10.2", "line CR-10.3")
    for row in ROWS.values():
        for result in RESULTS:
            if result.positive is row.positive or (result.positive is None and row.concede):
                yield f"{row.contract} {result.outcome}"
    for bonus in BONUSES.values():
        yield from (f"{bonus.bonus} made", f"{bonus.bonus} failed")
        if bonus.silent is not None:
            yield f"silent {bonus.bonus}"


GOLDEN = Golden(
    live=Live,
    events=EVENTS,
    wanted=WANTED,
    possible=possible,
    plans=plans,
    disputed=Plan("disputed", Options(), (wish("play", "play conceded", concede="own-card"),) * 3),
    fits=always,
    play=play,
    deal_labels=deal_labels,
    game_labels=nothing,
)
