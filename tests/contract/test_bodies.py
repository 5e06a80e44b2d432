"""Bad bodies: each has a clear problem, and nothing is recorded."""

import codecs
import json
from collections.abc import AsyncIterator

import httpx
import pytest

from domain.registry import GAMES
from tests.contract.conftest import Caller, next_of, opened, problem
from tests.contract.shared import ada, client, in_one_loop, table, three
from tests.support.for_each import for_each

__all__ = ["ada", "client", "table", "three"]

pytestmark = in_one_loop

JSON = {"Content-Type": "application/json"}
DEEP = "[" * 100 + "]" * 100

MALFORMED: dict[str, bytes] = {
    "empty": b"",
    "not JSON": b"pass",
    "cut off": b'{"type": "pa',
    "trailing text": b'{"type": "pass"} x',
    "NaN": b'{"type": NaN}',
    "two byte order marks": b'\xef\xbb\xbf\xef\xbb\xbf{"type": "pass"}',
    "not UTF-8": b'{"type": "p\xff"}',
    "UTF-16": '{"type": "pass"}'.encode("utf-16"),
    "UTF-16, big end first": codecs.BOM_UTF16_BE + '{"type": "pass"}'.encode("utf-16-be"),
    "UTF-32": '{"type": "pass"}'.encode("utf-32"),
    "UTF-32, big end first": codecs.BOM_UTF32_BE + '{"type": "pass"}'.encode("utf-32-be"),
    "NUL": b'{"type": "pass\x00"}',
    "escaped NUL": b'{"type": "pass\\u0000"}',
    "half a surrogate pair": b'{"type": "\\ud83c"}',
    "half a surrogate pair as a name": b'{"type": "pass", "\\udc00": 1}',
    "a name twice": b'{"type": "pass", "type": "concede"}',
    "a name twice, close": b'{"type":"pass","type":"pass"}',
    "deep lists": DEEP.encode(),
    "deeper lists": b"[" * 60_000,
    "deep objects": b'{"a":' * 5000,
}

INVALID: dict[str, tuple[object, str]] = {
    "null": (None, ""),
    "a number": (3, ""),
    "a list": ([], ""),
    "no type": ({}, "/type"),
    "an unknown type": ({"type": "resign"}, "/type"),
    "a type that is no text": ({"type": 3}, "/type"),
    "an unknown field": ({"type": "pass", "why": 1}, "/why"),
    "a missing field": ({"type": "bid"}, "/contract"),
    "an unknown value": ({"type": "bid", "contract": "whist"}, "/contract"),
    "the wrong type": ({"type": "bid", "contract": 3}, "/contract"),
    "a number as text": ({"type": "answer-priority", "accept": "true"}, "/accept"),
    "an unknown card": ({"type": "play", "card": "1s"}, "/card"),
    "a card that is no text": ({"type": "exchange", "discard": ["Ks", 3]}, "/discard/1"),
    "text instead of a list": ({"type": "exchange", "discard": "Ks"}, "/discard"),
    "too long a text": ({"type": "talk", "text": "x" * 281}, "/text"),
}


@for_each("body", MALFORMED.values())
async def test_malformed_bodies_are_400(three: list[Caller], table: str, body: bytes) -> None:
    answer = await three[0].send("POST", f"/tables/{table}/actions", content=body, headers=JSON)
    problem(answer, 400, "malformed-body")
    assert (await three[0].get(f"/tables/{table}")).json()["version"] == 6


@for_each("body", [body for name, body in MALFORMED.items() if name.startswith("UTF-")])
async def test_another_form_of_unicode_is_named(ada: Caller, body: bytes) -> None:
    answer = await ada.send("POST", "/tables", content=body, headers=JSON)
    assert answer.json()["detail"] == "the body must be UTF-8, not UTF-16 or UTF-32"


async def test_the_same_body_in_another_spelling_is_one_body(ada: Caller) -> None:
    headers, body = {**JSON, "Idempotency-Key": "once"}, b'{"game": "crocodile", "deals": 3, "options": %s}'
    first = await ada.send("POST", "/tables", content=body % b"{}", headers=headers)
    assert first.status_code == 201
    for other in (b"\xef\xbb\xbf" + body, body.replace(b"3", b"3.0"), body.replace(b"3", b"30E-1")):
        again = await ada.send("POST", "/tables", content=other % b"{}", headers=headers)
        assert (again.status_code, again.headers["idempotency-replayed"]) == (201, "true"), other
        assert again.json() == first.json()
    changed = await ada.send("POST", "/tables", content=body.replace(b"3", b"6") % b"{}", headers=headers)
    problem(changed, 422, "key-reused")
    for number in (b"1e400", b"9" * 5000, b"1" + b"0" * 30, b"0.5"):
        answer = await ada.send("POST", "/tables", content=body % (b'{"x": %s}' % number), headers=headers)
        assert [fault["pointer"] for fault in problem(answer, 422, "invalid-body")["errors"]] == ["/options/x"]


