"""OM-4.1 to OM-4.3: the auction, held against the checker's for every order of calls."""

from collections.abc import Iterator, Sequence

from domain.games.ombre.events import DealPassedOut
from domain.games.ombre.meta import Options
from domain.kernel.rejection import Code
from domain.table.events import CardsDealt, DealScored
from tests.games.ombre.checker import BIDS, Standing, Turn, auction
from tests.games.ombre.tables import HOLD, NO_HOLD, OmbreLive
from tests.support.for_each import for_each

OPTIONS = for_each("options", [HOLD, NO_HOLD])


def said(turn: Turn) -> list[str]:
    """All that may be said."""
    return ["pass", *(["hold"] if turn.held else []), *turn.higher]


def heard(live: OmbreLive, calls: Sequence[str]) -> Turn | Standing | None:
    """Where the auction stands after these calls, by the checker: whose turn it is, or the bid that won if one did."""
    turns: list[Turn] = []

    def says(turn: Turn) -> str | None:
        turns.append(turn)
        call = calls[len(turns) - 1] if len(turns) <= len(calls) else "pass"
        return {"pass": None, "hold": turn.held}.get(call, call)

    won = auction(live.order, says, hold=live.table.options.hold)
    return turns[len(calls)] if len(turns) > len(calls) else won


def call(live: OmbreLive, said: str) -> None:
    """Says it from the seat whose turn it is."""
    if said in BIDS:
        live.do("bid", contract=said)
    else:
        live.do(said)


def walked(
    live: OmbreLive, calls: tuple[str, ...] = ()
) -> Iterator[tuple[OmbreLive, tuple[str, ...], Turn | Standing | None]]:
    """The table after every order of calls that there is, and where the auction stands."""
    now = heard(live, calls)
    yield live, calls, now
    if not isinstance(now, Turn):
        return
    before = live.history
    for one in said(now):
        call(live, one)
        yield from walked(live, (*calls, one))
        live.history = before


@OPTIONS
@for_each("dealer", range(3))
def test_om_4_1_every_order_of_calls(options: Options, dealer: int) -> None:
    ends: list[Standing | None] = []
    for live, calls, now in walked(OmbreLive.around({}, dealer=dealer, options=options)):
        if isinstance(now, Turn):
            assert (live.phase, live.turn) == ("auction", now.seat), calls
            bids = [offer["contract"]["one_of"] for offer in live.offered(live.turn, "bid")]
            assert bids == ([now.higher] if now.higher else []), calls
            assert live.types(live.turn) == {"bid" if one in BIDS else one for one in said(now)}, calls
            assert all(not live.offers(seat) for seat in range(3) if seat != live.turn), calls
            continue
        ends.append(now)
        if now is None:
            assert (calls, live.table.scored) == (("pass",) * 3, 1)
        else:
            # Nothing is named in Vuelta, so its declaration follows automatically.
            assert live.phase == ("exchange" if now.bid == "vuelta" else "declaration"), calls
            won = live.table.deal_state.common.bidding.won
            assert (live.turn, won.seat, won.bid) == (now.seat, now.seat, now.bid), calls
    assert set(ends) == {None, *(Standing(seat, bid) for seat in range(3) for bid in BIDS)}
    assert len(ends) > len(set(ends))


@OPTIONS
def test_om_4_1_what_is_not_open_is_refused_by_its_rule(options: Options) -> None:
    for live, _, now in walked(OmbreLive.around({}, options=options)):
        if not isinstance(now, Turn):
            continue
        for bid in BIDS:
            if bid not in now.higher:
                live.refuses(live.turn, "bid", Code.RULE_VIOLATION, "OM-4.1", contract=bid)
        if not now.held:
            live.refuses(live.turn, "hold", Code.RULE_VIOLATION, "OM-4.2")
        for call in ("pass", "hold"):
            live.refuses((live.turn + 1) % 3, call, Code.NOT_YOUR_TURN, "OM-4.1")


def test_om_4_1_a_pass_is_final() -> None:
    live = OmbreLive.around({})
    for one in ("pass", "entrada", "vuelta"):
        call(live, one)
    assert live.turn == live.order[1]


