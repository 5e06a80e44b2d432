"""LO-4: a hand that the others see, and neither its owner nor the public."""

import random
from collections.abc import Iterator

import pytest
from msgspec import to_builtins

from domain.fair.deck import card_commitment
from domain.games.lorum.acts import Play
from domain.kernel.canonical import canonical
from domain.kernel.dealing import DealtHand
from domain.kernel.rejection import Code
from domain.table.seat_offers import offers
from domain.table.view import view
from domain.table.why import why_not
from tests.games.lorum.tables import HAIRY_APE, PACK, LorumLive, in_deal
from tests.support.games import EVERYBODY, chance, redacted

HANDS = {
    0: ["9s", "Ah", "Qh", "Jd", "Td", "Tc", "9c", "8c"],
    1: ["Kh", "As", "Ks", "Qs", "Js", "Ts", "8s", "7s"],
    2: ["Ad", "Kd", "Qd", "9d", "8d", "7d", "Jh", "Th"],
}
"""Seat 3 holds the rest: 9h 8h 7h Ac Kc Qc Jc 7c."""


def places(live: LorumLive, audience: str, seat: int) -> list[str | None]:
    """What the audience sees in the places of a seat; `None` for a hidden card, an empty text for none."""
    seen = live.view(audience)["seats"][seat]["places"]
    return [None if place["hidden"] else "".join(place["known"]) for place in seen]


def test_lo_4_1_a_seat_sees_the_three_other_hands_in_their_places_and_not_its_own() -> None:
    live = in_deal(HAIRY_APE, HANDS, dealer=3)
    for seat in range(4):
        for other in range(3):
            expected: list[str | None] = [None] * 8 if other == seat else [*HANDS[other]]
            assert places(live, f"seat:{seat}", other) == expected
    assert live.phase == "hairy-ape"


def test_lo_4_1_the_places_are_in_the_order_dealt() -> None:
    live = in_deal(HAIRY_APE, {0: list(reversed(HANDS[0]))})
    assert places(live, "seat:1", 0) == list(reversed(HANDS[0]))
    (section,) = [live.events[-1].section("seat:1", DealtHand)]
    assert section is not None
    own = [opening.card for opening in section.cards if opening.position in (0, 1, 2, 3, 16, 17, 18, 19)]
    assert own == list(reversed(HANDS[0]))


def test_lo_4_1_spectators_see_no_hand() -> None:
    live = in_deal(HAIRY_APE, HANDS)
    for seat in range(4):
        assert places(live, "public", seat) == [None] * 8
    assert not {card for card in PACK if f'"{card}"' in canonical(to_builtins(live.view("public"))).decode()}


def test_lo_4_1_no_card_stands_in_a_hand() -> None:
    live = in_deal(HAIRY_APE, HANDS)
    for audience in ("house", *live.audiences):
        assert [(seat["hand"]["known"], seat["hand"]["hidden"]) for seat in live.view(audience)["seats"]] == [
            ((), 0)
        ] * 4


def test_lo_4_1_each_seat_has_a_section_with_the_24_cards_of_the_others() -> None:
    live = in_deal(HAIRY_APE, HANDS)
    dealt = live.events[-1]
    for seat in range(3):
        section = redacted(dealt, f"seat:{seat}").section(f"seat:{seat}", DealtHand)
        assert section is not None
        assert {opening.card for opening in section.cards} == {*PACK} - {*HANDS[seat]}
        assert set(redacted(dealt, f"seat:{seat}").sealed) == {f"seat:{seat}"}


def test_lo_4_2_the_offers_name_places_alone() -> None:
    live = in_deal(HAIRY_APE, HANDS)
    assert [offer.describe() for offer in live.offers(0)] == [
        {"type": "turn-up", "fields": {"place": {"one_of": (1, 2, 3, 4, 5, 6, 7, 8)}}}
    ]
    live.do("turn-up", place=3)
    assert live.to_act == (1,)
    live.turn_up("8s", "9d", "7c")
    while live.turn != 0:
        live.do("turn-up", place=live.offered(live.turn, "turn-up")[0]["place"]["one_of"][0])
    assert live.offered(0, "turn-up") == [{"place": {"one_of": (1, 2, 4, 5, 6, 7, 8)}}]


