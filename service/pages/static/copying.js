/** Copies texts, also where the browser lets no script write to its clipboard: over plain HTTP. */

import { say } from "./say.js";

/**
 * Copies what a field holds. Where the browser denies even that, the field is left selected.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {HTMLElement} said where it is said what came of it
 */
export async function copy(field, said) {
  const { hidden } = field;
  let copied = true;
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    field.hidden = false;
    field.select();
    copied = document.execCommand("copy");
    field.hidden = hidden && copied;
  }
  said.textContent = say(copied ? "copied" : "selected");
}
