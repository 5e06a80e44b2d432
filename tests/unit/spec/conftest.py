"""The specification as the code makes it now."""

from typing import Any

import pytest

from service.spec.generated import specification
from tests.support.registry import GAMES
from tests.support.samples import sample


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    return specification([sample(game) for game in GAMES])
