"""The words as they are served: by the document's description alone, another client says the same sentences."""

import json
import re
from itertools import islice
from typing import Any

import msgspec
import pytest
from codille_client import Words
from codille_client.offers import Offer

from domain.kernel.game import Game
from domain.kernel.line_words import line_text
from domain.kernel.words import Filled, Parts, said
from domain.table.talk import action_types_of
from domain.table.words import complete
from service.describe.game_details import details
from tests.support.asked import asked
from tests.support.registry import GAMES
from tests.support.samples import sample

Json = dict[str, Any]

SEATS = {seat: f"<seat {seat}>" for seat in range(9)}
SUITS = {"s": "spades ♠", "h": "hearts ♥", "d": "diamonds ♦", "c": "clubs ♣"}

TABLES = 6
"""How many sample tables' ledgers are narrated."""


@pytest.fixture(scope="module", params=GAMES.values(), ids=list(GAMES))
def game(request: pytest.FixtureRequest) -> Game:
    """Each game that is offered."""
    chosen: Game = request.param
    return chosen


@pytest.fixture(scope="module")
def words(game: Game) -> Json:
    """The words as a client decodes them."""
    served: Json = json.loads(msgspec.json.encode(details(game)))["words"]
    return served


def test_a_client_that_knows_only_the_description_says_the_same(game: Game, words: Json) -> None:
    own = complete(game).events
    for type, event in sample(game.name).by_type.events.items():
        assert say(words, words["events"][type]["sentences"], event["public"]) == plain(
            said(own[type].sentences, event["public"]), words
        )
        for audience, opened in event["sealed"].items():
            kind, _, seat = audience.partition(":")
            values, owner = event["public"] | opened["data"], int(seat) if seat else None
            assert say(words, words["events"][type]["sections"].get(kind, []), values, owner) == plain(
                said(own[type].sections.get(kind, ()), values, owner), words
            )


def test_the_python_kit_says_the_same_of_events(game: Game) -> None:
    own = complete(game).events
    kit = Words(json.loads(msgspec.json.encode(details(game))), SEATS)
    for type, event in sample(game.name).by_type.events.items():
        told = kit.event(event)
        assert told[0] == written(said(own[type].sentences, event["public"]), game)
        for audience, opened in event["sealed"].items():
            kind, _, seat = audience.partition(":")
            values, owner = event["public"] | opened["data"], int(seat) if seat else None
            expected = written(said(own[type].sections.get(kind, ()), values, owner), game)
            assert expected is None or expected in told, type


def test_the_python_kit_says_the_same_of_prompts_and_of_acts_that_are_sent(game: Game) -> None:
    own = complete(game)
    kit = Words(json.loads(msgspec.json.encode(details(game))), SEATS)
    for moment in asked(sample(game.name).played.records):
        offers = [Offer(offer) for offer in moment.offers]
        assert kit.prompt(moment.view, offers) == written(said(own.prompts, moment.shown), game)
    for act in sample(game.name).by_type.actions.values():
        assert kit.sending(act) == written(said(own.sending[act["type"]], act), game)


def test_the_python_kit_says_the_same_of_ledger_lines(game: Game) -> None:
    own = complete(game).lines
    kit = Words(json.loads(msgspec.json.encode(details(game))), SEATS)
    for table in islice(sample(game.name).tables, TABLES):
        for event in table.records:
            for line in [] if event.type == "dispute-opened" else json.loads(event.public).get("lines", []):
                assert kit.line(line) == line_text(own, line, game.pack, SEATS.__getitem__)


