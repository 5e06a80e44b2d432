/** The table at a step: hands, talon, trick, auction, contract. */

import { back, element, face, row, signed, SUITS, titled } from "./dom.js";

/**
 * @param {any} view
 * @param {any} event the event that led to it
 * @param {(seat: number) => string} name
 * @returns {Node[]}
 */
export function felt(view, event, name) {
  return [
    element("div", { class: "seats", "data-seats": view.seats.length }, ...view.seats.map((seat) => place(seat, view, name))),
    element("div", { class: "middle" }, trick(view, event, name), pile(view)),
  ];
}

/** @param {any} seat @param {any} view @param {(seat: number) => string} name */
function place(seat, view, name) {
  const turn = view.to_act.includes(seat.seat);
  const marks = [
    view.dealer === seat.seat ? element("abbr", { title: "dealer" }, "D") : null,
    view.contract?.declarer === seat.seat ? element("abbr", { title: "declarer", class: "declarer" }, "★") : null,
  ];
  return element(
    "section",
    { class: `seat${turn ? " turn" : ""}`, "data-seat": seat.seat, "aria-label": `${name(seat.seat)}${turn ? ", to act" : ""}` },
    element(
      "h2",
      {},
      element("span", { class: "name" }, seat.player ? name(seat.seat) : "free seat"),
      ...marks,
      element("span", { class: "total", title: "total" }, signed(view.totals[seat.seat] ?? 0)),
    ),
    row(seat.hand),
    element("p", { class: "quiet" }, view.phase ? `${seat.tricks} ${seat.tricks === 1 ? "trick" : "tricks"}` : ""),
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

/**
 * The line above the table: deal, phase, auction, contract.
 * @param {any} view
 * @param {(seat: number) => string} name
 * @returns {Node[]}
 */
export function status(view, name) {
  const parts = [element("span", {}, view.deal ? `Deal ${view.deal} of ${view.deals}` : titled(view.status))];
  if (view.phase) parts.push(element("span", { class: "quiet" }, view.phase.replaceAll("-", " ")));
  const contract = view.contract;
  if (contract) {
    const trump = contract.trump ? ` ${SUITS[contract.trump].sign}` : "";
    const bonus = contract.bonus ? ` + ${titled(contract.bonus)}` : "";
    const text = `${name(contract.declarer)}: ${titled(contract.contract || contract.game)}${trump}${bonus}`;
    const suit = contract.trump ? ` ink-${contract.trump}` : "";
    parts.push(element("strong", { class: `contract${suit}` }, text));
  } else if (view.auction?.length) {
    const calls = view.auction.map((call) => `${name(call.seat)} ${call.bid === "pass" ? "passes" : titled(String(call.bid ?? call.level ?? ""))}`);
    parts.push(element("span", { class: "auction" }, calls.join(" · ")));
  }
  for (const dispute of view.disputes || []) {
    parts.push(element("span", { class: `badge ${dispute.status}` }, `dispute ${dispute.dispute} ${dispute.status}`));
  }
  return parts;
}
