"""DG-5 to DG-8: the hunts, what remains, and the score."""

from domain.games.dingo import DINGO
from domain.games.dingo.acts import Pass, PlayWolves
from domain.games.dingo.events import AceShown, DingoPlayed, HuntOff, RabbitPlayed
from domain.games.dingo.meta import winners
from domain.kernel.course import Standing
from domain.kernel.ledger import BANK
from domain.kernel.rejection import Code
from domain.parts.tricks import HandExposed
from domain.table.events import DealScored, GameFinished
from tests.games.dingo.checker import RANKS, value
from tests.games.dingo.tables import DingoLive, in_hunts
from tests.support.for_each import for_each
from tests.support.games import chance, finished


def hunts(hands: dict[int, str], *, gone: str = "") -> DingoLive:
    """A table in the hunts with these cards and an ace in each hand that has none of its own."""
    named = " ".join(hands.values())
    free = [ace for ace in ("As", "Ah", "Ad", "Ac") if ace not in named]
    full = dict(hands)
    for seat in range(4):
        if free and "A" not in full.get(seat, ""):
            full[seat] = f"{full.get(seat, '')} {free.pop()}".strip()
    if free:
        full[0] = f"{full[0]} {' '.join(free)}"
    return in_hunts(full, gone=gone)


def aces(dingo: int, holders: dict[str, int]) -> DingoLive:
    """A table in the hunt of the ace; the dingo player holds the ace of hearts."""
    hands = {
        seat: " ".join(ace for ace, holder in {**holders, "Ah": dingo}.items() if holder == seat) for seat in range(4)
    }
    live = in_hunts({seat: cards for seat, cards in hands.items() if cards})
    return live.pass_until("A")


def play_aces(live: DingoLive, *acts: str) -> DingoLive:
    """Black aces, or none, by each seat in turn."""
    for cards in acts:
        live.do("play-wolves", cards=cards.split())
    return live


def test_dg_5_1_the_house_plays_the_dingo_for_its_holder() -> None:
    live = hunts({1: "2h", 2: "2s 2c"})
    assert live.of(DingoPlayed)[0] == DingoPlayed("2", 1, "2h")
    event = next(event for event in live.events if event.public.TYPE == "dingo-played")
    assert event.actor == "house"
    assert "2h" not in live.hand(1)


def test_dg_5_1_ranks_are_hunted_in_order() -> None:
    live = finished(DingoLive.started(), chance("order"))
    hunted = [event.public.rank for event in live.events if event.public.TYPE in ("dingo-played", "hunt-off")]
    assert hunted == list(RANKS)


def test_dg_5_1_no_hunt_where_the_dingo_was_discarded() -> None:
    live = hunts({0: "3h", 1: "3s"}, gone="2h")
    assert live.of(HuntOff) == [HuntOff("2")]
    assert live.view("public")["hunt"]["rank"] == "3"
    assert all(seat["points"] == 0 for seat in live.view("public")["seats"])


def test_dg_5_2_the_three_others_from_the_dingo_players_left() -> None:
    live, asked = hunts({1: "2h", 3: "2s 2c"}), []
    while live.view("public")["hunt"]["rank"] == "2":
        asked.append(live.turn)
        live.do("pass")
    assert asked == [2, 3, 0]


def test_dg_5_2_one_wolf_of_the_rank_or_a_pass() -> None:
    live = hunts({1: "2h", 2: "2s 2c 3s"})
    assert live.types(2) == {"play-wolf", "pass"}
    assert live.offered(2, "play-wolf") == [{"card": {"one_of": ("2s", "2c")}}]
    for card in ("3s", "Kd"):
        refused = live.refuses(2, "play-wolf", Code.RULE_VIOLATION, "DG-5.2", card=card)
        assert refused == f"{card} is no wolf of the rank hunted: 2s or 2c is"
    live.refuses(1, "pass", Code.NOT_YOUR_TURN, "DG-5.2")
    live.do("play-wolf", card="2s")
    assert live.turn == 3


def test_dg_5_3_who_holds_no_wolf_is_asked_too() -> None:
    live = hunts({1: "2h", 3: "2s 2c"})
    assert live.types(2) == {"pass"}
    live.refuses(2, "play-wolf", Code.RULE_VIOLATION, "DG-5.2", card="2s")
    for audience in live.audiences:
        assert live.view(audience)["to_act"] == (2,)


def test_dg_5_3_a_hunt_is_cut_short_when_both_wolves_are_gone() -> None:
    live = hunts({1: "2h", 3: "2c"}, gone="2s")
    live.do("pass")
    live.do("play-wolf", card="2c")
    assert live.hunt_of("2").rank == "2"


def test_dg_5_4_no_wolf() -> None:
    """Worked example 3: the dingo alone costs its player its value."""
    live = hunts({1: "Th", 3: "Ts Tc"}).to_the_end()
    assert live.points_of("T") == [0, -2, 0, 0]
    assert live.hunt_of("T").score == ()


