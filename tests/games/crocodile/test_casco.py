"""CR-7.6 and CR-7.7: Casco. Seat 0 is eldest and so declarer."""

import pytest

from domain.cards import Card
from domain.fair.deck import card_commitment
from domain.games.crocodile.events import CardsExchanged, CascoCards, CascoLaid, CascoTaken
from domain.games.crocodile.meta import ORDER, Options
from domain.kernel.rejection import Code
from domain.parts.exchange import ExchangedCards
from domain.table.events import CardsDealt
from tests.support.for_each import for_each
from tests.support.games import Live

FACE_UP = Options(casco_stock="face-up")
DEALT: list[Card] = ["2s", "Kh", "7c", "Ad", "3s", "Qh", "6c", "4d", "5s"]
TALON: list[Card] = ["Ks", "Qs", "Js", "7s", "6s", "4s", "As", "Jh", "7h", "6h", "Kc", "Qc", "Jc"]
LEFT: list[Card] = ["5h", "4h", "3h", "2h", "Ah", "5c", "4c", "3c", "2c"]
RIGHT: list[Card] = ["Ac", "Kd", "Qd", "Jd", "7d", "6d", "5d", "3d", "2d"]
LAID: list[Card] = ["Jc", "6h", "As", "Kc", "4s"]
SORTED_LAID: tuple[Card, ...] = ("4s", "As", "6h", "Kc", "Jc")
FACE_DOWN = [card for card in DEALT if card != "Qh"]
"""Declarer keeps the queen of hearts."""


def casco(options: Options | None = None) -> Live:
    """A table where declarer is to take the talon."""
    live = Live.stacked({0: DEALT, 1: LEFT, 2: RIGHT}, TALON, options=options)
    live.bid_out(0, "casco")
    return live


def laid(options: Options | None = None, trump: str | None = "s") -> Live:
    """A table where the first opponent is to exchange."""
    live = casco(options)
    live.do("take-casco", keep="Qh")
    live.do("lay-casco", lay=LAID, trump=trump)
    return live


def test_cr_7_6_declarer_keeps_one_discards_eight_and_takes_the_talon() -> None:
    live = casco()
    assert live.offered(0, "take-casco") == [{"keep": {"one_of": live.hand(0)}}]
    live.do("take-casco", keep="Qh")
    event = live.events[-1]
    assert event.public == CascoTaken(0)
    assert set(event.sealed) == {"seat:0"}
    cards = event.section("seat:0", CascoCards)
    assert cards is not None
    assert (cards.kept, list(cards.discarded)) == ("Qh", FACE_DOWN)
    assert [(opening.position, opening.card) for opening in cards.taken] == list(enumerate(TALON, 27))
    commitments = live.of(CardsDealt)[0].card_commitments
    for opening in cards.taken:
        assert card_commitment(bytes.fromhex(opening.salt), opening.card) == commitments[opening.position]
    assert set(live.hand(0)) == {"Qh", *TALON}
    assert (live.phase, live.to_act) == ("casco-declaration", (0,))


def test_cr_7_6_no_other_learns_what_was_kept_discarded_or_taken() -> None:
    live = casco()
    live.do("take-casco", keep="Qh")
    for audience in ("public", "seat:1", "seat:2"):
        view = live.view(audience)
        assert view["seats"][0]["hand"] == {"known": (), "hidden": 14}
        assert view["talon"] == {"known": (), "hidden": 0}
        assert view["stock"] == {"face_up": (), "face_down": {"known": (), "hidden": 8}}
    assert live.view("seat:0")["stock"]["face_down"] == {
        "known": tuple(sorted(FACE_DOWN, key=ORDER.__getitem__)),
        "hidden": 0,
    }


@pytest.mark.parametrize("card", ["Ks", "5h", "2d"])
def test_cr_7_6_the_card_kept_is_of_the_own_hand(card: str) -> None:
    casco().refuses(0, "take-casco", Code.RULE_VIOLATION, "CR-7.6", keep=card)


@pytest.mark.parametrize("seat", [1, 2])
def test_cr_7_6_only_declarer_takes_and_lays(seat: int) -> None:
    live = casco()
    assert live.offers(seat) == ()
    live.refuses(seat, "take-casco", Code.NOT_YOUR_TURN, "CR-7.6", keep=live.hand(seat)[0])
    live.refuses(0, "lay-casco", Code.WRONG_PHASE, "CR-7.6", lay=DEALT[:5])
    live.do("take-casco", keep="Qh")
    assert live.offers(seat) == ()
    live.refuses(seat, "lay-casco", Code.NOT_YOUR_TURN, "CR-7.6", lay=LAID)
    live.refuses(0, "take-casco", Code.WRONG_PHASE, "CR-7.6", keep="Qh")


