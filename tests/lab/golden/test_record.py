"""Recording: what recorded games do not show is looked for, and what is not come across is named."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from domain.audit.auditor import audit
from tests.golden.games import file, parsed, recordings, written
from tests.golden.wanted import GOLDEN, TABLES
from tests.lab.golden import record as recording
from tests.lab.golden.record import kept, main, record, search
from tests.support.games import READER

TOY = GOLDEN["toy"]


def test_recorded_games_stay_as_they_are() -> None:
    games, missing = record(TOY, kept("toy", recordings("toy").values()), tries=0)
    assert written(games) == file("toy").read_text(encoding="utf-8")
    assert missing == set()


@pytest.mark.long
def test_a_game_without_recorded_games_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "file", tmp_path.joinpath)
    main(["toy"])
    text = (tmp_path / "toy").read_text(encoding="utf-8")
    games, missing = record(TOY, kept("toy", parsed("toy", text)), tries=0)
    assert missing == set()
    assert {one.recording.name for one in games} > {"disputed", *TABLES}
    assert {audit(READER, one.records).verdict for one in games} == {"intact"}
    assert written(games) == text


@pytest.mark.long
def test_what_is_looked_for_is_shown_as_soon_as_the_game_ends() -> None:
    missing = {"lapsed", "level"}
    games = [live for _, live in search(TOY, missing, tries=100)]
    assert missing == set()
    assert {live.table.status for live in games} == {"finished"}


@pytest.mark.long
def test_a_game_is_left_out_whose_acts_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    whole = recordings("toy")["target"]
    assert [*kept("toy", [replace(whole, steps=whole.steps[1:]), whole])] == [*kept("toy", [whole])]
    assert "target: " in capsys.readouterr().out


@pytest.mark.timeout(60)
def test_what_no_game_shows_is_named_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    impossible = replace(TOY, wanted=TOY.wanted | {"five aces"})
    monkeypatch.setitem(recording.GOLDEN, "toy", impossible)  # type: ignore[arg-type]
    monkeypatch.setattr(recording, "PATIENCE_S", 1)
    monkeypatch.setattr(recording, "file", tmp_path.joinpath)
    (tmp_path / "toy").write_text(file("toy").read_text(encoding="utf-8"), encoding="utf-8")
    with pytest.raises(SystemExit, match="no game of toy shows: five aces"):
        main(["toy"])
    assert (tmp_path / "toy").read_text(encoding="utf-8") == file("toy").read_text(encoding="utf-8")
