/**
 * Checks what needs no rules: hashes, seals, seeds, packs, cards' commitments, the log's tree and its signatures.
 *
 * `verify` checks an exported record from the file alone; `Chain` checks events as they come. Whether an act was legal,
 * and whether a score follows from the play, is judged by the service's own `codille verify`.
 */

import { Altered } from "./problems.js";
import { concat, hmac, sha256 } from "./sha256.js";

/**
 * @typedef {{check: string, text: string, event?: number, line?: number}} Fault
 *   what was altered: the check that fails, and the event's version or the line, counted from 1
 * @typedef {{text: string, name: string, id: string, public: Uint8Array<ArrayBuffer>}} Key
 * @typedef {{name: string, id: string, signature: Uint8Array<ArrayBuffer>}} Signature
 * @typedef {{text: string, signatures: Signature[]}} Note
 */

const GENESIS = "0".repeat(64);
const HEADER = ["action", "actor", "at", "deal", "game", "schema", "seals", "table", "type", "version"];
const ENVELOPE = [...HEADER, "hash", "position", "public", "sealed"].sort().join();
const FORMATS = ["codille-export-v1", "codille-export-v2"];
const ENDS = ["game-finished", "table-closed", "table-expired"];
/** The games at whose tables times need not rise under version 1 of the rules. */
const OLD_TIMES = ["crocodile", "lhombre", "ombre", "solo"];
const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/;
const HEX = /^([0-9a-f]{2})*$/;
const HASH = /^[0-9a-f]{64}$/;

const HIGH = "AKQJT98765432";
const LOW = "KQJT98765432A";
const BLACK = "KQJ765432A";
const RED = "KQJA234567";
const OMBRE = { s: BLACK, h: RED, d: RED, c: BLACK };
const KHANHOO = { s: "98765432A", h: "98765432A", d: "98765432A", c: "KQJ" };
/**
 * The ranks of each game's pack, high to low, by suit where they differ.
 * @type {Record<string, string | Record<string, string>>}
 */
const RANKS = {
  boston: HIGH, burraco: HIGH, crocodile: BLACK, diloti: LOW, dingo: HIGH, don: HIGH, khanhoo: KHANHOO, king: HIGH,
  lhombre: OMBRE, lorum: "AKQJT987", nuts: LOW, ombre: OMBRE, solo: "AKQJT987", tetka: HIGH,
};
/** @type {Record<string, number>} */
const COPIES = { burraco: 2, khanhoo: 2 };
/** @type {Record<string, number>} */
const JOKERS = { burraco: 4, khanhoo: 1 };

/** @param {string} text */
const utf8 = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array} bytes */
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** @param {any} text in lower case @returns {Uint8Array<ArrayBuffer>} Throws RangeError. */
function fromHex(text) {
  if (typeof text !== "string" || !HEX.test(text)) throw new RangeError("it is not hex in lower case");
  return Uint8Array.from(text.match(/../g) ?? [], (digits) => parseInt(digits, 16));
}