def test_lo_4_2_the_card_is_turned_up_with_what_proves_it() -> None:
    live = in_deal(HAIRY_APE, HANDS, dealer=3)
    dealt = live.events[-1].public
    (event,) = live.do("turn-up", place=6)
    public = event.public
    assert (public.TYPE, public.seat, public.place, public.card) == ("card-turned", 0, 6, "Tc")
    assert (public.opening.position, public.opening.card) == (17, "Tc")
    commitment = card_commitment(bytes.fromhex(public.opening.salt), "Tc")
    assert commitment == dealt.card_commitments[17]
    for audience in live.audiences:
        assert places(live, audience, 0)[5] == ""
        assert live.view(audience)["trick"] == ({"seat": 0, "card": "Tc"},)


@pytest.mark.parametrize("place", [0, 9, -1, 2])
def test_lo_4_2_an_empty_place_cannot_be_named(place: int) -> None:
    live = in_deal(HAIRY_APE, HANDS)
    for own in (2, 2, 2, 2):
        live.do("turn-up", place=own)
    seat = live.turn
    live.refuses(seat, "turn-up", Code.RULE_VIOLATION, "LO-4.2", place=place)


def test_lo_4_2_in_turn() -> None:
    live = in_deal(HAIRY_APE, HANDS)
    for seat in (1, 2, 3):
        live.refuses(seat, "turn-up", Code.NOT_YOUR_TURN, "LO-4.2", place=1)
    live.refuses(0, "play", Code.WRONG_PHASE, "LO-4.2", card="9s")


def test_lo_4_2_there_is_no_duty_to_follow_suit() -> None:
    live = in_deal(HAIRY_APE, HANDS)
    live.turn_up("9s")
    assert live.offered(1, "turn-up") == [{"place": {"one_of": (1, 2, 3, 4, 5, 6, 7, 8)}}]
    live.turn_up("Kh")


def arranged(rng: random.Random) -> Iterator[dict[int, list[str]]]:
    """The hands in which one seat's cards stand in other places."""
    for seat in range(3):
        for _ in range(4):
            yield {**HANDS, seat: rng.sample(HANDS[seat], 8)}


def test_lo_4_2_two_worlds_that_differ_in_the_order_of_the_own_hand_look_alike_to_its_owner_and_the_public() -> None:
    """Until a card is turned up that tells them apart; the others see the difference at once."""
    one, rng = in_deal(HAIRY_APE, HANDS), chance("arranged")
    for hands in arranged(rng):
        (moved,) = [seat for seat in range(3) if hands[seat] != HANDS[seat]]
        other, same = in_deal(HAIRY_APE, hands), in_deal(HAIRY_APE, HANDS)
        while same.table.scored == one.table.scored and other.table.scored == one.table.scored:
            for audience in ("public", f"seat:{moved}"):
                folds = [live.known_to(audience) for live in (same, other)]
                views = [
                    canonical(to_builtins(view(live.game, fold, audience)))
                    for live, fold in zip((same, other), folds, strict=True)
                ]
                assert views[0] == views[1]
                for seat in range(4):
                    assert offers(same.game, folds[0], seat) == offers(other.game, folds[1], seat)
            watching = f"seat:{(moved + 1) % 4}"
            assert places(same, watching, moved) != places(other, watching, moved)
            seat = same.turn
            equal = [
                place
                for place in same.offered(seat, "turn-up")[0]["place"]["one_of"]
                if seat != moved or HANDS[seat][place - 1] == hands[seat][place - 1]
            ]
            if not equal:
                break
            place = rng.choice(equal)
            for live in (same, other):
                live.do("turn-up", place=place)


def test_lo_4_2_a_refusal_is_the_same_whatever_stands_there() -> None:
    for hands in (HANDS, {**HANDS, 0: HANDS[0][::-1]}):
        live = in_deal(HAIRY_APE, hands)
        texts = {live.refuses(0, "turn-up", Code.RULE_VIOLATION, "LO-4.2", place=9)}
        assert texts == {"no card stands at place 9: turn up 1, 2, 3, 4, 5, 6, 7 or 8"}


