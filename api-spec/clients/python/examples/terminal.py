"""Plays any game by keyboard: python terminal.py http://127.0.0.1:8000 TABLE

The player logs in, in the browser, but where CODILLE_TOKEN is set. Type the number of what to do. An empty line shows
the table again, with what may be done out of turn too.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any

from codille_client import Client, Moment, Offer, Problem, Table, Words

LISTED = 20
"""Of an offer with more actions, one field after the other is asked for."""
APART = ("seats", "to_act", "totals", "winners", "options", "table_options")
"""Fields of a view that are shown otherwise than by their names."""


class Terminal:
    """One player's table. What happens is shown while a line is awaited."""

    def __init__(self, table: Table, words: Words) -> None:
        self.table, self.words = table, words
        self.moment: Moment | None = None
        self.typed: asyncio.Queue[str | None] = asyncio.Queue()
        self.choices: list[tuple[str, Offer, dict[str, Any] | None]] = []
        self.question = self.prompted = ""

    async def run(self) -> None:
        """Plays until the game is over, or no line is typed any more."""
        threading.Thread(target=self.read, args=(asyncio.get_running_loop(),), daemon=True).start()
        tasks = [asyncio.ensure_future(task) for task in (self.follow(), self.keyboard())]
        done, rest = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        any(task.cancel() for task in rest)
        done.pop().result()

    def read(self, loop: asyncio.AbstractEventLoop) -> None:
        """Reads lines, in a thread of its own, which waits for them."""
        while line := sys.stdin.readline():
            loop.call_soon_threadsafe(self.typed.put_nowait, line.strip())
        loop.call_soon_threadsafe(self.typed.put_nowait, None)

    async def follow(self) -> None:
        """Shows what happens, and asks what to do."""
        async for moment in self.table.follow():
            self.moment = self.moment if moment.kind == "presence" else moment
            if moment.kind == "snapshot" or (moment.event and moment.event["type"] == "seat-taken"):
                self.words = await self.table.words(moment.view)
            if moment.event:
                print("\n" if self.prompted else "", f"{moment.version:5}  ", sep="", end="")
                print("\n       ".join(self.words.event(moment.event)))
            if moment.over:
                return
            if self.question and moment.event:
                self.prompt(self.question)
            elif moment.to_act and not self.question:
                self.offer()

    async def keyboard(self) -> None:
        """Does what is typed."""
        while (line := await self.ask("")) is not None:
            match self.numbered(line, self.choices):
                case [(text, offer, action)] if line:
                    await self.act(text, offer, action)
                case _:
                    print("Type one of the numbers." if line else "")
                    self.offer()

    def offer(self) -> None:
        """Asks what may be done now, and shows it below the table."""
        self.choices = []
        for offer in self.moment.offers if self.moment else ():
            listed = [] if any("text" in field for field in offer.fields.values()) else [*offer.choices(LISTED + 1)]
            whole = [(self.words.action(action), offer, action) for action in listed]
            self.choices += whole if 0 < len(whole) <= LISTED else [(self.words.label(offer.type), offer, None)]
        if self.moment and self.choices:
            print(*self.view(self.moment.view), "", self.in_a_row([text for text, *_ in self.choices]), sep="\n")
            self.prompt(self.words.prompt(self.moment.view, self.moment.offers) or "What do you do?")

    def view(self, view: Any) -> Iterator[str]:
        """The table, line by line."""
        yield from (f"\nDeal {view['deal']} of {view['deals']}" if view["deal"] else "", *self.words.view(view))
        for seat, total in zip(view["seats"], view["totals"], strict=True):
            own = {name: value for name, value in seat.items() if name not in ("seat", "player")}
            parts = [f"{name.replace('_', ' ')} {self.words.value(value, name)}" for name, value in own.items()]
            turn = "*" if seat["seat"] in view["to_act"] else " "
            yield f"{turn} {self.words.name(seat['seat'])} {total:+}: {', '.join(parts)}"
        for name, value in view.items():
            if name not in APART and value and isinstance(value, dict | list):
                yield f"  {name.replace('_', ' ')}: {self.words.value(value, name)}"

    async def act(self, text: str, offer: Offer, action: dict[str, Any] | None) -> None:
        """Asks for the fields, and does it. What is refused is said."""
        try:
            if action is None:
                action = offer.act(**{name: await self.value(f"{text}, {name}", name, offer) for name in offer.fields})
            await self.table.act(action)
        except (Problem, ValueError) as refused:
            print(f"Refused: {refused}")
            self.offer()

    async def value(self, label: str, name: str, offer: Offer) -> Any:
        """The value that is typed for a field: numbers of its values, or a text."""
        field = offer.fields[name]
        if "text" in field:
            return await self.ask(f"{label}: {field['text']['min']} to {field['text']['max']} characters")
        sets = field.get("sets_of", {"values": field.get("some_of", field.get("one_of", ())), "examples": ()})
        values, least, most = [*sets["values"]], field.get("min", 0), field.get("max", len(sets["values"]))
        if "total" in sets:
            label += f" in sets of {sets['total']}, such as {' or '.join(map(self.words.value, sets['examples']))}"
        print(self.in_a_row([self.words.value(value, name) for value in values]))
        how_many = "one number" if "one_of" in field else f"{least} to {most} numbers"
        chosen = self.numbered(await self.ask(f"{label}: {how_many}") or "", values)
        return chosen[0] if "one_of" in field and chosen else chosen

    async def ask(self, question: str) -> str | None:
        """What is typed next; None if there is nothing more."""
        if question:
            self.question = question
            self.prompt(question)
        line = await self.typed.get()
        self.question = self.prompted = ""
        return line

    def prompt(self, question: str) -> None:
        """Shows a question, behind which the cursor stands."""
        self.prompted = question
        print(question, end=" > ", flush=True)

    def in_a_row(self, texts: list[str]) -> str:
        """The texts with their numbers."""
        return "   ".join(f"{number}) {text}" for number, text in enumerate(texts, 1))

    def numbered(self, line: str, items: list[Any]) -> list[Any]:
        """The items whose numbers stand in the line."""
        return [items[int(word) - 1] for word in line.split() if word.isdecimal() and 0 < int(word) <= len(items)]


async def main(url: str, table_id: str) -> None:
    """Sits down and plays."""
    async with Client(url, os.environ.get("CODILLE_TOKEN")) as client:
        if not client.token:
            await client.login(name="terminal")
        table = client.table(table_id)
        await Terminal(table, await table.words(await table.sit())).run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
