/** A table: its seats, acts and record, and what happens there. */

import { Offer } from "./offers.js";
import { TableOperations } from "./operations.js";
import { Problem, Stale } from "./problems.js";
import { randomHex } from "./transport.js";

/**
 * @typedef {import("./types.js").Schemas} Schemas
 * @typedef {import("./types.js").Offered} Offered
 * @typedef {import("./types.js").Following} Following
 */

const OVER = ["finished", "closed"];
/** The type of act by which a player says something. */
const TALK = "talk";
const WAIT_S = 25;
/** The most steps that one answer holds. */
const STEPS = 100;

/** A table at one version, as its reader may know it. @template {import("./types.js").GameSchemas} [S=Schemas] */
export class Moment {
  #table;

  /**
   * @param {Table<S>} table @param {string} kind @param {S["View"]} view @param {S["Event"] | null} event
   * @param {Schemas["Offer"][]} [offers] @param {any} [data]
   */
  constructor(table, kind, view, event, offers = [], data = null) {
    this.#table = table;
    /** `snapshot` or `event`; with `all` what else the stream tells, such as `presence`. */
    this.kind = kind;
    /** @type {number} */
    this.version = view.version;
    this.view = view;
    /** The event that led to this version, where there is one. */
    this.event = event;
    const open = offers.map((offer) => new Offer(offer));
    /** What the reader's seat may do; nothing while more events of the same act follow. */
    this.offers = open.filter(({ type }) => type !== TALK);
    /** To say something, where the reader may. It is not among the offers, since no game waits for it. */
    this.talk = open.find(({ type }) => type === TALK) ?? null;
    /** The frame's own data. */
    this.data = data;
  }

  /** Whether nothing can be played any more. */
  get over() { return OVER.includes(this.view.status); }

  /**
   * Why nothing can be played any more, as the event says that ended it, or the table's status. Null before.
   * @returns {string | null}
   */
  get ended() {
    if (!this.over) return null;
    return this.event?.type === "table-expired" ? "expired" : (this.event?.public?.reason ?? this.view.status);
  }

  /** Whether the reader is to act; in games without turns, whether the reader may. */
  get mine() {
    const { status, to_act, you } = this.view;
    return status === "playing" && this.offers.length > 0 && (to_act.length === 0 || to_act.includes(you));
  }

  /**
   * Acts at this version. Null where the table has gone on since, or another was first.
   * @param {S["Action"] | Offered} action @returns {Promise<S["Acted"] | null>}
   */
  async act(action) {
    return this.#table.act(action, this.version).catch((error) => {
      if (error instanceof Stale) return null;
      throw error;
    });
  }
}

/**
 * A table, at which the client's player may sit. What is read is never older than what this object has shown before.
 * @template {import("./types.js").GameSchemas} [S=Schemas] @extends {TableOperations<S>}
 */
export class Table extends TableOperations {
  #client;
  #invite;
  /** The highest version that was seen. */
  #known = 0;
  /** The number of acts that were sent. */
  #acts = 0;
  /** The turn that was had last. */
  #told = "";
  /** What `myTurn` follows, and ends it. @type {{turns: AsyncGenerator<Moment<S>>, ending: AbortController} | undefined} */
  #kept;

  /** @param {import("./client.js").Client<any>} client @param {string} id @param {string} [invite] */
  constructor(client, id, invite) {
    super();
    this.#client = client;
    this.#invite = invite;
    this.id = id;
  }

