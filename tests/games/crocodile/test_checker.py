"""The independent checker finds nothing wrong with what the domain records, and finds what is altered."""

import copy
import random
from collections.abc import Callable
from typing import Any

from tests.games.crocodile.checker import CONTRACTS, SORTED_PACK
from tests.games.crocodile.habits import OPTION_SETS
from tests.support.altering import Path, forge, leaves
from tests.support.checker import violations
from tests.support.checker.shapes import is_hash
from tests.support.for_each import for_each
from tests.support.picking import repeatable
from tests.support.recording import Envelope, game

SEEDS = range(6)


@for_each("options", OPTION_SETS)
@for_each("seed", range(2))
def test_games_of_the_domain_are_intact_under_every_option(options: dict[str, str], seed: int) -> None:
    assert violations(game(1000 + seed, options)) == []


def test_a_long_game_is_intact() -> None:
    assert violations(game(5, deals=99)) == []


def test_forging_alone_changes_nothing() -> None:
    events = game(3)
    assert forge(copy.deepcopy(events)) == events


# Any byte changed


def alter(event: Envelope, path: Path, rng: random.Random) -> None:
    """Puts another value of the same kind at the path."""
    owner: Any = event
    for step in path[:-1]:
        owner = owner[step]
    old = owner[path[-1]]
    owner[path[-1]] = another(old, rng)


def another(old: object, rng: random.Random) -> object:
    match old:
        case None:
            return rng.choice([0, "s", "cuatro"])
        case bool():
            return not old
        case int():
            return old + rng.choice([-1, 1])
        case "":
            return "00"
        case str() if old in SORTED_PACK:
            return rng.choice([card for card in SORTED_PACK if card != old])
        case str() if is_hash(old):
            place = rng.randrange(64)
            return old[:place] + f"{int(old[place], 16) ^ 1:x}" + old[place + 1 :]
        case str() if old in CONTRACTS:
            return rng.choice([name for name in CONTRACTS if name != old])
        case str():
            return old[:-1] + ("x" if old[-1] != "x" else "y")
        case _:
            raise TypeError(f"no leaf: {old!r}")


@for_each("seed", SEEDS)
def test_any_value_altered_is_found(seed: int) -> None:
    rng = repeatable(seed)
    events = game(seed)
    for _ in range(25):
        altered = list(events)
        place = rng.randrange(len(events))
        altered[place] = event = copy.deepcopy(events[place])
        alter(event, rng.choice([path for path in leaves(event) if path != ("position",)]), rng)
        assert violations(altered)


@for_each("seed", SEEDS)
def test_an_event_left_out_doubled_or_moved_is_found(seed: int) -> None:
    rng = repeatable(seed)
    events = game(seed)
    for place in rng.sample(range(1, len(events) - 1), 5):
        assert violations(events[:place] + events[place + 1 :])
        assert violations([*events[:place], events[place], *events[place:]])
        assert violations([*events[:place], events[place + 1], events[place], *events[place + 2 :]])


def test_a_record_that_breaks_off_is_found() -> None:
    events = game(1)
    for end in range(0, len(events), 9):
        assert violations(events[:end])


# The house rewrites what it recorded, hashes and all

FACTS = {
    "table-opened": ("deals", "seed_commitment", "seed"),
    "game-started": ("first_dealer",),
    "cards-dealt": ("deal", "dealer", "card_commitments", "cards", "talon", "seed"),
    "casco-forced": ("seat",),
    "talon-turned": ("card", "trump", "opening"),
    "casco-taken": ("seat", "discarded", "taken"),
    "priority-offered": ("seat", "to"),
    "priority-answered": ("seat",),
    "cards-exchanged": ("seat", "count", "drawn"),
    "hand-exposed": ("seat", "cards"),
    "bid-made": ("seat",),
    "bid-passed": ("seat",),
    "contract-declared": ("seat",),
    "card-played": ("seat",),
    "trick-won": ("seat", "trick"),
    "deal-scored": ("deal", "outcome", "lines", "totals", "seed"),
    "game-finished": ("totals", "winners"),
}
"""What follows from the rules, the seeds and the players' choices: any other value is wrong."""


def facts(event: Envelope) -> list[Path]:
    names = FACTS.get(event["type"], ())
    return [
        path
        for path in leaves(event)
        if (path[0] == "public" and path[1] in names and path[-1] != "text")
        or (path[0] == "sealed" and path[2] == "data" and path[3] in names)
        or path in (("deal",), ("actor",), ("schema",), ("type",))
    ]


@for_each("seed", SEEDS)
def test_a_fact_rewritten_is_found(seed: int) -> None:
    rng = repeatable(seed)
    events = game(100 + seed)
    by_type: dict[str, list[tuple[int, Path]]] = {}
    for place, event in enumerate(events):
        by_type.setdefault(event["type"], []).extend((place, path) for path in facts(event))
    for type_, places in by_type.items():
        for place, path in rng.sample(places, 3):
            altered = [{**event} for event in events]
            altered[place] = copy.deepcopy(events[place])
            alter(altered[place], path, rng)
            assert violations(forge(altered)), (type_, path)


# Players break the rules and the record says so


def at(events: list[Envelope], type_: str) -> int | None:
    return next((place for place, event in enumerate(events) if event["type"] == type_), None)


def first_bid_repeated(events: list[Envelope]) -> bool:
    bids = [event for event in events if event["type"] == "bid-made" and event["deal"] == 1]
    if len(bids) < 2:
        return False
    bids[1]["public"]["contract"] = bids[0]["public"]["contract"]
    return True


def raise_by_rank_only(events: list[Envelope]) -> bool:
    for place, event in enumerate(events):
        if event["type"] == "contract-declared" and event["public"]["contract"] == "play":
            event["public"] |= {"contract": "grand", "trump": None}
            return events[place - 1]["type"] in ("bid-made", "bid-passed")
    return False


