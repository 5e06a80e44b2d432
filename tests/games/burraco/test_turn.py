"""BU-4, BU-6, BU-8, BU-9: turns, laying and adding, the pozzetto, and how a deal ends."""

from typing import Any

import pytest
from msgspec.structs import asdict, replace

from domain.games.burraco import BURRACO
from domain.games.burraco.acts import Add, BurracoAction, Discard, Lay
from domain.games.burraco.events import (
    CardAdded,
    CardDiscarded,
    CardDrawn,
    MeldLaid,
    PileTaken,
    PozzettoOpened,
    PozzettoTaken,
)
from domain.games.burraco.melds import arranged
from domain.games.burraco.meta import ORDER, Options
from domain.games.burraco.state import Drawing, Meld, Melding
from domain.kernel.game import check
from domain.kernel.hands import Hand, with_hand
from domain.kernel.refusals import Broken, first_broken
from domain.kernel.rejection import Code, Rejected
from domain.table.events import CardsDealt, DealScored
from tests.games.burraco.tables import KINGS, RUN, TWO, BurracoLive, dealt, laid_out
from tests.games.burraco.test_melds import cards
from tests.support.games import chance, pick

CLOSING = "Ah Ad Ac As 3h 4h 5h 6h 7h 8h Td"
"""A pozzetto that can be laid, but for the last card."""


def drawn(live: BurracoLive) -> BurracoLive:
    """The table after the seat whose turn it is has drawn from the stock."""
    live.do("draw")
    return live


def types(events: tuple[Any, ...]) -> list[str]:
    """The types of what happened."""
    return [event.public.TYPE for event in events]


def melding(
    hand: str, *, melds: tuple[str, ...] = (), taken: bool = True, barred: str | None = None
) -> tuple[Melding, dict[str, str]]:
    """A turn of seat 0 with this hand and these melds of the side; its cards by name."""
    common = dealt({}).table.deal_state.common
    chosen = cards(" ".join((hand, *melds)))
    by_name = dict(zip(" ".join((hand, *melds)).split(), chosen, strict=True))
    held = [by_name[name] for name in hand.split()]
    made = [arranged([by_name[name] for name in names.split()]) for names in melds]
    laid = tuple(Meld(number, 0, meld, None, (9,)) for number, meld in enumerate(made, 1) if meld is not None)
    hands = with_hand(common.hands, 0, Hand.of(tuple(held), ORDER))
    takers = (2 if taken else None, None)
    state = Melding(replace(common, hands=hands, melds=laid, takers=takers), 0, barred and by_name[barred])
    return state, by_name


def refusal(state: Melding, action: BurracoAction) -> str | None:
    """The rule by which seat 0 may not do so, which its row must say; None if it may."""
    broken = first_broken(BURRACO.acts, BURRACO.pack, state, 0, type(action), asdict(action))
    rule = None
    try:
        check(BURRACO, state, 0, action)
    except Rejected as refused:
        rule = refused.rule
    assert rule == (None if broken is None else broken.rule)
    return rule


def lay(state: tuple[Melding, dict[str, str]], names: str, wild: str | None = None) -> str | None:
    """The rule by which seat 0 may not lay this; None if it may."""
    phase, by_name = state
    return refusal(phase, Lay(tuple(by_name[name] for name in names.split()), wild and by_name[wild]))


def add(state: tuple[Melding, dict[str, str]], meld: int, name: str) -> str | None:
    """The rule by which seat 0 may not add this card; None if it may."""
    phase, by_name = state
    return refusal(phase, Add(meld, by_name[name]))


def discard(state: tuple[Melding, dict[str, str]], name: str) -> str | None:
    """The rule by which seat 0 may not discard this card; None if it may."""
    phase, by_name = state
    return refusal(phase, Discard(by_name[name]))


# a turn


