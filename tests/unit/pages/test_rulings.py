"""A dispute on one page: lines, what they rest on, rules, the audit, the ruling, and the totals before and after."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import msgspec
from msgspec import structs

from domain.kernel.ledger import signed
from domain.record.history import Reader
from domain.record.recorded import Recorded
from domain.seats import HOUSE
from domain.table.events import DealScored
from domain.table.state import Table
from service.pages.page_jobs import render_ruling
from tests.golden import games as golden
from tests.support.for_each import for_each
from tests.support.registry import GAMES
from tests.unit.pages.test_deals import EVIL, SOURCE
from tests.unit.pages.test_games import Read

NAMES = ("Ada", "Berta", "Carl", "Dora")
CONFIRMED = "the rules book this line, as it is recorded."


def page_of(records: Sequence[Recorded], names: Sequence[str] = NAMES, upto: int | None = None) -> bytes:
    """The page of the first dispute in the record, to whom may see everything."""
    reader = Reader(GAMES)
    table = reader.fold(None, records)
    assert isinstance(table, Table)
    called = {player: names[seat % len(names)] for seat, player in enumerate(table.players) if player}
    called |= {record.actor.removeprefix("arbiter:"): "Judge" for record in records if record.type == "dispute-ruled"}

    async def stream(_table: str, upto: int) -> Sequence[Recorded]:
        return records[:upto]

    context: Any = SimpleNamespace(store=SimpleNamespace(stream=stream), reader=reader)
    opens: Any = SimpleNamespace(opens=lambda _: True)
    given = (HOUSE, opens, table.players, called)
    return asyncio.run(render_ruling(context, records[0].table, 1, upto or len(records), *given)).body


def said(points: int) -> str:
    """An amount as pages write it."""
    return signed(points) if points else "0"


def events_of(records: Sequence[Recorded], type_: str) -> list[Mapping[str, Any]]:
    return [msgspec.json.decode(record.public) for record in records if record.type == type_]


@for_each("name", GAMES)
def test_the_page_of_every_game_has_lines_rules_audit_ruling_and_totals(name: str) -> None:
    records = golden.records(name, "disputed")
    page = Read(page_of(records))
    assert not SOURCE.search(page.text), SOURCE.findall(page.text)
    opened, ruled = (events_of(records, type_)[0] for type_ in ("dispute-opened", "dispute-ruled"))
    texts = {rule.id: rule.text for rule in GAMES[name].rulebook.rules}
    for at in opened["lines"]:
        line = msgspec.json.decode(records[at["version"] - 1].public)["lines"][at["line"]]
        assert signed(line["amount"]) in page.text
        assert line["rule"] in page.anchors
        assert texts[line["rule"]] in page.text
        assert f"line {at['line']} of event {at['version']}: {CONFIRMED}" in page.text
    assert "intact" in page.text
    assert f"{ruled['ruling'].capitalize()} by the arbiter Judge," in page.text
    (corrected,) = events_of(records, "ledger-corrected")
    before = list(corrected["totals"])
    for line in corrected["lines"]:
        if line["seat"] is not None:
            before[line["seat"]] -= line["amount"]
    rows = re.findall(r'<tr><th scope="row">.*?</tr>', page_of(records).decode())
    for row, first, last in zip(rows, before, corrected["totals"], strict=False):
        assert re.sub(r"<.*?>", " ", row).split()[1:] == [said(first), said(last)]


def test_what_a_line_rests_on_is_shown_with_its_whole_trick_and_no_other() -> None:
    records = golden.records("don", "disputed")
    scored = next(record for record in records if record.type == DealScored.TYPE)
    lines = msgspec.json.decode(scored.public)["lines"]
    opened = next(record for record in records if record.type == "dispute-opened")
    (at, *_) = msgspec.json.decode(opened.public)["lines"]
    cited = {records[version - 1].version for version in lines[at["line"]]["events"]}
    played = [record.version for record in records if record.type == "trick-won" and record.version in cited]
    shown = page_of(records).decode()
    assert shown.count("<dt>trick ") == len(played) > 0


@for_each(
    "upto, says", [("dispute-opened", "The dispute waits for an arbiter."), ("dispute-ruled", "Nothing was booked.")]
)
def test_a_dispute_that_is_not_ruled_on_or_books_nothing_says_so(upto: str, says: str) -> None:
    records = golden.records("crocodile", "disputed")
    version = next(record.version for record in records if record.type == upto)
    page = Read(page_of(records, upto=version))
    assert says in page.text
    assert ("Before and after" in page.text) is (upto == "dispute-ruled")


def test_what_the_audit_computes_otherwise_is_shown_beside_what_is_recorded() -> None:
    records = golden.records("crocodile", "disputed")
    scored = next(place for place, record in enumerate(records) if record.type == DealScored.TYPE)
    public = json.loads(records[scored].public)
    own, counter = public["lines"][:2]
    amount = own["amount"]
    own["amount"], counter["amount"] = amount - 3, 3 - amount
    altered = list(records)
    altered[scored] = structs.replace(records[scored], public=json.dumps(public).encode())
    text = Read(page_of(altered)).text
    assert f"line 0 of event {records[scored].version}: the rules do not book this line." in text
    rest = text.partition("The rules book instead:")[2].partition("Ruling")[0]
    assert signed(amount) in rest
    assert "altered" in text


def test_what_players_and_arbiters_write_is_text() -> None:
    page = page_of(golden.records("crocodile", "disputed"), list(EVIL.values()))
    read = Read(page)
    assert read.tags.isdisjoint({"script", "img"})
    assert EVIL[0] in read.text