def bonus_with_nolo(events: list[Envelope]) -> bool:
    for event in events:
        if event["type"] == "contract-declared" and event["public"]["contract"] == "nolo":
            event["public"]["bonus"] = "cuatro"
            return True
    return False


def trump_left_out(events: list[Envelope]) -> bool:
    for event in events:
        if event["type"] == "contract-declared" and event["public"]["contract"] == "solo":
            event["public"]["trump"] = None
            return True
    return False


def fifth_card_of_nolo(events: list[Envelope]) -> bool:
    """The declarer of an exchange nolo is made to exchange more cards than four."""
    for place, event in enumerate(events):
        if event["type"] == "contract-declared" and event["public"]["contract"] == "exchange-nolo":
            exchanged = events[place + 1]
            seat = exchanged["public"]["seat"]
            dealt = next(e for e in events if e["type"] == "cards-dealt" and e["deal"] == event["deal"])
            hand = [opening["card"] for opening in dealt["sealed"][f"seat:{seat}"]["data"]["cards"]]
            exchanged["public"]["count"] = 5
            data = exchanged["sealed"][f"seat:{seat}"]["data"]
            data["discarded"] = sorted(hand[:5], key=SORTED_PACK.index)
            data["drawn"] = dealt["sealed"]["house"]["data"]["talon"][:5]
            return True
    return False


def draw_from_below(events: list[Envelope]) -> bool:
    for event in events:
        if event["type"] == "cards-exchanged" and event["public"]["count"] > 1:
            data = event["sealed"][f"seat:{event['public']['seat']}"]["data"]
            data["drawn"].reverse()
            return len(data["drawn"]) > 1
    return False


def face_up_card_of_another(events: list[Envelope]) -> bool:
    for event in events:
        if event["type"] == "cards-exchanged" and event["public"]["taken"]:
            laid = next(e for e in events if e["type"] == "casco-laid" and e["deal"] == event["deal"])
            event["public"]["taken"] = [next(card for card in SORTED_PACK if card not in laid["public"]["cards"])]
            return True
    return False


def revoke(events: list[Envelope]) -> bool:
    """A player who followed suit plays a card of another suit, and the first card in its place."""
    played = [place for place, event in enumerate(events) if event["type"] == "card-played"]
    for index in range(len(played) - 3):
        place = played[index]
        lead = next(p for p in reversed(range(place)) if events[p]["type"] != "card-played") + 1
        if lead == place or events[lead]["public"]["card"][1] != events[place]["public"]["card"][1]:
            continue
        for later in played[index + 1 :]:
            mine, its = events[place]["public"], events[later]["public"]
            same_deal = events[later]["deal"] == events[place]["deal"] and its["seat"] == mine["seat"]
            if same_deal and its["card"][1] != mine["card"][1]:
                mine["card"], its["card"] = its["card"], mine["card"]
                return True
    return False


def stopped_too_soon(events: list[Envelope]) -> bool:
    """The score of a deal that was played to its end is put before its last trick."""
    for place, event in enumerate(events):
        if event["type"] == "deal-scored" and events[place - 1]["type"] == "trick-won":
            last = events[place - 4 : place]
            if [each["type"] for each in last] == ["card-played"] * 3 + ["trick-won"]:
                del events[place - 4 : place]
                return True
    return False


def concession_after_a_card(events: list[Envelope]) -> bool:
    for place, event in enumerate(events):
        if event["type"] == "card-played":
            declared = next((e for e in reversed(events[:place]) if e["type"] == "contract-declared"), None)
            if declared is None or declared["deal"] != event["deal"] or events[place + 1]["type"] != "card-played":
                continue
            seat = declared["public"]["seat"]
            if event["public"]["seat"] != seat:
                continue
            conceded = copy.deepcopy(event)
            conceded |= {"type": "deal-conceded", "public": {"seat": seat}}
            events.insert(place + 1, conceded)
            return True
    return False


def talk_out_of_place(events: list[Envelope]) -> bool:
    place = at(events, "card-played")
    if place is None or any(event["type"] == "table-talk" for event in events):
        return False
    said = copy.deepcopy(events[place])
    said |= {"type": "table-talk", "public": {"seat": said["public"]["seat"]}}
    said["sealed"] = {"public": {"data": {"text": "hearts"}, "salt": "00" * 32}}
    events.insert(place, said)
    return True


def another_dealer(events: list[Envelope]) -> bool:
    place = at(events, "cards-dealt")
    assert place is not None
    event = events[place]
    event["public"]["dealer"] = (event["public"]["dealer"] + 1) % 3
    return True


@for_each(
    "breach, rule",
    [
        (another_dealer, "CR-1.3"),
        (first_bid_repeated, "CR-4.3"),
        (raise_by_rank_only, "CR-6.1"),
        (trump_left_out, "CR-6.2"),
        (bonus_with_nolo, "CR-10.1"),
        (fifth_card_of_nolo, "CR-7.1"),
        (draw_from_below, "CR-7.1"),
        (face_up_card_of_another, "CR-7.7"),
        (revoke, "CR-8"),
        (stopped_too_soon, "deal-scored comes where card-played should"),
        (concession_after_a_card, "CR-9.11"),
        (talk_out_of_place, "CR-10.7"),
    ],
)
def test_a_breach_of_the_rules_is_found(breach: Callable[[list[Envelope]], bool], rule: str) -> None:
    occasions = 0
    for seed in range(60):
        events = game(2000 + seed)
        if breach(events):
            occasions += 1
            assert any(rule in violation for violation in violations(forge(events))), violations(forge(events))
        if occasions == 3:
            return
    assert occasions, "no game gave an occasion"
