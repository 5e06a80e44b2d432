"""DL-1, DL-2, DL-3, DL-10: table and game, cards, deal and redeal, and who knows what."""

from collections import Counter
from collections.abc import Sequence
from itertools import count, pairwise
from typing import Any

import msgspec
import pytest

from domain.fair.deck import Deck
from domain.games.diloti import DILOTI
from domain.games.diloti.meta import HAND, PACK, TARGET, VALUES, Options, draw, is_rejected
from domain.kernel.course import Standing
from domain.kernel.rejection import Code
from domain.parts.sides import two_sides, winners_of_two_sides
from domain.picking import pick
from domain.seats import HOUSE, seat_audience
from domain.table.actions import TakeSeat
from domain.table.events import CardsDealt, GameStarted
from domain.table.words import complete
from tests.games.dealing import positions
from tests.games.diloti.tables import FOUR, DilotiLive, dealt
from tests.support.for_each import for_each
from tests.support.games import chance, finished

COURT = Options(redeal="court")


def standing(totals: tuple[int, ...], options: Options | None = None, deal: int = 3) -> Standing:
    """A game that stands so."""
    return Standing(options or Options(), 99, deal, 0, totals, {})


@pytest.mark.parametrize(("players", "sides"), [(4, ((0, 2), (1, 3))), (2, ((0,), (1,)))])
def test_dl_1_1_two_players_or_four_in_two_sides(players: Any, sides: tuple[tuple[int, ...], ...]) -> None:
    options = Options(players=players)
    assert DILOTI.course.seats(options) == players
    assert DILOTI.course.sides(options) == two_sides(options) == sides
    live = DilotiLive.opened(options=options)
    assert live.refused(TakeSeat("a player", players)).code is Code.NO_SUCH_SEAT


def test_dl_1_1_partners_share_a_pile() -> None:
    live = dealt({0: "2s", 1: "4s", 2: "3s"}, "2h 3h 9h Kh", options=FOUR)
    live.capture("2s", "2h")
    live.lay("4s")
    live.capture("3s", "3h")
    assert [side["captured"] for side in live.view("public")["sides"]] == [
        {"known": [], "hidden": 4},
        {"known": [], "hidden": 0},
    ]


def test_dl_1_2_the_deal_moves_to_the_left_and_eldest_plays_first() -> None:
    live = finished(DilotiLive.started(deals=3, options=FOUR), chance("dealers"))
    dealers = [dealing.dealer for dealing in live.of(CardsDealt)]
    assert dealers[0] == live.of(GameStarted)[0].first_dealer
    assert all(after == (before + 1) % 4 for before, after in pairwise(dealers))
    firsts = [
        live.events[place + 1].public.seat
        for place, event in enumerate(live.events)
        if isinstance(event.public, CardsDealt)
    ]
    assert firsts == [(dealer + 1) % 4 for dealer in dealers]


def test_dl_1_2_the_first_dealer_is_drawn() -> None:
    dealers = {DilotiLive.started(seed=bytes([n]) * 32).of(GameStarted)[0].first_dealer for n in range(12)}
    assert dealers == {0, 1}


@for_each(
    "totals, target, ends",
    [
        ((60, 12), 61, False),
        ((61, 12), 61, True),
        ((62, 62), 61, False),
        ((64, 62), 61, True),
        ((20, 8), 21, False),
        ((8, 21), 21, True),
    ],
)
def test_dl_1_3_the_game_ends_with_the_target_unless_the_sides_are_equal(
    totals: tuple[int, int], target: int, ends: bool
) -> None:
    assert (TARGET.over(standing(totals, Options(target=target))) is not None) is ends
    assert (TARGET.over(standing(totals * 2, Options(players=4, target=target))) is not None) is ends


def test_dl_1_3_after_the_last_deal_the_higher_score_wins_and_equals_share() -> None:
    assert winners_of_two_sides(standing((30, 12))) == (0,)
    assert winners_of_two_sides(standing((12, 30, 12, 30), FOUR)) == (1, 3)
    assert winners_of_two_sides(standing((12, 12, 12, 12), FOUR)) == (0, 1, 2, 3)
    deals = DILOTI.course.deals(Options())
    assert (deals.default, deals.least, deals.most) == (99, 1, 99)


def test_dl_1_3_points_count_when_the_deal_is_scored() -> None:
    live = dealt({0: "8s", 1: "9s"}, "8h 9h Kh Qh", options=Options(target=21))
    while live.table.scored == 0:
        assert live.table.totals == (0, 0)
        live.lay_all(live.table.deal_state.turns + 1)
    assert live.table.totals == tuple(side.points for side in live.score.sides)


def test_dl_2_1_numerals_have_values_and_court_cards_none() -> None:
    assert PACK.cards[:13] == tuple(f"{rank}s" for rank in "KQJT98765432A")
    assert [VALUES[card] for card in ("As", "2h", "9d", "Tc")] == [1, 2, 9, 10]
    assert len(VALUES) == 40
    assert not {"Js", "Qh", "Kd"} & VALUES.keys()