def test_bu_4_1_draw_then_meld_then_discard() -> None:
    live = dealt({0: RUN}, up="Td")
    assert live.types(0) == {"draw", "take-pile"}
    assert live.types(1) == set()
    live.refuses(1, "draw", Code.NOT_YOUR_TURN, "BU-4.1")
    live.refuses(0, "discard", Code.WRONG_PHASE, "BU-4.1", card="3s.1")
    live.do("draw")
    assert live.types(0) == {"lay", "discard"}
    live.refuses(0, "draw", Code.WRONG_PHASE, "BU-4.1")
    live.refuses(2, "lay", Code.NOT_YOUR_TURN, "BU-4.1", cards=["3s.1", "4s.1", "5s.1"])
    live.lay("3s 4s 5s")
    assert live.types(0) == {"lay", "add", "discard"}
    live.discard("9s")
    assert live.turn == 1
    (event,) = live.do("take-pile")
    assert event.public == PileTaken(1, ("Td.1", "9s.1"))
    assert live.view("public")["pile"] == {"known": [], "hidden": 0}
    # A pile of two cards bars nothing.
    live.discard("9s")


def test_the_view_says_which_card_lies_on_top_of_the_pile() -> None:
    live = dealt({0: "Kd", 1: "4s"}, up="7h.1")
    assert live.view("public")["top"] == "7h.1"
    drawn(live).discard("Kd")
    drawn(live).discard("4s")
    view = live.view("public")
    assert (view["top"][:2], len(view["pile"]["known"])) == ("4s", 3)
    live.do("take-pile")
    assert live.view("public")["top"] is None


def test_bu_4_2_the_only_card_of_a_pile_may_not_go_back_at_once() -> None:
    live = dealt({0: "7h.2"}, up="7h.1")
    live.do("take-pile")
    assert live.view("public")["barred"] == "7h.1"
    live.refuses(0, "discard", Code.RULE_VIOLATION, "BU-4.2", card="7h.1")
    live.do("discard", card="7h.2")
    assert live.view("public")["barred"] is None


def test_bu_4_2_where_nothing_but_the_barred_card_is_left_it_must_be_added() -> None:
    state = melding("7h", melds=("4h 5h 6h",), taken=False, barred="7h")
    assert {offer.type for offer in BURRACO.decider.offers(state[0], 0)} == {"add"}
    assert discard(state, "7h") == "BU-4.2"
    any_card = first_broken(BURRACO.acts, BURRACO.pack, state[0], 0, Discard, {})
    assert any_card == Broken("BU-4.2", "7h.1 was the whole pile that you took in this turn, and you hold nothing else")
    assert BURRACO.decider.default_action(state[0], 0) == Add(1, "7h.1")


@pytest.mark.parametrize("name", ["2h", "Jo.1", "9d", "Ac"])
def test_bu_4_3_any_card_may_be_discarded(name: str) -> None:
    live = drawn(dealt({0: name}))
    (event,) = live.discard(name)
    assert event.public == CardDiscarded(0, live.events[live.version - 1].public.card, closes=False, idle=0)
    live.refuses(1, "discard", Code.WRONG_PHASE, "BU-4.1", card="Ks.1")


# laying and adding


def test_bu_6_1_three_cards_of_the_hand_that_are_a_meld_are_laid() -> None:
    live = drawn(dealt({0: "3s 4s 5s 9s 9h 9d Jo.1 7c", 1: "6c 7c 8c"}, stock="2d"))
    live.refuses(0, "lay", Code.RULE_VIOLATION, "BU-6.1", cards=["3s.1", "4s.1", "9s.1"])
    live.refuses(0, "lay", Code.RULE_VIOLATION, "BU-6.1", cards=["6c.1", "7c.2", "8c.1"])
    live.refuses(0, "lay", Code.RULE_VIOLATION, "BU-6.1", cards=["3s.1", "4s.1"], wild="9s.1")
    live.refuses(0, "lay", Code.RULE_VIOLATION, "BU-6.1", cards=["9s.1", "9h.1", "2d.1"])
    (first,) = live.lay("5s 3s 4s")
    assert first.public == MeldLaid(0, 1, ("3s.1", "4s.1", "5s.1"), None)
    (second,) = live.lay("9s 9h", "Jo.1")
    assert second.public == MeldLaid(0, 2, ("9s.1", "9h.1", "Jo.1"), "Jo.1")
    live.discard("2d")
    live.do("draw")
    (third,) = live.lay("6c 7c 8c")
    # Numbered together.
    assert third.public.meld == 3


