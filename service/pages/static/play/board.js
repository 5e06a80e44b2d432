/** The table from a seat: the others around it, what lies in the middle, and one's own cards at the bottom. */

import { back, element, named, row, signed } from "../dom.js";
import { say } from "../say.js";
import { coloured } from "../sentences.js";
import { dealOf } from "../deals.js";
import { hasTricks, liesElsewhere, piles, pool, roles, sides, sitsOut, trick } from "../table.js";
import { promiseOf } from "./choices.js";
import { layoutOf } from "./layouts.js";

/** @typedef {import("./play.js").Game} Game */

/** Where the others sit, clockwise from the left, by the number of seats. @type {Record<number, string[]>} */
const PLACES = { 2: ["top"], 3: ["left", "right"], 4: ["left", "top", "right"] };

/** What a seat has said last in an auction, in words; null where it has not spoken. @param {any} view @param {any} words @param {number} seat */
export function spoken(view, words, seat) {
  const entry = view.auction?.findLast?.((/** @type {any} */ one) => one.seat === seat);
  if (!entry || view.trick?.length || view.last_trick) return null;
  const { seat: _, ...said } = entry;
  // A pass may be a call that says so, and a mark of a call, such as of one that is held, says nothing by itself.
  const values = Object.entries(said).filter(([, value]) => value !== null && value !== "pass" && typeof value !== "boolean");
  const terms = Object.values(words.words.terms);
  const text = ([name, value]) => {
    const term = words.words.terms[name]?.[value] ?? terms.find((one) => typeof value === "string" && value in one)?.[value];
    return term ?? words.value(value, name);
  };
  return values.length ? values.map(text).join(" ") : say("play.passes");
}

/** The head of a seat: its player, marks and numbers. @param {Game} game @param {any} view @param {any} seat */
function head(game, view, seat) {
  const { words, presence } = game;
  const here = presence.find((one) => one.seat === seat.seat)?.connected && !seat.bot;
  const out = sitsOut(view, seat.seat);
  const name = seat.player ? words.name(seat.seat) : say("seat.free");
  const numbers = view.phase && !out && hasTricks(view) ? say("seat.tricks", { count: seat.tricks }) : "";
  const chips = view.chips ? element("span", { class: "chips" }, say("play.chips", { count: view.chips[seat.seat] })) : null;
  const talked = game.talked.get(seat.seat);
  const said = spoken(view, words, seat.seat);
  const made = game.made.get(seat.seat);
  return [
    element(
      "h2",
      {},
      here ? element("span", { class: "here", role: "img", "aria-label": say("seat.connected") }, "●") : null,
      element("span", { class: "name", title: seat.player ? name : undefined }, ...named(name)),
      seat.seat === view.you ? element("span", { class: "role" }, say("play.you")) : null,
      ...roles(seat, view, words.words),
      element("span", { class: "quiet" }, numbers),
      element("span", { class: "total" }, chips, element("span", { title: say("play.total") }, signed(view.totals[seat.seat] ?? 0))),
    ),
    element("p", { class: "clock", "data-clock": seat.seat, hidden: true }),
    said ? element("p", { class: "spoken" }, said) : null,
    talked ? element("p", { class: "spoken talk" }, talked) : null,
    made ? element("p", { class: "made" }, made) : null,
  ];
}

/** The attributes of a seat. @param {any} view @param {any} words @param {any} seat @param {string} place */
function attributes(view, words, seat, place) {
  const turn = view.to_act.includes(seat.seat);
  const out = sitsOut(view, seat.seat);
  const name = seat.player ? words.name(seat.seat) : say("play.free-seat", { seat: seat.seat + 1 });
  const state = turn ? say("seat.acts", { name }) : out ? say("seat.out", { name }) : name;
  return { class: `seat${turn ? " turn" : ""}${out ? " out" : ""}`, "data-seat": seat.seat, "data-place": place, role: "group", "aria-label": state };
}

/** Hidden cards as one back with their number, beside those that are known. @param {any} hand */
function held({ known, hidden }) {
  if (!known.length && !hidden) return null;
  const deck = hidden ? element("span", { class: "deck", role: "img", "aria-label": say("cards.hidden", { count: hidden }) }, back(), element("span", { class: "count", "aria-hidden": "true" }, String(hidden))) : null;
  return element("div", { class: "held" }, known.length ? row({ known, hidden: 0 }) : null, deck);
}

/** Where a seat's cards lie, as seen from one's own. @param {any} view @param {number} own @returns {(seat: number) => string} */
const placesOf = ({ seats }, own) => (seat) => PLACES[seats.length]?.[(seat - own - 1 + seats.length) % seats.length] ?? "bottom";

