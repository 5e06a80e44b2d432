"""The independent checker finds nothing wrong with what the domain records, and finds what is altered."""

import copy

from tests.games.checking import CheckerTests, deals, drawn_from_below, revoked, stopped_too_soon
from tests.games.crocodile.checker import CONTRACTS, SORTED_PACK
from tests.games.crocodile.habits import HABITS, OPTION_SETS
from tests.support.altering import alter, forge, leaves
from tests.support.checker import violations
from tests.support.for_each import for_each
from tests.support.picking import repeatable
from tests.support.recording import Envelope, game

SEEDS = range(6)
VALUES = (SORTED_PACK, CONTRACTS, (None, "s", "cuatro"))


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


@for_each("seed", SEEDS)
def test_any_value_altered_is_found(seed: int) -> None:
    rng = repeatable(seed)
    events = game(seed)
    for _ in range(25):
        altered = list(events)
        place = rng.randrange(len(events))
        altered[place] = event = copy.deepcopy(events[place])
        alter(event, rng.choice([path for path in leaves(event) if path != ("position",)]), VALUES, rng)
        assert violations(altered)


@for_each("seed", SEEDS)
def test_an_event_left_out_doubled_or_moved_and_not_hashed_anew_is_found(seed: int) -> None:
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
    "casco-taken": ("discarded", "taken"),
    "priority-offered": ("to",),
    "cards-exchanged": ("count", "drawn"),
}
"""What follows from the rules, the seeds and the players' choices: any other value is wrong."""


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


def face_up_card_of_another(events: list[Envelope]) -> bool:
    for event in events:
        if event["type"] == "cards-exchanged" and event["public"]["taken"]:
            laid = next(e for e in events if e["type"] == "casco-laid" and e["deal"] == event["deal"])
            event["public"]["taken"] = [next(card for card in SORTED_PACK if card not in laid["public"]["cards"])]
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


def revoke(events: list[Envelope]) -> bool:
    """A player who followed suit plays a card of another suit, and the first card in its place."""
    return any(revoked(events, deal, players=3) for deal in deals(events))


class TestChecker(CheckerTests):
    habits = HABITS
    facts = FACTS
    values = VALUES
    rewritten = SEEDS
    moved = SEEDS
    breaches = (
        (another_dealer, "CR-1.3"),
        (first_bid_repeated, "CR-4.3"),
        (raise_by_rank_only, "CR-6.1"),
        (trump_left_out, "CR-6.2"),
        (bonus_with_nolo, "CR-10.1"),
        (fifth_card_of_nolo, "CR-7.1"),
        (drawn_from_below, "CR-7.1"),
        (face_up_card_of_another, "CR-7.7"),
        (revoke, "CR-8"),
        (stopped_too_soon, "deal-scored comes where card-played should"),
        (concession_after_a_card, "CR-9.11"),
        (talk_out_of_place, "CR-10.7"),
    )
