"""A game in its own words: the sentences, labels and names that `GET /v1/games/{game}` serves, as text."""

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
SUIT_NAMES = {"s": "spades ♠", "h": "hearts ♥", "d": "diamonds ♦", "c": "clubs ♣"}
RANKS = {"T": "10", "Jo": "★"}

FORMS = {
    "seat": r"seat (\d+)",
    "seats": r"seats? (\d+(?: and \d+)*)",
    "card": r"([\w.]+)",
    "cards": r"([\w.]+(?: [\w.]+)*)",
    "number": r"([\d,]+)",
    "text": r"(.+?)",
    "line": r"(.+)",
}
"""The forms that values have in the texts of ledger lines."""


def at(values: Any, path: str) -> Any:
    """The value at a path of names, of each item where a list lies on the way; None where it leads nowhere."""
    if isinstance(values, list):
        return [at(item, path) for item in values]
    name, _, rest = path.partition(".")
    value = values.get(name) if isinstance(values, Mapping) else None
    return at(value, rest) if rest else value


def holds(condition: Any, values: Any) -> bool:
    """Whether a sentence's condition holds."""
    value, wanted = at(values, condition["field"]), condition["value"]
    if condition["test"].startswith("length"):
        value = len(value or ())
    same = type(value) is type(wanted) and value == wanted
    return same == (condition["test"] in ("is", "length"))


class Vocabulary:
    """The words of one game; `name_of` gives the name of a seat's player."""

    def __init__(self, game: Any, name_of: Callable[[int], str]) -> None:
        self.words = game["words"]
        self.pack = game["pack"]
        self.name_of = name_of

    def event(self, event: Any) -> list[str]:
        """What an event says to a reader of what is open in it, line by line."""
        words, public = self.words["events"].get(event["type"]), event["public"]
        if words is None:
            return [event["type"]]
        lines = [self.say(words["sentences"], public)]
        for audience, section in event["sealed"].items():
            kind, _, seat = audience.partition(":")
            lines.append(self.say(words["sections"].get(kind, ()), public | section["data"], int(seat or -1)))
        by = self.words["actors"].get(event["actor"].partition(":")[0]) if "seat" in public else None
        booked = [line for line in public.get("lines", ()) if line.get("seat") is not None]
        lines += [by] + [f"  {self.name_of(line['seat'])} {line['amount']:+}: {self.line(line)}" for line in booked]
        return [line for line in lines if line]

    def line(self, line: Any) -> str:
        """What a line of a ledger says; its text as recorded where no sentence fits."""
        own = self.words["lines"].get(line["kind"], ())
        fitting = [sentence for sentence in own if all(holds(condition, line) for condition in sentence["when"])]
        return self._reread(fitting, line["text"])

    def status(self, view: Any) -> list[str]:
        """What sums up a view."""
        lines = [self.say(sentences, view) for sentences in self.words["status"]]
        return [line for line in lines if line]

    def say(self, sentences: Sequence[Any], values: Any, owner: int = -1) -> str | None:
        """The first of the sentences that fits the values; None where none fits."""
        for sentence in sentences:
            if all(holds(condition, values) for condition in sentence["when"]):
                parts = enumerate(re.split(r"\{(.*?)\}", sentence["text"]))
                holes = sentence["holes"]
                return "".join(self._filled(holes[part], values, owner) if odd % 2 else part for odd, part in parts)
        return None

    def value(self, value: Any, name: str = "") -> str:
        """A value of an offer or a view; `name` is that of its field."""
        if isinstance(value, list):
            return ", ".join(self.value(item, name) for item in value) or "none"
        if isinstance(value, dict) and {"known", "hidden"} <= value.keys():
            hidden = [f"{value['hidden']} hidden"] if value["hidden"] else []
            return ", ".join([*map(self.card, value["known"]), *hidden]) or "none"
        if isinstance(value, dict):
            parts = [f"{key.replace('_', ' ')} {self.value(item, key)}" for key, item in value.items() if key != "seat"]
            seat = value.get("seat")
            return " ".join(parts if seat is None else [self.name_of(seat), *parts])
        if value is None or isinstance(value, bool):
            return {None: "none", True: "yes", False: "no"}[value]
        terms = self.words["terms"].get(name, {})
        if str(value) in terms:
            return str(terms[str(value)])
        return self.card(value) if value in self.pack else SUIT_NAMES.get(value, str(value).replace("-", " "))

    def card(self, name: str) -> str:
        """A card by its face."""
        face = self.pack[name]
        rank: str = face["rank"]
        return RANKS.get(rank, rank) + SUITS.get(face["suit"], "")

    def _reread(self, sentences: Sequence[Any], text: str) -> str:
        """The text in the words of the first of the sentences that has its form."""
        for sentence in sentences:
            parts = re.split(r"\{(.*?)\}", sentence["text"])
            kinds = [sentence["holes"][name]["kind"] for name in parts[1::2]]
            form = "".join(FORMS[kinds[at // 2]] if at % 2 else re.escape(part) for at, part in enumerate(parts))
            found = re.fullmatch(form, text)
            with suppress(KeyError):  # what stands where a card should is none
                if found:
                    parts[1::2] = map(self._revalued, kinds, found.groups())
                    return "".join(parts)
        return text

    def _revalued(self, kind: str, value: str) -> str:
        match kind:
            case "seat" | "seats":
                return listed([self.name_of(int(seat)) for seat in value.split(" and ")])
            case "card" | "cards":
                return " ".join(map(self.card, value.split()))
            case "line":
                return self._reread([one for some in self.words["lines"].values() for one in some], value)
            case _:
                return value

    def _filled(self, hole: Any, values: Any, owner: int) -> str:
        kind, value = hole["kind"], at(values, hole["field"])
        if kind == "owner":
            return self.name_of(owner)
        if kind == "each":
            said = [self.say(hole["each"], item, owner) for item in value]
            return listed([one for one in said if one is not None])
        if kind in ("cards", "hand"):
            return " ".join(map(self.card, value))
        if kind in ("seats", "terms"):
            return listed([self._written(kind[:-1], hole["of"], item) for item in value])
        return self._written(kind, hole["of"], value)

    def _written(self, kind: str, of: str | None, value: Any) -> str:
        match kind:
            case "seat":
                return self.name_of(value)
            case "card":
                return self.card(value)
            case "suit":
                return SUIT_NAMES[value]
            case "term":
                return self.value(value, of or "")
            case "amount":
                return f"{value:+}"
            case "totals":
                return ", ".join(f"{self.name_of(seat)} {total:+}" for seat, total in enumerate(value))
            case "lines":
                return listed([f"line {line['line']} of event {line['version']}" for line in value])
            case _:
                return str(value)


def listed(items: Sequence[str]) -> str:
    """`A, B and C`."""
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))
