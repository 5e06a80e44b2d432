"""The checker says so when something is lost, doubled or out of order: a service with a bug does not pass.

`test_checker.py` shows in moments that it finds what clients were told wrong.
"""

import inspect
from collections.abc import Iterator
from importlib import import_module
from operator import attrgetter
from pathlib import Path

import pytest

from tests.lab.chaos.run import Plan, Report, run
from tests.lab.chaos.wrapped import BUGS

FIRST = {
    "refusal from the cache": (),
    "stream goes on late": ("service killed",) * 4,
    "projection twice": (),
    "receipt forgotten": ("death after append",) * 6,
}
"""What makes a bug show: a stream is opened again, an act is sent again. Some deaths are over the act of a bot, or over
one that its client does not send again.
"""

SAID = {
    "refusal from the cache": "was refused",
    "stream goes on late": "should have brought version",
    "projection twice": "lines were booked, the statement has",
    "receipt forgotten": "was never acknowledged",
}
"""The words by which the checker says what a bug has done."""
REFUSED = "already-seated"
"""What a client is told that sits down and does not hear of it, where receipts are forgotten."""


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_takes_what_the_function_takes_that_it_is_in(bug: str) -> None:
    module, place, wrapper = BUGS[bug]
    function = attrgetter(place)(import_module(module))
    taken = inspect.signature(function).parameters
    named = [name for name, one in taken.items() if one.kind is one.KEYWORD_ONLY]
    inspect.signature(wrapper(function)).bind(*(taken.keys() - {*named}), **dict.fromkeys(named))


@pytest.mark.long
@pytest.mark.parametrize("bug", BUGS)
async def test_a_bug_is_detected(bug: str, tmp_path: Path) -> None:
    first = FIRST[bug]

    def enough(report: Report) -> bool:
        return report.acts >= 150 and report.healed.total() >= len(first)

    plan = Plan(1, enough, first, faults=(), apart=20, tables=5, services=1, patience_s=5.0, bug=bug)
    wrong: list[str] = []
    try:
        wrong = (await run(tmp_path / bug.replace(" ", "-"), plan)).wrong
    except* AssertionError as refused:
        wrong = [str(error) for error in leaves(refused)]
        assert bug == "receipt forgotten"
        assert all(REFUSED in one for one in wrong), wrong
    else:
        assert any(SAID[bug] in one for one in wrong), wrong


def leaves(group: BaseExceptionGroup[AssertionError]) -> Iterator[BaseException]:
    """The errors of a group, however it is nested."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            yield from leaves(error)
        else:
            yield error
