/** What a deal came to, or the game: it lies over the table until its player has seen it. */

import { element, named, signed } from "../dom.js";
import { dealOf } from "../deals.js";
import { say } from "../say.js";
import { coloured } from "../sentences.js";

/** @typedef {import("./play.js").Game} Game */

/**
 * @typedef {object} Summary
 * @property {string} title
 * @property {import("../kit/words.js").Sentence[]} outcome what happened, in the game's words
 * @property {{text: import("../kit/words.js").Sentence, amounts: number[]}[]} rows what was booked, with what it brought each seat
 * @property {number[]} before the totals before the deal, by seat
 * @property {number[]} after
 * @property {boolean} isLast whether the game is over
 */

/**
 * Sums up a deal, the end of the game, or both.
 * @param {Game} game
 * @param {any} scored the event with which the deal was over; null if the game ended before
 * @param {any} ended the event with which the game was over; null if it goes on
 * @returns {Summary}
 */
export function summed({ view, words, rules, books }, scored, ended) {
  const deal = scored?.public.deal ?? null;
  const after = (ended ?? scored).public.totals;
  const ends = [scored, ended].filter(Boolean);
  // Where the outcome is that of a contract, it is said whose.
  const contract = scored && view.contract && !("declarer" in scored.public) ? words.summary(view).slice(0, 1) : [];
  // What the deal had booked before its end stands in the books, which may have no more yet, or more by now.
  const earlier = (books?.lines ?? []).filter((/** @type {any} */ line) => deal !== null && line.deal === deal && line.version < ends[0].version);
  const booked = [...earlier, ...ends.flatMap((event) => event.public.lines ?? [])].filter(({ seat }) => seat !== null);
  const rows = new Map();
  for (const line of booked) {
    const row = rows.get(line.text) ?? { text: words.line(line), amounts: after.map(() => 0) };
    row.amounts[line.seat] += line.amount;
    rows.set(line.text, row);
  }
  const sum = (/** @type {number} */ seat) => booked.reduce((sum, line) => sum + (line.seat === seat ? line.amount : 0), 0);
  return {
    title: deal === null ? say("play.status.finished") : dealOf({ ...view, deal }, rules),
    outcome: [...contract, ...ends.map((event) => words.event({ ...event, actor: "" }))],
    rows: [...rows.values()],
    before: after.map((/** @type {number} */ total, /** @type {number} */ seat) => total - sum(seat)),
    after,
    isLast: ended !== null,
  };
}

/** The summary, with the way on. */
export class PlaySummary extends HTMLElement {
  connectedCallback() {
    /** What is shown. @type {Summary | null} */
    this.shown = null;
    this.hidden = true;
  }

  /** @param {Game} game */
  show(game) {
    const { summary } = game;
    if (summary === this.shown) return;
    this.shown = summary;
    this.hidden = !summary;
    if (!summary) return this.replaceChildren();
    const { view, words } = game;
    const cell = (/** @type {number} */ amount, shown = amount ? signed(amount) : "") => element("td", { class: amount < 0 ? "loss" : amount > 0 ? "gain" : undefined }, shown);
    const row = (/** @type {(string | Node)[]} */ head, /** @type {number[]} */ amounts, /** @type {boolean} */ isTotal) =>
      element("tr", {}, element("th", { scope: "row" }, ...head), ...amounts.map((amount) => cell(amount, isTotal ? signed(amount) : undefined)));
    const names = view.seats.map((/** @type {any} */ { seat }) => element("th", { scope: "col" }, ...named(words.name(seat))));
    const table = element(
      "table",
      {},
      element("thead", {}, element("tr", {}, element("td"), ...names)),
      element("tbody", {}, row([say("play.summary.before")], summary.before, true), ...summary.rows.map(({ text, amounts }) => row(coloured(text), amounts, false))),
      element("tfoot", {}, row([say(summary.isLast ? "play.summary.last" : "play.summary.after")], summary.after, true)),
    );
    table.style.setProperty("--seats", String(names.length));
    const keys = { "data-key": "next-deal", type: "button", class: summary.isLast ? "" : "main", click: () => game.closeSummary() };
    this.replaceChildren(
      element(
        "section",
        { "aria-labelledby": "summary-title", keydown: (event) => /** @type {KeyboardEvent} */ (event).key === "Escape" && game.closeSummary() },
        element("h2", { id: "summary-title", tabindex: -1, "data-key": "summary" }, summary.title),
        ...summary.outcome.map((said) => element("p", {}, ...coloured(said))),
        element("div", { class: "wide", tabindex: 0, "data-key": "summary:lines", role: "group", "aria-label": say("play.summary") }, table),
        element("p", { class: "clock", "data-clock": game.seat ?? undefined, "data-says": "play.summary.clock", hidden: true }),
        element("p", { class: "acts" }, ...this.ways(game, summary, element("button", keys, say(summary.isLast ? "play.summary.table" : "play.summary.next")))),
      ),
    );
  }

  /** The ways on. @param {Game} game @param {Summary} summary @param {HTMLElement} closes */
  ways(game, { isLast }, closes) {
    if (!isLast) return [closes];
    const again = element("button", { type: "button", class: "main", "data-key": "summary:rematch", click: () => void game.rematch() }, say("play.rematch"));
    return [game.seat === null ? null : again, element("a", { class: "button", "data-key": "summary:replay", href: `/replay/${game.table}${location.search}` }, say("play.news.replay")), closes];
  }

  /** Brings the summary into sight, and the focus to it unless that is needed elsewhere. */
  enter() {
    const active = document.activeElement;
    this.scrollIntoView({ block: "nearest" });
    if (active === document.body || (active?.closest("#play") && !active.closest("input, select"))) /** @type {HTMLElement} */ (this.querySelector("h2")).focus({ preventScroll: true });
  }
}

customElements.define("play-summary", PlaySummary);