@for_each(
    "body, pointer, detail",
    [
        ({"1": "quick", "2": "mean"}, "/bots/2", "must be one of quick, random, strong"),
        ({"1": "quick", "two": "quick"}, "/bots/two", "must be the number of a seat"),
    ],
)
async def test_the_wrong_member_of_a_mapping_is_named(ada: Caller, body: object, pointer: str, detail: str) -> None:
    refusal = problem(await ada.post("/tables", {"game": "crocodile", "bots": body}), 422, "invalid-body")
    assert refusal["errors"] == [{"pointer": pointer, "detail": detail}]


@for_each("body, pointer", INVALID.values())
async def test_an_invalid_body_is_422_and_names_the_field(
    three: list[Caller], table: str, body: object, pointer: str
) -> None:
    answer = await three[0].send("POST", f"/tables/{table}/actions", content=json.dumps(body), headers=JSON)
    refusal = problem(answer, 422, "invalid-body")
    assert [error["pointer"] for error in refusal["errors"]] == [pointer]


@for_each(
    "body, pointer",
    [
        ({"type": "play", "card": "1s"}, "/card"),
        ({"type": "play", "card": "0.2c"}, "/card"),
        ({"type": "play", "card": "9h.1"}, "/card"),
        ({"type": "exchange", "discard": ["Ks", "Jo.1"]}, "/discard/1"),
    ],
)
async def test_a_card_must_be_of_the_games_own_pack(
    three: list[Caller], table: str, body: object, pointer: str
) -> None:
    refusal = problem(await three[0].post(f"/tables/{table}/actions", body), 422, "invalid-body")
    (error,) = refusal["errors"]
    pack = GAMES["crocodile"].pack.cards
    assert error == {
        "pointer": pointer,
        "detail": f"must be one of {', '.join(pack[:8])} and {len(pack) - 8} others",
    }


NUMBERS = [
    "9" * 50,
    "9" * 5000,
    "1e400",
    "-1e400",
    "1e-999999999",
    "-0.0",
    "3.5",
    "9007199254740993.0",
    "true",
    '"3"',
    "-3",
    "[3]",
]


@for_each("number", NUMBERS)
async def test_numbers_are_whole_and_small(ada: Caller, number: str) -> None:
    body = f'{{"game": "crocodile", "deals": {number}}}'
    refusal = problem(await ada.send("POST", "/tables", content=body, headers=JSON), 422, "invalid-body")
    assert refusal["errors"][0]["pointer"] == "/deals"


@for_each(
    "body, pointer",
    [
        ({"game": "whist"}, "/game"),
        ({"game": "crocodile", "deals": 0}, "/deals"),
        ({"game": "crocodile", "options": {"stakes": 3}}, "/options/stakes"),
        ({"game": "crocodile", "options": {"casco_stock": "none"}}, "/options/casco_stock"),
        ({"game": "crocodile", "options": []}, "/options"),
        ({"deals": 3}, "/game"),
    ],
)
async def test_impossible_tables_are_refused(ada: Caller, body: object, pointer: str) -> None:
    refusal = problem(await ada.post("/tables", body), 422, "invalid-body")
    assert refusal["errors"][0]["pointer"] == pointer


UNSEEN = [
    " ", "\u00a0 \u2003", "\u3164", "\u2800", "\u200d", "\ufe0f", "Ada\u202e", "\u2066Ada\u2069",
    "A\u200bda", "\ufeffAda", "Ada\u00ad", "A\u2028da", "Ada\u200f", "Ada\u0085",
    "Ada\U000e0041", "A\U000e0001da", "A\u034fda", "A\ufff8da", "A\u200ddA", "\ufdfa" * 4,
]  # fmt: skip
"""Names in which something is invisible, or ignored, or that are too long as they are compared."""


@for_each(
    "name",
    [
        "\u05d3\u05d5\u05d3",
        "\u0646\u0645\u06cc\u200c\u0634\u0648\u062f",
        "\u2764\ufe0f",
        "👩\u200d👧",
        ".",
        "李",
    ],
)
async def test_names_of_all_scripts_are_accepted(client: httpx.AsyncClient, name: str) -> None:
    made = await client.post("/v1/players", json={"name": name})
    assert made.status_code == 201
    assert (await client.get(f"/v1/players/{made.json()['player']}")).json()["name"] == name


