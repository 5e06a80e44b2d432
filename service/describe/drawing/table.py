"""A table drawn from a view: seats around, hands, trick, piles, marks and totals. Nothing but the view is drawn."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from domain.cards import SIGNS, Face
from domain.kernel.game import Game
from domain.kernel.ledger import signed
from domain.kernel.words import Filled, Parts, at, said
from domain.seats import Seat
from domain.table.words import complete
from service.describe.drawing.svg import (
    CARD_WIDTH,
    GAP,
    Block,
    below,
    beside,
    block,
    card,
    cards,
    document,
    element,
    panel,
    paragraph,
    words,
)
from service.describe.narration import summary
from service.describe.scores import written
from service.describe.texts import Texts

View: TypeAlias = Mapping[str, Any]
"""A view, decoded."""

WIDTH = 960
SIDE = 300
"""The width of the seats at both sides of four."""
MOST_CARDS = 60
"""The most cards of one pile that are drawn one by one; the others are counted."""


class TableDrawing:
    """Draws one view."""

    def __init__(self, game: Game, view: View, texts: Texts) -> None:
        self._game = game
        self._words = complete(game)
        self._view = view
        self._texts = texts

    def svg(self) -> bytes:
        """The drawing as a file."""
        view, texts = self._view, self._texts
        title = texts.plain("drawing.title", game=self._game.title, version=view["version"])
        return document(self._laid_out(), title, " ".join(self._description()))

    def _laid_out(self) -> Block:
        seats: Sequence[Mapping[str, Any]] = self._view["seats"]
        own = self._view["you"] or 0
        around = [seats[(own + step) % len(seats)] for step in range(1, len(seats))]
        half = (WIDTH - GAP) / 2
        sides = [one for side in self._view.get("sides", ()) if (one := self._side(side)) is not None]
        status = " · ".join(one.removesuffix(".") for one in self._status())
        rows = [paragraph(status, WIDTH)]
        if len(seats) == 4:
            left, across, right = around
            middle = self._middle(WIDTH - 2 * SIDE - 2 * GAP)
            flanks = self._seat(left, SIDE), middle, self._seat(right, SIDE)
            rows += [self._seat(across, WIDTH), beside(flanks, WIDTH)]
        elif len(seats) == 2:
            rows += [self._seat(around[0], WIDTH), self._middle(WIDTH)]
        else:
            rows += [beside([self._seat(seat, half) for seat in around], WIDTH), self._middle(WIDTH)]
        rows += sides
        rows.append(self._seat(seats[own], WIDTH))
        return below([block(WIDTH, 0), *rows])

    def _status(self) -> Iterator[str]:
        """Deal, phase, and the summary in the game's words."""
        view, texts = self._view, self._texts
        if view["deal"]:
            yield texts.plain("deal.of", deal=view["deal"], deals=view["deals"])
        else:
            yield texts.plain(f"status.{view['status']}")
        if view["phase"]:
            yield self._term("phase", view["phase"])
        yield from map(self._text, summary(self._words, view))

    def _seat(self, seat: Mapping[str, Any], width: float) -> Block:
        """A seat: its player, marks and total, its hand, and its piles."""
        number, view = seat["seat"], self._view
        inner = width - 2 * GAP
        head = [words(self._name(number), "strong", most=inner - 90)]
        head += [_mark(mark) for mark in self._marks(seat)]
        if view["phase"] and self._has_tricks() and not self._sits_out(number):
            head.append(words(self._texts.plain("seat.tricks", count=seat["tricks"]), "quiet"))
        if "chips" in view:
            head.append(words(self._texts.plain("drawing.chips", number=view["chips"][number]), "quiet"))
        if number < len(view["totals"]):
            total = view["totals"][number]
            head.append(words(written(total), _sign(total)))
        lines = [beside(head, inner)]
        if self._sits_out(number):
            lines.append(words(self._texts.plain("seat.sits-out"), "quiet"))
        elif (hand := seat.get("hand")) is not None and (hand["known"] or hand["hidden"]):
            known = map(self._face, self._game.pack.sorted(hand["known"]))
            lines.append(cards([*known, *[None] * hand["hidden"]], inner))
        lines.append(beside(self._piles({**seat, "hand": None}, "seats.", inner), inner))
        return panel(below([line for line in lines if line.height]), width, turn=number in view["to_act"])

    def _marks(self, seat: Mapping[str, Any]) -> Iterator[str]:
        """The roles of a seat."""
        number, view = seat["seat"], self._view
        marks = {"dealer": self._texts.plain("drawing.dealer"), **self._words.marks}
        yield from (mark for path, mark in marks.items() if at(view, path) == number)
        if number in (view["winners"] or ()):
            yield self._texts.plain("drawing.winner")
        if seat.get("bot"):
            yield self._texts.plain("bot", level=self._texts.plain(f"level.{seat['bot']['level']}"))

    def _middle(self, width: float) -> Block:
        """What lies between the seats: the trick, or the last one until the next begins, the piles and the pool."""
        view = self._view
        trick = self._last_trick()
        parts = [self._trick(trick["cards"], trick["winner"])] if trick["cards"] else []
        others = {name: value for name, value in view.items() if name not in NOT_PILES}
        parts += self._piles(others, "", width - 2 * GAP)
        if "pool" in view:
            parts.append(words(self._texts.plain("drawing.pool", number=view["pool"])))
        inner = beside(parts, width - 2 * GAP, gap=2 * GAP)
        return panel(inner, width, height=120) if inner.height else block(width, 0)

    def _last_trick(self) -> Mapping[str, Any]:
        """The cards of the trick, or of the last one until the next begins, with its winner."""
        trick = self._view.get("trick")
        return {"cards": trick, "winner": None} if trick else self._view.get("last_trick") or {"cards": ()}

    def _trick(self, played: Iterable[Mapping[str, Any]], winner: Seat | None) -> Block:
        figures = [
            below(
                [
                    card(self._face(one["card"]), won=one["seat"] == winner),
                    words(self._name(one["seat"]), "quiet", most=90),
                ],
                gap=2,
            )
            for one in played
        ]
        return beside(figures, WIDTH)

    def _side(self, side: Mapping[str, Any]) -> Block | None:
        """The melds or captured cards of a side, and its score; None if it has nothing to show."""
        lying = self._piles(side, "sides.", WIDTH - 2 * GAP)
        if not lying and "score" not in side:
            return None
        names = ", ".join(map(self._name, side["seats"]))
        head = [words(names, "strong", most=WIDTH / 2)]
        if "score" in side:
            head.append(words(str(side["score"])))
        return panel(below([beside(head, WIDTH), *([beside(lying, WIDTH - 2 * GAP)] if lying else [])]), WIDTH)

    def _piles(self, view: Mapping[str, Any], path: str, width: float) -> list[Block]:
        """The piles in a part of the view: all that holds cards, whatever the game calls it."""
        found: list[Block] = []
        for name, value in _with_nested(view):
            heap = _heap(value, self._game)
            if heap is not None and (heap["known"] or heap["hidden"]):
                found.append(self._pile(_titled(name), heap, width))
            elif self._are_laid(value):
                found += [self._group(group, path + name, width) for group in value]
            elif _are_piles(value):
                rows = [self._pile("", {"ordered": False, **one}, width) for one in value]
                found.append(below([words(_titled(name), "quiet"), beside(rows, width)], gap=2))
        return found

    def _are_laid(self, value: Any) -> bool:
        pack = self._game.pack
        return (
            isinstance(value, Sequence)
            and not isinstance(value, str)
            and bool(value)
            and all(
                isinstance(one, Mapping)
                and isinstance(one.get("cards"), Sequence)
                and one["cards"]
                and all(name in pack for name in one["cards"])
                for one in value
            )
        )

    def _pile(self, title: str, heap: Mapping[str, Any], width: float) -> Block:
        """A pile: by its top card and its number where it is counted, otherwise by its cards."""
        known, hidden = heap["known"], heap["hidden"]
        count, top = len(known) + hidden, heap.get("top")
        shown: list[Face | None]
        if "top" in heap and hidden:
            shown = [None if top is None else self._face(top)]
        else:
            ordered = known if heap["ordered"] or top is not None else self._game.pack.sorted(known)
            shown = [*map(self._face, ordered[:MOST_CARDS]), *([None] if hidden else [])]
        named = f"{title} {count}" if count > len(shown) or hidden or not title else title
        return below([words(named.strip(), "quiet", most=width), cards(shown, min(width, _room(len(shown))))], gap=2)

    def _group(self, group: Mapping[str, Any], path: str, width: float) -> Block:
        """A group of cards, such as a meld, with the game's name for it."""
        parts = said(self._words.groups.get(path, ()), group)
        terms = [self._words.terms.get(name, {}).get(str(value)) for name, value in group.items()]
        named = self._text(parts) if parts else ", ".join(filter(None, terms))
        faces = [self._face(name) for name in group["cards"][:MOST_CARDS]]
        lines = [cards(faces, min(width, _room(len(faces))))]
        return below([words(named, "quiet", most=width), *lines] if named else lines, gap=2)

    def _description(self) -> Iterator[str]:
        """What the drawing shows, in sentences."""
        view, texts = self._view, self._texts
        yield ". ".join(one.removesuffix(".") for one in self._status()) + "."
        for seat in view["seats"]:
            number, hand = seat["seat"], seat.get("hand")
            told = [self._name(number), *self._marks(seat)]
            if hand and (hand["known"] or hand["hidden"]):
                told.append(self._hand(hand))
            if number < len(view["totals"]):
                told.append(texts.plain("drawing.total", total=written(view["totals"][number])))
            yield ", ".join(told) + "."
        trick = self._last_trick()
        if trick["cards"]:
            told = [f"{self._name(one['seat'])} {self._written(one['card'])}" for one in trick["cards"]]
            key = "drawing.trick" if view.get("trick") else "drawing.last-trick"
            yield texts.plain(key, cards=", ".join(told))
        if view["to_act"]:
            yield texts.plain("drawing.to-act", players=", ".join(map(self._name, view["to_act"])))

    def _hand(self, hand: Mapping[str, Any]) -> str:
        known = " ".join(map(self._written, self._game.pack.sorted(hand["known"])))
        hidden = self._texts.plain("drawing.hidden", number=hand["hidden"]) if hand["hidden"] else ""
        return " ".join(filter(None, (known, hidden)))

    def _face(self, name: str) -> Face:
        return self._game.pack.faces[name]

    def _written(self, name: str) -> str:
        return self._face(name).written

    def _name(self, seat: Seat) -> str:
        return self._texts.plain("seat", seat=seat + 1)

    def _has_tricks(self) -> bool:
        """Whether tricks are won in this deal, as far as can be seen: some games have deals without tricks."""
        view = self._view
        return bool(view.get("trick") or view.get("last_trick") or any(seat.get("tricks") for seat in view["seats"]))

    def _sits_out(self, seat: Seat) -> bool:
        order = self._view.get("order") or ()
        return self._view["phase"] is not None and len(order) > 0 and seat not in order

    def _term(self, of: str, value: object) -> str:
        return self._words.terms.get(of, {}).get(str(value)) or str(value).replace("-", " ")

    def _text(self, parts: Parts) -> str:
        """A sentence with its holes filled."""
        return "".join(part if isinstance(part, str) else self._filled(part) for part in parts)

    def _filled(self, part: Filled) -> str:
        value = part.value
        match part.kind:
            case "seat":
                return self._name(value)
            case "place":
                return str(value + 1)
            case "card":
                return self._written(value)
            case "hand":
                return " ".join(map(self._written, self._game.pack.sorted(value)))
            case "suit":
                return f"{self._texts.plain(f'suit.{value}')} {SIGNS[value]}"
            case "term":
                return self._term(str(part.of), value)
            case "amount":
                return signed(value)
            case "totals":
                return ", ".join(f"{self._name(seat)} {signed(points)}" for seat, points in enumerate(value))
            case _:
                return str(value)


