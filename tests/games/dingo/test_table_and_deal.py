"""DG-1 to DG-4 and DG-7: table and game, cards and deal, discards and passes, and who knows which card."""

from collections import Counter

import pytest

from domain.games.dingo import DINGO
from domain.games.dingo.acts import Discard, PassCard
from domain.games.dingo.events import CardDiscarded, CardPassed
from domain.games.dingo.hunts import VALUES
from domain.games.dingo.meta import DEALT, DINGOES, OPEN_RABBITS, PACK, RABBITS, WOLVES, Options
from domain.kernel.rejection import Code
from domain.kernel.words import Filled, said
from tests.games.dealing import (
    assert_deal_moves,
    assert_deals,
    assert_full,
    assert_no_options,
    first_dealers,
    positions,
)
from tests.games.dingo.checker import RANKS
from tests.games.dingo.tables import DingoLive, dealt
from tests.support.games import chance, finished, step

CARDS = [rank + suit for suit in "shdc" for rank in reversed(RANKS)]


def stepped(live: DingoLive, number: int) -> DingoLive:
    """The table at the beginning of this step; all give up their lowest card that is no ace."""
    while live.view("public")["step"] != number:
        held = [card for card in live.hand(live.turn) if card[0] != "A"]
        low = min(held, key=lambda card: RANKS.index(card[0]))
        live.do("discard" if live.phase == "discard" else "pass-card", card=low)
    return live


def test_dg_1_1_four_seats_each_for_itself() -> None:
    live = DingoLive.started()
    assert_full(live, 4)
    assert DINGO.course.sides(DINGO.options()) == ()


def test_dg_1_2_one_deal_or_a_multiple_of_four() -> None:
    assert_deals(DingoLive, "DG-1.2", may=[1, 4, 8, 96], never=[-4, 0, 2, 3, 5, 6, 97, 100])


def test_dg_1_2_one_deal_by_default_and_nothing_else_to_settle() -> None:
    assert DingoLive.opened().table.deals == 1
    assert DingoLive.opened().view("public")["options"] == {}
    assert_no_options(Options, {"deals": 4})


def test_dg_1_3_the_deal_moves_to_the_left() -> None:
    live = finished(DingoLive.started(deals=8), chance("eight"))
    assert_deal_moves(live)


def test_dg_1_3_every_seat_is_drawn_as_first_dealer() -> None:
    assert first_dealers(DingoLive, 40) == {0, 1, 2, 3}


def test_dg_2_1_every_rank_has_a_rabbit_a_dingo_and_two_wolves() -> None:
    assert list(PACK) == CARDS
    for rank in RANKS:
        assert {RABBITS[rank], DINGOES[rank], *WOLVES[rank]} == {rank + suit for suit in "shdc"}
        assert (RABBITS[rank][1], DINGOES[rank][1]) == ("d", "h")


def test_dg_2_2_values_of_cards() -> None:
    assert [(row.rank, row.value, row.rabbit) for row in VALUES] == [
        *((rank, 1, 1) for rank in "23456789"),
        *((rank, 2, 2) for rank in "TJQK"),
        ("A", 3, 10),
    ]


def test_dg_2_3_the_rabbits_from_2_to_king_lie_open() -> None:
    live = DingoLive.started()
    assert live.view("public")["rabbits"] == tuple(rank + "d" for rank in "23456789TJQK") == OPEN_RABBITS
    held = {card for seat in live.seats for card in live.hand(seat)}
    assert not held & set(OPEN_RABBITS)


@pytest.mark.parametrize("dealer", range(4))
def test_dg_3_1_ten_each_one_at_a_time_from_the_dealers_left(dealer: int) -> None:
    event = dealt({}, dealer=dealer).events[-1]
    for place in range(4):
        assert positions(event, f"seat:{(dealer + 1 + place) % 4}") == list(range(place, 40, 4))
    assert len(event.public.card_commitments) == len(DEALT) == 40


@pytest.mark.parametrize("dealer", range(4))
def test_dg_4_1_the_dealer_first_then_clockwise_in_every_step(dealer: int) -> None:
    live, turns, sizes = dealt({}, dealer=dealer), [], []
    for number in range(1, 8):
        stepped(live, number)
        for _ in range(4):
            turns.append(live.turn)
            step(live, chance(number))
        sizes.append({len(live.hand(seat)) for seat in live.seats} if number < 7 else {6})
    assert turns == [(dealer + place) % 4 for place in range(4)] * 7
    assert sizes == [{9}, {9}, {8}, {8}, {7}, {7}, {6}]


def test_dg_4_1_any_card_but_an_ace_is_discarded() -> None:
    live = dealt({3: "As Ah Ad Ac Ks"})
    (offer,) = live.offered(3, "discard")
    assert set(offer["card"]["one_of"]) == {card for card in live.hand(3) if card[0] != "A"}
    kept = live.refuses(3, "discard", Code.RULE_VIOLATION, "DG-4.1", card="Ad")
    assert kept.startswith("aces stay in the hand: discard Ks, ")
    other = live.hand(0)[0]
    assert live.refuses(3, "discard", Code.RULE_VIOLATION, "DG-4.1", card=other) == f"you do not hold {other}"
    live.refuses(0, "discard", Code.NOT_YOUR_TURN, "DG-4.1", card=live.hand(0)[0])
    live.refuses(3, "pass-card", Code.WRONG_PHASE, "DG-4.1", card="Ks")