/** @param {string} text in its one spelling @returns {Uint8Array<ArrayBuffer>} Throws RangeError. */
function fromBase64(text) {
  const characters = atob(text);
  if (btoa(characters) !== text) throw new RangeError("it is not base64");
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

/** @param {number} number */
function u32(number) {
  const bytes = new DataView(new ArrayBuffer(4));
  bytes.setUint32(0, number);
  return new Uint8Array(bytes.buffer);
}

/** @param {Uint8Array} bytes */
const part = (bytes) => concat(u32(bytes.length), bytes);

/** A value in canonical JSON (RFC 8785), as everything is hashed. @param {any} value @returns {string} */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

/** The hash of an event after the one with the hash `previous`. @param {any} event @param {string} previous */
export function eventHash(event, previous) {
  const header = Object.fromEntries(HEADER.map((name) => [name, event[name]]));
  const content = { ...header, previous, public: toHex(sha256(utf8(canonical(event.public)))) };
  return toHex(sha256(utf8(`codille-event-v1\n${canonical(content)}`)));
}

/** The commitment to a sealed section. @param {{salt: string, data: any}} section */
export const commitment = ({ salt, data }) => toHex(sha256(fromHex(salt), utf8(canonical(data))));

/**
 * All openings of cards within a value.
 * @param {any} value @returns {Generator<{position: number, card: string, salt: string}>}
 */
function* openings(value) {
  if (value === null || typeof value !== "object") return;
  if (Object.keys(value).sort().join() === "card,position,salt") yield value;
  for (const item of Object.values(value)) yield* openings(item);
}

/** What the checks of a record have shown. */
export class Report {
  /** @type {Fault[]} */
  faults = [];
  /** What could not be checked, in words. @type {string[]} */
  unchecked = [];
  /** @type {string | null} */
  table = null;
  /** @type {string | null} */
  game = null;
  /** @type {string | null} */
  audience = null;
  /** That lines do not end as they were exported, which is no fault; null if they do. @type {string | null} */
  lineEnds = null;
  events = 0;
  isReadable = true;
  isPinned = true;

  /**
   * `unpinned`: nothing is wrong, but no key was given. `unreadable` is what is no export at all.
   * @returns {"intact" | "unpinned" | "altered" | "unreadable"}
   */
  get verdict() {
    if (!this.isReadable) return "unreadable";
    if (this.faults.length > 0) return "altered";
    return this.isPinned ? "intact" : "unpinned";
  }

  /**
   * Notes a fault unless this holds.
   * @param {boolean} holds @param {string} check @param {string} text @param {number} [event] @param {number} [line]
   */
  expect(holds, check, text, event, line) {
    if (!holds) this.faults.push({ check, text, event, line });
  }

  /**
   * What cannot be read is a fault of the check.
   * @param {string} check @param {number | undefined} event @param {() => void} read
   */
  reading(check, event, read) {
    try {
      read();
    } catch (error) {
      this.faults.push({ check, text: `it cannot be read: ${error}`, event });
    }
  }
}

/**
 * The events of one table from the first, or after one that is trusted. Each must fit those before it by its hash, its
 * open sections must fit their seals, and its opened cards the commitments that were published when they were dealt.
 */
export class Chain {
  /** @type {string[] | null} */
  #commitments = null;

  /** @param {{version: number, hash: string}} [trusted] the last event that is known to be right */
  constructor({ version, hash } = { version: 0, hash: GENESIS }) {
    this.version = version;
    this.head = hash;
  }

  /** Checks the next event. @param {any} event @returns {void} Throws Altered. */
  add(event) {
    const [fault] = this.faults(event);
    if (fault) throw new Altered(`event ${event.version}: ${fault.text}`);
  }

  /** What does not fit in the next event. @param {any} event @returns {Fault[]} */
  faults(event) {
    const report = new Report();
    const { version } = event;
    report.expect(version === this.version + 1, "chain", `it comes after event ${this.version}`, version);
    report.reading("chain", version, () => {
      report.expect(eventHash(event, this.head) === event.hash, "chain", "its hash is another's", version);
    });
    this.version = Math.max(this.version + 1, Number(version) || 0);
    this.head = String(event.hash);
    report.reading("seals", version, () => {
      for (const [audience, section] of Object.entries(event.sealed)) {
        const fits = event.seals[audience] === commitment(section);
        report.expect(fits, "seals", `its section for ${audience} does not fit its seal`, version);
      }
    });
    report.reading("commitments", version, () => this.#cards(event, report));
    return report.faults;
  }

  /** @param {any} event @param {Report} report */
  #cards(event, report) {
    if (event.type === "cards-dealt") this.#commitments = [];
    this.#commitments?.push(...(event.public.card_commitments ?? []));
    const sections = Object.values(event.sealed).map(({ data }) => data);
    for (const { position, card, salt } of this.#commitments ? openings([event.public, ...sections]) : []) {
      const fits = this.#commitments?.[position] === toHex(sha256(fromHex(salt), utf8(card)));
      report.expect(fits, "commitments", `${card} is not what was committed to`, event.version);
    }
  }
}

/**
 * Checks an exported record. `keys` are verifier keys of the log, one of which must stand in it; without them anyone
 * could have signed it, which the report says. Whatever the file holds, nothing is thrown but
 * RangeError for a key that is none.
 * @param {Uint8Array} data @param {readonly string[]} [keys]
 */
export async function verify(data, keys = []) {
  const pinned = keys.map((key) => readKey(key.trim()));
  const report = new Report();
  report.isPinned = pinned.length > 0;
  const exported = withLineFeeds(data);
  const lines = linesOf(exported);
  const values = lines.map(readLine);
  const header = values[0]?.value;
  if (!FORMATS.includes(header?.format)) {
    report.isReadable = false;
    return report;
  }
  [report.table, report.audience] = [header.table, header.audience];
  const isExported = data.length === exported.length && data.every((byte, at) => byte === exported[at]);
  report.lineEnds = isExported ? null : "Its line ends are not an export's, or a BOM comes first.";
  for (const [at, { isCanonical }] of values.entries()) {
    report.expect(isCanonical, "form", "the line is not in canonical form", undefined, at + 1);
  }
  const last = values.length > 1 ? values.at(-1)?.value : undefined;
  const trailer = last && "signature" in last ? last : null;
  report.expect(trailer !== null, "form", "the last line is missing or broken", undefined, lines.length);
  /** @type {any[]} */
  const events = [];
  for (const [at, { value }] of values.slice(1, trailer ? -1 : undefined).entries()) {
    const isEvent = value !== undefined && Object.keys(Object(value)).sort().join() === ENVELOPE;
    report.expect(isEvent, "form", "the line holds no event", undefined, at + 2);
    if (isEvent) events.push(value);
  }
  report.events = events.length;
  report.expect(events.length > 0, "acts", "there is no event in it");
  if (events.length > 0) checkEvents(events, header, report);
  if (trailer) {
    const before = lines.slice(0, -1).flatMap((line) => [line, utf8("\n")]);
    await checkTrailer(before, header, trailer, pinned, report);
    report.reading("inclusion", undefined, () => checkTree(trailer, events, report));
  }
  if (pinned.length === 0) report.unchecked.push("The signer is not pinned: anyone could have signed this.");
  report.unchecked.push("What rests on the rules: who was dealt which place, legality, tricks, outcome, lines.");
  return report;
}

/** The file with one line feed after each line and without a byte order mark. @param {Uint8Array} data */
function withLineFeeds(data) {
  const isMarked = data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf;
  const bytes = data.subarray(isMarked ? 3 : 0).filter((byte, at, all) => byte !== 13 || all[at + 1] !== 10);
  let end = bytes.length;
  while (bytes[end - 1] === 10 || bytes[end - 1] === 13) end -= 1;
  return concat(bytes.subarray(0, end), utf8("\n"));
}

/** The lines, each of which ends with a line feed. @param {Uint8Array} data */
function linesOf(data) {
  const lines = [];
  let from = 0;
  for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, from)) {
    lines.push(data.subarray(from, end));
    from = end + 1;
  }
  return lines;
}

