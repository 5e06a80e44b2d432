/** A service, and one of its players. */

import { ClientOperations } from "./operations.js";
import { Problem } from "./problems.js";
import { Table } from "./table.js";
import { randomHex, Transport } from "./transport.js";

/**
 * @typedef {import("./types.js").Schemas} Schemas
 * @typedef {import("./types.js").Streaming} Streaming
 */

/**
 * A service, and the player whose token is given, if any. Every request is sent again by itself after a lost
 * connection, and when the service asks for it, until the deadline: then it throws Unreachable, or the Problem. What
 * the service refuses otherwise throws its Problem. `S` are the schemas of a game's document, for who wants its types.
 * @template {import("./types.js").GameSchemas} [S=Schemas]
 */
export class Client extends ClientOperations {
  #transport;

  /**
   * @param {string} url with or without `/v1` @param {string | null} [token]
   * @param {import("./types.js").Settings} [settings]
   */
  constructor(url, token = null, settings = {}) {
    super();
    this.#transport = new Transport(url, token, settings);
  }

  /** The interface's address, with `/v1`. */
  get url() { return this.#transport.base; }

  /** The player's token; null for the public. */
  get token() { return this.#transport.token; }

  /**
   * The answer to any request below `/v1`: JSON as its value, a text as text, a record as its bytes, nothing as null.
   * @param {import("./types.js").Method} method @param {string} path @param {import("./types.js").Sending} [sending]
   * @returns {Promise<any>} Throws TypeError and RangeError for what is no request.
   */
  async request(method, path, sending = {}) {
    const { value, bytes } = await this.#transport.send(method, path, sending);
    return value === undefined ? bytes : value;
  }

  /**
   * The items of a list, whose pages are asked for as they are needed.
   * @param {string} path @param {{[name: string]: any}} query @returns {AsyncGenerator<any>}
   */
  async *pages(path, query = {}) {
    for (let cursor; cursor !== null; ) {
      const page = await this.request("GET", path, { query: { ...query, cursor } });
      yield* page.items;
      cursor = page.next ?? null;
    }
  }

  /**
   * The frames of a stream, each event once; `Table.follow` is for tables.
   * @param {string} path @param {Streaming} [streaming] @returns {AsyncGenerator<any>}
   */
  frames(path, streaming = {}) { return this.#transport.stream(path, streaming); }

  /**
   * The player's own stream: turns at all tables, games that begin and end, and rematches.
   * @param {Streaming} [streaming] @returns {AsyncGenerator<Schemas["PlayerFrame"]>}
   */
  notices(streaming) { return this.frames("/players/me/stream", streaming); }

  /**
   * The lobby's stream: tables that are opened, filled and over.
   * @param {Streaming} [streaming] @returns {AsyncGenerator<Schemas["LobbyFrame"]>}
   */
  lobby(streaming) { return this.frames("/tables/stream", streaming); }

  /**
   * What the player is to answer at any table, one moment after the other. Take an act of each before the next one is
   * asked for. A moment that is not answered comes again once the table has moved on. A table that cannot be read any more
   * is passed over. Games without turns wait for nobody, and are played with `Table.turns`.
   * @param {Streaming} [streaming] @returns {AsyncGenerator<import("./table.js").Moment<S>>}
   */
  async *turns(streaming) {
    /** @type {Map<string, number>} */
    const told = new Map();
    for await (const { data } of this.frames("/players/me/stream", streaming)) {
      for (const { table: id, version, your_turn, notices } of data.tables ?? [data]) {
        const table = this.table(id);
        const last = () => told.get(id) ?? 0;
        for (let waits = your_turn || notices?.includes("your-turn"); waits; ) {
          const moment = await table.now(Math.max(version, last()), streaming?.signal).catch((error) => {
            if (!(error instanceof Problem) || [401, 403, 429].includes(error.status)) throw error;
          });
          waits = moment?.mine && moment.view.to_act.length > 0 && moment.version > last();
          if (!waits || !moment) break;
          told.set(id, moment.version);
          yield moment;
        }
      }
    }
  }

  /**
   * Registers a player, and acts as that player from now on. Keep the token, and the recovery secret apart. A lost
   * answer makes no second player: a secret of the client's own proves that the request is a repetition.
   * @param {string} name @returns {Promise<Schemas["Registered"]>}
   */
  async register(name) {
    const registered = await this.request("POST", "/players", { body: { name, secret: randomHex(32) } });
    this.#transport.token = registered.token;
    return registered;
  }

  /**
   * What the service says of a record's file: its verification, then the table, and each event with the view after it.
   * @param {Blob | Uint8Array<ArrayBuffer> | string} file as `Table.export` has it
   * @param {{as?: string, signal?: AbortSignal}} [looking] whose views the steps have
   * @returns {AsyncGenerator<Schemas["RecordFrame"]>}
   */
  checkRecord(file, { as, signal } = {}) {
    const frames = this.#transport.answers("/records/check", { as }, file, "application/x-ndjson", signal);
    return /** @type {AsyncGenerator<any>} */ (frames);
  }

  /** The names of players, by their ids. @param {string[]} players @returns {Promise<Record<string, string>>} */
  async names(...players) {
    if (players.length === 0) return {};
    const { items } = await this.request("GET", "/players", { query: { id: players } });
    return Object.fromEntries(items.map((/** @type {any} */ item) => [item.player, item.name]));
  }

  /** The games that the service offers. @returns {Promise<Schemas["GameSummary"][]>} */
  async games() { return (await this.request("GET", "/games")).items; }

  /**
   * What a game says of itself: options, rules, words.
   * @param {string} game @param {number} [rules_version] @returns {Promise<Schemas["GameDetails"]>}
   */
  game(game, rules_version) { return this.request("GET", `/games/${game}`, { query: { rules_version } }); }

  /**
   * A table by its id; `invite` lets look at a private one.
   * @param {string} id @param {string} [invite] @returns {Table<S>}
   */
  table(id, invite) { return new Table(this, id, invite); }

  /**
   * Opens a table; `table` are its own options, such as its clock, and `bots` the level of each bot by its seat.
   * @param {string} game @param {Omit<S["TableRequest"], "game">} [request] @returns {Promise<Table<S>>}
   */
  async openTable(game, request) {
    return this.table((await this.request("POST", "/tables", { body: { ...request, game } })).table);
  }
}
