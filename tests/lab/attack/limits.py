"""What a household, or many, may use at a time: codes for other devices, bytes, addresses, tables of bots."""

import asyncio
import re
import time
from itertools import pairwise
from uuid import uuid4

import httpx

from tests.lab.attack.callers import player
from tests.lab.attack.target import NotTried, Result, Target

GREEDY = 20
"""Addresses that hold codes up."""
AT_ONCE = 8
"""Tries of each at once."""
SECONDS = 10.0
CODE_S, VIEW_S = 5.0, 2.0
"""The longest that a victim's code, and a view, may take meanwhile on a machine that does nothing else."""
TRIED = 3
WRONG = "AAAAAAAA"

SCRIPT = "/page/swagger-ui-bundle.js"
SCRIPTS = 100
MOST_BYTES = 3e9
"""The most that an address may be sent in a minute."""

PRETENDED = 500
DEAR = "/v1/tables/01970000-0000-7000-8000-000000000001/export"

FULL_OF_BOTS = {"game": "crocodile", "bots": {"0": "quick", "1": "quick", "2": "quick"}}
TABLES = 20
MOST_ALONE = 8


async def codes_held_up(target: Target, measure: float) -> Result:
    """Codes tried from twenty addresses, and left again: a victim gets and trades one, and others are answered."""
    until, counts = time.monotonic() + max(2.0, SECONDS * measure), {"tried": 0, "refused": 0}
    slowest_code = slowest_view = 0.0
    tried = held = 0
    here = [target.elsewhere() for _ in range(GREEDY)]

    async def try_codes(number: int) -> None:
        async with here[number].http(limited=True) as client:
            while time.monotonic() < until:
                try:
                    wait = httpx.Timeout(60.0, read=0.3 if number % 2 else 60.0)
                    answer = await client.post("/v1/tokens/handover/claim", json={"code": WRONG}, timeout=wait)
                    counts["refused" if answer.status_code in (429, 503) else "tried"] += 1
                except httpx.ReadTimeout:
                    counts["tried"] += 1

    greedy = [asyncio.create_task(try_codes(number)) for number in range(GREEDY) for _ in range(AT_ONCE)]
    async with await player(target) as victim, target.elsewhere().http(limited=True) as bystander:
        victim.event_hooks = {}
        await asyncio.sleep(1)
        while tried < 2 * TRIED or time.monotonic() < until:
            began = time.monotonic()
            offered = await victim.post("/v1/tokens/handover")
            code = offered.json().get("code", WRONG)
            claimed = await bystander.post("/v1/tokens/handover/claim", json={"code": code})
            seconds = (time.monotonic() - began) / 2
            began = time.monotonic()
            view = await bystander.get("/v1/games")
            slowest_code, slowest_view = max(slowest_code, seconds), max(slowest_view, time.monotonic() - began)
            tried += 2
            held += (claimed.status_code == 201 and seconds < CODE_S) + (view.is_success and slowest_view < VIEW_S)
            await asyncio.sleep(1)
        await asyncio.gather(*greedy)
        await victim.delete("/v1/players/me")
    if not counts["tried"]:
        raise NotTried("no code could be tried")
    seen = f"a code took {slowest_code:.1f} s and a view {slowest_view * 1000:.0f} ms at most; {counts}"
    return Result(tried, held, seen)


async def bytes_taken(target: Target, measure: float) -> Result:
    """The largest file, again and again and uncompressed: what an address is sent in a minute is bounded."""
    left, size, refused = [], 0, 0
    async with target.http(limited=True) as client:
        for _ in range(max(5, int(SCRIPTS * measure))):
            answer = await client.get(SCRIPT, headers={"Accept-Encoding": "identity"})
            refused += answer.status_code == 429
            size = max(size, len(answer.content) if answer.is_success else 0)
            left += _left(answer)
    # Where a window ends meanwhile, the next one begins with the whole quota.
    costs = [was - now for was, now in pairwise(left) if was > now]
    if not size:
        raise NotTried("the file was not sent")
    if not costs:
        return Result(1, int(refused > 0), f"{refused} refused, nothing charged")
    allowed = max(left) / min(costs) * size
    return Result(1, int(allowed <= MOST_BYTES), f"{allowed / 1e9:.1f} GB a minute of {size / 1e6:.1f} MB each")


async def addresses_pretended(target: Target, _: float) -> Result:
    """Requests that name other addresses of one network: they count for the address, or where proxies are trusted, for
    the network.
    """
    async with target.http(limited=True) as client:
        for number in range(PRETENDED):
            answer = await client.get(DEAR, headers={"X-Forwarded-For": f"2001:db8:0:{number:x}::1"})
            if answer.status_code == 429 and not number:
                raise NotTried("refused at once")
            if answer.status_code == 429:
                return Result(1, 1, f"refused after {number}")
    return Result(1, 0, f"{PRETENDED} answered")


async def bots_left_alone(target: Target, _: float) -> Result:
    """Tables at which only bots play, as many as a player can begin at once, whole or by their last seat."""
    async with await player(target) as client:
        client.event_hooks = {}
        two = FULL_OF_BOTS | {"bots": {"0": "quick"}}
        # With few of the bots that a player may seat in an hour.
        halves = [(await client.post("/v1/tables", json=two)).json()["table"] for _ in range(3)]
        whole = [
            client.post("/v1/tables", json=FULL_OF_BOTS, headers={"Idempotency-Key": str(uuid4())})
            for _ in range(TABLES)
        ]
        last = [client.post(f"/v1/tables/{table}/seats", json={"bot": "quick"}) for table in halves for _ in range(2)]
        answers = await asyncio.gather(*whole, *last)
        begun = sum(answer.is_success and answer.json().get("status") == "playing" for answer in answers)
        refused = sum("too-many-bot-tables" in answer.text for answer in answers)
    return Result(2, (begun <= MOST_ALONE) + (refused > 0), f"{begun} begun, {refused} refused")


def _left(answer: httpx.Response) -> list[int]:
    """What is left of the address's quota of cost, by the answer's headers."""
    values = answer.headers.get_list("ratelimit")
    return [int(left) for value in values for left in re.findall(r'^"address[^"]*";r=(\d+)', value)]
