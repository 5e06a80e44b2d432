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

/** The single things that a field's values are made of. @param {any} field @returns {any[]} */
export function partsOf(field) {
  if (field.one_of) return [...new Set(field.one_of.flat())];
  if (field.some_of) return field.some_of;
  if (field.sets_of) return Object.keys(field.sets_of.values);
  return [];
}

/** Whether a field's value is a list, of which the parts are picked one by one. @param {any} field */
const isGathered = (field) => Boolean(field.some_of || field.sets_of || field.one_of?.some(isList));

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
    const parts = [...(values[name] ?? []), part];
    return begins(field, parts) ? [{ ...values, [name]: parts }] : [];
  });
}

/** Whether a field may be left as it is: it has one value alone, or none will do. @param {any} field */
const needsNothing = (field) => {
  if (field.text) return false;
  if (field.one_of?.length === 1) return true;
  return new Offer({ type: "", fields: { field } }).admits({ type: "" });
};

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
        .filter(([name, field]) => (name in values ? !isWhole(field, values[name]) : !needsNothing(field)))
        .map(([name]) => name),
    }));
  });
}

/**
 * What is picked, from the offers of a seat. It is picked token by token, and can be taken back until it is sent.
 */
export class Choosing {
  /** @param {(value: any) => boolean} isCard whether this is the name of a card */
  constructor(isCard) {
    this.isCard = isCard;
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
   * Picks a token, or takes it back if it is picked. Where it does not fit beside all that is picked, it takes the place
   * of the last that stands in its way, or of everything. @param {Token} token
   */
  pick(token) {
    const { picked } = this;
    if (this.has(token)) {
      this.picked = picked.filter((one) => keyOf(one) !== keyOf(token));
      if (!candidates(this.offers, this.picked).length) this.picked = [];
      return;
    }
    const without = [...picked.keys()].reverse().map((place) => picked.toSpliced(place, 1));
    const fitting = [picked, ...without, []].find((kept) => candidates(this.offers, [...kept, token]).length);
    if (fitting) this.picked = [...fitting, token];
  }

  /** The acts that what is picked makes, each once. @returns {import("../kit/types.js").Action[]} */
  acts() {
    return this.actsOf(this.picked);
  }

  /** @param {Token[]} tokens */
  actsOf(tokens) {
    const whole = candidates(this.offers, tokens).filter(({ open }) => !open.length);
    const made = whole.map(({ offer, values }) => offer.act(values));
    return [...new Map(made.map((act) => [JSON.stringify(act), act])).values()];
  }

  /**
   * The acts to show: those for which nothing else has to be picked first. Where values tell them apart that are not
   * picked yet, and where no card of theirs is, they wait for that.
   */
  ready() {
    const fields = this.fields();
    return Object.values(Object.groupBy(this.acts(), ({ type }) => type)).flatMap((acts) => {
      const [{ type }] = acts;
      if (!Object.keys(acts[0]).some((name) => name !== "type") && acts.length === 1) return acts;
      const offers = this.offers.filter((offer) => offer.type === type);
      if (!this.picked.length && offers.length > 1 && offers.some((offer) => Object.values(offer.fields).flatMap(partsOf).some(this.isCard))) return [];
      const open = fields.some((one) => one.type === type && !this.picked.some((token) => "field" in token && token.field === one.field));
      return acts.length > 1 && open ? [] : this.isSimple(type) && fields.some((one) => one.type === type) ? [] : acts;
    });
  }

  /**
   * Whether picking this alone makes its act, of a type in which nothing else is chosen: such an act is sent at once.
   * @param {Token} token
   */
  isWhole(token) {
    const fitting = candidates(this.offers, [token]);
    return !this.picked.length && fitting.length > 0 && fitting.every(({ offer }) => this.isSimple(offer.type)) && new Set(fitting.map(({ offer }) => offer.type)).size === 1;
  }

  /** Whether acts of this type have one field to choose, with one value. @param {string} type */
  isSimple(type) {
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
   * The fields whose values are no cards, with their values, by the type of act.
   * @returns {{type: string, field: string, values: any[]}[]}
   */
  fields() {
    /** @type {Map<string, {type: string, field: string, values: any[]}>} */
    const found = new Map();
    for (const offer of this.offers) {
      const differ = fieldsThatDiffer(this.offers.filter((one) => one.type === offer.type));
      for (const [name, field] of Object.entries(offer.fields)) {
        const parts = partsOf(field).filter((part) => part !== null || this.isSimple(offer.type));
        if (parts.some(this.isCard) || !parts.length) continue;
        if (field.one_of?.length === 1 && !isList(field.one_of[0]) && !differ.has(name)) continue;
        const one = found.get(`${offer.type}:${name}`) ?? { type: offer.type, field: name, values: [] };
        one.values.push(...parts.filter((part) => !one.values.includes(part)));
        found.set(`${offer.type}:${name}`, one);
      }
    }
    return [...found.values()];
  }

  /** The types of act for which cards are gathered, with their numbers where there are any. */
  gathers() {
    return this.offers.flatMap((offer) =>
      Object.values(offer.fields)
        .filter((field) => field.some_of && field.max > 0 && field.some_of.some(this.isCard))
        .map(({ min, max }) => ({ type: offer.type, min, max })),
    );
  }
}

/** The fields in which offers of one type differ from each other. @param {Offer[]} offers */
function fieldsThatDiffer(offers) {
  const names = new Set(offers.flatMap((offer) => Object.keys(offer.fields)));
  return new Set([...names].filter((name) => new Set(offers.map((offer) => JSON.stringify(offer.fields[name]))).size > 1));
}
