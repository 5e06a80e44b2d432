"""The replay page without a table: a record's file is dropped on it or chosen, and stepped through as a table is."""

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.contract.test_checked_records import of_other_rules, published, rewritten
from tests.support.browser import browser
from tests.support.table_page import Party, Visit, window

__all__ = ["browser", "window"]

DROP = """
([name, data]) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const transfer = new DataTransfer();
  transfer.items.add(new File([bytes], name));
  for (const type of ["dragover", "drop"]) {
    document.body.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }
}
"""


class FilePage(Visit):
    """The page, to which files are given."""

    def choose(self, data: bytes, name: str = "kept.ndjson") -> "FilePage":
        """Opens the page and chooses a file."""
        self.page.goto(f"{self.url}/replay")
        self.page.set_input_files("#file-input", {"name": name, "mimeType": "", "buffer": data})
        return self

    @property
    def verdict(self) -> str:
        """The verdict that is shown."""
        return self.page.locator("#verdict .badge").inner_text()

    def checked(self) -> "FilePage":
        """Waits until all of the file has come."""
        expect(self.page.locator("#file-state")).to_contain_text("is checked")
        return self


@pytest.fixture
def page(window: BrowserContext, service_url: str) -> Iterator[FilePage]:
    page = FilePage(window.new_page(), service_url)
    yield page
    page.assert_clean()
    page.page.close()


