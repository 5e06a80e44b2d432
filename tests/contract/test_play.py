"""Playing a game through the interface, from offers alone."""

from random import Random

from domain.kernel.rejection import Code
from service.http.problems import KINDS
from tests.contract.conftest import Caller, deal_over, next_of, problem
from tests.support.picking import pick


async def test_a_game_is_played_to_its_end_from_offers_alone(three: list[Caller], table: str) -> None:
    chance = Random(7)  # noqa: S311 (not for secrets)
    view = (await three[0].get(f"/tables/{table}")).json()
    while view["status"] != "finished":
        _, caller = await next_of(three, table)
        offers = (await caller.get(f"/tables/{table}/offers")).json()
        answer = await caller.post(f"/tables/{table}/actions", pick(offers["offers"], chance))
        assert answer.status_code == 201, answer.text
        view = (await three[0].get(f"/tables/{table}")).json()
        assert answer.json()["version"] == view["version"]
        assert answer.json()["to_act"] == view["to_act"]
    ledger = (await three[0].get(f"/tables/{table}/ledger")).json()
    assert sum(line["amount"] for line in ledger["lines"]) == 0
    seats = [balance for balance in ledger["balances"] if balance["seat"] is not None]
    assert [balance["balance"] for balance in seats] == view["totals"]
    assert ledger["version"] == view["version"]


async def test_the_answer_holds_the_events_as_the_actor_may_see_them(three: list[Caller], table: str) -> None:
    seat, caller = await next_of(three, table)
    answer = await caller.post(f"/tables/{table}/actions", {"type": "bid", "contract": "play"})
    (event,) = answer.json()["events"]
    assert (event["type"], event["actor"], event["public"]) == (
        "bid-made",
        f"seat:{seat}",
        {"seat": seat, "contract": "play"},
    )
    read = await caller.get(answer.headers["location"].removeprefix("/v1"))
    assert read.json()["items"] == [event]


async def test_the_actor_sees_only_its_own_cards_of_the_next_deal(three: list[Caller], table: str) -> None:
    answer = await deal_over(three, table)
    dealt = answer.json()["events"][-1]
    assert (dealt["type"], dealt["deal"]) == ("cards-dealt", 2)
    assert list(dealt["sealed"]) == [answer.json()["events"][0]["actor"]]
    assert set(dealt["seals"]) == {"seat:0", "seat:1", "seat:2", "house"}


async def test_a_refusal_names_rule_version_and_what_was_legal(three: list[Caller], table: str) -> None:
    _, first = await next_of(three, table)
    await first.post(f"/tables/{table}/actions", {"type": "bid", "contract": "solo"})
    _, second = await next_of(three, table)
    answer = await second.post(f"/tables/{table}/actions", {"type": "bid", "contract": "play"})
    refusal = problem(answer, 422, "rule-violation")
    offers = (await second.get(f"/tables/{table}/offers")).json()
    assert refusal["rule"] == "CR-4.3"
    assert (refusal["version"], refusal["offers"]) == (offers["version"], offers["offers"])


async def test_out_of_turn_and_out_of_phase(three: list[Caller], table: str) -> None:
    seat, _ = await next_of(three, table)
    other = three[(seat + 1) % 3]
    problem(await other.post(f"/tables/{table}/actions", {"type": "pass"}), 409, "not-your-turn")
    answer = await other.post(f"/tables/{table}/actions", {"type": "play", "card": "Ks"})
    refusal = problem(answer, 409, "wrong-phase")
    assert (refusal["rule"], refusal["detail"]) == (
        "CR-4.2",
        "play has no place in the phase auction, whose acts are: bid, pass",
    )
    why = (await other.get(f"/tables/{table}/offers?why=play&card=Ks")).json()["why"]
    assert (why["code"], why["rule"], why["detail"]) == ("wrong-phase", refusal["rule"], refusal["detail"])


async def test_offers_are_empty_for_anyone_else(three: list[Caller], table: str) -> None:
    seat, _ = await next_of(three, table)
    public = await three[0].http.get(f"/v1/tables/{table}/offers")
    assert public.json() == {"version": 6, "you": None, "to_act": [seat], "offers": []}
    assert public.headers["etag"] == '"6"'


async def test_no_action_is_accepted_after_the_end(three: list[Caller], table: str) -> None:
    for _ in range(3):
        await deal_over(three, table)
    problem(await three[0].post(f"/tables/{table}/actions", {"type": "pass"}), 409, "table-finished")
    assert (await three[0].get(f"/tables/{table}/offers")).json()["offers"] == []


def test_every_refusal_of_the_domain_has_a_status() -> None:
    assert {KINDS[code].status for code in Code} <= {403, 404, 409, 422}