def test_bu_6_2_a_card_is_added_to_a_meld_of_the_own_side() -> None:
    live = drawn(dealt({0: "3s 4s 5s", 1: "6s.2", 2: "6s.1 2d"}))
    live.lay("3s 4s 5s")
    live.discard("Ah" if "Ah.1" in live.hand(0) else live.hand(0)[0])
    live.do("draw")
    live.refuses(1, "add", Code.RULE_VIOLATION, "BU-6.2", meld=1, card="6s.2")
    live.discard("6s.2")
    live.do("draw")
    (event,) = live.add(1, "6s.1")
    assert event.public == CardAdded(2, 1, "6s.1", ("3s.1", "4s.1", "5s.1", "6s.1"), None, None)
    live.add(1, "2d")
    live.refuses(2, "add", Code.RULE_VIOLATION, "BU-6.2", meld=1, card=live.hand(2)[-1])
    assert live.melds() == ["* 3s 4s 5s 6s"]


def reasons(state: tuple[Melding, dict[str, str]], action: BurracoAction) -> tuple[str | None, str]:
    """The rule by which seat 0 may not do so, and what is wrong with it."""
    with pytest.raises(Rejected) as refused:
        check(BURRACO, state[0], 0, action)
    return refused.value.rule, refused.value.detail


def test_bu_5_6_is_cited_for_a_second_wild_card_and_for_no_other() -> None:
    # Besides the joker, which BU-5.6 keeps out, there is a natural card that does not fit.
    state = melding("Jo.2 Kd 6c", melds=("3c 4c 5c Jo.1",))
    second = "Jo.1 counts as wild in meld 1, which takes no second wild card"
    assert reasons(state, Add(1, "Jo.2")) == ("BU-5.6", second)
    assert reasons(state, Add(1, "Kd.1")) == ("BU-6.2", "Jo.1, 3c.1, 4c.1, 5c.1 with Kd.1 are no meld")
    other = melding("2c Kd 6c", melds=("7c 8c Jo.1",))
    assert reasons(other, Add(1, "2c.1"))[1].endswith("and no 2 of its suit would stand in its own place")


def test_bu_6_5_is_cited_for_an_end_of_the_turn_that_an_addition_takes_and_for_no_other() -> None:
    state = melding("6c 4d", melds=("3c 4c 5c",))
    assert reasons(state, Add(1, "6c.1")) == ("BU-6.5", "only 4d.1 would be left, and your side has no burraco")
    # This one fits nowhere.
    assert reasons(state, Add(1, "4d.1")) == ("BU-6.2", "3c.1, 4c.1, 5c.1 with 4d.1 are no meld")
    assert reasons(state, Add(2, "6c.1")) == ("BU-6.2", "there is no meld 2 on the table")
    assert reasons(state, Add(1, "7c.1")) == ("BU-6.2", "you do not hold 7c.1")
    assert reasons(state, Add(2, "7c.1")) == ("BU-6.2", "you do not hold 7c.1")
    state = melding("Kd 4d", melds=("3c 4c 5c",))
    assert reasons(state, Add(1, "4d.1")) == ("BU-6.2", "3c.1, 4c.1, 5c.1 with 4d.1 are no meld")
    assert reasons(state, Lay(("4d.1",))) == ("BU-6.1", "a meld is laid as three cards, and 1 are named")
    for act, fields, rule, detail in (
        (Lay, {}, "BU-6.1", "no three cards of your hand are a meld"),
        (Lay, {"cards": ("9h.1", "9d.1")}, "BU-6.1", "you do not hold 9h.1"),
        (Add, {}, "BU-6.2", "no card of your hand fits any meld of your side"),
    ):
        assert first_broken(BURRACO.acts, BURRACO.pack, state[0], 0, act, fields) == Broken(rule, detail)


