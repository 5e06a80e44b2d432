"""Being somebody in a browser: a name is enough, secrets stay until they are kept elsewhere, and never are in links."""

import re
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.support.browser import Watched, browser

__all__ = ["browser"]

NAME = "<b>Zoe</b> & “Zita”"
DENIED = """for (const kind of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, kind, { get() { throw new DOMException("denied", "SecurityError"); } });
}"""
IDENTIFY = "async () => (await import('/page/identity.js')).identify()"


class Visitor(Watched):
    """A first page whose visitor may be somebody."""

    def open(self) -> "Visitor":
        """Loads the page, and waits for the menu."""
        self.page.goto(self.url)
        expect(self.page.locator("#identity > *")).to_be_visible()
        return self

    def become(self, name: str) -> None:
        """Chooses a name."""
        self.page.locator("#identity button").click()
        self.page.get_by_label("Name", exact=True).fill(name)
        self.page.get_by_role("button", name="That is me").click()

    def choose(self, item: str) -> None:
        """Chooses an item of the menu."""
        self.page.locator("#identity summary").click()
        self.page.get_by_role("button", name=item).click()

    def register(self, name: str) -> dict[str, str]:
        """Chooses a name. The secrets that the menu shows."""
        self.become(name)
        self.choose("Recovery secret")
        return self.secrets(f"Keep these, {name}")

    def secrets(self, title: str) -> dict[str, str]:
        """The secrets that a dialog of this title shows."""
        expect(self.page.get_by_role("heading", name=title)).to_be_visible()
        shown = ("player", "recovery", "token")
        return {of: self.page.locator(f"#identity-{of}").input_value() for of in shown}

    def kept(self) -> str | None:
        """The token that the browser keeps."""
        kept: str | None = self.page.evaluate("localStorage.getItem('codille-token')")
        return kept


