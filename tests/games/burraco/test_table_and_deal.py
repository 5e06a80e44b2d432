"""BU-1, BU-2, BU-3, BU-11: table and game, cards, deal, and who knows what."""

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from domain.games.burraco import BURRACO
from domain.games.burraco.contracts import worth
from domain.games.burraco.melds import arranged
from domain.games.burraco.meta import PACK, TARGET, Options
from domain.kernel.course import Standing
from domain.kernel.dealing import DealtTalon
from domain.parts.sides import winners_of_two_sides as winners
from domain.seats import HOUSE, seat_audience
from domain.table.events import CardsDealt, GameStarted
from tests.games.burraco.tables import KINGS, RUN, TWO, BurracoLive, dealt, laid_out
from tests.games.dealing import assert_deals, assert_full, assert_no_options, positions
from tests.property.strategies import texts
from tests.support.games import chance, finished


def standing(totals: tuple[int, ...], options: Options | None = None, deal: int = 3) -> Standing:
    """A game that stands so."""
    return Standing(options or Options(), 99, deal, 0, totals, {})


@pytest.mark.parametrize(("players", "sides"), [(4, ((0, 2), (1, 3))), (2, ((0,), (1,)))])
def test_bu_1_1_four_players_in_two_sides_or_two_players(players: Any, sides: tuple[tuple[int, ...], ...]) -> None:
    options = Options(players=players)
    live = BurracoLive.started(options=options)
    assert_full(live, players)
    assert BURRACO.course.sides(options) == sides
    assert [tuple(side["seats"]) for side in live.view("public")["sides"]] == list(sides)


def test_bu_1_2_every_seat_deals_first_and_the_deal_moves_to_the_left() -> None:
    started = [BurracoLive.started(seed=bytes([number]) * 32) for number in range(40)]
    assert {live.of(GameStarted)[0].first_dealer for live in started} == set(range(4))
    assert all(live.turn == (live.of(GameStarted)[0].first_dealer + 1) % 4 for live in started)
    live = finished(BurracoLive.started(deals=3, options=TWO), chance("three"))
    dealers = [event.dealer for event in live.of(CardsDealt)]
    assert all(after == (before + 1) % 2 for before, after in pairwise(dealers))


@pytest.mark.parametrize("dealer", range(4))
def test_bu_1_2_turns_go_to_the_left_from_the_dealers_left(dealer: int) -> None:
    live = dealt({}, dealer=dealer)
    seats = []
    for _ in range(5):
        seats.append(live.turn)
        live.pass_by()
    assert seats == [(dealer + step) % 4 for step in range(1, 6)]


@pytest.mark.parametrize(
    ("first", "second", "reason", "won"),
    [
        (2000, 1500, None, None),
        (2005, 2040, "target passed", (1, 3)),
        (2500, -10, "target passed", (0, 2)),
        (2100, 2100, None, None),
    ],
)
def test_bu_1_3_a_side_must_exceed_the_target(
    first: int, second: int, reason: str | None, won: tuple[int, ...] | None
) -> None:
    stands = standing((first, second, first, second))
    assert TARGET.over(stands) == reason
    if won is not None:
        assert winners(stands) == won


def test_bu_1_3_the_target_is_an_option() -> None:
    assert TARGET.over(standing((505, 0, 505, 0), Options(target=500))) == "target passed"
    assert TARGET.over(standing((505, 0), Options(target=500, players=2))) == "target passed"
    assert Options().target == 2000
    assert_no_options(Options, {"target": 499}, {"target": 5001}, {"players": 3}, {"semi_clean": 1}, {"other": 1})


def test_bu_1_3_one_to_99_deals() -> None:
    assert BurracoLive.opened().table.deals == 99
    assert_deals(BurracoLive, "BU-1.3", never=[0, 100])
    assert winners(standing((30, 30, 30, 30))) == (0, 1, 2, 3)


def test_bu_2_1_two_packs_and_four_jokers() -> None:
    ranks = Counter(PACK.rank(card) for card in PACK)
    assert (len(PACK), ranks["Jo"], set(ranks.values())) == (108, 4, {4, 8})
    assert {"7h.1", "7h.2", "Jo.4"} <= set(PACK)


