/** How its reader likes cards to look: the colours and the order of suits, and their size. It stays in this browser. */

const NAME = "codille-looks";

/** What can be chosen of each; the first is what is not chosen. @type {Record<string, string[]>} */
export const LOOKS = { colours: ["four", "two"], order: ["shdc", "shcd", "cdhs", "dchs"], size: ["fitting", "larger", "smaller"] };

/** @type {Record<string, string>} */
let chosen = {};

/** Reads what this browser keeps. */
function read() {
  try {
    chosen = JSON.parse(localStorage.getItem(NAME) ?? "{}");
  } catch {
    // A browser that keeps nothing begins with the defaults.
  }
  apply();
}

/** What is chosen. @param {string} name @returns {string} */
export const look = (name) => LOOKS[name]?.find((one) => one === chosen?.[name]) ?? LOOKS[name]?.[0] ?? "";

/** Style sheets know the looks as attributes of the page. */
function apply() {
  for (const name of ["colours", "size"]) document.documentElement.setAttribute(`data-${name}`, look(name));
}

/** @param {string} name @param {string} value */
export function choose(name, value) {
  chosen = { ...chosen, [name]: value };
  try {
    localStorage.setItem(NAME, JSON.stringify(chosen));
  } catch {
    // It lasts as long as the page.
  }
  apply();
  dispatchEvent(new Event("preferred"));
}

read();
addEventListener("storage", ({ key }) => {
  if (key !== NAME) return;
  read();
  dispatchEvent(new Event("preferred"));
});
