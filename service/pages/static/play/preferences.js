/** What its player prefers at the table: what is asked for and explained, and whether the only act is taken. It stays in this browser. */

import { element } from "../dom.js";
import { say } from "../say.js";

const NAME = "codille-preferences";

/** The milliseconds between two things that others do in a row, of which one is preferred. */
const PACES = [0, 300, 700, 1500];

/** @type {Record<string, boolean | number>} */
let preferred = { exchange: true, discard: true, contract: true, only: false, explain: true, pace: 700 };
try {
  preferred = { ...preferred, ...JSON.parse(localStorage.getItem(NAME) ?? "{}") };
} catch {
  // A browser that keeps nothing begins with the defaults.
}

/** @param {string} name */
export const prefers = (name) => preferred[name] === true;

/** Milliseconds between two things that others do in a row. */
export const pace = () => Number(preferred["pace"]) || 0;

/** The preferences, to be changed. */
class PlayPreferences extends HTMLElement {
  connectedCallback() {
    const choices = Object.keys(preferred).filter((name) => name !== "pace").map((name) => {
      const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", name, change: () => prefer(name, box.checked) }));
      box.checked = prefers(name);
      return element("label", {}, box, " ", say(`play.prefer.${name}`));
    });
    this.replaceChildren(element("p", { class: "quiet" }, say("play.preferences.text")), ...choices, this.pace());
  }

  /** How fast others are shown. */
  pace() {
    const among = /** @type {HTMLSelectElement} */ (element("select", { name: "pace", change: () => prefer("pace", Number(among.value)) }, ...PACES.map((each) => element("option", { value: each }, say(`play.pace.${each}`)))));
    among.value = String(pace());
    return element("label", {}, say("play.prefer.pace"), " ", among);
  }
}

/** @param {string} name @param {boolean | number} wanted */
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
