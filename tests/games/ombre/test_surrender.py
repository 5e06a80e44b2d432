"""OM-7: surrender, its answers, and the new Ombre."""

from domain.games.ombre.events import SurrenderAnswered, SurrenderOffered
from domain.kernel.rejection import Code
from domain.parts.tricks import TrickWon
from tests.games.ombre.tables import OmbreLive, declared, played, stops_after
from tests.support.for_each import for_each

BOTH = for_each("contract", ["entrada", "vuelta"])


def waiting(contract: str, winners: tuple[int, ...], tricks: int, *, place: int = 0, pool: int = 5) -> OmbreLive:
    """A deal of these tricks after so many of them, nobody having led to the next."""
    return declared(contract, winners, place=place, pool=pool).exchanged().bound(until=tricks)


@BOTH
@for_each("place", range(3))
@for_each("tricks", range(4))
def test_om_7_1_until_three_tricks_are_complete_whoever_is_to_lead(contract: str, place: int, tricks: int) -> None:
    live = waiting(contract, (1, 2, 1), tricks, place=place)
    ombre = live.turns[0]
    assert "offer-surrender" in live.types(ombre)
    assert all("offer-surrender" not in live.types(seat) for seat in live.turns[1:])
    live.act(ombre, "offer-surrender")
    assert live.of(SurrenderOffered) == [SurrenderOffered(ombre)]
    assert live.phase == "surrender"


@BOTH
def test_om_7_1_not_after_the_fourth_trick(contract: str) -> None:
    live = waiting(contract, (1, 2, 1, 2), 4)
    assert "offer-surrender" not in live.types(live.turns[0])
    detail = live.refuses(live.turns[0], "offer-surrender", Code.RULE_VIOLATION, "OM-7.1")
    assert detail == "4 tricks are complete, more than 3"


@BOTH
@for_each("tricks", range(4))
@for_each("cards", [1, 2])
def test_om_7_1_not_while_a_card_lies_on_the_table(contract: str, tricks: int, cards: int) -> None:
    live = waiting(contract, (1, 2, 1, 0), tricks)
    for _ in range(cards):
        live.do("play", card=live.plan[tricks][live.turn])
    detail = live.refuses(live.turns[0], "offer-surrender", Code.RULE_VIOLATION, "OM-7.1")
    assert detail == "a card lies on the table"


def test_om_7_1_not_in_solo() -> None:
    live = waiting("solo", (), 0)
    assert live.types(live.turns[0]) == {"play"}
    detail = live.refuses(live.turns[0], "offer-surrender", Code.RULE_VIOLATION, "OM-7.1")
    assert detail == "nobody surrenders in solo"


@BOTH
def test_om_7_1_not_before_the_exchanges_are_over(contract: str) -> None:
    live = declared(contract)
    for rule in ("OM-4.4", "OM-4.5", "OM-4.5"):
        live.refuses(live.turns[0], "offer-surrender", Code.WRONG_PHASE, rule)
        live.do("exchange", discard=[])
    assert "offer-surrender" in live.types(live.turns[0])


@BOTH
def test_om_7_1_defenders_never(contract: str) -> None:
    live = waiting(contract, (1,), 1)
    for seat in live.turns[1:]:
        detail = live.refuses(seat, "offer-surrender", Code.RULE_VIOLATION, "OM-7.1")
        assert detail == "only Ombre offers to surrender"


@BOTH
@for_each("tricks", range(4))
def test_om_7_1_play_waits_for_the_answers(contract: str, tricks: int) -> None:
    live = waiting(contract, (1, 2, 1), tricks)
    leader = live.turn
    live.surrendered()
    assert live.to_act == (live.turns[1],)
    assert live.types(live.turns[0]) == live.types(live.turns[2]) == set()
    live.refuses(leader, "play", Code.WRONG_PHASE, "OM-7.1", card=live.hand(leader)[0])
    live.refuses(live.turns[0], "offer-surrender", Code.WRONG_PHASE, "OM-7.1")
    live.do("answer-surrender", accept=False)
    assert (live.phase, live.turn) == ("play", leader)


