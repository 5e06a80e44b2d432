"""A bot for Diloti that counts cards: CODILLE_TOKEN=... python diloti.py http://127.0.0.1:8000

It sits down at open tables of Diloti. It counts the cards that have been seen, and deals the others to the next player
by chance, a few times over. It takes the act for which this sum is greatest, in the mean over these hands: what the
act captures, less what the next player's best card captures, and what its own best card captures after that.
"""

import asyncio
import logging
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, TypeAlias

from codille_client import Client, Moment
from codille_client.bot import Bot
from codille_client.offers import Action

Cards: TypeAlias = tuple[str, ...]
Ground: TypeAlias = tuple[Cards, tuple[tuple[int, Cards], ...]]
"""The loose cards on the table, and the value and the cards of each declaration."""

VALUES = {rank: value for value, rank in enumerate("A23456789T", 1)}
PER_CARD = 0.15
"""What a captured card is worth, since most cards score."""
HANDS = 20
"""How many hands of the next player are tried."""


class Counting(Bot):
    """Counts the cards of each deal."""

    def __init__(self, client: Client, **settings: Any) -> None:
        super().__init__(client, **settings)
        self.chance = Random()
        self.seen: dict[str, tuple[int, set[str]]] = {}
        """The version up to which events were read, and the cards that they showed, by table."""

    async def choose(self, moment: Moment) -> Action:
        """The act whose sum is greatest."""
        game = await self.client.game("diloti")
        points = {row.get("card") or row["scoring"]: row["points"] for row in game["tables"]["scoring"]}
        unseen = game["pack"].keys() - await self.shown(moment) - cards_in(moment.view)
        acts = [act for offer in moment.offers for act in offer.choices()]
        return best(Thinking(points), moment.view, acts, sorted(unseen), self.chance)

    async def shown(self, moment: Moment) -> set[str]:
        """The cards that this deal's events have shown."""
        version, shown = self.seen.get(moment.table.id, (0, set()))
        async for event in moment.table.events(version, until=moment.version):
            version = event["version"]
            shown = set() if event["type"] == "cards-dealt" else shown | cards_in(event["public"])
        self.seen = {one: self.seen[one] for one in self.seen.keys() & self.tables.keys()}
        self.seen[moment.table.id] = (version, shown)
        return shown


def cards_in(data: Any) -> set[str]:
    """All texts that may be cards."""
    if isinstance(data, dict | list):
        return set().union(*map(cards_in, data.values() if isinstance(data, dict) else data))
    return {data} if isinstance(data, str) else set()


def best(thinking: "Thinking", view: Any, acts: Sequence[Action], unseen: Sequence[str], chance: Random) -> Action:
    """The act whose sum is greatest."""
    seats, you = view["seats"], view["you"]
    hand, held = seats[you]["hand"]["known"], seats[(you + 1) % len(seats)]["hand"]["hidden"]
    hands = [chance.sample(unseen, held) for _ in range(HANDS)]

    def worth(act: Action) -> float:
        gained, ground = thinking.after(view, act)
        own = [card for card in hand if card != act["card"]]
        return gained * HANDS - sum(thinking.reply(theirs, own, ground) for theirs in hands)

    return max(acts, key=worth)


class Thinking:
    """What captures are worth."""

    def __init__(self, points: dict[str, int]) -> None:
        self.points = points
        self.played: dict[tuple[str, Ground], tuple[float, Ground]] = {}

    def reply(self, theirs: Iterable[str], own: Sequence[str], ground: Ground) -> float:
        """What the next player's best card gains, less what one's own best card gains after it."""
        replies = (self.play(card, ground) for card in theirs)
        return max(
            (gained - max((self.play(card, left)[0] for card in own), default=0.0) for gained, left in replies),
            default=0.0,
        )

    def worth(self, cards: Iterable[str]) -> float:
        """What it is worth to capture these cards."""
        return sum(self.points.get(card, 0) + PER_CARD for card in cards)

    def after(self, view: Any, act: Action) -> tuple[float, Ground]:
        """What an act captures, and what it leaves on the table."""
        card, loose, named = act["card"], act.get("loose") or [], act.get("declarations") or []
        left = tuple(one for one in view["loose"]["known"] if one not in loose)
        declared = tuple(
            (one["value"], tuple(one["cards"])) for one in view["declarations"] if one["declaration"] not in named
        )
        taken = (
            *loose,
            *(one for each in view["declarations"] if each["declaration"] in named for one in each["cards"]),
        )
        if act["type"] == "lay":
            return 0.0, ((*left, card), declared)
        if act["type"] == "declare":
            return 0.0, (left, (*declared, (act["value"], (*taken, card))))
        return self.captured((*taken, card), clear=not left and not declared), (left, declared)

    def play(self, card: str, ground: Ground) -> tuple[float, Ground]:
        """What this card captures at most, and what it leaves on the table; it is laid if it captures nothing."""
        if (card, ground) not in self.played:
            loose, declared = ground
            value = VALUES.get(card[0])
            if value is None:
                taken: Cards = max(((one,) for one in loose if one[0] == card[0]), key=self.worth, default=())
            else:
                taken = self.sets(tuple(one for one in loose if one[0] in VALUES), value)
            left, stays = (
                tuple(one for one in loose if one not in taken),
                tuple(one for one in declared if one[0] != value),
            )
            taken += tuple(one for each, cards in declared if each == value for one in cards)
            gained = self.captured((*taken, card), clear=not left and not stays) if taken else 0.0
            self.played[card, ground] = (gained, (left if taken else (*loose, card), stays))
        return self.played[card, ground]

    def captured(self, cards: Cards, *, clear: bool) -> float:
        """What a capture is worth; one that clears the table is a xeri."""
        return self.worth(cards) + (self.points["xeri"] if clear else 0)

    def sets(self, cards: Cards, value: int) -> Cards:
        """The cards worth most that can be split into sets that each add up to the value."""
        if not cards:
            return ()
        first, rest = cards[0], cards[1:]
        found = [self.sets(rest, value)]
        for others in sums(rest, value - VALUES[first[0]]):
            left = tuple(card for card in rest if card not in others)
            found.append((first, *others, *self.sets(left, value)))
        return max(found, key=self.worth)


def sums(cards: Cards, missing: int) -> Iterator[Cards]:
    """The cards that add up to what is missing."""
    if missing == 0:
        yield ()
    for place, card in enumerate(cards):
        if VALUES[card[0]] <= missing:
            for others in sums(cards[place + 1 :], missing - VALUES[card[0]]):
                yield (card, *others)


async def main(url: str, token: str) -> None:
    """Plays until it is stopped."""
    async with Client(url, token) as client:
        waiting = await Counting(client, games=["diloti"]).run()
    print("tables that wait for the next start:", *waiting or ["none"])


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    asyncio.run(main(sys.argv[1], os.environ["CODILLE_TOKEN"]))
