"""The kit for TypeScript, in Node: its requests, what it follows, and its size."""

import re

import pytest

from tests.support.typescript import KIT, needs_node, passes, sizes

MOST_LINES = 850
"""Lines of code of the client, types aside."""

APART = ("verify.js", "sha256.js", "operations.js", "login.js", "node.js")
"""Modules that verify, which nobody needs who plays, what is made of the document, and those of `MOST_FOR_LOGIN`."""

MOST_FOR_LOGIN = 80
"""Lines of code for logging in, imports aside."""


@needs_node
@pytest.mark.parametrize("test", ["requests.test.mjs", "following.test.mjs"])
def test_the_kit_copes_with_a_service_that_misbehaves(test: str) -> None:
    passes(test)


@needs_node
@pytest.mark.parametrize("test", ["service.test.mjs", "login.test.mjs"])
def test_the_kit_speaks_to_a_running_service(service_url: str, test: str) -> None:
    passes(test, {"SERVICE_URL": service_url})


def test_the_client_is_short() -> None:
    counted = sizes([path.name for path in (KIT / "src").glob("*.js")])
    assert sum(lines for name, lines in counted.items() if name not in APART) <= MOST_LINES, counted


def test_logging_in_is_short() -> None:
    login = ("login.js", "node.js")
    imports = sum(line.startswith("import ") for name in login for line in source(name).splitlines())
    assert sum(sizes(login).values()) - imports <= MOST_FOR_LOGIN


def source(name: str) -> str:
    return (KIT / "src" / name).read_text(encoding="utf-8")


def test_no_module_of_the_kit_needs_a_package_and_one_alone_needs_node() -> None:
    sources = [source(path.name) for path in (KIT / "src").glob("*.js") if path.name != "node.js"]
    imported = re.findall(r'^(?:im|ex)port .* from "(.*)";$', "\n".join(sources), re.MULTILINE)
    assert {name[:2] for name in imported} == {"./"}
    assert "./node.js" not in imported
    assert not any("node:" in text or "process." in text or "Buffer." in text for text in sources)
    assert {name[:5] for name in re.findall(r' from "(.*)";$', source("node.js"), re.MULTILINE)} <= {
        "node:",
        "./cli",
        "./log",
    }