/**
 * A line's value; undefined for what is no JSON.
 * @param {Uint8Array} line @returns {{value: any, isCanonical: boolean}}
 */
function readLine(line) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
    let isKept = true;
    const value = JSON.parse(text, (_, item) => {
      if (typeof item === "number" && !Number.isSafeInteger(item)) isKept = false;
      if (typeof item === "string" && /\p{Cs}/u.test(item)) isKept = false;
      return item;
    });
    return { value: value ?? undefined, isCanonical: isKept && canonical(value) === text };
  } catch {
    return { value: undefined, isCanonical: false };
  }
}

/** @param {any[]} events @param {any} header @param {Report} report */
function checkEvents(events, header, report) {
  report.game = events[0].game;
  const last = events.at(-1);
  for (const [name, value] of Object.entries({ table: last.table, version: last.version, head: last.hash })) {
    report.expect(header[name] === value, "header", `${name} is not the last event's`, last.version);
  }
  report.expect(/^(public|seat:[0-9])$/.test(header.audience), "header", "there is no such audience");
  const chain = new Chain();
  for (const event of events) report.faults.push(...chain.faults(event));
  report.reading("envelope", undefined, () => checkEnvelopes(events, report));
  report.reading("openings", undefined, () => checkSections(events, header.audience, report));
  report.reading("totals", undefined, () => checkAmounts(events, report));
  report.reading("seed", undefined, () => new Deals(events, report).check());
}

