"""One process that audits for many tests: an audit starts its own, which loads all code anew, and takes a second."""

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from multiprocessing import get_context
from multiprocessing.context import BaseContext
from unittest.mock import patch

import pytest

from service.audit import at_once


@pytest.fixture(scope="module")
def one_auditor() -> Iterator[None]:
    """Audits of a module's tests that ask for one process share it. Those that ask for several start them."""

    def pool(workers: int, mp_context: BaseContext) -> AbstractContextManager[Executor]:
        return nullcontext(shared) if workers == 1 else ProcessPoolExecutor(workers, mp_context)

    with (
        ProcessPoolExecutor(1, get_context("spawn")) as shared,
        patch.object(at_once, "ProcessPoolExecutor", pool),
    ):
        yield