@pytest.mark.parametrize("trump", ["s", "h", "d", "c", None])
def test_cr_7_6_five_cards_face_up_and_trumps_or_sans(trump: str | None) -> None:
    live = casco()
    live.do("take-casco", keep="Qh")
    offered = live.offered(0, "lay-casco")[0]
    assert offered["lay"] == {"some_of": live.hand(0), "min": 5, "max": 5}
    assert offered["trump"] == {"one_of": (None, "s", "h", "d", "c")}
    live.do("lay-casco", lay=LAID, trump=trump)
    assert live.events[-1].public == CascoLaid(0, SORTED_LAID, trump, None)  # type: ignore[arg-type] # a suit
    assert len(live.hand(0)) == 9
    for audience in ("public", "seat:1", "seat:2"):
        view = live.view(audience)
        assert view["seats"][0]["hand"] == {"known": (), "hidden": 9}
        assert view["stock"]["face_up"] == SORTED_LAID
        assert (view["contract"]["contract"], view["contract"]["trump"]) == ("casco", trump)


@for_each("lay", [LAID[:4], [*LAID, "Ks"], [*LAID[:4], LAID[0]], [], [*LAID[:4], "2s"], ["2s"], [*LAID[:4], "5h"]])
def test_cr_7_6_not_other_than_five_own_cards(lay: list[str]) -> None:
    live = casco()
    live.do("take-casco", keep="Qh")
    detail = live.refuses(0, "lay-casco", Code.RULE_VIOLATION, "CR-7.6", lay=lay)
    assert (detail == f"5 cards are laid, not {len(lay)}") == (len(lay) != 5)


@pytest.mark.parametrize(("options", "unseen"), [(None, 8), (Options(contraprimeras="if-lost"), 8), (FACE_UP, 0)])
def test_cr_7_7_what_may_be_drawn(options: Options | None, unseen: int) -> None:
    live = laid(options)
    hand = live.hand(1)
    assert live.offered(1, "exchange") == [
        {
            "discard": {"some_of": hand, "min": taken, "max": min(9, taken + unseen)},
            **({"take": {"some_of": SORTED_LAID, "min": taken, "max": taken}} if taken else {}),
        }
        for taken in range(6)
    ]
    assert live.types(1) == {"exchange", "offer-priority"}


def test_cr_7_7_face_up_cards_by_name_the_rest_from_the_top_of_the_face_down() -> None:
    live = laid()
    live.do("exchange", discard=LEFT[:5], take=["Kc", "As"])
    event = live.events[-1]
    assert event.public == CardsExchanged(1, 5, ("As", "Kc"))
    cards = event.section("seat:1", ExchangedCards)
    assert cards is not None
    assert [opening.card for opening in cards.drawn] == FACE_DOWN[:3] == ["2s", "Kh", "7c"]
    assert set(live.hand(1)) == {*LEFT[5:], "As", "Kc", "2s", "Kh", "7c"}
    for audience in ("public", "seat:2"):
        view = live.view(audience)
        assert view["seats"][1]["hand"] == {"known": ("As", "Kc"), "hidden": 7}
        assert view["stock"] == {"face_up": ("4s", "6h", "Jc"), "face_down": {"known": (), "hidden": 5}}
        assert view["exchanges"] == ({"seat": 1, "count": 5, "taken": ("As", "Kc")},)
    live.do("exchange", discard=RIGHT[:2], take=[])
    assert set(live.hand(2)) == {*RIGHT[2:], *FACE_DOWN[3:5]}


def test_cr_7_7_positions_of_drawn_discards_are_those_of_the_deal() -> None:
    live = laid()
    live.do("exchange", discard=LEFT[:3])
    cards = live.events[-1].section("seat:1", ExchangedCards)
    assert cards is not None
    commitments = live.of(CardsDealt)[0].card_commitments
    for opening in cards.drawn:
        assert card_commitment(bytes.fromhex(opening.salt), opening.card) == commitments[opening.position]
    assert [opening.position for opening in cards.drawn] == [0, 1, 2]


def test_cr_7_7_declarer_knows_which_of_the_own_discards_are_drawn() -> None:
    live = laid()
    live.do("exchange", discard=LEFT[:3], take=["Kc"])
    assert live.view("seat:0")["seats"][1]["hand"] == {"known": ("2s", "Kh", "Kc"), "hidden": 6}


