"""Counts of calls of functions, which tell what a change costs where times differ from run to run."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import domain

ROOT = f"{Path(domain.__file__).parents[1]}/"
OWN = tuple(f"{ROOT}{package}/" for package in ("service", "projections", "domain"))
"""Where the project's own functions are."""


def calls(work: Callable[[], object]) -> int:
    """How many of the project's functions the work calls, once what is remembered is, with those of comprehensions."""
    number = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal number
        number += event == "call" and frame.f_code.co_filename.startswith(OWN)

    work()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return number
