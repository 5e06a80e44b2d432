"""LH-8: outcomes, tout, abandoning. Winners of tricks: 0 is declarer, 1 and 2 the defenders, in turn."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from domain.games.lhombre.contracts import RESULTS
from domain.games.lhombre.events import DealAbandoned
from domain.games.lhombre.meta import Options
from domain.kernel.rejection import Code
from domain.parts.tally import AllTricksUndertaken, PlayStopped
from domain.parts.tricks import CardPlayed, TrickWon
from tests.games.lhombre.checker import ABANDONABLE, CONTRACTS, GAMES, NOLOS, still, trumps_for, worth
from tests.games.lhombre.tables import FOUR, THREE, LhombreLive, declared, played
from tests.support.for_each import for_each
from tests.support.games import chance

PRIMERAS = (0, 0, 0, 0, 0)


def orders(key: object, *tricks: int) -> Iterator[list[int]]:
    """Some orders of nine tricks in which declarer and the defenders win so many."""
    rng = chance(key)
    winners = [player for player, count in enumerate(tricks) for _ in range(count)]
    for _ in range(4):
        rng.shuffle(winners)
        yield list(winners)


def outcome(live: LhombreLive) -> tuple[str, set[str]]:
    """How the deal ended, and the rules that its contract's lines cite."""
    return live.score.outcome, {line.rule for line in live.score.lines if line.kind != "tout"}


def of_each(live: LhombreLive, declarer: int) -> int:
    """What declarer got of each payer."""
    paid = {seat: sum(amount for _, _, amount in live.booked(seat)) for seat in live.seats if seat != declarer}
    assert len(set(paid.values())) == 1
    return -paid.popitem()[1]


@for_each("contract", GAMES)
@for_each("tricks", [(5, 4, 0), (5, 2, 2), (6, 3, 0), (7, 1, 1), (8, 1, 0), (4, 3, 2), (4, 2, 3)])
def test_lh_8_1_win(contract: str, tricks: tuple[int, int, int]) -> None:
    for winners in orders((contract, tricks), *tricks):
        live = played(contract, winners, options=FOUR)
        assert outcome(live) == ("win", {"LH-8.1"})


@for_each("contract", GAMES)
@for_each("tricks", [(4, 4, 1), (4, 1, 4), (3, 3, 3)])
def test_lh_8_1_bete(contract: str, tricks: tuple[int, int, int]) -> None:
    for winners in orders((contract, tricks), *tricks):
        live = played(contract, winners)
        assert outcome(live) == ("bete", {"LH-8.1"})
        assert of_each(live, 1) == -CONTRACTS[contract].rate


@for_each("contract", GAMES)
@for_each("tricks", [(4, 5, 0), (4, 0, 5), (3, 4, 2), (2, 2, 5), (1, 4, 4), (0, 9, 0), (0, 4, 5)])
def test_lh_8_1_kodille(contract: str, tricks: tuple[int, int, int]) -> None:
    for winners in orders((contract, tricks), *tricks):
        live = played(contract, winners)
        assert outcome(live) == ("kodille", {"LH-8.1"})
        assert of_each(live, 1) == worth(contract, tricks[0], tricks[1:]).amount


@pytest.mark.parametrize("contract", NOLOS)
def test_lh_8_2_no_trick_wins(contract: str) -> None:
    live = played(contract, (1, 2, 1, 2, 1, 2, 1, 2, 1))
    assert outcome(live) == ("win", {"LH-8.2"})
    assert of_each(live, 1) == CONTRACTS[contract].rate


@for_each("contract, at", list(product(NOLOS, range(9))))
def test_lh_8_2_one_is_a_bete(contract: str, at: int) -> None:
    winners = [1, 2, 1, 2, 1, 2, 1, 2]
    winners.insert(at, 0)
    live = played(contract, winners)
    assert outcome(live) == ("bete", {"LH-8.2"})
    assert of_each(live, 1) == -CONTRACTS[contract].rate
    assert len(live.of(TrickWon)) == 9


@for_each("contract, at", list(product(["pure-nolo", "nolo-ouvert"], range(1, 9))))
def test_lh_8_2_a_hand_nolo_ends_with_the_second_trick(contract: str, at: int) -> None:
    winners = [0, *[1] * (at - 1), 0, *[0] * (8 - at)]
    live = played(contract, winners)
    assert outcome(live) == ("kodille", {"LH-8.2"})
    assert of_each(live, 1) == worth(contract, 2, (4, 3)).amount
    assert len(live.of(TrickWon)) == at + 1