@for_each(
    "discard, take",
    [
        (9, []),
        (0, ["Kc"]),
        (1, ["Kc", "As"]),
        (4, LAID),
        (2, ["Ks"]),
        (2, ["2s"]),
        (2, ["Kc", "Kc"]),
    ],
)
def test_cr_7_7_limits_of_the_first_opponent(discard: int, take: list[str]) -> None:
    laid().refuses(1, "exchange", Code.RULE_VIOLATION, "CR-7.7", discard=LEFT[:discard], take=take)


@for_each("discard, take", [(0, []), (8, []), (9, ["Kc"]), (5, LAID), (9, LAID), (1, ["Kc"])])
def test_cr_7_7_what_the_first_opponent_may_do(discard: int, take: list[str]) -> None:
    live = laid()
    live.do("exchange", discard=LEFT[:discard], take=take)
    assert live.of(CardsExchanged)[0].count == discard


def test_cr_7_7_whose_draw_needs_more_unseen_cards_than_are_left_may_not_discard_so_many() -> None:
    live = laid()
    live.do("exchange", discard=LEFT[:8], take=["Kc", "As"])
    live.refuses(2, "exchange", Code.RULE_VIOLATION, "CR-7.7", discard=RIGHT[:3])
    live.refuses(2, "exchange", Code.RULE_VIOLATION, "CR-7.7", discard=RIGHT[:6], take=["4s", "6h", "Jc"])
    live.do("exchange", discard=RIGHT[:5], take=["4s", "6h", "Jc"])
    assert live.phase == "play"


def test_cr_7_7_discards_of_opponents_are_not_drawn() -> None:
    live = laid()
    live.do("exchange", discard=LEFT[:8])
    assert [field["discard"]["max"] for field in live.offered(2, "exchange")] == [0, 1, 2, 3, 4, 5]
    live.do("exchange", discard=RIGHT[:5], take=LAID)
    assert set(live.hand(2)).isdisjoint(LEFT)


def test_cr_7_7_an_opponent_for_whom_no_card_is_left_is_passed_over() -> None:
    live = laid(FACE_UP)
    live.do("exchange", discard=LEFT[:5], take=LAID)
    assert (live.phase, live.to_act) == ("play", (0,))


@pytest.mark.parametrize(("discard", "take"), [(1, []), (2, ["Kc"]), (8, []), (6, LAID)])
def test_cr_7_7_face_up_one_for_each_discard(discard: int, take: list[str]) -> None:
    laid(FACE_UP).refuses(1, "exchange", Code.RULE_VIOLATION, "CR-7.7", discard=LEFT[:discard], take=take)


def test_cr_7_7_face_up_the_second_takes_what_the_first_left() -> None:
    live = laid(FACE_UP)
    live.do("exchange", discard=LEFT[:2], take=["Kc", "As"])
    live.refuses(2, "exchange", Code.RULE_VIOLATION, "CR-7.7", discard=RIGHT[:1], take=["Kc"])
    live.do("exchange", discard=RIGHT[:3], take=["4s", "6h", "Jc"])
    assert set(live.hand(2)) == {*RIGHT[3:], "4s", "6h", "Jc"}
    assert live.view("public")["stock"] == {"face_up": (), "face_down": {"known": (), "hidden": 0}}


def test_cr_7_7_no_face_up_card_is_taken_in_another_contract() -> None:
    live = Live.stacked({0: DEALT, 1: LEFT, 2: RIGHT}, TALON)
    live.bid_out(0, "solo")
    live.do("declare", contract="solo", trump="s")
    for discard in (LEFT[:1], RIGHT[:1]):
        detail = live.refuses(1, "exchange", Code.RULE_VIOLATION, "CR-7.1", discard=discard, take=[TALON[0]])
        assert detail == "cards are drawn from the top: only in Casco are some taken by name"


@pytest.mark.parametrize("accept", [True, False])
@pytest.mark.parametrize("options", [None, FACE_UP])
def test_cr_7_7_priority_is_offered_in_casco_too(options: Options | None, *, accept: bool) -> None:
    live = laid(options)
    live.do("offer-priority")
    live.do("answer-priority", accept=accept)
    order = []
    while live.phase == "exchange":
        order.append(live.turn)
        live.do("exchange")
    assert order == ([2, 1] if accept else [1, 2])
