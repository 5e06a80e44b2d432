/** Elements and cards. */

/**
 * @param {string} tag
 * @param {Record<string, string | number | boolean | EventListener | undefined>} attributes
 * @param {...(Node | string | null | undefined)} children
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

/** @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);

export const SUITS = {
  s: { sign: "♠", name: "spades" },
  h: { sign: "♥", name: "hearts" },
  d: { sign: "♦", name: "diamonds" },
  c: { sign: "♣", name: "clubs" },
};
const RANKS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };

/** @param {string} card such as `Ks` */
export const cardName = (card) => `${RANKS[card[0]] || card[0]} of ${SUITS[card[1]].name}`;

/** @param {string} card @returns {string} Such as `K♠`. */
export const cardText = (card) => `${card[0] === "T" ? "10" : card[0]}${SUITS[card[1]].sign}`;

/** A card's face. @param {string} card @param {string} more classes */
export function face(card, more = "") {
  return element(
    "span",
    { class: `card suit-${card[1]} ${more}`, role: "img", "aria-label": cardName(card), "data-card": card },
    element("b", {}, card[0] === "T" ? "10" : card[0]),
    element("i", {}, SUITS[card[1]].sign),
  );
}

/** The back of a card. */
export const back = () => element("span", { class: "card back", "aria-hidden": "true" });

/** Cards in a row: those that are known, then the others' backs. @param {{known: string[], hidden: number}} hand */
export function row(hand) {
  const suits = Object.keys(SUITS);
  const known = [...hand.known].sort((one, other) => suits.indexOf(one[1]) - suits.indexOf(other[1]));
  const label = hand.hidden ? `${hand.hidden} hidden ${hand.hidden === 1 ? "card" : "cards"}` : undefined;
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

/** What the rows of a game's tables are about. */
const SUBJECTS = ["contract", "bonus", "outcome", "level"];

/**
 * @param {any} rules the game as the interface describes it
 * @returns {(of: string, value: any) => string} What the game calls the contract, bonus, outcome or level of this value.
 */
export function vocabulary(rules) {
  const names = new Map();
  for (const row of [...rules.contracts, ...rules.bonuses, ...rules.outcomes]) {
    const of = SUBJECTS.find((subject) => subject in row);
    names.set(`${of} ${row[of]}`, row.name);
  }
  return (of, value) => names.get(`${of} ${value}`) || (typeof value === "string" ? titled(value) : `${of} ${value}`);
}

/** @param {any} it a contract, in an event or a view @param {(of: string, value: any) => string} term */
export const contractName = (it, term) =>
  it.contract ? term("contract", it.contract) : it.level ? term("level", it.level) : titled(it.game || "a contract");