async def test_a_name_is_kept_without_spaces_at_its_ends(client: httpx.AsyncClient) -> None:
    made = await client.post("/v1/players", json={"name": " Ada  \uff22 "})
    profile = (await client.get(f"/v1/players/{made.json()['player']}")).json()
    assert (profile["name"], profile["skeleton"]) == ("Ada B", "ada b")


@for_each("name", ["\u202eAda", "A\tda", "\u2800", "Ada\U000e0041", "x" * 65, ""])
async def test_a_refusal_of_a_name_shows_no_pattern(client: httpx.AsyncClient, name: str) -> None:
    refusal = problem(await client.post("/v1/players", json={"name": name}), 422, "invalid-body")
    assert refusal["detail"].startswith("/name: must ")
    assert not {"^", "[", "\\", "`"} & set(refusal["detail"])


async def test_names_that_look_alike_have_one_skeleton_and_an_erased_one_none(client: httpx.AsyncClient) -> None:
    made = [await client.post("/v1/players", json={"name": name}) for name in ("Paypal", "P\u0430ypaI")]
    ids = [one.json()["player"] for one in made]
    assert [one.status_code for one in made] == [201, 201], "names need not be unique"
    one, other = (await client.get("/v1/players", params={"id": ids})).json()["items"]
    assert one["skeleton"] == other["skeleton"] is not None
    await client.delete("/v1/players/me", headers={"Authorization": f"Bearer {made[0].json()['token']}"})
    assert (await client.get(f"/v1/players/{ids[0]}")).json()["skeleton"] is None


@for_each(
    "body",
    [
        {},
        {"name": ""},
        {"name": "x" * 65},
        {"name": "a\tb"},
        {"name": "a\x7f"},
        {"name": "a\n"},
        {"name": None},
        {"name": ["x"]},
        *({"name": name} for name in UNSEEN),
    ],
)
async def test_invalid_names_are_refused(client: httpx.AsyncClient, body: object) -> None:
    refusal = problem(await client.post("/v1/players", json=body), 422, "invalid-body")
    assert [fault["pointer"] for fault in refusal["errors"]] == ["/name"]


@for_each(
    "body, pointer",
    [
        ({"seat": -1}, "/seat"),
        ({"seat": 99}, "/seat"),
        ({"seat": "1"}, "/seat"),
        ({"entropy": "xyz"}, "/entropy"),
        ({"entropy": "abc"}, "/entropy"),
        ({"entropy": "00" * 65}, "/entropy"),
        ({"entropy": "00\n"}, "/entropy"),
        ({"chair": 1}, "/chair"),
    ],
)
async def test_impossible_seats_are_refused(ada: Caller, body: object, pointer: str) -> None:
    table = await opened(ada)
    refusal = problem(await ada.post(f"/tables/{table}/seats", body), 422, "invalid-body")
    assert refusal["errors"][0]["pointer"] == pointer


@for_each(
    "media_type",
    [
        None,
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/json; charset=latin-1",
        "application/jsonp",
        "multipart/form-data; boundary=x",
        "application/problem+json",
        "",
    ],
)
async def test_other_media_types_are_415(ada: Caller, media_type: str | None) -> None:
    headers = {} if media_type is None else {"Content-Type": media_type}
    answer = await ada.send("POST", "/tables", content=b'{"game": "crocodile"}', headers=headers)
    problem(answer, 415, "unsupported-media-type")


@pytest.mark.parametrize(
    "media_type", ["application/json; charset=utf-8", "Application/JSON", 'application/json;charset="UTF-8"']
)
async def test_json_may_say_that_it_is_utf_8(ada: Caller, media_type: str) -> None:
    answer = await ada.send("POST", "/tables", content=b'{"game": "crocodile"}', headers={"Content-Type": media_type})
    assert answer.status_code == 201


async def test_bodies_have_64_kib_at_most(ada: Caller) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(65):
            yield b" " * 1024

    for content in (b" " * (64 * 1024 + 1), chunks()):
        problem(await ada.send("POST", "/tables", content=content, headers=JSON), 413, "body-too-large")
    padded = json.dumps({"game": "crocodile"}).encode().ljust(64 * 1024)
    assert (await ada.send("POST", "/tables", content=padded, headers=JSON)).status_code == 201


async def test_long_text_in_legal_places(three: list[Caller], table: str) -> None:
    _, caller = await next_of(three, table)
    problem(await caller.post(f"/tables/{table}/actions", {"type": "talk", "text": "x" * 60_000}), 422, "invalid-body")
    problem(await caller.post(f"/tables/{table}/actions", {"x" * 60_000: 1, "type": "pass"}), 422, "invalid-body")