@pytest.fixture
def window(browser: Browser) -> Iterator[BrowserContext]:
    """A window of a browser that knows nobody."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    yield context
    context.close()


@pytest.fixture
def visitor(window: BrowserContext, service_url: str) -> Iterator[Visitor]:
    visitor = Visitor(window.new_page(), service_url)
    yield visitor
    visitor.assert_clean()


def me(url: str, token: str) -> httpx.Response:
    """Who the service says that is."""
    return httpx.get(f"{url}/v1/players/me", headers={"Authorization": f"Bearer {token}"}, trust_env=False)


def test_a_name_is_enough_and_secrets_stay_until_they_are_kept_and_never_in_an_address(visitor: Visitor) -> None:
    page = visitor.open().page
    page.locator("#identity button").click()
    assert visitor.faults() == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    secrets = visitor.register(NAME)
    assert visitor.faults() == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert me(visitor.url, secrets["token"]).json() | {"tables": []} == {
        "player": secrets["player"],
        "name": NAME,
        "scopes": ["play"],
        "tables": [],
    }
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#identity summary")).to_have_text(f"You: {NAME}")
    assert visitor.kept() == secrets["token"]
    assert not any(secret in page.content() for secret in (secrets["token"], secrets["recovery"]))
    visitor.open().choose("Forget me here")
    assert visitor.secrets(f"Forget {NAME} here?") == secrets
    page.get_by_role("button", name="Cancel").click()
    visitor.choose("Recovery secret")
    assert visitor.secrets(f"Keep these, {NAME}") == secrets
    page.get_by_role("button", name="I have kept them").click()
    visitor.open()
    assert secrets["recovery"] not in page.evaluate("JSON.stringify(localStorage)")
    page.locator("#identity summary").click()
    expect(page.get_by_role("button", name="Recovery secret")).to_have_count(0)
    expect(page.locator("#identity a")).to_have_attribute("href", f"/players/{secrets['player']}")
    assert visitor.faults() == []
    assert page.evaluate(IDENTIFY) == {"player": secrets["player"], "name": NAME, "token": secrets["token"]}
    assert not any("codille_" in url for url in visitor.requests)


def test_who_cancels_is_nobody(visitor: Visitor) -> None:
    page = visitor.open().page
    asked = page.evaluate_handle(f"() => ({{ answer: ({IDENTIFY})() }})")
    page.get_by_role("button", name="Cancel").click()
    assert page.evaluate("async asked => await asked.answer", asked) is None
    assert visitor.kept() is None


def test_what_is_refused_is_said_in_words(visitor: Visitor) -> None:
    page = visitor.open().page
    page.locator("#identity button").click()
    page.get_by_label("Name", exact=True).fill("Zo\u202ee")
    send = page.get_by_role("button", name="That is me")
    send.click()
    alert = page.get_by_role("dialog").get_by_role("alert")
    expect(alert).to_contain_text("The name must have a visible character, and none that is invisible")
    page.route("**/v1/players", lambda route: route.abort())
    page.get_by_label("Name", exact=True).fill("Zoe")
    send.click()
    expect(alert).to_have_text("The service cannot be reached.")
    page.unroute("**/v1/players")
    send.click()
    expect(page.locator("#identity summary")).to_have_text("You: Zoe")
    # A browser's console notes every refusal.
    visitor.complaints.clear()


def test_what_was_kept_gets_the_player_back_and_ends_the_tokens_before(visitor: Visitor) -> None:
    page = visitor.open().page
    secrets = visitor.register("Zoe")
    page.get_by_role("button", name="Cancel").click()
    visitor.choose("Forget me here")
    page.get_by_role("button", name="Forget me", exact=True).click()
    assert secrets["recovery"] not in page.evaluate("JSON.stringify(localStorage)")
    assert visitor.kept() is None
    page.locator("#identity > button").click()
    page.get_by_role("button", name="I have a recovery secret").click()
    assert visitor.faults() == []
    field = page.get_by_label("Player and recovery secret", exact=True)
    field.fill(secrets["recovery"])
    page.get_by_role("button", name="Get them back").click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("are needed")
    field.fill(f"Recovery secret: {secrets['recovery']}\nPlayer: {secrets['player']}\n")
    page.get_by_role("button", name="Get them back").click()
    expect(page.get_by_role("heading", name="Keep these, Zoe")).to_be_visible()
    kept = visitor.kept()
    assert kept
    assert me(visitor.url, kept).json()["player"] == secrets["player"]
    assert me(visitor.url, secrets["token"]).status_code == httpx.codes.UNAUTHORIZED


def test_where_storage_is_denied_the_page_knows_its_visitor_until_it_is_closed(visitor: Visitor) -> None:
    visitor.page.add_init_script(DENIED)
    page = visitor.open().page
    visitor.become("Zoe")
    secrets = visitor.secrets("Keep these, Zoe")
    expect(page.get_by_text("This browser keeps nothing")).to_be_visible()
    page.get_by_role("button", name="Done").click()
    expect(page.locator("#identity summary")).to_have_text("You: Zoe")
    assert page.evaluate(IDENTIFY)["token"] == secrets["token"]
    visitor.open()
    expect(page.locator("#identity button")).to_have_text("Choose a name")


def test_another_window_learns_of_it_and_a_token_that_is_revoked_is_forgotten(
    visitor: Visitor, window: BrowserContext
) -> None:
    visitor.open()
    other = window.new_page()
    other.goto(visitor.url)
    secrets = visitor.register("Zoe")
    expect(other.locator("#identity summary")).to_have_text("You: Zoe")
    own = httpx.Client(base_url=visitor.url, headers={"Authorization": f"Bearer {secrets['token']}"}, trust_env=False)
    (token,) = own.get("/v1/tokens").json()["items"]
    assert own.delete(f"/v1/tokens/{token['id']}").status_code == httpx.codes.NO_CONTENT
    visitor.page.goto(f"{visitor.url}/docs")
    expect(visitor.open().page.locator("#identity button")).to_have_text(re.compile("Choose a name"))
    assert visitor.kept() is None
    # A browser's console notes every refusal.
    visitor.complaints.clear()


def test_another_device_becomes_the_same_player_by_a_code(visitor: Visitor, browser: Browser) -> None:
    page = visitor.open().page
    secrets = visitor.register(NAME)
    page.get_by_role("button", name="I have kept them").click()
    visitor.choose("Another device")
    page.get_by_role("button", name="Show a code").click()
    shown = page.get_by_role("status").filter(has_text=re.compile("^[A-Z0-9]{4} [A-Z0-9]{4}$"))
    code = shown.inner_text()
    expect(page.get_by_text("more seconds")).to_be_visible()
    assert visitor.faults() == []
    context = browser.new_context()
    other = Visitor(context.new_page(), visitor.url).open()
    other.page.locator("#identity button").click()
    other.page.get_by_role("button", name="I have a code from another device").click()
    field, send = other.page.get_by_label("Code", exact=True), other.page.get_by_role("button", name="That is me")
    field.fill("AAAA AAAA")
    send.click()
    expect(other.page.get_by_role("dialog").get_by_role("alert")).to_contain_text("The code is wrong, was used")
    assert other.faults() == []
    field.fill(code.lower())
    send.click()
    expect(other.page.locator("#identity summary")).to_have_text(f"You: {NAME}")
    kept = other.kept()
    assert kept
    assert kept != secrets["token"]
    assert me(visitor.url, kept).json()["player"] == secrets["player"]
    other.complaints.clear()
    revokes(visitor, secrets["token"], kept)
    other.open()
    expect(other.page.locator("#identity button")).to_have_text("Choose a name")
    context.close()


def revokes(visitor: Visitor, token: str, other: str) -> None:
    """Revokes, by the menu, the other device's token alone, and then those of two programs at once."""
    page, bearer = visitor.open().page, {"Authorization": f"Bearer {token}"}
    programs = [
        httpx.post(f"{visitor.url}/v1/tokens", json={"name": name}, headers=bearer, trust_env=False).json()["token"]
        for name in ("<i>my bot</i>", "a club")
    ]
    page.locator("#identity summary").click()
    page.get_by_role("button", name="Devices and programs").click()
    listed = page.get_by_role("dialog").get_by_role("listitem")
    expect(listed).to_have_count(4)
    expect(listed.nth(0)).to_contain_text("This browser")
    expect(listed.nth(0).get_by_role("button")).to_have_count(0)
    expect(listed.nth(2)).to_contain_text("<i>my bot</i>Added on")
    assert visitor.faults() == []
    listed.nth(1).get_by_role("button", name="Revoke: Without a name. Added on").click()
    expect(page.get_by_text("1 token is revoked.")).to_be_visible()
    expect(listed).to_have_count(3)
    assert me(visitor.url, other).status_code == httpx.codes.UNAUTHORIZED
    assert [me(visitor.url, each).status_code for each in programs] == [httpx.codes.OK] * 2
    page.get_by_role("button", name="Revoke all others").click()
    expect(page.get_by_text("2 tokens are revoked.")).to_be_visible()
    expect(listed).to_have_count(1)
    assert [me(visitor.url, each).status_code for each in (*programs, token)] == [401, 401, httpx.codes.OK]
    page.get_by_role("button", name="Done").click()