def test_bu_6_5_says_what_would_be_left() -> None:
    three = Lay(("9h.1", "9d.1", "9c.1"))
    for state, left in (
        (melding("9h 9d 9c"), "no card would be left to close with, and your side has taken its pozzetto"),
        (melding("9h 9d 9c 2d", melds=(RUN,)), "only 2d.1 would be left, and no wild card closes"),
        (
            melding("9h 9d 9c 4d", melds=(RUN,), barred="4d"),
            "only 4d.1 would be left, which may not be discarded in this turn",
        ),
        (
            melding("9h 9d 9c 4d", taken=False, barred="4d"),
            "only 4d.1 would be left, which may not be discarded in this turn and does not go into a meld",
        ),
    ):
        assert reasons(state, three) == ("BU-6.5", left)
        # Which cards are left depends on the wild card too.
        assert first_broken(BURRACO.acts, BURRACO.pack, state[0], 0, Lay, {"cards": three.cards}) is None


def test_bu_6_1_a_wild_card_among_cards_is_told_of_the_field_wild() -> None:
    state = melding("9s 9h 9d 2s 3s 4s 2d Jo.1")
    field = "counts as wild here: it is named in the field wild, and not among cards"
    assert reasons(state, Lay(("9s.1", "9h.1", "2d.1"))) == ("BU-6.1", f"2d.1 {field}")
    assert reasons(state, Lay(("9h.1", "Jo.1"), "9s.1")) == ("BU-6.1", f"Jo.1 {field}")
    own = "stands in its own place here: it is named among cards, and wild is left out"
    assert reasons(state, Lay(("3s.1", "4s.1"), "2s.1")) == ("BU-6.1", f"2s.1 {own}")


def test_bu_5_1_one_card_of_a_meld_is_wild_at_most_and_there_are_no_sets_of_wild_cards() -> None:
    state = melding("9s 9h 2s 2h 2d Jo.1")
    wild = "would count as wild, and one card at most may"
    assert reasons(state, Lay(("9s.1", "Jo.1"), "2d.1")) == ("BU-5.1", f"Jo.1 and 2d.1 {wild}")
    assert reasons(state, Lay(("2s.1", "2h.1", "2d.1"))) == ("BU-5.1", f"2s.1 and 2h.1 and 2d.1 {wild}")
    assert reasons(state, Lay(("9s.1", "9s.1"), "2d.1")) == ("BU-6.1", "9s.1 is named twice")


def test_bu_4_1_is_cited_for_a_discard_that_is_not_held_and_bu_4_2_for_the_barred_card() -> None:
    state = melding("9h 9d 9c 4d", barred="4d")
    assert reasons(state, Discard("Kd.1")) == ("BU-4.1", "you do not hold Kd.1")
    assert reasons(state, Discard("4d.1")) == ("BU-4.2", "4d.1 was the whole pile that you took in this turn")


def test_bu_6_4_cards_laid_stay_laid() -> None:
    live = laid_out(drawn(dealt({0: f"{RUN} {KINGS}"}, stock="4d")))
    before = live.melds()
    live.discard("4d")
    live.pass_by(6)
    assert live.melds() == before
    assert [tag.__struct_config__.tag for tag in BURRACO.action_types] == ["draw", "take-pile", "lay", "add", "discard"]


