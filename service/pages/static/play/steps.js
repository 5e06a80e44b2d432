/**
 * What happens at the table, one step after the other: a page may lag behind the service, and catches up.
 *
 * A step is a moment that is shown. While one is shown, others wait. Those up to `upTo` are shown at once.
 */

/** So many steps wait at most: those before them are shown at once. */
const MOST = 60;

/** Whether a seat acts in an event: its player, here or elsewhere, or another for it. @param {any} event @param {number | null} seat */
export const isActOf = ({ actor, public: { seat: acts } }, seat) => acts === seat && seat !== null && ["seat", "clock", "bot"].includes(actor.split(":")[0]);

export class Steps {
  /** @param {(moment: any) => Promise<void>} show shows a moment, and returns when the next may be shown @param {() => void} rests is called when nothing waits any more */
  constructor(show, rests) {
    this.show = show;
    this.rests = rests;
    /** @type {any[]} */
    this.waiting = [];
    /** The version up to which nothing is waited for. */
    this.upTo = 0;
    this.isShowing = false;
    /** Ends the pause. */
    this.wake = () => {};
    /** Is called when a moment has arrived. */
    this.arrived = () => {};
  }

  /** Whether something that has happened is still to be shown. */
  get lags() { return this.isShowing || this.waiting.length > 0; }

  /** Whether a step is shown at once, and not waited for. @param {any} moment */
  isPast({ version }) { return version <= this.upTo || this.waiting.length > MOST; }

  /** @param {any} moment */
  add(moment) {
    // What led to a snapshot is not known, so nothing before it is shown any more.
    if (!moment.event) this.waiting = [];
    this.waiting.push(moment);
    this.arrived();
    if (!this.isShowing) void this.run();
  }

  /** Shows everything up to a version at once. @param {number} version */
  hurry(version) {
    this.upTo = Math.max(this.upTo, version);
    this.wake();
  }

  /** Resolves after so many milliseconds, or when it is woken. @param {number} milliseconds */
  async pause(milliseconds) {
    /** @type {number | undefined} */
    let timer;
    await new Promise((resolve) => {
      this.wake = () => resolve(null);
      if (milliseconds !== Infinity) timer = setTimeout(resolve, milliseconds);
    });
    clearTimeout(timer);
    this.wake = () => {};
  }

  /** The moment after the one that is shown. @returns {Promise<any>} */
  async next() {
    while (!this.waiting.length) await new Promise((resolve) => (this.arrived = () => resolve(null)));
    return this.waiting[0];
  }

  async run() {
    this.isShowing = true;
    for (let moment; (moment = this.waiting.shift()); ) await this.show(moment);
    this.isShowing = false;
    this.rests();
  }

  /** Forgets what waits, and shows nothing more. */
  end() {
    this.waiting = [];
    this.hurry(Infinity);
  }
}
