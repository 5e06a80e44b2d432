"""NU-1 to NU-3 and NU-10: seats, the end of the game, packs, layouts, and who knows what."""

import msgspec
import pytest

from domain.games.nuts import NUTS
from domain.games.nuts.meta import PACK, Options
from domain.games.nuts.scoring import SCORING
from domain.kernel.rejection import Code
from domain.table.events import CardsDealt, GameStarted, PlayerReady
from tests.games.dealing import assert_deals, assert_no_options
from tests.games.nuts.tables import OWN, NutsLive
from tests.support.games import next_standing

GIVEN_UP = -26
"""What a hand comes to in which nobody moves a card."""


def give_up(live: NutsLive) -> NutsLive:
    """All say three times that they are stuck."""
    scored = live.table.scored
    while live.table.scored == scored:
        live.act(next(seat for seat in live.seats if "stuck" in live.types(seat)), "stuck")
    return live


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nu_1_1_two_to_four_play_each_alone_and_nobody_deals(players: int) -> None:
    live = NutsLive.begun(options=Options(players=players))
    assert (len(live.seats), live.table.dealer, live.to_act) == (players, None, ())
    (started,) = live.of(GameStarted)
    assert (started.first_dealer, started.draws) == (None, ())
    assert NUTS.course.sides(live.table.options) == ()
    assert all(live.offers(seat) for seat in live.seats)


def test_nu_1_1_options() -> None:
    assert Options() == Options(2, 100, 120, "at-once")
    assert_no_options(Options, {"players": 5}, {"players": 1}, {"target": 19}, {"target": 501}, {"nuts_call": "never"})


@pytest.mark.parametrize(("totals", "over"), [((100, 92), None), ((101, 104), "target passed"), ((-26, 3), None)])
def test_nu_1_2_more_than_the_target_ends_the_game(totals: tuple[int, int], over: str | None) -> None:
    standing = msgspec.structs.replace(NutsLive.begun().table.standing, totals=totals)
    assert NUTS.course.over(standing) == over


def test_nu_1_2_the_highest_wins_and_equals_share() -> None:
    standing = msgspec.structs.replace(NutsLive.begun().table.standing, totals=(101, 104))
    assert NUTS.course.winners(standing) == (1,)
    live = give_up(NutsLive.begun(deals=1))
    assert (live.table.status, live.table.totals, live.table.winners) == ("finished", (GIVEN_UP, GIVEN_UP), (0, 1))


def test_nu_1_2_so_many_hands() -> None:
    assert NutsLive.opened().table.deals == 99
    assert_deals(NutsLive, "NU-1.2", never=[0, 100])


def test_nu_2_1_each_seat_has_a_pack_of_its_own() -> None:
    assert len(PACK) == 4 * 52
    assert (PACK.cards[0], PACK.cards[12], PACK.cards[-1]) == ("0.Ks", "0.As", "3.Ac")
    face = PACK.faces["2.7h"]
    assert (face.owner, face.rank, face.suit) == (2, "7", "h")


def test_nu_3_1_a_hand_waits_until_all_are_ready() -> None:
    live = NutsLive.started(options=Options(players=3))
    assert (live.to_act, live.table.deal) == ((0, 1, 2), None)
    live.refuses(0, "turn", Code.WRONG_PHASE, "NU-3.1")
    live.act(1, "ready")
    live.refuses(1, "ready", Code.RULE_VIOLATION, "NU-3.1")
    assert live.to_act == (0, 2)
    live.act(0, "ready")
    *_, dealt = live.act(2, "ready")
    assert isinstance(dealt.public, CardsDealt)
    live.refuses(0, "ready", Code.WRONG_PHASE, "NU-3.1")
    give_up(live)
    assert (live.to_act, live.table.running_deal) == ((0, 1, 2), None)
    live.refuses(0, "turn", Code.WRONG_PHASE, "NU-3.1")
    live.pass_gate()
    assert (live.table.running_deal, len(live.of(PlayerReady))) == (2, 6)