/** Seats that are not one's own, and the middle of the table. */
export class PlayBoard extends HTMLElement {
  /** @param {Game} game */
  show(game) {
    const { words, summary } = game;
    // The last trick of a deal is gathered before what the deal came to is shown.
    const view = summary && game.view.trick ? { ...game.view, trick: [], last_trick: null } : game.view;
    const layout = layoutOf(view);
    const number = view.seats.length;
    const own = game.seat ?? 0;
    const others = PLACES[number].map((place, index) => [view.seats[(own + index + 1) % number], place]);
    if (game.seat === null) others.push([view.seats[own], "bottom"]);
    const middle = layout.middle?.(view, words) ?? [...piles(layout.rest(view), words), pool(view)];
    this.replaceChildren(
      element(
        "div",
        { class: `round ${layout.name}`, "data-seats": number },
        ...others.map(([seat, place]) =>
          element(
            "div",
            attributes(view, words, seat, place),
            ...head(game, view, seat),
            sitsOut(view, seat.seat) ? element("p", { class: "quiet" }, say("seat.sits-out")) : seat.hand && !liesElsewhere(seat) ? held(seat.hand) : null,
            ...(layout.seat?.(seat, view, words) ?? piles({ ...seat, hand: null }, words, "seats.")),
          ),
        ),
        element("div", { class: "middle" }, trick({ ...view, last_trick: view.trick?.length ? null : view.last_trick }, words.name, placesOf(view, own)), ...(view.trick ? [lastTrick(view, words, own), element("div", { class: "beside" }, ...middle)] : middle)),
      ),
      element("div", { class: "sides" }, ...sides(view, words)),
    );
  }
}

/** The last trick, to look at while another is on. It keeps its place where there is nothing to look at. @param {any} view @param {any} words @param {number} own */
function lastTrick(view, words, own) {
  const shown = trick({ ...view, trick: [] }, words.name, placesOf(view, own));
  return element("details", { class: `last-trick${view.trick.length && view.last_trick ? "" : " none"}`, "data-kept": "last-trick" }, element("summary", {}, say("play.last-trick")), shown);
}

/** So many cards at most lie beside each other on a phone; more closely if there are many. @param {number} cards */
const narrow = (cards) => (cards > 18 ? 12 : 9);

/** One's own seat. */
export class PlayHand extends HTMLElement {
  /** The deal, and the most cards that the hand has had in it. */
  dealt = { deal: 0, most: 0 };

  /** Says how many cards find room beside each other: as many as there were, so that a card that goes makes none larger. @param {HTMLElement} hand @param {number} number @param {number} deal */
  fit(hand, number, deal) {
    const most = Math.max(number, this.dealt.deal === deal ? this.dealt.most : 0);
    this.dealt = { deal, most };
    hand.style.setProperty("--wide", String(most));
    hand.style.setProperty("--narrow", String(Math.ceil(most / Math.ceil(most / narrow(most)))));
  }

  /** @param {Game} game */
  show(game) {
    // While one looks at what a deal came to, the next may have begun.
    const { words } = game;
    const view = game.summary ? game.now : game.view;
    this.hidden = game.seat === null;
    if (game.seat === null) return this.replaceChildren();
    const seat = view.seats[game.seat];
    const layout = layoutOf(view);
    const hand = sitsOut(view, seat.seat)
      ? element("p", { class: "quiet" }, say("seat.sits-out"))
      : seat.hand && !liesElsewhere(seat) && seat.hand.known.length + seat.hand.hidden
        ? row(seat.hand)
        : null;
    if (hand?.classList.contains("row")) {
      hand.setAttribute("data-roving", "hand");
      this.fit(hand, hand.childElementCount, view.deal);
      hand.setAttribute("aria-label", say("play.hand", { count: seat.hand.known.length + seat.hand.hidden }));
    }
    const own = element(
      "div",
      attributes(view, words, seat, "own"),
      ...head(game, view, seat),
      ...(layout.seat?.(seat, view, words) ?? piles({ ...seat, hand: null }, words, "seats.")),
      hand,
    );
    this.replaceChildren(own);
  }
}

/** The number of the trick that is on, which some games count by; null between deals and where there are none. @param {any} view @returns {number | null} */
export function trickNumber(view) {
  if (!hasTricks(view) || !(view.trick?.length || view.to_act.length)) return null;
  return 1 + view.seats.reduce((/** @type {number} */ sum, /** @type {any} */ seat) => sum + seat.tricks, 0);
}

/** What sums up the deal: its number, its phase, and what the game says of it. */
export class PlayStatus extends HTMLElement {
  /** @param {Game} game */
  show({ view, words, rules }) {
    const deal = view.deal ? dealOf(view, rules) : say(`play.status.${view.status}`);
    const phase = view.phase && view.status === "playing" ? (words.words.terms.phase?.[view.phase] ?? view.phase.replaceAll("-", " ")) : null;
    const number = phase && trickNumber(view);
    // What the whole deal is about costs or gains something, such as the aim of a deal in which all avoid it; so does a contract,
    // which is one player's, and is named.
    const aimsOf = (/** @type {any} */ values) => Object.entries(values ?? {}).map(([of, value]) => ({ of, value, text: promiseOf(words, of, value) })).filter(({ text }) => text !== undefined);
    const contract = aimsOf(view.contract).slice(0, 1).map(({ of, value, text }) => say("play.promise", { name: words.value(value, of), text }));
    // Of a view itself, `game` is the game that the table plays.
    const aims = [...contract, ...aimsOf({ ...view, game: null }).map(({ text }) => text)].map((one) => [one]);
    this.replaceChildren(
      element("span", {}, deal),
      ...(phase ? [element("span", { class: "quiet" }, number ? say("play.status.trick", { phase, number }) : phase)] : []),
      ...[...words.summary(view).map(coloured), ...aims].map((said) => element("span", { class: "summary" }, ...said)),
    );
  }
}

customElements.define("play-board", PlayBoard);
customElements.define("play-hand", PlayHand);
customElements.define("play-status", PlayStatus);