def test_bu_6_5_a_last_card_is_left_only_where_it_may_go() -> None:
    # Example 4: the side has its pozzetto, but no burraco; then with one.
    assert lay(melding("9h 9d 9c 4d"), "9h 9d 9c") == "BU-6.5"
    assert lay(melding("9h 9d 9c 4d", melds=(RUN,)), "9h 9d 9c") is None
    assert lay(melding("9h 9d 9c 2d", melds=(RUN,)), "9h 9d 9c") == "BU-6.5"
    assert lay(melding("9h 9d 9c 4d", taken=False), "9h 9d 9c") is None
    assert lay(melding("9h 9d 9c"), "9h 9d 9c") == "BU-6.5"
    assert lay(melding("9h 9d 9c", taken=False), "9h 9d 9c") is None
    assert lay(melding("9h 9d 9c 4d 5d"), "9h 9d 9c") is None
    assert add(melding("6c 4d", melds=("3c 4c 5c",)), 1, "6c") == "BU-6.5"
    assert add(melding("6c 4d", melds=("3c 4c 5c",), taken=False), 1, "6c") is None
    assert add(melding("6c", melds=("3c 4c 5c",)), 1, "6c") == "BU-6.5"


def test_bu_6_5_the_added_card_may_make_the_burraco_that_lets_the_last_one_close() -> None:
    six = "3c 4c 5c 6c 7c 8c"
    assert add(melding("9c 4d", melds=(six,)), 1, "9c") is None
    assert add(melding("9c 2d", melds=(six,)), 1, "9c") == "BU-6.5"


def test_bu_6_5_a_barred_card_may_be_left_if_it_can_be_added_to_a_meld_as_it_then_is() -> None:
    fits = melding("9h 9d 9c 9s", taken=False, barred="9s")
    assert lay(fits, "9h 9d 9c") is None
    assert lay(melding("9h 9d 9c 4d", taken=False, barred="4d"), "9h 9d 9c") == "BU-6.5"
    assert lay(melding("9h 9d 9c 4d", melds=(RUN,), barred="4d"), "9h 9d 9c") == "BU-6.5"
    # Once a joker stands in the meld, the barred 2 goes in no more.
    alone = melding("Jo.1 2d", melds=("7c 8c 9c",), taken=False, barred="2d")
    assert add(alone, 1, "Jo.1") == "BU-6.5"
    assert add(melding("Jo.1 2d", melds=("7c 8c 9c",), taken=False), 1, "Jo.1") is None


def test_bu_6_5_no_turn_is_ever_without_an_end() -> None:
    rng = chance("ends")
    for number in range(6):
        live = BurracoLive.started(deals=1, seed=bytes([number]) * 32, options=TWO if number % 2 else Options())
        while live.table.status == "playing":
            offers = live.offers(live.turn)
            assert offers
            live.take(live.turn, pick([offer for offer in offers if offer.type != "discard"] or offers, rng))


# the pozzetto


def test_bu_8_1_each_side_takes_one_the_first_that_is_left() -> None:
    hands = {0: f"{RUN} {KINGS}", 1: "3c 4c 5c 6c 7c 8c 9c Qh Qd Qc Qs"}
    live = laid_out(drawn(dealt(hands, stock="4d 4d")))
    events = live.discard("4d")
    assert [event.public for event in events[1:]] == [PozzettoTaken(0, 1)]
    live.do("draw")
    live.lay("3c 4c 5c")
    live.add(3, "6c 7c 8c 9c")
    live.lay("Qh Qd Qc")
    live.add(4, "Qs")
    assert live.discard("4d")[1].public == PozzettoTaken(1, 2)
    assert [side["pozzetto"] for side in live.view("public")["sides"]] == [0, 1]


