"""Running scores as a plot on the terminal: a line of dots for each seat or side."""

from collections.abc import Callable, Iterator

from rich.text import Text

from domain.seats import Seat
from service.cli.terminal_text import seat_style
from service.describe.scores import Curve, RunningScores, about, last_deal, written
from service.describe.texts import Texts

WIDTH, HEIGHT = 56, 10
"""Letters of the plot. Each has two dots beside each other, four times below each other."""
DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bits of the dots of a braille letter, by column and row."""
BRAILLE = 0x2800


def score_plot(scores: RunningScores, unit: str, texts: Texts, name_of: Callable[[Seat], str]) -> Iterator[Text]:
    """The lines of the plot, then each name with its total, the highest first. Nothing if nothing is booked."""
    if not scores.deals and not scores.has_end:
        return
    values = [total for curve in scores.curves for total in curve.totals]
    least, most = min(values), max(*values, min(values) + 1)
    cells: dict[tuple[int, int], tuple[int, str]] = {}
    for curve in scores.curves:
        for column, row in _dots(curve, least, most):
            at = row // 4, column // 2
            bits, _ = cells.get(at, (0, ""))
            cells[at] = bits | DOTS[column % 2][row % 4], seat_style(curve.seats[0])
    label = max(len(written(value)) for value in (least, most))
    yield Text(about(scores, unit, texts), "bold underline")
    for row in range(HEIGHT):
        edge = {0: written(most), HEIGHT - 1: written(least)}.get(row, "")
        line = Text.assemble((edge.rjust(label) + " ", "dim"))
        for column in range(WIDTH):
            bits, style = cells.get((row, column), (0, ""))
            line.append(chr(BRAILLE + bits) if bits else " ", style)
        line.rstrip()
        yield line
    yield Text(" " * (label + 1) + last_deal(scores, texts).rjust(WIDTH), "dim")
    for curve in sorted(scores.curves, key=lambda one: -one.totals[-1]):
        names = texts.plain("said.and").join(map(name_of, curve.seats))
        yield Text.assemble(written(curve.totals[-1]).rjust(label) + " ", (names, seat_style(curve.seats[0])))


def _dots(curve: Curve, least: int, most: int) -> Iterator[tuple[int, int]]:
    """The dots of a line, by column and row, without gaps."""
    columns, rows, steps = 2 * WIDTH, 4 * HEIGHT, len(curve.totals) - 1
    before: int | None = None
    for column in range(columns):
        at = column * steps / (columns - 1)
        first = min(int(at), steps - 1)
        value = curve.totals[first] + (curve.totals[first + 1] - curve.totals[first]) * (at - first)
        row = round((rows - 1) * (most - value) / (most - least))
        for between in range(min(row, before + 1), max(row, before - 1) + 1) if before is not None else (row,):
            yield column, between
        before = row
