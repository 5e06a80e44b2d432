"""Acts of several seats at one moment, in a game without turns: each is judged when it is recorded, anywhere."""

import asyncio
from collections.abc import Sequence

from domain.games.nuts.acts import Found, Stuck, Turn
from domain.games.nuts.meta import Options
from domain.kernel.action import Action
from domain.kernel.rejection import Code
from domain.record.recorded import GENESIS, Recorded
from domain.seats import Seat, seat_audience
from domain.table.actions import Act
from service.commands.handler import CommandResult, Refused
from service.store.store import Append, Appended
from tests.games.nuts.tables import NutsLive
from tests.integration.commands.conftest import Process
from tests.support.games import EVERYBODY, TABLE

SPADES = [f"{rank}s" for rank in "A23456789TJQK"]


async def laid(process: Process, live: NutsLive) -> None:
    """Has the table stand in the log."""
    (outcome,) = await process.store.append([Append(TABLE, 0, GENESIS, live.records)])
    assert isinstance(outcome, Appended)


async def at_once(
    processes: Sequence[Process], acts: Sequence[tuple[Seat, Action]]
) -> list[CommandResult | BaseException]:
    """Takes all these acts at one moment, in one process and another in turn; answers what came of each."""
    taken = (
        processes[number % len(processes)].commands.handle(TABLE, Act(EVERYBODY[seat], action))
        for number, (seat, action) in enumerate(acts)
    )
    return await asyncio.gather(*taken, return_exceptions=True)


def codes(results: Sequence[object]) -> list[Code | None]:
    """The codes of refusals; None for what was done."""
    assert all(isinstance(result, CommandResult | Refused) for result in results), results
    return [result.rejected.code if isinstance(result, Refused) else None for result in results]


async def recorded(process: Process, live: NutsLive) -> list[Recorded]:
    """What the log has after the table as it was laid."""
    return await process.store.stream(TABLE, after=live.version)


async def test_of_two_cards_for_one_foundation_one_lies_there(process: Process, elsewhere: Process) -> None:
    live = NutsLive.begun({"reserve": "As 2s"}, {"reserve": "2s"})
    live.founds(0, "As")
    await laid(process, live)
    results = await at_once((process, elsewhere), [(0, Found("0.2s", 1)), (1, Found("1.2s", 1))])
    assert sorted(map(str, codes(results))) == ["None", "lost-race"]
    (record,) = await recorded(process, live)
    (refusal,) = [result for result in results if isinstance(result, Refused)]
    assert (record.type, refusal.rejected.rule) == ("card-founded", "NU-6.3")
    # The card stays where it was, and its player is told what to do instead.
    loser = 1 if record.actor == "seat:0" else 0
    assert refusal.version == record.version
    assert {"turn", "stuck"} <= {offer.type for offer in refusal.offers}
    (done,) = await at_once((elsewhere,), [(loser, Turn())])
    assert isinstance(done, CommandResult)


async def test_no_act_is_lost_where_four_seats_act_at_once(process: Process, elsewhere: Process) -> None:
    live = NutsLive.begun(options=Options(players=4))
    await laid(process, live)
    for _ in range(6):
        results = await at_once((process, elsewhere), [(seat, Turn()) for seat in live.seats])
        assert codes(results) == [None] * 4
    records = await recorded(process, live)
    assert [record.version for record in records] == list(range(live.version + 1, live.version + 25))
    assert [[record.actor for record in records].count(seat_audience(seat)) for seat in live.seats] == [6] * 4


async def test_what_is_recorded_after_the_end_of_a_hand_is_too_late(process: Process, elsewhere: Process) -> None:
    live = NutsLive.begun({"reserve": " ".join(SPADES)}, options=Options(players=4))
    live.founds(0, *SPADES[:-1])
    await laid(process, live)
    acts = [(0, Found("0.Ks", 1)), (1, Turn()), (2, Turn()), (3, Turn())]
    results = await at_once((process, elsewhere), acts)
    records = await recorded(process, live)
    end = next(record.version for record in records if record.type == "deal-scored")
    assert [record.version for record in records if record.type == "stock-turned" and record.version > end] == []
    done = sum(record.type == "stock-turned" for record in records)
    assert codes(results).count(Code.WRONG_PHASE) == 3 - done
    assert codes(results)[0] is None


async def test_the_last_of_all_to_be_stuck_makes_one_shift(process: Process, elsewhere: Process) -> None:
    live = NutsLive.begun(options=Options(players=4))
    await laid(process, live)
    assert codes(await at_once((process, elsewhere), [(seat, Stuck()) for seat in live.seats])) == [None] * 4
    types = [record.type for record in await recorded(process, live)]
    assert types == ["stuck-said"] * 4 + ["shift-made"]


async def test_who_did_not_see_the_hand_end_cannot_go_on_with_it(process: Process) -> None:
    live = NutsLive.begun(options=Options(stall=0))
    for _ in range(3):
        for seat in live.seats:
            live.act(seat, "stuck")
    await laid(process, live)
    results = await at_once((process,), [(seat, Turn()) for seat in live.seats for _ in range(25)])
    assert codes(results) == [Code.WRONG_PHASE] * 50
    assert await recorded(process, live) == []
