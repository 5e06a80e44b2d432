"""The example that counts cards plays Diloti by its own thinking, and gains on the house's quick bots."""

import asyncio
import math
import random
import statistics
from pathlib import Path
from typing import Any

import pytest
from codille_client import Client, Offer

from tests.support.modules import module_at

EXAMPLE = Path(__file__).parents[3] / "api-spec" / "clients" / "python" / "examples" / "diloti.py"
DEALS = 400
Z_95 = 1.96


async def gains(url: str, number: int, tables: int, **options: Any) -> list[tuple[int, int]]:
    """The example's seat in each of so many deals or some more, and what it gained there more than a quick bot.

    Each table is followed by its rematch, at which the seats are moved by one.
    """
    found: list[tuple[int, int]] = []

    async def games(client: Client, bot: Any) -> None:
        table = await client.open_table("diloti", bots={"1": "quick"}, **options)
        await bot.join(table.id)
        while True:
            *_, last = [moment async for moment in table.follow()]
            seat = last.view["you"]
            async for event in table.events():
                if event["type"] == "deal-scored":
                    points = {tuple(side["seats"]): side["points"] for side in event["public"]["sides"]}
                    found.append((seat, points[(seat,)] - points[(1 - seat,)]))
            if len(found) >= number:
                return
            table = await table.rematch()

    async with Client(url) as client:
        await client.register("Counting")
        bot = module_at(EXAMPLE).Counting(client)
        running = asyncio.create_task(bot.run())
        await asyncio.gather(*(games(client, bot) for _ in range(tables)))
        bot.stop()
        bot.stop()
        await running
    return found


async def test_it_plays_from_both_seats_and_never_has_to_pick_by_chance(
    service_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    found = await gains(service_url, 2, 1, deals=1)
    assert [seat for seat, _ in found] == [0, 1]
    assert "nothing was chosen" not in caplog.text
    assert "refused" not in caplog.text


@pytest.mark.long
async def test_it_gains_on_quick_bots(service_url: str) -> None:
    found = await gains(service_url, DEALS, 2)
    gained = [more for _, more in found]
    mean, half = statistics.mean(gained), Z_95 * statistics.stdev(gained) / math.sqrt(len(gained))
    print(f"{len(found)} deals, {mean:+.2f} points a deal, 95 %: {mean - half:+.2f} to {mean + half:+.2f}")
    assert {seat for seat, _ in found} == {0, 1}
    assert mean - half > 0


def view(loose: list[str], hand: list[str], held: int) -> dict[str, Any]:
    seats = [{"hand": {"known": hand, "hidden": 0}}, {"hand": {"known": [], "hidden": held}}]
    return {"you": 0, "seats": seats, "loose": {"known": loose}, "declarations": []}


@pytest.mark.parametrize(
    ("loose", "hand", "unseen", "chosen"),
    [
        # The ten of diamonds scores.
        (["Td", "5s", "4s"], ["Ts", "9c"], ["3c"], {"type": "capture", "card": "Ts", "loose": ["Td"]}),
        # What clears the table is a xeri.
        (["3c", "4d"], ["7s", "3d"], ["9c", "Kd"], {"type": "capture", "card": "7s", "loose": ["3c", "4d"]}),
        # A card whose fellows have all been seen cannot be captured.
        ([], ["9s", "5s"], ["5c", "2h", "Kd"], {"type": "lay", "card": "9s"}),
    ],
)
def test_it_thinks_as_it_says(loose: list[str], hand: list[str], unseen: list[str], chosen: dict[str, Any]) -> None:
    module = module_at(EXAMPLE)
    offers = [Offer({"type": "lay", "fields": {"card": {"one_of": hand}}})]
    for card in hand:
        value = module.VALUES[card[0]]
        values = {one: module.VALUES[one[0]] for one in loose}
        sets = {"values": values, "total": value, "with": [], "min": 1, "examples": []}
        takes = {"card": {"one_of": [card]}, "loose": {"sets_of": sets}}
        offers.append(Offer({"type": "capture", "fields": takes}))
    acts = [act for offer in offers for act in offer.choices()]
    points = {"Td": 2, "As": 1, "xeri": 10}
    best = module.best(module.Thinking(points), view(loose, hand, len(unseen)), acts, unseen, random.Random(1))
    assert {name: sorted(value) if name == "loose" else value for name, value in best.items()} == {
        name: sorted(value) if name == "loose" else value for name, value in chosen.items()
    }


def test_it_takes_what_the_next_player_can_capture_into_account() -> None:
    thinking = module_at(EXAMPLE).Thinking({"Td": 2, "xeri": 10})
    # The next player's five captures the five, which is a xeri, unless it has none.
    assert thinking.reply(["5c", "Kd"], [], (("5s",), ())) == pytest.approx(10.3)
    assert thinking.reply(["4c", "Kd"], [], (("5s",), ())) == 0
    # What one's own card captures after it counts against it; a declaration is captured whole.
    assert thinking.reply(["4c"], ["9d"], (("5s",), ())) == pytest.approx(-10.45)
    assert thinking.reply(["8c"], ["Kc"], (("2s",), ((8, ("5s", "3d")),))) == pytest.approx(0.45)
