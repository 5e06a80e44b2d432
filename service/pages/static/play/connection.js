/** The table's stream, which comes back by itself whatever becomes of the connection. */

import { lasting, Problem } from "../api.js";
import { Client } from "../kit/client.js";
import { ServiceClock } from "./clock.js";

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
    // The connections of a browser are few: a hidden tab holds none, and catches up when it is seen.
    document.addEventListener("visibilitychange", () => this.again());
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

  /** Follows the table anew, from a snapshot on, as long as the page is seen. */
  again() {
    if (this.state === "over" || !this.table) return;
    this.following?.abort();
    if (document.hidden) return;
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
    try {
      for await (const moment of lasting(() => this.table.follow({ all: true, signal }), signal, () => this.say("lost"))) {
        this.say("here");
        this.listener.moment(moment);
      }
      if (!signal.aborted) this.say("over");
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.say("over");
      this.listener.refused(error);
    }
  }
}
