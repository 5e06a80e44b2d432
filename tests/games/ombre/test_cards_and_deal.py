"""OM-2 and OM-3: the cards, the ante and the deal."""

from domain.games.ombre import OMBRE
from domain.games.ombre.meta import Options
from domain.kernel.course import Standing
from domain.parts.matadors import RANKINGS, matadors_of, trumps_of
from domain.table.events import CardsDealt
from tests.games.ombre.tables import OmbreLive
from tests.support.checker.matadors import PACK, TRUMPS, power_in, suit_in
from tests.support.for_each import for_each

SUITS = tuple(TRUMPS)


def test_om_2_1_forty_cards() -> None:
    assert sorted(OMBRE.pack) == sorted(PACK)
    assert len(set(PACK)) == 40


@for_each("trump", SUITS)
def test_om_2_1_trumps_and_plain_suits_rank_as_named(trump: str) -> None:
    ranking = RANKINGS[trump]  # type: ignore[index] # a suit
    assert list(trumps_of(trump)) == TRUMPS[trump]  # type: ignore[arg-type] # a suit
    assert ranking.suits == {card: suit_in(card, trump) for card in PACK}
    for suit in SUITS:
        own = [card for card in ranking.suits if suit_in(card, trump) == suit]
        by_power = sorted(own, key=lambda card: ranking.power[card])
        assert by_power == sorted(own, key=lambda card: power_in(card, trump))


@for_each("trump", SUITS)
def test_om_2_1_punto_is_no_matador(trump: str) -> None:
    assert list(matadors_of(trump)) == TRUMPS[trump][:3]  # type: ignore[arg-type] # a suit
    assert RANKINGS[trump].matadors == tuple(TRUMPS[trump][:3])  # type: ignore[index] # a suit


@for_each("dealer", range(3))
def test_om_3_1_three_batches_of_three_from_eldest_on_and_thirteen_left(dealer: int) -> None:
    eldest, second = (dealer - 1) % 3, (dealer - 2) % 3
    portions = OMBRE.dealing.portions(Standing(Options(), 3, 1, dealer, (0, 0, 0), {}))
    to = {place: portion.to for portion in portions for place in portion.places}
    batch = [eldest] * 3 + [second] * 3 + [dealer] * 3
    assert [to[place] for place in range(40)] == batch * 3 + [None] * 13


@for_each("dealer", range(3))
def test_om_3_1_the_dealer_puts_five_into_the_pool(dealer: int) -> None:
    live = OmbreLive.around({}, dealer=dealer)
    dealt = live.of(CardsDealt)[0]
    own, other = dealt.lines
    account = f"player:{live.table.players[dealer]}"
    assert (own.account, own.counter, own.seat, own.amount) == (account, "pool", dealer, -5)
    assert (other.account, other.counter, other.seat, other.amount) == ("pool", account, None, 5)
    version = next(event.version for event in live.events if event.public is dealt)
    assert {(line.kind, line.rule, line.events) for line in dealt.lines} == {("ante", "OM-3.1", (version,))}


def test_om_3_1_at_every_deal() -> None:
    live = OmbreLive.started(deals=12).passed(11)
    dealt = live.of(CardsDealt)
    assert len(dealt) == 12
    lines = [line for one in dealt for line in one.lines if line.seat is not None]
    assert [sum(line.amount for line in lines if line.seat == seat) for seat in range(3)] == [-20, -20, -20]
    assert all(one.lines[0].seat == one.dealer for one in dealt)
    assert live.pool == 60


def test_om_3_1_each_player_is_told_nine_cards_and_nobody_the_talon() -> None:
    live = OmbreLive.started()
    for seat in range(3):
        view = live.view(f"seat:{seat}")
        assert len(view["seats"][seat]["hand"]["known"]) == 9
        assert all(view["seats"][other]["hand"] == {"known": (), "hidden": 9} for other in range(3) if other != seat)
        assert view["talon"] == {"known": (), "hidden": 13}
