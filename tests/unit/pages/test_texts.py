"""No text stands in code: pages, pictures and printed deals in a language that nobody speaks have no other words."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace

from domain.kernel.game import Game
from domain.kernel.words import Words
from domain.record.history import Reader
from domain.seats import HOUSE
from domain.table.rules import RULES
from domain.table.view import view
from domain.table.words import complete
from service.cli.replay import from_log, of_deal
from service.describe import narration
from service.describe.drawing import table as drawing
from service.describe.drawing.table import TableDrawing
from service.describe.field_meanings import meanings_of
from service.describe.game_details import details
from service.describe.texts import ENGLISH
from service.pages import FILES, deals, error_page, games, page_jobs, rulings
from service.pages.deals import deal_page
from service.pages.games import game_page, games_page
from tests.golden import games as golden
from tests.support.for_each import for_each
from tests.support.registry import GAMES
from tests.support.scripted import all_of
from tests.support.scripts import spoken_in, tokens_of
from tests.support.spoken import in_latin, made_up, made_up_texts, marked, strings
from tests.unit.pages.test_rulings import page_of

SERVICE = Path(deals.__file__).parents[1]
SCRIPTS = {
    name: file.body.decode()
    for name, file in FILES.items()
    if name.endswith(".js") and not name.startswith(("kit/", "swagger"))
}
SAID = {"title", "alt", "aria-label", "placeholder", "content"}


class Shown(HTMLParser):
    """What a page says: its texts and its labels. What a program is given, in `code`, is none of it."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(page.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "link", "input", "br"):
            self._open.append(tag)
        given = dict(attrs)
        if tag != "meta" or given.get("name") == "description":
            self.texts += [value for name, value in attrs if name in SAID and value]

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"style", "script", "code"} & set(self._open):
            self.texts.append(data)


def spoken(words: Any) -> Any:
    """A game's words in the made-up language: sentences, headings, names of rows, terms, marks, labels and meanings."""
    if isinstance(words, Struct):
        texts = {
            name: marked(getattr(words, name))
            for name in ("text", "heading")
            if isinstance(getattr(words, name, None), str)
        }
        if "ends" in words.__struct_fields__:
            texts["name"] = marked(words.name)  # type: ignore[attr-defined]
        others = {
            name: spoken(getattr(words, name))
            for name in words.__struct_fields__
            if name not in texts and name not in ("when", "holes")
        }
        if "holes" in words.__struct_fields__:
            holes: Mapping[str, Any] = words.holes  # type: ignore[attr-defined]
            others["holes"] = {name: replace(hole, each=spoken(hole.each)) for name, hole in holes.items()}
        return replace(words, **texts, **others)
    match words:
        case Mapping():
            return {name: marked(one) if isinstance(one, str) else spoken(one) for name, one in words.items()}
        case tuple():
            return tuple(marked(one) if isinstance(one, str) else spoken(one) for one in words)
        case _:
            return words


def of_game(words: Words) -> Words:
    """Such words; lines of the ledger are said by the texts that they were recorded with."""
    return replace(spoken(words), lines={})


@pytest.fixture
def foreign(monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Game]:
    """The games in the made-up language."""
    for module in (narration, drawing):
        monkeypatch.setattr(module, "complete", lambda game: of_game(complete(game)))
    monkeypatch.setattr(deals, "RULES", tuple(replace(rule, text=marked(rule.text)) for rule in deals.RULES))
    monkeypatch.setattr(games, "RULES", deals.RULES)
    monkeypatch.setattr(rulings, "RULES", deals.RULES)
    monkeypatch.setattr(games, "SECTIONS", marked(games.SECTIONS))

    def translated(game: Game) -> Game:
        rules = tuple(replace(rule, text=marked(rule.text)) for rule in game.rulebook.rules)
        rulebook, words = replace(game.rulebook, rules=rules), spoken(game.words)
        return replace(game, title=marked(game.title), unit=marked(game.unit), words=words, rulebook=rulebook)

    return {name: translated(game) for name, game in GAMES.items()}


