/** Cards that move: from hand to table, from stock to hand, to the winner. Where less motion is wanted, they are there at once. */

/** Milliseconds that a card moves for. */
const MOVE_MS = 200;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{shown: HTMLElement, box: DOMRect, zone: string}} Lying a card's element, its place on the screen, and what it lies in */

/** What a card lies in: a hand, a trick or a pile, of a seat or of the table. @param {Element} shown */
function zoneOf(shown) {
  const of = shown.closest("[data-seat]")?.getAttribute("data-seat") ?? shown.closest(".sides, .middle")?.className;
  return `${of}:${shown.closest(".trick") ? "trick" : shown.closest("[data-pile]")?.getAttribute("data-pile")}`;
}

/** Where the cards lie that can be seen. @param {HTMLElement} root @returns {Map<string, Lying>} */
export function lying(root) {
  const found = new Map();
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-card]"))) {
    const { card } = shown.dataset;
    if (!found.has(card) && shown.checkVisibility({ visibilityProperty: true })) found.set(card, { shown, box: shown.getBoundingClientRect(), zone: zoneOf(shown) });
  }
  return found;
}

/** What moves a box onto another. @param {DOMRect} box @param {DOMRect} other */
function onto(box, other) {
  const [x, y] = [other.x + other.width / 2 - box.x - box.width / 2, other.y + other.height / 2 - box.y - box.height / 2];
  return `translate(${x}px, ${y}px) scale(${Math.min(1, other.width / box.width)})`;
}

/** @param {HTMLElement} shown @param {Keyframe[]} frames */
async function moves(shown, frames) {
  shown.classList.add("moving");
  await shown.animate(frames, { duration: MOVE_MS, easing: "ease-out" }).finished.catch(() => {});
  shown.classList.remove("moving");
}

/** A picture of a card that does not lie there any more, which nobody reads or touches. @param {Lying} lying */
function ghost({ shown, box }) {
  const left = document.createElement("span");
  left.className = `${shown.className} ghost`;
  left.setAttribute("aria-hidden", "true");
  left.append(...[...shown.childNodes].map((each) => each.cloneNode(true)));
  for (const [name, value] of Object.entries({ left: box.x, top: box.y, width: box.width, height: box.height })) left.style.setProperty(name, `${value}px`);
  return left;
}

/**
 * Moves the cards that lay elsewhere before. Those that come into sight come from who played them, or from the stock;
 * those that are gone go to who has won them.
 * @param {HTMLElement} root
 * @param {Map<string, Lying>} before
 * @param {{by?: number | null, winner?: number | null}} seats who acted, and who won the trick that lay there
 */
export async function move(root, before, { by, winner }) {
  if (still.matches) return;
  const middle = root.querySelector(".middle");
  const at = (/** @type {number | null | undefined} */ seat) => root.querySelector(`[data-seat="${seat}"] :is(.deck, h2)`) ?? middle;
  const stock = root.querySelector('[data-pile="stock"], [data-pile="talon"]') ?? middle;
  const after = lying(root);
  /** @type {Promise<void>[]} */
  const all = [];
  for (const [card, { shown, box, zone }] of after) {
    const old = before.get(card);
    const from = old?.box ?? (shown.closest('[data-place="own"]') ? stock : at(by))?.getBoundingClientRect();
    if (old?.zone !== zone && from?.width) all.push(moves(shown, [{ transform: onto(box, from) }, { transform: "none" }]));
  }
  for (const [card, old] of before) {
    if (after.has(card)) continue;
    const to = (old.zone.endsWith(":trick") ? at(winner) : old.shown.closest('[data-place="own"]') ? middle : at(by))?.getBoundingClientRect();
    if (!to?.width) continue;
    const left = ghost(old);
    root.append(left);
    all.push(moves(left, [{ transform: "none" }, { transform: onto(old.box, to), opacity: 0.3 }]).then(() => left.remove()));
  }
  await Promise.all(all);
}
