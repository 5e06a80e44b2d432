/** What a person has picked so far, and what may come of it: offers turned into choices, without knowing a rule. */

import { Offer } from "../kit/offers.js";

/**
 * What is tapped: a card, wherever it lies, or a value of a field of one type of act.
 * @typedef {{card: string} | {type: string, field: string, value: any}} Token
 *
 * @typedef {object} Candidate An offer with what is picked in its fields.
 * @property {Offer} offer
 * @property {Record<string, any>} values the picked values, by field
 * @property {string[]} open the fields that still need a value
 */

/** @param {any} value */
const isList = (value) => Array.isArray(value);

/** Whether a field's value is a list, of which the parts are picked one by one. @param {any} field */
const isGathered = (field) => Boolean(field.some_of || field.sets_of || field.one_of?.some(isList));

/** What a field's lists are made of. @param {any} field @returns {any[]} */
const itemsOf = (field) => field.some_of ?? Object.keys(field.sets_of?.values ?? {});

/**
 * The single things that a field's values are made of; null is one where none may be chosen too.
 * @param {any} field @returns {any[]}
 */
export function partsOf(field) {
  const items = field.one_of ? [...new Set(field.one_of.flat())] : itemsOf(field);
  return items.length && isGathered(field) && isWhole(field, []) ? [...items, null] : items;
}

/** Whether nothing is to be chosen in a field: it has one value alone. @param {any} field */
const isSettled = (field) =>
  field.one_of?.length === 1 || field.max === 0 || field.sets_of?.examples.every((/** @type {string[]} */ one) => !one.length) || (!field.text && !partsOf(field).length);

/** Whether more parts may follow on these. @param {any} field @param {any[]} parts */
function begins(field, parts) {
  if (field.some_of) return parts.length <= field.max && parts.every((part) => field.some_of.includes(part));
  if (field.sets_of) return parts.every((part) => part in field.sets_of.values);
  return field.one_of.some((one) => isList(one) && parts.every((part) => one.includes(part)));
}

/** @param {Token} token */
export const keyOf = (token) => ("card" in token ? `card:${token.card}` : `${token.type}:${token.field}:${JSON.stringify(token.value)}`);

/** @param {any} value @param {any} part */
const includes = (value, part) => (isList(value) ? value.includes(part) : value === part);

/**
 * The ways in which a token fits into an offer beside what is there.
 * @param {Offer} offer
 * @param {Record<string, any>} values
 * @param {Token} token
 * @returns {Record<string, any>[]}
 */
function placed(offer, values, token) {
  const isCard = "card" in token;
  if (!isCard && token.type !== offer.type) return [];
  const part = isCard ? token.card : token.value;
  return Object.entries(offer.fields).flatMap(([name, field]) => {
    if (!isCard && token.field !== name) return [];
    if (!partsOf(field).includes(part) || includes(values[name], part)) return [];
    if (!isGathered(field)) return name in values ? [] : [{ ...values, [name]: part }];
    // None stands beside nothing.
    if (part === null ? name in values : values[name]?.length === 0) return [];
    if (part === null) return [{ ...values, [name]: [] }];
    const parts = [...(values[name] ?? []), part];
    return begins(field, parts) ? [{ ...values, [name]: parts }] : [];
  });
}

/** Whether so much in the field is a whole value. @param {any} field @param {any} value */
const isWhole = (field, value) => new Offer({ type: "", fields: { field } }).admits({ type: "", field: value });

/**
 * All ways in which the offers take the tokens.
 * @param {Offer[]} offers
 * @param {Token[]} tokens
 * @returns {Candidate[]}
 */
export function candidates(offers, tokens) {
  return offers.flatMap((offer) => {
    /** @type {Record<string, any>[]} */
    let ways = [{}];
    for (const token of tokens) ways = ways.flatMap((values) => placed(offer, values, token));
    const different = new Map(ways.map((values) => [JSON.stringify(Object.entries(values).sort()), values]));
    return [...different.values()].map((values) => ({
      offer,
      values,
      open: Object.entries(offer.fields)
        .filter(([name, field]) => (name in values ? !isWhole(field, values[name]) : !isSettled(field)))
        .map(([name]) => name),
    }));
  });
}

/**
 * What is picked, from the offers of a seat. It is picked token by token, and can be taken back until it is sent.
 */
export class Choosing {
  /**
   * @param {(value: any) => boolean} isCard whether this is the name of a card
   * @param {(type: string) => boolean} asks whether acts of this type wait for a button
   */
  constructor(isCard, asks = () => false) {
    this.isCard = isCard;
    this.asks = asks;
    /** @type {Offer[]} */
    this.offers = [];
    /** @type {Token[]} */
    this.picked = [];
    /** Whether something that had been picked is not offered any more. */
    this.lost = false;
  }

