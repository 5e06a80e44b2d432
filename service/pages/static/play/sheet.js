/** The score, deal by deal, and how it came about. */

import { element, named, signed } from "../dom.js";
import { say } from "../say.js";
import { RunningScores } from "../scores.js";

/** @typedef {import("./play.js").Game} Game */

/** A table of what each deal brought each seat, also those that brought nothing, with the totals, and a plot of them. */
export class PlaySheet extends HTMLElement {
  constructor() {
    super();
    this.scores = new RunningScores();
  }

  /** @param {Game} game */
  show({ view, words, books, table }) {
    const lines = (books?.lines ?? []).filter((/** @type {any} */ line) => line.seat !== null);
    const booked = new Set(lines.map((/** @type {any} */ line) => line.deal));
    // While a deal runs there is a phase.
    const running = view.status === "playing" && view.phase !== null ? view.deal : null;
    const begun = Array.from({ length: view.deal ?? 0 }, (_, place) => place + 1);
    const deals = [...begun.filter((deal) => deal !== running || booked.has(deal)), ...(booked.has(null) ? [null] : [])];
    const sum = (/** @type {any} */ deal, /** @type {number} */ seat) =>
      lines.filter((/** @type {any} */ line) => line.deal === deal && line.seat === seat).reduce((/** @type {number} */ all, /** @type {any} */ line) => all + line.amount, 0);
    const seats = view.seats.map((/** @type {any} */ { seat }) => seat);
    const cell = (/** @type {number} */ amount) => element("td", { class: amount < 0 ? "loss" : amount > 0 ? "gain" : undefined }, signed(amount));
    const rows = deals.map((deal) => element("tr", {}, element("th", { scope: "row" }, deal === null ? say("play.sheet.end") : String(deal)), ...seats.map((/** @type {number} */ seat) => cell(sum(deal, seat)))));
    const head = element("tr", {}, element("th", { scope: "col" }, say("play.sheet.deal")), ...seats.map((/** @type {number} */ seat) => element("th", { scope: "col" }, ...named(view.seats[seat].player ? words.name(seat) : say("seat.free")))));
    const total = element("tr", {}, element("th", { scope: "row" }, say(view.status === "finished" ? "totals.final" : "play.total")), ...seats.map((/** @type {number} */ seat) => cell(view.totals[seat] ?? 0)));
    this.replaceChildren(
      element("div", { class: "wide", tabindex: 0, role: "group", "aria-label": say("play.sheet") }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...rows), element("tfoot", {}, total))),
      this.scores,
      element("p", {}, element("a", { href: `/replay/${table}${location.search}` }, say("play.replay"))),
    );
    void this.scores.show(table, lines, words.name);
  }
}

customElements.define("play-sheet", PlaySheet);
