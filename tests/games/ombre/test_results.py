"""OM-6: what the tricks come to and when play stops, held against the checker for all beginnings of a deal."""

from collections.abc import Callable, Collection
from itertools import product

from domain.games.ombre.contracts import CODILLE, RESULTS
from domain.games.ombre.facts import estuches
from domain.games.ombre.scoring import Settlement, new_ombre_settlement, settlement
from domain.kernel.rejection import Code
from domain.parts.tally import AllTricksUndertaken, PlayStopped, Tally, tally
from domain.parts.tricks import TrickWon
from tests.games.ombre.checker import Worth
from tests.games.ombre.checker import estuches as run_of_trumps
from tests.games.ombre.tables import declared, played, still, stops_after
from tests.support.checker.matadors import PACK, TRUMPS
from tests.support.for_each import for_each

BEGINNINGS = [winners for tricks in range(10) for winners in product(range(3), repeat=tricks)]


def settled(worths: Collection[Worth]) -> Settlement | None:
    """The domain's settlement of a deal of which only these may come; None where they are several."""
    if len(worths) > 1:
        return None
    ((outcome, dues),) = worths
    (result,) = (result for result in RESULTS if result.outcome == outcome)
    primeras = any(due.kind == "primeras" and due.amount for due in dues)
    takers = tuple(due.to for due in dues if due.kind == "codille" and isinstance(due.to, int))
    return Settlement(result, primeras, takers)


@for_each("new_ombre, settlement_of", [(False, settlement), (True, new_ombre_settlement)])
def test_om_6_4_settled_exactly_when_all_that_may_follow_agrees(
    new_ombre: bool, settlement_of: Callable[[Tally], Settlement | None]
) -> None:
    known = {winners: settled(still(winners, new_ombre=new_ombre)) for winners in BEGINNINGS}
    assert len(known) == 29524
    for winners in BEGINNINGS:
        # What comes after the deal is settled is never played.
        if winners and known[winners[:-1]] is not None:
            continue
        assert settlement_of(tally(0, (0, 1, 2), winners)) == known[winners], winners


STOPS = [
    ((1, 0, 0, 0, 0, 0), "win", 6),
    ((1, 1, 1, 1, 1), "codille", 5),
    ((1, 1, 1, 1, 2, 2, 0, 0, 0), "codille", 8),
    ((1, 1, 1, 1, 2, 2, 2, 2), "codille", 9),
    ((1, 1, 1, 2, 2, 2, 0, 0, 0), "puesta", 9),
    ((0, 0, 0, 1, 1, 1, 0, 2, 2), "win", 9),
    ((0, 0, 0, 0, 1, 1, 1, 1, 2), "puesta", 9),
    ((0, 0, 0, 0, 0, 1), "vole-failed", 6),
    ((0,) * 9, "vole", 9),
]


@for_each("contract", ["entrada", "vuelta", "solo"])
@for_each("winners, outcome, tricks", STOPS)
def test_om_6_4_play_stops_there(contract: str, winners: tuple[int, ...], outcome: str, tricks: int) -> None:
    filled = (*winners, *(0,) * (9 - len(winners)))
    assert stops_after(filled) == tricks
    live = played(contract, filled)
    assert (live.score.outcome, len(live.of(TrickWon)), live.table.scored) == (outcome, tricks, 1)


def test_om_6_4_to_whom_the_pools_value_goes_is_waited_for() -> None:
    """One against four and three: a codille for certain, but the last trick may make the defenders equal."""
    live = played("entrada", (0, 1, 1, 1, 1, 2, 2, 2))
    assert live.table.scored == 0
    for last, takers in ((1, (1,)), (2, (1, 2))):
        assert settled(still((0, 1, 1, 1, 1, 2, 2, 2, last))) == Settlement(CODILLE, takers=takers)


@for_each("place", range(3))
@for_each(
    "winners, outcome",
    [
        ((1, 0, 0, 0, 0, 0), "win"),
        ((1, 1, 1, 2, 2, 0, 0, 0, 0), "win"),
        ((2, 2, 2, 2, 1, 0, 0, 0, 0), "puesta"),
        ((1, 1, 1, 2, 2, 2, 0, 0, 0), "puesta"),
        ((1, 1, 1, 1, 0, 0, 0, 2, 2), "codille"),
        ((2, 2, 2, 2, 2), "codille"),
        ((1, 1, 1, 1, 2, 2, 2, 2, 0), "codille"),
    ],
)
def test_om_6_1_win_puesta_and_codille(winners: tuple[int, ...], outcome: str, place: int) -> None:
    live = played("vuelta", winners, place=place)
    assert live.score.outcome == outcome


def test_om_6_2_who_wins_the_first_five_stops_with_primeras() -> None:
    live = played("entrada", (0,) * 5)
    ombre = live.turns[0]
    assert live.types(ombre) == {"play", "stop"}
    events = live.do("stop")
    assert [event.public for event in events[:1]] == [PlayStopped(ombre)]
    assert live.score.outcome == "win"
    assert (
        live.booked(ombre)
        == [("pool", "OM-6.1", 5), *[("contract", "OM-6.1", 5), ("contract", "OM-6.1", 5)]]
        + [("primeras", "OM-6.2", 1)] * 2
    )


