"""A real Chromium for tests: the system's, as the path names it. The one without windows takes half the time."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from tests.support.waiting import PATIENCE_S

PATIENCE_MS = PATIENCE_S * 1000

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, NAMES)), None)

AXE = Path(__file__).parents[2] / ".lint/node_modules/axe-core/axe.min.js"
# What passes need not be described, and no style sheet lies elsewhere.
FAULTS = """async passed => {
  const { violations } = await axe.run({ exclude: [passed] }, { resultTypes: ["violations"], preload: false });
  return violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]);
}"""


class Watched:
    """A page, with the browser's complaints about it and the addresses that it requested."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.complaints: list[str] = []
        # A busy machine's service may answer so, and a page waits for it; a page that says it fails its test.
        self.borne = ["status of 503"]
        self.requests: list[str] = []
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def _listen(self, message: ConsoleMessage) -> None:
        if not any(borne in message.text for borne in self.borne):
            self.complaints.append(message.text)

    def faults(self, but: str = "#nothing") -> list[list[str]]:
        """What axe finds wrong with the page as it is: rules, each with a place. Skips where axe is not installed.

        It looks at nothing in the elements of the selector `but`: such as are like others, of which a few will do.
        """
        if not AXE.exists():
            pytest.skip("axe-core is not installed: `make typescript` installs it where there is npm")
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE.read_text())
        found: list[list[str]] = self.page.evaluate(FAULTS, but)
        return found

    def assert_clean(self) -> None:
        """The browser complained of nothing, and every request went to the service."""
        assert self.complaints == [], self.complaints
        elsewhere = [url for url in self.requests if not url.startswith(self.url)]
        assert elsewhere == [], elsewhere


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser of a module's tests; those are skipped where none is installed and none can be."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: on Debian, `apt-get install chromium-headless-shell`")
    # Chromium's sandbox needs an ordinary user.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()
