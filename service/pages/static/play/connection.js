/** The table's stream, which comes back by itself whatever becomes of the connection. */

import { Client } from "../kit/client.js";
import { Problem } from "../kit/problems.js";
import { ServiceClock } from "./clock.js";

/** Milliseconds until another attempt once the kit has given up, at first and at most. */
const AGAIN_MS = 1000;
const SLOWEST_MS = 15_000;
/** A page that was hidden for so long follows anew: a phone that sleeps keeps no connection. */
const HIDDEN_MS = 20_000;

/** @typedef {"opening" | "here" | "lost" | "over"} Connected */

/**
 * Follows a table. `moment` is called for each moment, `connected` when the connection is lost or there again, and
 * `refused` with the Problem where the service refuses: then it is not tried again.
 */
export class Connection {
  /**
   * @param {string} table
   * @param {string | null} invitation
   * @param {{moment: (moment: any) => void, connected: (state: Connected) => void, refused: (problem: Problem) => void}} listener
   */
  constructor(table, invitation, listener) {
    this.id = table;
    this.invitation = invitation;
    this.listener = listener;
    /** @type {Connected} */
    this.state = "opening";
    this.clock = new ServiceClock();
    /** Ends the present stream. @type {AbortController | null} */
    this.following = null;
    /** When the page was hidden. */
    this.hidden = 0;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.hidden = Date.now();
      else if (this.hidden && Date.now() - this.hidden > HIDDEN_MS) this.again();
    });
    addEventListener("online", () => this.again());
    addEventListener("offline", () => this.say("lost"));
  }

  /** Acts as the player of this token from now on; null for the public. @param {string | null} token */
  use(token) {
    // What ended, or was refused, may not be for another player.
    this.state = "opening";
    const watched = async (/** @type {RequestInfo | URL} */ url, /** @type {RequestInit} */ request) => {
      try {
        const answer = await fetch(url, request);
        this.clock.hear(answer.headers);
        if (this.state === "lost" && answer.status < 502) this.say("here");
        return answer;
      } catch (error) {
        if (!request?.signal?.aborted) this.say("lost");
        throw error;
      }
    };
    this.client = new Client(location.origin, token, { fetch: /** @type {typeof fetch} */ (watched) });
    this.table = this.client.table(this.id, this.invitation ?? undefined);
    this.again();
  }

  /** @param {Connected} state */
  say(state) {
    if (state === this.state || (this.state === "over" && state !== "opening")) return;
    this.state = state;
    this.listener.connected(state);
  }

  /** Follows the table anew, from a snapshot on. */
  again() {
    if (this.state === "over" || !this.table) return;
    this.following?.abort();
    this.following = new AbortController();
    void this.follow(this.following.signal);
  }

  /** Follows the table no more. */
  end() {
    this.following?.abort();
    this.say("over");
  }

  /** @param {AbortSignal} signal */
  async follow(signal) {
    for (let wait = AGAIN_MS; !signal.aborted; wait = Math.min(2 * wait, SLOWEST_MS)) {
      try {
        for await (const moment of this.table.follow({ all: true, signal })) {
          if (signal.aborted) return;
          this.say("here");
          wait = AGAIN_MS;
          this.listener.moment(moment);
        }
        if (!signal.aborted) this.say("over");
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Problem && error.status < 500 && error.status !== 429) {
          this.say("over");
          return this.listener.refused(error);
        }
        this.say("lost");
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
