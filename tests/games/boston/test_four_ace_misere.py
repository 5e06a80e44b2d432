"""BO-6.4: the private right to break the rule of following suit, and that nobody is told of its use."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import count, cycle
from typing import Any

import pytest

from domain.audit.auditor import audit
from domain.games.boston import BOSTON
from domain.games.boston.acts import has_broken
from domain.games.boston.meta import Options
from domain.kernel.canonical import canonical
from domain.kernel.game import Game
from domain.kernel.rejection import Code
from domain.seats import Seat, seat_audience
from domain.table.actions import Act, Command
from domain.table.seat_offers import offers
from domain.table.state import Table
from domain.table.view import to_act, view
from tests.games.boston.tables import ACES, BostonLive, dealt, nine_tricks, to_declarer, trick
from tests.support.exports import exported, placed, verified
from tests.support.games import EVERYBODY, READER, chance, parsed, pick, step
from tests.support.repetition import times
from tests.support.worlds import Played, Supposing, played, said

ONCE, FREE = Options(), Options(four_ace_revoke="free")

OWN = "As 2s Ah 2h Ad 2d 3d Ac 2c 3c 4c 5c 6c"
OTHERS = {
    1: "Ks Qs Js Ts 9s Kh Qh Jh Th 9h Kd Qd Jd",
    2: "8s 7s 6s 8h 7h 6h Td 9d 8d Kc Qc Jc Tc",
    3: "5s 4s 3s 5h 4h 3h 7d 6d 5d 4d 9c 8c 7c",
}
"""Every other hand follows in every suit at first."""


def begun(options: Options = ONCE) -> BostonLive:
    """A Four-ace misère by seat 0, to which seat 1 leads."""
    live = dealt({0: OWN, **OTHERS}, dealer=0, options=options)
    live.bid_out(0, "four-ace-misere", "h")
    return live


@pytest.mark.parametrize("options", [ONCE, FREE])
def test_bo_6_4_declarer_may_play_another_suit_while_holding_the_suit_led(options: Options) -> None:
    live = begun(options)
    live.do("play", card="Ks")
    live.do("play", card="8s")
    live.do("play", card="5s")
    follow, others = live.offered(0, "play")
    assert set(follow["card"]["one_of"]) == {"As", "2s"}
    assert set(others["card"]["one_of"]) == {*live.hand(0)} - {"As", "2s"}
    live.do("play", card="Ah")
    assert live.view("public")["last_trick"]["winner"] == 1


def test_bo_6_4_once() -> None:
    live = begun()
    trick(live, "Ah", "Ks")
    for card in ("Qs", "7s", "4s"):
        live.do("play", card=card)
    assert live.playable(0) == {"As", "2s"}
    detail = live.refuses(0, "play", Code.RULE_VIOLATION, "BO-6.4", card="Ad")
    assert detail == "you have played another suit once while you held the suit led: Qs is led, play As or 2s"
    detail = live.refuses(0, "play", Code.RULE_VIOLATION, "BO-6.2", card="Kh")
    assert detail == "you do not hold Kh: Qs is led, play As or 2s"


def test_bo_6_4_to_follow_suit_does_not_use_it_up() -> None:
    live = begun()
    trick(live, "2s", "Ks")
    for card in ("Qs", "7s", "4s"):
        live.do("play", card=card)
    assert live.playable(0) == {*live.hand(0)}


def turns(record: Played, seat: Seat) -> Iterator[tuple[Any, bool]]:
    """The house's state whenever it is the seat's turn to play, and whether it broke the rule of suit before."""
    broken = False
    for table in record.tables:
        if table.phase == "play" and to_act(BOSTON, table) == (seat,):
            state = table.deal_state
            yield state, broken
            led, hand = state.tricks.led, state.hands[seat].known
            (card,) = set(hand) - set(record.tables[table.version].deal_state.hands[seat].known)
            broken |= led is not None and card[1] != led[1] and any(one[1] == led[1] for one in hand)


def test_bo_6_4_its_use_follows_from_declarers_plays_and_hand() -> None:
    """Cards thrown off by who is void do not count, whichever option is played."""
    found = set()
    for number, options in enumerate((ONCE, FREE, FREE)):
        record = misere_played(number, options)
        declarer = next(event.public.seat for event in record.events if event.public.TYPE == "bid-made")
        for state, broken in turns(record, declarer):
            assert has_broken(state, declarer) == broken
            found.add(broken)
    assert found == {False, True}


def test_who_always_follows_suit_has_broken_nothing() -> None:
    live = BostonLive.started(deals=4)
    rng = chance("always")
    while live.table.status == "playing":
        if live.phase == "play":
            assert not has_broken(live.table.deal_state, live.turn)
        step(live, rng)


def test_bo_6_4_free_is_any_number_of_times() -> None:
    live = begun(FREE)
    trick(live, "Ah", "Ks")
    trick(live, "Ad", "Qs")
    for card in ("Js", "6s", "3s"):
        live.do("play", card=card)
    assert live.playable(0) == {*live.hand(0)}


@pytest.mark.parametrize("options", [ONCE, FREE])
def test_bo_6_4_in_the_first_ten_tricks(options: Options) -> None:
    live = nine_tricks(options)
    to_declarer(live, "Jc")
    assert live.playable(0) == ({*live.hand(0)} if options is FREE else {"Ac", "4c"})
    live.do("play", card="4c")
    to_declarer(live, "Tc")
    assert live.view("public")["seats"][1]["tricks"] == 10
    assert live.playable(0) == {"Ac"}
    detail = live.refuses(0, "play", Code.RULE_VIOLATION, "BO-6.4", card="As")
    assert detail.startswith("from trick 11 on you follow suit if you can: ")


def test_bo_6_4_nobody_else_may() -> None:
    live = begun()
    live.do("play", card="Ks")
    assert live.playable(2) == {"8s", "7s", "6s"}
    live.refuses(2, "play", Code.RULE_VIOLATION, "BO-6.2", card="Kc")


@pytest.mark.parametrize("contract", ["grande-misere", "nine", "boston"])
def test_bo_6_4_nor_declarer_in_another_contract(contract: str) -> None:
    live = dealt({0: OWN, **OTHERS}, dealer=0)
    live.bid_out(0, contract, "h")
    for card in ("Ks", "8s", "5s"):
        live.do("play", card=card)
    assert live.playable(0) == {"As", "2s"}


def test_the_clock_does_not_use_it() -> None:
    live = begun()
    for card in ("Ks", "8s", "5s"):
        live.do("play", card=card)
    assert BOSTON.decider.default_action(live.table.deal_state, 0) == parsed({"type": "play", "card": "2s"}, BOSTON)


# What others see


def bids_misere(game: Game, table: Table, rng: random.Random) -> Command:
    """Who holds all aces bids Four-ace misère, and all others pass. Declarer plays off the suit where it is offered."""
    seat = to_act(game, table)[0]
    offered = offers(game, table, seat)
    misere = [offer for offer in offered if offer.type == "bid" and offer.fields["contract"].admits("four-ace-misere")]
    if misere:
        wire = {**pick(misere, rng), "contract": "four-ace-misere"}
    elif offered[-1].type == "pass":
        wire = {"type": "pass"}
    else:
        wire = pick(offered[-1:], rng)
    return Act(EVERYBODY[seat], parsed(wire, game))


LONG = 25
"""The events of a deal in which declarer won none of the first tricks."""


@cache
def misere_played(number: int, options: Options) -> Played:
    """A deal of Four-ace misère that went on for some tricks; another for each number."""
    for each in count(10_000 * number):
        record = played(
            BOSTON, chance(("aces", each)), options, 4, until=lambda table: table.scored == 1, choose=bids_misere
        )
        start, end = record.deals[0]
        if end - start > LONG:
            return record
    raise AssertionError("there is always another game")


@pytest.mark.parametrize("options", [ONCE, FREE])
@pytest.mark.parametrize("number", range(times(2)))
def test_bo_6_4_worlds_in_which_it_was_used_and_not_used_look_alike(number: int, options: Options) -> None:
    record = misere_played(number, options)
    rng = chance(("worlds", number))
    start, end = record.deals[0]
    declarer = next(event.public.seat for event in record.events if event.public.TYPE == "bid-made")
    others = [audience for audience in record.audiences if audience != seat_audience(declarer)]
    count_of_others = 0
    for version in range(start + 5, end + 1, 4):
        supposing = Supposing(record, rng.choice(others), start, version)
        assert set(ACES) <= supposing.named
        # `others` raises Leak where anything but what was said tells the worlds apart.
        for other in supposing.others(rng, 8):
            shown = [
                canonical(view(BOSTON, table, supposing.audience)) for table in (other.table, supposing.recorded.table)
            ]
            count_of_others += shown[0] != shown[1]
            hand = other.table.deal_state.hands[declarer]
            assert set(ACES) & set(hand.known) == set(ACES) & set(
                supposing.recorded.table.deal_state.hands[declarer].known
            )
    assert count_of_others


def test_bo_6_4_no_event_view_or_offer_of_another_says_that_it_was_used() -> None:
    """A card off the suit leaves the same in what others are told as any other card."""
    live = begun(FREE)
    trick(live, "Ah", "Ks")
    (event,) = [event for event in live.events if getattr(event.public, "card", None) == "Ah"]
    assert event.sealed == {}
    assert set(said(event, "public")[0]) == {"seat", "card"}
    for audience in ("public", "seat:1", "seat:2", "seat:3"):
        shown: dict[str, Any] = live.view(audience)
        assert set(shown["contract"]) == {"declarer", "contract", "suit", "trump", "supporter", "answers", "exposed"}


def test_bo_6_4_once_the_first_card_off_the_suit_is_the_one() -> None:
    """What all can infer: until then the four aces are held, so no suit can be led that declarer is void in."""
    for number in range(3):
        record = misere_played(number, ONCE)
        declarer = next(event.public.seat for event in record.events if event.public.TYPE == "bid-made")
        state = record.tables[record.deals[0][1] - 1].deal_state
        off = [
            (place, one.card)
            for place, each in enumerate(state.tricks.complete)
            for one in each.cards
            if one.seat == declarer and one.card[1] != each.cards[0].card[1]
        ]
        for place, each in enumerate(state.tricks.complete[: off[0][0] if off else None]):
            assert not any(one.card in ACES for one in each.cards) or each.winner == declarer, place


@pytest.mark.parametrize("options", [ONCE, FREE])
def test_bo_6_4_the_audit_judges_it_when_the_deal_is_over(options: Options) -> None:
    """Until then a record is intact whoever exports it; and what was allowed is intact afterwards."""
    record = misere_played(1, options)
    audiences = cycle(record.audiences)
    opening: Any = record.events[0].sealed["house"]
    live = BostonLive.opened(deals=4, options=options, seed=bytes.fromhex(opening.seed))
    for command in record.commands.values():
        live.command(command)
        if live.table.running_deal is not None:
            found = verified(exported(placed(live.records), next(audiences)))
            assert found.verdict == "unpinned"
    assert audit(READER, live.records).verdict == "intact"
