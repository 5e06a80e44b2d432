"""The independent checker finds nothing wrong with what the domain records, and finds what is altered."""

import copy

from tests.games.checking import (
    CheckerTests,
    drawn_from_below,
    first,
    hand_of,
    needs,
    of_type,
    revoked,
    stopped_too_soon,
)
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


def first_bid_repeated(events: list[Envelope], deal: list[int]) -> None:
    bids = [events[place]["public"] for place in of_type(events, deal, "bid-made")]
    needs(len(bids) > 1 and events[deal[0]]["deal"] == 1)
    bids[1]["contract"] = bids[0]["contract"]


def declaration_of(events: list[Envelope], deal: list[int], contract: str) -> int:
    """The place where this contract is declared. Raises NoOccasion."""
    return first(events, deal, "contract-declared", lambda public: public["contract"] == contract)


def raise_by_rank_only(events: list[Envelope], deal: list[int]) -> None:
    place = declaration_of(events, deal, "play")
    needs(events[place - 1]["type"] in ("bid-made", "bid-passed"))
    events[place]["public"] |= {"contract": "grand", "trump": None}


def bonus_with_nolo(events: list[Envelope], deal: list[int]) -> None:
    events[declaration_of(events, deal, "nolo")]["public"]["bonus"] = "cuatro"


def trump_left_out(events: list[Envelope], deal: list[int]) -> None:
    events[declaration_of(events, deal, "solo")]["public"]["trump"] = None


def fifth_card_of_nolo(events: list[Envelope], deal: list[int]) -> None:
    """The declarer of an exchange nolo is made to exchange more cards than four."""
    exchanged = events[declaration_of(events, deal, "exchange-nolo") + 1]
    seat = exchanged["public"]["seat"]
    exchanged["public"]["count"] = 5
    data = exchanged["sealed"][f"seat:{seat}"]["data"]
    data["discarded"] = sorted(hand_of(events, deal, seat)[:5], key=SORTED_PACK.index)
    data["drawn"] = events[deal[0]]["sealed"]["house"]["data"]["talon"][:5]


def face_up_card_of_another(events: list[Envelope], deal: list[int]) -> None:
    public = events[first(events, deal, "cards-exchanged", lambda public: public["taken"])]["public"]
    laid = events[first(events, deal, "casco-laid")]["public"]["cards"]
    public["taken"] = [next(card for card in SORTED_PACK if card not in laid)]


def concession_after_a_card(events: list[Envelope], deal: list[int]) -> None:
    seat = events[first(events, deal, "contract-declared")]["public"]["seat"]
    own = [place for place in of_type(events, deal, "card-played") if events[place]["public"]["seat"] == seat]
    before_another = [place for place in own if events[place + 1]["type"] == "card-played"]
    needs(before_another)
    place = before_another[0]
    events.insert(place + 1, copy.deepcopy(events[place]) | {"type": "deal-conceded", "public": {"seat": seat}})


def talk_out_of_place(events: list[Envelope], deal: list[int]) -> None:
    needs(all(event["type"] != "table-talk" for event in events))
    place = first(events, deal, "card-played")
    said = copy.deepcopy(events[place])
    said |= {"type": "table-talk", "public": {"seat": said["public"]["seat"]}}
    said["sealed"] = {"public": {"data": {"text": "hearts"}, "salt": "00" * 32}}
    events.insert(place, said)


def another_dealer(events: list[Envelope], deal: list[int]) -> None:
    public = events[deal[0]]["public"]
    public["dealer"] = (public["dealer"] + 1) % 3


def revoke(events: list[Envelope], deal: list[int]) -> None:
    """A player who followed suit plays a card of another suit, and the first card in its place."""
    revoked(events, deal, players=3)


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
