"""Every operation of the interface has a method in both kits, which is made of the document or is there by hand."""

import inspect
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.support.kits import python_kit
from tests.support.modules import module_at
from tests.support.typescript import KIT, needs_node, node

ROOT = Path(__file__).parents[2]
DOCUMENT = json.loads((ROOT / "api-spec" / "openapi.json").read_bytes())
IDS = [one["operationId"] for methods in DOCUMENT["paths"].values() for one in methods.values()]
METHODS = """
const { Client } = await import(process.argv[1]);
const { getOwnPropertyNames: names, getPrototypeOf: above } = Object;
const methods = (one) => (one === Object.prototype ? [] : [...names(one), ...methods(above(one))]);
const client = new Client("http://x");
console.log(JSON.stringify({ client: methods(above(client)), table: methods(above(client.table("t"))) }));
"""


@pytest.fixture(scope="module")
def making() -> ModuleType:
    """What makes the methods."""
    return module_at(KIT.parent / "operations.py")


@pytest.fixture(scope="module")
def generic(built: Path) -> Any:
    return json.loads((built / "openapi" / "generic.json").read_bytes())


def test_no_operation_lacks_a_method_in_python(making: ModuleType) -> None:
    kit = python_kit()
    rooms = {True: kit.Table, False: kit.Client}
    found = [*making.operations(DOCUMENT)]
    assert [one.id for one in found] == IDS
    for one in found:
        assert inspect.isfunction(getattr(rooms[one.is_of_table], making.snake(one.name), None)), one.id


@needs_node
def test_no_operation_lacks_a_method_in_javascript(making: ModuleType) -> None:
    methods = json.loads(node("--input-type=module", "-e", METHODS, KIT / "src" / "index.js"))
    for one in making.operations(DOCUMENT):
        assert one.name in methods["table" if one.is_of_table else "client"], one.id


def test_what_is_there_by_hand_is_an_operation_and_not_made_as_well(making: ModuleType, generic: Any) -> None:
    """A method that asks alone would hide what is done by hand, or be hidden by it."""
    assert {*making.BY_HAND, *making.NAMES, *making.APART} <= {*IDS}
    made = set(re.findall(r"def (\w+)\(", making.python(generic)))
    assert not {making.snake(name) for name in making.BY_HAND.values()} & made


def test_the_module_for_javascript_is_that_of_the_document(making: ModuleType, generic: Any) -> None:
    """Pages load it from the checkout, so it is committed: `make kit-typescript` writes it."""
    assert (KIT / "src" / "operations.js").read_text(encoding="utf-8") == making.typescript(generic)


def test_methods_ask_what_the_document_says(making: ModuleType, generic: Any) -> None:
    """Each has the method, the path and the parameters of its operation."""
    made = {"python": making.python(generic), "javascript": making.typescript(generic)}
    for one in making.operations(generic):
        if one.id in {*making.BY_HAND, *making.APART}:
            continue
        for language, name in (("python", making.snake(one.name)), ("javascript", one.name)):
            own = next(
                part
                for part in re.split(r"\n    (?:async )?def |\n  (?=\w)", made[language])
                if part.startswith(f"{name}(")
            )
            assert re.sub(r"\$?\{", "{", one.within) in own.replace("${", "{"), (language, one.id)
            assert one.is_paged or one.method == "GET" or f"'{one.method}'" in own or f'"{one.method}"' in own
            assert all(query in own or language == "javascript" for query in one.queries), (language, one.id)
