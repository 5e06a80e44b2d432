"""LH-7: the play. Where play stops is held against plain enumeration in test_settlement.py."""

from itertools import combinations, product

import pytest

from domain.cards import Card, Suit
from domain.games.lhombre.meta import Options
from domain.kernel.rejection import Code
from domain.parts.matadors import RANKINGS
from domain.parts.tricks import CardPlayed, HandExposed, TrickWon, following
from tests.games.lhombre.checker import CONTRACTS
from tests.games.lhombre.tables import FOUR, THREE, LhombreLive, declared, of_suit, played
from tests.support.checker.matadors import PACK, TRUMPS, playable, suit_in, winner_of
from tests.support.for_each import for_each
from tests.support.games import READER, chance, finished


def leading(
    hands: dict[int, list[str]], trump: str | None, *, without: dict[int, list[str]] | None = None, four: bool = False
) -> LhombreLive:
    """A table at the first lead, forehand declarer of a Solo in this suit, or of a Pure Nolo."""
    live = LhombreLive.around(hands, without=without, options=FOUR if four else THREE)
    live.bid_out(live.order[0], "pure-nolo" if trump is None else "solo")
    live.declare("pure-nolo" if trump is None else "solo", trump)
    while live.phase == "exchange":
        live.do("exchange")
    return live


@for_each("contract, place, dealer", list(product(CONTRACTS, range(3), range(4))))
def test_lh_7_1_forehand_leads_whoever_is_declarer(contract: str, place: int, dealer: int) -> None:
    live = declared(contract, place=place, dealer=dealer, options=FOUR).exchanged()
    assert (live.phase, live.to_act) == ("play", ((dealer - 1) % 4,))
    assert live.offered(live.turn, "play") == [{"card": {"one_of": live.hand(live.turn)}}]


@pytest.mark.parametrize("options", [THREE, FOUR])
def test_lh_7_1_nobody_plays_out_of_turn(options: Options) -> None:
    live = declared("solo", options=options).exchanged()
    others = [seat for seat in live.seats if seat != live.turn]
    for seat in others:
        assert live.offers(seat) == ()
        live.refuses(seat, "play", Code.NOT_YOUR_TURN, live.turn_rule(seat, "LH-7.1"), card=(*live.hand(seat), "As")[0])


@for_each("trump", [None, "s", "h", "d", "c"])
@for_each("suit", "shdc")
def test_lh_7_1_the_suit_led_is_followed(trump: str | None, suit: str) -> None:
    if suit == trump:
        cards = [card for card in TRUMPS[suit][3:] if card[1] == suit]
    else:
        cards = [card for card in of_suit(suit) if card[0] != "A"]
    live = leading({0: [cards[0]], 1: [cards[1], cards[2]]}, trump, without={2: [*of_suit(suit), "As", "Ac"]})
    live.do("play", card=cards[0])
    legal = {*playable(live.hand(0), cards[0], trump)}
    assert {cards[1], cards[2]} <= legal < {*live.hand(0)}
    ((offered,),) = (live.offered(0, "play"),)
    assert set(offered["card"]["one_of"]) == legal
    rule = "LH-7.2" if suit == trump else "LH-7.1"
    for card in live.hand(0):
        if card not in legal:
            detail = live.refuses(0, "play", Code.RULE_VIOLATION, rule, card=card)
            assert detail.startswith(f"you can follow suit: {cards[0]} is led, play ")
    for card in live.hand(2):
        detail = live.refuses(0, "play", Code.RULE_VIOLATION, rule, card=card)
        assert detail.startswith(f"you do not hold {card}: {cards[0]} is led, play ")
    live.do("play", card=cards[1])
    assert live.offered(2, "play") == [{"card": {"one_of": live.hand(2)}}]


@pytest.mark.parametrize(
    ("ace", "suit", "trump"), [("As", "s", "h"), ("Ac", "c", "h"), ("As", "s", "c"), ("Ac", "c", "s")]
)
def test_lh_7_1_a_black_ace_belongs_to_trumps_not_to_its_printed_suit(ace: str, suit: str, trump: str) -> None:
    plain = [card for card in of_suit(suit) if card[0] != "A"]
    live = leading({0: [plain[0]], 1: [ace]}, trump, without={1: plain})
    live.do("play", card=plain[0])
    assert live.offered(0, "play") == [{"card": {"one_of": live.hand(0)}}]
    live = leading({0: [plain[0]], 1: [ace, plain[1]]}, trump)
    live.do("play", card=plain[0])
    live.refuses(0, "play", Code.RULE_VIOLATION, "LH-7.1", card=ace)


