/** The interface, as pages ask it through the kit, which repeats nothing: each page says what failed and asks again. */

import { keepInTab, token } from "./keeping.js";
import { Client } from "./kit/client.js";
import { Problem, Unreachable } from "./kit/problems.js";
import { randomHex } from "./kit/transport.js";
import { say } from "./say.js";

export { Problem, token };
/** Keeps a token for as long as the tab lives; an empty one removes it. */
export const setToken = keepInTab;

/** Parameters that mail, chats and advertising add to links. */
const TRACKING = /^(utm_\w+|(fb|g|d|tw|tt|y)clid|msclkid|[gw]braid|igshid|mc_[ce]id)$/;
const address = new URL(location.href);
for (const name of [...address.searchParams.keys()]) if (TRACKING.test(name)) address.searchParams.delete(name);
// So no link of the page passes them on.
if (address.search !== location.search) history.replaceState(history.state, "", address);

/** Seconds after which a request counts as lost: long reads of long games take their time. */
const ANSWER_S = 120;

/** Seconds of an outage that a page waits for without a word. */
const OUTAGE_S = 5;

/** The invitation in the page's own address, which every request about a table passes on. */
const invitation = new URLSearchParams(location.search).get("invite");

/** That there was no answer. */
export const unreachable = () => new Problem(0, { detail: say("unreachable") });

/** The query with the invitation, where the path is a table's. @param {string} path @param {Record<string, any>} query */
const invited = (path, query) => (invitation !== null && path.startsWith("/tables/") ? { ...query, invite: invitation } : query);

/**
 * @param {"GET" | "POST" | "DELETE"} method
 * @param {string} path
 * @param {{query?: Record<string, any>, body?: any}} [sending]
 * @returns {Promise<any>} The answer. Throws Problem.
 */
async function ask(method, path, { query = {}, body } = {}) {
  const client = new Client(location.origin, token(), { deadline: 0, answer: ANSWER_S });
  try {
    return await client.request(method, path, { query: invited(path, query), body });
  } catch (error) {
    throw error instanceof Unreachable ? unreachable() : error;
  }
}

/**
 * A short outage is waited for once, if the service says how long.
 * @param {string} path
 * @param {Record<string, string | number | string[]>} query
 * @returns {Promise<any>} The response to a GET. Throws Problem.
 */
export async function get(path, query = {}) {
  try {
    return await ask("GET", path, { query });
  } catch (error) {
    if (error.status !== 503 || !(error.retryAfter <= OUTAGE_S)) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1000 * error.retryAfter));
    return await ask("GET", path, { query });
  }
}

/** @param {string} path @param {any} body @returns {Promise<any>} The response to a POST. Throws Problem. */
export const post = (path, body) => ask("POST", path, { body });

/** Deletes something. @param {string} path @returns {Promise<void>} Throws Problem. */
export const remove = (path) => ask("DELETE", path);

/**
 * What the service says of a record's file, line by line.
 * @param {Blob} file @param {string} eyes an audience of the interface @param {AbortSignal} signal
 * @returns {AsyncGenerator<{frame: string, data: any}>} Throws Problem.
 */
export async function* checkRecord(file, eyes, signal) {
  const client = new Client(location.origin, token(), { deadline: OUTAGE_S, answer: ANSWER_S });
  try {
    yield* client.checkRecord(file, { as: eyes, signal });
  } catch (error) {
    throw error instanceof Unreachable ? unreachable() : error;
  }
}

/** So many streams of this browser leave room for requests: it has six connections to an address that speaks HTTP/1.1. */
const MOST_STREAMS = 4;
const STREAM = "codille-stream-";

/** Counts a stream as one of this browser until it ends, where the page may take Web Locks. @param {AbortSignal} ended */
function count(ended) {
  const open = () => new Promise((resolve) => ended.addEventListener("abort", resolve));
  navigator.locks?.request(`${STREAM}${randomHex(8)}`, open).catch(() => {});
}

/** Whether the streams of this browser leave too little room, as far as it can be known. */
export async function isCrowded() {
  const { held = [] } = (await navigator.locks?.query().catch(() => null)) ?? {};
  return held.filter(({ name }) => name?.startsWith(STREAM)).length > MOST_STREAMS;
}

/** Milliseconds until another attempt at a stream, at first and at most. */
const AGAIN_MS = 1000;
const SLOWEST_MS = 15_000;

/**
 * What a stream of the kit tells until it ends, whatever becomes of the connection after the kit has given up.
 * @template T
 * @param {() => AsyncIterable<T>} open
 * @param {AbortSignal} signal
 * @param {() => void} [lost] called when there is no connection
 * @returns {AsyncGenerator<T>} Throws the Problem with which the service refuses it.
 */
