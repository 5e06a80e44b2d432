"""OM-5: following, reneging with matadors, and who wins a trick."""

from itertools import combinations

from domain.kernel.rejection import Code
from domain.parts.matadors import RANKINGS
from domain.parts.tricks import TrickWon, following
from tests.games.ombre.tables import OmbreLive, declared
from tests.support.checker.matadors import PACK, TRUMPS, playable, suit_in, winner_of
from tests.support.for_each import for_each
from tests.support.games import chance

SUITS = tuple(TRUMPS)


def playing(hands: dict[int, list[str]], trump: str, *, place: int = 2) -> OmbreLive:
    """A Solo under these trumps, the cards lying as dealt, eldest to lead. No hand has other trumps than named."""
    without = {one: set(TRUMPS[trump]) for one in range(3)}
    live = OmbreLive.around(hands, without=without)
    live.bid_out(live.order[place], "solo")
    live.do("declare", trump=trump)
    return live.exchanged()


@for_each("place", range(3))
@for_each("contract", ["entrada", "vuelta", "solo"])
def test_om_5_1_eldest_leads_whoever_is_ombre(contract: str, place: int) -> None:
    live = declared(contract, place=place).exchanged()
    assert live.turn == live.order[0]
    assert set(live.offered(live.turn, "play")[0]["card"]["one_of"]) == set(live.hand(live.turn))


@for_each("trump", SUITS)
def test_om_5_1_every_lead_and_every_small_hand(trump: str) -> None:
    """All hands of up to three of the trumps and a few others, for every card that can be led."""
    some = [*TRUMPS[trump][:5], TRUMPS[trump][-1], *[card for card in PACK if card not in TRUMPS[trump]][::6]]
    ranking = RANKINGS[trump]  # type: ignore[index] # a suit
    for size in (1, 2, 3):
        for hand in combinations(some, size):
            for led in PACK:
                if led not in hand:
                    open_to = set(following(hand, led, ranking))  # type: ignore[arg-type] # cards
                    assert open_to == set(playable(hand, led, trump)), (hand, led)


CASES = [
    ("4h", ["As", "Kd"], {"As", "Kd"}, "spadille is not forced by a low trump"),
    ("4h", ["7h", "Ac", "Kd"], {"7h", "Ac", "Kd"}, "nor are manille and basta"),
    ("4h", ["As", "5h", "Kd"], {"As", "5h"}, "who has another trump plays a trump, whichever"),
    ("4h", ["Ah", "Kd"], {"Ah"}, "punto is no matador and is forced"),
    ("As", ["7h", "Kd"], {"7h"}, "spadille led forces manille"),
    ("As", ["7h", "Ac", "Kd"], {"7h", "Ac"}, "and basta"),
    ("7h", ["Ac", "Kd"], {"Ac"}, "manille led forces basta"),
    ("7h", ["As", "Kd"], {"As", "Kd"}, "and not spadille"),
    ("Ac", ["7h", "As", "Kd"], {"7h", "As", "Kd"}, "basta led forces no matador"),
    ("7h", ["As", "Ac", "Kd"], {"As", "Ac"}, "with one that is forced, any trump will do"),
    ("Kd", ["As", "3d", "Kc"], {"3d"}, "a plain suit is followed"),
    ("Kd", ["As", "7h", "Kc"], {"As", "7h", "Kc"}, "without it anything may be played"),
    ("Ks", ["As", "3d"], {"As", "3d"}, "spadille does not follow spades"),
    ("Kc", ["Ac", "3c"], {"3c"}, "basta is no club"),
]