@for_each("tricks", range(2, 10))
def test_lh_8_2_simple_nolo_is_played_out_and_every_trick_costs_more(tricks: int) -> None:
    winners = [*[0] * tricks, *[1, 2, 1, 2, 1, 2, 1][: 9 - tricks]]
    live = played("simple-nolo", winners)
    assert outcome(live) == ("kodille", {"LH-8.2"})
    assert of_each(live, 1) == -(2 + tricks - 1)
    assert len(live.of(TrickWon)) == 9
    assert (
        live.booked(1)
        == [("contract", "LH-8.2", -2), ("contract", "LH-8.2", -2)] + [("kodille", "LH-8.2", -(tricks - 1))] * 2
    )


@for_each("contract, place", list(product(GAMES, range(3))))
@for_each("options", [THREE, FOUR])
def test_lh_8_3_who_won_the_first_five_may_stop(contract: str, place: int, options: Options) -> None:
    live = played(contract, PRIMERAS, place=place, options=options)
    declarer = live.order[place]
    assert (live.to_act, live.types(declarer)) == ((declarer,), {"play", "stop"})
    assert live.offered(declarer, "stop") == [{}]
    for seat in live.seats:
        if seat != declarer:
            live.refuses(seat, "stop", Code.NOT_YOUR_TURN, live.turn_rule(seat, "LH-8.3"))
    live.do("stop")
    (stopped,) = (event for event in live.events if isinstance(event.public, PlayStopped))
    assert (stopped.public.seat, stopped.actor) == (declarer, f"seat:{declarer}")
    assert outcome(live) == ("win", {"LH-8.1"})
    assert of_each(live, declarer) == CONTRACTS[contract].rate
    assert live.score.lines[0].events[-1] == stopped.version
    assert len(live.of(TrickWon)) == 5


@for_each("contract, place", list(product(GAMES, range(3))))
def test_lh_8_3_the_lead_to_the_sixth_undertakes_all_nine(contract: str, place: int) -> None:
    live = played(contract, PRIMERAS, place=place, options=FOUR)
    declarer = live.order[place]
    assert live.view("public")["contract"]["undertaken"] is False
    card, undertaken = live.do("play", card=live.plan[5][declarer])
    assert isinstance(card.public, CardPlayed)
    assert (undertaken.public, undertaken.actor) == (AllTricksUndertaken(declarer), "house")
    for audience in live.audiences:
        assert live.view(audience)["contract"]["undertaken"] is True
    live.played_on(until=6)
    assert live.types(declarer) == {"play"}
    detail = live.refuses(declarer, "stop", Code.RULE_VIOLATION, "LH-8.3")
    assert detail == "declarer stops only after winning the first five tricks, before the sixth"
    live.played_on()
    assert len(live.of(AllTricksUndertaken)) == 1
    assert live.booked(declarer)[-1] == ("tout", "LH-8.3", 1)
    assert of_each(live, declarer) == CONTRACTS[contract].rate + 1
    assert live.score.outcome == "win"
    assert len(live.of(TrickWon)) == 9
    tricks = [event.version for event in live.events if isinstance(event.public, TrickWon)]
    assert {undertaken.version, *tricks} < {*live.score.lines[0].events}
    assert list(live.score.lines[0].events) == sorted(live.score.lines[0].events)


@for_each("contract, lost", list(product(GAMES, range(6, 10))))
@for_each("defender", [1, 2])
def test_lh_8_3_the_first_trick_lost_ends_the_deal_and_costs_a_chip(contract: str, lost: int, defender: int) -> None:
    winners = [0] * 9
    winners[lost - 1] = defender
    live = played(contract, winners, place=1)
    assert len(live.of(TrickWon)) == lost
    assert outcome(live) == ("win", {"LH-8.1"})
    assert live.booked(0)[-1] == ("tout", "LH-8.3", -1)
    assert of_each(live, 0) == CONTRACTS[contract].rate - 1


@pytest.mark.parametrize("place", range(3))
def test_lh_8_3_once_undertaken_nobody_stops(place: int) -> None:
    live = played("solo", PRIMERAS, place=place)
    while not live.table.scored:
        live.do("play", card=live.plan[len(live.table.deal_state.tricks.winners)][live.turn])
        if not live.table.scored:
            assert live.types(live.turn) == {"play"}
            detail = live.refuses(live.turn, "stop", Code.RULE_VIOLATION, "LH-8.3")
            assert (detail == "only declarer stops") is (live.turn != live.order[place])


