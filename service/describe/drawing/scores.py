"""Running scores drawn as a plot: a line for each seat or side, with its name and total at the end."""

import math
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

from domain.kernel.game import Game
from domain.seats import Seat
from service.describe.drawing.svg import LETTER, SIZE, block, digits, document, element
from service.describe.scores import Curve, RunningScores, about, last_deal, written
from service.describe.texts import Texts

WIDTH, HEIGHT = 460, 260
"""So small that its text can be read where it is as wide as a phone."""
NAMES_WIDTH = 162
TOP, BOTTOM = 26, 22
LINE_HEIGHT = 18
"""The distance of two names."""
DEAL_WIDTH = 36
"""The least distance of a deal's number to the last deal's."""
MOST_GRID = 5
"""At most so many lines are drawn across, besides that at the bottom."""
MOST_DEALS = 6
"""At most so many deals are named below, besides the last."""


class ScoresDrawing:
    """Draws the running scores of a table."""

    def __init__(self, game: Game, scores: RunningScores, texts: Texts) -> None:
        self._game = game
        self._scores = scores
        self._texts = texts
        values = [total for curve in scores.curves for total in curve.totals]
        step = _step(max(values) - min(values), MOST_GRID)
        self._rows = range(math.floor(min(values) / step), max(math.ceil(max(values) / step), 1) + 1)
        self._step = step
        self._left = 10 + SIZE * LETTER * max(len(written(row * step)) for row in self._rows)

    def svg(self) -> bytes:
        """The drawing as a file."""
        title = self._texts.plain("scores.title", game=self._game.title)
        drawing = block(WIDTH, HEIGHT, [*self._grid(), *self._deals(), *self._curves()])
        return document(drawing, title, " ".join(self._description()))

    def _x(self, point: int) -> float:
        points = max(len(self._scores.curves[0].totals) - 1, 1)
        return self._left + (WIDTH - NAMES_WIDTH - self._left) * point / points

    def _y(self, value: float) -> float:
        least, most = self._rows[0] * self._step, self._rows[-1] * self._step
        return TOP + (HEIGHT - TOP - BOTTOM) * (most - value) / (most - least)

    def _grid(self) -> Iterator[ET.Element]:
        """Lines across, with their totals at the left and the unit above."""
        yield _text(self._left - 6, 12, self._game.unit, "quiet axis start")
        for row in self._rows:
            value, height = row * self._step, digits(self._y(row * self._step))
            kind = "grid zero" if value == 0 else "grid"
            right = WIDTH - NAMES_WIDTH
            yield element("line", {"class": kind, "x1": digits(self._left), "x2": right, "y1": height, "y2": height})
            yield _text(self._left - 6, self._y(value) + 4, written(value), "quiet axis end")

    def _deals(self) -> Iterator[ET.Element]:
        """The numbers of deals at the bottom."""
        deals = self._scores.deals
        step = _step(deals, MOST_DEALS)
        last = len(self._scores.curves[0].totals) - 1
        for deal in range(step, deals + 1, step):
            if self._x(last) - self._x(deal) >= DEAL_WIDTH:
                yield _text(self._x(deal), HEIGHT - 4, str(deal), "quiet axis")
        if last:
            yield _text(self._x(last), HEIGHT - 4, last_deal(self._scores, self._texts), "quiet axis")

    def _curves(self) -> Iterator[ET.Element]:
        """The lines, and at their ends the names and totals, moved apart where lines end close together."""
        curves, right = self._scores.curves, WIDTH - NAMES_WIDTH
        ends = [self._y(curve.totals[-1]) for curve in curves]
        heights = _apart(ends, [len(curve.seats) * LINE_HEIGHT for curve in curves], HEIGHT - BOTTOM)
        for number, (curve, end, height) in enumerate(zip(curves, ends, heights, strict=True)):
            points = " ".join(f"{digits(self._x(at))},{digits(self._y(one))}" for at, one in enumerate(curve.totals))
            group = element("g", {"class": f"curve of-{number}"} | _data(curve))
            if len(curve.totals) > 1:
                group.append(element("polyline", {"points": points}))
                group.append(element("circle", {"cx": right, "cy": digits(end), "r": 4}))
                lead = f"{right},{digits(end)} {right + 14},{digits(height)}"
                group.append(element("polyline", {"class": "lead", "points": lead}))
            total = written(curve.totals[-1])
            room = int((NAMES_WIDTH - 24) / (SIZE * LETTER)) - len(total) - 2
            first = height + 5 - (len(curve.seats) - 1) * LINE_HEIGHT / 2
            group.extend(
                _name(right + 18, first + line * LINE_HEIGHT, seat, self._seat(seat), room)
                for line, seat in enumerate(curve.seats)
            )
            group.append(_text(WIDTH, height + 5, total, "end strong"))
            yield group

    def _description(self) -> Iterator[str]:
        """What the drawing shows, in sentences."""
        scores, texts = self._scores, self._texts
        if not scores.deals and not scores.has_end:
            yield texts.plain("scores.none")
            return
        yield about(scores, self._game.unit, texts)
        for curve in sorted(scores.curves, key=lambda one: -one.totals[-1]):
            yield texts.plain("scores.curve", name=self._names(curve), **_extremes(curve))

    def _names(self, curve: Curve) -> str:
        return self._texts.plain("said.and").join(map(self._seat, curve.seats))

    def _seat(self, seat: Seat) -> str:
        return self._texts.plain("seat", seat=seat + 1)


def _extremes(curve: Curve) -> dict[str, str]:
    """The last total of a line, its least and its greatest one."""
    values = {"total": curve.totals[-1], "least": min(curve.totals), "most": max(curve.totals)}
    return {name: written(value) for name, value in values.items()}


def _data(curve: Curve) -> dict[str, object]:
    """What a page needs of a line to say it with the players' names."""
    extremes = {f"data-{name}": value for name, value in _extremes(curve).items()}
    return {"data-seats": " ".join(map(str, curve.seats)), **extremes}


def _name(left: float, top: float, seat: Seat, name: str, most: int) -> ET.Element:
    """A name of at most so many letters; the whole one is its title where it is longer.

    Seat and number of letters are there for pages, which know the player's name.
    """
    shown = name if len(name) <= most else f"{name[: max(1, most - 1)]}…"
    line = _text(left, top, shown, "name")
    line.set("data-seat", str(seat))
    line.set("data-most", str(most))
    if shown != name:
        line.append(element("title", text=name))
    return line


def _text(left: float, top: float, text: str, kind: str) -> ET.Element:
    return element("text", {"x": digits(left), "y": digits(top), "class": kind}, text)


def _apart(heights: Sequence[float], sizes: Sequence[float], bottom: float) -> list[float]:
    """The middles of labels of these sizes, moved as little as needed to stand apart between top and bottom."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    moved, least = list(heights), float(TOP)
    for place in order:
        moved[place] = max(heights[place], least + sizes[place] / 2)
        least = moved[place] + sizes[place] / 2
    most = bottom + LINE_HEIGHT / 2
    for place in reversed(order):
        moved[place] = min(moved[place], most - sizes[place] / 2)
        most = moved[place] - sizes[place] / 2
    return moved


def _step(span: int, most: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50, … that is in this span at most so often."""
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if span <= step * most:
                return step
        power *= 10
