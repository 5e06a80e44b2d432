"""A game in its own words: the sentences, labels and names that `GET /v1/games/{game}` serves, as text."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
SUIT_NAMES = {"s": "spades ♠", "h": "hearts ♥", "d": "diamonds ♦", "c": "clubs ♣"}
RANKS = {"T": "10", "Jo": "★"}

FORMS = {
    "seat": r"seat \d+",
    "seats": r"seats? \d+(?: and \d+)*",
    "card": r"[\w.]+",
    "cards": r"[\w.]+(?: [\w.]+)*",
    "number": r"[\d,]+",
    "line": r".+",
}
"""The forms that values have in the texts of ledger lines."""


class Words:
    """The words of one game. `names` has the names of players by seat, and may be changed."""

    def __init__(self, game: Mapping[str, Any], names: Mapping[int, str] | None = None) -> None:
        self.words: Mapping[str, Any] = game["words"]
        self.pack: Mapping[str, Mapping[str, Any]] = game["pack"]
        self.names = dict(names or {})

    def name(self, seat: int) -> str:
        """The name of a seat's player."""
        return self.names.get(seat, f"seat {seat + 1}")

    def event(self, event: Mapping[str, Any]) -> list[str]:
        """What an event says to a reader of what is open in it, line by line. Its type, if the game has no words."""
        words, public = self.words["events"].get(event["type"]), event["public"]
        try:
            lines = [self._say(words["sentences"], public) or event["type"]]
            for audience, section in event["sealed"].items():
                kind, _, seat = audience.partition(":")
                lines.append(self._say(words["sections"].get(kind, ()), {**public, **section["data"]}, int(seat or -1)))
        except (KeyError, TypeError):  # No words, or an event of another version lacks what a sentence needs.
            return [event["type"]]
        by = self.words["actors"].get(event["actor"].partition(":")[0]) if "seat" in public else None
        booked = [line for line in public.get("lines", ()) if line.get("seat") is not None]
        lines += [by] + [f"  {self.name(line['seat'])} {line['amount']:+}: {self.line(line)}" for line in booked]
        return [line for line in lines if line]

    def line(self, line: Mapping[str, Any]) -> str:
        """What a line of a ledger says; its text as recorded where no sentence fits."""
        own = self.words["lines"].get(line["kind"], ())
        return self._reread([sentence for sentence in own if _fits(sentence, line)], line["text"])

    def view(self, view: Mapping[str, Any]) -> list[str]:
        """What sums up a table, sentence by sentence."""
        return [line for sentences in self.words["status"] if (line := self._say(sentences, view))]

    def prompt(self, view: Mapping[str, Any], offers: Sequence[Any]) -> str | None:
        """What the seat of a view is asked to do, by its `Offer`s; None where it is asked for nothing."""
        by_type = {offer.type: offer.wire for offer in reversed(offers)}
        return self._say(self.words.get("prompts", ()), {**view, "offers": by_type})

    def sending(self, action: Mapping[str, Any]) -> str:
        """An action in words, while it is sent."""
        return self._sending(action) or f"{self.action(action)} …"

    def label(self, type: str) -> str:
        """The name of an act."""
        return str(self.words["acts"].get(type, type.replace("-", " ")))

    def action(self, action: Mapping[str, Any]) -> str:
        """An action in words, as for a button."""
        first, _, rest = (self._sending(action) or "").removesuffix(" …").partition(" ")
        if verb := self.words.get("verbs", {}).get(first):
            return f"{verb} {rest}".strip()
        values = [self.value(value, name) for name, value in action.items() if name != "type" and value is not None]
        return f"{self.label(action['type'])} {', '.join(values)}".strip()

    def card(self, name: str) -> str:
        """A card by its face, as `K♠`; its name, if it is not in the pack."""
        face = self.pack.get(name)
        return name if face is None else RANKS.get(face["rank"], face["rank"]) + SUITS.get(face["suit"] or "", "")

    def value(self, value: Any, name: str = "") -> str:
        """A value of an offer or a view; `name` is that of its field."""
        if isinstance(value, list | tuple):
            return ", ".join(self.value(item, name) for item in value) or "none"
        if isinstance(value, dict) and {"known", "hidden"} <= value.keys():
            hidden = [f"{value['hidden']} hidden"] if value["hidden"] else []
            return ", ".join([*map(self.card, value["known"]), *hidden]) or "none"
        if isinstance(value, dict):
            parts = [f"{key.replace('_', ' ')} {self.value(item, key)}" for key, item in value.items() if key != "seat"]
            seat = value.get("seat")
            return " ".join(parts if seat is None else [self.name(seat), *parts])
        if value is None or isinstance(value, bool):
            return {None: "none", True: "yes", False: "no"}[value]
        terms = self.words["terms"].get(name, {})
        if str(value) in terms:
            return str(terms[str(value)])
        return self.card(value) if value in self.pack else SUIT_NAMES.get(value, str(value).replace("-", " "))

    def _sending(self, action: Mapping[str, Any]) -> str | None:
        return self._say(self.words.get("sending", {}).get(action["type"], ()), action)

    def _say(self, sentences: Sequence[Any], values: Mapping[str, Any], owner: int = -1) -> str | None:
        """The first of the sentences that fits the values; None where none fits."""
        for sentence in sentences:
            if _fits(sentence, values):
                parts, holes = enumerate(re.split(r"\{(.*?)\}", sentence["text"])), sentence["holes"]
                return "".join(self._filled(holes[part], values, owner) if odd % 2 else part for odd, part in parts)
        return None

    def _reread(self, sentences: Sequence[Any], text: str) -> str:
        """The text in the words of the first of the sentences that has its form."""
        for sentence in sentences:
            parts = re.split(r"\{(.*?)\}", sentence["text"])
            holes = [sentence["holes"][name] for name in parts[1::2]]
            forms = [f"({FORMS.get(hole['kind'], '.+?')})" for hole in holes]
            form = "".join(forms[at // 2] if at % 2 else re.escape(part) for at, part in enumerate(parts))
            found = re.fullmatch(form, text, re.ASCII)
            if found and self._are_cards(holes, found.groups()):
                values = zip(holes, found.groups(), strict=True)
                parts[1::2] = [self._filled(hole, {hole["field"]: _read(hole, said)}, -1) for hole, said in values]
                return "".join(parts)
        return text

    def _are_cards(self, holes: Sequence[Any], texts: Sequence[str]) -> bool:
        cards = [text.split() for hole, text in zip(holes, texts, strict=True) if hole["kind"] in ("card", "cards")]
        return all(card in self.pack for named in cards for card in named)

    def _filled(self, hole: Mapping[str, Any], values: Mapping[str, Any], owner: int) -> str:
        kind, value = hole["kind"], _at(values, hole["field"])
        if kind == "owner":
            return self.name(owner)
        if kind in ("each", "last"):
            said = [one for item in value if (one := self._say(hole["each"], item, owner)) is not None]
            return _listed(said[-1:] if kind == "last" else said)
        if kind in ("cards", "hand"):
            order = {card: place for place, card in enumerate(self.pack)} if kind == "hand" else {}
            return " ".join(map(self.card, sorted(value, key=lambda card: order.get(card, 0))))
        if kind in ("seats", "terms"):
            return _listed([self._written(kind[:-1], hole["of"], item) for item in value])
        return self._written(kind, hole["of"], value)

    def _written(self, kind: str, of: str | None, value: Any) -> str:
        forms: Mapping[str, Callable[[Any], str]] = {
            "seat": self.name,
            "place": lambda seat: str(seat + 1),
            "card": self.card,
            "suit": lambda suit: SUIT_NAMES.get(suit, str(suit)),
            "term": lambda term: self.value(term, of or ""),
            "amount": "{:+}".format,
            "totals": lambda values: ", ".join(f"{self.name(seat)} {value:+}" for seat, value in enumerate(values)),
            "line": lambda text: self._reread([one for some in self.words["lines"].values() for one in some], text),
            "lines": lambda lines: _listed([f"line {line['line']} of event {line['version']}" for line in lines]),
        }
        return forms.get(kind, str)(value)


def _at(values: Any, path: str) -> Any:
    """The value at a path of names, of each item where a list lies on the way; None where it leads nowhere."""
    if isinstance(values, list):
        return [_at(item, path) for item in values]
    name, _, rest = path.partition(".")
    value = values.get(name) if isinstance(values, Mapping) else None
    return _at(value, rest) if rest else value


def _read(hole: Mapping[str, Any], text: str) -> Any:
    """The value of a hole that stands in the text of a line."""
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    read: dict[str, Any] = {"seat": (numbers or [0])[0], "seats": numbers, "cards": text.split()}
    return read.get(hole["kind"], text)


def _fits(sentence: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    return all(_holds(condition, values) for condition in sentence["when"])


def _holds(condition: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Whether a sentence's condition holds."""
    value, wanted = _at(values, condition["field"]), condition["value"]
    if condition["test"].startswith("length"):
        value = len(value) if isinstance(value, list) else 0
    same = type(value) is type(wanted) and value == wanted
    return bool(same == (condition["test"] in ("is", "length")))


def _listed(items: Sequence[str]) -> str:
    """`A, B and C`."""
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))