def test_dg_4_1_with_four_aces_a_discard_is_still_possible() -> None:
    live = dealt({3: "As Ah Ad Ac"})
    for number in (1, 3, 5, 7):
        stepped(live, number)
        assert live.offered(3, "discard")[0]["card"]["one_of"]


def test_dg_4_2_every_discard_is_seen_and_stays_open() -> None:
    live = dealt({3: "Ks"})
    live.do("discard", card="Ks")
    live.do("discard", card=live.offered(0, "discard")[0]["card"]["one_of"][0])
    for audience in live.audiences:
        discards = live.view(audience)["discards"]
        assert [each["seat"] for each in discards] == [3, 0]
        assert discards[0] == {"seat": 3, "card": "Ks"}


@pytest.mark.parametrize(("number", "left"), [(2, 1), (4, 2), (6, 3)])
def test_dg_4_3_cards_are_passed_left_across_and_right(number: int, left: int) -> None:
    live = stepped(dealt({}), number)
    for _ in range(4):
        giver, card = live.turn, live.hand(live.turn)[0]
        waiting = (giver + 1) % 4
        live.refuses(waiting, "pass-card", Code.NOT_YOUR_TURN, "DG-4.1", card=live.hand(waiting)[0])
        live.do("pass-card", card=card)
        assert live.of(CardPassed)[-1] == CardPassed(giver, (giver + left) % 4)
        assert card in live.hand((giver + left) % 4)
        assert card not in live.hand(giver)


def test_dg_4_3_an_ace_may_be_passed_and_the_card_just_received() -> None:
    live = stepped(dealt({3: "As"}), 2)
    (offer,) = live.offered(3, "pass-card")
    assert set(offer["card"]["one_of"]) == set(live.hand(3))
    live.do("pass-card", card="As")
    live.do("pass-card", card="As")
    assert "As" in live.hand(1)
    live.refuses(1, "pass-card", Code.RULE_VIOLATION, "DG-4.3", card="Ah" if "Ah" not in live.hand(1) else "Ac")


def test_dg_4_4_giver_and_receiver_know_the_card_and_nobody_else() -> None:
    live = stepped(dealt({3: "As"}), 2)
    (event,) = live.act(3, "pass-card", card="As")
    assert set(event.sealed) == {"seat:3", "seat:0"}
    knowing = {audience for audience in live.audiences if "As" in live.view(audience)["seats"][0]["hand"]["known"]}
    assert knowing == {"seat:3", "seat:0"}
    for audience in ("public", "seat:1", "seat:2"):
        giver, receiver = (live.view(audience)["seats"][seat]["hand"] for seat in (3, 0))
        assert (giver["hidden"], receiver["hidden"]) == (8, 10)


def test_dg_7_1_the_giver_forgets_when_the_receiver_passes_a_card_to_another() -> None:
    live = stepped(dealt({3: "As"}), 2)
    live.do("pass-card", card="As")
    other = next(card for card in live.hand(0) if card != "As")
    live.do("pass-card", card=other)
    assert "As" not in live.view("seat:3")["seats"][0]["hand"]["known"]
    assert "As" in live.view("seat:0")["seats"][0]["hand"]["known"]


def test_dg_7_1_the_giver_remembers_when_the_receiver_passes_back_or_discards() -> None:
    live = stepped(dealt({3: "As"}), 4)
    live.do("pass-card", card="As")
    # Seat 1, across, passes another card to seat 3 in the same step, and discards in the next.
    assert live.of(CardPassed)[-1] == CardPassed(3, 1)
    stepped(live, 6)
    assert CardPassed(1, 3) in live.of(CardPassed)
    assert "As" in live.view("seat:3")["seats"][1]["hand"]["known"]
    assert "As" not in live.view("seat:0")["seats"][1]["hand"]["known"]


def test_the_clock_gives_up_the_lowest_card() -> None:
    live = dealt({3: "As 2c 3s"})
    default = live.game.decider.default_action
    low = min((card for card in live.hand(3) if card[0] != "A"), key=lambda card: RANKS.index(card[0]))
    action = default(live.table.deal_state, 3)
    assert isinstance(action, Discard)
    assert action.card[0] == low[0]
    stepped(live, 2)
    assert isinstance(default(live.table.deal_state, live.turn), PassCard)


def test_the_view_says_which_step_it_is() -> None:
    (parts,) = [said(group, stepped(dealt({}), 4).view("public")) for group in DINGO.words.status]
    assert parts is not None
    assert [part.value for part in parts if isinstance(part, Filled)] == [4, 4]


def test_all_cards_are_somewhere() -> None:
    live = finished(DingoLive.started(), chance("count"))
    gone = Counter(each.card for each in live.of(CardDiscarded))
    assert sum(gone.values()) == 16
    assert all(card[0] != "A" for card in gone)
