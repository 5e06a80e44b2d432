"""The audit of a deal reads that deal: from what it reads it finds what it finds in the whole record."""

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from hypothesis import strategies as st
from msgspec.structs import replace

from domain.audit.auditor import audit, audit_deals, audit_extract
from domain.audit.extract import Extract, Stretch
from domain.audit.findings import Audit
from domain.kernel.canonical import canonical
from domain.record.recorded import Recorded
from domain.table.events import CardsDealt
from tests.golden.games import as_recorded
from tests.golden.games import names as golden_names
from tests.golden.games import records as golden_records
from tests.golden.test_earlier import EARLIER, recorded
from tests.golden.wanted import GOLDEN
from tests.property.strategies import in_random_games, of_each_game, started
from tests.property.test_disputes import kept, troubled
from tests.property.test_tampering import GAMES, record
from tests.support.for_each import for_each
from tests.support.forging import rehashed
from tests.support.games import READER, Live, chance
from tests.support.lively import lively
from tests.support.repetition import times
from tests.support.tampering import changed


def extract(events: Sequence[Recorded], deal: int) -> Extract:
    """What the audit of the deal reads of these events, as the log gives it."""
    last = max((event.version for event in events if event.type == CardsDealt.TYPE), default=0)
    outline = [event for event in events if event.version >= last or event.type not in READER.passing]
    stretch = Stretch.of(outline, deal)
    until = events[-1].version + 1 if stretch.until is None else stretch.until
    followed = [event for event in events if event.version <= stretch.opening or stretch.after < event.version < until]
    return Extract.of(outline, stretch, followed)


def audited(events: Sequence[Recorded], deal: int) -> Audit:
    return audit_extract(READER, extract(events, deal), deal)


def deals_over(events: Sequence[Recorded]) -> list[int]:
    """The deals that are scored, and of a game that is over those that were begun."""
    over = any(event.type == "game-finished" for event in events)
    return sorted({event.deal for event in events if event.deal is not None and (over or event.type == "deal-scored")})


def agree(events: Sequence[Recorded]) -> None:
    """Asserts that of each deal that is over what is read of the record tells the same as all of it."""
    deals = deals_over(events)
    for deal, whole in zip(deals, audit_deals(READER, events, deals), strict=True):
        assert audited(events, deal) == whole


@pytest.mark.parametrize("golden", GOLDEN)
def test_a_recorded_game_is_audited_deal_by_deal(golden: str) -> None:
    @for_each("name", golden_names(golden))
    def deal_by_deal(name: str) -> None:
        agree(golden_records(golden, name))

    deal_by_deal()


@pytest.mark.parametrize("path", EARLIER, ids=lambda path: f"{path.parts[-3]} {path.stem}")
def test_so_is_one_under_earlier_rules(path: Path) -> None:
    agree(as_recorded(recorded(path)["events"]))


@of_each_game
def test_so_is_one_with_late_and_absent_players_while_it_runs(tables: type[Live]) -> None:
    live, rng = lively(tables, 0), chance(("extracts", tables.game.name))
    agree(live.records)
    for _ in range(2):
        agree(live.records[: rng.randint(1, len(live.records))])


@in_random_games(10)
def test_so_is_one_with_disputes_and_erased_words(tables: type[Live], data: st.DataObject, rng: random.Random) -> None:
    agree(kept(troubled(data.draw(started(tables)), rng)))


def altered(events: Sequence[Recorded], version: int, rng: random.Random) -> list[Recorded]:
    """One event is another one, or missing; now and then every hash is made anew to fit."""
    event, around = events[version - 1], [*events[: version - 1]]
    fields = {
        "deal": rng.choice([None, 1, 2, 77]),
        "type": rng.choice(["no-such-type", rng.choice(events).type]),
        "schema": 99,
        "actor": rng.choice(["house", "clock", "seat:0", "seat:9"]),
        "action": rng.choice([None, "none", events[version - 2].action]),
        "at": rng.choice(["never", events[0].at, events[-1].at]),
        "game": "no-such-game",
        "public": canonical(changed(msgspec.json.decode(event.public), rng)),
        "sealed": rng.choice([b"{}", b"nothing"]),
        "hash": bytes(32),
    }
    name = rng.choice([*fields, "public", "public", "missing"])
    if name != "missing":
        around.append(replace(event, **{name: fields[name]}))
    around += events[version:]
    return rehashed(around) if name not in ("hash", "missing") and rng.random() < 0.5 else around


@for_each("seed", range(times(30)))
def test_what_is_altered_in_what_a_deal_rests_on_is_found_as_in_the_whole_record(seed: int) -> None:
    rng = chance(("extracts", seed))
    events = next(one for one in iter(lambda: record(rng.randrange(GAMES)), None) if deals_over(one))
    deal = rng.choice(deals_over(events))
    last = max(event.version for event in events if event.deal == deal)
    own = [event.version for event in extract(events, deal).checked[1:] if event.deal in (None, deal)]
    for version in rng.sample([one for one in own if one <= last], 5):
        other = altered(events, version, rng)
        read, whole = audited(other, deal), audit(READER, other, deal)
        assert read.verdict == whole.verdict, (version, events[version - 1].type)
        # What fails there fails here too. More may fail there, as deals between cannot be followed any more.
        assert [check for check in read.checks if not check.passed and check not in whole.checks] == []


@of_each_game
def test_of_other_deals_but_the_newest_is_read_what_outlasts_them(tables: type[Live]) -> None:
    events = max((record(number) for number in range(GAMES) if record(number)[0].game == tables.game.name), key=len)
    newest = max(event.deal or 0 for event in events)
    for deal in deals_over(events):
        for event in extract(events, deal).records:
            assert event.deal in (None, deal - 1, deal, newest) or event.type not in READER.passing
