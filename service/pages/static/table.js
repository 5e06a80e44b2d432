/** The table at a step: hands, piles, trick, and a summary. */

import { disputeBadge } from "./books.js";
import { dealOf } from "./deals.js";
import { back, bySuit, element, face, isCard, named, row, signed, titled } from "./dom.js";
import { say } from "./say.js";
import { coloured } from "./sentences.js";
import { at } from "./kit/words.js";

/** @typedef {import("./kit/words.js").Words} Words */

/**
 * @param {any} view
 * @param {Words} speaker
 * @returns {Node[]}
 */
export function felt(view, speaker) {
  return [
    element("div", { class: "seats", "data-seats": view.seats.length }, ...view.seats.map((seat) => seatSection(seat, view, speaker))),
    element("div", { class: "middle" }, trick(view, speaker.name), ...piles(view, speaker), pool(view)),
    element("div", { class: "sides" }, ...sides(view, speaker)),
  ];
}

/** Whether tricks are won in this deal, as far as can be seen: some games have deals without tricks. @param {any} view */
export const hasTricks = (view) => Boolean(view.trick?.length || view.last_trick || view.seats.some((seat) => seat.tricks));

/** Whether the seat has no part in the deal. @param {any} view @param {number} seat */
export const sitsOut = (view, seat) => view.phase !== null && view.order?.length > 0 && !view.order.includes(seat);

/** @param {any} seat @param {any} view @param {Words} speaker */
function seatSection(seat, view, speaker) {
  const { words, name } = speaker;
  const turn = view.to_act.includes(seat.seat);
  const out = sitsOut(view, seat.seat);
  const marks = roles(seat, view, words);
  const chips = view.chips ? element("span", { class: "chips", title: say("seat.chips") }, `${view.chips[seat.seat]} `) : null;
  return element(
    "section",
    {
      class: `seat${turn ? " turn" : ""}${out ? " out" : ""}`,
      "data-seat": seat.seat,
      "aria-label": turn ? say("seat.acts", { name: name(seat.seat) }) : out ? say("seat.out", { name: name(seat.seat) }) : name(seat.seat),
    },
    element(
      "h2",
      {},
      element("span", { class: "name", title: seat.player ? say("seat.player", { name: name(seat.seat), player: seat.player }) : undefined }, ...named(seat.player ? name(seat.seat) : say("seat.free"))),
      ...marks,
      element("span", { class: "quiet" }, view.phase && !out && hasTricks(view) ? say("seat.tricks", { count: seat.tricks }) : ""),
      element("span", { class: "total" }, chips, element("span", { title: say("seat.total") }, signed(view.totals[seat.seat] ?? 0))),
    ),
    out ? element("p", { class: "quiet" }, say("seat.sits-out")) : seat.hand && !liesElsewhere(seat) ? row(seat.hand) : null,
    ...piles({ ...seat, hand: null }, speaker, "seats."),
  );
}

/**
 * What marks a seat, such as that it deals.
 * @param {any} seat
 * @param {any} view
 * @param {any} words
 */
export function roles(seat, view, words) {
  const found = Object.entries({ dealer: say("drawing.dealer"), ...words.marks }).filter(([path]) => at(view, path) === seat.seat);
  if (view.winners?.includes(seat.seat)) found.push(["winners", say("winner")]);
  // A bot that takes part itself bears the name of its level.
  if (seat.bot && view.leaving?.bots.includes(seat.seat)) found.push(["bot", say("bot", { level: say(`level.${seat.bot.level}`) })]);
  return found.map(([, role]) => element("span", { class: "role", "data-role": role }, ...named(role)));
}

/** Whether a seat's hand is empty because its cards lie in piles. @param {any} seat */
export const liesElsewhere = (seat) => !asPile(seat.hand) && Object.values(seat).some(isPiles);

/**
 * The trick on the table, or the last one until the next begins. Where seats have places, its cards lie before them.
 * @param {any} view
 * @param {(seat: number) => string} name
 * @param {(seat: number) => string} [placeOf]
 */
export function trick(view, name, placeOf) {
  const taken = !view.trick?.length && view.last_trick;
  if (!view.trick && !taken) return null;
  const cards = taken ? view.last_trick.cards : view.trick;
  return element(
    "div",
    { class: "trick", role: "group", "aria-label": say("cards.trick"), "data-seats": placeOf && view.seats.length },
    ...cards.map((played) =>
      element(
        "figure",
        { class: taken && played.seat === view.last_trick.winner ? "winner" : "", "data-place": placeOf?.(played.seat) },
        face(played.card),
        element("figcaption", { class: placeOf && "hidden" }, ...named(name(played.seat))),
      ),
    ),
  );
}

/**
 * The result of a deal for each seat, and the winners of the game with its final totals.
 * @param {any} view
 * @param {number | null} deal null if no deal has ended
 * @param {any[]} booked the lines of the deal
 * @param {Words} speaker
 * @returns {Node}
 */
