"""NU-4 to NU-6: what a player may do at any time, what can be moved where, and who was first."""

from domain.games.nuts.events import CardBuilt, CardFounded
from domain.games.nuts.meta import Options
from domain.kernel.rejection import Code
from tests.games.nuts.tables import NutsLive
from tests.support.for_each import for_each


def test_nu_4_1_turn_lays_three_cards_and_shows_the_last() -> None:
    live = NutsLive.begun({"stock": "2c 3c 4c 5c"})
    event, *_ = live.act(0, "turn")
    assert (event.public.seat, event.public.count, event.public.top.card) == (0, 3, "0.4c")
    assert live.top(0, "discards") == ("4c", 2)
    assert live.pile(0, "discards") == ["4c", "3c", "2c"]
    for _ in range(10):
        live.act(0, "turn")
    event, *_ = live.act(0, "turn")
    assert (event.public.count, live.pile(0, "stock")) == (2, [])
    live.refuses(0, "turn", Code.RULE_VIOLATION, "NU-4.1")


def test_nu_4_2_flip_makes_the_discard_pile_the_stock() -> None:
    live = NutsLive.begun({"stock": "2c 3c 4c 5c"})
    live.refuses(0, "flip", Code.RULE_VIOLATION, "NU-4.2")
    before = live.pile(0, "stock")
    for _ in range(12):
        live.refuses(0, "flip", Code.RULE_VIOLATION, "NU-4.2")
        live.act(0, "turn")
    live.act(0, "flip")
    assert (live.pile(0, "stock"), live.pile(0, "discards")) == (before, [])
    live.refuses(0, "flip", Code.RULE_VIOLATION, "NU-4.2")


def test_nu_4_3_build_moves_a_card_with_all_cards_on_it() -> None:
    live = NutsLive.begun({"tableau": "9s 8h 7c 9c"})
    live.act(0, "build", card="0.8h", column=1)
    live.act(0, "build", card="0.7c", column=1)
    assert live.columns(0) == ["9s 8h 7c", "", "", "9c"]
    event, *_ = live.act(0, "build", card="0.8h", column=4)
    assert event.public == CardBuilt(0, "0.8h", "tableau", None, 4)
    assert live.columns(0) == ["9s", "", "", "9c 8h 7c"]


def test_nu_4_4_found_moves_a_single_card_to_the_middle() -> None:
    live = NutsLive.begun({"tableau": "3h 2s As Kc", "stock": "Qc"})
    live.act(0, "build", card="0.2s", column=1)
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.1", card="0.3h", foundation=1)
    live.founds(0, "As", "2s")
    assert live.columns(0) == ["3h", "", "", "Kc"]
    assert live.foundations == [("0.2s", 2)]


def test_nu_4_5_stuck_is_said_once() -> None:
    live = NutsLive.begun()
    live.act(1, "stuck")
    assert live.view("public")["stuck"] == (1,)
    live.refuses(1, "stuck", Code.RULE_VIOLATION, "NU-4.5")
    assert "stuck" in live.types(0)
    assert "stuck" not in live.types(1)


def test_nu_4_6_all_may_act_at_any_time_and_nobody_must() -> None:
    live = NutsLive.begun(options=Options(players=4))
    for seat in (3, 3, 0, 2, 3, 1):
        assert (live.to_act, live.phase) == ((), "racing")
        live.act(seat, "turn")


def test_nu_4_6_only_the_next_card_of_the_reserve_comes_to_light() -> None:
    live = NutsLive.begun({"reserve": "As 9c 4d", "tableau": "Ts Kc Ks Qs"})
    events = live.act(0, "found", card="0.As")
    assert [event.public.TYPE for event in events] == ["card-founded"]
    assert live.top(0, "reserve") == ("9c", 11)
    live.act(0, "turn")
    assert live.top(0, "reserve") == ("9c", 11)


def test_nu_5_1_what_can_be_moved() -> None:
    live = NutsLive.begun({"reserve": "8d 8h", "tableau": "9s 7s Kd Kh", "stock": "2c 3c 6d 4h"})
    refused = live.refuses(0, "build", Code.RULE_VIOLATION, "NU-5.1", card="0.8h", column=1)
    assert refused.startswith("0.8h cannot be moved to a column: ")
    live.refuses(0, "build", Code.RULE_VIOLATION, "NU-5.1", card="0.6d", column=2)
    live.refuses(0, "build", Code.RULE_VIOLATION, "NU-5.1", card="1.8d", column=1)
    live.act(0, "build", card="0.8d", column=1)
    live.act(0, "turn")
    live.refuses(0, "build", Code.RULE_VIOLATION, "NU-5.1", card="0.3c", column=2)
    live.act(0, "build", card="0.6d", column=2)
    event, *_ = live.act(0, "build", card="0.7s", column=1)
    assert (event.public.source, event.public.uncovered) == ("tableau", None)
    assert live.columns(0) == ["9s 8d 7s 6d", "", "Kd", "Kh"]
    for card, column in (("0.6d", 1), ("0.8d", 1), ("0.Kd", 3)):
        refused = live.refuses(0, "build", Code.RULE_VIOLATION, "NU-5.1", card=card, column=column)
        assert refused == f"{card} lies in column {column}, and goes onto another one"


