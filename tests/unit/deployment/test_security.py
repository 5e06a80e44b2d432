"""The threat model names tests that there are, and every actor has one."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
MODEL = (ROOT / "deploy" / "security.md").read_text()
NAMED = re.findall(r"`(tests/[a-z0-9_/]+\.py)::(test_[a-z0-9_]+)`", MODEL)


def test_every_test_that_is_named_is_there() -> None:
    assert NAMED
    missing = [
        f"{path}::{name}"
        for path, name in NAMED
        if not re.search(rf"^(async )?def {name}\(", (ROOT / path).read_text(), re.MULTILINE)
    ]
    assert missing == []


def test_every_row_of_the_model_names_a_test() -> None:
    model = MODEL.partition("\n## ")[0]
    rows = [line for line in model.splitlines() if line.startswith("|")][2:]
    assert [row for row in rows if "`tests/" not in row] == []
    actors = [row for row in rows if row.startswith("| **")]
    assert len(actors) >= 8