def test_lo_4_3_the_highest_of_the_suit_led_takes_all_if_one_later_card_is_of_it() -> None:
    live = in_deal(HAIRY_APE, HANDS)
    live.turn_up("9s", "Js", "Ad", "7c")
    assert [event.public.TYPE for event in live.events][-1] == "trick-won"
    assert live.to_act == (1,)
    assert live.view("public")["last_trick"]["winner"] == 1


def test_lo_4_3_the_leader_may_win_the_trick_too() -> None:
    live = in_deal(HAIRY_APE, HANDS)
    live.turn_up("9s", "7s", "Ad", "7c")
    assert live.to_act == (0,)
    assert [seat["tricks"] for seat in live.view("public")["seats"]] == [1, 0, 0, 0]


def test_lo_4_3_if_nobody_followed_each_captures_the_own_card_and_the_leader_leads_again() -> None:
    live = in_deal(HAIRY_APE, {**HANDS, 0: [*HANDS[0]]})
    live.turn_up("9c", "As", "Ad", "9h")
    kept = live.events[-1].public
    assert (kept.TYPE, kept.seat, kept.trick) == ("trick-kept", 0, 1)
    assert live.to_act == (0,)
    assert live.view("public")["last_trick"]["winner"] is None
    assert [seat["tricks"] for seat in live.view("public")["seats"]] == [0, 0, 0, 0]


def test_lo_4_4_who_captures_the_king_of_hearts_pays_4_and_the_deal_ends() -> None:
    """The second player captures the own king, since nobody followed."""
    live = in_deal(HAIRY_APE, HANDS)
    live.turn_up("9s", "Kh", "Ad", "7c")
    assert (live.gains(), live.pot) == ([0, -4, 0, 0], 4)
    assert (live.score.outcome, live.score.deal) == ("king-captured", 4)
    assert live.own_lines()[1] == [("LO-4.4", -4)]
    assert live.cited(live.score.lines[0]) == ["card-turned"] * 4 + ["trick-kept"]


def test_lo_4_4_the_leader_takes_it_where_somebody_followed() -> None:
    hands = {**HANDS, 1: [card for card in HANDS[1] if card != "7s"] + ["7c"]}
    live = in_deal(HAIRY_APE, {**hands, 3: ["7s", "9h", "8h", "7h", "Ac", "Kc", "Qc", "Jc"]})
    live.turn_up("9s", "Kh", "Ad", "7s")
    assert (live.gains(), live.pot) == ([-4, 0, 0, 0], 4)
    assert live.cited(live.score.lines[0]) == ["card-turned"] * 4 + ["trick-won"]


def test_lo_4_5_open_it_is_played_as_other_tricks_are() -> None:
    live = in_deal(HAIRY_APE, HANDS, options={"hairy_ape": "open"})
    assert live.phase == "play"
    assert live.hand(0) == live.game.pack.sorted(HANDS[0])
    assert live.view("seat:0")["seats"][0]["hand"]["known"] == live.hand(0)
    assert live.view("seat:1")["seats"][0]["hand"] == {"known": (), "hidden": 8}
    live.play("9s")
    assert "Kh" not in live.open_cards(1)
    live.refuses(1, "play", Code.RULE_VIOLATION, "LO-3.1", card="Kh")
    live.play("7s", "Ad", "9h")
    assert live.to_act == (0,)
    live.play("Qh")
    assert live.open_cards(1) == ["Kh"]
    live.play("Kh", "Jh", "8h")
    assert (live.gains(), live.pot, live.score.outcome) == ([0, -4, 0, 0], 4, "king-captured")


def test_a_player_may_be_told_nothing_by_the_default_act() -> None:
    """The house turns up the first place that is not empty, whatever stands there."""
    for hands in (HANDS, {**HANDS, 0: HANDS[0][::-1]}):
        live = in_deal(HAIRY_APE, hands)
        assert live.game.decider.default_action(live.known_to("public").deal_state, 0).place == 1
        live.do("turn-up", place=1)
    assert len(EVERYBODY) >= 4


def test_lo_4_2_is_why_no_card_is_played_by_name() -> None:
    live = in_deal(HAIRY_APE, {})
    for card in (None, "9s"):
        answer = why_not(live.game, live.table, 0, Play, {} if card is None else {"card": card})
        assert answer is not None
        assert (answer.code, answer.rule) == (Code.WRONG_PHASE, "LO-4.2")
