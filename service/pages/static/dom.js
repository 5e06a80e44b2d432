/** Elements and cards. */

import { Problem } from "./api.js";
import { look } from "./looks.js";
import { say } from "./say.js";

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | EventListener | undefined>} attributes
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== undefined && value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * An element of SVG.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 */
export function drawn(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** The mark of bots, which no player's name can have: names are kept normalised (NFKC), and the mark is not. */
const BOT = say("bot.mark");

/** Names in a text, in which the marks of bots are elements that say what they mean. @param {string} names @returns {(Node | string)[]} */
export function named(names) {
  const means = say("bot.mark.means");
  return names.split(BOT).flatMap((text, place) => (place ? [element("span", { class: "bot", role: "img", "aria-label": means, title: means }, BOT), text] : [text]));
}

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

/** A name in code as people read it. @param {string} name such as `bonus_stacking` @returns {string} Such as `Bonus stacking`. */
export const readable = (name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll(/(?<=\w)[_-](?=\w)/g, " ");

/** A failure in words. @param {unknown} error */
export function inWords(error) {
  if (!(error instanceof Problem)) return say("fault");
  if (error.code === "no-such-table") return say("problem.no-such-table");
  const [{ pointer, detail } = {}] = error.errors;
  const field = (pointer ?? "").split("/").at(-1) ?? "";
  const text = readable(detail?.startsWith("must ") && field ? say("problem.field", { field, detail }) : (detail ?? error.message));
  return text.endsWith(".") ? text : `${text}.`;
}

/** Shows a failure in words. @param {unknown} error */
export function fail(error) {
  byId("failure").textContent = inWords(error);
  byId("failure").hidden = false;
  if (!(error instanceof Problem)) throw error;
}

/** The suits in the order of a hand. @type {Record<string, string>} */
export const SIGNS = { s: "♠", h: "♥", d: "♦", c: "♣" };
/** The ranks that have names; others are numbers. */
export const NAMED = ["A", "K", "Q", "J", "T", "Jo"];

/** @typedef {{rank: string, suit: string | null, owner?: number | null}} Face A card's face; a joker has no suit. */

/** The faces of the game's cards, by name. @type {Map<string, Face>} */
let faces = new Map();

/** Sets the cards of the game. @param {Record<string, Face>} pack */
export function usePack(pack) {
  faces = new Map(Object.entries(pack));
}

/** Whether this is the name of one of the game's cards. @param {any} name */
export const isCard = (name) => faces.has(name);

/** @param {string} card @returns {Face} */
export const faceOf = (card) => faces.get(card) ?? { rank: card, suit: null };

/** @param {string} rank */
const rankText = (rank) => (rank === "T" ? "10" : rank === "Jo" ? "★" : rank);

/** @param {string} rank */
const rankName = (rank) => (NAMED.includes(rank) ? say(`rank.${rank}`) : rank);

/** @param {string} card such as `Ks` */
export function cardName(card) {
  const { rank, suit } = faceOf(card);
  return suit ? say("card.both", { rank: rankName(rank), suit: say(`suit.${suit}`) }) : rankName(rank);
}

/** The pictures of faces, once one was drawn. @type {Promise<void> | undefined} */
let pictures;

/** Brings the pictures of all faces into the page. Until then, and without them, cards are letters and signs. */
async function loadPictures() {
  const answer = await fetch("/page/vendored/cards.svg").catch(() => null);
  if (!answer?.ok) return;
  const { documentElement: all } = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  all.setAttribute("hidden", "");
  document.body.append(all);
  document.documentElement.classList.add("pictured");
}

/** A card's face. @param {string} card */
export function face(card) {
  const { rank, suit, owner } = faceOf(card);
  const picture = `#${rank}${suit ?? ""}`;
  pictures ??= loadPictures();
  return element(
    "span",
    { class: `card suit-${suit}`, role: "img", "aria-label": cardName(card), "data-card": card, "data-owner": owner ?? undefined },
    drawn("svg", { "aria-hidden": "true" }, drawn("use", { href: picture }), drawn("use", { href: `${picture}-small` })),
    element("b", {}, rankText(rank)),
    element("i", {}, suit ? (SIGNS[suit] ?? "") : ""),
  );
}

/** Compares cards by suit for a stable sort; jokers last. @param {string} one @param {string} other */
export function bySuit(one, other) {
  const suits = [...look("order")];
  const [first, second] = [one, other].map((card) => suits.indexOf(faceOf(card).suit ?? ""));
  return (first < 0 ? suits.length : first) - (second < 0 ? suits.length : second);
}

/** The back of a card. */
export const back = () => element("span", { class: "card back", "aria-hidden": "true" });

/** Cards in a row: the known ones, then backs for the others. @param {{known: string[], hidden: number}} hand */
export function row(hand) {
  const known = [...hand.known].sort(bySuit);
  const label = hand.hidden ? say("cards.hidden", { count: hand.hidden }) : undefined;
  return element(
    "span",
    { class: "row", role: "group", "aria-label": label },
    ...known.map((card) => face(card)),
    ...Array.from({ length: hand.hidden }, back),
  );
}

/** @param {number} amount @returns {string} Signed, with a true minus. */
export const signed = (amount) => (amount > 0 ? `+${amount}` : amount < 0 ? `−${-amount}` : "0");

/** @param {string} name such as `exchange-nolo` @returns {string} Such as `Exchange Nolo`. */
export const titled = (name) => name.split("-").map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ");
