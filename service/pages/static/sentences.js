/** Sentences in a game's own words, as the interface describes them (`GET /v1/games/GAME`, `words`). */

import { bySuit, cardText, element, faceOf, isCard, signed, SUITS } from "./dom.js";

/**
 * A filled hole, to be written as its kind says.
 * @typedef {{kind: string, value: any, of?: string | null}} Filled
 * A sentence in its order: literal text, and the values in between.
 * @typedef {(string | Filled)[]} Parts
 * The game's words, the names of players by seat, and the booked lines by event and number.
 * @typedef {{words: any, name: (seat: number) => string, line: (version: number, number: number) => any}} Speaker
 */

/**
 * The value at a path, as a list if a list is on the way; null if it leads nowhere.
 * @param {any} value
 * @param {string} path
 * @returns {any}
 */
export function at(value, path) {
  if (Array.isArray(value)) return value.map((item) => at(item, path));
  const [first, ...rest] = path.split(".");
  const inner = value?.[first] ?? null;
  return rest.length ? at(inner, rest.join(".")) : inner;
}

/** @param {any} value */
const length = (value) => (Array.isArray(value) ? value.length : 0);

/** @type {Record<string, (value: any, wanted: any) => boolean>} */
const TESTS = {
  is: (value, wanted) => value === wanted,
  "is-not": (value, wanted) => value !== wanted,
  length: (value, wanted) => length(value) === wanted,
  "length-not": (value, wanted) => length(value) !== wanted,
};

/** Whether all conditions of a sentence hold. @param {any} sentence @param {any} values */
const fits = ({ when }, values) => when.every(({ field, test, value }) => TESTS[test](at(values, field), value));

/**
 * The first sentence that fits the values, with its holes filled; null where none fits.
 * @param {any[]} sentences
 * @param {any} values
 * @param {number} [owner] the seat that a section is sealed for
 * @returns {Parts | null}
 */
export function said(sentences, values, owner) {
  const fitting = sentences.find((sentence) => fits(sentence, values));
  if (!fitting) return null;
  // Every second part was between braces.
  const parts = fitting.text.split(/[{}]/);
  return parts.flatMap((part, index) => (index % 2 ? filled(fitting.holes[part], values, owner) : [part]));
}

const SINGULAR = { seats: "seat", cards: "card", terms: "term" };

/** @param {any} hole @param {any} values @param {number | undefined} owner @returns {Parts} */
function filled(hole, values, owner) {
  if (hole.kind === "owner") return [{ kind: "seat", value: owner }];
  const value = at(values, hole.field);
  const single = SINGULAR[hole.kind];
  if (single) return listed(value.map((item) => [{ kind: single, value: item, of: hole.of }]), single === "card" ? " " : ", ");
  if (hole.kind === "hand") return listed([...value].sort(bySuit).map((item) => [{ kind: "card", value: item }]), " ");
  if (hole.kind === "each") return listed(value.map((item) => said(hole.each, item, owner)).filter(Boolean), ", ");
  if (hole.kind === "totals") {
    return listed(value.map((amount, seat) => [{ kind: "seat", value: seat }, " ", { kind: "amount", value: amount }]), ", ");
  }
  return [{ kind: hole.kind, value, of: hole.of }];
}

/** The items as `A, B and C`, cards with nothing but a space between. @param {Parts[]} items @param {string} between @returns {Parts} */
function listed(items, between) {
  const last = items.length - 1;
  return items.flatMap((item, index) => {
    if (index === 0) return item;
    return [index === last && between !== " " ? " and " : between, ...item];
  });
}

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

/** The values of some kinds, as they stand in texts. @type {Record<string, (text: string) => any>} */
const READ = {
  seat: Number,
  seats: (text) => text.split(" and ").map(Number),
  cards: (text) => text.split(" "),
};

/**
 * The text of a booked line in the words of the first sentence that has its form; the text itself if none has.
 * @param {any[]} sentences
 * @param {string} text
 * @param {any} words
 * @returns {Parts}
 */
