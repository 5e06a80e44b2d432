/** A game in its own words, as `GET /v1/games/{game}` serves them: sentences, labels and names, as text or in parts. */

/**
 * @typedef {import("./types.js").Part} Part
 * @typedef {import("./types.js").Schemas} Schemas
 * @typedef {{kind: string, value: any, of?: string | null}} Filled a value that stands in a sentence
 * @typedef {(string | Filled)[]} Parts
 * @typedef {{version: number, line: number}} LineAt
 */

/** The signs of the suits. @type {Record<string, string>} */
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
/** @type {Record<string, string>} */
const SIGNS = { T: "10", Jo: "★" };

/**
 * What is said here beside the game's own words. `and` stands before the last of several.
 * @typedef {{and: string, none: string, yes: string, no: string}} Small
 * @typedef {{suits: Record<string, string>, ranks: Record<string, string>, card: (rank: string, suit: string) => string}} Cards
 * @typedef {{line: (line: number) => string, lines: (lines: string, version: number) => string}} Lines
 * @typedef {Cards & Lines & {small: Small}} Texts
 */

/** @type {Texts} */
export const ENGLISH = {
  suits: { s: "spades", h: "hearts", d: "diamonds", c: "clubs" },
  ranks: { A: "ace", K: "king", Q: "queen", J: "jack", T: "10", Jo: "joker" },
  card: (rank, suit) => `${rank} of ${suit}`,
  line: (line) => `line ${line}`,
  lines: (lines, version) => `${lines} of event ${version}`,
  small: { and: " and ", none: "none", yes: "yes", no: "no" },
};

/** The form in which texts of booked lines have each kind of value. @type {Record<string, string>} */
const FORMS = {
  seat: "seat (\\d+)",
  seats: "seats? (\\d+(?: and \\d+)*)",
  card: "([\\w.]+)",
  cards: "([\\w.]+(?: [\\w.]+)*)",
  number: "([\\d,]+)",
  text: "(.+?)",
  line: "(.+)",
};

/** The values of some kinds, as they stand in such texts. @type {Record<string, (text: string) => any>} */
const READ = { seat: Number, seats: (text) => text.split(" and ").map(Number), cards: (text) => text.split(" ") };

/** A sentence: its text, or its parts, in which cards and names can be set off. */
export class Sentence {
  /** @param {Part[]} parts */
  constructor(parts) {
    this.parts = parts;
  }

  toString() { return this.parts.map((part) => (typeof part === "string" ? part : part.text)).join(""); }
}

/**
 * The value at a path, of each item where a list is on the way; null where it leads nowhere.
 * @param {any} value @param {string} path @returns {any}
 */
export function at(value, path) {
  if (Array.isArray(value)) return value.map((item) => at(item, path));
  const [first = "", ...rest] = path.split(".");
  const inner = value?.[first] ?? null;
  return rest.length ? at(inner, rest.join(".")) : inner;
}

/** Whether all conditions of a sentence hold. @param {Schemas["Sentence"]} sentence @param {any} values */
const fits = ({ when }, values) =>
  when.every(({ field, test, value }) => {
    const found = at(values, field);
    const compared = test.startsWith("length") ? (Array.isArray(found) ? found.length : 0) : found;
    return (compared === value) === !test.endsWith("-not");
  });

/**
 * The items with this in between, and perhaps another before the last.
 * @param {Parts[]} items @param {string} between @param {string} [and] @returns {Parts}
 */
function listed(items, between, and = between) {
  return items.flatMap((item, place) => (place ? [place === items.length - 1 ? and : between, ...item] : item));
}

/** The pattern of a text as it stands. @param {string} text */
const literally = (text) => text.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");

/** The words of one game. */
export class Words {
  /** @type {Map<number, any[]>} */
  #booked = new Map();

