"""The pages of games: every rule has its anchor, and every number that is cited leads to one."""

import json
import re
from collections.abc import Sequence
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import Markup
from msgspec.structs import replace

from domain.kernel.game import Game
from domain.table.rules import BASIS, RULES
from service.describe.texts import english
from service.pages.games import game_page, games_page
from service.pages.rendering import address
from tests.golden import games as golden
from tests.support.for_each import for_each
from tests.support.registry import GAMES

VERSIONS = [(game, one) for game in GAMES.values() for one in (*game.earlier, game)]
CITED = re.compile(r"^ *= ([A-Z]{2}-[\d.]+): ", re.MULTILINE)
"""A rule in the results of a recorded game."""
CORPUS = Path(__file__).parents[3] / "api-spec/examples/records"


class Read(HTMLParser):
    """The anchors of a page, the addresses that it links to, its elements, and its text."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.anchors: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.text = ""
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.anchors += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name == "href" and value]

    def handle_data(self, data: str) -> None:
        if self.lasttag != "style" or "{" not in data:
            self.text += data


@cache
def worked(name: str) -> Sequence[dict[str, object]]:
    """The events of a recorded game, with all sections open."""
    return golden.events(name, golden.names(name)[0])


def shown(game: Game) -> Read:
    """The page of a game with a recorded one."""
    return _shown(game.name, game.rulebook.version)


@cache
def _shown(name: str, version: int) -> Read:
    versions = {one.rulebook.version: one for one in (*GAMES[name].earlier, GAMES[name])}
    return Read(game_page(versions[version], tuple(versions), worked(name), english()))


@for_each("newest, game", VERSIONS)
def test_every_rule_of_every_version_has_its_anchor(newest: Game, game: Game) -> None:
    page = shown(game)
    rules = {rule.id for rule in (*game.rulebook.rules, *RULES)}
    assert rules | {rule.partition(".")[0] for rule in rules} <= set(page.anchors)
    assert len(page.anchors) == len(set(page.anchors))
    for version in {one.rulebook.version for one in (*newest.earlier, newest)} - {game.rulebook.version}:
        assert address(game.name, version) in page.links
    for rule in game.rulebook.rules:
        assert rule.text in page.text


@for_each("newest, game", VERSIONS)
def test_what_a_page_links_to_on_itself_is_there(newest: Game, game: Game) -> None:
    page = shown(game)
    own = {link.removeprefix("#") for link in page.links if link.startswith("#")}
    assert own <= {*page.anchors, "content"}


@for_each("name", GAMES)
def test_every_rule_that_a_recorded_game_cites_has_an_anchor(name: str) -> None:
    cited = set(CITED.findall(golden.file(name).read_text()))
    assert cited
    # The audit's, and those of acts.
    game = GAMES[name]
    cited |= {*game.basis.values(), *BASIS.values(), *(act.RULE for act in game.action_types)}
    assert cited <= set(shown(game).anchors)


def test_every_rule_that_a_record_for_verifiers_cites_has_an_anchor() -> None:
    for path in sorted(CORPUS.glob("*.ndjson")):
        for line in path.read_text().splitlines()[1:-1]:
            event = json.loads(line)
            for booked in event["public"].get("lines", ()):
                if "rule" in booked:
                    assert booked["rule"] in shown(GAMES[event["game"]]).anchors, path.name


@for_each("name", GAMES)
def test_a_game_introduces_itself_above_its_rules_and_says_its_aim_in_the_list(name: str) -> None:
    introduction = GAMES[name].words.introduction
    above, _, _ = shown(GAMES[name]).text.partition(str(english().say("game.contents")))
    for part in (introduction.aim, introduction.turn, introduction.beginners):
        assert all(sentence in above for sentence in part)
    assert " ".join(introduction.aim) in Read(games_page(GAMES.values(), english())).text


@for_each("name", GAMES)
def test_readings_are_marked(name: str) -> None:
    game = GAMES[name]
    readings = sum(rule.reading for rule in game.rulebook.rules)
    page = game_page(game, (1,), None, english()).decode()
    assert page.count('class="badge reading"') == readings


@for_each("name", GAMES)
def test_the_recorded_deal_has_its_hands_its_lines_and_their_rules(name: str) -> None:
    page = shown(GAMES[name])
    scored = next(event["public"] for event in worked(name) if event["type"] == "deal-scored")
    for line in scored["lines"]:
        if line["seat"] is not None:
            assert f"#{line['rule']}" in page.links
    assert "Ada" in page.text
    assert not re.search(r"undefined|None|Undefined|[{}]", page.text)


def test_a_text_of_a_rule_cannot_become_part_of_the_page() -> None:
    game = GAMES["crocodile"]
    first, *others = game.rulebook.rules
    evil = replace(first, text="<script>alert(1)</script> & CR-2.1 <b id='CR-9'>")
    made = game_page(replace(game, rulebook=replace(game.rulebook, rules=(evil, *others))), (1,), None, english())
    assert Read(made).tags.isdisjoint({"script", "b"})
    assert '&lt;script&gt;alert(1)&lt;/script&gt; &amp; <a href="#CR-2.1">CR-2.1</a> &lt;b id=' in made.decode()


def test_what_fills_a_text_cannot_become_part_of_the_page() -> None:
    said = english().say("deal.by", name="<i>{0}</i> & Co")
    assert said == "Dealt by &lt;i&gt;{0}&lt;/i&gt; &amp; Co."
    assert english().say("deal.by", name=Markup("<b>A</b>")) == "Dealt by <b>A</b>."
    with pytest.raises(KeyError):
        english().say("deal.by")


def test_all_games_are_listed() -> None:
    page = Read(games_page(GAMES.values(), english()))
    assert [link for link in page.links if link.startswith("/games/")] == [f"/games/{name}" for name in GAMES]
    assert "2 or 4 players; 52 cards" in page.text
    assert "2 to 4 players; 208 cards" in page.text
