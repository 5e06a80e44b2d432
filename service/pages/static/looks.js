/** How its reader likes cards to look: the colours and the order of suits, and their size. It stays in this browser. */

import { store, stored } from "./stored.js";

const NAME = "codille-looks";

/** What can be chosen of each; the first is what is not chosen. @type {Record<string, string[]>} */
export const LOOKS = { colours: ["four", "two"], order: ["shdc", "shcd", "cdhs", "dchs"], size: ["fitting", "larger", "smaller"] };

/** @type {Record<string, string>} */
let chosen = stored(NAME);

/** What is chosen. @param {string} name @returns {string} */
export const look = (name) => LOOKS[name]?.find((one) => one === chosen?.[name]) ?? LOOKS[name]?.[0] ?? "";

/** Style sheets know the looks as attributes of the page. */
function apply() {
  for (const name of ["colours", "size"]) document.documentElement.setAttribute(`data-${name}`, look(name));
}

/** @param {string} name @param {string} value */
export function choose(name, value) {
  chosen = { ...chosen, [name]: value };
  store(NAME, chosen);
  apply();
  dispatchEvent(new Event("preferred"));
}

apply();
addEventListener("storage", ({ key }) => {
  if (key !== NAME) return;
  chosen = stored(NAME);
  apply();
  dispatchEvent(new Event("preferred"));
});
