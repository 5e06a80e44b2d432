"""Documents that are not committed: carried by the package, or built at the first request, by one process."""

import asyncio
import json
from pathlib import Path

import pytest

from service.built import BUILT, STAMP, is_current
from service.compute import built_documents
from service.compute.built_documents import BuiltDocuments, NotBuilt

ANOTHER = "tests.support.another:GAMES"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> BuiltDocuments:
    """The documents of the service's own specification, which is here, with time enough to build them."""
    for name, value in (("SPECIFICATION", tmp_path), ("OFFERED", ANOTHER), ("PATIENCE_S", 600), ("BUILD_S", 600)):
        monkeypatch.setattr(built_documents, name, value)
    return BuiltDocuments(tmp_path)


async def test_what_the_package_carries_is_read_as_it_is(tmp_path: Path, own: BuiltDocuments) -> None:
    (tmp_path / BUILT / "openapi").mkdir(parents=True)
    (tmp_path / BUILT / "openapi/generic.json").write_bytes(b"{}")
    assert await own.read("openapi/generic.json") == b"{}"
    with pytest.raises(NotBuilt):
        await own.read("openapi/bridge.json")
    assert not (tmp_path / BUILT / STAMP).exists()


async def test_what_an_operator_wrote_is_read_as_it_is(tmp_path: Path) -> None:
    (tmp_path / BUILT / "openapi").mkdir(parents=True)
    (tmp_path / BUILT / STAMP).write_text("other code")
    (tmp_path / BUILT / "openapi/generic.json").write_bytes(b"{}")
    assert await BuiltDocuments(tmp_path).read("openapi/generic.json") == b"{}"
    assert (tmp_path / BUILT / STAMP).read_text() == "other code"


async def test_the_first_readers_share_one_building_which_goes_on_when_the_patience_of_one_ends(
    tmp_path: Path, own: BuiltDocuments, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / BUILT / "openapi").mkdir(parents=True)
    (tmp_path / BUILT / STAMP).write_text("other code")
    (tmp_path / BUILT / "openapi/generic.json").write_bytes(b"old")
    with monkeypatch.context() as impatient:
        impatient.setattr(built_documents, "PATIENCE_S", 0.05)
        with pytest.raises(NotBuilt):
            await own.read("openapi/generic.json")
    building = own._building
    assert building is not None
    texts = await asyncio.gather(*(own.read("openapi/generic.json") for _ in range(3)))
    assert own._building is building
    assert len(set(texts)) == 1
    assert json.loads(texts[0])["openapi"] == "3.1.0"
    assert is_current(tmp_path, ANOTHER)


async def test_a_failure_is_not_repeated_at_once(own: BuiltDocuments, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_documents, "AGAIN_S", 0.2)
    monkeypatch.setattr(built_documents, "OFFERED", "tests.support.no_such_module:GAMES")
    began = []
    run = own._run

    async def counted() -> None:
        began.append(asyncio.get_running_loop().time())
        await run()

    monkeypatch.setattr(own, "_run", counted)
    for _ in range(3):
        with pytest.raises(NotBuilt):
            await own.read("openapi/generic.json")
    assert len(began) == 1
    await asyncio.sleep(0.4)
    with pytest.raises(NotBuilt):
        await own.read("openapi/generic.json")
    assert len(began) == 2


async def test_building_that_takes_too_long_is_ended(
    tmp_path: Path, own: BuiltDocuments, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(built_documents, "BUILD_S", 0.05)
    with pytest.raises(NotBuilt):
        await own.read("openapi/generic.json")
    assert not is_current(tmp_path, ANOTHER)
