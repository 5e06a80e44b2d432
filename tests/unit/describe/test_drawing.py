"""A table as a picture: it is made from a view, and shows what the view knows and nothing else."""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any
from xml.etree import ElementTree as ET

import msgspec

from domain.kernel.game import Game
from domain.record.history import Reader
from domain.seats import HOUSE, PUBLIC
from domain.table.view import view
from service.describe.drawing.svg import POLICY, card, cards, words
from service.describe.drawing.table import TableDrawing
from service.describe.texts import ENGLISH, Texts, english
from tests.golden import games as golden
from tests.support.for_each import for_each
from tests.support.registry import GAMES

READER = Reader(GAMES)
SVG = "{http://www.w3.org/2000/svg}"
MISSING = re.compile(r"None|undefined|[{}]")
"""What stands in a text where a value is missing."""
EVIL = "</text><script>alert(1)</script>\x00 & <b>"


def views(of: str, audience: str) -> Iterator[Mapping[str, Any]]:
    """Views of the first deal of a recorded game, some events apart."""
    records = golden.records(of, golden.names(of)[0])
    table = None
    for place, record in enumerate(records):
        table = READER.fold(table, (record,), audience)
        over = record.type == "deal-scored"
        if place % 23 == 0 or over:
            yield msgspec.to_builtins(view(READER.of(table), table, audience))
        if over:
            return


def drawn(game: Game, seen: Mapping[str, Any]) -> ET.Element:
    return ET.fromstring(TableDrawing(game, seen, english()).svg())  # noqa: S314 (made here)


def faces(drawing: ET.Element) -> set[str]:
    """The cards that are drawn, as people write them."""
    found = set()
    for group in drawing.iter(f"{SVG}g"):
        texts = [one.text or "" for one in group.findall(f"{SVG}text") if "face" in one.get("class", "")]
        if texts:
            found.add("".join(texts))
    return found


def known(value: Any, game: Game) -> Iterator[str]:
    """The cards that a view names anywhere."""
    if isinstance(value, str):
        if value in game.pack:
            yield game.pack.faces[value].written
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from known(part, game)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from known(part, game)


@for_each("game", GAMES.values())
@for_each("audience", (PUBLIC, "seat:1", HOUSE))
def test_every_view_is_drawn_with_no_card_that_it_does_not_know(game: Game, audience: str) -> None:
    for seen in views(game.name, audience):
        drawing = drawn(game, seen)
        assert faces(drawing) <= set(known(seen, game))
        title, description = drawing.find(f"{SVG}title"), drawing.find(f"{SVG}desc")
        assert title is not None
        assert title.text == f"{game.title} after event {seen['version']}"
        assert description is not None
        assert description.text
        for text in (one.text or "" for one in drawing.iter() if one.tag != f"{SVG}style"):
            assert not MISSING.search(text), text


@for_each("game", GAMES.values())
def test_the_hand_of_who_looks_is_drawn_whole(game: Game) -> None:
    for seen in views(game.name, "seat:1"):
        hand = seen["seats"][1].get("hand")
        if hand and not (seen.get("order") and 1 not in seen["order"]):
            assert {game.pack.faces[name].written for name in hand["known"]} <= faces(drawn(game, seen))


def test_tricks_are_counted_only_where_tricks_are_won() -> None:
    *_, seen = (one for one in views("lorum", PUBLIC) if any(seat["tricks"] for seat in one["seats"]))
    counted = re.compile("^[0-9]+ tricks?$")

    def counts(view: Mapping[str, Any]) -> list[str]:
        texts = [one.text or "" for one in drawn(GAMES["lorum"], {**view, "phase": "play"}).iter(f"{SVG}text")]
        return [text for text in texts if counted.match(text)]

    assert len(counts(seen)) == 4
    without = {"trick": (), "last_trick": None, "seats": [{**seat, "tricks": 0} for seat in seen["seats"]]}
    assert counts({**seen, **without}) == []


def test_names_are_text_and_what_xml_cannot_hold_is_replaced() -> None:
    evil = Texts(msgspec.json.decode(ENGLISH.read_bytes(), type=dict[str, Any]) | {"seat": EVIL})
    made = TableDrawing(GAMES["crocodile"], next(views("crocodile", PUBLIC)), evil).svg()
    assert b"<script" not in made
    assert b"<b>" not in made
    texts = [one.text for one in ET.fromstring(made).iter(f"{SVG}text")]  # noqa: S314 (made here)
    assert EVIL.replace("\x00", "\N{REPLACEMENT CHARACTER}") in texts


def test_a_drawing_loads_nothing_and_its_policy_admits_its_own_styles_alone() -> None:
    made = TableDrawing(GAMES["crocodile"], next(views("crocodile", PUBLIC)), english()).svg()
    root = ET.fromstring(made)  # noqa: S314 (made here)
    style = root.find(f"{SVG}style")
    assert style is not None
    assert style.text
    assert "prefers-color-scheme: dark" in style.text
    digest = b64encode(sha256(style.text.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" == POLICY
    attributes = {name for one in root.iter() for name in one.attrib}
    assert attributes.isdisjoint({"href", "style", "src", "onload"})
    assert "url(" not in style.text


def test_many_cards_overlap_and_then_go_on_below() -> None:
    face = GAMES["crocodile"].pack.faces["Ks"]
    few, many, most = (cards([face] * number, 300) for number in (3, 14, 40))
    assert few.height == many.height == card(face).height
    assert max(one.width for one in (few, many, most)) <= 300
    assert most.height > 2 * card(face).height


def test_a_text_that_is_too_wide_is_cut() -> None:
    assert words("a" * 100, most=90).width <= 100
    assert words("short", most=90).group.find("text").text == "short"  # type: ignore[union-attr]
