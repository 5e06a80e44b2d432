/** Points that are made while a deal goes on, as far as a view counts them. */

import { say } from "../say.js";

/** What a view counts as points, by the field of the view, of a seat or of a side. */
const COUNTED = ["xeris", "points", "score", "founded"];
/** The cards that count, by the field that lists them: where it is a number, that is of cards. */
const LISTED = ["captured"];

/** What a seat has by a field: a number, or the cards that count. @param {any} view @param {number} seat @param {string} field */
function has(view, seat, field) {
  const side = view.sides?.find((/** @type {any} */ { seats }) => seats.includes(seat));
  return [view.seats[seat]?.[field], side?.[field], view[field]?.[seat]].find((value) => typeof value === "number" || Array.isArray(value)) ?? null;
}

/**
 * What each seat has made between two views of a deal, in words; a side's stands at the seat that acts.
 * @param {any} before
 * @param {any} after
 * @param {number | undefined} by the seat that acts
 * @param {import("../kit/words.js").Words} words
 * @param {"points" | "chips"} unit
 * @returns {Map<number, string>}
 */
export function madeBetween(before, after, by, words, unit) {
  const found = new Map();
  if (before.deal !== after.deal || after.deal === null) return found;
  for (const { seat } of after.seats) {
    const side = after.sides?.find((/** @type {any} */ { seats }) => seats.includes(seat))?.seats ?? [seat];
    if (seat !== (side.includes(by) ? by : side[0])) continue;
    /** @type {(field: string) => [any, any]} */
    const both = (field) => [has(before, seat, field), has(after, seat, field)];
    const cards = LISTED.flatMap((field) => cardsBetween(...both(field), words) ?? []);
    const made = [...cards, ...COUNTED.flatMap((field) => pointsBetween(field, ...both(field), words, unit) ?? [])];
    if (made.length) found.set(seat, made.join(", "));
  }
  return found;
}

/** @param {any} before @param {any} after @param {import("../kit/words.js").Words} words */
function cardsBetween(before, after, words) {
  if (!Array.isArray(before) || !Array.isArray(after)) return null;
  const cards = after.filter((card) => !before.includes(card));
  return cards.length ? cards.map((card) => words.card(card)).join(" ") : null;
}

/** Points of a field that the game names among its costs count as minus. @param {string} field @param {any} before @param {any} after @param {import("../kit/words.js").Words} words @param {string} unit */
function pointsBetween(field, before, after, words, unit) {
  if (typeof before !== "number" || typeof after !== "number" || before === after) return null;
  const count = words.words.terms.cost?.[field] ? before - after : after - before;
  return say(`play.made.${field === "xeris" ? field : unit}`, { count }).replace("-", "−");
}
