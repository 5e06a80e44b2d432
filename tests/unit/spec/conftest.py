"""The specification as the code makes it now."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.openapi import Document


@pytest.fixture(scope="session")
def specification(described: Mapping[str, str]) -> Path:
    """The folder of what `codille openapi` writes for all games that tests run for."""
    return Path(described["CODILLE_SPEC_DIR"])


@pytest.fixture(scope="session")
def document(specification: Path) -> Document:
    decoded: Document = json.loads((specification / "openapi.json").read_bytes())
    return decoded
