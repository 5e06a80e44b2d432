"""Words in the kit for TypeScript: it says what the games' own code says of events, lines and views."""

import json
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
import pytest

from domain.kernel.game import Game
from domain.kernel.line_words import line_text
from domain.kernel.words import Parts, Words, said
from domain.registry import GAMES
from domain.table.words import ACTORS, VERBS, complete
from service.describe.game_details import details
from tests.support.asked import asked as asked_of
from tests.support.samples import sample
from tests.support.typescript import asked, needs_node

Json = dict[str, Any]

SUITS = {"s": "spades ♠", "h": "hearts ♥", "d": "diamonds ♦", "c": "clubs ♣"}
CORPUS = sorted((Path(__file__).parents[3] / "api-spec" / "examples" / "records").glob("*.ndjson"))

pytestmark = needs_node


def name_of(seat: int | None) -> str:
    return f"<seat {seat}>"


class Speaker:
    """A game's words, written as plain text."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.words: Words = complete(game)

    def event(self, event: Mapping[str, Any]) -> str:
        """What an event says, with what its open sections add."""
        own, public = self.words.events[event["type"]], event["public"]
        added = []
        for audience, section in event["sealed"].items():
            kind, _, seat = audience.partition(":")
            values = public | section["data"]
            added.append(said(own.sections.get(kind, ()), values, int(seat) if seat else None))
        by = ACTORS.get(event["actor"].partition(":")[0]) if "seat" in public else None
        texts = [self.written(parts) for parts in (said(own.sentences, public), *added) if parts is not None]
        return " ".join([*texts, *([by] if by else [])])

    def written(self, parts: Parts) -> str:
        """A sentence as text."""
        return "".join(part if isinstance(part, str) else self.value(part.kind, part.value, part.of) for part in parts)

    def value(self, kind: str, value: Any, of: str | None) -> str:
        faces = self.game.pack.faces
        match kind:
            case "seat":
                return name_of(value)
            case "place":
                return str(value + 1)
            case "card":
                return faces[value].written
            case "hand":
                suits = ["s", "h", "d", "c", None]
                return " ".join(
                    faces[card].written for card in sorted(value, key=lambda one: suits.index(faces[one].suit))
                )
            case "suit":
                return SUITS[value]
            case "amount":
                return f"{value:+}".replace("-", "−") if value else "0"
            case "totals":
                amounts = [f"{name_of(seat)} {self.value('amount', amount, None)}" for seat, amount in enumerate(value)]
                return " and ".join(filter(None, [", ".join(amounts[:-1]), *amounts[-1:]]))
            case "term":
                return self.words.terms.get(of or "", {}).get(str(value), str(value).replace("-", " "))
            case "lines":
                return ""  # said by a test of their own
            case _:
                return str(value)


def recorded(game: str) -> Iterator[Json]:
    """The events of the published records of a game, which hold every event in every form."""
    for path in CORPUS:
        events = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()[1:-1]]
        if events[0]["game"] == game:
            yield from events


@pytest.fixture(scope="module")
def questions() -> list[Json]:
    """What is to be said of each game."""
    asks = []
    for game in GAMES.values():
        events = [event for event in recorded(game.name) if event["type"] != "dispute-opened"]
        distinct = {repr((event["type"], event["public"], event["sealed"])): event for event in events}
        booked = {line["text"]: line for event in events for line in event["public"].get("lines", ())}
        asks.append(
            {
                "game": json.loads(msgspec.json.encode(details(game))),
                "events": list(distinct.values()),
                "lines": list(booked.values()),
                "asked": [(moment.view, moment.offers) for moment in asked_of(sample(game.name).played.records)],
                "acts": list(sample(game.name).by_type.actions.values()),
            }
        )
    return asks


@pytest.fixture(scope="module")
def answers(questions: list[Json]) -> list[Json]:
    """What the kit says."""
    answered: list[Json] = asked("say.mjs", questions)
    return answered


def test_events_are_said_as_the_game_says_them(questions: list[Json], answers: list[Json]) -> None:
    for game, question, answer in zip(GAMES.values(), questions, answers, strict=True):
        speaker = Speaker(game)
        expected = [speaker.event(event) for event in question["events"]]
        assert answer["events"] == expected, game.name
        assert len(expected) > 5


def test_prompts_and_acts_that_are_sent_are_said_as_the_game_says_them(
    questions: list[Json], answers: list[Json]
) -> None:
    for game, question, answer in zip(GAMES.values(), questions, answers, strict=True):
        speaker = Speaker(game)
        for moment, prompt in zip(asked_of(sample(game.name).played.records), answer["prompts"], strict=True):
            parts = said(speaker.words.prompts, moment.shown)
            assert prompt == ("null" if parts is None else speaker.written(parts)), game.name
        for act, sending, named in zip(question["acts"], answer["sending"], answer["acts"], strict=True):
            parts = said(speaker.words.sending[act["type"]], act)
            assert parts is not None
            assert sending == speaker.written(parts)
            first, _, rest = sending.removesuffix(" …").partition(" ")
            assert named == f"{VERBS[first]} {rest}".strip()


def test_cards_and_names_in_sentences_can_be_set_off(answers: list[Json]) -> None:
    parts = [part for part in chain(*chain(*(answer["parts"] for answer in answers))) if not isinstance(part, str)]
    assert {"seat", "card", "amount", "term"} <= {part["kind"] for part in parts}
    assert all(isinstance(part["text"], str) and part["text"] for part in parts)
    assert {part["text"] for part in parts if part["kind"] == "card" and part["value"] == "Ks"} == {"K♠"}


def test_lines_are_said_as_the_game_says_them(questions: list[Json], answers: list[Json]) -> None:
    lines = 0
    for game, question, answer in zip(GAMES.values(), questions, answers, strict=True):
        own = complete(game).lines
        assert answer["lines"] == [line_text(own, line, game.pack, name_of) for line in question["lines"]], game.name
        lines += len(question["lines"])
    assert lines > 200
