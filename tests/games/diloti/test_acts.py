"""DL-4 to DL-8: what may be laid, captured and declared, what an owner owes, and what is a xeri."""

from typing import Any

from msgspec.structs import replace

from domain.games.diloti import DILOTI
from domain.games.diloti.acts import DilotiAction
from domain.games.diloti.meta import Options
from domain.games.diloti.state import Playing
from domain.kernel.rejection import Code
from tests.games.diloti.tables import (
    FOUR,
    DilotiLive,
    after,
    capture,
    captures,
    dealt,
    declare,
    lay,
    plain,
    position,
    refusal,
)
from tests.support.games import chance, finished, pick

TAKES_ALL = Options(court_capture="all")
FREE = Options(court_lay="free")


def made(state: Playing, action: DilotiAction) -> Any:
    """What seat 0 made by the act, which it may do."""
    assert refusal(state, action) is None
    return DILOTI.decider.decide(state, 0, action).public


# DL-4: a turn


def test_dl_4_1_turns_go_clockwise_from_eldest_a_card_each() -> None:
    live = dealt({0: "2s", 1: "3s", 2: "4s", 3: "5s"}, "9h Th Jh Qh", options=FOUR)
    assert [(live.turn, live.lay(card)[0].public.card) for card in ("2s", "3s", "4s", "5s")] == [
        (0, "2s"), (1, "3s"), (2, "4s"), (3, "5s"),
    ]  # fmt: skip
    assert live.turn == 0
    assert [len(live.hand(seat)) for seat in range(4)] == [5, 5, 5, 5]
    live.refuses(1, "lay", Code.NOT_YOUR_TURN, "DL-4.1", card=live.hand(1)[0])
    assert live.refuses(0, "lay", Code.RULE_VIOLATION, "DL-4.1", card="2s") == "you do not hold 2s"


def test_dl_4_2_a_card_that_is_laid_is_loose_even_where_it_could_capture() -> None:
    state = position("8s Kd", "8h 5c")
    assert after(state, lay("8s")).loose == ("8h", "5c", "8s")
    assert after(state, lay("Kd")).loose == ("8h", "5c", "Kd")


def test_dl_4_2_a_court_card_is_not_laid_beside_its_like() -> None:
    assert refusal(position("Kd 2c", "Ks 5c"), lay("Kd")) == "DL-4.2"
    assert refusal(position("Kd 2c", "Qs 5c"), lay("Kd")) is None
    assert refusal(position("Kd 2c", "Ks 5c", options=FREE), lay("Kd")) is None
    assert refusal(position("Kd", "Ks"), lay("Kd")) == "DL-4.2"


def test_dl_4_3_an_owner_may_not_lay() -> None:
    own = plain(1, "4h 3c", 0)
    assert refusal(position("7s 2c", "5h", own), lay("2c")) == "DL-4.3"
    assert refusal(position("7s 2c", "5h", plain(1, "4h 3c", 1)), lay("2c")) is None


# DL-5: captures


def test_dl_5_1_a_court_card_takes_one_of_its_rank() -> None:
    state = position("Kd 2c", "Ks Kh 5c")
    assert captures(state, "Kd") == ["Ks", "Kh"]
    assert refusal(state, capture("Kd", "Ks Kh")) == "DL-5.1"
    assert refusal(state, capture("Kd", "5c")) == "DL-5.1"
    assert refusal(state, capture("Kd")) == "DL-5.1"
    assert refusal(position("Qd 2c", "Ks 2h"), capture("Qd", "Ks")) == "DL-5.1"
    # So it is where no card of the hand can capture.
    assert refusal(position("Qd", "Ks 2h"), capture("Qd", "2h")) == "DL-5.1"


def test_dl_5_1_with_the_option_it_takes_all() -> None:
    state = position("Kd 2c", "Ks Kh 5c", options=TAKES_ALL)
    assert captures(state, "Kd") == ["Ks Kh"]
    # The same number of cards twice, and of another rank.
    assert refusal(state, capture("Kd", "Ks Ks")) == refusal(state, capture("Kd", "Ks 5c")) == "DL-5.1"
    assert refusal(position("Kd 2c", "5c", options=TAKES_ALL), capture("Kd")) == "DL-5.1"


def test_dl_5_2_a_numeral_takes_declarations_of_its_value() -> None:
    state = position("7s 2c", "5h 2d", plain(1, "4h 3c", 1), plain(2, "6d Ac", 1), plain(3, "6s 2h", 1))
    for numbers in ((1,), (2,), (1, 2)):
        assert refusal(state, capture("7s", "", *numbers)) is None
        assert refusal(state, capture("7s", "5h 2d", *numbers)) is None
    assert refusal(state, capture("7s", "", 3)) == "DL-5.2"
    assert refusal(state, capture("7s", "5h", 1)) == "DL-5.2"
    assert refusal(state, capture("7s")) == "DL-5.2"
    assert refusal(position("7s 2c", "Ks"), capture("7s", "Ks")) == "DL-5.2"


