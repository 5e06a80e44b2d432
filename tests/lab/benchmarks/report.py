"""The table on the terminal, the JSON file, and the plot."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tests.lab.benchmarks.figures import Figure
from tests.lab.benchmarks.machine import Machine

VERDICTS = {True: Text("reached", "green"), False: Text("missed", "bold red"), None: Text("")}


def number(value: float | None) -> str:
    """With as many digits as tell something."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def table(figures: Sequence[Figure]) -> Table:
    """Each figure beside its limit or peer."""
    made = Table(header_style="bold", pad_edge=False)
    for heading, justify in (
        ("what", "left"), ("case", "left"), ("measured", "right"), ("unit", "left"), ("beside", "left"),
        ("there", "right"), ("ratio", "right"), ("must", "right"), ("aim", "right"), ("", "left"), ("others", "right"),
        ("note", "left"),
    ):  # fmt: skip
        made.add_column(heading, justify=justify, overflow="fold")  # type: ignore[arg-type]
    before = None
    for figure in figures:
        if before is not None and figure.row != before:
            made.add_section()
        beside = figure.beside
        made.add_row(
            figure.row if figure.row != before else "",
            figure.case,
            number(figure.value),
            figure.unit,
            beside.name if beside else "",
            number(beside.value) if beside else "",
            f"{figure.ratio:.2f}" if figure.ratio is not None else "",
            str(figure.must or ""),
            str(figure.aim or ""),
            VERDICTS[figure.reached],
            "" if figure.others is None else f"{figure.others:.2f}",
            "; ".join(note for note in (figure.note, beside.note if beside else "") if note),
        )
        before = figure.row
    return made


def show(console: Console, machine: Machine, figures: Sequence[Figure]) -> None:
    """The whole table, and what the machine was."""
    console.print(table(figures))
    load = ", ".join(f"{one:.1f}" for one in machine.load)
    console.print(
        f"{machine.processor}, {machine.cores} cores, {machine.memory_gib} GiB, {machine.system}, {machine.python}; "
        f"load before the run {load}"
    )


def write(path: Path, machine: Machine, figures: Sequence[Figure], about: dict[str, Any]) -> None:
    """The JSON file."""
    whole = about | {
        "machine": machine,
        "figures": [
            msgspec.structs.asdict(figure) | {"ratio": figure.ratio, "reached": figure.reached} for figure in figures
        ],
    }
    path.write_bytes(msgspec.json.format(msgspec.json.encode(whole)) + b"\n")


def plot(path: Path, figures: Sequence[Figure]) -> None:
    """How far each figure with a bound is from it, on a logarithmic scale: right of the line it is reached."""
    import matplotlib  # noqa: PLC0415 (installed for the benchmarks alone)

    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415 (as above)

    bars = [(figure, score) for figure in figures if (score := standing(figure)) is not None]
    if not bars:
        return
    drawn, axes = pyplot.subplots(figsize=(11, 0.34 * len(bars) + 1.4), layout="constrained")
    names = [f"{figure.row}: {figure.case} ({figure.must})" for figure, _ in bars]
    colours = ["#2a7f62" if figure.reached else "#b23a48" for figure, _ in bars]
    places = range(len(bars), 0, -1)
    axes.barh(list(places), [score - 1 for _, score in bars], left=1, color=colours)
    for place, (_, score) in zip(places, bars, strict=True):
        axes.text(score, place, f" {score:.2g} ", va="center", ha="left" if score >= 1 else "right", fontsize=8)
    axes.set_yticks(list(places), names, fontsize=8)
    axes.set_xscale("log")
    axes.margins(x=0.12)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xlabel("measured, as a multiple of what must be reached")
    drawn.savefig(path)
    pyplot.close(drawn)


def standing(figure: Figure) -> float | None:
    """The figure as a multiple of its bound, above 1 where it is reached."""
    if figure.must is None or figure.reached is None:
        return None
    value = figure.ratio if figure.must.of_ratio else figure.value
    if not value:
        return None
    if figure.must.least is not None:
        return value / figure.must.least
    return None if figure.must.most is None else figure.must.most / value