export function result(view, deal, booked, { name }) {
  const sums = view.seats.map(({ seat }) => booked.filter((line) => line.seat === seat).reduce((sum, line) => sum + line.amount, 0));
  const bySeat = (amounts) => element("dl", {}, ...view.seats.flatMap(({ seat }) => [element("dt", {}, ...named(name(seat))), element("dd", {}, signed(amounts[seat]))]));
  const winners = (view.winners ?? []).map(name).join(", ");
  return element(
    "section",
    { class: "result", "aria-label": say("cards.result") },
    deal === null ? null : element("h2", {}, say("audit.deal", { deal })),
    deal === null ? null : bySeat(sums),
    winners ? element("p", {}, ...named(say("cards.won", { names: winners }))) : null,
    ...(view.status === "finished" ? [element("h2", {}, say("totals.final")), bySeat(view.totals)] : []),
  );
}

/**
 * The piles on the table or of a seat: the fields of its view other than hands and the trick.
 * @param {any} view
 * @param {Words} speaker
 * @param {string} [path] their prefix in the table's view
 */
export function piles(view, speaker, path = "") {
  const fields = Object.entries(view).flatMap(([name, value]) => [[name, value], ...(asPile(value) ? [] : nested(value))]);
  return fields.map(([name, value]) => {
    const heap = asPile(value);
    if (heap) return pile(name, onTop(heap, view.top), playersOf(heap, view, speaker), name in speaker.words.piles);
    if (areLaid(value)) return allLaid(name, value, speaker, path + name);
    return isPiles(value) ? severalPiles(name, value) : null;
  });
}

/**
 * The melds or captured cards of each side, and its score, in games with sides.
 * @param {any} view
 * @param {Words} speaker
 */
export function sides(view, speaker) {
  return (view.sides ?? []).map((side) => {
    const lying = piles(side, speaker, "sides.").filter(Boolean);
    const names = side.seats.map(speaker.name).join(", ");
    const score = side.score === undefined ? null : element("span", { class: "total", title: say("cards.score") }, String(side.score));
    return lying.length ? element("section", { class: "side-of", "aria-label": say("seat.side", { names }) }, element("h3", {}, element("span", { class: "name" }, ...named(names)), " ", score), ...lying) : null;
  });
}

/** Whether the value is a list of piles, some with cards. @param {any} value */
const isPiles = (value) => Array.isArray(value) && value.every((each) => Array.isArray(each?.known)) && value.some(asPile);

/** @param {string} field @param {any[]} value */
function severalPiles(field, value) {
  const label = element("span", { class: "quiet" }, titleOf(field));
  return element("div", { class: "piles", role: "group", "aria-label": titleOf(field), "data-pile": field }, label, ...value.map(inRow));
}

/**
 * One of several piles: by its top card if there is one, otherwise from first card to last.
 * @param {any} heap
 * @param {number} index
 */
function inRow(heap, index) {
  const label = `${index + 1}, ${heap.known.length + heap.hidden}`;
  if (isCard(heap.top)) return element("figure", { role: "group", "aria-label": label }, face(heap.top), element("figcaption", {}, String(heap.known.length + heap.hidden)));
  // A face-down pile is one thing.
  if (!heap.known.length && heap.hidden > 1) return element("figure", { role: "group", "aria-label": label }, element("span", { class: "deck" }, back(), element("span", { class: "count" }, String(heap.hidden))));
  return element("div", { class: "column", role: "group", "aria-label": label }, ...heap.known.map((card) => face(card)), ...Array.from({ length: heap.hidden }, back));
}

/** Whether the value is a list of groups of cards, such as melds. @param {any} value */
const areLaid = (value) => Array.isArray(value) && value.length > 0 && value.every((each) => Array.isArray(each?.cards) && each.cards.length > 0 && each.cards.every(isCard));

/**
 * Groups of cards, each with the game's name for it.
 * @param {string} field
 * @param {any[]} groups
 * @param {Words} speaker
 * @param {string} path
 */
function allLaid(field, groups, speaker, path) {
  const figures = groups.map((group) => {
    const terms = Object.entries(group).map(([name, value]) => speaker.words.terms[name]?.[value]).filter(Boolean).join(", ");
    const called = speaker.group(path, group);
    const caption = called ? coloured(called) : terms ? [terms] : [];
    const cards = element("span", { class: "row" }, ...group.cards.map((card) => (group.wild === card ? element("span", { class: "wild", title: say("cards.wild") }, face(card)) : face(card))));
    const label = caption.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
    const [numbered] = Object.entries(group).filter(([name, value]) => typeof value === "number" && field.startsWith(name));
    return element("figure", { role: "group", "aria-label": label || undefined, "data-field": numbered?.[0], "data-value": numbered?.[1] }, cards, label ? element("figcaption", {}, ...caption) : null);
  });
  return element("div", { class: "laid", role: "group", "aria-label": titleOf(field), "data-pile": field }, ...figures);
}

