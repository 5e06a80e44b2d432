/** A record in a file, as the service checks it and steps through it. What came is kept here, and nowhere else. */

import { checkRecord, Problem } from "./api.js";
import { say } from "./say.js";

/** What comes one after the other, by its number, and is waited for until then. */
class Arriving {
  /** @param {number} last the number of the last one */
  constructor(last = 0) {
    this.last = last;
    /** @type {Map<number, any>} */
    this.known = new Map();
    /** @type {Map<number, {resolve: (value: any) => void, reject: (error: unknown) => void}[]>} */
    this.waiting = new Map();
    /** Why no more come, once none do. @type {unknown} */
    this.ended = null;
  }

  /** @param {number} number @param {any} value */
  put(number, value) {
    this.known.set(number, value);
    for (const { resolve } of this.waiting.get(number) ?? []) resolve(value);
    this.waiting.delete(number);
  }

  /** @param {unknown} why */
  end(why) {
    this.ended = why;
    for (const waiting of this.waiting.values()) for (const { reject } of waiting) reject(why);
    this.waiting.clear();
  }

  /** @param {number} number @returns {Promise<any>} Throws why it does not come. */
  async at(number) {
    if (this.known.has(number)) return this.known.get(number);
    if (this.ended !== null) throw this.ended;
    return new Promise((resolve, reject) => this.waiting.set(number, [...(this.waiting.get(number) ?? []), { resolve, reject }]));
  }

  /** @param {number} first @param {number} last @returns {Promise<any[]>} */
  async range(first, last) {
    return Promise.all(Array.from({ length: last - first + 1 }, (_, index) => this.at(first + index)));
  }
}

export class RecordFile {
  /** @param {Blob} file @param {(come: number, all: number) => void} [progress] called with the number of events that came */
  constructor(file, progress = () => {}) {
    this.file = file;
    this.isServed = false;
    /** What the verification came to. @type {any} */ this.verification = null;
    /** The table, if the events can be followed. @type {any} */ this.table = null;
    /** @type {any} */ this.books = null;
    /** By deal. @type {Map<number, any>} */ this.audits = new Map();
    /** @type {Arriving} */ this.come = new Arriving();
    /** The steps by the eyes that see them. @type {Map<string, Arriving>} */ this.seen = new Map();
    this.progress = progress;
    this.leaving = new AbortController();
  }

  get id() { return this.verification?.table ?? ""; }

  /**
   * Has the file checked, and returns once all of it has come. `verified` is called as soon as the verdict is there.
   * @param {() => void} verified
   * @returns {Promise<void>} Throws Problem. What had come by then is kept.
   */
  async read(verified) {
    const steps = new Arriving();
    this.seen.set("open", steps);
    try {
      for await (const { frame, data } of checkRecord(this.file, "all", this.leaving.signal)) {
        if (frame === "step") {
          // In an altered file two events may have one version.
          this.come.put(data.version, { ...data.event, version: data.version });
          steps.put(data.version, data);
          this.progress(data.version, this.verification.events);
        } else if (frame === "verification") {
          this.verification = data;
          verified();
        } else if (frame === "audit") this.audits.set(data.deal, data.audit);
        else if (frame === "ledger") this.books = data;
        else if (frame === "table") this.table = data;
      }
      this.end(steps, new Problem(0, { detail: say("file.incomplete") }));
    } catch (error) {
      this.end(steps, error);
      throw error;
    }
  }

  /** @param {Arriving} steps @param {unknown} why */
  end(steps, why) {
    this.come.last = this.come.known.size;
    this.come.end(why);
    steps.end(why);
  }

  /** Ends what is still read. */
  leave() { this.leaving.abort(); }

  async view() { return this.table; }

  /** @param {{after?: number, type?: string[]}} query @returns {Promise<any[]>} */
  async events({ after = 0, type }) {
    return [...this.come.known.values()].filter((event) => event.version > after && (!type || type.includes(event.type)));
  }

  record() { return this.come; }

  /** @param {string} eyes */
  steps(eyes) {
    const known = this.seen.get(eyes);
    if (known) return known;
    const steps = new Arriving();
    this.seen.set(eyes, steps);
    void this.look(eyes, steps);
    return steps;
  }

  /** Has the file stepped through with these eyes. @param {string} eyes @param {Arriving} steps */
  async look(eyes, steps) {
    try {
      for await (const { frame, data } of checkRecord(this.file, eyes, this.leaving.signal)) {
        if (frame === "step") steps.put(data.version, data);
      }
      steps.end(new Problem(0, { detail: say("file.incomplete") }));
    } catch (error) {
      // They may be asked for again.
      this.seen.delete(eyes);
      steps.end(error);
    }
  }

  async ledger() { return this.books; }

  async disputes() { return { items: [] }; }

  /** @param {number} deal */
  async audit(deal) {
    const found = this.audits.get(deal);
    if (!found) throw new Problem(0, { detail: say("file.no-audit") });
    return found;
  }

  page() { return null; }
}
