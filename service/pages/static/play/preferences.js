/** What its player prefers at the table: what is asked for and explained, whether the only act is taken, how cards look. It stays in this browser. */

import { element } from "../dom.js";
import { choose, look, LOOKS } from "../looks.js";
import { say } from "../say.js";
import { store, stored } from "../stored.js";

const NAME = "codille-preferences";

/** The milliseconds between two things that others do in a row, of which one is preferred. */
const PACES = [0, 300, 700, 1500];

/** @type {Record<string, boolean | number>} */
let preferred = { exchange: true, discard: true, contract: true, only: false, explain: true, pace: 700, ...stored(NAME) };

/** @param {string} name */
export const prefers = (name) => preferred[name] === true;

/** Milliseconds between two things that others do in a row. */
export const pace = () => Number(preferred["pace"]) || 0;

/**
 * One of several values, to be chosen.
 * @param {string} name @param {string} label @param {[string, string][]} values each with its text
 * @param {string} value the one that is chosen @param {(value: string) => void} change
 */
function choice(name, label, values, value, change) {
  const options = values.map(([one, text]) => element("option", { value: one, selected: one === value }, text));
  const select = element("select", { name, change: () => change(select.value) }, ...options);
  return element("label", {}, label, " ", select);
}

/** The preferences, to be changed. */
class PlayPreferences extends HTMLElement {
  connectedCallback() {
    const choices = Object.keys(preferred).filter((name) => name !== "pace").map((name) => {
      const box = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox", name, change: () => prefer(name, box.checked) }));
      box.checked = prefers(name);
      return element("label", {}, box, " ", say(`play.prefer.${name}`));
    });
    const paces = PACES.map((each) => /** @type {[string, string]} */ ([String(each), say(`play.pace.${each}`)]));
    const paced = choice("pace", say("play.prefer.pace"), paces, String(pace()), (value) => prefer("pace", Number(value)));
    this.replaceChildren(element("p", { class: "quiet" }, say("play.preferences.text")), ...choices, paced);
  }
}

/** The colours of suits, their order in a hand, and the size of cards. */
class PlayLooks extends HTMLElement {
  connectedCallback() {
    const valuesOf = (/** @type {string} */ name) => (LOOKS[name] ?? []).map((one) => /** @type {[string, string]} */ ([one, say(`play.look.${name}.${one}`)]));
    this.replaceChildren(...Object.keys(LOOKS).map((name) => choice(name, say(`play.look.${name}`), valuesOf(name), look(name), (value) => choose(name, value))));
  }
}

/** @param {string} name @param {boolean | number} wanted */
function prefer(name, wanted) {
  preferred = { ...preferred, [name]: wanted };
  store(NAME, preferred);
  dispatchEvent(new Event("preferred"));
}

customElements.define("play-preferences", PlayPreferences);
customElements.define("play-looks", PlayLooks);