  /** Takes other offers, and keeps what is picked as far as they admit it. @param {Offer[]} offers */
  use(offers) {
    this.offers = offers.filter((offer) => !Object.values(offer.fields).some((field) => field.text));
    const before = this.picked.length;
    while (this.picked.length && !candidates(this.offers, this.picked).length) this.picked.pop();
    this.lost = this.picked.length < before;
  }

  /** Takes back everything that is picked. */
  clear() {
    this.picked = [];
  }

  /** Whether a token can be picked, beside what is picked or in its stead. @param {Token} token */
  admits(token) {
    return candidates(this.offers, [token]).length > 0;
  }

  /** Whether a token can be picked beside what is picked. @param {Token} token */
  fits(token) {
    return candidates(this.offers, [...this.picked, token]).length > 0;
  }

  /** @param {Token} token */
  has(token) {
    return this.picked.some((one) => keyOf(one) === keyOf(token));
  }

  /**
   * Picks a token, or takes it back if it is picked. It takes the place of those beside which it does not fit, the later
   * before the earlier. @param {Token} token
   */
  pick(token) {
    const { picked } = this;
    if (this.has(token)) {
      this.picked = picked.filter((one) => keyOf(one) !== keyOf(token));
      if (!candidates(this.offers, this.picked).length) this.picked = [];
    } else if (this.admits(token)) {
      /** @type {Token[]} */
      const kept = [];
      for (const one of picked) if (candidates(this.offers, [...kept, one, token]).length) kept.push(one);
      this.picked = [...kept, token];
    }
  }

  /** The acts that what is picked makes, each once. @returns {import("../kit/types.js").Action[]} */
  acts() {
    return actsOf(candidates(this.offers, this.picked));
  }

  /** The fields that are still open, of the one type of act that is left by what is picked. @returns {string[]} */
  missing() {
    const ways = candidates(this.offers, this.picked);
    const types = new Set(ways.map(({ offer }) => offer.type));
    const fields = types.size === 1 ? this.fields().filter(({ type }) => types.has(type)) : [];
    const isOpen = (/** @type {string} */ field) => new Set(ways.map(({ offer, values }) => JSON.stringify(values[field] ?? offer.fields[field]))).size > 1;
    return fields.map(({ field }) => field).filter((field) => isOpen(field) || ways.every(({ open }) => open.includes(field)));
  }

  /**
   * The one act that is left by what is picked; null where more are left, or where more may be picked.
   * @returns {import("../kit/types.js").Action | null}
   */
  only() {
    const ways = candidates(this.offers, this.picked);
    const left = ways.some(({ offer, open }) => open.length || Object.values(offer.fields).some((field) => isGathered(field) && !isSettled(field)));
    const acts = left ? [] : actsOf(ways);
    return acts.length === 1 ? (acts[0] ?? null) : null;
  }

  /**
   * The acts to show: those for which nothing else has to be picked first. What needs no choice stands there whatever is
   * picked. Where values tell acts apart that are not picked yet, and where no card of theirs is, they wait for that.
   */
  ready() {
    const plain = actsOf(candidates(this.offers, [])).filter((act) => Object.keys(act).length === 1);
    const ways = candidates(this.offers, this.picked);
    const fields = this.fields();
    const made = Object.entries(Object.groupBy(ways, ({ offer }) => offer.type)).flatMap(([type, ways]) => {
      const offers = this.offers.filter((offer) => offer.type === type);
      const values = fields.filter((one) => one.type === type);
      if (!this.picked.length && offers.length > 1 && offers.some((offer) => Object.values(offer.fields).flatMap(partsOf).some(this.isCard))) return [];
      if (values.length && this.isSimple(type)) return [];
      const open = values.some(({ field }) => new Set(ways.map(({ offer, values }) => JSON.stringify(values[field] ?? offer.fields[field]))).size > 1);
      return open ? [] : actsOf(ways);
    });
    return once([...made, ...plain]);
  }

  /** The only act that is open, whatever is picked; null where there are more. @returns {import("../kit/types.js").Action | null} */
  sole() {
    const acts = this.offers.flatMap((offer) => [...offer.choices(2)]);
    return acts.length === 1 ? (acts[0] ?? null) : null;
  }

  /**
   * Whether picking this alone makes its act, of a type in which nothing else is chosen: such an act is sent at once.
   * @param {Token} token
   */
  isWhole(token) {
    const fitting = candidates(this.offers, [token]);
    return !this.picked.length && fitting.length > 0 && fitting.every(({ offer }) => this.isSimple(offer.type)) && new Set(fitting.map(({ offer }) => offer.type)).size === 1;
  }

