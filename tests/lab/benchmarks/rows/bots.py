"""Opponents: what a playout, a world and an act cost in each game, on one core, and what people notice of bots."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from random import Random
from typing import Any

from msgspec.structs import replace

from domain.kernel.action import Action
from domain.kernel.event import Event, redact
from domain.kernel.game import Game
from domain.opponents.beliefs import Belief
from domain.opponents.opponent import Opponent
from domain.opponents.placing import Impossible
from domain.opponents.playouts import Endless, Playouts
from domain.picking import Chance
from domain.registry import GAMES
from domain.seats import Seat, seat_audience
from domain.table.actions import Act
from domain.table.automatic import next_automatic
from domain.table.clock import written
from domain.table.decide import decide
from domain.table.state import Table, deal_of, evolve
from tests.lab.benchmarks import bot_tables
from tests.lab.benchmarks.bench import Bench, alternating, median, rate_of_core
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.tournament.duplicates import TABLE, Start, play, started

ROW = "bots"
US = "µs of CPU"
NOW = written(0)

ACT_US: Mapping[str, float] = {"tetka": 60, "king": 60, "lhombre": 200, "diloti": 150, "burraco": 150}
"""The most that an act of a playout may cost."""

OF_TRICKS = ("boston", "crocodile", "don", "king", "lhombre", "lorum", "ombre", "solo", "tetka")
WORLD_US = 1000
"""The most that a world may cost in a game of tricks."""


def measure(bench: Bench) -> Iterator[Figure]:
    """Each game by itself, then people beside bots. Where something cannot be measured, the note says why."""
    for name in bench.pick(tuple(GAMES), tuple(GAMES), ("tetka",)):
        yield from _of_game(bench, GAMES[name])
    yield from bot_tables.measure(bench, ROW)


def _of_game(bench: Bench, game: Game) -> Iterator[Figure]:
    seconds, name = bench.seconds / 6, game.name
    start = started(game, f"bench/{name}", _chances)
    dealt, _ = _dealt(game, start.house)
    chance = _chances(name)
    rates = _rates(
        bench.rounds,
        {
            "playout": lambda: rate_of_core(lambda: _playout(game, dealt, chance), seconds),
            "table": lambda: rate_of_core(lambda: len(_at_table(game, dealt, chance)), seconds),
            "playouts": lambda: rate_of_core(lambda: bool(_playout(game, dealt, chance)), seconds),
        },
    )
    if isinstance(rates, str):
        yield Figure(row=ROW, case=f"{name}: act of a playout", value=None, unit=US, note=rates)
    else:
        each, playout_us = 1e6 / rates["playout"], 1e6 / rates["playouts"]
        yield Figure(
            row=ROW,
            case=f"{name}: act of a playout",
            value=each,
            unit=US,
            beside=Beside(name="act at a table", value=1e6 / rates["table"]),
            must=Bound(most=ACT_US[name], of_ratio=False) if name in ACT_US else None,
            note=f"{rates['playouts']:,.0f} playouts/s of {playout_us / each:,.0f} acts",
        )
        yield from _world(bench, game, start, playout_us)
    acts = _rates(
        1,
        {
            level: lambda level=level: rate_of_core(  # type: ignore[misc]
                lambda: play(game, start, [level] * len(start.own), _chances).acts, seconds
            )
            for level in ("quick", "random")
        },
    )
    case, unit = f"{name}: acts of quick", "acts/s a core"
    if isinstance(acts, str):
        yield Figure(row=ROW, case=case, value=None, unit=unit, note=acts)
    else:
        beside = Beside(name="acts of random", value=acts["random"])
        yield Figure(row=ROW, case=case, value=acts["quick"], unit=unit, beside=beside)


def _world(bench: Bench, game: Game, start: Start, playout_us: float) -> Iterator[Figure]:
    """Worlds half-way through a deal."""
    case = f"{game.name}: world"
    chance = _chances(game.name)
    belief = _half_way(game, start, chance)

    def drawn() -> int:
        assert belief is not None
        belief.draw(chance)
        return 1

    worlds: Mapping[str, float] | str = "no worlds can be made of this deal"
    if belief is not None:
        worlds = _rates(bench.rounds, {"worlds": lambda: rate_of_core(drawn, bench.seconds / 6)})
    if isinstance(worlds, str) or belief is None:
        yield Figure(row=ROW, case=case, value=None, unit=US, note=str(worlds))
        return
    yield Figure(
        row=ROW,
        case=case,
        value=1e6 / worlds["worlds"],
        unit=US,
        beside=Beside(name="playout of a whole deal", value=playout_us),
        must=Bound(most=WORLD_US, of_ratio=False) if game.name in OF_TRICKS else None,
        note=f"{belief.accepted / belief.tried:.0%} of those tried were accepted",
    )


def _rates(rounds: int, contestants: Mapping[str, Callable[[], float]]) -> Mapping[str, float] | str:
    """What was measured, by name; or why it cannot be."""
    try:
        return {name: median(rates) for name, rates in alternating(rounds, contestants).items()}
    except (Endless, Impossible) as error:
        return type(error).__doc__ or ""


def _dealt(game: Game, table: Table) -> tuple[Table, list[Event[Any]]]:
    """The table right after its next deal is dealt, and the events that led there."""
    events = []
    while (event := next_automatic(game, table)) is not None:
        events.append(replace(event, version=table.version + 1, deal=deal_of(table, event.public), at=NOW))
        table = evolve(game, table, events[-1])
    return table, events


def _playout(game: Game, dealt: Table, chance: Chance) -> int:
    """Plays the deal on by chance; the number of acts. Raises Endless."""
    acts = 0

    def counted(state: Any, seat: Seat, action: Action) -> Event[Any]:
        nonlocal acts
        acts += 1
        return game.decider.decide(state, seat, action)

    counting = replace(game, decider=replace(game.decider, decide=counted))
    Playouts(counting, chance, len(dealt.players)).ended(dealt.deal_state, dealt.version)
    return acts


def _at_table(game: Game, dealt: Table, chance: Chance) -> list[tuple[Event[Any], ...]]:
    """Plays the same deal by chance as a table does, with a record's events: those of each act."""
    table, acts = dealt, []
    decider, playouts = game.decider, Playouts(game, chance, len(dealt.players))
    while table.scored != dealt.deal:
        state = table.deal_state
        seats = decider.to_act(state) or [seat for seat in range(len(table.players)) if decider.offers(state, seat)]
        seat = seats[0] if len(seats) == 1 else seats[chance(len(seats))]
        action = playouts.any_act(decider.offers(state, seat))
        table, events = decide(game, table, Act(table.players[seat] or "", action), NOW)
        acts.append(events)
    return acts


def _half_way(game: Game, start: Start, chance: Chance) -> Belief | None:
    """What the first seat may believe after half of a deal's acts; None if no worlds can be made of it."""
    dealt, events = _dealt(game, start.house)
    acts = _at_table(game, dealt, chance)
    opponent = Opponent(game, 0)
    opponent.table = start.own[0]
    for event in (*events, *chain.from_iterable(acts[: len(acts) // 2])):
        opponent.see(TABLE, replace(event, sealed=redact(event.sealed, seat_audience(0))))
    return opponent.belief


def _chances(text: str) -> Chance:
    return Random(text).randrange  # noqa: S311 (nothing secret hangs on it)