@pytest.mark.parametrize(("ace", "suit"), [("As", "s"), ("Ac", "c")])
def test_lh_7_1_in_nolo_it_is_the_lowest_of_its_own_suit(ace: str, suit: str) -> None:
    king, *plain = of_suit(suit)
    live = leading({0: [king], 1: [ace]}, None, without={1: plain})
    live.do("play", card=king)
    assert live.offered(0, "play") == [{"card": {"one_of": (ace,)}}]


@pytest.mark.parametrize("first", range(3))
def test_lh_7_1_a_card_is_played_once_and_only_from_the_own_hand(first: int) -> None:
    live = played("solo", [first])
    leader = live.turn
    others = [card for seat in live.seats if seat != leader for card in live.hand(seat)]
    for card in (*(one.card for one in live.of(CardPlayed)), *others, *live.table.deal_state.exchange.talon):
        detail = live.refuses(leader, "play", Code.RULE_VIOLATION, "LH-7.1", card=card)
        assert detail == f"you do not hold {card}"


RENEGING = [
    ("5h", ["As"], True),  # spadille may stay
    ("5h", ["7h"], True),  # manille may stay
    ("5h", ["Ac"], True),  # basta may stay
    ("5h", ["As", "7h", "Ac"], True),  # and all three
    ("5h", ["As", "2h"], False),  # but with another trump a trump is due
    ("5h", ["Ah"], False),  # ponto is no matador
    ("As", ["Ah"], False),  # and falls to spadille
    ("Ah", ["Ac"], True),  # ponto draws no matador
    ("As", ["7h"], False),  # spadille draws manille
    ("As", ["Ac"], False),  # spadille draws basta
    ("As", ["7h", "Ac"], False),  # spadille draws one of the two
    ("7h", ["Ac"], False),  # manille draws basta
    ("7h", ["As"], True),  # manille does not draw spadille
    ("7h", ["As", "Ac"], False),  # spadille may serve for basta
    ("Ac", ["7h"], True),  # basta does not draw manille
    ("Ac", ["As"], True),  # nor spadille
    ("Ac", ["As", "7h"], True),  # nor both
    ("Kh", ["As", "Qh"], False),  # a lower trump is due as well
]


@for_each("place", [1, 2])
@for_each("led, trumps, reneges", RENEGING)
def test_lh_7_2_a_matador_need_not_follow_unless_a_higher_one_was_led(
    led: str, trumps: list[str], place: int, *, reneges: bool
) -> None:
    live = leading({0: [led], place: trumps}, "h", without={place: TRUMPS["h"], 3 - place: TRUMPS["h"][:3]})
    live.do("play", card=led)
    if place == 2:
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])
    seat = live.turn
    assert seat == live.order[place]
    expected = live.hand(seat) if reneges else tuple(card for card in live.hand(seat) if card in trumps)
    assert live.offered(seat, "play") == [{"card": {"one_of": expected}}]
    for card in live.hand(seat):
        if card not in expected:
            live.refuses(seat, "play", Code.RULE_VIOLATION, "LH-7.2", card=card)
    live.do("play", card=expected[-1])


@pytest.mark.parametrize("trump", "shdc")
def test_lh_7_2_every_trump_led_against_every_holding_of_matadors(trump: Suit) -> None:
    for count in range(4):
        for matadors in combinations(TRUMPS[trump][:3], count):
            for other in ([], [TRUMPS[trump][3]], [TRUMPS[trump][-1]]):
                plain = [of_suit(suit, trump)[0] for suit in "shdc" if suit != trump]
                hand: list[Card] = [*matadors, *other, *plain]  # type: ignore[list-item] # cards
                for led in PACK:
                    if led not in hand:
                        own = following(hand, led, RANKINGS[trump])  # type: ignore[arg-type] # a card
                        assert list(own) == playable(hand, led, trump), (hand, led)


@for_each("trump", [None, "s", "h", "d", "c"])
@for_each("seed", range(40))
def test_lh_7_2_any_hand_against_any_lead(trump: Suit | None, seed: int) -> None:
    rng = chance((trump, seed))
    for _ in range(50):
        *hand, led = rng.sample(PACK, rng.randint(2, 10))
        assert list(following(hand, led, RANKINGS[trump])) == playable(hand, led, trump)  # type: ignore[arg-type] # cards


