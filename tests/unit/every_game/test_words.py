"""Every game tells of itself: a sentence for each event, a label for each act, a name for each term."""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

import msgspec
import pytest

from domain.kernel.event import kind_of
from domain.kernel.game import Game
from domain.kernel.words import Filled, Parts, Words, said
from domain.kernel.words_check import faults
from domain.table.events import events_of
from domain.table.talk import action_types_of
from domain.table.words import complete
from service.http.examples import OneOfEach
from tests.games.sentences import sentence as told
from tests.support.for_each import for_each
from tests.support.registry import GAMES
from tests.support.samples import sample

TABLES = 6
"""How many sample tables are looked through."""

MOST_WORDS = 25
"""The words of the longest sentence that introduces a game."""

JARGON = {
    "trick": "trick is one card from each|tricks .one card from each",
    "trump": "suit that beats|suit named in the bid",
    "led": "played first",
    "contract": "what you undertake to do",
    "meld": "three or more of one rank|sets and rows",
    "burraco": "meld of seven",
    "pozzetto": "second hand",
    "wild": "joker",
    "stock": "face-down cards",
    "discard": "face.up",
    "declar": "combine it with",
    "xeri": "cleared table",
    "go out": "end the deal",
    "bump": "claim the discard",
    "pool": "chips laid in",
    "defender": "opponent",
    "reserve": "pile of thirteen",
    "nolo|misère": "the promise to win no",
    "rabbit|dingo|wol[fv]": "diamonds are rabbits, hearts are dingoes, black cards are wolves",
    "Ombre": "plays alone against two",
    "supporter": "call for help",
    "Tëtka": "the queen of the suit shown",
    "matador|talon|auction|renounce|revoke|eldest|forehand|sans|remis|honour|[kc]od?ille|bête|puesta|vole|tout|"
    "pitch|numeral|court card|tableau|foundation|wash|void|ruff": "(?!)",
}
"""Words that beginners do not know, with what explains each: it stands in the sentence that first has the word, or
before.
"""

MACHINE = re.compile(
    r"None|True|False|[{}]|  | [,.;:]|\b1 (?:cards|tricks|discards|turns|xeris|points)\b|\brank [AKQJT]\b|\bseat 0\b|"
    r"entropy|seeds"
)
"""What no card player would say."""

SENTENCE = re.compile(r"[A-Z“].*[.”]")


