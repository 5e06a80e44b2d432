"""`deploy/limits.md` agrees with the code: its settings, constants, codes, modules and metrics are there, and no other
limit is.
"""

import re
from importlib import import_module
from pathlib import Path

import pytest
from msgspec import structs

from service.config import Settings
from service.http.problems import KINDS
from tests.support.for_each import for_each

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "deploy/limits.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("|") and "`service/" in line
]
LIMITING = re.compile(r"rate_limit|max_.*|.*_per_hour|.*_timeout_s")
REFUSING = {408, 413, 414, 429, 431}
"""The statuses that only limits give."""


def settings_of(text: str) -> list[str]:
    return re.findall(r"`([A-Z_]{5,})`", text)


def written(value: int) -> str:
    """A constant as the page writes it."""
    return f"{value // 1024} KiB" if value >= 1024 and not value % 1024 else str(value)


def test_every_setting_of_a_limit_stands_on_the_page_with_its_default() -> None:
    defaults = {one.name.upper(): one.default for one in structs.fields(Settings)}
    named = {setting: row[2] for row in ROWS for setting in settings_of(row[1])}
    assert named == {setting: str(defaults[setting]) for setting in named}
    assert {setting for setting in defaults if LIMITING.fullmatch(setting.lower())} <= named.keys()


@for_each("row", [row for row in ROWS if settings_of(row[4])])
def test_constants_stand_where_the_page_says(row: list[str]) -> None:
    match = re.fullmatch(r"`(service/[a-z_/]+)\.py` `([A-Z_]+)`", row[4])
    assert match is not None, row
    value = written(int(getattr(import_module(match[1].replace("/", ".")), match[2])))
    assert value in (row[2], *re.findall(r"\d+ KiB", row[1]))


def test_every_module_is_there() -> None:
    modules = re.findall(r"`(service/[a-z_/]+\.py)`", PAGE)
    assert [module for module in modules if not (ROOT / module).is_file()] == []


def test_every_code_that_a_limit_gives_stands_on_the_page_with_its_status() -> None:
    named = {code: int(status) for row in ROWS for status, code in re.findall(r"(\d{3}) `([a-z-]+)`", row[3])}
    assert named == {code: KINDS[code].status for code in named}
    refusing = {code for code, kind in KINDS.items() if kind.status in REFUSING or code.startswith("too-many-")}
    assert refusing <= named.keys()


def test_mechanisms_are_six_and_each_is_explained() -> None:
    numbers = {row[0] for row in ROWS if row[0]}
    assert numbers == set(re.findall(r"^\*\*(\d)\. ", PAGE, re.MULTILINE)) == set("123456")


@pytest.mark.parametrize("name", re.findall(r"`(codille_[a-z_]+)`", PAGE))
def test_every_metric_is_there(name: str) -> None:
    metrics = "".join(path.read_text() for path in (ROOT / "service/observability").glob("*metrics.py"))
    assert f'"{name}"' in metrics or f'"{name.removesuffix("_total")}"' in metrics