def test_dg_5_4_cut_short_before_anybody_is_asked() -> None:
    """Worked example 5."""
    live = hunts({1: "8h"}, gone="8s 8c").to_the_end()
    assert live.points_of("8") == [0, -1, 0, 0]


def test_dg_5_5_one_wolf() -> None:
    """Worked example 1."""
    live = hunts({1: "7h", 2: "7s", 3: "7c"}).pass_until("7")
    live.do("play-wolf", card="7s")
    live.do("pass")
    live.do("pass")
    assert live.points_of("7") == [0, 1, 2, 0]
    assert live.view("public")["seats"][2]["score_pile"] == ("7s", "7d")


def test_dg_5_6_two_wolves() -> None:
    """Worked example 2."""
    live = hunts({0: "Qh", 2: "Qc", 3: "Qs"}).pass_until("Q")
    live.do("pass")
    live.do("play-wolf", card="Qc")
    live.do("play-wolf", card="Qs")
    assert live.points_of("Q") == [4, 0, 0, 4]


def test_dg_5_7_the_second_wolf_goes_to_its_own_player() -> None:
    live = hunts({0: "9h", 1: "9c", 2: "9s"}).pass_until("9")
    live.do("play-wolf", card="9c")
    live.do("play-wolf", card="9s")
    won = {each.card: each.seat for each in live.hunt_of("9").score}
    assert won == {"9s": 2, "9d": 2, "9h": 0, "9c": 0}


def test_dg_6_1_the_house_plays_the_ace_of_hearts() -> None:
    live = aces(2, {"As": 3, "Ac": 1, "Ad": 1})
    assert live.of(DingoPlayed)[-1] == DingoPlayed("A", 2, "Ah")


def test_dg_6_2_all_four_are_asked_the_dingo_player_last() -> None:
    live, asked = aces(2, {"As": 2, "Ac": 2, "Ad": 1}), []
    while live.phase == "ace-hunt" and live.to_act:
        asked.append(live.turn)
        assert live.offered(live.turn, "play-wolves")
        live.do("play-wolves", cards=[])
    assert asked == [3, 0, 1, 2]


def test_dg_6_2_none_one_or_both_of_the_black_aces_held() -> None:
    live = aces(2, {"As": 3, "Ac": 3, "Ad": 1})
    (offer,) = live.offered(3, "play-wolves")
    assert offer == {"cards": {"some_of": ("As", "Ac"), "min": 0, "max": 2}}
    refused = live.refuses(3, "play-wolves", Code.RULE_VIOLATION, "DG-6.2", cards=["Ad"])
    assert refused == "Ad is no black ace: play none, one or both of those that you hold"
    live.refuses(3, "pass", Code.WRONG_PHASE, "DG-6.2")
    play_aces(live, "As Ac")
    assert live.hunt_of("A").rank == "A"


def test_dg_6_3_the_rabbit_follows_its_holders_wolves() -> None:
    """Worked example 6."""
    live = play_aces(aces(2, {"As": 3, "Ac": 1, "Ad": 1}), "As", "", "Ac")
    assert live.of(RabbitPlayed) == [RabbitPlayed(1, "Ad")]
    assert live.points_of("A") == [0, 13, 3, 3]


def test_dg_6_3_too_late_for_a_turn_that_is_over() -> None:
    """Worked example 7."""
    live = play_aces(aces(2, {"As": 3, "Ac": 2, "Ad": 1}), "As", "", "", "Ac")
    assert live.of(AceShown) == [AceShown(1, "Ad")]
    assert live.points_of("A") == [0, -3, 6, 3]


def test_dg_6_4_the_rabbits_turn_is_not_awaited() -> None:
    live = play_aces(aces(2, {"As": 3, "Ac": 3, "Ad": 1}), "As Ac")
    assert live.points_of("A") == [0, 10, 3, 6]


def test_dg_6_4_the_dingo_player_holds_both() -> None:
    """Worked examples 8 and 9."""
    holders = {"As": 3, "Ac": 2, "Ad": 2}
    assert play_aces(aces(2, holders), "As", "", "", "Ac").points_of("A") == [0, 0, 16, 3]
    assert play_aces(aces(2, holders), "As", "", "", "").points_of("A") == [0, 0, 0, 3]


def test_dg_6_5_nobody_plays_a_black_ace() -> None:
    """Worked example 10."""
    live = play_aces(aces(2, {"As": 3, "Ac": 3, "Ad": 0}), "", "", "", "")
    assert live.points_of("A") == [-3, 0, -3, 0]
    live = play_aces(aces(2, {"As": 3, "Ac": 3, "Ad": 2}), "", "", "", "")
    assert live.points_of("A") == [0, 0, -6, 0]