def test_dl_5_3_how_loose_cards_are_split_is_not_said_and_declarations_are_no_part_of_a_sum() -> None:
    state = position("9s 2c", "6h 3h 3d 6d", plain(1, "2d 4c", 1))
    event = made(state, capture("9s", "6d 3h 6h 3d"))
    assert (event.loose, event.taken) == (("6h", "3h", "6d", "3d"),) * 2
    # Six and three are nine, but the six is declared.
    assert refusal(state, capture("9s", "3h", 1)) == "DL-5.2"


def test_dl_5_4_the_last_to_capture_is_known() -> None:
    live = dealt({0: "8s 2c", 1: "9s 3c"}, "8h 9h Kh Qh")
    assert live.view("public")["last_captor"] is None
    live.capture("8s", "8h")
    live.capture("9s", "9h")
    assert live.view("public")["last_captor"] == 1
    live.lay("2c")
    assert live.view("public")["last_captor"] == 1


# DL-6: declarations


def test_dl_6_1_a_declaration_is_taken_whole() -> None:
    state = position("4d 8d 8c", "2h 6h 4h")
    following = after(state, declare("4d", 8, "2h 6h 4h"))
    (group,) = following.declarations
    assert (group.declaration, group.value, group.sets, group.cards, group.owner) == (
        1, 8, 2, ("6h", "4h", "2h", "4d"), 0,
    )  # fmt: skip
    assert following.loose == ()
    assert made(replace(following, turn=0), capture("8d", "", 1)).taken == group.cards


def test_dl_6_2_example_3() -> None:
    following = after(position("5s Td", "2h 3h"), declare("5s", 10, "2h 3h"))
    (plain_ten,) = following.declarations
    assert (plain_ten.value, plain_ten.sets) == (10, 1)
    assert refusal(position("5s 9d", "2h 3h"), declare("5s", 10, "2h 3h")) == "DL-6.2.4"


def test_dl_6_2_1_one_plain_declaration_of_the_other_side_is_raised_by_the_card_played() -> None:
    theirs, group = plain(1, "4h 3c", 1), plain(2, "5d 2d 6c Ac", 1, value=7)
    assert made(position("2s 9d", "9c", theirs), declare("2s", 9, "", 1)).cards == ("2s", "4h", "3c")
    assert made(position("2s 9d", "9c", theirs), declare("2s", 9, "9c", 1)).sets == 2
    assert refusal(position("2s 9d", "9c 7h", group), declare("2s", 9, "", 2)) == "DL-6.2.1"
    assert refusal(position("2s 9d", "9c 7h", theirs, plain(3, "5h 2h", 1)), declare("2s", 9, "", 1, 3)) == "DL-6.2.1"
    assert refusal(position("3s 9d", "6c", theirs), declare("3s", 9, "", 1)) == "DL-6.2.1"
    for value in (6, 8):
        assert refusal(position("Kd 6d 8d", "6c", theirs), declare("Kd", value, "", 1)) == "DL-6.2.1"
    partners = position("2s 9d", "7h", plain(1, "4h 3c", 2), options=FOUR)
    assert refusal(partners, declare("2s", 9, "", 1)) == "DL-6.2.1"


def test_dl_6_2_1_a_value_is_not_raised_with_loose_cards() -> None:
    state = position("Ad 9d", "Ac 8h", plain(1, "4h 3c", 1))
    # 7, the ace that is played and the loose one would be 9.
    assert refusal(state, declare("Ad", 9, "Ac", 1)) is not None


def test_dl_6_2_2_the_card_and_the_loose_ones_fall_into_sets() -> None:
    state = position("5s Td 9d", "2h 3h 4h")
    assert refusal(state, declare("5s", 10, "2h 4h")) == "DL-6.2.2"
    assert refusal(state, declare("5s", 9, "4h")) is None
    assert refusal(state, declare("5s", 9, "4h 2h 3h")) == "DL-6.2.2"
    assert refusal(position("5s Td", "Kh 5h"), declare("5s", 10, "5h Kh")) == "DL-6.2.2"
    # A declaration is raised: then the loose ones fall into sets by themselves, or there are none.
    raising = position("2s 9d", "4d 5d 7d", plain(1, "4h 3c", 1))
    assert made(raising, declare("2s", 9, "4d 5d", 1)).sets == 2
    assert refusal(raising, declare("2s", 9, "7d", 1)) == "DL-6.2.2"