def test_nu_5_1_nobody_touches_the_layout_of_another() -> None:
    live = NutsLive.begun({"reserve": "As"}, {"tableau": "Ad 9c Ks Kc"})
    live.refuses(1, "found", Code.RULE_VIOLATION, "NU-5.1", card="0.As")
    live.act(0, "found", card="0.As")
    # A founded card never moves again.
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.1", card="0.As")


@for_each("card, fits", [("8h", True), ("8d", True), ("8c", False), ("7h", False), ("Th", False), ("9h", False)])
def test_nu_5_2_one_rank_lower_and_of_the_other_colour(card: str, fits: bool) -> None:
    live = NutsLive.begun({"reserve": card, "tableau": "9s Ks Kc Qc"})
    columns = [
        offer["column"]["one_of"] for offer in live.offered(0, "build") if f"0.{card}" in offer["card"]["one_of"]
    ]
    assert ((1,) in columns) is fits
    if fits:
        live.act(0, "build", card=f"0.{card}", column=1)
    else:
        live.refuses(0, "build", Code.RULE_VIOLATION, "NU-5.2", card=f"0.{card}", column=1)


def test_nu_5_2_nothing_goes_on_an_ace_and_a_king_only_into_an_empty_column() -> None:
    live = NutsLive.begun({"reserve": "Kh", "tableau": "Ac 2h Qs Js"})
    live.refuses(0, "build", Code.RULE_VIOLATION, "NU-5.2", card="0.Kh", column=1)
    live.act(0, "build", card="0.Ac", column=2)
    live.act(0, "build", card="0.Kh", column=1)
    assert live.columns(0) == ["Kh", "2h Ac", "Qs", "Js"]


def test_nu_5_2_worked_example_3_an_empty_column_takes_any_card_but_no_whole_column() -> None:
    live = NutsLive.begun({"reserve": "Th 5h", "tableau": "9s 8h 7c 9c", "stock": "2c 3c 6c"})
    live.act(0, "build", card="0.8h", column=1)
    live.act(0, "build", card="0.7c", column=1)
    assert live.columns(0) == ["9s 8h 7c", "", "", "9c"]
    live.refuses(0, "build", Code.RULE_VIOLATION, "NU-5.2", card="0.9s", column=2)
    live.refuses(0, "build", Code.RULE_VIOLATION, "NU-5.2", card="0.9c", column=3)
    live.act(0, "build", card="0.7c", column=3)
    live.act(0, "build", card="0.Th", column=2)
    live.act(0, "build", card="0.9s", column=2)
    assert live.columns(0) == ["", "Th 9s 8h", "7c", "9c"]
    live.act(0, "turn")
    live.act(0, "build", card="0.6c", column=1)
    assert live.columns(0)[0] == "6c"


def test_nu_5_3_an_ace_starts_a_foundation_and_names_none() -> None:
    live = NutsLive.begun({"reserve": "As", "tableau": "2s Ah Kc Qc"}, {"reserve": "As"})
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.3", card="0.As", foundation=1)
    live.act(0, "found", card="0.As")
    event, *_ = live.act(1, "found", card="1.As")
    assert event.public.foundation == 2
    assert [offer["card"]["one_of"] for offer in live.offered(0, "found")] == [("0.Ah",), ("0.2s",)]
    assert live.offered(0, "found")[1]["foundation"] == {"one_of": (1, 2)}
    live.act(0, "found", card="0.2s", foundation=2)
    assert live.foundations == [("0.As", 1), ("0.2s", 2)]


def test_nu_5_3_one_rank_higher_of_its_suit() -> None:
    live = NutsLive.begun({"reserve": "As 3s", "tableau": "2h 4s Kc Qc"})
    live.act(0, "found", card="0.As")
    for card in ("0.2h", "0.3s", "0.4s"):
        live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.3", card=card, foundation=1)
    for foundation in (0, -1, 2, None):
        refused = live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.3", card="0.3s", foundation=foundation)
        named = "no foundation is named" if foundation is None else f"there is no foundation {foundation}"
        assert refused == f"{named}: there are 1 to 1"


def test_nu_5_3_a_foundation_with_its_king_is_complete() -> None:
    suit = [f"{rank}s" for rank in "A23456789TJQK"]
    live = NutsLive.begun({"reserve": " ".join(suit)}, options=Options(nuts_call="optional"))
    live.founds(0, *suit)
    assert live.foundations == [("0.Ks", 13)]
    assert live.offered(1, "found") == []