def test_nu_3_2_each_pack_is_shuffled_under_its_own_label() -> None:
    live = NutsLive.started(options=Options(players=3))
    labels = {}

    def shuffle(label: str, cards: tuple[str, ...]) -> list[str]:
        labels[label] = tuple(cards)
        return list(reversed(cards))

    drawn = NUTS.dealing.draw(next_standing(live.table, None), shuffle)  # type: ignore[arg-type] # tuples are passed
    assert list(labels) == [f"codille-deal-seat-{seat}" for seat in range(3)]
    assert [{card[2:] for card in cards} for cards in labels.values()] == [set(OWN)] * 3
    assert [card[0] for card in drawn.cards] == ["0"] * 52 + ["1"] * 52 + ["2"] * 52
    assert drawn.rejected == ()


def test_nu_3_2_where_the_cards_go() -> None:
    live = NutsLive.started()
    live.pass_gate()
    cards = live.dealt(live.version)
    assert [int(card[0]) for card in cards] == [0] * 52 + [1] * 52
    for seat in live.seats:
        own = [card[2:] for card in cards[52 * seat : 52 * seat + 52]]
        assert live.pile(seat, "reserve") == own[:13]
        assert live.columns(seat) == own[13:17]
        assert live.pile(seat, "stock") == own[17:]


def test_nu_3_3_what_lies_open_at_the_start() -> None:
    live = NutsLive.begun({"reserve": "7h", "tableau": "Ks Qs Js Ts"})
    seen = live.layout(0)
    assert seen["reserve"] == {"known": ("0.7h",), "hidden": 12, "top": "0.7h"}
    assert live.columns(0) == ["Ks", "Qs", "Js", "Ts"]
    assert (seen["stock"], live.top(0, "discards")) == ({"known": (), "hidden": 35, "top": None}, (None, 0))
    assert live.foundations == []


def test_nu_10_1_all_know_the_same_and_no_section_is_sealed_for_a_seat() -> None:
    live = NutsLive.begun({"reserve": "As 2s", "stock": "Kh Qh Jh"})
    live.founds(0, "As", "2s")
    live.act(0, "turn")
    live.act(1, "turn")
    assert {audience for event in live.events[1:] for audience in event.sealed} == {"house"}
    views = [live.view(audience) | {"you": None} for audience in live.audiences]
    assert views == views[:1] * len(views)
    states = [live.known_to(audience).deal_state for audience in live.audiences]
    assert states == states[:1] * len(states)
    reserve, discards = states[0].layouts[0].reserve, states[0].layouts[0].discards
    assert (reserve[0] is None, set(reserve[1:]), discards) == (False, {None}, ("0.Jh", None, None))


def test_nu_10_1_what_was_seen_is_known_wherever_it_goes() -> None:
    live = NutsLive.begun({"stock": "Kh Qh Jh"})
    for _ in range(12):
        live.act(0, "turn")
    live.act(0, "flip")
    known = live.known_to("seat:1").deal_state.layouts[0].stock
    assert [place for place, card in enumerate(known) if card is not None] == [*range(2, 35, 3), 34]
    assert known[2] == "0.Jh"
    assert live.layout(0)["stock"]["hidden"] == 35 - 12


def test_nu_10_1_what_is_uncovered_is_proved_to_all() -> None:
    live = NutsLive.begun({"reserve": "As 9c", "stock": "Kh Qh Jh"})
    dealt = next(event for event in live.events if isinstance(event.public, CardsDealt))
    founded, *_ = live.act(0, "found", card="0.As")
    turned, *_ = live.act(0, "turn")
    house = dealt.sealed["house"].talon
    assert (founded.public.uncovered.card, founded.public.uncovered.position) == ("0.9c", 1)
    assert (turned.public.top.card, turned.public.top.position) == ("0.Jh", 19)
    assert {founded.public.uncovered, turned.public.top} <= set(house)


def test_nothing_is_scored_while_the_hand_is_on() -> None:
    assert SCORING.score(NutsLive.begun().table.deal_state) is None
