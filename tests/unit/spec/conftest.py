"""The specification as the code makes it now."""

from typing import Any

import pytest

from service.spec.export import specification
from tests.support.registry import GAMES


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    return specification(GAMES)