/** @param {any[]} events @param {Report} report */
function checkEnvelopes(events, report) {
  const [first] = events;
  report.expect(UUID7.test(first.table), "envelope", "the table's id is no UUIDv7", 1);
  const rises = !OLD_TIMES.includes(first.game) || first.public.rules_version !== 1;
  const opened = UUID7.test(first.table) ? parseInt(first.table.replaceAll("-", "").slice(0, 12), 16) : 0;
  const isEarly = isTime(first.at) && Date.parse(first.at) < opened;
  report.expect(!rises || !isEarly, "envelope", "the time is earlier than that in the table's id", 1);
  for (const [at, event] of events.entries()) {
    const before = events[at - 1];
    const { version } = event;
    /** @param {boolean} holds @param {string} text */
    const expect = (holds, text) => report.expect(holds, "envelope", text, version);
    expect(event.table === first.table && event.game === first.game, "the table or the game has changed");
    expect(UUID7.test(event.action), "it has no action's id");
    expect(isTime(event.at), "there is no such time");
    expect(!(event.position <= before?.position), "the position does not come after the one before");
    expect(!(rises && event.at < before?.at), "the time is earlier than that of the event before");
    expect(event.action !== before?.action || event.at === before.at, "the time is not that of the act");
  }
}

/** Whether the text is a time of a day that there is. @param {string} text */
const isTime = (text) => TIME.test(text) && new Date(Date.parse(text)).toISOString().slice(0, 10) === text.slice(0, 10);

/**
 * The open sections are those that the audience may open now; only erased words may be missing.
 * @param {any[]} events @param {string} audience @param {Report} report
 */
function checkSections(events, audience, report) {
  const isOver = events.some(({ type }) => ENDS.includes(type));
  const scored = new Set(events.filter(({ type }) => type === "deal-scored").map(({ deal }) => deal));
  const isLate = audience === "public" && !isOver && events[0].public.table?.spectator_delay !== undefined;
  const erased = new Set();
  for (const { version, public: values } of events.filter(({ type }) => type === "text-erased")) {
    const isText = values.version < version && "public" in (events[values.version - 1]?.seals ?? {});
    const isFirst = !erased.has(values.version);
    report.expect(isText && isFirst, "erasures", "what is said to be erased is no words, or erased already", version);
    erased.add(values.version);
  }
  for (const { version, deal, seals, sealed } of events) {
    const everything = isOver || (deal !== null && scored.has(deal));
    const due = Object.keys(seals).filter((to) => everything || to === audience || to === "public");
    const open = due.filter((to) => to !== "public" || !erased.has(version));
    const missing = open.filter((to) => !(to in sealed));
    const surplus = Object.keys(sealed).filter((to) => !open.includes(to));
    if (isLate && missing.join() === "public") {
      report.unchecked.push(`The words of event ${version} may have been erased after the last event.`);
    } else report.expect(missing.length === 0, "openings", `sections are not open: ${missing}`, version);
    report.expect(surplus.length === 0, "openings", `sections are open: ${surplus}`, version);
  }
}

