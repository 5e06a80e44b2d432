"""The documentation page shows the whole document and needs nothing but itself."""

import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import Any

import pytest

from service.spec.page import page

VOID = {"meta", "link", "br", "hr", "img", "input"}


class Read(HTMLParser):
    """What a page refers to; fails on tags that do not match."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.references: list[str] = []
        self.tags: set[str] = set()
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = dict(attrs)
        if identity := given.get("id"):
            assert identity not in self.ids
            self.ids.add(identity)
        self.references += [value for name in ("href", "src") if (value := given.get(name))]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def html(document: Mapping[str, Any]) -> str:
    return page(document)


def test_every_operation_and_schema_is_shown(document: Mapping[str, Any], html: str) -> None:
    shown = Read(html).ids
    assert {op["operationId"] for methods in document["paths"].values() for op in methods.values()} <= shown
    assert {f"schema-{name}" for name in document["components"]["schemas"]} <= shown


def test_it_needs_no_script_and_nothing_from_elsewhere(html: str) -> None:
    read = Read(html)
    assert not read.tags & {"script", "img", "link", "iframe", "object"}
    assert "@import" not in html
    assert "url(" not in html
    assert {reference for reference in read.references if not reference.startswith("#")} == {"/v1/openapi.json"}


def test_every_link_within_it_leads_somewhere(html: str) -> None:
    read = Read(html)
    assert {reference[1:] for reference in read.references if reference.startswith("#")} <= read.ids


def test_it_goes_dark_with_the_system(html: str) -> None:
    assert "prefers-color-scheme:dark" in html


def test_each_operation_has_a_line_for_curl(document: Mapping[str, Any], html: str) -> None:
    operations = sum(len(methods) for methods in document["paths"].values())
    assert len(re.findall(r"<code>curl ", html)) == operations


def test_texts_are_escaped(document: Mapping[str, Any]) -> None:
    info = document["info"] | {"title": "<script>", "description": "a < b & `c < d`"}
    html = page({**document, "info": info})
    assert "<h1>&lt;script&gt;</h1>" in html
    assert "a &lt; b &amp; <code>c &lt; d</code>" in html