def test_dl_6_2_2_nothing_below_the_card_played_is_declared() -> None:
    # A five is kept, so no later rule is broken.
    assert refusal(position("8s 5d", "5h"), declare("8s", 5, "5h")) == "DL-6.2.2"
    assert refusal(position("8s 8d 5d", "5h 8h"), declare("8s", 5, "5h")) == "DL-6.2.2"


def test_dl_6_2_3_something_on_the_table_is_named() -> None:
    state = position("8s 8d", "3h 5h", plain(1, "4h 4c", 1))
    assert refusal(state, declare("8s", 8)) == "DL-6.2.3"
    assert refusal(state, declare("8s", 8, "", 1)) is None
    assert refusal(state, declare("8s", 8, "3h 5h")) is None


def test_dl_6_2_3_is_cited_where_a_card_of_the_value_is_kept_though_none_is_for_anything_else() -> None:
    # With the five, a three makes eights only, and no eight is held.
    assert refusal(position("3c 3d", "5h"), declare("3c", 3)) == "DL-6.2.3"


def test_dl_6_2_4_a_card_of_the_value_is_kept() -> None:
    assert refusal(position("8s 8d", "8h"), declare("8s", 8, "8h")) is None
    assert refusal(position("8s 9d", "8h"), declare("8s", 8, "8h")) == "DL-6.2.4"
    # No card is kept for anything that the hand could make.
    assert refusal(position("3s Kd", "5h"), declare("3s", 8, "5h")) == "DL-6.2.4"


def test_dl_6_2_2_comes_before_a_card_that_is_not_kept() -> None:
    assert refusal(position("3s Kd", "Kh"), declare("3s", 8)) == "DL-6.2.2"


def test_dl_6_2_5_an_owner_names_the_own_declaration() -> None:
    state = position("2s 7d 7s", "5h 5c", plain(1, "4h 3c", 0))
    assert made(state, declare("2s", 7, "5h", 1)).sets == 2
    assert refusal(state, declare("2s", 7, "5h")) == "DL-6.2.5"


def test_dl_6_3_all_that_is_named_becomes_one_declaration() -> None:
    theirs = plain(1, "6s 2h", 1)
    event = made(position("3s 8d", "5h", theirs, plain(2, "7d Ac", 1)), declare("3s", 8, "5h", 1, 2))
    assert (event.cards, event.sets, event.declaration) == (("6s", "3s", "5h", "2h", "7d", "Ac"), 3, 3)


def test_dl_6_4_a_group_keeps_its_value_and_goes_whole_into_a_greater_one() -> None:
    group = plain(1, "5d 2d 6c Ac", 1, value=7)
    state = position("3s 7d Td", "4h", group)
    assert made(state, declare("3s", 7, "4h", 1)).sets == 3
    assert refusal(state, declare("3s", 10, "", 1)) is not None


def test_dl_6_5_the_card_played_is_part_of_it_and_equals_may_stand_side_by_side() -> None:
    theirs = plain(1, "6s 2h", 1)
    following = after(position("3s 8d", "5h", theirs), declare("3s", 8, "5h"))
    assert [(each.value, each.owner) for each in following.declarations] == [(8, 1), (8, 0)]
    assert "3s" in following.declarations[1].cards


def test_dl_6_6_who_groups_or_raises_it_owns_it() -> None:
    partners = position("3s 8d", "5h", plain(1, "6s 2h", 2), options=FOUR)
    following = after(partners, declare("3s", 8, "5h", 1))
    assert [each.owner for each in following.declarations] == [0]
    raised = after(position("2s 9d", "", plain(1, "4h 3c", 1)), declare("2s", 9, "", 1))
    assert [each.owner for each in raised.declarations] == [0]


# DL-7: what an owner owes


def test_dl_7_1_the_last_card_of_the_value_is_kept_for_the_declaration() -> None:
    own = plain(1, "4h 3c", 0)
    assert refusal(position("7s 2c", "7h", own), capture("7s", "7h")) == "DL-7.1"
    assert refusal(position("7s 2c", "7h", own), capture("7s", "", 1)) is None
    assert refusal(position("7s 2c", "7h", own, plain(2, "6d Ac", 1)), capture("7s", "7h", 2)) == "DL-7.1"
    assert refusal(position("7s 2c", "7h", own, plain(2, "6d Ac", 1)), capture("7s", "7h", 1, 2)) is None
    # One of two may take anything.
    assert refusal(position("7s 7d", "7h", own), capture("7s", "7h")) is None


