/** What its player prefers at the table: what is asked for and explained, and whether the only act is taken. It stays in this browser. */

import { element } from "../dom.js";
import { say } from "../say.js";

const NAME = "codille-preferences";

/** @type {Record<string, boolean>} */
let preferred = { exchange: true, discard: true, contract: true, only: false, explain: true };
try {
  preferred = { ...preferred, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
} catch {
  // A browser that keeps nothing begins with the defaults.
}

/** @param {string} name */
export const prefers = (name) => preferred[name] === true;

/** The preferences, to be changed. */
class PlayPreferences extends HTMLElement {
  connectedCallback() {
    const choices = Object.keys(preferred).map((name) => {
      const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", name, change: () => prefer(name, box.checked) }));
      box.checked = prefers(name);
      return element("label", {}, box, " ", say(`play.prefer.${name}`));
    });
    this.replaceChildren(element("p", { class: "quiet" }, say("play.preferences.text")), ...choices);
  }
}

/** @param {string} name @param {boolean} wanted */
function prefer(name, wanted) {
  preferred = { ...preferred, [name]: wanted };
  try {
    localStorage.setItem(NAME, JSON.stringify(preferred));
  } catch {
    // It lasts as long as the page.
  }
  dispatchEvent(new Event("preferred"));
}

customElements.define("play-preferences", PlayPreferences);
