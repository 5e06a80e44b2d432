"""A deal on one page: hands, what happened, ledger with rules, and the code that stands for all of it."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from domain.kernel.game import Game
from service.cli.deal_file import deal_file
from service.cli.replay import Recording, from_file, from_log, of_deal
from service.describe.event_codes import code_of
from service.describe.texts import english
from service.pages.deals import deal_page
from tests.golden import games as golden
from tests.support.for_each import for_each
from tests.support.registry import GAMES
from tests.unit.pages.test_games import CORPUS, Read

SOURCE = re.compile(r"undefined|None|Undefined|[{}]|\bseat:\d")
"""What stands in a page where a value is missing, or is not put into words."""
EVIL = {0: "<img src=x onerror=alert(1)>", 1: "</title><script>", 2: "&lt;b&gt; \"q\" 'a'", 3: "{{ 7 * 7 }}"}


def recording(of: str, name: str) -> Recording:
    return from_log(golden.records(of, name), GAMES, {})


def rendered(recording: Recording, deal: int, names: Mapping[str, str]) -> bytes:
    """The page as the service has it, with links."""
    events = of_deal(recording.events, deal)
    game = GAMES[events[0]["public"]["game"]]
    seated = {
        event["public"]["seat"]: event["public"]["player"]
        for event in recording.events
        if event["type"] == "seat-taken"
    }
    players = [seated.get(seat) for seat in range(max(seated) + 1)]
    lines = [line for line in recording.lines if line["deal"] == deal]
    return deal_page(events, deal, game, players, names, lines, english())


def own_lines(recording: Recording, deal: int) -> Sequence[Mapping[str, Any]]:
    return [line for line in recording.lines if line["deal"] == deal and line["seat"] is not None]


@for_each("name", GAMES)
def test_a_page_of_every_game_has_the_whole_ledger_and_the_rules_cited(name: str) -> None:
    recorded = recording(name, golden.names(name)[0])
    page = Read(deal_file(recorded, 1, GAMES))
    assert not SOURCE.search(page.text)
    scored = next(event for event in recorded.events if event["type"] == "deal-scored")
    assert code_of(scored["version"], scored["hash"]) in page.text
    assert scored["hash"] in page.text
    texts = {rule.id: rule.text for rule in GAMES[name].rulebook.rules}
    for line in own_lines(recorded, 1):
        assert line["rule"] in page.anchors
        assert texts[line["rule"]] in page.text
    assert len(re.findall('<tr><th scope="row">', deal_file(recorded, 1, GAMES).decode())) == len(
        own_lines(recorded, 1)
    )
    # In a file nothing leads to a server.
    assert {link for link in page.links if not link.startswith("#")} == set()


def test_a_correction_stands_beside_the_lines_that_it_takes_back() -> None:
    recorded = from_file(CORPUS / "disputed.ndjson", GAMES)
    (deal,) = {line["deal"] for line in recorded.lines if line["version"] > scored_at(recorded, line["deal"])}
    page = deal_file(recorded, deal, GAMES).decode()
    later = [line for line in own_lines(recorded, deal) if line["version"] > scored_at(recorded, deal)]
    assert page.count("booked later") == len(later) > 0


def scored_at(recorded: Recording, deal: int) -> int:
    return next(
        int(event["version"]) for event in recorded.events if (event["type"], event["deal"]) == ("deal-scored", deal)
    )


def test_a_deal_that_is_not_over_shows_what_is_open_and_has_no_code() -> None:
    recorded = from_file(CORPUS / "running.ndjson", GAMES)
    page = Read(deal_file(recorded, 2, GAMES))
    assert "The deal is not over." in page.text
    assert "How to check this page" not in page.text
    assert " holds " not in page.text


@for_each("game", GAMES.values())
def test_names_that_try_to_be_markup_are_text(game: Game) -> None:
    recorded = recording(game.name, golden.names(game.name)[0])
    players = [event["public"] for event in recorded.events if event["type"] == "seat-taken"]
    page = rendered(recorded, 1, {public["player"]: EVIL[public["seat"]] for public in players})
    read = Read(page)
    assert read.tags.isdisjoint({"script", "img"})
    assert "onerror" not in re.sub(r"&lt;img src=x onerror=alert\(1\)&gt;", "", page.decode())
    assert all(EVIL[public["seat"]] in read.text for public in players)


def test_what_players_say_is_text() -> None:
    talk = from_file(CORPUS / "talk.ndjson", GAMES)
    events = [dict(event) for event in talk.events]
    for event in events:
        if event["type"] == "table-talk":
            event["sealed"] = {"public": {"data": {"text": "<script>alert(1)</script>"}}}
    deal = next(event["deal"] for event in events if event["type"] == "table-talk" and event["deal"])
    page = deal_file(talk._replace(events=events), deal, GAMES)
    assert "script" not in Read(page).tags
    assert b"&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_the_code_of_an_event_is_half_of_its_hash_in_groups() -> None:
    assert code_of(35, "0123456789abcdef" * 4) == "35-0123-4567-89ab-cdef-0123-4567-89ab-cdef"
