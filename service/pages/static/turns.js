/** What calls for the player, on a page: the tables at which it is the player's turn, and those to play again at. */

import { token } from "./api.js";
import { element, fail, named } from "./dom.js";
import { Client } from "./kit/client.js";
import { answered, rematches, turns } from "./notices.js";
import { say } from "./say.js";

/** The table whose page this is, if it is one to play at. */
const here = /^\/play\/([^/]+)$/.exec(location.pathname)?.[1];
/** The window's title, the one while it is the player's turn on this page, and whether it is. */
let [title, ofTurn, isTurn] = [document.title, document.title, false];

/** The tables that are not before the player's eyes, from this one on. */
function elsewhere() {
  const place = turns().findIndex(({ table }) => table === here);
  return [...turns().slice(place + 1), ...turns().slice(0, Math.max(place, 0))];
}

/**
 * Gives the window of a table its titles, to which is added at how many others it is the player's turn.
 * @param {string} plain
 * @param {string} called while it is the player's turn
 * @param {boolean} isCalled whether it is, as the page shows it: a hidden page goes by what is noticed
 */
export function entitle(plain, called, isCalled) {
  [title, ofTurn, isTurn] = [plain, called, isCalled];
  showTitle();
}

function showTitle() {
  const count = elsewhere().length;
  const own = (document.hidden ? turns().some(({ table }) => table === here) : isTurn) ? ofTurn : title;
  const shown = count ? say("turns.window", { count, title: own }) : own;
  if (document.title !== shown) document.title = shown;
}

/** The tables at which it is the player's turn, with a key to the next: folded, but in a section of its own. */
class OwnTurns extends HTMLElement {
  list = element("ul");
  count = element("summary");

  connectedCallback() {
    this.section = this.closest("section");
    const listed = element("div", {}, this.list, element("p", { class: "quiet" }, say("turns.key")));
    const folded = element("details", {}, this.count, listed);
    this.replaceChildren(this.section ? listed : folded);
    addEventListener("noticed", () => this.show());
    document.addEventListener("click", ({ target }) => {
      if (target instanceof Node && !this.contains(target)) folded.removeAttribute("open");
    });
    this.show();
  }

  show() {
    const tables = elsewhere();
    const count = tables.length;
    if (this.section) this.section.hidden = count === 0;
    this.classList.toggle("none", count === 0);
    const text = say("turns.count", { count });
    if (this.count.textContent !== text) this.count.textContent = text;
    this.count.dataset["count"] = `${count}`;
    const focused = this.list.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    this.list.replaceChildren(
      ...tables.map(({ table, title: game, names }, place) =>
        element(
          "li",
          { "data-table": table },
          element("a", { href: `/play/${table}`, "aria-keyshortcuts": place ? undefined : "Alt+N" }, element("b", {}, game || say("turns.game")), " ", element("span", {}, ...named(names))),
        ),
      ),
    );
    if (focused) /** @type {HTMLElement | null} */ (this.list.querySelector(`a[href="${focused}"]`))?.focus();
  }
}

/** Takes the seat that is kept at a table, and goes there. @param {string} table */
async function takeSeat(table) {
  try {
    await new Client(location.origin, token()).table(table).sit();
    location.assign(`/play/${table}`);
  } catch (error) {
    fail(error);
  } finally {
    // Where it can't be taken any more, it is not offered any more.
    answered(table);
  }
}

/** Who would like to play what again, with the kept seat. */
const wanted = element("div", { class: "rematches", role: "status" });

function invitations() {
  const shown = rematches().filter(({ table }) => table !== here);
  const known = new Map([...wanted.children].map((one) => [one.getAttribute("data-table"), one]));
  const rows = shown.map(({ table, title: game, names }) => {
    const sit = (/** @type {Event} */ event) => (event.preventDefault(), void takeSeat(table));
    return (
      known.get(table) ??
      element(
        "p",
        { class: "notice", "data-table": table },
        ...named(say("turns.rematch", { names: names || say("turns.rematch.somebody"), game })),
        " ",
        element("a", { class: "button main", href: `/play/${table}`, click: sit }, say("turns.rematch.sit")),
        " ",
        element("button", { type: "button", click: () => answered(table) }, say("turns.rematch.no")),
      )
    );
  });
  // The same text again would be read out again.
  if (rows.length !== known.size || rows.some((row) => !row.isConnected)) wanted.replaceChildren(...rows);
}

document.querySelector("header")?.after(wanted);
addEventListener("noticed", () => {
  showTitle();
  invitations();
});
document.addEventListener("visibilitychange", showTitle);
addEventListener("keydown", (press) => {
  const [next] = elsewhere();
  if (!next || !press.altKey || press.ctrlKey || press.metaKey || press.shiftKey || press.code !== "KeyN") return;
  press.preventDefault();
  location.assign(`/play/${next.table}`);
});
customElements.define("own-turns", OwnTurns);
showTitle();
invitations();
