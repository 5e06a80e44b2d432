/** The table at a step: hands, talon, trick, auction, contract. */

import { back, cardText, contractName, element, face, row, signed, SUITS, titled } from "./dom.js";

/**
 * @param {any} view
 * @param {any} event the event that led to it
 * @param {(seat: number) => string} name
 * @returns {Node[]}
 */
export function felt(view, event, name) {
  return [
    element("div", { class: "seats", "data-seats": view.seats.length }, ...view.seats.map((seat) => place(seat, view, name))),
    element("div", { class: "middle" }, trick(view, event, name), pile(view), pool(view)),
  ];
}

/** Who is marked, with the sign and what it says. @type {[(view: any) => number | null | undefined, string, string][]} */
const MARKS = [
  [(view) => view.dealer, "D", "dealer"],
  [(view) => view.contract?.declarer, "★", "declarer"],
  [(view) => view.contract?.partner, "☆", "partner"],
  [(view) => view.surrender?.new_ombre, "★", "new Ombre"],
];

/** Whether the seat has no part in the deal. @param {any} view @param {number} seat */
const sitsOut = (view, seat) => view.phase !== null && view.order?.length > 0 && !view.order.includes(seat);

/** @param {any} seat @param {any} view @param {(seat: number) => string} name */
function place(seat, view, name) {
  const turn = view.to_act.includes(seat.seat);
  const out = sitsOut(view, seat.seat);
  const marks = MARKS.filter(([who]) => who(view) === seat.seat).map(([, sign, title]) =>
    element("abbr", { title, class: title.replaceAll(" ", "-") }, sign),
  );
  const chips = view.chips ? element("span", { class: "chips", title: "chips" }, `${view.chips[seat.seat]} `) : null;
  return element(
    "section",
    {
      class: `seat${turn ? " turn" : ""}${out ? " out" : ""}`,
      "data-seat": seat.seat,
      "aria-label": `${name(seat.seat)}${turn ? ", to act" : ""}${out ? ", sits out" : ""}`,
    },
    element(
      "h2",
      {},
      element("span", { class: "name" }, seat.player ? name(seat.seat) : "free seat"),
      ...marks,
      element("span", { class: "quiet" }, view.phase && !out ? `${seat.tricks} ${seat.tricks === 1 ? "trick" : "tricks"}` : ""),
      element("span", { class: "total" }, chips, element("span", { title: "total" }, signed(view.totals[seat.seat] ?? 0))),
    ),
    out ? element("p", { class: "quiet" }, "sits out this deal") : row(seat.hand),
  );
}

/** The trick on the table, or the one just taken. @param {any} view @param {any} event @param {(seat: number) => string} name */
function trick(view, event, name) {
  const taken = event.type === "trick-won" && view.last_trick;
  const cards = (taken ? view.last_trick.cards : view.trick) || [];
  return element(
    "div",
    { class: "trick", role: "group", "aria-label": "Trick" },
    ...cards.map((played) =>
      element(
        "figure",
        { class: taken && played.seat === view.last_trick.winner ? "winner" : "" },
        face(played.card),
        element("figcaption", {}, name(played.seat)),
      ),
    ),
  );
}

/** The talon, or what is left of it. @param {any} view */
function pile(view) {
  if (!view.talon) return null;
  const { known, hidden } = view.talon;
  if (known.length + hidden === 0) return null;
  const label = `Talon, ${known.length + hidden}`;
  const shown = known.length ? row({ known, hidden: 0 }) : null;
  const deck = hidden ? element("span", { class: "deck" }, back(), element("span", { class: "count" }, String(hidden))) : null;
  return element("div", { class: "talon", role: "group", "aria-label": label }, element("span", { class: "quiet" }, "Talon"), shown, deck);
}

/** What lies in the pool, at tables that have one. @param {any} view */
function pool(view) {
  if (view.pool === undefined) return null;
  const label = `Pool, ${view.pool}`;
  return element("p", { class: "pool", role: "group", "aria-label": label }, element("span", { class: "quiet" }, "Pool"), ` ${view.pool}`);
}

/** What somebody said in the auction. @param {any} call @param {(of: string, value: any) => string} term */
function said(call, term) {
  if (call.bid === "pass") return "passes";
  if (call.level === undefined) return term("contract", call.bid);
  return `${call.bid === "ask" ? "asks for" : "says yes to"} ${term("level", call.level)}`;
}

/** The contract in words. @param {any} view @param {(seat: number) => string} name @param {(of: string, value: any) => string} term */
function contract(view, name, term) {
  const it = view.contract;
  const parts = [`${name(it.declarer)}: ${contractName(it, term)}`];
  if (it.trump) parts.push(` ${SUITS[it.trump].sign}`);
  if (it.bonus) parts.push(` + ${term("bonus", it.bonus)}`);
  if (it.undertaken) parts.push(" + all tricks");
  if (it.called) parts.push(`, calls ${cardText(it.called)}`);
  return parts.join("");
}

/** @param {any} surrender @param {(seat: number) => string} name */
function surrendering(surrender, name) {
  if (surrender.new_ombre !== null) return `${name(surrender.new_ombre)} is new Ombre`;
  return `${name(surrender.seat)} offers to surrender`;
}

/**
 * The line above the table: deal, phase, auction, contract.
 * @param {any} view
 * @param {(seat: number) => string} name
 * @param {(of: string, value: any) => string} term
 * @returns {Node[]}
 */
export function status(view, name, term) {
  const parts = [element("span", {}, view.deal ? `Deal ${view.deal} of ${view.deals}` : titled(view.status))];
  if (view.phase) parts.push(element("span", { class: "quiet" }, view.phase.replaceAll("-", " ")));
  if (view.contract) {
    const suit = view.contract.trump ? ` ink-${view.contract.trump}` : "";
    parts.push(element("strong", { class: `contract${suit}` }, contract(view, name, term)));
  } else if (view.auction?.length) {
    const calls = view.auction.map((call) => `${name(call.seat)} ${said(call, term)}`);
    parts.push(element("span", { class: "auction" }, calls.join(" · ")));
  }
  if (view.surrender) parts.push(element("span", { class: "badge" }, surrendering(view.surrender, name)));
  for (const dispute of view.disputes || []) {
    parts.push(element("span", { class: `badge ${dispute.status}` }, `dispute ${dispute.dispute} ${dispute.status}`));
  }
  return parts;
}
