"""Records the golden games anew: `python -m tests.golden.record`.

Every game is played by picking from offers, with chance that is the same in every run. A deal is tried again, with
players of other temper, until it shows what is wished for; a game whose deals do not yield is tried with another seed.
The games change only when the domain, the wishes or the tempers below do.
"""

import random
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct

from domain.games.crocodile.meta import RANKS, Options
from domain.kernel.event import served
from domain.kernel.ledger import LineAt
from domain.table.actions import CloseTable, LeaveSeat, OpenDispute, RuleDispute, TakeSeat
from tests.golden.labels import (
    CONCEDABLE,
    CONCESSIONS,
    NEGATIVE_OUTCOMES,
    POSITIVE_OUTCOMES,
    WANTED,
    Served,
    deal_labels,
    labels,
)
from tests.property.strategies import OPTIONS
from tests.support.crocodile import BIDS, CONTRACTS, NEGATIVE, POSITIVE, trick_winner
from tests.support.games import OPENER, PLAYERS, Live, chance, pick

GAMES = Path(__file__).parent / "games"
ATTEMPTS = 250
ARBITER = "an arbiter"
TEMPERS = ("win", "win", "lose", "lose", "random")


class Wish(Struct, frozen=True):
    """What a deal is to show."""

    contract: str
    shows: frozenset[str]
    bonus: str | None = None
    bid: str | None = None
    """The bid that wins the auction, if it is raised."""
    concede: str | None = None
    """When declarer concedes."""


def wish(contract: str, *shows: str, bonus: str | None = None, bid: str | None = None) -> Wish:
    """A deal of this contract that shows all this."""
    return Wish(contract, frozenset(shows), bonus, bid)


def played(live: Live) -> list[Served]:
    """The events of the table as served, everything opened."""
    return [cast("Served", msgspec.json.decode(served(record, "house", over=True))) for record in live.records]


def branch(live: Live) -> Live:
    """A table that goes its own way from here."""
    other = object.__new__(Live)
    other.history, other.records, other.events = live.history, list(live.records), list(live.events)
    other.acts = list(live.acts)
    return other


def granted(live: Live, wished: Wish, seed: object) -> Live | None:
    """The table after a deal that shows what is wished for, if some attempt does."""
    for attempt in range(ATTEMPTS):
        rng = chance((seed, attempt))
        tried = branch(live)
        dealing = live.table.deal
        play(tried, wished, rng)
        options = cast("dict[str, str]", msgspec.to_builtins(live.table.options))
        deal = [event for event in played_since(tried, live) if event["deal"] == dealing]
        if wished.shows <= set(deal_labels(deal, options)):
            return tried
    return None


def played_since(live: Live, before: Live) -> list[Served]:
    """The deal's events."""
    start = max(event.version for event in before.events if event.public.TYPE == "cards-dealt")
    return [
        cast("Served", msgspec.json.decode(served(record, "house", over=True))) for record in live.records[start - 1 :]
    ]


def play(live: Live, wished: Wish, rng: random.Random) -> None:
    """Plays one deal of the wished contract."""
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


def moment(live: Live, declarer: int) -> str:
    """At what moment for a concession the table is."""
    if live.phase == "play":
        return "own-card" if live.turn == declarer else "before-own-card"
    if live.phase == "priority":
        return "priority"
    return "after-priority" if live.events[-1].public.TYPE == "priority-answered" else "exchange"


def act(live: Live, wished: Wish, declarer: int, tempers: list[str], rng: random.Random) -> None:
    """One action of whose turn it is."""
    seat = live.turn
    bid = wished.bid or wished.contract
    match live.phase:
        case "auction":
            lower = [name for name in live.offered(seat, "bid")[0]["contract"]["one_of"] if bid in BIDS[1:]]
            lower = [name for name in lower if BIDS.index(name) < BIDS.index(bid)]
            if seat == declarer and wished.contract != "casco":
                live.do("bid", contract=bid)
            elif lower and rng.random() < 0.3 and all(call.bid != bid for call in live.table.play.common.calls):
                live.do("bid", contract=rng.choice(lower))
            else:
                live.do("pass")
        case "declaration":
            named = CONTRACTS[wished.contract].trumps[0] is not None
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


def exchange(live: Live, wished: Wish, temper: str, rng: random.Random) -> None:
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
    commitment = getattr(live.table.play, "commitment", None)
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
    if temper == "random":
        return rng.choice(cards)
    trick = [(played.seat, played.card) for played in live.table.play.trick]
    trump = trump_of(live)
    ranked = [name for name in worst(live, seat, "win") if name in cards]
    winning = [name for name in ranked if trick_winner([*trick, (seat, name)], trump) == seat]
    losing = [name for name in ranked if name not in winning]
    if temper == "win":
        return winning[-1] if winning else ranked[0]
    return losing[-1] if losing else ranked[0]