def test_bu_2_2_a_two_is_wild_but_in_its_own_place() -> None:
    natural, wild = arranged(("2h.1", "3h.1", "4h.1")), arranged(("2h.1", "7h.1", "8h.1"))
    assert natural is not None
    assert natural.wild is None
    assert wild is not None
    assert wild.wild == "2h.1"


def test_bu_2_3_values_of_cards() -> None:
    values = {rank: worth((f"{rank}s.1",)) for rank in "AKQJT98765432"} | {"Jo": worth(("Jo.1",))}
    assert values == {
        **dict.fromkeys("KQJT98", 10),
        **dict.fromkeys("76543", 5),
        "A": 15,
        "2": 20,
        "Jo": 30,
    }


@pytest.mark.parametrize(("options", "stock"), [(Options(), 41), (TWO, 63)])
@pytest.mark.parametrize("dealer", range(2))
def test_bu_3_1_eleven_each_two_pozzetti_a_card_face_up_and_the_stock(
    options: Options, stock: int, dealer: int
) -> None:
    live = dealt({}, dealer=dealer, options=options)
    event, players = live.events[-1], options.players
    for place in range(players):
        assert positions(event, seat_audience((dealer + 1 + place) % players)) == list(
            range(place, 11 * players, players)
        )
    (shown,) = event.public.shown
    house = event.section(HOUSE, DealtTalon)
    assert house is not None
    up = 11 * players + 22
    assert shown.position == up
    assert [each.position for each in house.talon] == [*range(11 * players, up), *range(up + 1, 108)]
    view = live.view("public")
    assert view["pile"] == {"known": [shown.card], "hidden": 0}
    assert view["stock"] == {"known": [], "hidden": stock}
    hidden = {"known": [], "hidden": 11}
    assert (view["pozzetti"], view["face_down"]) == ([hidden, hidden], [])
    assert live.view(HOUSE)["pozzetti"][0]["known"] == sorted(
        (each.card for each in house.talon[:11]), key=PACK.order.__getitem__
    )


def names(value: Any) -> set[str]:
    """All cards named in a value."""
    return {*texts(value)} & {*PACK}


def test_bu_11_1_a_hand_is_known_as_far_as_it_came_with_the_pile() -> None:
    live = dealt({0: "7h.2"}, up="7h.1")
    live.do("draw")
    live.discard("7h.2")
    live.do("take-pile")
    for audience in live.audiences:
        hand = live.view(audience)["seats"][1]["hand"]
        assert set(hand["known"]) >= {"7h.1", "7h.2"}
        assert (len(hand["known"]), hand["hidden"]) == ((13, 0) if audience == "seat:1" else (2, 11))
    live.discard("7h.2")
    assert live.view("seat:2")["seats"][1]["hand"] == {"known": ["7h.1"], "hidden": 11}


def test_bu_11_1_who_draws_sees_the_card_and_nobody_else() -> None:
    live = dealt({}, stock="9c.2")
    (event,) = live.do("draw")
    assert set(event.sealed) == {"seat:0"}
    assert {audience for audience in live.audiences if "9c.2" in names(live.view(audience)["seats"])} == {"seat:0"}


def test_bu_11_1_nobody_knows_stock_and_pozzetti_till_they_are_looked_at() -> None:
    live = laid_out(_drawn(dealt({0: f"{RUN} {KINGS}"}, stock="4d")))
    house = live.view(HOUSE)
    pozzetto = set(house["pozzetti"][0]["known"])
    stock = set(house["stock"]["known"])
    live.discard("4d")
    assert (len(pozzetto), len(stock)) == (11, 40)
    for _ in range(4):
        for audience in live.audiences:
            assert not names(live.view(audience)) & pozzetto
        live.pass_by(1) if live.turn != 0 else None
        if live.turn == 0:
            break
    assert names(live.view("seat:0")) >= pozzetto
    assert not names(live.view("seat:2")) & pozzetto


def _drawn(live: BurracoLive) -> BurracoLive:
    live.do("draw")
    return live
