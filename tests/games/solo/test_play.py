"""SO-4.1: leading, following suit, and who wins a trick."""

import pytest

from domain.kernel.rejection import Code
from tests.games.solo.checker import suit_in, winner_of
from tests.games.solo.tables import SUITS, SoloLive, dealt, declared, planned
from tests.support.checker.record import following
from tests.support.for_each import for_each
from tests.support.games import chance, step


def playing(hands: dict[int, str], trump: str, *, dealer: int = 3) -> SoloLive:
    """A deal in which the dealer's left plays solo with these trumps."""
    live = dealt(hands, dealer=dealer)
    live.asked_out((dealer + 1) % 4)
    live.do("declare", game="solo", trump=trump)
    return live


@for_each("declarer", range(4))
@for_each("eldest", range(4))
def test_so_4_1_the_dealers_left_leads_whoever_is_declarer(declarer: int, eldest: int) -> None:
    live = declared(3, planned([0] * 8), declarer=declarer, eldest=eldest)
    assert (live.phase, live.to_act) == ("play", (eldest,))
    assert live.view("public")["order"] == tuple((eldest + step) % 4 for step in range(4))


def test_so_4_1_clockwise_and_the_winner_leads_to_the_next() -> None:
    plan = planned([2, 2, 1, 0, 0, 0, 0, 0])
    live = declared(3, plan)
    turns = []
    for trick in plan.tricks[:3]:
        for _ in range(4):
            turns.append(live.turn)
            live.do("play", card=trick[live.turn])
    assert turns == [0, 1, 2, 3, 2, 3, 0, 1, 2, 3, 0, 1]
    assert live.turn == 1
    assert [(won.seat, won.trick) for won in live.of(type(live.events[-1].public))] == [(2, 1), (2, 2), (1, 3)]


def test_so_4_1_any_card_may_be_led() -> None:
    live = playing({0: "As 8h 7d Qc"}, "h")
    assert live.offered(0, "play") == [{"card": {"one_of": live.hand(0)}}]
    live.refuses(0, "play", Code.RULE_VIOLATION, "SO-4.1", card=live.hand(1)[0])
    live.refuses(1, "play", Code.NOT_YOUR_TURN, "SO-4.1", card=live.hand(1)[0])


def test_so_4_1_follow_suit_if_you_can() -> None:
    live = playing({0: "As", 1: "Ks 8s Qs 9d", 2: "Qc"}, "h")
    live.do("play", card="As")
    allowed = {card for card in live.hand(1) if card[1] == "s" and card != "Qs"}
    assert {"Ks", "8s"} <= allowed
    (offer,) = live.offered(1, "play")
    assert set(offer["card"]["one_of"]) == allowed
    for card in set(live.hand(1)) - allowed:
        live.refuses(1, "play", Code.RULE_VIOLATION, "SO-4.1", card=card)


@pytest.mark.parametrize(("queen", "suit"), [("Qs", "s"), ("Qc", "c")])
def test_so_4_1_a_black_queen_does_not_follow_the_suit_printed_on_it(queen: str, suit: str) -> None:
    """Its holder has no other card of that suit, and so plays anything, the queen too."""
    lead = f"A{suit}"
    live = playing({0: lead, 1: f"{queen} Ah Kh Ad Kd Qd Jd Td"}, "h")
    live.do("play", card=lead)
    (offer,) = live.offered(1, "play")
    assert set(offer["card"]["one_of"]) == set(live.hand(1))


@pytest.mark.parametrize("queen", ["Qs", "Qc"])
def test_so_4_1_a_black_queen_follows_trumps(queen: str) -> None:
    live = playing({0: "Ah", 1: f"{queen} As Ks Js Ad Kd 8d 9d"}, "h")
    live.do("play", card="Ah")
    assert live.offered(1, "play") == [{"card": {"one_of": (queen,)}}]


def test_so_4_1_a_black_queen_led_calls_for_trumps() -> None:
    live = playing({0: "Qs", 1: "Ah 8h As Ks Js Ad Kd 8d", 2: "Qc"}, "h")
    live.do("play", card="Qs")
    assert set(live.offered(1, "play")[0]["card"]["one_of"]) == {"Ah", "8h"}


@pytest.mark.parametrize("trump", SUITS)
def test_so_4_1_held_against_the_plain_rules_in_whole_deals(trump: str) -> None:
    rng = chance(("play", trump))
    tricks = 0
    for number in range(15):
        live = SoloLive.started(seed=bytes([number]) * 32, options=SoloLive.game.options(color=trump))
        while live.table.scored < 2:
            state = live.table.deal_state
            if live.phase == "play" and state.commitment.trump == trump:
                trick = [(played.seat, str(played.card)) for played in state.tricks.trick]
                (offer,) = live.offered(live.turn, "play")
                led = trick[0][1] if trick else None
                assert list(offer["card"]["one_of"]) == following(
                    live.hand(live.turn), led, lambda card: suit_in(card, trump)
                )
                seat, wire = step(live, rng)
                if len(trick) == 3:
                    won = [event.public for event in live.events if event.public.TYPE == "trick-won"][-1]
                    assert won.seat == winner_of([*trick, (seat, wire["card"])], trump)
                    tricks += 1
            else:
                step(live, rng)
    assert tricks > 20


def test_so_4_1_tricks_are_shown_to_all() -> None:
    plan = planned([2, 0, 0, 0, 0, 0, 0, 0])
    live = declared(3, plan)
    for _ in range(5):
        live.do("play", card=plan.tricks[live.table.deal_state.tricks.winners != ()][live.turn])
    for audience in live.audiences:
        view = live.view(audience)
        assert [one["card"] for one in view["last_trick"]["cards"]] == [plan.tricks[0][seat] for seat in range(4)]
        assert view["last_trick"]["winner"] == 2
        assert view["trick"] == ({"seat": 2, "card": plan.tricks[1][2]},)
        assert [seat["tricks"] for seat in view["seats"]] == [0, 0, 1, 0]