@pytest.mark.parametrize("options", [Options(), FOUR])
def test_dl_3_1_six_to_each_then_four_to_the_table(options: Options) -> None:
    live = DilotiLive.started(options=options)
    dealing = next(event for event in live.events if isinstance(event.public, CardsDealt))
    first = HAND * options.players
    for step in range(options.players):
        seat = (dealing.public.dealer + 1 + step) % options.players
        assert positions(dealing, seat_audience(seat)) == [*range(step * HAND, step * HAND + HAND)]
    shown = dealing.public.shown
    assert [opening.position for opening in shown] == [*range(first, first + 4)]
    assert live.view("public")["loose"] == {"known": list(PACK.sorted(opening.card for opening in shown)), "hidden": 0}
    assert positions(dealing, HOUSE) == [*range(first + 4, 52)]


@pytest.mark.parametrize(("options", "firsts"), [(Options(), [16, 28, 40]), (FOUR, [28])])
def test_dl_3_2_batches_follow_when_all_hands_are_empty(options: Options, firsts: list[int]) -> None:
    live = finished(DilotiLive.started(deals=1, options=options), chance("batches"))
    batches = [event for event in live.events if event.public.TYPE == "batch-dealt"]
    assert [event.public.batch for event in batches] == [*range(2, 2 + len(firsts))]
    dealer = live.of(CardsDealt)[0].dealer
    for event, first in zip(batches, firsts, strict=True):
        before = live.known_to("house", event.version - 1).deal_state
        assert [hand.size for hand in before.hands] == [0] * options.players
        for step in range(options.players):
            section: Any = event.sealed[seat_audience((dealer + 1 + step) % options.players)]
            assert [each.position for each in section.cards] == [*range(first + step * 6, first + step * 6 + 6)]
    assert all(event.actor == HOUSE for event in batches)


@pytest.mark.parametrize(
    ("turned", "any_rank", "court"),
    [
        ("Ks Kh Kd 2c", True, True),
        ("Ks Kh Kd Kc", True, True),
        ("2s 2h 2d 9c", True, False),
        ("2s 2h 9d 9c", False, False),
        ("Js Jh Qd Kc", False, False),
    ],
)
def test_dl_3_3_three_of_a_rank_are_shuffled_back(turned: str, any_rank: bool, court: bool) -> None:
    assert is_rejected(turned.split(), Options()) is any_rank
    assert is_rejected(turned.split(), COURT) is court


def test_dl_3_3_all_but_the_hands_is_sorted_and_shuffled_under_a_label_of_its_own() -> None:
    asked: list[tuple[str, tuple[str, ...]]] = []

    def shuffle(label: str, cards: Sequence[str]) -> list[str]:
        """Twos on the table at first, then threes, then the pack's order backwards."""
        asked.append((label, tuple(cards)))
        top = {"codille-deal": "2", "codille-redeal-1": "3"}.get(label)
        if top is None:
            return list(reversed(cards))
        courts = [card for card in cards if card[0] in "KQJ"]
        alike = [card for card in cards if card[0] == top]
        return [*courts, *alike, *(card for card in cards if card not in (*courts, *alike))]

    drawn = draw(standing((0, 0)), shuffle)
    first, second, third = asked
    assert (first[0], second[0], third[0]) == ("codille-deal", "codille-redeal-1", "codille-redeal-2")
    held = drawn.cards[:12]
    assert second[1] == third[1] == tuple(card for card in PACK if card not in held)
    assert drawn.rejected == (("2s", "2h", "2d", "2c"), ("3s", "3h", "3d", "3c"))
    assert drawn.cards[12:] == tuple(reversed(second[1]))


def test_dl_3_3_the_rejected_are_public_and_the_commitments_are_to_the_last_order() -> None:
    for number in count():
        live = DilotiLive.started(deals=1, seed=number.to_bytes(32, "big"))
        dealing = next(event for event in live.events if isinstance(event.public, CardsDealt))
        if dealing.public.rejected is not msgspec.UNSET:
            break
    (rejected,) = dealing.public.rejected
    assert max(Counter(card[0] for card in rejected).values()) >= 3
    deck: Deck = live.table.deal_state.deck
    assert dealing.public.card_commitments == deck.commitments()
    assert len(dealing.public.card_commitments) == 52
    fair = deck.shuffled("codille-deal", PACK.cards)
    assert list(deck.cards[:12]) == fair[:12]
    assert rejected == tuple(fair[12:16])
    assert list(deck.cards[12:]) == deck.shuffled("codille-redeal-1", PACK.sorted(fair[12:]))
    said = complete(DILOTI).events["cards-dealt"].sentences
    fitting = next(one for one in said if one.fits(msgspec.to_builtins(dealing.public)))
    assert "shuffled back" in fitting.text


def test_dl_10_1_who_knows_which_card() -> None:
    live = DilotiLive.started(deals=1, options=FOUR)
    rng = chance("knows")
    while live.table.scored == 0:
        house = live.view("house")
        for audience in live.audiences:
            view = live.view(audience)
            for seat, hand in enumerate(each["hand"] for each in view["seats"]):
                open_to = audience == seat_audience(seat)
                assert bool(hand["known"]) == (open_to and bool(house["seats"][seat]["hand"]["known"]))
            assert view["stock"]["known"] == []
            same = ("loose", "declarations", "last_captor", "sides", "batch")
            assert {name: view[name] for name in same} == {name: house[name] for name in same}
        offered = live.offers(live.turn)
        wire = pick(rng.choice(offered), rng.randrange)
        live.take(live.turn, {name: list(one) if isinstance(one, tuple) else one for name, one in wire.items()})
