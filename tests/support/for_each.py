"""One assertion about many cases, as one test: it tries them all, and its failure names each case that failed.

A test with a parameter is collected, set up and reported once for every value, which takes longer than most assertions.
"""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import product
from typing import Any

import pytest

Test = Callable[..., None]


def for_each(names: str, cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Runs the test with each of the cases, as `pytest.mark.parametrize` does with as many tests.

    The names stand in one text, with commas between them, and a case is then a sequence of as many values. Above
    another `for_each`, every case is tried with every one of that. The test's fixtures are the same for all cases.
    """
    keys = [name.strip() for name in names.split(",")]
    own = [dict(zip(keys, case if len(keys) > 1 else [case], strict=True)) for case in cases]

    def decorated(test: Test) -> Test:
        body, inner = getattr(test, "tried", (test, [{}]))
        every = [{**one, **other} for one, other in product(own, inner)]
        assert every, "there are cases"

        @wraps(body)
        def tries_all(**fixtures: Any) -> None:
            failures, failed = list[BaseException](), list[str]()
            for case in every:
                try:
                    body(**fixtures, **case)
                except (Exception, pytest.fail.Exception) as failure:
                    failures.append(failure)
                    failed.append(", ".join(f"{name}={_named(value)}" for name, value in case.items()))
            if failures:
                raise BaseExceptionGroup("\n".join([f"{len(failed)} of {len(every)} cases failed", *failed]), failures)

        parameters = [one for one in inspect.signature(body).parameters.values() if one.name not in every[0]]
        tries_all.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined] # what pytest reads
        tries_all.tried = (body, every)  # type: ignore[attr-defined] # what a `for_each` above reads
        return tries_all

    return decorated


def _named(value: object) -> str:
    return getattr(value, "__name__", None) or repr(value)