def test_dl_7_2_an_owner_captures_with_other_cards_or_groups_the_own_declaration() -> None:
    own = plain(1, "4h 3c", 0)
    state = position("7s 2c Kc", "2h 5d Ks", own, plain(2, "6d 2d", 1))
    assert refusal(state, capture("2c", "2h")) is None
    assert refusal(state, capture("Kc", "Ks")) is None
    assert refusal(state, declare("2c", 7, "5d", 1)) is None
    # Two and two, and the opponent's eight, raised: the own declaration is left out, which an earlier rule forbids.
    assert refusal(position("2c 7s 4d", "2h", own), declare("2c", 4, "2h")) == "DL-6.2.5"
    assert refusal(position("2c 7s Td", "5d", own, plain(2, "6d 2d", 1)), declare("2c", 10, "", 2)) == "DL-6.2.5"
    assert refusal(position("2c 7s Td", "3d", own, plain(2, "6d 2d", 1)), declare("2c", 10, "", 2)) == "DL-6.2.5"


def test_dl_7_3_example_5() -> None:
    live = dealt({0: "3s 7d Kd Qd Jd 5d", 1: "2s 9d Kc Qc Jc 5c"}, "4h 9h Ac Kh")
    live.declare("3s", 7, "4h")
    live.declare("2s", 9, "9h", 1)
    (group,) = live.view("public")["declarations"]
    assert group == {"declaration": 2, "value": 9, "sets": 2, "cards": ["3s", "9h", "4h", "2s"], "owner": 1} | {
        "cards": group["cards"]
    }
    assert sorted(group["cards"]) == ["2s", "3s", "4h", "9h"]
    # Seat 0 owes nothing any more.
    live.lay("7d")
    (taken,) = live.capture("9d", "", 2)
    assert sorted(taken.public.taken) == ["2s", "3s", "4h", "9h"]


def test_dl_7_3_partners_owe_nothing_for_each_other() -> None:
    partners = position("7s 2c", "7h", plain(1, "4h 3c", 2), options=FOUR)
    assert refusal(partners, lay("7s")) is None
    assert refusal(partners, capture("7s", "7h")) is None
    assert refusal(partners, capture("7s", "", 1)) is None


def test_dl_7_3_the_duty_ends_when_another_takes_the_declaration() -> None:
    own = plain(1, "4h 3c", 1)
    state = position("7s 2c", "", own, others=("7d 3d",))
    following = after(state, capture("7s", "", 1))
    assert refusal(following, lay("7d"), 1) is None


def test_dl_7_4_in_games_by_chance_an_owner_can_act_and_no_declaration_outlives_a_batch() -> None:
    owners = 0
    for number in range(6):
        rng = chance(("owners", number))
        options = Options(players=4) if number % 2 else Options()
        live = DilotiLive.started(deals=1, options=options, seed=rng.randbytes(32))
        while live.table.status == "playing":
            state: Playing = live.table.deal_state
            owned = [each.owner for each in state.declarations]
            assert len(owned) == len(set(owned))
            for each in state.declarations:
                kept = [card for card in state.hands[each.owner].known if card[0] == "A23456789T"[each.value - 1]]
                assert kept, "an owner keeps a card of the value"
            offers = live.offers(live.turn)
            assert offers
            owners += state.owned(live.turn) is not None
            declaring = [offer for offer in offers if offer.type == "declare"]
            live.take(live.turn, pick(declaring or offers, rng))
            if live.events[-1].public.TYPE == "batch-dealt":
                assert live.table.deal_state.declarations == ()
    assert owners > 20


# DL-8: xeri


def test_dl_8_1_a_capture_that_leaves_nothing_is_a_xeri_but_for_the_first_turn() -> None:
    live = dealt({0: "Ts 2c", 1: "2s 3c"}, "2h 3h 4h Ah")
    (first,) = live.capture("Ts", "2h 3h 4h Ah")
    assert not first.public.xeri
    live.lay("3c")
    live.lay("2c")
    assert live.capture("2s", "2c")[0].public.xeri is False
    following = position("3s 2c", "3h", turns=1)
    assert made(following, capture("3s", "3h")).xeri
    assert not made(position("3s 2c", "3h", plain(1, "4h 3c", 1)), capture("3s", "3h")).xeri
    assert made(position("7s 2c", "", plain(1, "4h 3c", 1)), capture("7s", "", 1)).xeri


def test_dl_8_1_the_last_turn_may_make_one() -> None:
    live = finished(DilotiLive.started(deals=1), chance("last"))
    state = position("3s", "3h", turns=47, others=("",))
    assert live.table.scored == 1
    assert made(replace(state, stock=()), capture("3s", "3h")).xeri