  /**
   * @param {Pick<Schemas["GameDetails"], "words" | "pack">} game
   * @param {(seat: number) => string} [name] the name of a seat's player
   * @param {(at: LineAt) => any} [lineAt] a booked line; by default one of the events that were said before
   * @param {Texts} [texts] what is said beside the game's words, in another language
   */
  constructor({ words, pack }, name, lineAt, texts = ENGLISH) {
    this.words = words;
    this.pack = pack;
    this.texts = texts;
    this.name = name ?? ((seat) => `seat ${seat + 1}`);
    this.lineAt = lineAt ?? (({ version, line }) => this.#booked.get(version)?.[line]);
  }

  /**
   * What an event says to a reader of what is open in it. Of sections nothing is said where more than so many are open.
   * @param {any} event @param {number} [most]
   */
  event({ type, version, actor, public: values, sealed }, most = Infinity) {
    this.#booked.set(version, values.lines ?? []);
    const own = this.words.events[type];
    const parts = this.#said(own?.sentences, values);
    if (!own || !parts) return this.#sentence([`${this.#plain(type)}.`]);
    const added = Object.entries(sealed).flatMap(([audience, { data }]) => {
      const [kind = "", seat] = audience.split(":");
      return [this.#said(own.sections[kind], { ...values, ...data }, Number(seat)) ?? []];
    });
    const open = added.filter((section) => section.length > 0);
    const by = "seat" in values ? this.words.actors[actor.split(":")[0]] : undefined;
    const more = [...(open.length > most ? [] : open), by ? [by] : []].filter((section) => section.length > 0);
    return this.#sentence([...parts, ...more.flatMap((section) => [" ", ...section])]);
  }

  /** What a line of a ledger says; its text as recorded where no sentence has its form. @param {any} line */
  line(line) {
    const fitting = this.words.lines[line.kind]?.filter((sentence) => fits(sentence, line));
    return this.#sentence(this.#reread(fitting ?? [], line.text));
  }

  /** What sums up a view, sentence by sentence. @param {any} view */
  summary(view) { return this.words.status.map((sentences) => this.#first(sentences, view)).filter((said) => said !== null); }

  /**
   * What the seat of a view is asked to do, by its offers; null where it is asked for nothing.
   * @param {any} view @param {{type: string}[]} offers
   */
  prompt(view, offers) { return this.#first(this.words.prompts, { ...view, offers: Object.fromEntries([...offers].reverse().map((offer) => [offer.type, offer])) }); }

  /** An act in words, while it is sent. @param {import("./types.js").Action} action */
  sending(action) { return this.#first(this.words.sending?.[action.type], action) ?? this.#sentence([`${this.act(action)} …`]); }

  /**
   * The game's name for a group of cards in a view; null if it has none.
   * @param {string} path the groups' field @param {any} group
   */
  group(path, group) { return this.#first(this.words.groups[path], group); }

  /** A value of an act or a view; `name` is that of its field. @param {any} value @returns {string} */
  value(value, name = "") {
    if (Array.isArray(value)) return value.map((item) => this.value(item, name)).join(", ") || this.texts.small.none;
    if (value === null || value === undefined) return this.texts.small.none;
    if (typeof value === "boolean") return value ? this.texts.small.yes : this.texts.small.no;
    return this.words.terms[name]?.[value] ?? (value in this.pack ? this.card(value) : value in SUITS ? this.suit(value) : this.#plain(value));
  }

  /** The label of a type of act. @param {string} type */
  label(type) { return this.words.acts[type] ?? this.#plain(type); }

  /** An act in words, as for a button. @param {import("./types.js").Action} action */
  act({ type, ...fields }) {
    const [first = "", ...rest] = `${this.#first(this.words.sending?.[type], fields) ?? ""}`.replace(/ …$/, "").split(" ");
    const verb = this.words.verbs?.[first];
    const values = Object.entries(fields).map(([name, value]) => this.value(value, name)).join(", ");
    return (verb ? [verb, ...rest] : [this.label(type), values]).filter(Boolean).join(" ");
  }

  /** A card by its signs, such as `K♠`. @param {string} card */
  card(card) {
    const { rank = card, suit } = this.pack[card] ?? {};
    return `${SIGNS[rank] ?? rank}${SUITS[suit ?? ""] ?? ""}`;
  }

  /** A card by its name, such as `king of spades`. @param {string} card */
  cardName(card) {
    const { rank = card, suit } = this.pack[card] ?? {};
    const called = this.texts.ranks[rank] ?? rank;
    return suit ? this.texts.card(called, this.texts.suits[suit] ?? suit) : called;
  }

  /** A suit's name and sign. @param {string} suit */
  suit(suit) { return SUITS[suit] ? `${this.texts.suits[suit]} ${SUITS[suit]}` : suit; }

  /** Cards by suit, jokers last, otherwise as they are. @param {string[]} cards */
  sorted(cards) {
    const place = (/** @type {string} */ card) => "shdc-".indexOf(this.pack[card]?.suit ?? "-");
    return [...cards].sort((one, other) => place(one) - place(other));
  }

  /** The first sentence that fits the values; null where none does. @param {Schemas["Sentence"][] | undefined} sentences @param {any} values */
  #first(sentences, values) {
    const parts = this.#said(sentences, values);
    return parts && this.#sentence(parts);
  }

  /**
   * The first sentence that fits the values, with its holes filled; null where none fits. In its text every second part
   * stands between braces.
   * @param {Schemas["Sentence"][] | undefined} sentences @param {any} values @param {number} [owner]
   * @returns {Parts | null}
   */
  #said(sentences, values, owner) {
    const fitting = sentences?.find((sentence) => fits(sentence, values));
    const filled = (/** @type {any} */ hole) => this.#filled(hole, at(values, hole.field), owner);
    return fitting?.text.split(/[{}]/).flatMap((part, odd) => (odd % 2 ? filled(fitting.holes[part]) : [part])) ?? null;
  }

  /** @param {any} hole @param {any} value @param {number} [owner] @returns {Parts} */
  #filled({ kind, of, each }, value, owner) {
    const items = Array.isArray(value) ? value : [];
    const as = (/** @type {string} */ single, some = items) => some.map((item) => [{ kind: single, value: item, of }]);
    switch (kind) {
      case "owner":
        return [{ kind: "seat", value: owner }];
      case "cards":
      case "hand":
        return listed(as("card", kind === "hand" ? this.sorted(items) : items), " ");
      case "seats":
      case "terms":
        return listed(as(kind.slice(0, -1)), ", ", this.texts.small.and);
      case "each":
      case "last":
        return listed(items.map((item) => this.#said(each, item, owner) ?? []).filter((said) => said.length > 0).slice(kind === "last" ? -1 : 0), ", ", this.texts.small.and);
      case "totals":
        return listed(items.map((value, seat) => [{ kind: "seat", value: seat }, " ", { kind: "amount", value }]), ", ", this.texts.small.and);
      default:
        return [{ kind, value, of }];
    }
  }

  /**
   * A text in the words of the first sentence that has its form; the text itself if none has.
   * @param {Schemas["Sentence"][]} sentences @param {string} text @returns {Parts}
   */
  #reread(sentences, text) {
    for (const { text: form, holes } of sentences) {
      const parts = form.split(/[{}]/);
      const patterns = parts.map((part, odd) => (odd % 2 ? FORMS[holes[part]?.kind ?? ""] : literally(part)));
      const found = text.match(`^${patterns.join("")}$`)?.slice(1);
      const read = found?.map((value, place) => {
        const { kind = "text", of } = holes[parts[2 * place + 1] ?? ""] ?? {};
        return { kind, of, value: READ[kind]?.(value) ?? value };
      });
      const cards = read?.filter(({ kind }) => kind.startsWith("card")).flatMap(({ value }) => value);
      if (!read || !cards?.every((card) => card in this.pack)) continue;
      const all = Object.values(this.words.lines).flat();
      const filled = read.map((hole) => (hole.kind === "line" ? this.#reread(all, hole.value) : this.#filled(hole, hole.value)));
      return parts.flatMap((part, odd) => (odd % 2 ? (filled[(odd - 1) / 2] ?? []) : [part]));
    }
    return [text];
  }

  /** Booked lines in words, each sentence once, with the events that booked them. @param {LineAt[]} places */
  #lines(places) {
    /** @type {Map<number, Set<string>>} */
    const named = new Map();
    for (const place of places) {
      const line = this.lineAt(place);
      const text = line ? `“${this.line(line)}”` : this.texts.line(place.line);
      named.set(place.version, (named.get(place.version) ?? new Set()).add(text));
    }
    return [...named].map(([version, texts]) => this.texts.lines([...texts].join(", "), version)).join("; ");
  }

  /** @param {Parts} parts */
  #sentence(parts) {
    return new Sentence(parts.filter((part) => part !== "").map((part) => (typeof part === "string" ? part : { ...part, text: this.#written(part) })));
  }

  /** @param {Filled} part @returns {string} */
  #written({ kind, value, of }) {
    if (kind === "lines") return this.#lines(value ?? []);
    if (kind === "seat") return this.name(value);
    if (kind === "card" || kind === "suit") return this[kind](value);
    if (kind === "place") return `${value + 1}`;
    if (kind === "amount") return value > 0 ? `+${value}` : `${value}`.replace("-", "−");
    return kind === "term" ? (this.words.terms[of ?? ""]?.[value] ?? this.#plain(value)) : `${value}`;
  }

  /** @param {any} name */
  #plain(name) { return `${name}`.replaceAll("-", " "); }
}
