"""`--game NAME`: the tests of one game alone, those in its folder and those that take it as their parameter."""

import re

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option."""
    parser.addoption("--game", metavar="NAME", help="run the tests of this game alone")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests of other games, and those of none."""
    if (game := config.getoption("game")) is None:
        return
    others = [item for item in items if not _is_of(item, game)]
    config.hook.pytest_deselected(items=others)
    items[:] = [item for item in items if item not in {*others}]


def _is_of(item: pytest.Item, game: str) -> bool:
    _, _, parameters = item.name.partition("[")
    return game in item.path.parent.parts or game in re.split(r"\W+", parameters)
