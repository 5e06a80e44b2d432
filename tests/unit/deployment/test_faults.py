"""The guide for operators knows every fault that tests make happen."""

import re
from pathlib import Path

from tests.lab.chaos.faults import DEATHS, FAULTS

GUIDE = Path("deploy/operations.md")


def test_the_guide_says_of_every_fault_what_an_operator_sees() -> None:
    section = GUIDE.read_text().partition("## When something fails\n")[2].partition("\n## ")[0]
    named = {
        name for row in re.findall(r"^\| (`[^|]*) \|", section, re.MULTILINE) for name in re.findall(r"`([^`]*)`", row)
    }
    assert named == {*FAULTS} - {*DEATHS} | {"death before …", "death after …"}