def test_the_fields_of_everything_that_is_sent_and_received_are_explained(game: Game, words: Json) -> None:
    fields = words["fields"]
    assert fields["events"].keys() == words["events"].keys()
    assert fields["acts"].keys() == words["acts"].keys()
    for payload in game.events:
        sections = [name for kind in payload.SECTIONS.values() for name in kind.__struct_encode_fields__]
        assert fields["events"][payload.TYPE].keys() == {*payload.__struct_encode_fields__, *sections}
    for act in action_types_of(game):
        assert fields["acts"][act.__struct_config__.tag].keys() == set(act.__struct_encode_fields__)
    assert fields["options"].keys() == set(game.options.__struct_encode_fields__)
    assert fields["view"].keys() == set(game.showing.view.__struct_encode_fields__)
    texts = [*fields["options"].values(), *fields["view"].values()]
    texts += [text for part in ("events", "acts") for own in fields[part].values() for text in own.values()]
    assert all(re.fullmatch(r"\S.*[.…]", text) for text in texts)


# Another client, written by the document's description of words.


def say(words: Json, sentences: list[Json], values: Json, owner: int | None = None) -> str | None:
    fitting = (one for one in sentences if all(holds(condition, values) for condition in one["when"]))
    sentence = next(fitting, None)
    if sentence is None:
        return None
    holes = {name: fill(words, hole, values, owner) for name, hole in sentence["holes"].items()}
    return re.sub(r"\{(.*?)\}", lambda name: holes[name[1]], sentence["text"])


def holds(condition: Json, values: Json) -> bool:
    value, wanted = look(values, condition["field"]), condition["value"]
    match condition["test"]:
        case "is":
            return json.dumps(value) == json.dumps(wanted)
        case "is-not":
            return json.dumps(value) != json.dumps(wanted)
        case "length":
            return len(value or []) == wanted
        case _:
            return len(value or []) != wanted


def look(value: Any, path: str) -> Any:
    for place, name in enumerate(names := path.split(".")):
        if isinstance(value, list):
            return [look(item, ".".join(names[place:])) for item in value]
        value = None if value is None else value.get(name)
    return value


def fill(words: Json, hole: Json, values: Json, owner: int | None) -> str:
    value = look(values, hole["field"]) if hole["field"] else None
    match hole["kind"]:
        case "owner":
            return f"<seat {owner}>"
        case "each" | "last" as kind:
            items = [item for one in value if (item := say(words, hole["each"], one)) is not None]
            return listed(items if kind == "each" else items[-1:])
        case "seats" | "terms" as kind:
            return listed([write(words, kind[:-1], hole["of"], item) for item in value])
        case "cards":
            return " ".join(write(words, "card", None, item) for item in value)
        case kind:
            return write(words, kind, hole["of"], value)


def listed(items: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def write(words: Json, kind: str, of: str | None, value: Any) -> str:
    if kind == "term":
        return str(words["terms"][of].get(str(value), str(value).replace("-", " ")))
    return f"<{kind} {value}>"


def plain(parts: Parts | None, words: Json) -> str | None:
    if parts is None:
        return None
    return "".join(part if isinstance(part, str) else write(words, part.kind, part.of, part.value) for part in parts)


def written(parts: Parts | None, game: Game) -> str | None:
    """A sentence as people read it, by the domain's own words."""
    return None if parts is None else "".join(part if isinstance(part, str) else value_of(part, game) for part in parts)


def value_of(part: Filled, game: Game) -> str:
    match part.kind:
        case "seat":
            return SEATS[part.value]
        case "place":
            return str(part.value + 1)
        case "card":
            return game.pack.faces[part.value].written
        case "hand":
            return " ".join(game.pack.faces[card].written for card in game.pack.sorted(part.value))
        case "suit":
            return SUITS[part.value]
        case "term":
            named = complete(game).terms.get(str(part.of), {}).get(str(part.value))
            return named or SUITS.get(part.value) or str(part.value).replace("-", " ")
        case "amount":
            return f"{part.value:+}"
        case "totals":
            return ", ".join(f"{SEATS[seat]} {total:+}" for seat, total in enumerate(part.value))
        case "lines":
            return listed([f"line {line['line']} of event {line['version']}" for line in part.value])
        case _:
            return str(part.value)