def test_om_6_2_or_leads_to_the_sixth_and_gives_up_primeras() -> None:
    live = played("entrada", (0,) * 9)
    ombre = live.turns[0]
    assert live.of(AllTricksUndertaken) == [AllTricksUndertaken(ombre)]
    led = next(event.version for event in live.events if isinstance(event.public, AllTricksUndertaken))
    assert live.events[led - 2].public.TYPE == "card-played"
    assert len([event for event in live.events[:led] if isinstance(event.public, TrickWon)]) == 5
    assert live.score.outcome == "vole"
    assert {kind for kind, _, _ in live.booked(ombre)} == {"pool", "contract", "vole"}
    assert live.amounts(*live.turns) == (5 + 70, -35, -35)


@for_each("lost", range(5, 9))
def test_om_6_2_the_first_trick_lost_ends_the_deal(lost: int) -> None:
    live = played("solo", (*(0,) * lost, 1))
    assert (live.score.outcome, len(live.of(TrickWon))) == ("vole-failed", lost + 1)
    assert live.amounts(*live.turns) == (5 + 30 - 60, -15 + 30, -15 + 30)


@for_each("winners", [(0, 0, 0, 0, 1, 0), (1, 0, 0, 0, 0, 0)])
def test_om_6_2_nobody_else_chooses(winners: tuple[int, ...]) -> None:
    live = declared("entrada", winners).exchanged()
    for _ in range(5):
        for seat in range(3):
            assert "stop" not in live.types(seat)
        detail = live.refuses(live.turn, "stop", Code.RULE_VIOLATION, "OM-6.2")
        turn = "Ombre stops only after winning the first five tricks, before the sixth"
        assert detail == (turn if live.turn == live.turns[0] else "only Ombre stops")
        live.bound(until=len(live.table.deal_state.tricks.winners) + 1)
    assert not live.of(AllTricksUndertaken)


def test_om_6_2_it_is_ombre_who_stops_before_leading() -> None:
    live = played("entrada", (0,) * 5)
    for seat in live.turns[1:]:
        live.refuses(seat, "stop", Code.NOT_YOUR_TURN, "OM-6.2")
    live.do("play", card=live.plan[5][live.turn])
    live.refuses(live.turn, "stop", Code.RULE_VIOLATION, "OM-6.2")


def test_om_6_2_the_view_tells_that_all_tricks_are_undertaken() -> None:
    live = played("entrada", (0,) * 5)
    assert live.view("public")["contract"]["undertaken"] is False
    live.do("play", card=live.plan[5][live.turn])
    assert live.view("public")["contract"]["undertaken"] is True


@for_each("trump", list(TRUMPS))
def test_om_6_3_estuches_of_all_sets_of_high_trumps(trump: str) -> None:
    """Every choice of the seven highest trumps, and of the others none or all."""
    high, rest = TRUMPS[trump][:7], TRUMPS[trump][7:]
    plain = [card for card in PACK if card not in TRUMPS[trump]][:2]
    for held in product((False, True), repeat=7):
        for low in ([], rest):
            hand = (*(card for card, has in zip(high, held, strict=True) if has), *low, *plain)
            assert list(estuches(hand, trump)) == run_of_trumps(hand, trump)  # type: ignore[arg-type] # cards


@for_each("held, worth", [(2, 0), (3, 3), (4, 4), (5, 5), (6, 5)])
@for_each("contract", ["entrada", "solo"])
def test_om_6_3_they_are_paid_by_each_defender(contract: str, held: int, worth: int) -> None:
    live = played(contract, (0, 0, 0, 0, 1, 0, 0), estuches=held)
    lines = [line for line in live.score.lines if line.kind == "estuches" and line.seat == live.turns[0]]
    assert [(line.amount, line.rule) for line in lines] == [(worth, "OM-6.3")] * (2 if worth else 0)
    assert live.score.estuches == tuple(TRUMPS["c"][:worth])
    assert all(card in line.text for line in lines for card in TRUMPS["c"][:worth])


def test_om_6_3_the_hand_after_the_exchange_counts() -> None:
    live = declared("entrada", (0, 0, 0, 0, 1, 0), estuches=3)
    ombre = live.turn
    spare = live.plan[4][ombre]
    drawn = next(iter(live.table.deal_state.exchange.talon))
    live.do("exchange", discard=["As", spare])
    assert drawn in live.hand(ombre)
    live.exchanged()
    assert live.table.deal_state.opening == live.hand(ombre)
    assert estuches(live.table.deal_state.opening, "c") == ()


@for_each("winners", [(0, 0, 0, 1, 1, 1, 2, 2, 2), (0, 0, 0, 1, 1, 1, 1, 1)])
def test_om_6_3_only_an_ombre_who_wins_is_paid_for_them(winners: tuple[int, ...]) -> None:
    live = played("entrada", winners, estuches=3)
    assert live.score.outcome in ("puesta", "codille")
    assert live.score.estuches == ()
    assert all(line.kind != "estuches" for line in live.score.lines)