@for_each(
    "trump, cards, wins",
    [
        ("h", ("6h", "As", "7h"), 1),
        ("h", ("7h", "Ac", "Kh"), 0),
        ("h", ("Ac", "Ah", "Kh"), 0),
        ("h", ("Kh", "Ah", "Qh"), 1),
        ("h", ("Ks", "Qs", "6h"), 2),
        ("h", ("Ks", "6h", "5h"), 2),
        ("h", ("Ks", "Kd", "Kc"), 0),
        ("h", ("Ks", "Kd", "Ac"), 2),
        ("s", ("Ks", "2s", "Ac"), 1),
        ("s", ("Kd", "Ad", "3s"), 2),
        ("c", ("2d", "Ad", "3d"), 1),
        (None, ("As", "2s", "3s"), 2),
        (None, ("As", "Kd", "Kh"), 0),
        (None, ("7h", "6h", "Ah"), 2),
        (None, ("2d", "3d", "Kc"), 0),
    ],
)
@for_each("four", [False, True])
def test_lh_7_3_the_highest_trump_or_of_the_suit_led(
    trump: str | None, cards: tuple[str, str, str], wins: int, *, four: bool
) -> None:
    led = of_suit(suit_in(cards[0], trump), trump)
    without = {place: led for place in (1, 2) if cards[place] not in led}
    live = leading({place: [card] for place, card in enumerate(cards)}, trump, without=without, four=four)
    for card in cards:
        live.do("play", card=card)
    (trick,) = live.of(TrickWon)
    assert trick == TrickWon(live.order[wins], 1)
    assert live.view("public")["last_trick"] == {
        "winner": live.order[wins],
        "cards": tuple({"seat": live.order[place], "card": card} for place, card in enumerate(cards)),
    }
    if not live.table.scored:
        assert live.to_act == (live.order[wins],)


@for_each("first, second", list(product(range(3), range(3))))
def test_lh_7_3_the_winner_leads_to_the_next_counter_clockwise(first: int, second: int) -> None:
    live = played("solo", [first, second], options=FOUR)
    assert [(won.seat, won.trick) for won in live.of(TrickWon)] == [(live.order[first], 1), (live.order[second], 2)]
    assert [card.seat for card in live.of(CardPlayed)] == [
        live.order[(leader + step) % 3] for leader in (0, first) for step in range(3)
    ]
    assert live.to_act == (live.order[second],)


@for_each("place", range(3))
@for_each("options", [THREE, FOUR])
def test_lh_7_4_nolo_ouvert_lies_open_as_declarer_plays_the_first_card(place: int, options: Options) -> None:
    live = declared("nolo-ouvert", [1, 2, 1], place=place, options=options)
    declarer = live.order[place]
    others = [audience for audience in live.audiences if audience != f"seat:{declarer}"]
    while True:
        for audience in others:
            assert live.view(audience)["seats"][declarer]["hand"] == {"known": (), "hidden": 9}
        seat = live.turn
        events = live.do("play", card=live.offered(seat, "play")[0]["card"]["one_of"][0])
        if seat == declarer:
            break
        assert live.of(HandExposed) == []
    exposed = events[1]
    assert exposed.actor == "house"
    assert (exposed.public.seat, len(exposed.public.cards)) == (declarer, 8)
    assert exposed.public.cards == live.hand(declarer)
    while not live.table.scored:
        for audience in live.audiences:
            assert live.view(audience)["seats"][declarer]["hand"] == {"known": live.hand(declarer), "hidden": 0}
        live.do("play", card=live.offered(live.turn, "play")[0]["card"]["one_of"][0])
    assert len(live.of(HandExposed)) == 1


@for_each("contract", [name for name in CONTRACTS if name != "nolo-ouvert"])
def test_lh_7_4_no_other_hand_lies_open(contract: str) -> None:
    live = played(contract, [1, 0, 2])
    assert live.of(HandExposed) == []
    assert len(live.of(CardPlayed)) == 9
    for seat in live.seats:
        assert live.view("public")["seats"][seat]["hand"]["known"] in ((), (live.table.deal_state.commitment.turned,))


@for_each("options", [THREE, FOUR])
@for_each("seed", range(15))
def test_lh_7_1_to_7_3_hold_in_whole_games(options: Options, seed: int) -> None:
    live = finished(LhombreLive.started(options=options, seed=bytes([seed]) * 32), chance(seed))
    table = None
    for record, event in zip(live.records, live.events, strict=True):
        public = event.public
        if isinstance(public, CardPlayed | TrickWon):
            assert table is not None
            before = table.deal_state
            trick = [(card.seat, card.card) for card in before.tricks.trick]
            trump = before.commitment.trump
            if isinstance(public, CardPlayed):
                hand = before.hands[public.seat].known
                legal = playable(hand, trick[0][1] if trick else None, trump)
                assert public.card in legal
                offered = next(o for o in live.game.decider.offers(before, public.seat) if o.type == "play")
                assert set(offered.describe()["fields"]["card"]["one_of"]) == set(legal)  # type: ignore[index] # as described
            else:
                assert public.seat == winner_of(trick, trump)
        table = READER.fold(table, [record], "house")
