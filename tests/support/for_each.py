"""One assertion about many cases, as one test: it tries them all, and its failure names each case that failed.

A test with a parameter is collected, set up and reported once for every value, which takes longer than most assertions.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from itertools import product
from typing import Any

import pytest

Test = Callable[..., Any]


def for_each(names: str, cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Runs the test with each of the cases, as `pytest.mark.parametrize` does with as many tests.

    The names stand in one text, with commas between them, and a case is then a sequence of as many values. Above
    another `for_each`, every case is tried with every one of that. The test may be a coroutine function. Its fixtures
    are the same for all cases.
    """
    keys = [name.strip() for name in names.split(",")]
    own = [dict(zip(keys, case if len(keys) > 1 else [case], strict=True)) for case in cases]

    def decorated(test: Test) -> Test:
        body, inner = getattr(test, "tried", (test, [{}]))
        every = [{**one, **other} for one, other in product(own, inner)]
        assert every, "there are cases"

        @wraps(body)
        def tries_all(**fixtures: Any) -> None:
            failures = Failures()
            for case in every:
                with failures.of(case):
                    body(**fixtures, **case)
            failures.report(len(every))

        @wraps(body)
        async def awaits_all(**fixtures: Any) -> None:
            failures = Failures()
            for case in every:
                with failures.of(case):
                    await body(**fixtures, **case)
            failures.report(len(every))

        made: Any = awaits_all if inspect.iscoroutinefunction(body) else tries_all
        parameters = [one for one in inspect.signature(body).parameters.values() if one.name not in every[0]]
        made.__signature__ = inspect.Signature(parameters)  # what pytest reads
        made.tried = (body, every)  # what a `for_each` above reads
        return made  # type: ignore[no-any-return]

    return decorated


class Failures:
    """The cases that failed."""

    def __init__(self) -> None:
        self._cases: list[str] = []
        self._raised: list[BaseException] = []

    @contextmanager
    def of(self, case: Mapping[str, object]) -> Iterator[None]:
        """Keeps what the case raises."""
        try:
            yield
        except (Exception, pytest.fail.Exception) as failure:
            self._raised.append(failure)
            self._cases.append(", ".join(f"{name}={_named(value)}" for name, value in case.items()))

    def report(self, tried: int) -> None:
        """Raises all of them together, if there are any."""
        if self._raised:
            said = "\n".join([f"{len(self._cases)} of {tried} cases failed", *self._cases])
            raise BaseExceptionGroup(said, self._raised)


def _named(value: object) -> str:
    return getattr(value, "__name__", None) or repr(value)
