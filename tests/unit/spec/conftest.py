"""The specification as the code makes it now."""

from typing import Any

import pytest

from service.spec.export import specification


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    return specification()