def wishes() -> Iterator[tuple[str, Options, list[Wish]]]:
    """The games by name: every contract with every outcome, and what else there is to show."""
    always, if_lost = Options(), Options(contraprimeras="if-lost")
    cumulative, face_up = Options(bonus_stacking="cumulative"), Options(casco_stock="face-up")
    plain = [(contract, outcome) for contract in POSITIVE for outcome in POSITIVE_OUTCOMES]
    plain += [(contract, outcome) for contract in NEGATIVE for outcome in NEGATIVE_OUTCOMES]
    deals = [wish(contract, f"{contract} {outcome}") for contract, outcome in plain]
    for number in range(0, len(deals), 3):
        game = [*deals[number : number + 3], *deals[: max(0, number + 3 - len(deals))]]
        yield f"outcomes-{number // 3 + 1:02}", OPTIONS[number // 3 % len(OPTIONS)], game
    yield (
        "concessions-1",
        always,
        [
            Wish(contract, frozenset({f"{contract} conceded", f"conceded {when}"}), "tout", concede=when)
            for contract, when in zip(CONCEDABLE[1:], CONCESSIONS, strict=False)
        ],
    )
    yield (
        "concessions-2",
        face_up,
        [
            Wish("casco", frozenset({"casco conceded", f"conceded {when}"}), concede=when)
            for when in ("exchange", "priority", "own-card")
        ],
    )
    yield (
        "concessions-3",
        always,
        [
            Wish(contract, frozenset({f"{contract} conceded", f"conceded {when}"}), concede=when)
            for contract, when in (("play", "before-own-card"), ("grand", "own-card"), ("casco", "after-priority"))
        ],
    )
    yield (
        "cuatro-and-primeras",
        always,
        [
            wish("tournee", "cuatro made", bonus="cuatro", bid="grand"),
            wish("grand", "cuatro failed", "grand victory", "silent primeras", bonus="cuatro"),
            wish("play", "primeras made", bonus="primeras"),
        ],
    )
    yield (
        "touts",
        always,
        [
            wish("play", "tout made", bonus="tout"),
            wish("solo", "silent primeras beside a failed tout", "solo victory", bonus="tout", bid="play"),
            wish("play", "silent tout"),
        ],
    )
    yield (
        "stacked",
        cumulative,
        [
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
        ],
    )
    yield (
        "if-lost",
        if_lost,
        [
            wish("play", "victory after the opponents' first five"),
            wish("grand", "contraprimeras if-lost with tricks for declarer", "passed over"),
            wish("tournee", "tournee victory", "turn-up left by declarer"),
        ],
    )
    yield (
        "talking",
        always,
        [
            wish("nolo-ouvert", "talking made", bonus="talking", bid="nolo"),
            wish("nolo-ouvert", "talking failed", "nolo-ouvert simple-loss", bonus="talking"),
            wish("nolo-ouvert", "talking failed", "nolo-ouvert contranolo", bonus="talking"),
        ],
    )
    yield (
        "casco-face-up",
        face_up,
        [
            wish("casco", "casco victory", "casco face-up, taken by name", "sans"),
            wish("casco", "casco crocodile-lunch", "passed over"),
            wish("casco", "casco simple-remis", "priority accepted"),
        ],
    )


def recorded(name: str, options: Options, deals: list[Wish]) -> Live:
    """The first game whose deals show what is wished for."""
    for number in count():
        seed = sha256(f"{name} {number}".encode()).digest()
        live: Live | None = Live.started(options=options, seed=seed, entropies=(name.encode(), None, b"\x00\xff"))
        for place, wished in enumerate(deals):
            live = granted(live, wished, (name, number, place)) if live else None
        if live:
            return live
    raise AssertionError("there is always another seed")


def left_and_closed() -> Live:
    """A table that never came to a game."""
    live = Live.opened(deals=99)
    live.command(TakeSeat(PLAYERS[0], 2, b"entropy"))
    live.command(TakeSeat(OPENER))
    live.command(LeaveSeat(PLAYERS[0]))
    live.command(CloseTable(OPENER))
    return live


def disputed() -> Live:
    """A game of which two lines were disputed: one was taken back, the other stayed."""
    deals = [Wish("play", frozenset({"play conceded"}), concede="own-card")] * 3
    live = recorded("disputed", Options(), deals)
    first, second = live.table.booked[:2]
    live.command(OpenDispute(PLAYERS[1], (LineAt(first.version, 0),), None, "Declarer never said so."))
    live.command(RuleDispute(ARBITER, 1, "upheld", "The deal does not count."))
    live.command(OpenDispute(PLAYERS[2], (), second.deal, "And neither should this one."))
    live.command(RuleDispute(ARBITER, 2, "rejected", "The record is clear."))
    return live


def saved(name: str, live: Live) -> set[str]:
    """Writes the game's file, an event a line; answers what it shows."""
    events = played(live)
    header: dict[str, Any] = {
        "name": name,
        "options": events[0]["public"]["options"],
        "outcomes": [event["public"]["outcome"] for event in events if event["type"] == "deal-scored"],
        "totals": list(live.table.totals),
        "winners": None if live.table.winners is None else list(live.table.winners),
    }
    lines = ",\n".join(msgspec.json.encode(event).decode() for event in events)
    text = msgspec.json.encode(header).decode()[:-1]
    (GAMES / f"{name}.json").write_text(f'{text},"events":[\n{lines}\n]}}\n', encoding="utf-8")
    return labels(events)


def main() -> None:
    """Records all games. Fails if together they do not show all that is wanted."""
    GAMES.mkdir(exist_ok=True)
    for old in GAMES.glob("*.json"):
        old.unlink()
    shown = saved("left-and-closed", left_and_closed()) | saved("disputed", disputed())
    for name, options, deals in wishes():
        shown |= saved(name, recorded(name, options, deals))
        sys.stdout.write(f"{name}\n")
        sys.stdout.flush()
    if WANTED - shown:
        sys.exit(f"no game shows: {', '.join(sorted(WANTED - shown))}")


if __name__ == "__main__":
    main()