export async function* lasting(open, signal, lost = () => {}) {
  const ended = new AbortController();
  count(AbortSignal.any([signal, ended.signal]));
  try {
    for (let wait = AGAIN_MS; !signal.aborted; wait = Math.min(2 * wait, SLOWEST_MS)) {
      try {
        for await (const one of open()) {
          if (signal.aborted) return;
          wait = AGAIN_MS;
          yield one;
        }
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof Problem && error.status < 500 && error.status !== 429) throw error;
        lost();
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  } finally {
    ended.abort();
  }
}

/**
 * The frames of a table's stream, whatever becomes of the connection: each event once, with the view after it.
 * @param {string} table
 * @param {() => number} known the version that is known
 * @param {AbortSignal} signal
 * @param {() => void} lost called when there is no connection
 * @returns {AsyncGenerator<{frame: string, data: any}>} Throws the Problem with which the service refuses it.
 */
export function framesOf(table, known, signal, lost) {
  const path = `/tables/${table}/events/stream`;
  const client = new Client(location.origin, token(), { deadline: OUTAGE_S });
  return lasting(() => client.frames(path, { query: invited(path, { view: true }), after: known(), signal }), signal, lost);
}

/**
 * @param {string} table
 * @param {Record<string, number | string[]>} query which events: `after` a version, of some types (`type`)
 * @returns {Promise<any[]>} All of these events, as the caller may see them. Throws Problem.
 */
export async function events(table, query) {
  const found = [];
  for (let after = query.after ?? 0; ; after = found.at(-1).version) {
    const page = await get(`/tables/${table}/events`, { ...query, after, limit: PAGE });
    found.push(...page.items);
    if (page.items.length < PAGE) return found;
  }
}

/** The number of events in a page. */
export const PAGE = 200;

/** The events of a table, fetched a page at a time when they are shown, and cached. */
export class Events {
  /** @param {string} table @param {number} last The last version. */
  constructor(table, last) {
    this.table = table;
    this.last = last;
    /** By version. @type {Map<number, any>} */
    this.known = new Map();
    /** The pages being fetched, by the version before their first one. @type {Map<number, Promise<void>>} */
    this.coming = new Map();
    /** Counts calls of `forget`. Responses requested before the last one are dropped. */
    this.forgotten = 0;
  }

  /** @param {number} version @returns {Promise<any>} The event. Throws Problem. */
  async at(version) {
    const before = pageBefore(version);
    while (!this.known.has(version)) {
      if (!this.coming.has(before)) this.coming.set(before, this.read(before).finally(() => this.coming.delete(before)));
      await this.coming.get(before);
    }
    return this.known.get(version);
  }

  /** @param {number} first @param {number} last @returns {Promise<any[]>} The events from one version to another. Throws Problem. */
  async range(first, last) {
    const found = [];
    for (let version = first; version <= last; version += 1) found.push(await this.at(version));
    return found;
  }

  /** Reads the unknown events of a page. @param {number} before */
  async read(before) {
    let after = before;
    while (this.known.has(after + 1)) after += 1;
    const { forgotten } = this;
    const answer = await get(`/tables/${this.table}/events`, { after, limit: PAGE - (after - before) });
    if (forgotten !== this.forgotten) return;
    if (!answer.items.length) throw new Problem(0, { detail: say("incomplete") });
    this.add(answer.items);
  }

  /** @param {any[]} events */
  add(events) {
    for (const event of events) if (event.version <= this.last) this.known.set(event.version, event);
  }

  /** Forgets the events after a version, which may have more open sections now. @param {number} version */
  forget(version) {
    this.forgotten += 1;
    for (const known of [...this.known.keys()]) if (known > version) this.known.delete(known);
  }
}

/** The version before the first one of a version's page. @param {number} version */
export const pageBefore = (version) => version - 1 - ((version - 1) % PAGE);

const STEPS = 50;

/** The steps of a table, fetched some at a time and cached. */
export class Steps {
  /**
   * @param {string} table
   * @param {string} eyes `open`, or an audience of the interface
   * @param {number} openUpTo The last version up to which every deal is over.
   * @param {number} last The last version.
   */
  constructor(table, eyes, openUpTo, last) {
    this.table = table;
    this.eyes = eyes;
    this.openUpTo = openUpTo;
    this.last = last;
    /** @type {Map<number, Promise<any[]>>} */
    this.parts = new Map();
    /** The last step, if the stream delivered it. @type {{view: any} | null} */
    this.newest = null;
  }

  /** @param {number} version @returns {Promise<any>} The step, with the view after it. */
  async at(version) {
    if (version === this.newest?.view.version) return this.newest;
    const from = this.begin(version);
    const part = await this.part(from);
    if (version + STEPS / 2 <= this.last) void this.part(this.begin(version + STEPS / 2)).catch(() => {});
    return part[version - from];
  }

  /** The start of the part that has a version: no part crosses the end of what is open. @param {number} version */
  begin(version) {
    const start = version > this.openUpTo ? this.openUpTo : 0;
    return start + Math.floor((version - start - 1) / STEPS) * STEPS + 1;
  }

  /** @param {number} from @returns {Promise<any[]>} */
  part(from) {
    let part = this.parts.get(from);
    if (!part) {
      const isOpen = from <= this.openUpTo;
      const to = Math.min(from + STEPS - 1, isOpen ? this.openUpTo : this.last);
      const eyes = this.eyes === "open" ? (isOpen ? "all" : "me") : this.eyes;
      part = get(`/tables/${this.table}/replay`, { from, to, as: eyes }).then((answer) => answer.steps);
      part.catch(() => this.parts.delete(from));
      this.parts.set(from, part);
    }
    return part;
  }
}
