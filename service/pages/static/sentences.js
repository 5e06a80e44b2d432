/** Sentences on a page, with suits and cards in their colours. */

import { element, faceOf } from "./dom.js";

/**
 * @param {import("./kit/words.js").Sentence} sentence
 * @returns {(string | Node)[]}
 */
export function coloured(sentence) {
  return sentence.parts.map((part) => {
    if (typeof part === "string") return part;
    const ink = part.kind === "suit" ? part.value : part.kind === "card" ? faceOf(part.value).suit : null;
    return ink ? element("span", { class: `ink-${ink}` }, part.text) : part.text;
  });
}
