/**
 * Layouts of their own, for tables where the general one is poor. Which one fits is seen from the view, not from the
 * game's name.
 *
 * @typedef {object} Layout
 * @property {string} name a class for the style sheet
 * @property {(view: any) => any} rest the view without what the layout shows elsewhere
 * @property {(view: any, words: any) => (Node | null)[]} [middle] what lies in the middle
 * @property {(seat: any, view: any, words: any) => (Node | null)[]} [seat] what lies before a seat
 */

import { back, element, face } from "../dom.js";
import { say } from "../say.js";
import { piles, pool } from "../table.js";

/** What is shown in a place of its own, or in words. */
const ELSEWHERE = ["seats", "sides", "trick", "last_trick", "auction"];

/** The view without some fields. @param {any} view @param {string[]} fields */
const without = (view, fields) => Object.fromEntries(Object.entries(view).filter(([name]) => !fields.includes(name)));

/** @param {any} view */
const rest = (view) => without(view, ELSEWHERE);

/** @type {Layout} */
const GENERAL = { name: "general", rest };

/** Rows that grow from a rank, one of each suit: each in a lane of its own. @type {Layout} */
const ROWS = {
  name: "in-rows",
  rest,
  middle(view, words) {
    const lanes = view.rows.map((/** @type {any} */ { suit, cards }) =>
      element(
        "div",
        { class: "lane", role: "group", "aria-label": say("play.row", { suit: words.suit(suit), count: cards.length }) },
        ...cards.map((/** @type {string} */ card) => face(card)),
      ),
    );
    return [element("div", { class: "lanes" }, ...lanes), ...piles(without(rest(view), ["rows"]), words), pool(view)];
  },
};

/** One face, a back with a number, or an empty place. @param {string} title @param {any} pile @param {string} [field] */
function heap(title, { known, hidden, top = known.at(-1) }, field) {
  const number = known.length + hidden;
  const shown = top && number ? face(top) : number ? back() : element("span", { class: "empty" });
  return element("figure", { role: "group", "aria-label": `${title}, ${number}`, "data-pile": field }, shown, element("figcaption", {}, element("span", { class: "quiet" }, title), ` ${number}`));
}

/** A field's name as a title. @param {string} field */
const titled = (field) => `${field[0]?.toUpperCase()}${field.slice(1)}`;

/** Patiences beside each other, which are played onto piles that all share. @type {Layout} */
const PATIENCES = {
  name: "patiences",
  rest,
  middle(view) {
    const shared = view.foundations.map((/** @type {any} */ pile, /** @type {number} */ index) => {
      const shown = heap("", pile);
      shown.setAttribute("aria-label", `${index + 1}`);
      // Offers count from one, as columns do.
      shown.setAttribute("data-field", "foundation");
      shown.setAttribute("data-value", String(index + 1));
      return shown;
    });
    return [element("div", { class: "shared", role: "group", "aria-label": say("play.foundations") }, ...shared)];
  },
  seat(seat, view) {
    const own = seat.seat === view.you;
    const columns = seat.tableau.map((/** @type {any} */ { known }, /** @type {number} */ index) =>
      element(
        "div",
        { class: "column", role: "group", "aria-label": `${index + 1}, ${known.length}`, "data-field": own ? "column" : undefined, "data-value": own ? index + 1 : undefined },
        ...known.map((/** @type {string} */ card) => face(card)),
      ),
    );
    return [
      element(
        "div",
        { class: "patience" },
        element("div", { class: "heaps" }, ...["reserve", "discards", "stock"].map((field) => heap(titled(field), seat[field], own ? field : undefined))),
        element("div", { class: "columns" }, ...columns),
      ),
    ];
  },
};

/** Cards that lie open in the middle, to be captured: they are what one looks at. @type {Layout} */
const CAPTURED = { name: "captured-from", rest };

/** @param {any} view @returns {Layout} */
export function layoutOf(view) {
  if (view.foundations && view.seats[0]?.tableau) return PATIENCES;
  if (view.rows?.length) return ROWS;
  return view.loose ? CAPTURED : GENERAL;
}