  /** Whether one tap sends acts of this type: they have one field to choose, with one value, and are not asked for. @param {string} type */
  isSimple(type) {
    if (this.asks(type)) return false;
    const offers = this.offers.filter((offer) => offer.type === type);
    const fields = fieldsThatDiffer(offers);
    for (const offer of offers) {
      for (const [name, field] of Object.entries(offer.fields)) {
        if (isGathered(field) && partsOf(field).length) return false;
        if (field.one_of?.length > 1) fields.add(name);
      }
    }
    return fields.size <= 1 && !this.sharesCards(type);
  }

  /** Whether a card of this type of act can go into another type too. @param {string} type */
  sharesCards(type) {
    const cards = (/** @type {Offer} */ offer) => Object.values(offer.fields).flatMap(partsOf).filter(this.isCard);
    const own = new Set(this.offers.filter((offer) => offer.type === type).flatMap(cards));
    return this.offers.some((offer) => offer.type !== type && cards(offer).some((card) => own.has(card)));
  }

  /**
   * The fields whose values are no cards, or cards that are not seen, or may be none, with those values, by the type of act.
   * @param {(card: any) => boolean} seen
   * @returns {{type: string, field: string, values: any[]}[]}
   */
  fields(seen = this.isCard) {
    /** @type {Map<string, {type: string, field: string, values: any[]}>} */
    const found = new Map();
    for (const offer of this.offers) {
      const differ = fieldsThatDiffer(this.offers.filter((one) => one.type === offer.type));
      for (const [name, field] of Object.entries(offer.fields)) {
        if (isSettled(field) && !isList(field.one_of?.[0]) && !differ.has(name)) continue;
        const parts = partsOf(field).filter((part) => (part === null ? !isSettled(field) || this.isSimple(offer.type) : !this.isCard(part) || !seen(part)));
        if (!parts.length) continue;
        const one = found.get(`${offer.type}:${name}`) ?? { type: offer.type, field: name, values: [] };
        one.values.push(...parts.filter((part) => !one.values.includes(part)));
        found.set(`${offer.type}:${name}`, one);
      }
    }
    return [...found.values()];
  }

  /** Whether none is shown as a choice: in a list beside other fields only where something of its act is picked. @param {string} type @param {string} field */
  awaits(type, field) {
    const offers = this.offers.filter((offer) => offer.type === type);
    const isList = offers.some(({ fields }) => fields[field] && isGathered(fields[field]));
    const isAlone = offers.every(({ fields }) => Object.entries(fields).every(([name, one]) => name === field || isSettled(one)));
    return !isList || isAlone || (this.picked.length > 0 && candidates(offers, this.picked).some((way) => field in way.offer.fields && !isSettled(way.offer.fields[field])));
  }

  /** The fields for which cards are gathered, with the least and the most that they take beside what is picked. */
  gathers() {
    /** @type {Map<string, {type: string, field: string, min: number, max: number}>} */
    const found = new Map();
    const ways = candidates(this.offers, this.picked);
    const offers = ways.length ? ways.map((way) => way.offer) : this.offers;
    for (const { type, fields } of offers) {
      for (const [field, { some_of, max }] of Object.entries(fields)) {
        if (!some_of?.some(this.isCard) || !max || found.has(`${type}:${field}`)) continue;
        // An act that lacks the field takes none.
        const alike = offers.filter((offer) => offer.type === type).map((offer) => offer.fields[field] ?? { min: 0, max: 0 });
        found.set(`${type}:${field}`, { type, field, min: Math.min(...alike.map((one) => one.min)), max: Math.max(...alike.map((one) => one.max)) });
      }
    }
    return [...found.values()];
  }
}

/** The acts that these ways make, each once. @param {Candidate[]} ways @returns {import("../kit/types.js").Action[]} */
const actsOf = (ways) => once(ways.filter(({ open }) => !open.length).map(({ offer, values }) => offer.act(values)));

/** @param {import("../kit/types.js").Action[]} acts */
const once = (acts) => [...new Map(acts.map((act) => [JSON.stringify(act), act])).values()];

/** The fields in which offers of one type differ from each other. @param {Offer[]} offers */
function fieldsThatDiffer(offers) {
  const names = new Set(offers.flatMap((offer) => Object.keys(offer.fields)));
  return new Set([...names].filter((name) => new Set(offers.map((offer) => JSON.stringify(offer.fields[name]))).size > 1));
}
