/** The list of a table's events, of which only some pages are in the document: one tab stop for the keyboard. */

import { PAGE, pageBefore } from "./api.js";
import { byId, element } from "./dom.js";

/** The most pages in the document. */
const PAGES = 3;
/** The distance in pixels from the list's end at which the next page is added. */
const NEAR = 200;
/** The number of events that Page Up and Page Down skip. */
const LEAP = 10;

/**
 * The target of each key, from a version and the last one.
 * @type {Record<string, (version: number, last: number) => number>}
 */
const KEYS = {
  ArrowUp: (version) => version - 1,
  ArrowDown: (version) => version + 1,
  PageUp: (version) => version - LEAP,
  PageDown: (version) => version + LEAP,
  Home: () => 1,
  End: (_, last) => last,
};

export class EventList {
  /**
   * @param {HTMLElement} shown a list box
   * @param {(version: number) => void} go called when the visitor chooses an event
   */
  constructor(shown, go) {
    this.shown = shown;
    /** @type {import("./api.js").Events | null} */
    this.events = null;
    /** The sentence of an event. @type {(event: any) => (string | Node)[]} */
    this.sentence = () => [];
    /** The versions in the document: after `before`, up to `upTo`. */
    this.before = 0;
    this.upTo = 0;
    this.version = 0;
    /** Whether pages are being added. */
    this.filling = false;
    shown.addEventListener("scroll", () => void this.fill());
    shown.addEventListener("click", (press) => {
      const option = press.target instanceof Element ? press.target.closest("[data-version]") : null;
      if (option instanceof HTMLElement) go(Number(option.dataset.version));
    });
    shown.addEventListener("keydown", (press) => {
      const lead = press.ctrlKey || press.metaKey || press.altKey || press.shiftKey ? undefined : KEYS[press.key];
      if (!lead || !this.events) return;
      press.preventDefault();
      press.stopPropagation();
      go(Math.min(Math.max(lead(this.version, this.events.last), 1), this.events.last));
    });
  }

  /**
   * Shows these events from now on. Those up to the version `kept` stay in the document.
   * @param {import("./api.js").Events} events
   * @param {(event: any) => (string | Node)[]} sentence
   * @param {number} kept
   */
  use(events, sentence, kept) {
    this.events = events;
    this.sentence = sentence;
    while (this.upTo > Math.max(kept, this.before)) {
      this.shown.lastElementChild.remove();
      this.upTo -= 1;
    }
    if (this.upTo === this.before) this.clear(0);
    for (const option of this.shown.children) option.setAttribute("aria-setsize", String(events.last));
  }

  /** @param {number} before */
  clear(before) {
    this.shown.replaceChildren();
    this.before = this.upTo = before;
  }

  /** Marks the event of a step, and scrolls it into view. Throws Problem. @param {number} version */
  async mark(version) {
    this.version = version;
    if (version <= this.before || version > this.upTo) await this.open(version);
    if (this.version !== version) return;
    const option = this.option(version);
    if (!option) return;
    // A row that was added meanwhile may be selected, too.
    for (const former of this.shown.querySelectorAll("[aria-selected=true]")) former.setAttribute("aria-selected", "false");
    option.setAttribute("aria-selected", "true");
    this.point();
    // Not scrollIntoView, which would move the page too.
    this.shown.scrollTop = option.offsetTop - this.shown.clientHeight / 2;
    await this.fill();
  }

  /** Shows the page of a version, next to those in the document if it is adjacent. @param {number} version */
  async open(version) {
    const before = pageBefore(version);
    if (before !== this.upTo && before + PAGE !== this.before) {
      const found = await this.page(before);
      if (this.version !== version) return;
      this.clear(before);
      this.append(found);
      return;
    }
    await (version > this.upTo ? this.down() : this.up());
  }

  /** Adds pages at the ends that are near. */
  async fill() {
    if (this.filling || !this.events) return;
    this.filling = true;
    try {
      const { shown } = this;
      while (this.upTo < this.events.last && shown.scrollHeight - shown.scrollTop - shown.clientHeight < NEAR) await this.down();
      while (this.before > 0 && shown.scrollTop < NEAR) await this.up();
    } catch {
      // The step itself reports that the service cannot be reached.
    } finally {
      this.filling = false;
    }
  }

  /** Adds the next page. */
  async down() {
    const { upTo, before } = this;
    const found = await this.events.range(upTo + 1, Math.min(pageBefore(upTo + 1) + PAGE, this.events.last));
    if (this.upTo !== upTo || this.before !== before) return;
    this.append(found);
    while (this.upTo - this.before > PAGES * PAGE) {
      const { scrollTop, scrollHeight } = this.shown;
      for (let number = 0; number < PAGE; number += 1) this.shown.firstElementChild.remove();
      this.before += PAGE;
      this.shown.scrollTop = scrollTop - (scrollHeight - this.shown.scrollHeight);
    }
    this.point();
  }

  /** Adds the previous page. */
  async up() {
    const { upTo, before } = this;
    const found = await this.page(before - PAGE);
    if (this.upTo !== upTo || this.before !== before) return;
    const { scrollTop, scrollHeight } = this.shown;
    this.shown.prepend(...found.map((event) => this.row(event)));
    this.before -= PAGE;
    this.shown.scrollTop = scrollTop + (this.shown.scrollHeight - scrollHeight);
    while (this.upTo - this.before > PAGES * PAGE) {
      this.shown.lastElementChild.remove();
      this.upTo -= 1;
    }
    this.point();
  }

  /** Points to the event of the step, if it is in the document. */
  point() {
    const option = this.option(this.version);
    if (option) this.shown.setAttribute("aria-activedescendant", option.id);
    else this.shown.removeAttribute("aria-activedescendant");
  }

  /** @param {number} before @returns {Promise<any[]>} The events of a page. Throws Problem. */
  page(before) {
    return this.events.range(before + 1, Math.min(before + PAGE, this.events.last));
  }

  /** @param {any[]} found */
  append(found) {
    this.shown.append(...found.map((event) => this.row(event)));
    this.upTo += found.length;
  }

  /** @param {number} version @returns {HTMLElement | null} */
  option(version) {
    return /** @type {HTMLElement | null} */ (this.shown.children[version - this.before - 1] ?? null);
  }

  /** @param {any} event */
  row(event) {
    const { version } = event;
    return element(
      "li",
      {
        id: `event-${version}`,
        role: "option",
        class: event.type === "cards-dealt" ? "dealt" : event.actor === "house" ? "house" : "",
        "data-version": version,
        "aria-selected": String(version === this.version),
        "aria-posinset": version,
        "aria-setsize": this.events.last,
      },
      element("span", {}, ...this.sentence(event)),
    );
  }
}

/** The list of the page. @param {(version: number) => void} go */
export const eventList = (go) => new EventList(byId("events"), go);
