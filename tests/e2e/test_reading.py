"""The pages that the service renders, in a real browser: they are read without JavaScript."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.support.browser import Watched, browser
from tests.support.kits import needs_npm, served_kits
from tests.support.table_page import Party

__all__ = ["browser"]


@pytest.fixture
def reader(browser: Browser, service_url: str) -> Iterator[Watched]:
    context = browser.new_context(viewport={"width": 375, "height": 800})
    reader = Watched(context.new_page(), service_url)
    yield reader
    reader.assert_clean()
    context.close()


def test_the_rules_of_a_game_are_read_without_scripts(browser: Browser, service_url: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{service_url}/games/crocodile#CR-7.3")
    expect(page.locator(":target")).to_contain_text("Then both opponents, the one on declarer's left first.")
    expect(page.locator(":target")).to_be_in_viewport()
    context.close()


def test_axe_finds_nothing_in_the_rules(reader: Watched) -> None:
    reader.page.goto(f"{reader.url}/games/crocodile")
    assert reader.faults() == []
    # On a phone wide tables scroll by themselves.
    assert reader.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@needs_npm
def test_axe_finds_nothing_in_the_kits(reader: Watched) -> None:
    served_kits()
    reader.page.goto(f"{reader.url}/kits/")
    expect(reader.page.locator("section")).to_have_count(4)
    assert reader.faults() == []
    assert reader.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_axe_finds_nothing_in_a_deal_and_its_events_are_links(reader: Watched) -> None:
    party = Party(reader.url)
    party.play_until("deal-scored")
    reader.page.goto(f"{reader.url}/replay/{party.table}/deal/1")
    assert reader.faults() == []
    assert reader.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_picture_of_a_table_has_its_styles_by_itself(reader: Watched) -> None:
    party = Party(reader.url)
    reader.page.goto(f"{reader.url}/v1/tables/{party.table}/replay/6.svg")
    expect(reader.page.locator("svg")).to_have_attribute("role", "img")
    expect(reader.page.locator(".paper")).to_have_css("fill", "rgb(246, 244, 238)")
    reader.page.emulate_media(color_scheme="dark")
    expect(reader.page.locator(".paper")).to_have_css("fill", "rgb(20, 24, 22)")