  /**
   * The answer to any request below the table's own path.
   * @param {import("./types.js").Method} method @param {string} path @param {import("./types.js").Sending} [sending]
   */
  async request(method, path, sending = {}) {
    const query = { ...sending.query, invite: this.#invite };
    const answer = await this.#client.request(method, `/tables/${this.id}${path}`, { ...sending, query }).catch((error) => {
      this.#know(error.version);
      throw error;
    });
    // A rematch is answered with the other table.
    if ((answer?.table ?? this.id) === this.id) this.#know(answer?.version);
    return answer;
  }

  /**
   * What is at the highest version that was seen, or a later one.
   * @param {string} path @param {{[name: string]: any}} [query] @param {AbortSignal} [signal] @returns {Promise<any>}
   */
  read(path, query, signal) {
    const min_version = Math.max(this.#known, query?.min_version ?? 0) || undefined;
    return this.request("GET", path, { query: { ...query, min_version }, wait: query?.wait, signal });
  }

  /** @param {number | undefined} version */
  #know(version) { this.#known = Math.max(this.#known, Number(version) || 0); }

  /**
   * What may be sent twice without harm: where an answer was lost, a refusal of this code says that it was done.
   * @param {string} path @param {string} code @returns {Promise<S["View"]>}
   */
  async #delete(path, code) {
    return this.request("DELETE", path).catch((error) => {
      if (error instanceof Problem && error.repeated && error.code === code) return this.view();
      throw error;
    });
  }

  /**
   * Sits down, with entropy of its own for the shuffle; returns the view, also to who sits there already.
   * @param {{seat?: number, entropy?: string | null}} [where] @returns {Promise<S["View"]>}
   */
  async sit({ seat, entropy = randomHex(32) } = {}) {
    return this.request("POST", "/seats", { body: { seat, entropy } }).catch((error) => {
      if (error instanceof Problem && error.code === "already-seated" && seat === undefined) return this.view();
      throw error;
    });
  }

  /**
   * Seats a bot, by default of the strongest level: there, or where it can first. Once the game has started, it plays on
   * for a player who is absent or has left, and its level is not chosen.
   * @param {"random" | "quick" | "strong" | true} [bot] @param {number} [seat] @returns {Promise<S["View"]>}
   */
  seatBot(bot = true, seat) { return this.request("POST", "/seats", { body: { bot, seat } }); }

  /** Removes a bot before the game starts. @param {number} seat */
  removeBot(seat) { return this.#delete(`/seats/${seat}`, "no-such-bot"); }

  /** Leaves the seat before the game starts. */
  leave() { return this.#delete("/seats/me", "not-seated"); }

  /** Closes the table, which the player has opened, before the game starts. */
  close() { return this.#delete("", "table-closed"); }

  /**
   * The view; with `after` and `wait` as soon as the table is beyond that version.
   * @param {{min_version?: number, after?: number, wait?: number}} [query] @returns {Promise<S["View"]>}
   */
  view(query) { return this.read("", query); }

  /**
   * The table now, with what the player's seat may do.
   * @param {number} [min_version] @param {AbortSignal} [signal] @returns {Promise<Moment<S>>}
   */
  async now(min_version, signal) {
    for (;;) {
      const view = await this.read("", { min_version }, signal);
      const { version, offers } = await this.read("/offers", {}, signal);
      if (version === view.version) return new Moment(this, "snapshot", view, null, offers);
    }
  }

  /** What the player's seat may do. @param {{min_version?: number, after?: number, wait?: number}} [query] */
  async offers(query) {
    const answer = /** @type {Schemas["Offers"]} */ (await this.read("/offers", query));
    return { ...answer, offers: answer.offers.map((offer) => new Offer(offer)) };
  }

  /**
   * Why an act is not offered, by the numbered rule.
   * @param {string} type @param {{[field: string]: any}} [fields] @returns {Promise<Schemas["WhyNot"]>}
   */
  async why(type, fields) { return (await this.read("/offers", { ...fields, why: type })).why; }

  /**
   * Acts, at a version of the table where one is given.
   * @param {S["Action"] | Offered} action @param {number} [version] @returns {Promise<S["Acted"]>}
   */
  async act(action, version) {
    this.#acts += 1;
    return this.request("POST", "/actions", { body: action, version });
  }

  /**
   * What happens, moment by moment, from a snapshot on until nothing can be played any more, and the last moment says
   * why in `ended`: each event once and in order, whatever becomes of connections. Throws Problem, also for a table that
   * is erased, hidden or set aside, and Unreachable, and Altered with `check`.
   * @param {Following} [following] @returns {AsyncGenerator<Moment<S>>}
   */
  async *follow({ after, all = false, beyond = false, check = false, signal } = {}) {
    const chain = check ? new (await import("./verify.js")).Chain() : null;
    for await (const moment of this.#moments(after, all, signal)) {
      if (chain) await this.#check(chain, moment);
      this.#know(moment.version);
      if (all || moment.kind === "event" || moment.kind === "snapshot") yield moment;
      if (!beyond && moment.over) return;
    }
  }

  /**
   * Checks a moment's event, and those before it that were not yet.
   * @param {import("./verify.js").Chain} chain @param {Moment<S>} moment
   */
  async #check(chain, { version, event }) {
    const before = event ? version - 1 : version;
    for await (const earlier of chain.version < before ? this.events(chain.version) : []) {
      if (earlier.version > before) break;
      chain.add(earlier);
    }
    if (event) chain.add(event);
  }

  /**
   * The moments at which the player is to act; in games without turns those with other offers.
   * @param {Following} [following] @returns {AsyncGenerator<Moment<S>>}
   */
  turns(following) { return this.#turns(() => "", following); }

  /**
   * The turns but for one that was told already. @param {() => string} told @param {Following} [following]
   * @returns {AsyncGenerator<Moment<S>>}
   */
  async *#turns(told, following) {
    let last = told();
    for await (const moment of this.follow(following)) {
      const turn = JSON.stringify([moment.view.to_act.length > 0 ? moment.version : moment.offers, this.#acts]);
      // Before the player's last act, or before what refused it, there is nothing left to do.
      if (!moment.mine || turn === last || moment.version < this.#known) continue;
      last = this.#told = turn;
      yield moment;
    }
  }

  /**
   * Waits until the player is to act. Null only when nothing can be played any more. A wait that `signal` ends changes
   * nothing. Who waits at the same time as another is given the same turn. Throws as `follow` does, after which it may be
   * called again. What is followed meanwhile is followed as the first call says.
   * @param {Following} [following] @returns {Promise<Moment<S> | null>}
   */
  async myTurn({ signal, ...following } = {}) {
    signal?.throwIfAborted();
    const ending = new AbortController();
    const kept = this.#kept ?? { turns: this.#turns(() => this.#told, { ...following, signal: ending.signal }), ending };
    this.#kept = undefined;
    const stop = () => kept.ending.abort(signal?.reason);
    signal?.addEventListener("abort", stop);
    try {
      const { value, done } = await kept.turns.next();
      // Another call may have one of its own.
      if (this.#kept) await kept.turns.return(undefined);
      else if (!done) this.#kept = kept;
      return value ?? null;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  /**
   * @param {number | undefined} after @param {boolean} all @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<Moment<S>>}
   */
  async *#moments(after, all, signal) {
    /** @type {S["View"] | undefined} */
    let view;
    let known = after;
    let isWithheld = false;
    const query = { view: true, offers: true, invite: this.#invite };
    const withheld = () => (isWithheld = true);
    const path = `/tables/${this.id}/events/stream`;
    for await (const { frame, data } of this.#client.frames(path, { query, after, signal, withheld })) {
      const { view: seen, offers, ...event } = data;
      if (seen) [view, known] = [seen, data.version];
      // Where nothing has happened since, who is connected is told all the same.
      else if (!view && known) view = await this.read(`/replay/${known}`, {}, signal);
      if (view) yield new Moment(this, frame, view, frame === "event" ? event : null, offers, data);
    }
    if (isWithheld) yield* this.#waited(known, all, signal);
  }

  /**
   * The moments by waiting reads, for where streams do not come through; with `all` who is connected, too.
   * @param {number | undefined} after @param {boolean} all @param {AbortSignal} [signal]
   * @returns {AsyncGenerator<Moment<S>>}
   */
  async *#waited(after, all, signal) {
    const offersAt = async (/** @type {number} */ version) => {
      const { offers, version: found } = await this.read("/offers", { min_version: version }, signal);
      return found === version ? offers : [];
    };
    let view = await this.read("", {}, signal);
    let known = after ?? view.version;
    if (after === undefined) yield new Moment(this, "snapshot", view, null, await offersAt(known));
    for (let connected = ""; ; view = await this.read("", { after: known, wait: WAIT_S }, signal)) {
      const { version } = view;
      /** @type {Schemas["Step"][]} */
      const steps = [];
      while (known + steps.length < version) {
        const from = known + steps.length + 1;
        const read = await this.read("/replay", { from, to: Math.min(version, from + STEPS - 1) }, signal);
        if (read.steps.length === 0) break;
        steps.push(...read.steps);
      }
      for (const [at, { event, view }] of steps.entries()) {
        const more = event.action === steps[at + 1]?.event.action;
        yield new Moment(this, "event", view, { ...event, more }, more ? [] : await offersAt(event.version));
        known = event.version;
      }
      const presence = all && (await this.request("GET", "/presence", { signal }));
      if (presence && connected !== (connected = JSON.stringify(presence))) yield new Moment(this, "presence", view, null, [], presence);
    }
  }

  /**
   * The events after a version, with the sections that are open now.
   * @param {number} [after] @param {{type?: string[]}} [query] @returns {AsyncGenerator<S["Event"]>}
   */
  async *events(after = 0, query = {}) {
    for (let items; !items || items.length > 0; after = items.at(-1)?.version ?? after) {
      ({ items } = await this.read("/events", { ...query, after, limit: 200 }));
      yield* items;
    }
  }

  /**
   * The view at a version, as `me`, `public`, `seat:N` or `all`.
   * @param {number} version @param {string} [as] @returns {Promise<S["View"]>}
   */
  replay(version, as) { return this.read(`/replay/${version}`, { as }); }

  /**
   * Disputes lines as the ledger has them, of which `version` and `line` are sent, or all of a deal.
   * @param {string} reason @param {{lines?: Schemas["DisputedLine"][], deal?: number}} what
   * @returns {Promise<Schemas["DisputeDetails"]>}
   */
  dispute(reason, { lines, deal }) {
    const places = lines?.map(({ version, line }) => ({ version, line }));
    return this.request("POST", "/disputes", { body: { reason, lines: places, deal } });
  }

  /** Makes an invitation, which lets look at a private table and sit down. @returns {Promise<string>} */
  async invite() { return (await this.request("POST", "/invitations", { body: {} })).invitation; }

  /** Agrees to end the game, or takes that back. @param {boolean} agree @returns {Promise<S["View"]>} */
  proposeEnd(agree) { return this.request("POST", "/end", { body: { agree } }); }

  /** Opens a table for the same game and players. @returns {Promise<Table<S>>} */
  async rematch(entropy = randomHex(32)) {
    return new Table(this.#client, (await this.request("POST", "/rematch", { body: { entropy } })).table);
  }
}
