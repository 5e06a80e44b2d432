"""Results are written anew: of recorded games under earlier rules only where the newest are asked for."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.record.history import Reader
from tests.golden.games import file
from tests.lab.golden import refresh
from tests.support.registry import GAMES


def test_games_of_earlier_rules_are_renewed_where_that_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy, before = GAMES["toy"], file("toy").read_text(encoding="utf-8")
    newer = replace(toy, rulebook=replace(toy.rulebook, version=toy.rulebook.version + 1), earlier=(toy,))
    monkeypatch.setattr(refresh, "GAMES", {"toy": newer})
    monkeypatch.setattr(refresh, "file", tmp_path.joinpath)
    with pytest.raises(SystemExit, match="toy has recorded games under earlier rules than 2: refresh --newest toy"):
        refresh.main(["toy"])
    assert not (tmp_path / "toy").exists()
    monkeypatch.setattr("tests.golden.games.READER", Reader({"toy": newer}))
    refresh.main(["--newest", "toy"])
    after = (tmp_path / "toy").read_text(encoding="utf-8")
    assert after.count(", rules 2\n") == before.count(", rules 1\n") > 0
