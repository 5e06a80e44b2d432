"""CR-8: the play. Where play stops is compared with plain enumeration in test_settlement.py."""

from itertools import product

import pytest

from domain.kernel.rejection import Code
from domain.parts.tricks import CardPlayed, TrickWon
from tests.games.crocodile.checker import CONTRACTS, results
from tests.support.for_each import for_each
from tests.support.games import around, chance, declared, exchange_nothing, played


@for_each("declarer, eldest", list(product(range(3), range(3))))
def test_cr_8_1_eldest_leads_whoever_is_declarer(declarer: int, eldest: int) -> None:
    live, plan = declared("grand", declarer=declarer, eldest=eldest)
    exchange_nothing(live, plan)
    assert (live.phase, live.to_act) == ("play", (eldest,))


@for_each("first, second", list(product(range(3), range(3))))
def test_cr_8_1_the_winner_leads_to_the_next(first: int, second: int) -> None:
    live = played("solo", [first, second], eldest=1)
    assert [won.seat for won in live.of(TrickWon)] == [first, second]
    assert [won.trick for won in live.of(TrickWon)] == [1, 2]
    leaders = [live.of(CardPlayed)[3 * trick].seat for trick in range(2)]
    assert leaders == [1, first]
    assert live.to_act == (second,)


def test_cr_8_1_players_follow_clockwise() -> None:
    live = played("solo", [2, 1, 0], eldest=1)
    assert [card.seat for card in live.of(CardPlayed)] == [1, 2, 0, 2, 0, 1, 1, 2, 0]


def test_cr_8_1_nobody_plays_out_of_turn() -> None:
    live = played("solo", [0])
    for seat in (1, 2):
        assert live.offers(seat) == ()
        live.refuses(seat, "play", Code.NOT_YOUR_TURN, "CR-8.1", card=live.hand(seat)[0])


@pytest.mark.parametrize("trump", ["s", "h", "c"])
def test_cr_8_2_the_suit_led_is_followed(trump: str) -> None:
    live = around({0: ["Ks", "Kh"], 1: ["2s", "5s", "Qh", "Jh"]}, void={2: "s"})
    live.bid_out(0, "solo")
    live.do("declare", contract="solo", trump=trump)
    while live.phase == "exchange":
        live.do("exchange")
    live.do("play", card="Ks")
    spades = tuple(card for card in live.hand(1) if card[1] == "s")
    assert live.offered(1, "play") == [{"card": {"one_of": spades}}]
    for card in live.hand(1):
        if card not in spades:
            live.refuses(1, "play", Code.RULE_VIOLATION, "CR-8.2", card=card)
    live.do("play", card="5s")
    assert live.offered(2, "play") == [{"card": {"one_of": live.hand(2)}}]


def test_cr_8_2_any_card_is_led_and_none_that_is_not_held() -> None:
    live, plan = declared("grandissimo")
    exchange_nothing(live, plan)
    assert live.offered(0, "play") == [{"card": {"one_of": live.hand(0)}}]
    for card in (*live.hand(1), *live.hand(2)):
        detail = live.refuses(0, "play", Code.RULE_VIOLATION, "CR-8.1", card=card)
        assert detail == f"you do not hold {card}", "no suit is led that could be followed"


def test_cr_2_1_a_card_of_another_pack_is_refused_as_that() -> None:
    live, plan = declared("grandissimo")
    exchange_nothing(live, plan)
    detail = live.refuses(0, "play", Code.RULE_VIOLATION, "CR-2.1", card="8h")
    assert detail == "8h is none of the cards of this table"
    # The phase and the turn come before all rules.
    live.refuses(1, "play", Code.NOT_YOUR_TURN, "CR-8.1", card="8h")
    live.refuses(0, "take-casco", Code.WRONG_PHASE, "CR-8.1", keep="8h")


def test_cr_8_2_a_card_is_played_once() -> None:
    live = played("solo", [0])
    live.refuses(0, "play", Code.RULE_VIOLATION, "CR-8.1", card=live.of(CardPlayed)[0].card)
    live.do("play", card=live.hand(0)[0])
    live.refuses(live.turn, "play", Code.RULE_VIOLATION, "CR-8.2", card=live.of(CardPlayed)[0].card)


