"""The kit for TypeScript, in Node: its requests, what it follows, and its size."""

import re

import pytest

from tests.support.typescript import KIT, needs_node, passes, sizes

MOST_LINES = 850
"""Lines of code of the client, types aside."""

APART = ("verify.js", "sha256.js", "operations.js")
"""Modules that verify, which nobody needs who plays, and what is made of the document."""


@needs_node
@pytest.mark.parametrize("test", ["requests.test.mjs", "following.test.mjs"])
def test_the_kit_copes_with_a_service_that_misbehaves(test: str) -> None:
    passes(test)


@needs_node
def test_the_kit_speaks_to_a_running_service(service_url: str) -> None:
    passes("service.test.mjs", {"SERVICE_URL": service_url})


def test_the_client_is_short() -> None:
    counted = sizes([path.name for path in (KIT / "src").glob("*.js")])
    assert sum(lines for name, lines in counted.items() if name not in APART) <= MOST_LINES, counted


def test_no_module_of_the_kit_needs_node_or_a_package() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (KIT / "src").glob("*.js")]
    imported = re.findall(r'^(?:im|ex)port .* from "(.*)";$', "\n".join(sources), re.MULTILINE)
    assert {name[:2] for name in imported} == {"./"}
    assert not any("node:" in source or "process." in source or "Buffer." in source for source in sources)
