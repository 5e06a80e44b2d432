"""`make attack` tells what holds from what does not. What a service holds against is in `tests/e2e/test_attack.py`."""

import asyncio
import math
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack

import pytest

from tests.e2e.test_attack import attack
from tests.lab.attack import floods, limits, sockets, streams, webhooks
from tests.lab.attack.__main__ import ATTACKS, outcome
from tests.lab.attack.bots import compared
from tests.lab.attack.careless import careless
from tests.lab.attack.target import NotTried, Result, Target
from tests.support.for_each import for_each
from tests.support.ports import free_port

MEASURE = 0.01


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attacks wait for little, and whatever they measure is too much."""
    monkeypatch.setattr(sockets, "PATIENCE_S", 0.2)
    monkeypatch.setattr(webhooks, "BETWEEN_S", 0.1)
    monkeypatch.setattr(streams, "BEGUN_S", 1.0)
    for module, limit in (
        (floods, "MET_S"), (limits, "CODE_S"), (webhooks, "MET_S"), (streams, "MOST_COST"),
    ):  # fmt: skip
        monkeypatch.setattr(module, limit, -math.inf)


async def outcomes(urls: Sequence[str]) -> Mapping[str, Result]:
    """What all attacks come to, each on its service, at once."""
    tries = (outcome(attack, Target(url), MEASURE) for attack, url in zip(ATTACKS.values(), urls, strict=True))
    return dict(zip(ATTACKS, await asyncio.gather(*tries), strict=True))


def test_no_other_machine_is_attacked() -> None:
    done = attack("http://192.0.2.1:8000")
    assert (done.returncode, "not an address of this machine" in done.stdout) == (2, True)


async def test_each_attack_comes_through_where_nothing_holds() -> None:
    """But for that which plays whole games: what it compares is tried below."""
    async with AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(careless()) for _ in ATTACKS]
        results = await outcomes(urls)
    failed = {name for name, result in results.items() if not 0 <= result.held < result.tried}
    assert failed == {"bots timed"}, results


@for_each("status", [429, 500, 503])
async def test_no_attack_is_held_against_that_is_not_tried(status: int) -> None:
    """Odd paths of other services need not be known."""
    async with careless(status) as url:
        results = await outcomes([url] * len(ATTACKS))
    assert {name: result for name, result in results.items() if result.holds} == {}


async def test_where_nobody_is_there_nothing_is_tried() -> None:
    results = await outcomes([f"http://127.0.0.1:{free_port()}"] * len(ATTACKS))
    assert {result.tried for result in results.values()} == {0}


def test_what_is_not_tried_fails() -> None:
    done = attack(f"http://127.0.0.1:{free_port()}", "still there")
    assert (done.returncode, "not tried" in done.stdout) == (1, True)


@for_each(
    "some, none, held, seen",
    [
        ([600.1, 602.3] * 20, [600.2, 602.2] * 20, 2, "at a pause of 600 ms"),
        ([640.0] * 10 + [602.0] * 30, [600.0] * 40, 1, "in 100% of pairs"),
        ([1200.0] * 25 + [600.5] * 15, [600.0, 601.0] * 20, 1, "at a pause of"),
    ],
)
def test_bots_times_hold_if_both_kinds_are_equal(some: list[float], none: list[float], held: int, seen: str) -> None:
    result = compared(some, none, same=True)
    assert (result.tried, result.held, seen in result.seen) == (2, held, True), result


@for_each("some, none", [([600.0] * 40, [600.0] * 5), ([3.0] * 40, [2.0] * 40)])
def test_few_acts_and_bots_without_a_pause_tell_nothing(some: list[float], none: list[float]) -> None:
    with pytest.raises(NotTried):
        compared(some, none, same=True)
