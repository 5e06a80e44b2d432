"""Tables: opening, sitting, leaving, closing, and what comes of doing it twice or too late."""

import asyncio

import httpx
import pytest

from tests.contract.conftest import Caller, act, deal_over, next_of, opened, problem, register
from tests.contract.shared import ada, client, in_one_loop, table, three
from tests.support.for_each import for_each

__all__ = ["ada", "client", "table", "three"]

pytestmark = in_one_loop

KEY = {"Idempotency-Key": "once"}


async def test_a_table_is_opened_with_the_games_defaults(ada: Caller) -> None:
    answer = await ada.post("/tables", {"game": "crocodile"})
    view = answer.json()
    assert answer.status_code == 201
    assert answer.headers["location"] == f"/v1/tables/{view['table']}"
    assert answer.headers["etag"] == '"1"'
    assert (view["status"], view["version"], view["deals"], view["totals"]) == ("open", 1, 3, [0, 0, 0])
    assert [seat["player"] for seat in view["seats"]] == [None, None, None]
    assert (await ada.get(f"/tables/{view['table']}")).json() == view


async def test_a_number_of_deals_that_the_rules_do_not_allow(ada: Caller) -> None:
    refusal = problem(await ada.post("/tables", {"game": "crocodile", "deals": 4}), 422, "rule-violation")
    assert refusal["rule"] == "CR-1.2"
    assert "offers" not in refusal


async def test_taking_a_seat_answers_with_the_callers_view(three: list[Caller]) -> None:
    table = await opened(three[0], options={"casco_stock": "face-up"})
    first = await three[1].post(f"/tables/{table}/seats", {"seat": 2, "entropy": "5eed"})
    assert (first.status_code, first.json()["seats"][2]["player"]) == (201, three[1].player)
    assert first.headers["location"] == f"/v1/tables/{table}"
    await three[0].post(f"/tables/{table}/seats", {})
    last = await three[2].post(f"/tables/{table}/seats", {})
    view = last.json()
    assert (view["status"], view["version"], view["options"]["casco_stock"]) == ("playing", 6, "face-up")
    assert [seat["hand"]["hidden"] for seat in view["seats"]] == [9, 0, 9]
    assert len(view["seats"][1]["hand"]["known"]) == 9
    assert view == (await three[2].get(f"/tables/{table}")).json()


async def test_each_caller_reads_its_own_view(three: list[Caller], table: str) -> None:
    for seat, caller in enumerate(three):
        hands = [seat["hand"]["hidden"] for seat in (await caller.get(f"/tables/{table}")).json()["seats"]]
        assert hands == [0 if other == seat else 9 for other in range(3)]
    public = (await three[0].http.get(f"/v1/tables/{table}")).json()
    outsider = await register(three[0].http)
    assert [seat["hand"]["hidden"] for seat in public["seats"]] == [9, 9, 9]
    assert (await outsider.get(f"/tables/{table}")).json() == public


async def test_taken_seats_are_refused(three: list[Caller]) -> None:
    table = await opened(three[0])
    seats = f"/tables/{table}/seats"
    await three[0].post(seats, {"seat": 1})
    problem(await three[1].post(seats, {"seat": 1}), 409, "seat-taken")
    problem(await three[1].post(seats, {"seat": 7}), 422, "no-such-seat")
    problem(await three[0].post(seats, {"seat": 2}), 409, "already-seated")
    await three[1].post(seats, {})
    await three[2].post(seats, {})
    problem(await (await register(three[0].http)).post(seats, {}), 409, "table-full")


async def test_leaving_before_the_start(three: list[Caller]) -> None:
    table = await opened(three[0])
    problem(await three[0].delete(f"/tables/{table}/seats/me"), 403, "not-seated")
    await three[0].post(f"/tables/{table}/seats", {})
    left = await three[0].delete(f"/tables/{table}/seats/me")
    assert (left.status_code, left.json()["seats"][0]["player"], left.headers["etag"]) == (200, None, '"3"')
    problem(await three[0].delete(f"/tables/{table}/seats/me"), 403, "not-seated")


async def test_closing_before_the_start(three: list[Caller]) -> None:
    table = await opened(three[0])
    problem(await three[1].delete(f"/tables/{table}"), 403, "not-opener")
    problem(await three[1].delete(f"/tables/{table}", headers={"If-Match": '"9"'}), 403, "not-opener")
    problem(await three[0].delete(f"/tables/{table}", headers={"If-Match": '"9"'}), 412, "precondition-failed")
    closed = await three[0].delete(f"/tables/{table}", headers={"If-Match": '"1"'})
    assert (closed.status_code, closed.json()["status"]) == (200, "closed")
    problem(await three[0].delete(f"/tables/{table}"), 409, "table-closed")
    problem(await three[1].post(f"/tables/{table}/seats", {}), 409, "table-closed")


async def test_after_the_start_nobody_leaves(three: list[Caller], table: str) -> None:
    problem(await three[0].delete(f"/tables/{table}/seats/me"), 409, "already-started")
    problem(await three[0].delete(f"/tables/{table}"), 409, "already-started")


async def test_acting_needs_a_seat_and_a_started_game(three: list[Caller]) -> None:
    table = await opened(three[0])
    problem(await three[0].post(f"/tables/{table}/actions", {"type": "pass"}), 403, "not-seated")
    await three[0].post(f"/tables/{table}/seats", {})
    problem(await three[0].post(f"/tables/{table}/actions", {"type": "pass"}), 409, "not-started")