def test_bu_8_2_a_hand_emptied_by_melding_is_the_pozzetto_at_once() -> None:
    live = drawn(dealt({0: f"{RUN} {KINGS}"}, stock="Ts", pozzetti=(CLOSING, "")))
    laid_out(live)
    events = live.add(1, "Ts")
    assert [event.public for event in events[1:]] == [PozzettoTaken(0, 1), PozzettoOpened(0)]
    assert set(events[-1].sealed) == {"seat:0"}
    assert (live.turn, live.phase, len(live.hand(0))) == (0, "meld", 11)
    assert set(live.hand(0)) == {each.card for each in events[-1].sealed["seat:0"].cards}
    between = live.version - 1
    assert [live.view(audience, between)["to_act"] for audience in live.audiences] == [[]] * 5


def test_bu_8_3_a_hand_emptied_by_the_discard_waits_face_down() -> None:
    # Example 5: the last discard may be wild.
    live = laid_out(drawn(dealt({0: f"{RUN} {KINGS}"}, stock="2d", pozzetti=(CLOSING, ""))))
    assert types(live.discard("2d")) == ["card-discarded", "pozzetto-taken"]
    lying = {"known": [], "hidden": 11}
    for audience in live.audiences:
        view = live.view(audience)
        assert (view["pozzetti"], view["face_down"]) == ([lying, lying], [0])
        assert view["seats"][0]["hand"] == {"known": [], "hidden": 0}
    assert live.types(0) == set()
    live.pass_by(2)
    live.do("draw")
    before = live.hand(3)
    events = live.do("discard", card=before[0])
    assert types(events) == ["card-discarded", "pozzetto-opened"]
    assert (live.turn, live.phase, len(live.hand(0))) == (0, "draw", 11)
    assert [len(live.view(audience)["seats"][0]["hand"]["known"]) for audience in live.audiences] == [0, 11, 0, 0, 0]


# the end of a deal


def test_bu_9_1_a_side_with_its_pozzetto_empties_a_hand_only_by_closing() -> None:
    assert add(melding("Ts", melds=(RUN,)), 1, "Ts") == "BU-6.5"
    assert add(melding("Ts Td", melds=(RUN,)), 1, "Ts") is None
    assert discard(melding("Td", melds=(RUN,)), "Td") is None


def closing(last: str = "Td") -> BurracoLive:
    """Seat 0 has its pozzetto and a burraco, and two cards left: the 8 of hearts, which can be added, and this one."""
    pozzetto = CLOSING.replace("Td", last)
    live = laid_out(drawn(dealt({0: f"{RUN} {KINGS}"}, stock="Ts", pozzetti=(pozzetto, ""))))
    live.add(1, "Ts")
    live.lay("Ah Ad Ac")
    live.add(3, "As")
    live.lay("3h 4h 5h")
    live.add(4, "6h 7h")
    return live


def test_bu_9_2_the_last_card_of_a_side_with_pozzetto_and_burraco_closes() -> None:
    live = closing()
    live.add(4, "8h")
    events = live.discard("Td")
    assert events[0].public == CardDiscarded(0, live.events[events[0].version - 1].public.card, closes=True, idle=0)
    assert types(events)[1] == "deal-scored"
    assert live.score.outcome == "closed"


@pytest.mark.parametrize("last", ["2d", "Jo.1"])
def test_bu_9_2_no_wild_card_closes(last: str) -> None:
    live = closing(last)
    live.refuses(0, "add", Code.RULE_VIOLATION, "BU-6.5", meld=4, card="8h.1")
    live.discard("8h")
    assert len(live.hand(0)) == 1


def test_bu_9_2_the_partner_may_close() -> None:
    assert lay(melding("9h 9d 9c 4d", melds=(RUN,), taken=True), "9h 9d 9c") is None
    state, by_name = melding("4d", melds=(RUN,))
    event = BURRACO.decider.decide(state, 0, Discard(by_name["4d"]))
    assert event.public == CardDiscarded(0, by_name["4d"], closes=True, idle=0)