/**
 * Lines come in pairs of opposite amounts, and totals are the sums by seat.
 * @param {any[]} events @param {Report} report
 */
function checkAmounts(events, report) {
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const { type, version, public: values } of events) {
    const { lines = [], totals = [] } = type === "dispute-opened" ? {} : values;
    for (const [at, line] of lines.entries()) {
      const other = lines[at % 2 ? at - 1 : at + 1];
      const isPair = other !== undefined && line.amount === -other.amount && line.account === other.with;
      report.expect(isPair, "ledger", "lines are not pairs of opposite amounts", version);
      if (line.seat !== null) sums.set(line.seat, (sums.get(line.seat) ?? 0) + line.amount);
    }
    const isSum = (/** @type {number} */ total, /** @type {number} */ seat) => total === (sums.get(seat) ?? 0);
    report.expect(totals.every(isSum), "totals", "totals are not the sums of the lines", version);
  }
}

/** The deals of a record: their seeds, the first dealer, and the packs drawn again from them. */
class Deals {
  #table;
  #game;
  /**
   * By deal, the seed and the version of the event that published it.
   * @type {Map<number, {seed: Uint8Array, version: number}>}
   */
  #seeds = new Map();
  /** @type {Map<number, Uint8Array>} */
  #entropies = new Map();

  /** @param {any[]} events @param {Report} report */
  constructor(events, report) {
    this.events = events;
    this.report = report;
    this.#table = events[0].table;
    this.#game = events[0].game;
  }

