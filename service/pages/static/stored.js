/** What this browser keeps as JSON under a name. Where it denies storage, what is kept lasts as long as the page that has it. */

/** What is kept; null for nothing, and for what can't be read. @param {string} name @returns {any} */
export function stored(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name @param {unknown} value */
export function store(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // As above.
  }
}
