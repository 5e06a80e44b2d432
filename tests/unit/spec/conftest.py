"""The specification as the code makes it now."""

from typing import Any

import pytest

from service.spec.generated import specification
from tests.support.samples import bodies


@pytest.fixture(scope="session")
def document() -> dict[str, Any]:
    return specification(bodies())