/** The title of a field, such as `Last Trick`. @param {string} field */
const titleOf = (field) => titled(field.replaceAll("_", "-"));

/** @param {any} value */
const nested = (value) => (value && typeof value === "object" && !Array.isArray(value) ? Object.entries(value) : []);

/**
 * A pile of known and hidden cards; null for anything else, and for an empty one. A list is in order.
 * @param {any} value
 */
function asPile(value) {
  const heap = Array.isArray(value) ? { known: value.filter((card) => isCard(card)), hidden: 0, ordered: true } : value;
  return Array.isArray(heap?.known) && heap.known.length + heap.hidden > 0 ? heap : null;
}

/** The pile with the card on its top, where the view names the top of an open pile. @param {any} heap @param {unknown} top */
const onTop = (heap, top) => (!heap.ordered && heap.top === undefined && heap.known.includes(top) ? { ...heap, top } : heap);

/**
 * Who played the last cards of a row that is played in turn; nobody for other piles.
 * @param {any} heap
 * @param {any} view
 * @param {Words} speaker
 * @returns {Map<string, string>} names by card
 */
function playersOf({ known, ordered }, view, speaker) {
  const last = (view.played ?? []).slice(-known.length);
  const inTurn = ordered && last.length === known.length && last.every((/** @type {any} */ { card }, /** @type {number} */ place) => card === known[place]);
  const number = new Set(last.map((/** @type {any} */ { seat }) => seat)).size;
  return new Map(inTurn ? last.slice(-number).map((/** @type {any} */ { seat, card }) => [card, speaker.name(seat)]) : []);
}

/** A card in a pile, with the name of the one who played it. @param {string} card @param {string} [by] */
const inPile = (card, by) => (by === undefined ? face(card) : element("figure", {}, face(card), element("figcaption", {}, by)));

/**
 * A pile. Where it is drawn from, the cards of an ordered one lie under each other, the first on top.
 * @param {string} field @param {{known: string[], hidden: number, top?: string | null, ordered?: boolean}} heap
 * @param {Map<string, string>} by @param {boolean} isDrawn
 */
function pile(field, { known, hidden, top, ordered }, by, isDrawn) {
  // In a pile of cards lying on each other, those under the top are only counted, unless all are known.
  const counted = top !== undefined && hidden > 0;
  const open = isCard(top) ? [top] : [];
  const others = ordered ? known : [...known].sort(bySuit);
  const seen = counted ? open : [...open, ...others.filter((card) => card !== top)];
  const cards = seen.map((card) => inPile(card, by.get(card)));
  const isStack = isDrawn && ordered;
  if (isStack) for (const [place, card] of cards.entries()) card.style.zIndex = String(cards.length - place);
  const shown = seen.length ? element("span", { class: isStack ? "row stack" : "row", role: "group" }, ...cards) : null;
  const under = counted ? known.length + hidden - open.length : hidden;
  const deck = under ? element("span", { class: "deck" }, back(), element("span", { class: "count" }, String(under))) : null;
  return element(
    "div",
    { class: "pile", role: "group", "aria-label": say("cards.numbered", { title: titleOf(field), number: known.length + hidden }), "data-pile": field },
    element("span", { class: "quiet" }, titleOf(field)),
    shown,
    deck,
  );
}

/** The content of the pool, at tables that have one. @param {any} view */
export function pool(view) {
  if (view.pool === undefined) return null;
  const label = say("cards.numbered", { title: say("cards.pool"), number: view.pool });
  return element("p", { class: "pool", role: "group", "aria-label": label }, element("span", { class: "quiet" }, say("cards.pool")), ` ${view.pool}`);
}

/**
 * The line above the table: deal, phase, and the view's summary in the game's words.
 * @param {any} view
 * @param {Words} speaker
 * @param {any} rules the game's details from the interface
 * @returns {Node[]}
 */
export function status(view, speaker, rules) {
  const parts = [element("span", {}, view.deal ? dealOf(view, rules) : say(`status.${view.status}`))];
  if (view.phase) {
    const phase = speaker.words.terms.phase?.[view.phase] ?? view.phase.replaceAll("-", " ");
    parts.push(element("span", { class: "quiet" }, phase));
  }
  parts.push(...speaker.summary(view).map((said) => element("span", { class: "summary" }, ...coloured(said))));
  for (const dispute of view.disputes || []) {
    const desk = `/disputes/${view.table}/${dispute.dispute}${location.search}`;
    parts.push(element("a", { class: `badge ${dispute.status}`, href: desk }, disputeBadge(dispute)));
  }
  return parts;
}