@BOTH
@for_each("answers", [(False,), (True, False)])
def test_om_7_1_only_once(contract: str, answers: tuple[bool, ...]) -> None:
    live = waiting(contract, (1,), 1).surrendered(*answers)
    new_ombre = live.turns[len(answers)]
    for seat in range(3):
        rule = "OM-7.3" if seat == new_ombre else "OM-7.1"
        detail = live.refuses(seat, "offer-surrender", Code.RULE_VIOLATION, rule)
        assert (detail == "you have offered to surrender already") is (seat == live.turns[0])
    detail = live.refuses(live.turn, "stop", Code.RULE_VIOLATION, "OM-6.2")
    assert detail == "a new Ombre plays for five tricks alone: there is no vole to decline"


@BOTH
@for_each("place", range(3))
def test_om_7_2_the_defender_at_ombres_right_answers_first_then_the_other(contract: str, place: int) -> None:
    live = waiting(contract, (), 0, place=place)
    ombre, right, other = live.turns
    assert (right, other) == ((ombre - 1) % 3, (ombre - 2) % 3)
    live.surrendered()
    assert live.offered(right, "answer-surrender") == [{"accept": {"one_of": (True, False)}}]
    live.refuses(other, "answer-surrender", Code.NOT_YOUR_TURN, "OM-7.2", accept=True)
    live.act(right, "answer-surrender", accept=True)
    assert live.to_act == (other,)
    live.refuses(right, "answer-surrender", Code.NOT_YOUR_TURN, "OM-7.2", accept=False)
    live.act(other, "answer-surrender", accept=True)
    assert live.of(SurrenderAnswered) == [SurrenderAnswered(right, True), SurrenderAnswered(other, True)]
    assert live.table.scored == 1


@BOTH
@for_each("tricks", range(4))
@for_each("pool", [5, 15])
def test_om_7_2_accepted_by_both_it_is_paid_as_a_puesta(contract: str, tricks: int, pool: int) -> None:
    live = waiting(contract, (1, 2, 1), tricks, pool=pool).surrendered(True, True)
    assert live.score.outcome == "surrendered"
    assert live.amounts(*live.turns) == (-pool - 10, 5, 5)
    assert live.pool == 2 * pool + 5
    assert {(line.kind, line.rule) for line in live.score.lines} == {("puesta", "OM-7.2"), ("contract", "OM-7.2")}
    said = [event.version for event in live.events if event.public.TYPE in ("surrender-offered", "surrender-answered")]
    assert all(set(said) <= set(line.events) for line in live.score.lines)


def test_om_7_2_answers_are_for_offers_only() -> None:
    live = waiting("entrada", (1,), 1)
    live.refuses(live.turns[1], "answer-surrender", Code.WRONG_PHASE, "OM-5.1", accept=True)


def test_om_7_2_the_view_tells_of_the_offer_and_the_answers() -> None:
    live = waiting("entrada", (1,), 1)
    ombre, right, other = live.turns
    assert live.view("public")["surrender"] is None
    live.surrendered()
    assert live.view("public")["surrender"] == {"seat": ombre, "answers": (), "new_ombre": None}
    live.do("answer-surrender", accept=True)
    answers = [{"seat": right, "accepted": True}]
    assert list(live.view(f"seat:{ombre}")["surrender"]["answers"]) == answers
    live.do("answer-surrender", accept=False)
    assert live.view("public")["surrender"] == {
        "seat": ombre,
        "answers": (*answers, {"seat": other, "accepted": False}),
        "new_ombre": other,
    }
    assert live.view("public")["contract"]["declarer"] == ombre


def new_ombres_deal(contract: str, winners: tuple[int, ...], tricks: int, by: int, *, pool: int = 5) -> OmbreLive:
    """A deal of these tricks in which the surrender after so many was forbidden by this player, played to its end."""
    return waiting(contract, winners, tricks, pool=pool).surrendered(*[True] * (by - 1), False).bound()


@BOTH
@for_each("by", [1, 2])
def test_om_7_3_the_first_to_forbid_it_becomes_new_ombre(contract: str, by: int) -> None:
    live = waiting(contract, (1, 2), 2).surrendered(*[True] * (by - 1), False)
    assert live.table.deal_state.new_ombre == live.turns[by]
    detail = live.refuses(live.turns[by], "offer-surrender", Code.RULE_VIOLATION, "OM-7.3")
    assert detail == "a new Ombre cannot surrender"
    assert live.view("public")["contract"]["trump"] == "c"
    assert live.view("public")["seats"][live.turns[1]]["tricks"] == 1