  check() {
    this.#collectSeeds();
    const { seed_commitment } = this.events[0].public;
    for (const [deal, { seed, version }] of this.#seeds) {
      let hashed = seed;
      for (let times = 0; times < deal; times += 1) hashed = sha256(hashed);
      const text = `the seed of deal ${deal} does not hash to the commitment`;
      this.report.expect(toHex(hashed) === seed_commitment, "seed", text, version);
    }
    for (const event of this.events) {
      const { type, public: values, version } = event;
      if (type === "seat-taken") this.#entropies.set(values.seat, fromHex(values.entropy ?? ""));
      if (type === "seat-left") this.#entropies.delete(values.seat);
      if (type === "game-started") this.report.reading("first-dealer", version, () => this.#dealer(event));
      if (type === "cards-dealt") this.report.reading("pack", version, () => this.#dealt(event));
      if (type === "stock-renewed") this.report.reading("pack", version, () => this.#renewed(event));
    }
  }

  #collectSeeds() {
    let deal = 0;
    for (const { type, version, public: values, sealed } of this.events) {
      if (type === "cards-dealt") deal = values.deal;
      const number = type === "table-opened" ? values.deals : deal;
      const isSecret = type === "table-opened" || type === "cards-dealt";
      const text = isSecret ? sealed.house?.data.seed : values.seed;
      if (typeof text !== "string") continue;
      const known = this.#seeds.get(number) ?? { seed: fromHex(text), version };
      this.report.expect(toHex(known.seed) === text, "seed", "it is another seed of this deal", version);
      this.#seeds.set(number, known);
    }
    if (deal === 0 || this.#seeds.has(deal)) return;
    this.report.unchecked.push(`Deal ${deal} is not over: its seed is not published.`);
  }

  /** @param {string} label @param {number} deal */
  #words(label, deal) {
    const seed = this.#seeds.get(Math.max(deal, 1))?.seed ?? new Uint8Array();
    const seats = [...this.#entropies].sort(([one], [other]) => one - other).map(([, entropy]) => entropy);
    return wordsOf(seed, label, this.#table, deal, seats);
  }

  /** @param {any} event */
  #dealer({ version, public: { first_dealer, draws } }) {
    if (!this.#seeds.has(1) || first_dealer === null) return;
    const drawn = this.#game === "ombre" ? this.#draws() : { dealer: below(this.#entropies.size, this.#words("codille-first-dealer", 0)), draws: [] };
    const fits = first_dealer === drawn.dealer && canonical(draws) === canonical(drawn.draws);
    this.report.expect(fits, "first-dealer", "another first dealer was drawn", version);
  }

  #draws() {
    const cards = shuffled(packOf("ombre"), this.#words("codille-dealer-draw", 0)).values();
    const height = (/** @type {{card: string}} */ { card }) => "AKQJ765432".indexOf(card.charAt(0));
    const draws = [];
    let seats = [...this.#entropies.keys()].sort();
    while (seats.length > 1) {
      const drawn = seats.map((seat) => ({ seat, card: String(cards.next().value) }));
      draws.push(...drawn);
      const best = Math.min(...drawn.map(height));
      seats = drawn.filter((one) => height(one) === best).map(({ seat }) => seat);
    }
    return { dealer: seats[0], draws };
  }

  /** @param {any} event */
  #dealt({ version, public: { deal, rejected = [], card_commitments } }) {
    const seed = this.#seeds.get(deal)?.seed;
    if (!seed) return;
    if (!(this.#game in RANKS)) {
      this.report.unchecked.push(`The pack of deal ${deal}: this version does not know ${this.#game}.`);
      return;
    }
    const message = concat(part(utf8("codille-card")), part(utf8(this.#table)), part(u32(deal)));
    const salt = (/** @type {number} */ place) => hmac(seed, concat(message, u32(place)));
    const made = this.#packDealt(deal, rejected).map((card, place) => toHex(sha256(salt(place), utf8(card))));
    const fits = made.join() === card_commitments.join();
    this.report.expect(fits, "pack", "the cards that were committed to are not those drawn", version);
  }

  /** The pack as it was dealt, drawn again. @param {number} deal @param {string[][]} rejected */
  #packDealt(deal, rejected) {
    const whole = packOf(this.#game);
    const seats = [...this.#entropies.keys()].sort();
    if (this.#game === "nuts") {
      const packs = seats.map((seat) => shuffled(whole, this.#words(`codille-deal-seat-${seat}`, deal)));
      return packs.flatMap((cards, at) => cards.map((card) => `${seats[at]}.${card}`));
    }
    const used = this.#game === "dingo" ? whole.filter((card) => !card.endsWith("d") || card === "Ad") : whole;
    let cards = shuffled(used, this.#words("codille-deal", deal));
    const kept = 6 * seats.length;
    for (const [at, four] of rejected.entries()) {
      this.report.expect(cards.slice(kept, kept + 4).join() === four.join(), "pack", `${four} were not rejected`);
      const rest = whole.filter((card) => cards.indexOf(card) >= kept);
      cards = [...cards.slice(0, kept), ...shuffled(rest, this.#words(`codille-redeal-${at + 1}`, deal))];
    }
    return cards;
  }

  /** @param {any} event */
  #renewed({ version, deal, public: { renewal }, sealed }) {
    if (!this.#seeds.has(deal) || !sealed.house) return;
    const stock = sealed.house.data.stock.map((/** @type {{card: string}} */ { card }) => card);
    const order = packOf(this.#game).filter((card) => stock.includes(card));
    const fits = shuffled(order, this.#words(`codille-renewal-${renewal}`, deal)).join() === stock.join();
    this.report.expect(fits, "pack", "the stock is not in the order drawn", version);
  }
}

/** The cards of a game's pack in sorted order, those of one seat where each has its own. @param {string} game */
export function packOf(game) {
  const ranks = RANKS[game] ?? "";
  const ranksOf = (/** @type {string} */ suit) => (typeof ranks === "string" ? ranks : (ranks[suit] ?? ""));
  const plain = [..."shdc"].flatMap((suit) => [...ranksOf(suit)].map((rank) => rank + suit));
  /** @param {string} name @param {number} count */
  const numbered = (name, count) => Array.from({ length: count }, (_, at) => `${name}.${at + 1}`);
  const copies = COPIES[game];
  return [...(copies ? plain.flatMap((card) => numbered(card, copies)) : plain), ...numbered("Jo", JOKERS[game] ?? 0)];
}

/**
 * The counter stream.
 * @param {Uint8Array} seed @param {string} label @param {string} table @param {number} deal
 * @param {Uint8Array[]} entropies @returns {Generator<number, never>}
 */
export function* wordsOf(seed, label, table, deal, entropies) {
  const message = concat(...[utf8(label), utf8(table), u32(deal), ...entropies].map(part));
  for (let block = 0; ; block += 1) {
    const bytes = new DataView(hmac(seed, concat(message, u32(0), u32(block))).buffer);
    for (let at = 0; at < 32; at += 4) yield bytes.getUint32(at);
  }
}

/** A number below the bound, each equally likely. @param {number} bound @param {Generator<number, never>} words */
export function below(bound, words) {
  let word = words.next().value;
  while (word >= 2 ** 32 - (2 ** 32 % bound)) word = words.next().value;
  return word % bound;
}

/** @param {readonly string[]} cards @param {Generator<number, never>} words */
export function shuffled(cards, words) {
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = below(last + 1, words);
    [order[last], order[other]] = [String(order[other]), String(order[last])];
  }
  return order;
}

/**
 * @param {Uint8Array[]} before @param {any} header @param {any} trailer @param {Key[]} pinned @param {Report} report
 */
async function checkTrailer(before, header, trailer, pinned, report) {
  const texts = [trailer.keys].flat();
  const keys = texts.flatMap((text) => quietly(() => readKey(text)) ?? []);
  const areKeys = keys.length > 0 && keys.length === texts.length && new Set(texts).size === texts.length;
  report.expect(areKeys, "signer", "keys are none, or stand there twice");
  const isFirst = header.format === FORMATS[0];
  const unsigned = isFirst ? "" : `${canonical({ ...trailer, signature: "" })}\n`;
  const digest = btoa(String.fromCharCode(...sha256(...before, utf8(unsigned))));
  /** @type {Key[]} */
  const signers = [];
  for (const check of ["checkpoint", "signature"]) {
    try {
      const allowed = isFirst || check === "checkpoint" ? keys : keys.slice(-1);
      const { text, signatures, by } = await signed(trailer[check], allowed);
      signers.push(...by);
      const fits = text === `codille/export\n${header.table}\n${digest}\n` && signatures.length === 1;
      report.expect(check === "checkpoint" || fits, check, "it is signed for other bytes than those of this file");
    } catch (error) {
      report.expect(false, check, `${error}`);
    }
  }
  const isPinned = (/** @type {Key} */ key) => pinned.some(({ text }) => text === key.text);
  if (isFirst) {
    report.expect(keys.every((key) => signers.includes(key)), "signer", "a key has signed nothing");
    report.expect(pinned.length === 0 || keys.every(isPinned), "signer", "it is none of the keys given");
    return;
  }
  const announcements = [trailer.announcements].flat();
  report.expect(announcements.length === keys.length - 1, "signer", "there are not as many announcements as keys");
  for (const [at, key] of keys.slice(1).entries()) {
    const { text, by } = await signed(announcements[at], keys).catch(() => ({ text: "", by: [] }));
    const fits = text === `codille/key\n${key.text}\n` && by.length === 1 && by[0] === keys[at];
    report.expect(fits, "signer", `${key.text} is not announced by the key before it`);
  }
  report.expect(pinned.length === 0 || keys.some(isPinned), "signer", "it is none of the keys given");
}

/** @param {any} trailer @param {any[]} events @param {Report} report */
function checkTree(trailer, events, report) {
  const [, size, root = ""] = trailer.checkpoint.match(/^codille\/log\n(0|[1-9]\d{0,15})\n([^\n]+)\n\n/) ?? [];
  report.expect(size !== undefined, "checkpoint", "it is no checkpoint of the log");
  report.expect(trailer.proofs.length === events.length, "inclusion", "there are not as many proofs as events");
  for (const [at, event] of events.entries()) {
    const path = trailer.proofs[at] ?? [];
    const isFormed = path.every((/** @type {string} */ node) => HASH.test(node));
    const leaf = sha256(Uint8Array.of(0), fromHex(event.hash));
    const found = isFormed ? rootFrom(leaf, event.position - 1, Number(size), path.map(fromHex)) : null;
    const stands = found !== null && toHex(found) === toHex(fromBase64(root));
    report.expect(stands, "inclusion", "it does not stand at its position in the tree", event.version);
  }
}

/**
 * The root to which an inclusion proof leads (RFC 9162, 2.1.3.2); null if it is no proof for this place.
 * @param {Uint8Array} leaf @param {number} index @param {number} size @param {Uint8Array[]} path
 */
export function rootFrom(leaf, index, size, path) {
  if (!(index >= 0 && index < size)) return null;
  let [root, at, last] = [leaf, index, size - 1];
  for (const node of path) {
    if (last === 0) return null;
    const isRight = at % 2 === 1 || at === last;
    root = isRight ? sha256(Uint8Array.of(1), node, root) : sha256(Uint8Array.of(1), root, node);
    while (isRight && at % 2 === 0 && at > 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? root : null;
}

/**
 * A verifier key as C2SP's signed-note has it: `NAME+HASH+BASE64`.
 * @param {any} text @returns {Key} Throws RangeError.
 */
function readKey(text) {
  const [, name = "", id = "", encoded = ""] = String(text).match(/^([^ +\n]+)\+([0-9a-f]{8})\+([^ ]+)$/) ?? [];
  const material = quietly(() => fromBase64(encoded)) ?? new Uint8Array();
  if (material.length !== 33 || material[0] !== 1 || toHex(sha256(utf8(`${name}\n`), material)).slice(0, 8) !== id) {
    throw new RangeError(`${text} is no verifier key for Ed25519`);
  }
  return { text, name, id, public: material.slice(1) };
}

/**
 * A note's text, its signatures, and which of the keys have signed it.
 * @param {any} note @param {Key[]} keys Throws an Error if that is false, or none has.
 */
async function signed(note, keys) {
  const end = note.lastIndexOf("\n\n");
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2).split("\n");
  if (end < 0 || lines.pop() !== "" || lines.length === 0) throw new Error("it is no signed note");
  const signatures = lines.map((/** @type {string} */ line) => {
    const [, name = "", encoded = ""] = line.match(/^— ([^ +]+) ([A-Za-z0-9+/=]+)$/) ?? [];
    const material = fromBase64(encoded);
    if (material.length <= 4) throw new Error("a line of its signatures is none");
    return { name, id: toHex(material.slice(0, 4)), signature: material.slice(4) };
  });
  /** @type {Key[]} */
  const by = [];
  for (const { name, id, signature } of signatures) {
    const key = keys.find((one) => one.name === name && one.id === id);
    if (!key) continue;
    const isTwice = by.includes(key);
    const verifying = await crypto.subtle.importKey("raw", key.public, "Ed25519", false, ["verify"]);
    const isGood = await crypto.subtle.verify("Ed25519", verifying, signature, utf8(text));
    if (isTwice || !isGood) throw new Error(`it is not signed by ${name} (${id}), as it says`);
    by.push(key);
  }
  if (by.length === 0) throw new Error("none of the log's keys has signed it");
  return { text, signatures, by };
}

/** What is made, or undefined where that throws. @template T @param {() => T} make @returns {T | undefined} */
function quietly(make) {
  try {
    return make();
  } catch {
    return undefined;
  }
}
