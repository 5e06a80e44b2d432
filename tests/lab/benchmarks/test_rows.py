"""Rows run, as small as can be and without peers, so that the benchmarks do not rot; no figure is looked at."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.lab.benchmarks import report
from tests.lab.benchmarks.bench import ROOT, Bench
from tests.lab.benchmarks.figures import Beside, Bound, Figure
from tests.lab.benchmarks.machine import busy_s, machine
from tests.lab.benchmarks.outside import Checkout
from tests.lab.benchmarks.pairs import OUTSIDE, inside
from tests.lab.benchmarks.rows import ROWS
from tests.support.for_each import for_each

OWN_SETTING = ("start",)
"""Rows that run a command as it is run by hand: it is tested where that is tested."""

SMOKE = "action"
"""The row that `make test` runs: it starts a service and plays."""


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    with Bench(tmp_path_factory.mktemp("bench"), quick=True, tiny=True) as bench:
        yield bench


@pytest.mark.parametrize(
    "row", [pytest.param(row, marks=[pytest.mark.long] * (row != SMOKE)) for row in ROWS if row not in OWN_SETTING]
)
def test_a_row_is_measured(row: str, bench: Bench) -> None:
    figures = list(ROWS[row](bench))
    assert figures
    assert any(figure.value for figure in figures)


@pytest.mark.long
@for_each("row", ["action", "view"])
def test_a_checkout_is_measured_from_outside(row: str, bench: Bench) -> None:
    assert all(value for value, _ in OUTSIDE[row](bench, Checkout(ROOT)).values())


@pytest.mark.long
def test_a_checkout_that_lacks_what_a_row_uses_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    for folder in ("service", "domain", "deploy", "projections"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    assert inside(tmp_path, ["travel"]) == {}
    assert f"{tmp_path} lacks what these rows use: travel" in capfd.readouterr().err


@for_each("row", ["verify", "playout"])
def test_a_row_of_the_domain_uses_nothing_of_the_service(row: str) -> None:
    text = (ROOT / f"tests/lab/benchmarks/rows/{row}.py").read_text()
    assert "from domain." in text
    assert not re.search("^ *(from|import) (service|projections|deploy)", text, re.MULTILINE)


def figure(value: float | None, **more: object) -> Figure:
    return Figure(row="a row", case="a case", value=value, unit="events/s", **more)  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.parametrize(
    ("figure", "reached"),
    [
        (figure(60.0, beside=Beside(name="peer", value=100.0), must=Bound(least=0.5)), True),
        (figure(40.0, beside=Beside(name="peer", value=100.0), must=Bound(least=0.5)), False),
        (figure(40.0, beside=Beside(name="peer", note="not installed"), must=Bound(least=0.5)), None),
        (figure(40.0, must=Bound(most=50, of_ratio=False)), True),
        (figure(60.0, must=Bound(most=50, of_ratio=False)), False),
        (figure(None, must=Bound(most=50, of_ratio=False)), None),
        (figure(60.0), None),
    ],
)
def test_a_bound_is_held_against_the_figure_or_its_ratio(figure: Figure, reached: bool | None) -> None:
    assert figure.reached is reached
    standing = report.standing(figure)
    assert (standing is None) == (reached is None)
    assert standing is None or (standing >= 1) == reached


@pytest.mark.long
def test_the_report_tells_every_figure_and_the_machine(tmp_path: Path) -> None:
    figures = [figure(60.0, beside=Beside(name="peer", note="not installed: no wheel"), must=Bound(least=0.5))]
    report.write(tmp_path / "bench.json", machine(), figures, {"quick": True})
    written = (tmp_path / "bench.json").read_text()
    for text in ('"quick": true', '"cores"', "fixed work", '"a case"', '"others"', "not installed: no wheel"):
        assert text in written


@pytest.mark.long
def test_processor_time_of_this_process_is_not_that_of_others() -> None:
    (whole, own), began = busy_s(), time.process_time()
    while time.process_time() - began < 0.5:
        pass
    busy, ours = busy_s()
    assert busy - whole >= ours - own - 0.1
    assert ours - own >= 0.4