def raced() -> NutsLive:
    """Worked example 4: foundation 3 is hearts up to 4, and so is 7; seats 0 and 1 can put a five there, 2 a six."""
    live = NutsLive.begun(
        {"reserve": "2h 3h 4h", "tableau": "As Ad Ah 5h"},
        {"reserve": "Ac", "tableau": "As Ad Qs 5h"},
        {"reserve": "Ah 2h 3h 4h 7h", "tableau": "6h Kc Ks Qs"},
        options=Options(players=3),
    )
    live.founds(0, "As", "Ad", "Ah")
    live.founds(1, "Ac", "As", "Ad")
    live.act(2, "found", card="2.Ah")
    for seat, number in ((0, 3), (2, 7)):
        for card in ("2h", "3h", "4h"):
            live.act(seat, "found", card=f"{seat}.{card}", foundation=number)
    return live


def test_nu_6_1_each_act_is_judged_by_the_table_as_it_is() -> None:
    live = raced()
    stale = live.offered(0, "found")
    live.act(2, "turn")
    live.act(1, "turn")
    assert stale == live.offered(0, "found") == [{"card": {"one_of": ("0.5h",)}, "foundation": {"one_of": (3, 7)}}]
    live.act(0, "found", card="0.5h", foundation=3)


def test_nu_6_2_worked_example_4_the_second_of_two_cards_for_a_place_has_lost_a_race() -> None:
    live = raced()
    live.act(1, "found", card="1.5h", foundation=3)
    live.refuses(0, "found", Code.LOST_RACE, "NU-6.3", card="0.5h", foundation=3)
    assert live.columns(0)[3] == "5h"
    live.act(2, "turn")
    live.act(0, "found", card="0.5h", foundation=7)
    live.refuses(2, "found", Code.RULE_VIOLATION, "NU-5.3", card="2.7h", foundation=3)
    live.act(2, "found", card="2.6h", foundation=3)
    assert (live.foundations[2], live.foundations[6]) == (("2.6h", 6), ("0.5h", 5))


def test_nu_6_3_a_card_that_cannot_be_moved_there_lost_no_race() -> None:
    live = raced()
    live.act(1, "found", card="1.5h", foundation=3)
    live.act(2, "found", card="2.6h", foundation=3)
    live.refuses(0, "found", Code.LOST_RACE, "NU-6.3", card="0.5h", foundation=3)
    # It is founded already, another's, hidden, of another suit, on no foundation, or the rank is yet to come.
    live.refuses(1, "found", Code.RULE_VIOLATION, "NU-5.1", card="1.5h", foundation=3)
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.1", card="1.5h", foundation=3)
    # A card that cannot be moved breaks that rule first, wherever it was to go (NU-6.3).
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.1", card="0.2c", foundation=9)
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.1", card="0.2c", foundation=None)
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.1", card="0.2c", foundation=4)
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.3", card="0.5h", foundation=1)
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.3", card="0.5h", foundation=4)
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.3", card="0.5h", foundation=8)
    live.refuses(2, "found", Code.RULE_VIOLATION, "NU-5.3", card="2.7h", foundation=7)
    live.refuses(0, "build", Code.RULE_VIOLATION, "NU-5.2", card="0.5h", column=9)


def test_nu_6_4_the_acts_of_a_player_are_taken_as_they_come() -> None:
    live = NutsLive.begun({"reserve": "2s As"})
    live.refuses(0, "found", Code.RULE_VIOLATION, "NU-5.3", card="0.2s", foundation=1)
    live = NutsLive.begun({"reserve": "As 2s"})
    live.act(0, "found", card="0.As")
    live.act(0, "found", card="0.2s", foundation=1)
    assert [event.card for event in live.of(CardFounded)] == ["0.As", "0.2s"]


def test_nu_6_5_what_comes_after_the_act_that_ended_the_hand_is_too_late() -> None:
    suit = [f"{rank}s" for rank in "A23456789TJQK"]
    live = NutsLive.begun({"reserve": " ".join(suit)}, {"reserve": "Ah"})
    live.founds(0, *suit[:-1])
    # Seat 1 sees an ace that it could put down, and is too late.
    assert live.offered(1, "found") == [{"card": {"one_of": ("1.Ah", "1.As")}, "foundation": {"one_of": (None,)}}]
    live.founds(0, suit[-1])
    live.refuses(1, "found", Code.WRONG_PHASE, "NU-3.1", card="1.Ah")
    live.refuses(1, "found", Code.WRONG_PHASE, "NU-3.1", card="1.2s", foundation=1)
    assert live.table.totals == (13, -26)
