/** Sentences on a page, with suits and cards in their colours. */

import { element, faceOf, NAMED, named, SIGNS } from "./dom.js";
import { Words } from "./kit/words.js";
import { say } from "./say.js";

/** What is said beside a game's own words. @type {import("./kit/words.js").Texts} */
const TEXTS = {
  suits: Object.fromEntries(Object.keys(SIGNS).map((suit) => [suit, say(`suit.${suit}`)])),
  ranks: Object.fromEntries(NAMED.map((rank) => [rank, say(`rank.${rank}`)])),
  card: (rank, suit) => say("card.both", { rank, suit }),
  line: (line) => say("said.line", { line }),
  lines: (lines, version) => say("said.lines", { lines, version }),
  small: { and: say("said.and"), none: say("said.none"), yes: say("cell.yes"), no: say("cell.no") },
};

/**
 * A game's words, in the language of the page.
 * @param {any} game
 * @param {(seat: number) => string} name
 * @param {(at: import("./kit/words.js").LineAt) => any} [lineAt]
 */
export const wordsOf = (game, name, lineAt) => new Words(game, name, lineAt, TEXTS);

/**
 * @param {import("./kit/words.js").Sentence} sentence
 * @returns {(string | Node)[]}
 */
export function coloured(sentence) {
  return sentence.parts.flatMap((part) => {
    if (typeof part === "string") return part;
    if (part.kind === "seat") return named(part.text);
    const ink = part.kind === "suit" ? part.value : part.kind === "card" ? faceOf(part.value).suit : null;
    return ink ? element("span", { class: `ink-${ink}` }, part.text) : part.text;
  });
}