def with_foreign_lines(value: Any) -> Any:
    """The events with the texts of their lines in the made-up language."""
    match value:
        case Mapping():
            texts = {"text": marked(value["text"])} if {"text", "rule", "amount"} <= value.keys() else {}
            return {name: with_foreign_lines(one) for name, one in value.items()} | texts
        case list():
            return [with_foreign_lines(one) for one in value]
        case _:
            return value


def test_pages_that_scripts_fill_have_no_text_of_their_own() -> None:
    pages = {name: file.body for name, file in all_of(made_up()).items()}
    pages["error"] = error_page(404, "Ոչ", "ինչ", "", made_up())
    assert {name: found for name, page in pages.items() if (found := in_latin(Shown(page).texts))} == {}
    assert all(Shown(page).texts for page in pages.values())


@pytest.mark.parametrize("name", GAMES)
def test_the_rules_of_a_game_have_no_text_of_their_own(foreign: Mapping[str, Game], name: str) -> None:
    game = foreign[name]
    played = with_foreign_lines(list(golden.events(name, golden.names(name)[0])))
    page = game_page(game, (1, game.rulebook.version), played, made_up())
    described = msgspec.to_builtins(details(game))
    data = strings([described[name] for name in ("contracts", "bonuses", "outcomes", "tables", "options")])
    # A text of the options is cut where it names a rule, and a rule names its option.
    cut = [part for text in strings(described["options"]) for part in re.split(r"[A-Z]{2}-[\d.]+", text)]
    of_options = [str(made_up().say("game.rule.option", option=name)) for name in described["options"]["properties"]]
    of_table = [str(made_up().say("game.rule.option", option=rule.option)) for rule in RULES if rule.option]
    meant = [meaning.text for words in meanings_of(GAMES[name]) for meaning in words.values()]
    assert in_latin(Shown(page).texts, [*data, *cut, *of_options, *of_table, *meant]) == []
    assert in_latin(Shown(games_page(foreign.values(), made_up())).texts) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_printed_deal_has_no_text_of_its_own(foreign: Mapping[str, Game], name: str) -> None:
    recorded = from_log(golden.records(name, golden.names(name)[0]), GAMES, {})
    events = with_foreign_lines(list(of_deal(recorded.events, 1)))
    lines = with_foreign_lines([line for line in recorded.lines if line["deal"] == 1])
    players = [event["public"]["player"] for event in recorded.events if event["type"] == "seat-taken"]
    names = {player: marked(f"player {seat}") for seat, player in enumerate(players)}
    # Options are named as clients name them.
    options = events[0]["public"]["options"]
    events[0]["public"]["options"] = {marked(name): marked(value) for name, value in options.items()}
    for styles in (None, "body {}"):
        page = deal_page(events, 1, foreign[name], players, names, lines, made_up(), styles=styles)
        assert in_latin(Shown(page).texts) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_printed_ruling_has_no_text_of_its_own(
    foreign: Mapping[str, Game], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def page(
        events: Any, dispute: Any, audits: Any, computed: Any, game: Game, players: Any, names: Any, _: Any
    ) -> bytes:
        checks = tuple(replace(check, text=marked(check.text)) for audit in audits for check in audit.audit.checks)
        foreign_audits = [replace(audit, audit=replace(audit.audit, checks=checks)) for audit in audits]
        dispute = replace(dispute, reason=marked("why"), ruling=replace(dispute.ruling, text=marked("so")))
        names = {player: marked(called) for player, called in names.items()}
        events = with_foreign_lines(list(events))
        return rulings.ruling_page(
            events, dispute, foreign_audits, computed, foreign[game.name], players, names, made_up()
        )

    monkeypatch.setattr(page_jobs, "ruling_page", page)
    shown = Shown(page_of(golden.records(name, "disputed")))
    assert in_latin(shown.texts) == []


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_has_no_text_of_its_own(foreign: Mapping[str, Game], name: str) -> None:
    reader = Reader(GAMES)
    table = None
    for place, record in enumerate(golden.records(name, golden.names(name)[0])):
        table = reader.fold(table, (record,), HOUSE)
        over = record.type in ("deal-scored", "game-finished")
        if place % 29 and not over:
            continue
        seen = msgspec.to_builtins(view(reader.of(table), table, HOUSE))
        drawn = ET.fromstring(TableDrawing(foreign[name], seen, made_up()).svg())  # noqa: S314 (made here)
        texts = [one.text or "" for one in drawn.iter() if not one.tag.endswith("style")]
        labels = [value for one in drawn.iter() for key, value in one.attrib.items() if key in SAID]
        assert in_latin([*texts, *labels], strings(seen)) == []
        if record.type == "game-finished":
            break


@for_each("name", SCRIPTS)
def test_a_script_has_no_text_of_its_own(name: str) -> None:
    assert spoken_in(SCRIPTS[name]) == []


@for_each(
    "source, found",
    [
        ('element("p", {}, "Nothing yet")', ["Nothing yet"]),
        ('element("p", { class: "quiet" }, a ? say("a") : ("so it is"))', ["so it is"]),
        ('element("p", { class: `quiet ${one}`, title: "total" })', ["total"]),
        ('element("p", {}, ...["one", other].map((x) => x))', []),
        ('element("p", {}, `${number} tricks ${say("x")}`)', [" tricks "]),
        ('place.textContent = open ? "▶" : "Pause"; place.className = "on";', ["Pause"]),
        ('place.setAttribute("aria-label", "Play"); place.setAttribute("class", "main")', ["Play"]),
        ('const said = "The service is gone.";', ["The service is gone."]),
        ('element("p", {}, kind === "card" ? face(card) : null)', []),
        ("throw new Error(`no page says ${name}`)", []),
        ("byId(x).append(a / 2, /two words/.test(b) ? `${c}` : null)", []),
    ],
)
def test_what_a_script_says_by_itself_is_found(source: str, found: list[str]) -> None:
    assert spoken_in(source) == found


TEXTS = made_up_texts()
_NAMED = re.compile(r"""["'`]([a-z][\w.-]*?)(\.?)(?:["'`]|\$\{|\{|" ~)""")


@for_each("name", SCRIPTS)
def test_every_text_that_a_script_asks_for_is_there(name: str) -> None:
    tokens = tokens_of(SCRIPTS[name])
    for at, token in enumerate(tokens):
        if (
            token.value == "say"
            and tokens[at - 1].value != "."
            and tokens[at + 1].value == "("
            and tokens[at + 2].kind == "text"
        ):
            asked = tokens[at + 2].value
            begins = tokens[at + 3].value == "${"
            assert asked in TEXTS or (begins and any(one.startswith(asked) for one in TEXTS)), asked


def test_every_text_is_asked_for() -> None:
    files = [path for kind in ("*.py", "*.js", "*.html") for path in SERVICE.rglob(kind)]
    source = "\n".join(path.read_text() for path in files)
    named = {(name, bool(dot)) for name, dot in _NAMED.findall(source)}
    whole = {name + ("." if dot else "") for name, dot in named}
    begun = tuple(one for one in whole if one.endswith("."))
    assert [name for name in TEXTS if name not in whole and not name.startswith(begun)] == []


def test_a_text_has_the_forms_and_holes_that_its_language_needs() -> None:
    for name, text in msgspec.json.decode(ENGLISH.read_bytes()).items():
        forms = [text] if isinstance(text, str) else list(text.values())
        assert isinstance(text, str) or text.keys() == {"one", "other"}, name
        assert all(
            re.sub(r"\{\w+\}", "", form).isprintable() and "{" not in re.sub(r"\{\w+\}", "", form) for form in forms
        )
        assert isinstance(text, str) or all("{count}" in form for form in forms if form == text["other"])