function reread(sentences, text, words) {
  for (const sentence of sentences) {
    // Every second part was between braces.
    const parts = sentence.text.split(/[{}]/);
    const holes = parts.filter((_, index) => index % 2).map((name) => sentence.holes[name]);
    const literal = (part) => part.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&");
    const form = parts.map((part, index) => (index % 2 ? FORMS[sentence.holes[part].kind] : literal(part))).join("");
    const match = text.match(new RegExp(`^${form}$`));
    if (!match) continue;
    const values = Object.fromEntries(holes.map(({ kind, field }, index) => [field, READ[kind]?.(match[index + 1]) ?? match[index + 1]]));
    if (!holes.every(({ kind, field }) => !kind.startsWith("card") || [values[field]].flat().every(isCard))) continue;
    return parts.flatMap((part, index) => {
      const hole = index % 2 ? sentence.holes[part] : null;
      if (hole?.kind === "line") return reread(Object.values(words.lines).flat(), values[hole.field], words);
      return hole ? filled(hole, values, undefined) : [part];
    });
  }
  return [text];
}

/** @param {any} line @param {any} words @returns {Parts} */
const lineParts = (line, words) => reread((words.lines[line.kind] ?? []).filter((sentence) => fits(sentence, line)), line.text, words);

/**
 * Booked lines in words, each sentence once, with the events that booked them.
 * @param {{version: number, line: number}[]} lineAts
 * @param {Speaker} speaker
 */
function lines(lineAts, speaker) {
  /** @type {Map<number, Set<string>>} */
  const named = new Map();
  for (const { version, line: number } of lineAts) {
    const line = speaker.line(version, number);
    const said = line && lineParts(line, speaker.words).map((part) => (typeof part === "string" ? part : written(part, speaker))).join("");
    if (!named.has(version)) named.set(version, new Set());
    named.get(version).add(said === undefined ? `line ${number}` : `“${said}”`);
  }
  return [...named].map(([version, texts]) => `${[...texts].join(", ")} of event ${version}`).join("; ");
}

/** @param {Filled} part @param {Speaker} speaker @returns {string} */
function written({ kind, value, of }, speaker) {
  const { words, name } = speaker;
  if (kind === "lines") return lines(value, speaker);
  if (kind === "seat") return name(value);
  if (kind === "card") return cardText(value);
  if (kind === "suit") return `${SUITS[value].name} ${SUITS[value].sign}`;
  if (kind === "amount") return signed(value);
  if (kind === "term") return words.terms[of]?.[value] ?? String(value).replaceAll("-", " ");
  return String(value);
}

/** The sentence with its suits and cards in their colours. @param {Parts} parts @param {Speaker} speaker @returns {(string | Node)[]} */
function coloured(parts, speaker) {
  return parts.map((part) => {
    if (typeof part === "string") return part;
    const ink = part.kind === "suit" ? part.value : part.kind === "card" ? faceOf(part.value).suit : null;
    return ink ? element("span", { class: `ink-${ink}` }, written(part, speaker)) : written(part, speaker);
  });
}

/** A booked line in words. @param {any} line @param {Speaker} speaker @returns {(string | Node)[]} */
export const lineSentence = (line, speaker) => coloured(lineParts(line, speaker.words), speaker);

/**
 * The sentence of an event. If only one section is open, its text follows; if there are more, the table shows them.
 * @param {any} event
 * @param {Speaker} speaker
 * @returns {(string | Node)[]}
 */
export function sentence(event, speaker) {
  const own = speaker.words.events[event.type];
  const parts = own && said(own.sentences, event.public);
  if (!parts) return [`${event.type.replaceAll("-", " ")}.`];
  const added = Object.entries(event.sealed)
    .map(([audience, opened]) => {
      const [kind, seat] = audience.split(":");
      return said(own.sections[kind] ?? [], { ...event.public, ...opened.data }, seat === undefined ? undefined : Number(seat));
    })
    .filter((more) => more !== null);
  const by = "seat" in event.public ? speaker.words.actors[event.actor.split(":")[0]] : undefined;
  const all = [...parts, ...(added.length === 1 ? [" ", ...added[0]] : []), ...(by === undefined ? [] : [` ${by}`])];
  return coloured(all, speaker);
}

/**
 * The game's name for a group of cards; null if it has none.
 * @param {string} path the groups' field in a view
 * @param {any} group
 * @param {Speaker} speaker
 */
export function called(path, group, speaker) {
  const parts = said(speaker.words.groups[path] ?? [], group);
  return parts && coloured(parts, speaker);
}

/**
 * The summary of a view.
 * @param {any} view
 * @param {Speaker} speaker
 * @returns {(string | Node)[][]} One list for each sentence.
 */
export function summary(view, speaker) {
  return speaker.words.status
    .map((sentences) => said(sentences, view))
    .filter((parts) => parts !== null)
    .map((parts) => coloured(parts, speaker));
}
