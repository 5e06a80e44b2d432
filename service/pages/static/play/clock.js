/** The service's time. The browser's clock may be wrong, and a page asleep has no other. */

export class ServiceClock {
  constructor() {
    /** What is to be added to `performance.now()`, which nobody sets: at least so much. @type {number | null} */
    this.ahead = null;
  }

  /** Hears an answer: its date is the second that had begun when it was made. @param {Headers} headers */
  hear(headers) {
    const date = Date.parse(headers.get("Date") ?? "");
    if (Number.isNaN(date)) return;
    const ahead = date - performance.now();
    this.ahead = this.ahead === null ? ahead : Math.max(this.ahead, ahead);
  }

  /** Milliseconds since 1970. Before the first answer, by the browser's clock. */
  now() {
    return this.ahead === null ? Date.now() : performance.now() + this.ahead;
  }
}
