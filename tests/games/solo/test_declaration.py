"""SO-2.1, SO-3.2, SO-3.3 and SO-3.4: what declarer may declare."""

from itertools import product

import pytest

from domain.games.solo.events import ContractDeclared
from domain.kernel.rejection import Code
from domain.parts.holding import either
from tests.games.solo.tables import GAMES, PACK, SUITS, SoloLive, dealt
from tests.support.for_each import for_each

SIMPLE, SOLO, TOUT = "simple", "solo", "tout"
ACES = ("As", "Ah", "Ad", "Ac")
KINGS = ("Ks", "Kh", "Kd", "Kc")
APART = {0: "9s 9h", 1: "Qs 8s", 2: "Qc 8h", 3: "As Ah Ad Ac"}
"""No ace at seat 0, and the black queens apart."""


def holding(level: int, hands: dict[int, str] = APART, *, color: str = "c") -> SoloLive:
    """A table at which seat 0 has become declarer, holding this level; 0 where all have passed."""
    live = dealt(hands, color=color)
    if not level:
        while live.phase == "auction":
            live.do("pass")
        return live
    live.do("ask")
    for _ in range(level - 1):
        live.do("ask")
        live.do("yes")
    while live.phase == "auction":
        live.do("pass")
    if level < 6:
        assert (live.turn, live.table.deal_state.level) == (0, level)
    return live


def level_of(game: str, trump: str, color: str) -> int:
    """The level of the game with these trumps, by the table of SO-2."""
    return next(level for level, declared in GAMES.items() if declared == (game, trump == color))


@for_each("color", SUITS)
@for_each("level", range(1, 6))
@for_each("game, trump", list(product((SIMPLE, SOLO, TOUT), SUITS)))
def test_so_3_2_any_game_of_at_least_the_level_held(color: str, level: int, game: str, trump: str) -> None:
    live = holding(level, {0: "As 9h", 1: "Qs", 2: "Qc"}, color=color)
    called = "Ad" if game == SIMPLE else None
    due = level_of(game, trump, color)
    if due >= level:
        live.do("declare", game=game, trump=trump, called=called)
        assert live.of(ContractDeclared) == [ContractDeclared(0, game, trump, called, due)]  # type: ignore[arg-type] # as named in the rules
        assert live.phase == "play"
    else:
        live.refuses(0, "declare", Code.RULE_VIOLATION, "SO-3.2", game=game, trump=trump, called=called)


def test_so_3_2_offers_say_so() -> None:
    live = holding(2)
    assert live.offered(0, "declare") == [
        {"game": {"one_of": (SIMPLE,)}, "trump": {"one_of": ("c",)}, "called": {"one_of": ACES}},
        {"game": {"one_of": (SOLO,)}, "trump": {"one_of": ("s", "h", "d", "c")}, "called": {"one_of": (None,)}},
        {"game": {"one_of": (TOUT,)}, "trump": {"one_of": ("s", "h", "d", "c")}, "called": {"one_of": (None,)}},
    ]


@pytest.mark.parametrize("color", SUITS)
def test_so_3_2_at_level_6_the_only_game_left_is_declared_by_itself(color: str) -> None:
    live = holding(6, color=color)
    declared = live.events[-1]
    assert declared.public == ContractDeclared(0, "tout", color, None, 6)  # type: ignore[arg-type] # a suit
    assert (declared.actor, live.game.decider.action_of(declared), live.phase) == ("house", None, "play")
    decider, before = live.game.decider, live.known_to("seat:0", live.version - 1).deal_state
    assert (before.PHASE, decider.to_act(before), decider.offers(before, 0)) == ("declaration", (), ())
    live.refuses(0, "declare", Code.WRONG_PHASE, "SO-4.1", game=TOUT, trump=color)


def test_so_3_2_below_level_6_nothing_is_declared_by_itself_whatever_is_held() -> None:
    live = holding(5, {0: "Qc Qs 7c Ac Kc Jc Tc 9c"})
    assert (live.phase, live.to_act, live.events[-1].public.TYPE) == ("declaration", (0,), "bid-passed")


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_so_3_2_only_declarer_declares(seat: int) -> None:
    live = holding(1)
    assert live.offers(seat) == ()
    live.refuses(seat, "declare", Code.NOT_YOUR_TURN, "SO-3.2", game=SOLO, trump="s")
    live.refuses(0, "pass", Code.WRONG_PHASE, "SO-3.2")


@for_each("card", PACK)
@for_each("held", ["", "As", "Ac Ks", "Ah Ad Ac"])
def test_so_2_1_an_ace_that_declarer_does_not_hold(card: str, held: str) -> None:
    others = " ".join(ace for ace in ACES if ace not in held)
    live = holding(1, {0: f"{held} 9s 9h", 1: "Qs", 2: "Qc", 3: others})
    own = held.split()
    if card in ACES and card not in own:
        live.do("declare", game=SIMPLE, trump="s", called=card)
        assert live.view("public")["contract"]["called"] == card
    else:
        live.refuses(0, "declare", Code.RULE_VIOLATION, "SO-2.1", game=SIMPLE, trump="s", called=card)