def test_om_4_1_a_third_who_has_not_spoken_still_bids_or_passes() -> None:
    live = OmbreLive.around({})
    live.do("pass")
    live.do("pass")
    assert live.turn == live.order[2]
    assert live.offered(live.turn, "bid") == [{"contract": {"one_of": BIDS}}]


def test_om_4_1_nothing_is_raised_afterwards() -> None:
    live = OmbreLive.around({})
    for one in ("entrada", "pass", "pass"):
        call(live, one)
    assert live.types(live.turn) == {"declare"}
    live.refuses(live.turn, "bid", Code.WRONG_PHASE, "OM-4.4", contract="solo")


def test_om_4_1_solo_ends_the_auction_where_nobody_can_hold() -> None:
    live = OmbreLive.around({})
    call(live, "solo")
    assert (live.phase, live.turn) == ("declaration", live.order[0])


def test_om_4_2_who_comes_earlier_holds_and_the_later_one_goes_higher_or_passes() -> None:
    live = OmbreLive.around({})
    for one in ("entrada", "vuelta", "pass", "hold"):
        call(live, one)
    assert live.turn == live.order[1]
    assert live.types(live.turn) == {"bid", "pass"}
    assert live.view("public")["auction"][-1] == {"seat": live.order[0], "bid": "vuelta", "hold": True}
    assert [call["hold"] for call in live.view("public")["auction"]].count(True) == 1
    call(live, "pass")
    contract = live.view("public")["contract"]
    assert (live.turn, contract["declarer"], contract["contract"]) == (live.order[0], live.order[0], "vuelta")


def test_om_4_2_the_later_one_never_holds() -> None:
    live = OmbreLive.around({})
    call(live, "entrada")
    assert live.types(live.turn) == {"bid", "pass"}
    detail = live.refuses(live.turn, "hold", Code.RULE_VIOLATION, "OM-4.2")
    assert detail == "you do not come before the player whose bid of entrada stands"


def test_om_4_2_there_is_nothing_to_hold_before_the_first_bid() -> None:
    live = OmbreLive.around({})
    detail = live.refuses(live.turn, "hold", Code.RULE_VIOLATION, "OM-4.2")
    assert detail == "nobody has bid, so there is no bid to make your own"


def test_om_4_1_is_cited_with_the_bids_that_are_higher() -> None:
    live = OmbreLive.around({})
    call(live, "entrada")
    detail = live.refuses(live.turn, "bid", Code.RULE_VIOLATION, "OM-4.1", contract="entrada")
    assert detail == "entrada is no bid higher than entrada: contract must be one of vuelta, solo"
    call(live, "vuelta")
    detail = live.refuses(live.turn, "bid", Code.RULE_VIOLATION, "OM-4.1", contract="vuelta")
    assert detail == "vuelta is no bid higher than vuelta: contract must be solo"
    call(live, "solo")
    detail = live.refuses(live.turn, "bid", Code.RULE_VIOLATION, "OM-4.1", contract="solo")
    assert detail == "solo is no bid higher than solo: there is none"


def test_om_4_2_nobody_holds_without_the_option() -> None:
    live = OmbreLive.around({}, options=NO_HOLD)
    for one in ("entrada", "pass", "vuelta"):
        call(live, one)
    assert live.types(live.turn) == {"bid", "pass"}
    detail = live.refuses(live.turn, "hold", Code.RULE_VIOLATION, "OM-4.2")
    assert detail == "nobody holds a bid at this table, by its option hold"


def test_om_4_3_all_pass_and_nothing_is_played_or_paid() -> None:
    live = OmbreLive.around({}, dealer=1)
    live.passed()
    assert len(live.of(DealPassedOut)) == 1
    scored = live.of(DealScored)[0]
    assert (scored.outcome, scored.lines, scored.estuches, scored.totals) == ("passed-out", (), (), (0, -5, 0))
    second = live.of(CardsDealt)[1]
    assert (second.dealer, live.pool, live.table.totals) == (0, 10, (-5, -5, 0))


def test_om_4_3_the_highest_bidder_is_ombre() -> None:
    live = OmbreLive.around({})
    for one in ("entrada", "vuelta", "pass", "pass"):
        call(live, one)
    contract = live.view("public")["contract"]
    assert (contract["declarer"], contract["contract"]) == (live.order[1], "vuelta")