@for_each(
    "trump, cards, winner",
    [
        ("c", ("2s", "Ks", "3s"), 1),
        ("c", ("2s", "As", "Kh"), 0),
        (None, ("As", "Kh", "Kd"), 0),
        (None, ("As", "Kh", "2s"), 2),
        ("h", ("Ks", "Ah", "Kd"), 1),
        ("h", ("Ks", "Ah", "2h"), 2),
        ("h", ("Ks", "2h", "Ah"), 1),
        ("s", ("2s", "Kh", "Kd"), 0),
        ("d", ("Ks", "Kh", "Ad"), 2),
    ],
)
def test_cr_8_3_the_highest_trump_or_of_the_suit_led(
    trump: str | None, cards: tuple[str, str, str], winner: int
) -> None:
    void = {seat: cards[0][1] for seat in (1, 2) if cards[seat][1] != cards[0][1]}
    live = around({seat: [card] for seat, card in enumerate(cards)}, void=void)
    live.bid_out(0, "grandissimo" if trump is None else "solo")
    live.do("declare", contract="grandissimo" if trump is None else "solo", trump=trump)
    while live.phase == "exchange":
        live.do("exchange")
    for card in cards:
        live.do("play", card=card)
    assert live.of(TrickWon) == [TrickWon(winner, 1)]
    assert live.to_act == (winner,)
    assert live.view("public")["last_trick"] == {
        "winner": winner,
        "cards": tuple({"seat": seat, "card": card} for seat, card in enumerate(cards)),
    }


@for_each("contract", CONTRACTS)
@for_each("seed", range(20))
def test_cr_8_4_play_stops_exactly_when_all_is_settled(contract: str, seed: int) -> None:
    rng = chance((contract, seed))
    declarer = rng.randrange(3)
    weights = rng.choice([(1, 1, 1), (8, 1, 1), (1, 8, 8), (0, 1, 1), (1, 0, 0)])
    winners = rng.choices(range(3), weights, k=9)
    positive = CONTRACTS[contract]["positive"]
    bonus = rng.choice([None, "cuatro", "primeras", "tout"]) if positive else None
    if contract == "nolo-ouvert":
        bonus = rng.choice([None, "talking"])
    live = played(contract, [(declarer + winner) % 3 for winner in winners], declarer=declarer, bonus=bonus)
    tricks = len(live.of(TrickWon))
    still = [
        len(results(contract, bonus, winners[:number], 0, ("always", "exclusive"))) for number in range(tricks + 1)
    ]
    assert [each == 1 for each in still] == [*[False] * tricks, True]
    assert live.table.scored == 1
    assert live.phase == "auction"


@for_each(
    "contract, bonus, winners, tricks",
    [
        ("grand", None, (1, 1, 2, 2, 1), 5),
        ("grand", "tout", (1, 1, 2, 2, 1), 5),
        ("grand", None, (1, 2, 1, 2, 1, 0, 0, 0, 0), 5),
        ("play", "primeras", (0, 0, 0, 0, 0, 1, 0, 0, 0), 6),
        ("grand", None, (0, 0, 0, 0, 0, 1), 6),
        ("grand", None, (0, 0, 0, 0, 0, 0, 0, 0, 1), 9),
        ("grand", None, (1, 0, 0, 0, 0, 0), 6),
        ("grand", "cuatro", (1, 0, 0, 0, 0, 0), 6),
        ("grand", None, (0, 1, 1, 1, 1, 1, 1), 6),
        ("grand", None, (0, 1, 1, 1, 1, 0, 1), 7),
        ("grand", None, (0, 1, 1, 1, 1, 0, 0, 2, 0), 9),
        ("exchange-nolo", None, (0, 1, 1, 1, 1, 1, 1, 1, 1), 9),
        ("nolo", None, (0, 0, 0, 0, 0), 5),
        ("nolo", None, (1, 1, 1, 1, 1, 1, 0, 0), 8),
    ],
)
def test_cr_8_4_examples(contract: str, bonus: str | None, winners: tuple[int, ...], tricks: int) -> None:
    live = played(contract, [*winners, *[1] * (9 - len(winners))], bonus=bonus)
    assert len(live.of(TrickWon)) == tricks


def test_cr_8_4_what_anyone_holds_does_not_count() -> None:
    live = played("nolo", [1, 1, 1, 1, 1, 1, 1, 1])
    assert len(live.of(TrickWon)) == 8
    assert live.table.scored == 0
    assert live.phase == "play"