@for_each("contract", GAMES)
@for_each("lost", range(5))
def test_lh_8_3_no_tout_where_one_of_the_first_five_was_lost(contract: str, lost: int) -> None:
    winners = [0] * 9
    winners[lost] = 1
    live = declared(contract, winners).exchanged()
    while not live.table.scored:
        assert "stop" not in live.types(live.turn)
        live.refuses(live.turn, "stop", Code.RULE_VIOLATION, "LH-8.3")
        live.do("play", card=live.plan[len(live.table.deal_state.tricks.winners)][live.turn])
    assert live.of(AllTricksUndertaken) == []
    assert len(live.of(TrickWon)) == 6
    assert of_each(live, 1) == CONTRACTS[contract].rate


@for_each("contract", CONTRACTS)
@for_each("tricks", range(5))
def test_lh_8_3_nobody_stops_earlier(contract: str, tricks: int) -> None:
    live = played(contract, [0] * tricks)
    if live.table.scored:
        assert contract in ("pure-nolo", "nolo-ouvert")
        return
    live.refuses(1, "stop", Code.RULE_VIOLATION, "LH-8.3")


def test_lh_8_3_in_a_nolo_there_is_no_tout() -> None:
    live = played("simple-nolo", PRIMERAS)
    detail = live.refuses(1, "stop", Code.RULE_VIOLATION, "LH-8.3")
    assert detail == "a nolo is played to win no trick: there is no tout to decline"
    live.played_on()
    assert live.of(AllTricksUndertaken) == []
    assert of_each(live, 1) == -10


Moment = Callable[[LhombreLive], None]


def own_exchange(live: LhombreLive) -> None:
    """Declarer has exchanged."""
    live.do("exchange")


def one_exchanged(live: LhombreLive) -> None:
    """One defender has exchanged as well."""
    own_exchange(live)
    live.do("exchange")


def none_left(live: LhombreLive) -> None:
    """No card is left for the other defender."""
    live.do("exchange", discard=live.hand(live.turn))
    live.do("exchange", discard=live.hand(live.turn)[:4])


def all_exchanged(live: LhombreLive) -> None:
    """Everybody has exchanged."""
    while live.phase == "exchange":
        live.do("exchange")


def one_card_played(live: LhombreLive) -> None:
    """Forehand has led, unless that is declarer."""
    all_exchanged(live)
    if live.turn != live.table.deal_state.commitment.declarer:
        live.do("play", card=live.hand(live.turn)[0])


def before_own_card(live: LhombreLive) -> None:
    """All before declarer have played to the first trick."""
    all_exchanged(live)
    while live.turn != live.table.deal_state.commitment.declarer:
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])


ALLOWED = (own_exchange, one_exchanged, none_left, all_exchanged, one_card_played, before_own_card)


@for_each("contract, reach, place", list(product(ABANDONABLE, ALLOWED, range(3))))
@for_each("options", [THREE, FOUR])
def test_lh_8_4_abandoning_at_every_moment_allowed(contract: str, reach: Moment, place: int, options: Options) -> None:
    live = declared(contract, place=place, options=options)
    declarer = live.order[place]
    reach(live)
    assert live.offered(declarer, "abandon") == [{}]
    for other in live.seats:
        if other != declarer:
            assert "abandon" not in live.types(other)
            detail = live.refuses(other, "abandon", Code.RULE_VIOLATION, "LH-8.4")
            assert detail == "only declarer may abandon"
    hand = live.hand(declarer)
    live.act(declarer, "abandon")
    (abandoned,) = (event for event in live.events if isinstance(event.public, DealAbandoned))
    assert (abandoned.public.seat, abandoned.public.cards, len(hand)) == (declarer, hand, 9)
    for audience in live.audiences:
        view = live.view(audience, abandoned.version)
        assert view["seats"][declarer]["hand"] == {"known": hand, "hidden": 0}
        assert (view["phase"], view["to_act"]) == ("abandoned", ())
    assert outcome(live) == ("abandoned", {"LH-8.4"})
    assert of_each(live, declarer) == -CONTRACTS[contract].rate
    assert live.score.lines[0].events[-1] == abandoned.version
    assert live.table.deal == 2


@for_each("contract, place", list(product(ABANDONABLE, range(3))))
def test_lh_8_4_not_before_the_end_of_the_own_exchange(contract: str, place: int) -> None:
    live = declared(contract, place=place, options=FOUR)
    for seat in live.seats:
        assert "abandon" not in live.types(seat)
        detail = live.refuses(seat, "abandon", Code.RULE_VIOLATION, "LH-8.4")
        declarer = live.order[place]
        own = "you have to exchange first"
        assert detail == (own if seat == declarer else "only declarer may abandon")