NOT_PILES = frozenset({"seats", "sides", "trick", "last_trick", "options", "table_options"})
"""The fields of a view that are drawn in their own way, or not at all."""


def _with_nested(view: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The fields of a part of a view, and those of the objects in it that are no piles."""
    for name, value in view.items():
        yield name, value
        if isinstance(value, Mapping) and not _is_heap(value):
            yield from value.items()


def _is_heap(value: Any) -> bool:
    """Whether it is a pile of known and hidden cards."""
    return isinstance(value, Mapping) and isinstance(value.get("known"), Sequence)


def _heap(value: Any, game: Game) -> Mapping[str, Any] | None:
    """A pile of known and hidden cards; None for anything else. A list of cards is in order."""
    if isinstance(value, Sequence) and not isinstance(value, str):
        known = [name for name in value if isinstance(name, str) and name in game.pack]
        return {"known": known, "hidden": 0, "ordered": True}
    return {"ordered": False, **value} if _is_heap(value) else None


def _are_piles(value: Any) -> bool:
    """Whether it is a list of piles, some with cards."""
    return (
        isinstance(value, Sequence)
        and not isinstance(value, str)
        and all(map(_is_heap, value))
        and any(one["known"] or one["hidden"] for one in value)
    )


def _room(number: int) -> float:
    """The width that so many cards of a pile take."""
    return CARD_WIDTH + 24 * max(0, number - 1)


def _mark(text: str) -> Block:
    line = words(text, most=160)
    frame = block(line.width + 12, line.height + 2)
    frame.group.append(element("rect", {"width": line.width + 12, "height": line.height + 2, "rx": 9, "class": "mark"}))
    line.group.set("transform", "translate(6 1)")
    frame.group.append(line.group)
    return frame


def _sign(total: int) -> str:
    return "gain strong" if total > 0 else "loss strong" if total < 0 else "strong"


def _titled(name: str) -> str:
    text = name.replace("_", " ").replace("-", " ")
    return text[:1].upper() + text[1:]