def test_dg_6_5_the_dingo_players_own_black_ace_counts() -> None:
    live = play_aces(aces(2, {"As": 2, "Ac": 3, "Ad": 0}), "", "", "", "As")
    assert live.points_of("A") == [-3, 0, 6, 0]


def test_dg_7_1_cards_left_are_shown_to_all() -> None:
    live = aces(2, {"As": 3, "Ac": 3, "Ad": 0})
    left = {seat: live.hand(seat) for seat in live.seats}
    play_aces(live, "", "", "", "")
    shown = {event.seat: event.cards for event in live.of(HandExposed)}
    assert shown == {seat: tuple(c for c in cards if c != "Ad") for seat, cards in left.items() if set(cards) - {"Ad"}}
    assert {card[1] for cards in shown.values() for card in cards} <= {"s", "c"}
    order = [event.seat for event in live.of(HandExposed)]
    assert order == sorted(order, key=lambda seat: (seat - 3) % 4)


def test_dg_7_2_no_other_early_stop() -> None:
    live = finished(DingoLive.started(), chance("all"))
    assert len(live.of(DingoPlayed)) + len(live.of(HuntOff)) == 13
    assert {"concede", "stop"}.isdisjoint(DINGO.words.acts)


def test_dg_8_1_a_line_for_each_card() -> None:
    for number in range(6):
        live = finished(DingoLive.started(seed=bytes([number]) * 32), chance(number))
        piles = [(seat["score_pile"], seat["penalty_pile"]) for seat in live.view("public", live.version - 2)["seats"]]
        for seat, (scored, lost) in enumerate(piles):
            lines = live.booked(seat)
            worth = [10 if card == "Ad" else value(card) for card in scored]
            assert sorted(amount for kind, _, amount in lines if kind == "score") == sorted(worth)
            assert sorted(amount for kind, _, amount in lines if kind == "penalty") == sorted(-value(c) for c in lost)
        assert {line.rule for line in live.score.lines} <= {"DG-5.4", "DG-5.5", "DG-5.6", "DG-6.5"}
        assert {line.account for line in live.score.lines if line.seat is None} <= {BANK}


def test_dg_8_2_scores_are_sums_and_lines_sum_to_zero() -> None:
    live = finished(DingoLive.started(), chance("zero"))
    (score,) = live.of(DealScored)
    assert sum(line.amount for line in score.lines) == 0
    assert [sum(amount for _, _, amount in live.booked(seat)) for seat in live.seats] == list(score.totals)


def test_dg_8_3_what_a_hunt_costs_the_bank() -> None:
    for number in range(8):
        live = finished(DingoLive.started(seed=bytes([number]) * 32), chance(number))
        for ended in live.of(type(live.hunt_of("A")))[:-1]:
            worth = value(f"{ended.rank}s")
            wolves = sum(each.card[1] in "sc" for each in ended.score)
            assert sum(live.points_of(ended.rank)) == (-worth, 3 * worth, 4 * worth)[wolves]
        ended = live.hunt_of("A")
        wolves = sum(each.card[1] in "sc" for each in ended.score)
        hearts, diamonds = (3 if wolves else -3), (10 if live.of(RabbitPlayed) else -3)
        assert sum(live.points_of("A")) == 3 * wolves + hearts + diamonds


@for_each(
    "totals, rabbits, deals, won",
    [
        ((14, 3, 2, 14), ("K", None, None, "Q"), 1, (0,)),
        ((14, 3, 2, 14), ("K", None, None, "A"), 1, (3,)),
        ((14, 3, 2, 14), (None, "A", None, None), 1, (0, 3)),
        ((14, 14, 2, 14), (None, "2", None, None), 1, (1,)),
        ((14, 3, 2, 14), ("K", None, None, "Q"), 4, (0, 3)),
        ((15, 3, 2, 14), (None, None, None, "A"), 1, (0,)),
    ],
)
def test_dg_8_4_the_highest_rabbit_settles_ties_of_one_deal(
    totals: tuple[int, ...], rabbits: tuple[str | None, ...], deals: int, won: tuple[int, ...]
) -> None:
    """Worked example 11 and beyond."""
    standing = Standing(None, deals, deals, 0, totals, {}, {"rabbits": rabbits})
    assert winners(standing) == won


def test_dg_1_4_the_highest_score_wins() -> None:
    for number in range(10):
        live = finished(DingoLive.started(seed=bytes([number]) * 32), chance(number))
        (end,) = live.of(GameFinished)
        leading = [seat for seat in range(4) if end.totals[seat] == max(end.totals)]
        assert set(end.winners) <= set(leading)
        assert len(leading) > 1 or list(end.winners) == leading


def test_the_clock_plays_no_wolf() -> None:
    live = hunts({1: "2h", 2: "2s 2c"})
    assert live.game.decider.default_action(live.table.deal_state, 2) == Pass()
    live = aces(2, {"As": 3, "Ac": 3, "Ad": 1})
    assert live.game.decider.default_action(live.table.deal_state, 3) == PlayWolves(())