@BOTH
@for_each("by", [1, 2])
def test_om_7_3_the_view_shows_who_plays_alone_and_for_how_many_tricks(contract: str, by: int) -> None:
    live = waiting(contract, (1, 2), 2)
    ombre = live.turns[0]

    def plays_alone() -> set[tuple[int, int, int | None]]:
        views = [live.view(audience)["contract"] for audience in live.audiences]
        return {(view["declarer"], view["lone_player"], view["tricks_needed"]) for view in views}

    assert plays_alone() == {(ombre, ombre, None)}
    live.surrendered(*[True] * (by - 1))
    assert plays_alone() == {(ombre, ombre, None)}
    live.do("answer-surrender", accept=False)
    assert plays_alone() == {(ombre, live.turns[by], 5)}


ORDERS = [
    ((1, 1, 1, 0, 0, 0, 0, 1, 1), 1, "new-ombre-won"),
    ((1, 1, 1, 1, 1, 0, 0, 0, 0), 1, "new-ombre-won"),
    ((2, 2, 2, 2, 2, 0, 0, 0, 0), 2, "new-ombre-won"),
    ((0, 0, 0, 0, 0, 1, 1, 1, 1), 1, "new-ombre-failed"),
    ((0, 0, 0, 1, 1, 1, 1, 2, 2), 1, "new-ombre-failed"),
    ((1, 1, 1, 1, 0, 0, 0, 2, 2), 1, "new-ombre-failed"),
    ((0, 0, 2, 2, 2, 2, 1, 1, 1), 2, "new-ombre-failed"),
]


@BOTH
@for_each("winners, by, outcome", ORDERS)
@for_each("tricks", [0, 3])
def test_om_7_3_the_new_ombre_wins_with_five_tricks_and_nothing_less(
    contract: str, winners: tuple[int, ...], by: int, outcome: str, tricks: int
) -> None:
    pool = 15
    live = new_ombres_deal(contract, winners, tricks, by, pool=pool)
    old, new, third = live.turns[0], live.turns[by], live.turns[3 - by]
    assert live.score.outcome == outcome
    places = tuple((winner - by) % 3 for winner in winners)
    assert len(live.of(TrickWon)) == stops_after(places, new_ombre=True)
    won = outcome == "new-ombre-won"
    assert live.amounts(old, new, third) == ((-pool - 10, pool + 5, 5) if won else (-pool - 5, -pool - 5, 10))
    assert live.pool == (pool if won else 3 * pool) + 5
    assert {line.rule for line in live.score.lines} == {"OM-7.3"}
    paid = {(line.kind, line.seat, line.counter, line.amount) for line in live.score.lines if line.amount < 0}
    name = {seat: f"player:{live.table.players[seat]}" for seat in range(3)}
    codille = {("codille", old, name[new], -pool), ("contract", old, name[new], -5), ("contract", old, name[third], -5)}
    puestas = {("puesta", seat, "pool", -pool) for seat in (old, new)}
    stakes = {("contract", seat, name[third], -5) for seat in (old, new)}
    assert paid == (codille if won else puestas | stakes)


def test_om_7_3_no_estuches_primeras_or_vole_for_anybody() -> None:
    live = declared("entrada", (0, 0, 0, 0, 0, 1), estuches=3).exchanged().bound(until=3).surrendered(False)
    live.bound(until=5)
    assert live.table.scored == 1
    assert (live.score.outcome, live.score.estuches) == ("new-ombre-failed", ())
    assert {line.kind for line in live.score.lines} == {"puesta", "contract"}


def test_om_7_3_a_new_ombre_with_the_first_five_has_won() -> None:
    live = waiting("vuelta", (1,) * 9, 3).surrendered(False).bound(until=4)
    assert all("stop" not in live.types(seat) for seat in range(3))
    live.bound(until=5)
    assert live.score.outcome == "new-ombre-won"
    assert live.amounts(*live.turns) == (-15, 10, 5)


def test_om_7_3_a_surrender_can_still_be_forbidden_by_who_answers_second() -> None:
    live = waiting("entrada", (1,), 1).surrendered(True, False)
    assert (live.phase, live.table.deal_state.new_ombre) == ("play", live.turns[2])


def test_om_7_3_without_a_surrender_nobody_is_new_ombre() -> None:
    assert played("entrada", (1,)).table.deal_state.new_ombre is None