@for_each("led, hand, open_to, why", CASES)
def test_om_5_1_reneging(led: str, hand: list[str], open_to: set[str], why: str) -> None:
    """Hearts are trumps; eldest leads, and the second holds this hand and cards that let nothing be followed."""
    suit = "h" if led in TRUMPS["h"] else led[1]
    other = {"s": "cd", "h": "cds", "d": "cs", "c": "ds"}[suit]
    fill = [card for card in PACK if card[1] in other and card not in TRUMPS["h"] and card not in (*hand, led)]
    full = [*hand, *fill[: 9 - len(hand)]]
    live = playing({0: [led], 1: full}, "h")
    live.do("play", card=led)
    offered = set(live.offered(live.turn, "play")[0]["card"]["one_of"])
    assert offered & set(hand) == open_to, why
    assert offered == set(playable(full, led, "h"))
    for card in set(full) - offered:
        detail = live.refuses(live.turn, "play", Code.RULE_VIOLATION, "OM-5.1", card=card)
        assert detail.startswith(f"you can follow suit: {led} is led, play ")


def test_om_5_1_no_card_that_is_not_held_is_led() -> None:
    live = playing({0: ["4h"], 1: ["5h"]}, "h")
    assert live.refuses(live.turn, "play", Code.RULE_VIOLATION, "OM-5.1", card="5h") == "you do not hold 5h"


def test_om_5_1_it_is_the_card_led_that_forces_not_one_played_to_it() -> None:
    live = playing({0: ["4h"], 1: ["As"], 2: ["Ac", "Ks", "Qs", "Js", "7s", "6s", "5s", "4s", "3s"]}, "h")
    live.do("play", card="4h")
    live.do("play", card="As")
    assert set(live.offered(live.turn, "play")[0]["card"]["one_of"]) == set(live.hand(live.turn))


TRICKS = [
    (["Ks", "4s", "2s"], 0, "the highest of the suit led"),
    (["4s", "Ks", "Kd"], 1, "another suit does not win"),
    (["Ks", "6h", "4s"], 1, "any trump beats it"),
    (["Ks", "6h", "2h"], 2, "and the highest trump every other"),
    (["Ah", "Kh", "Ac"], 2, "basta beats punto"),
    (["Kh", "Ah", "4h"], 1, "punto beats the king"),
    (["Ac", "7h", "As"], 2, "spadille beats manille, manille basta"),
    (["6d", "2d", "7d"], 1, "low red cards beat those of more pips"),
    (["6s", "7s", "2s"], 1, "high black cards those of fewer"),
    (["2d", "Ad", "Jd"], 2, "a plain red ace comes after the knave"),
]


@for_each("cards, taker, why", TRICKS)
def test_om_5_1_who_wins_the_trick_leads_to_the_next(cards: list[str], taker: int, why: str) -> None:
    led = [card for card in PACK if suit_in(card, "h") == suit_in(cards[0], "h")]
    void = {place: led for place, card in enumerate(cards) if card not in led}
    live = OmbreLive.around({place: [card] for place, card in enumerate(cards)}, without=void)
    live.bid_out(live.order[2], "solo")
    live.do("declare", trump="h")
    live.exchanged()
    for card in cards:
        live.do("play", card=card)
    assert live.of(TrickWon) == [TrickWon(live.order[taker], 1)], why
    assert live.turn == live.order[taker]
    assert winner_of(list(enumerate(cards)), "h") == taker


@for_each("number", range(30))
def test_om_5_1_random_deals_by_the_checker(number: int) -> None:
    rng = chance(("play", number))
    live = OmbreLive.around({place: rng.sample(PACK[place::3], 9) for place in range(3)})
    live.bid_out(live.order[number % 3], "solo")
    trump = SUITS[number % 4]
    live.do("declare", trump=trump)
    live.exchanged()
    on_table: list[tuple[int, str]] = []
    while not live.table.scored:
        seat = live.turn
        led = on_table[0][1] if on_table else None
        open_to = live.offered(seat, "play")[0]["card"]["one_of"]
        assert set(open_to) == set(playable(live.hand(seat), led, trump))
        card = rng.choice(open_to)
        on_table.append((seat, card))
        events = live.do("play", card=card)
        if len(on_table) == 3:
            won = next(event.public for event in events if isinstance(event.public, TrickWon))
            assert won.seat == winner_of(on_table, trump)
            on_table = []