@pytest.fixture(scope="module", params=GAMES.values(), ids=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    """Each game that is offered."""
    chosen: Game = request.param
    return chosen


@pytest.fixture(scope="module")
def words(game: Game) -> Words:
    return complete(game)


@pytest.fixture(scope="module")
def by_type(game: Game) -> OneOfEach:
    return sample(game.name).by_type


def plain(parts: Parts, words: Words) -> str:
    """The sentence as the interface's own values write it."""
    return "".join(part if isinstance(part, str) else written(part, words) for part in parts)


def written(part: Filled, words: Words) -> str:
    if part.kind == "term":
        return words.terms[str(part.of)][str(part.value)]
    if part.kind == "seat":
        return f"Player {part.value}"
    if part.kind == "place":
        return str(part.value + 1)
    if part.kind == "totals":
        return ", ".join(map(str, part.value))
    if part.kind == "lines":
        return ", ".join(f"line {place['line']} of event {place['version']}" for place in part.value)
    return " ".join(part.value) if part.kind == "hand" else str(part.value)


def sentences(event: Mapping[str, Any], words: Words) -> Iterator[str]:
    """All that is said of an event with these sections open."""
    told = words.events[event["type"]]
    parts = said(told.sentences, event["public"])
    assert parts is not None
    yield plain(parts, words)
    for audience, opened in event["sealed"].items():
        kind, _, seat = audience.partition(":")
        more = said(told.sections.get(kind, ()), event["public"] | opened["data"], int(seat) if seat else None)
        if more is not None:
            yield plain(more, words)


def test_the_words_fit_the_events_the_acts_and_the_view(game: Game, words: Words) -> None:
    options = [("options", game.options)]
    view = msgspec.defstruct("Seen", options, bases=(game.showing.view,), kw_only=True, frozen=True)
    assert faults(words, events_of(game), action_types_of(game), view) == ()


def test_every_game_introduces_itself_in_eight_short_sentences(game: Game) -> None:
    introduction = game.words.introduction
    parts = (introduction.aim, introduction.turn, introduction.beginners)
    assert tuple(map(len, parts)) == (2, 3, 3)
    for sentence in (one for part in parts for one in part):
        assert re.fullmatch(r"[A-Z][^.!?{}]*\.", sentence), sentence
        assert len(sentence.split()) <= MOST_WORDS, sentence


@pytest.mark.parametrize(("term", "explained"), JARGON.items(), ids=list(JARGON))
def test_an_introduction_explains_what_beginners_do_not_know(term: str, explained: str) -> None:
    for game in GAMES.values():
        introduction = game.words.introduction
        read = ""
        for sentence in (*introduction.aim, *introduction.turn, *introduction.beginners):
            read += sentence
            if re.search(rf"\b({term})", sentence):
                assert re.search(explained, read), sentence
                break


def test_every_event_is_told_in_plain_sentences(by_type: OneOfEach, words: Words) -> None:
    for event in by_type.events.values():
        for sentence in sentences(event, words):
            assert SENTENCE.fullmatch(sentence), sentence
            assert not MACHINE.search(sentence), sentence


def test_every_section_with_cards_adds_a_sentence(game: Game, by_type: OneOfEach, words: Words) -> None:
    for payload in game.events:
        event = by_type.events[payload.TYPE]
        for audience, opened in event["sealed"].items():
            if any(opened["data"].values()):
                assert words.events[payload.TYPE].sections[kind_of(audience)]


def test_every_view_of_a_deal_is_summed_up(game: Game, words: Words) -> None:
    summed = [
        plain(parts, words)
        for view in sample(game.name).played.views("public")
        for group in words.status
        for parts in [said(group, view)]
        if parts is not None
    ]
    assert bool(summed) == bool(words.status)
    assert all(SENTENCE.fullmatch(sentence) for sentence in summed)
    assert not list(filter(MACHINE.search, summed))


def test_every_outcome_and_phase_has_a_name(game: Game, words: Words) -> None:
    for table in islice(sample(game.name).tables, TABLES):
        for view in table.views("public"):
            assert view["phase"] is None or view["phase"] in words.terms["phase"], view["phase"]
        for event in table.records:
            if event.type == "deal-scored":
                assert table.event(event.version, "house", over=True)["public"]["outcome"] in words.terms["outcome"]
    for rows in game.rulebook.tables.values():
        for row in rows:
            key = row.__struct_fields__[0]
            assert words.terms[key][str(getattr(row, key))]


@pytest.mark.parametrize(("name", "won"), [("crocodile", "victory"), ("lhombre", "win"), ("ombre", "win")])
def test_what_a_deal_came_to_says_who_has_won_or_lost(name: str, won: str) -> None:
    words = complete(GAMES[name])
    for outcome in words.terms["outcome"]:
        parts = said(words.events["deal-scored"].sentences, {"deal": 1, "outcome": outcome, "estuches": []})
        assert parts is not None
        assert (" wins." in plain(parts, words)) == (outcome == won)
        assert (" loses (" in plain(parts, words)) <= (outcome != won)


@for_each("of", ["burraco", "diloti", "don"])
@for_each(
    "winners, text", [([1], "1 wins: "), ([1, 3], "1 and 3 win: "), ([0, 1, 2, 3], "0, 1, 2 and 3 share the win: ")]
)
def test_a_winner_a_side_and_both_sides_are_told_apart(of: str, winners: list[int], text: str) -> None:
    assert text in told(complete(GAMES[of]), "game-finished", {"winners": winners, "totals": [1, 2]})


@pytest.mark.parametrize(
    ("name", "trump", "order"),
    [
        ("lhombre", "h", "A♠ 7 A♣ A K Q J 2 3 4 5 6;"),
        ("ombre", "c", "A♠ 2 A K Q J 7 6 5 4 3;"),
        ("solo", "d", "Q♣ 7 Q♠ A K Q J 10 9 8."),
    ],
)
def test_while_a_contract_is_played_the_order_of_its_trumps_is_told(name: str, trump: str, order: str) -> None:
    view = {"contract": {"trump": trump, "called": None}, "phase": "play"}
    told = [sentence.text for group in GAMES[name].words.status for sentence in group if sentence.fits(view)]
    assert [text for text in told if text.startswith(f"Trumps, high to low: {order}")]