@for_each("contract, place", list(product(ABANDONABLE, range(3))))
def test_lh_8_4_not_after_the_own_first_card(contract: str, place: int) -> None:
    live = declared(contract, [1], place=place).exchanged()
    declarer = live.order[place]
    while all(card.seat != declarer for card in live.of(CardPlayed)):
        assert "abandon" in live.types(declarer)
        live.do("play", card=live.plan[0][live.turn])
    for _ in range(4):
        assert "abandon" not in live.types(declarer)
        detail = live.refuses(declarer, "abandon", Code.RULE_VIOLATION, "LH-8.4")
        assert detail == "you have played to the first trick"
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])


@for_each("contract", [name for name in CONTRACTS if name not in ABANDONABLE])
@for_each("place", range(3))
def test_lh_8_4_not_in_other_contracts(contract: str, place: int) -> None:
    live = declared(contract, [1, 1], place=place)
    declarer = live.order[place]
    while live.phase == "exchange":
        live.refuses(declarer, "abandon", Code.RULE_VIOLATION, "LH-8.4")
        live.do("exchange")
    for _ in range(3):
        assert "abandon" not in live.types(declarer)
        detail = live.refuses(declarer, "abandon", Code.RULE_VIOLATION, "LH-8.4")
        assert detail == f"nobody may abandon in {contract}"
        live.do("play", card=live.plan[0][live.turn])


@pytest.mark.parametrize("made", ["spade-game", "tourne"])
def test_lh_8_4_a_redefined_simple_game_may_be_abandoned(made: str) -> None:
    live = LhombreLive.around({})
    live.bid_out(1, "simple-game")
    live.do("declare", contract=made, trump=trumps_for(made)[0])
    live.do("exchange")
    live.act(1, "abandon")
    assert outcome(live) == ("abandoned", {"LH-8.4"})


def test_lh_8_4_but_not_one_made_into_a_simple_nolo() -> None:
    live = LhombreLive.around({})
    live.bid_out(1, "simple-game")
    live.do("declare", contract="simple-nolo")
    live.do("exchange")
    live.refuses(1, "abandon", Code.RULE_VIOLATION, "LH-8.4")


@for_each("contract", CONTRACTS)
@for_each("seed", range(12))
def test_lh_8_5_play_stops_exactly_when_the_payment_can_no_longer_change(contract: str, seed: int) -> None:
    rng = chance((contract, seed))
    weights = rng.choice([(1, 1, 1), (8, 1, 1), (1, 8, 8), (0, 1, 1), (1, 0, 0)])
    winners = rng.choices(range(3), weights, k=9)
    options = rng.choice([THREE, FOUR])
    place = rng.randrange(3)
    live = played(contract, winners, place=place, options=options)
    tricks = len(live.of(TrickWon))
    (due,) = still(contract, winners[:tricks])
    assert len(still(contract, winners[: tricks - 1])) > 1
    assert live.table.scored == 1
    assert live.phase == "auction"
    declarer = live.score.lines[0].seat
    assert live.score.outcome == due.outcome
    assert declarer is not None
    assert of_each(live, declarer) == due.amount + due.tout


@for_each(
    "contract, winners, tricks",
    [
        ("solo", (1, 0, 0, 0, 0, 0), 6),
        ("solo", (1, 1, 1, 1, 1), 5),
        ("solo", (1, 2, 1, 2, 1, 2, 1), 7),
        ("solo", (1, 1, 1, 0, 2, 2, 2, 1), 8),
        ("solo", (0, 0, 0, 0, 1, 1, 1, 1, 2), 9),
        ("pure-nolo", (0, 0), 2),
        ("pure-nolo", (1, 1, 1, 1, 1, 1, 1, 1, 0), 9),
        ("simple-nolo", (0, 0, 0, 0, 0, 0, 0, 0, 1), 9),
    ],
)
def test_lh_8_5_examples(contract: str, winners: tuple[int, ...], tricks: int) -> None:
    live = played(contract, [*winners, *[1] * (9 - len(winners))])
    assert len(live.of(TrickWon)) == tricks


def test_outcomes_are_served_with_their_rules() -> None:
    assert {(row.outcome, row.rule) for row in RESULTS} == {
        *((name, f"LH-8.{n}") for name in ("win", "bete", "kodille") for n in (1, 2)),
        ("abandoned", "LH-8.4"),
        ("washed-out", "LH-4.4"),
    }
