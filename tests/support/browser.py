"""A real Chromium for tests: the system's, found on the path."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser of a module's tests; those are skipped where none is installed and none can be."""
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: on Debian, `apt-get install chromium`")
    # Chromium's sandbox needs an ordinary user.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    # Other tests keep the machine busy.
    expect.set_options(timeout=30_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()