@pytest.mark.parametrize("trump", SUITS)
def test_so_2_1_the_ace_of_trumps_may_be_called(trump: str) -> None:
    live = holding(1)
    live.do("declare", game=SIMPLE, trump=trump, called=f"A{trump}")
    assert live.view("public")["contract"]["called"] == f"A{trump}"


@for_each("game", [SOLO, TOUT])
@for_each("card", ["Ah", "Kh", "9d"])
def test_so_2_1_nothing_is_called_in_games_alone(game: str, card: str) -> None:
    detail = holding(1).refuses(0, "declare", Code.RULE_VIOLATION, "SO-2.1", game=game, trump="s", called=card)
    assert detail == f"a {game} is played alone: called must be left out"


def test_so_2_1_a_simple_game_without_a_call_there_is_not() -> None:
    holding(1).refuses(0, "declare", Code.RULE_VIOLATION, "SO-2.1", game=SIMPLE, trump="s")


@pytest.mark.parametrize("own", ["9s", "Kh", "Ks Kd", "Ks Kh Kd"])
def test_so_2_1_who_holds_all_four_aces_calls_a_king(own: str) -> None:
    callable_ = tuple(king for king in KINGS if king not in own)
    live = holding(1, {0: f"As Ah Ad Ac {own}", 1: "Qs", 2: "Qc", 3: " ".join(callable_)})
    assert live.offered(0, "declare")[0]["called"] == {"one_of": callable_}
    for card in (*ACES, *own.split()):
        detail = live.refuses(0, "declare", Code.RULE_VIOLATION, "SO-2.1", game=SIMPLE, trump="s", called=card)
        assert detail == f"a simple game calls a card that you do not hold: {either(callable_)}"
    live.do("declare", game=SIMPLE, trump="h", called=callable_[-1])
    assert live.view("public")["contract"]["called"] == callable_[-1]


def test_so_2_1_who_holds_all_aces_and_kings_plays_no_simple_game() -> None:
    everything = " ".join((*ACES, *KINGS))
    live = holding(1, {0: everything, 1: "Qs", 2: "Qc"})
    assert [offer["game"] for offer in live.offered(0, "declare")] == [{"one_of": (SOLO,)}, {"one_of": (TOUT,)}]
    for called in (None, "As", "Qh"):
        detail = live.refuses(0, "declare", Code.RULE_VIOLATION, "SO-2.1", game=SIMPLE, trump="s", called=called)
        assert detail == "you hold all aces and kings, and so there is no card to call"
    live.do("declare", game=SOLO, trump="s")
    assert live.phase == "play"


@pytest.mark.parametrize("level", [1, 2, 3, 4])
def test_so_3_3_both_black_queens_play_solo_or_higher(level: int) -> None:
    live = holding(level, {0: "Qc Qs 9h"})
    for trump in SUITS:
        # A game below the level held breaks the rule that stands before.
        rule = "SO-3.3" if level <= level_of(SIMPLE, trump, "c") else "SO-3.2"
        live.refuses(0, "declare", Code.RULE_VIOLATION, rule, game=SIMPLE, trump=trump, called="Ac")
    assert [offer["game"] for offer in live.offered(0, "declare")] == [{"one_of": (SOLO,)}, {"one_of": (TOUT,)}]
    assert live.offered(0, "declare")[0]["trump"] == {"one_of": ("s", "h", "d", "c") if level < 4 else ("c",)}
    live.do("declare", game=SOLO, trump="c")
    assert live.phase == "play"


@for_each("color", SUITS)
@for_each("trump", SUITS)
def test_so_3_4_a_simple_game_of_either_kind(color: str, trump: str) -> None:
    live = holding(0, color=color)
    assert live.turn == 2
    assert len(live.offers(2)) == 1
    called = next(ace for ace in ACES if ace not in live.hand(2))
    live.do("declare", game=SIMPLE, trump=trump, called=called)
    assert live.of(ContractDeclared)[0].level == (2 if trump == color else 1)


@for_each("game", [SOLO, TOUT])
@for_each("trump", SUITS)
def test_so_3_4_no_higher_game(game: str, trump: str) -> None:
    holding(0).refuses(2, "declare", Code.RULE_VIOLATION, "SO-3.4", game=game, trump=trump)


def test_so_3_4_nobody_is_forced_who_could_call_no_card() -> None:
    live = holding(0, {3: " ".join((*ACES, *KINGS)), 1: "Qs", 2: "Qc"})
    assert live.turn == 2
    assert live.offered(2, "declare")[0]["called"] == {"one_of": ACES}