def test_a_file_of_this_house_is_stepped_through_as_its_table_is(page: FilePage, service_url: str) -> None:
    party = Party(service_url)
    party.play_until("deal-scored")
    table = page.open(party.table).page
    last = page.step
    sentences, felts = [], []
    for step in (2, last // 2, last):
        page.page.evaluate(f"location.hash = '#{step}'")
        page.at(step)
        sentences.append(table.locator("#sentence").inner_text())
        felts.append(table.locator("#felt").inner_html())
    data = httpx.get(f"{service_url}/v1/tables/{party.table}/export", trust_env=False).content
    page.choose(data).checked()
    assert page.verdict == "intact"
    for step, sentence, felt in zip((2, last // 2, last), sentences, felts, strict=True):
        page.page.evaluate(f"location.hash = '#{step}'")
        page.at(step)
        assert page.page.locator("#sentence").inner_text() == sentence
        assert page.page.locator("#felt").inner_html() == felt
    assert page.page.locator("#ledger .line").count() > 0
    assert page.page.locator("#audit .badge").first.inner_text() == "intact"
    for hidden in ("#share", "#token-open", "#others", "#following", "#to-play"):
        expect(page.page.locator(hidden)).to_be_hidden()


def test_a_dropped_file_of_another_house_is_stepped_through_by_keyboard_with_any_eyes(page: FilePage) -> None:
    page.page.goto(f"{page.url}/replay")
    page.page.evaluate(DROP, ["dropped.ndjson", base64.b64encode(published("finished-tetka.ndjson")).decode()])
    page.checked()
    assert page.verdict == "unpinned"
    page.page.keyboard.press("Home")
    page.at(1)
    page.page.keyboard.press("PageDown")
    expect(page.page.locator("#felt .card").first).to_be_visible()
    open_cards = len(page.cards())
    page.page.locator("#eyes").select_option("public")
    expect(page.page.locator("#felt .card.back").first).to_be_visible()
    assert len(page.cards()) < open_cards
    page.page.locator("#eyes").select_option("seat:1")
    expect(page.page.locator('[data-seat="1"] .card:not(.back)').first).to_be_visible()
    expect(page.page.locator('[data-seat="0"] .card.back').first).to_be_visible()


def test_another_file_takes_the_place_of_the_first(page: FilePage) -> None:
    page.choose(published("finished-don.ndjson")).checked()
    expect(page.page.locator("#title")).to_contain_text("Don")
    page.page.set_input_files(
        "#file-input", {"name": "other.ndjson", "mimeType": "", "buffer": published("finished-boston.ndjson")}
    )
    expect(page.page.locator("#file-state")).to_have_text("other.ndjson is checked.")
    expect(page.page.locator("#title")).to_contain_text("Boston")
    assert page.page.locator("#events li").count() > 10


def test_an_altered_file_says_what_is_wrong_and_is_shown_as_far_as_it_can_be(page: FilePage) -> None:
    data = published("finished-tetka.ndjson")
    lines = data.splitlines()
    number = next(number for number, line in enumerate(lines) if b'"type":"cards-dealt"' in line) + 3
    public = dict.fromkeys(json.loads(lines[number])["public"], "x")
    page.choose(rewritten(data, number, public=public)).checked()
    assert page.verdict == "altered"
    expect(page.page.locator("#verdict .failed").first).to_be_visible()
    page.page.evaluate(f"location.hash = '#{number - 1}'")
    expect(page.page.locator("#felt .seat").first).to_be_visible()
    page.page.evaluate(f"location.hash = '#{number}'")
    expect(page.page.locator("#felt")).to_contain_text("does not follow")


def test_of_unknown_rules_events_are_shown_without_views(page: FilePage) -> None:
    page.choose(of_other_rules(published("finished-king.ndjson"))).checked()
    expect(page.page.locator("#raw li")).to_have_count(200)
    expect(page.page.locator("#main")).to_be_hidden()
    page.page.locator("#raw-more").click()
    expect(page.page.locator("#raw li")).to_have_count(400)
    page.page.locator("#raw summary").first.click()
    expect(page.page.locator("#raw pre").first).to_contain_text('"table-opened"')
    assert page.faults("#raw li:nth-child(n+3)") == []


MARKUP = "<img src=x onerror=\"document.title='stolen'\"><script>document.title='stolen'</script>"


def test_markup_in_a_foreign_file_is_text(page: FilePage) -> None:
    talk = published("talk.ndjson")
    number = next(number for number, line in enumerate(talk.splitlines()) if b'"type":"table-talk"' in line)
    sealed = json.loads(talk.splitlines()[number])["sealed"]
    words = rewritten(talk, number, sealed={"public": sealed["public"] | {"data": {"text": MARKUP}}})
    raw = of_other_rules(talk)
    for line in range(1, len(raw.splitlines()) - 1):
        raw = rewritten(raw, line, type=MARKUP, actor=MARKUP, at=MARKUP)
    header = rewritten(rewritten(talk, 0, audience=MARKUP, table=MARKUP), 1, game=MARKUP)
    for data in (words, raw, header):
        page.choose(data, name=f"{MARKUP.replace('/', '')}.ndjson").checked()
        assert page.page.locator("img, #raw script, #main script, #file script").count() == 0
        assert "stolen" not in page.page.title()
    page.choose(words).checked()
    page.page.evaluate(f"location.hash = '#{number}'")
    expect(page.page.locator("#sentence")).to_contain_text("<img src=x")


def test_what_is_no_record_is_said(page: FilePage) -> None:
    for data in (b"", b"Dear Ada,\n", bytes(range(256))):
        page.choose(data).checked()
        assert page.verdict == "no record"
        expect(page.page.locator("#main")).to_be_hidden()
    page.borne += ["status of 413", "status of 415"]
    page.choose(b"{}\n" * 30_000)
    expect(page.page.locator("#failure")).to_contain_text("20000 lines")
    page.choose(b"\x1f\x8b" + bytes(100))
    expect(page.page.locator("#failure")).to_contain_text("must not be compressed")


@pytest.fixture(params=["light", "dark"])
def phone(browser: Browser, service_url: str, request: pytest.FixtureRequest) -> Iterator[FilePage]:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme=request.param, has_touch=True, is_mobile=True
    )
    page = FilePage(context.new_page(), service_url)
    yield page
    page.assert_clean()
    context.close()


def test_it_fits_a_phone_and_axe_finds_no_fault(phone: FilePage, tmp_path: Path) -> None:
    phone.page.goto(f"{phone.url}/replay")
    expect(phone.page.locator("#file")).to_be_visible()
    assert phone.faults() == []
    phone.page.screenshot(path=tmp_path / "empty.png")
    phone.choose(published("disputed.ndjson")).checked()
    expect(phone.page.locator("#place")).to_have_text(re.compile(r"^\d+ /"))
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    assert phone.faults("#events li:nth-child(n+5)") == []
    phone.page.screenshot(path=tmp_path / "shown.png", full_page=True)
