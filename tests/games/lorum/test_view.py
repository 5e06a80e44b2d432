"""A view has all that lies open at a table of Lórum, so that a client need not fold events to show it."""

from typing import Any

from domain.games.lorum import LORUM
from tests.games.lorum.tables import DOMINO, EACH, HAIRY_APE, NO_HEARTS, QUART, QUEENS, TRAIN, LorumLive, in_deal
from tests.games.sentences import summary
from tests.support.for_each import for_each
from tests.support.games import chance, step

PLAYED = ("card-played", "card-turned", "card-counted", "card-added", "card-laid")
"""The types of events that play a card."""


def seats(live: LorumLive, field: str, audience: str = "public") -> list[Any]:
    """What the view says of each seat."""
    return [seat[field] for seat in live.view(audience)["seats"]]


def played(live: LorumLive) -> list[dict[str, Any]]:
    """The cards played in the deal and who played them, from its events."""
    events = [event.public for event in live.events if event.deal == live.table.deal]
    return [{"seat": public.seat, "card": public.card} for public in events if public.TYPE in PLAYED]


@for_each("kind", range(NO_HEARTS, DOMINO + 1))
def test_every_card_played_is_shown_with_the_seat_that_played_it_and_the_others_are_counted(kind: int) -> None:
    """By chance, for every audience."""
    live = in_deal(kind, {})
    rng = chance(f"played {kind}")
    while live.table.deal == kind and live.table.running_deal is not None:
        cards = played(live)
        left = [EACH - sum(card["seat"] == seat for card in cards) for seat in range(4)]
        for audience in live.audiences:
            assert list(live.view(audience)["played"]) == cards
            assert seats(live, "cards_left", audience) == left
        step(live, rng)


def test_captured_cards_that_cost_lie_before_their_captors() -> None:
    live = in_deal(NO_HEARTS, {0: ["As", "Ah"], 1: ["7s", "7h"], 2: ["Ks", "8h"], 3: ["Qs", "9h"]})
    assert seats(live, "captured") == [()] * 4
    live.play("As", "7s", "Ks", "Qs")
    assert seats(live, "captured") == [()] * 4
    live.play("Ah", "7h", "8h", "9h")
    assert seats(live, "captured") == [("Ah", "9h", "8h", "7h"), (), (), ()]
    assert live.view("public")["points"] == (4, 0, 0, 0)


def test_no_card_but_the_queens_is_shown_where_queens_cost() -> None:
    live = in_deal(QUEENS, {0: ["As"], 1: ["Qs"], 2: ["7s"], 3: ["8s"]})
    live.play("As", "Qs", "7s", "8s")
    assert seats(live, "captured") == [("Qs",), (), (), ()]
    assert live.view("public")["points"] == (2, 0, 0, 0)


def test_the_king_of_hearts_lies_before_its_captor() -> None:
    """Until its trick is captured nobody has it; with that trick the deal ends."""
    live = in_deal(HAIRY_APE, {0: ["9s"], 1: ["Ts"], 2: ["Kh"], 3: ["7d"]})
    live.turn_up("9s", "Ts", "Kh", "7d")
    won = next(number for number, event in enumerate(live.events, 1) if event.public.TYPE == "trick-won")
    captured = [[seat["captured"] for seat in live.view("public", at)["seats"]] for at in (won - 1, won)]
    assert captured == [[()] * 4, [(), ("Kh",), (), ()]]
    assert [live.view("public", at)["points"] for at in (won - 1, won)] == [(0,) * 4, (0, 4, 0, 0)]


def test_the_train_says_who_passed_which_mark_and_what_it_costs() -> None:
    live = in_deal(TRAIN, {0: ["As", "Js", "Ad"], 1: ["Ah", "9s"]})
    live.play("As", "Ah")
    assert live.view("public")["passed"] == ()
    live.play(live.hand(2)[0], live.hand(3)[0])
    while live.view("public")["count"] < 25:
        live.play(live.open_cards(live.turn)[0])
    last = played(live)[-1]
    assert live.view("public")["passed"] == ({"seat": last["seat"], "mark": 25, "chips": 1},)
    assert live.view("public")["points"] == tuple(int(seat == last["seat"]) for seat in range(4))
    assert f"{last['seat']} passed the 25." in summary(LORUM.words, live.view("public"))


def test_whose_cards_lie_in_a_sequence() -> None:
    live = in_deal(QUART, {0: ["Kd"], 1: ["8d"], 2: ["Ad"], 3: ["7d"]})
    live.play("Kd", "Ad", "7d")
    view = live.view("public")
    assert view["sequence"] == tuple(card["card"] for card in view["played"])
    assert [card["seat"] for card in view["played"]] == [0, 2, 3]