@pytest.mark.parametrize(("options", "draws"), [(Options(), 39), (TWO, 61)])
def test_bu_9_3_the_draw_that_leaves_two_cards_is_the_last(options: Options, draws: int) -> None:
    live = dealt({}, options=options)
    live.pass_by(draws - 1)
    assert live.view("public")["stock"]["hidden"] == 3
    live.do("draw")
    assert live.view("public")["stock"]["hidden"] == 2
    # It is played to its end.
    assert live.phase == "meld"
    events = live.discard(live.hand(live.turn)[0])
    assert types(events)[1] == "deal-scored"
    assert live.score.outcome == "stock-exhausted"
    assert len(live.of(CardDrawn)) == draws


def test_bu_9_3_the_last_turn_may_close_or_take_a_pozzetto() -> None:
    # The 39th draw of four players is that of seat 2; with the discard it empties its hand.
    live = dealt({2: f"{RUN} {KINGS}"}, last="4d 9d 9d")
    live.pass_by(38)
    assert live.turn == 2
    live.do("draw")
    laid_out(live)
    assert types(live.discard("4d"))[:3] == ["card-discarded", "pozzetto-taken", "deal-scored"]
    # Nobody looks at that pozzetto any more.
    assert live.of(PozzettoOpened) == []
    (pozzetto,) = [line for line in live.score.lines if line.seat == 2 and line.text.startswith("Cards left to seat 2")]
    assert pozzetto.rule == "BU-10.5"


def idle_turn(live: BurracoLive) -> tuple[Any, ...]:
    """The seat whose turn it is takes the only card of the pile and discards another."""
    (taken,) = live.view("public")["pile"]["known"]
    live.do("take-pile")
    return live.do("discard", card=next(card for card in live.hand(live.turn) if card != taken))


@pytest.mark.parametrize("options", [Options(), TWO])
def test_bu_9_4_an_idle_turn_of_each_player_ends_the_deal(options: Options) -> None:
    live = dealt({}, options=options)
    for number in range(1, options.players):
        (event,) = idle_turn(live)
        assert event.public.idle == number
        assert live.view("public")["idle"] == number
    events = idle_turn(live)
    assert types(events)[:2] == ["card-discarded", "deal-scored"]
    assert live.score.outcome == "stalemate"


def test_bu_9_4_who_melds_or_draws_or_takes_more_is_not_idle() -> None:
    live = dealt({2: "3s 4s 5s"})
    idle_turn(live)
    idle_turn(live)
    live.do("take-pile")
    live.lay("3s 4s 5s")
    live.do("discard", card=next(card for card in live.hand(2) if card != live.view("public")["barred"]))
    assert live.view("public")["idle"] == 0
    idle_turn(live)
    live.pass_by()
    assert live.view("public")["idle"] == 0
    live.do("take-pile")
    live.discard(live.hand(live.turn)[0])
    assert live.view("public")["idle"] == 0


def test_bu_9_5_nobody_can_keep_a_deal_going() -> None:
    for options in (Options(), TWO):
        live = dealt({}, options=options)
        rng, idle = chance("stubborn"), 0
        while live.of(DealScored) == []:
            # Who wants no end takes every pile, and does something else only to break a row of idle turns.
            state = live.table.deal_state
            offers = live.offers(live.turn)
            if isinstance(state, Drawing):
                idle = state.common.idle
                kind = "take-pile" if len(state.common.pile) > 1 or idle < options.players - 1 else "draw"
                live.do(kind)
            else:
                last = idle == options.players - 1 and state.barred is not None
                wanted = [offer for offer in offers if (offer.type != "discard") == last]
                live.take(live.turn, pick(wanted or offers, rng))
        turns = len(live.of(CardDiscarded))
        assert len(live.of(CardsDealt)) == 2 or live.table.status == "finished"
        draws = {2: 61, 4: 39}[options.players]
        assert turns <= draws * (options.players + 2) + 108 * options.players
        assert live.version < 3000
