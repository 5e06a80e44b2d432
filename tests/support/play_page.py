"""The page at which a person plays, in a browser, and a person that plays there by mouse, by touch or by keyboard."""

import random
import re
from collections.abc import Callable
from typing import Any

import httpx
from playwright.sync_api import BrowserContext, expect
from playwright.sync_api import TimeoutError as Waited

from tests.support.browser import PATIENCE_MS, Watched
from tests.support.registry import GAMES, fewest_deals
from tests.support.waiting import PATIENCE_S

STATE = """() => {
  const shown = selector => [...document.querySelectorAll(selector)].filter(it => it.checkVisibility());
  const keys = selector => shown(selector).map(it => it.dataset.key);
  return {
    acts: keys("play-choices .acts button:not(.undo)"),
    values: keys("play-choices .value:not(.picked)"),
    cards: keys("#play button[data-card]:not([aria-disabled]):not(.picked), #play [data-place-of]:not(.picked)"),
    undo: keys("play-choices .undo"),
    summary: keys('play-summary [data-key="next-deal"]'),
    over: document.querySelector('[data-key="rematch"]') !== null,
  };
}"""
"""What can be chosen on the page now."""
Offered = Callable[[dict[str, Any]], bool]
"""Whether what can be chosen is what a test waits for."""
READY = f"() => Object.values(({STATE})()).some(it => it === true || it.length)"
TRIED_MS, TRIES = 1000, 60
POLLING_MS = 50
"""The pause between two looks. By default there is one before each frame, which keeps the browser busy."""
WHERE = """key => {
  const wanted = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const active = document.activeElement;
  if (!wanted) return "gone";
  if (active === wanted) return "there";
  const group = wanted.closest("[data-roving]");
  const after = active.compareDocumentPosition(wanted) & Node.DOCUMENT_POSITION_FOLLOWING;
  if (group && group === active.closest("[data-roving]")) return after ? "ArrowRight" : "ArrowLeft";
  return active === document.body || after ? "Tab" : "Shift+Tab";
}"""
"""The key to press to come nearer to a thing."""
FOCUSED = "() => document.activeElement !== document.body"
AGAIN = 0.3
"""How often what makes no act yet is given up: many cards at random seldom add up."""


class Player(Watched):
    """A player before the page of a table."""

    def __init__(self, context: BrowserContext, url: str, name: str = "Ada", token: str | None = None) -> None:
        self.http = httpx.Client(base_url=f"{url}/v1", trust_env=False, timeout=PATIENCE_S)
        self.token: str = token or self.http.post("/players", json={"name": name}).json()["token"]
        self.headers = {"Authorization": f"Bearer {self.token}"}
        super().__init__(context.new_page(), url)
        self.page.add_init_script(f"sessionStorage.setItem('codille-token', '{self.token}')")

    def opens(self, game: str, **more: Any) -> str:
        """Opens a table for the fewest deals. Its id."""
        body = {"game": game, "deals": fewest_deals(GAMES[game]), **more}
        return str(self.http.post("/tables", json=body, headers=self.headers).json()["table"])

    def visit(self, table: str) -> "Player":
        """Goes to the table's page."""
        self.page.goto(f"{self.url}/play/{table}")
        expect(self.page.locator("#main")).to_be_visible()
        return self

    def sits(self, table: str, seat: int = 0) -> "Player":
        """Takes a seat without the page."""
        answer = self.http.post(f"/tables/{table}/seats", json={"seat": seat}, headers=self.headers)
        assert answer.is_success, answer.text
        return self

    def view(self, table: str) -> dict[str, Any]:
        """The table as the interface has it for this player."""
        found: dict[str, Any] = self.http.get(f"/tables/{table}", headers=self.headers).json()
        return found

    def state(self) -> dict[str, Any]:
        """What can be chosen now."""
        found: dict[str, Any] = self.page.evaluate(STATE)
        return found

    def plays(
        self, rng: random.Random, *, by: str = "mouse", most: int = 10_000, until: Offered = lambda _: False
    ) -> int:
        """Chooses among what the page offers until the game is over, or so often, or until it offers what is wanted.

        Nothing is chosen of what was not looked at. The number of choices.
        """
        for number in range(most):
            self.page.wait_for_function(READY, timeout=PATIENCE_MS, polling=POLLING_MS)
            state = self.state()
            if state["over"] or until(state):
                return number
            self.chooses(picked(state, rng), by)
        return most

    def chooses(self, key: str, by: str) -> None:
        """Chooses a thing, if it is still there."""
        if by == "keyboard":
            return self.types(key)
        thing = self.page.locator(f"[data-key={quoted(key)}]").first
        for _ in range(TRIES):
            try:
                return thing.click(timeout=TRIED_MS) if by == "mouse" else thing.tap(timeout=TRIED_MS)
            except Waited:
                # Others may have acted meanwhile, or it was painted anew while it was to be clicked.
                if key not in str(self.state().values()) or not thing.is_visible():
                    return None
        raise AssertionError(f"{key} can't be chosen")

    def types(self, key: str) -> None:
        """Goes to a thing by Tab and arrows, and chooses it with Enter."""
        for _ in range(200):
            step = self.page.evaluate(WHERE, key)
            if step in ("there", "gone"):
                break
            self.page.keyboard.press(step)
        if step == "there":
            self.page.keyboard.press("Enter")
        assert step in ("there", "gone"), f"the keyboard does not lead to {key}"
        assert self.page.evaluate(FOCUSED), f"after {key} the focus is lost"


def picked(state: dict[str, Any], rng: random.Random) -> str:
    """One of the choices: an act that is whole more often than what is still to be picked; or to begin picking anew.

    What a deal came to is looked at before.
    """
    if state["summary"]:
        return str(state["summary"][0])
    choices = [*state["acts"] * 3, *state["cards"], *state["values"]]
    if not state["acts"] and state["undo"] and (not choices or rng.random() < AGAIN):
        return str(state["undo"][0])
    return str(rng.choice(choices))


def quoted(key: str) -> str:
    """The key as a string of a selector."""
    return '"' + re.sub(r'(["\\])', r"\\\1", key) + '"'
