/**
 * Where things stand while a page is painted anew: the keyboard's focus, what is pressed, and the arrow keys' way among
 * things alike.
 */

/** Milliseconds for which a press keeps a page from being painted, at most: some hands are slow, and its end may be missed. */
const PRESS_MS = 5000;

/** Resolves when what is pressed was let go and clicked; null if nothing is pressed. @type {Promise<void> | null} */
let press = null;
let letGo = () => {};

/**
 * Resolves when nothing is pressed. A browser sends no click to a button that was replaced between the press of a
 * pointer, or of the space bar, and its end.
 */
export async function released() {
  while (press) await press;
}

const begin = () => {
  letGo();
  /** @type {Promise<void>} */
  const own = new Promise((resolve) => {
    letGo = () => {
      clearTimeout(latest);
      // The click comes after the events that let go.
      setTimeout(() => {
        if (press === own) press = null;
        resolve();
      });
    };
    const latest = setTimeout(letGo, PRESS_MS);
  });
  press = own;
};
addEventListener("pointerdown", begin, true);
addEventListener("keydown", ({ key, repeat }) => key === " " && !repeat && begin(), true);
for (const kind of ["pointerup", "pointercancel", "keyup"]) addEventListener(kind, () => letGo(), true);
// A window that is left while something is pressed does not see its end.
addEventListener("blur", () => letGo());

/** @param {Element} one @returns {HTMLElement[]} */
const keyed = (one) => /** @type {HTMLElement[]} */ ([...one.querySelectorAll("[data-key]")]);

/** What is made anew by each paint. */
const REPLACED = "play-board, play-hand, play-choices";

/**
 * Paints, and leaves the focus where it was: on the thing of the same key, or else on the one that took its place among
 * those alike, or on `last`.
 *
 * A browser lays the page out before the focus changes. So the focus goes before anything is changed, and comes after all is.
 * @param {HTMLElement} root
 * @param {() => void} paint
 * @param {HTMLElement} last
 */
export function keepingFocus(root, paint, last) {
  const active = document.activeElement;
  const key = active instanceof HTMLElement && root.contains(active) ? active.dataset.key : undefined;
  const group = active?.closest("[data-roving]")?.getAttribute("data-roving");
  const place = key === undefined ? -1 : keyed(active?.closest("[data-roving]") ?? root).findIndex((one) => one === active);
  if (active instanceof HTMLElement && active.closest(REPLACED)) active.blur();
  paint();
  let focused = document.activeElement;
  if (key !== undefined && focused !== active) {
    const others = group ? root.querySelector(`[data-roving="${group}"]`) : null;
    const alike = others ? keyed(others) : [];
    const same = keyed(root).find((one) => one.dataset.key === key);
    focused = same ?? alike[Math.min(place, alike.length - 1)] ?? last;
  }
  for (const roving of root.querySelectorAll("[data-roving]")) oneStop(roving, focused);
  if (focused instanceof HTMLElement && focused !== document.activeElement) focused.focus({ preventScroll: true });
}

/** Lets the keyboard stop once at things alike: at the focused one, or at the first that can be chosen. @param {Element} roving @param {Element | null} focused */
function oneStop(roving, focused) {
  const all = keyed(roving);
  const stop = all.find((one) => one === focused) ?? all.find((one) => one.getAttribute("aria-disabled") !== "true") ?? all[0];
  for (const one of all) one.tabIndex = one === stop ? 0 : -1;
}

/** @type {Record<string, (place: number, number: number) => number>} */
const STEPS = {
  ArrowLeft: (place) => place - 1,
  ArrowUp: (place) => place - 1,
  ArrowRight: (place) => place + 1,
  ArrowDown: (place) => place + 1,
  Home: () => 0,
  End: (_, number) => number - 1,
};

/** Lets the arrow keys lead among things alike, wherever those stand below the root. @param {HTMLElement} root */
export function leadByArrows(root) {
  root.addEventListener("keydown", (press) => {
    const step = press.ctrlKey || press.metaKey || press.altKey ? undefined : STEPS[press.key];
    const target = press.target instanceof HTMLElement ? press.target : null;
    const roving = target?.dataset.key === undefined ? null : target.closest("[data-roving]");
    if (!step || !target || !roving) return;
    press.preventDefault();
    const all = keyed(roving);
    all[Math.min(Math.max(step(all.indexOf(target), all.length), 0), all.length - 1)]?.focus();
    oneStop(roving, document.activeElement);
  });
}

/** What is scrolled by itself, in windows where it does not fit. */
const SCROLLED = "play-status, play-board, play-turn, play-choices, #why, play-rules, .said, play-summary section, .wide";

/** Of these, the keyboard stops at those only while they are scrolled. */
const STOPPED_AT = "play-status, play-board, play-turn";

/** Marks the ends beyond which there is more to scroll to. A browser lays the page out once, since all is read before. @param {HTMLElement[]} all */
function markEnds(all) {
  const found = all.map((one) => ({ one, isScrolled: getComputedStyle(one).overflowY === "auto", top: one.scrollTop, below: one.scrollHeight - one.clientHeight - one.scrollTop, right: one.scrollWidth - one.clientWidth - one.scrollLeft }));
  for (const { one, isScrolled, top, below, right } of found) {
    one.toggleAttribute("data-more-above", isScrolled && top > 1);
    one.toggleAttribute("data-more-below", isScrolled && below > 1);
    one.toggleAttribute("data-more-right", isScrolled && right > 1);
    const stop = isScrolled && top + below > 0 ? 0 : -1;
    if (one.matches(STOPPED_AT) && one.tabIndex !== stop) one.tabIndex = stop;
  }
}

/** Marks what is scrolled by itself below the root, whenever it changes. @param {HTMLElement} root */
export function markScrolled(root) {
  const all = () => markEnds([...root.querySelectorAll(SCROLLED)].filter((one) => one instanceof HTMLElement));
  new MutationObserver(all).observe(root, { childList: true, characterData: true, subtree: true });
  addEventListener("resize", all);
  root.addEventListener("toggle", all, true);
  root.addEventListener("scroll", ({ target }) => target instanceof HTMLElement && target.matches(SCROLLED) && markEnds([target]), true);
}
