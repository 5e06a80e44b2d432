/** What one tab of this browser does for all: the tabs choose one, and another where that one is gone or says nothing more. */

import { randomHex } from "./kit/transport.js";

/** Milliseconds after which a silent tab is asked whether it is there, and for which its answer is waited for. */
const SILENT_MS = 5000;
const ANSWER_MS = 1000;

/** A channel among the tabs of this name, or null where the browser has none. @param {string} name */
function channelOf(name) {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}

/**
 * This tab among those of the same name. The chosen one holds a Web Lock, or has the first id where the page may take
 * none. A frozen tab keeps its lock: so what decides in the end is that it answers.
 */
export class OneTab {
  /**
   * @param {string} name
   * @param {{chosen: () => void, relieved: () => void, heard: (said: any) => void}} listener `chosen` and `relieved` are
   *   called in turns, `heard` for what another tab says
   */
  constructor(name, listener) {
    this.name = name;
    this.listener = listener;
    this.id = randomHex(8);
    this.isChosen = false;
    /** When the chosen tab was heard last, and when it was asked since. */
    this.heard = 0;
    this.asked = 0;
    /** Gives up waiting for the lock, and lets go of it. @type {AbortController | null} */
    this.locking = null;
    /** Ends what listens to this page. */
    this.ending = new AbortController();
    const { signal } = this.ending;
    addEventListener("pagehide", () => this.leave(), { signal });
    document.addEventListener("freeze", () => this.leave(), { signal });
    addEventListener("pageshow", () => this.join(), { signal });
    document.addEventListener("resume", () => this.join(), { signal });
    // Without a channel each page does it for itself, as long as it is seen.
    document.addEventListener("visibilitychange", () => !this.channel && (document.hidden ? this.leave() : this.join()), { signal });
    this.join();
  }

  /** Takes part, from now on. */
  join() {
    if (this.isHere) return;
    this.channel = channelOf(this.name);
    if (!this.channel && document.hidden) return;
    this.isHere = true;
    if (!this.channel) return this.choose();
    this.channel.onmessage = ({ data }) => this.take(data);
    this.heard = performance.now();
    this.asked = 0;
    this.timer = setInterval(() => this.watch(), ANSWER_MS);
    if (navigator.locks) void this.lock();
    else this.ask();
  }

  /** Takes part no more, until it joins again. */
  leave() {
    if (!this.isHere) return;
    clearInterval(this.timer);
    if (this.isChosen) this.post("gone");
    this.relieve();
    this.isHere = false;
    this.locking?.abort();
    this.locking = null;
    this.channel?.close();
  }

  /** Leaves for good. */
  end() {
    this.ending.abort();
    this.leave();
  }

  /** Says something to all other tabs. @param {any} data */
  say(data) { this.post("said", data); }

  /** @param {"ask" | "here" | "gone" | "said"} kind @param {any} [data] */
  post(kind, data) { if (this.isHere) this.channel?.postMessage({ from: this.id, kind, data }); }

  /** @param {{from: string, kind: string, data: any}} message */
  take({ from, kind, data }) {
    if (!this.isHere) return;
    if (kind === "said") return this.listener.heard(data);
    if (kind === "gone") return this.locking || this.isChosen ? undefined : this.ask();
    if (kind === "ask" && this.isChosen) return this.post("here");
    // Whoever has asked as well is chosen before this tab, or was heard.
    if (kind === "here" || from < this.id) [this.heard, this.asked] = [performance.now(), 0];
    if (kind !== "here" || !this.isChosen || this.locking) return;
    if (from < this.id) this.relieve();
    else this.post("here");
  }

  /** Asks whether a tab is chosen. */
  ask() {
    this.asked = performance.now();
    this.post("ask");
  }

  /** Looks whether the chosen tab is silent. */
  watch() {
    if (this.isChosen) return;
    const now = performance.now();
    if (this.asked) {
      if (now - this.asked < ANSWER_MS) return;
      this.asked = 0;
      this.heard = now;
      if (this.locking) void this.lock(true);
      else this.choose();
    } else if (now - this.heard > SILENT_MS) this.ask();
  }

  /** Waits for the lock, or takes it from a tab that does not answer, and is chosen as long as it is held. @param {boolean} [steal] */
  async lock(steal = false) {
    this.locking?.abort();
    const locking = (this.locking = new AbortController());
    const { signal } = locking;
    try {
      await navigator.locks.request(this.name, steal ? { steal } : { signal }, () => {
        if (signal.aborted) return;
        this.choose();
        return new Promise((release) => signal.addEventListener("abort", release));
      });
    } catch (error) {
      if (signal.aborted) return;
      this.relieve();
      // Another tab has taken it, or the browser keeps locks from this page.
      if (error instanceof DOMException && error.name === "AbortError") return void this.lock();
      this.locking = null;
      this.ask();
    }
  }

  choose() {
    if (this.isChosen) return;
    this.isChosen = true;
    this.post("here");
    this.listener.chosen();
  }

  relieve() {
    if (!this.isChosen) return;
    this.isChosen = false;
    this.heard = performance.now();
    this.listener.relieved();
  }
}