async def test_opening_twice_with_a_key_opens_once(ada: Caller) -> None:
    answers = await asyncio.gather(*(ada.post("/tables", {"game": "crocodile"}, headers=KEY) for _ in range(5)))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert sorted("idempotency-replayed" in answer.headers for answer in answers) == [False, True, True, True, True]
    other = {"game": "crocodile", "deals": 6}
    problem(await ada.post("/tables", other, headers=KEY), 422, "key-reused")


async def test_keys_are_scoped_to_player_and_address(three: list[Caller]) -> None:
    table = await opened(three[0])
    for caller in three[:2]:
        await caller.post("/tables", {"game": "crocodile"}, headers=KEY)
        answer = await caller.post(f"/tables/{table}/seats", {}, headers=KEY)
        assert (answer.status_code, "idempotency-replayed" in answer.headers) == (201, False)


async def test_sitting_down_twice_with_a_key_gets_the_first_answer(three: list[Caller]) -> None:
    table = await opened(three[0])
    first = await three[0].post(f"/tables/{table}/seats", {"seat": 0}, headers=KEY)
    await three[1].post(f"/tables/{table}/seats", {})
    again = await three[0].post(f"/tables/{table}/seats", {"seat": 0}, headers=KEY | {"If-Match": '"1"'})
    assert (again.status_code, again.content, again.headers["etag"]) == (201, first.content, first.headers["etag"])
    assert again.headers["idempotency-replayed"] == "true"


async def test_a_key_holds_however_the_tables_id_is_spelled(three: list[Caller]) -> None:
    table = await opened(three[0])
    for spelled in (table, table.upper(), table.replace("-", "")):
        answer = await three[0].post(f"/tables/{spelled}/seats", {}, headers=KEY)
        assert (answer.status_code, answer.headers["etag"]) == (201, '"2"')


async def test_an_action_sent_again_gets_the_first_answer(three: list[Caller], table: str) -> None:
    _, caller = await next_of(three, table)
    path = f"/tables/{table}/actions"
    bid = {"type": "bid", "contract": "play"}
    first = await act(caller, table, bid, headers=KEY | {"If-Match": '"6"'})
    await act((await next_of(three, table))[1], table, {"type": "pass"})
    for body in (b'{"type":"bid","contract":"play"}', b' {"contract" : "play", "type":"\\u0062id"}'):
        headers = KEY | {"If-Match": '"6"', "Content-Type": "application/json"}
        again = await caller.send("POST", path, content=body, headers=headers)
        assert (again.status_code, again.content) == (201, first.content)
        assert again.headers["idempotency-replayed"] == "true"
        assert again.headers["etag"] == first.headers["etag"]
        assert again.headers["location"] == first.headers["location"]
    problem(await caller.post(path, {"type": "pass"}, headers=KEY), 422, "key-reused")


async def test_a_deals_last_action_sent_again_in_the_next_deal(three: list[Caller], table: str) -> None:
    """What was sealed for others then is not in the answer, though it is open by now."""
    first = await deal_over(three, table, headers=KEY)
    declarer = three[int(first.json()["events"][0]["actor"].removeprefix("seat:"))]
    await deal_over(three, table)
    again = await act(declarer, table, {"type": "concede"}, headers=KEY)
    assert (again.content, again.headers["idempotency-replayed"]) == (first.content, "true")


async def test_failures_are_not_remembered(three: list[Caller], table: str) -> None:
    seat, caller = await next_of(three, table)
    after = three[(seat + 1) % 3]
    problem(await after.post(f"/tables/{table}/actions", {"type": "pass"}, headers=KEY), 409, "not-your-turn")
    await act(caller, table, {"type": "bid", "contract": "play"})
    answer = await act(after, table, {"type": "pass"}, headers=KEY)
    assert "idempotency-replayed" not in answer.headers


MATCHES = ['"6"', "*", '"5", "6"', ' "6" ,"7"', '"x","6"']
NO_MATCHES = ['"5"', 'W/"6"', '"06"', '"7", "8"', '"x"', '""', f'"{2**40}"', f'"{"9" * 30}"']
MALFORMED = ["6", '"6', "W/6", '"5" "6"', '*,"6"', "", ","]


@pytest.mark.parametrize("tag", MATCHES)
async def test_met_preconditions_are_accepted(three: list[Caller], table: str, tag: str) -> None:
    await act((await next_of(three, table))[1], table, {"type": "pass"}, headers={"If-Match": tag})


@for_each("tag", NO_MATCHES)
async def test_unmet_preconditions_are_412(three: list[Caller], table: str, tag: str) -> None:
    _, caller = await next_of(three, table)
    answer = await caller.post(f"/tables/{table}/actions", {"type": "pass"}, headers={"If-Match": tag})
    assert problem(answer, 412, "precondition-failed")["version"] == 6


@for_each("tag", MALFORMED)
async def test_malformed_preconditions_are_400(three: list[Caller], table: str, tag: str) -> None:
    _, caller = await next_of(three, table)
    answer = await caller.post(f"/tables/{table}/actions", {"type": "pass"}, headers={"If-Match": tag})
    problem(answer, 400, "malformed-header")


async def test_of_many_at_once_one_takes_the_seat(client: httpx.AsyncClient) -> None:
    callers = [await register(client, f"Player {number}") for number in range(6)]
    table = await opened(callers[0])
    answers = await asyncio.gather(*(caller.post(f"/tables/{table}/seats", {"seat": 1}) for caller in callers))
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409, 409, 409]
