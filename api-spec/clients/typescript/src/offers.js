/** Offers: the acts that a seat may take now. They build acts, list them and pick them, without knowing a rule. */

/**
 * @typedef {import("./types.js").Action} Action
 * @typedef {import("./types.js").Offered} Offered
 * @typedef {import("./types.js").Chance} Chance
 * @typedef {import("./types.js").Field} Field
 * @typedef {(value: any) => string} Written
 *
 * @typedef {object} Kind what a kind of field takes; null stands for what is left out
 * @property {(field: Field, value: any) => boolean} admits
 * @property {(field: Field) => Iterable<any>} values some or all of the values that it takes
 * @property {(field: Field, chance: Chance) => any} pick
 * @property {(field: Field, written: Written) => string} describe
 */

/** The most lists tried to find those that form sets. */
const MOST_TRIED = 20_000;

/** One of the items. @template T @param {readonly T[]} items @param {Chance} [chance] @returns {T} */
export const anyOf = (items, chance = Math.random) => /** @type {T} */ (items[Math.floor(chance() * items.length)]);

/** An action that may be taken now: every combination of values that its fields admit is accepted. */
export class Offer {
  /** @param {{type: string, fields?: Record<string, Field>}} offer */
  constructor({ type, fields = {} }) {
    this.type = type;
    this.fields = fields;
  }

  /**
   * The act with these values. What takes one value alone may be left out, and what takes null or an empty list.
   * @param {Record<string, unknown>} [values] @returns {Offered} Throws RangeError for what the offer does not admit.
   */
  act(values = {}) {
    const surplus = Object.keys(values).find((name) => !(name in this.fields));
    if (surplus) throw new RangeError(`${this.type} has no field ${surplus}`);
    /** @type {any} */
    const action = { type: this.type };
    for (const [name, field] of Object.entries(this.fields)) {
      const value = values[name] ?? (field.one_of?.length === 1 ? field.one_of[0] : null);
      if (!kindOf(field).admits(field, value)) {
        const wanted = kindOf(field).describe(field, plain);
        throw new RangeError(`${name} of ${this.type} must be ${wanted}, and is ${JSON.stringify(value)}`);
      }
      if (value !== null) action[name] = value;
    }
    return action;
  }

  /** Whether the offer describes this act. @param {Action} action */
  admits({ type, ...values }) {
    const isKnown = Object.keys(values).every((name) => name in this.fields || isNothing(values[name]));
    if (type !== this.type || !isKnown) return false;
    return Object.entries(this.fields).every(([name, field]) => kindOf(field).admits(field, values[name] ?? null));
  }

  /** Acts that the offer describes, up to this number; a field of free text has one value. @param {number} [limit] */
  *choices(limit = 1000) {
    let left = limit;
    for (const values of combined(Object.entries(this.fields))) {
      if (left-- <= 0) return;
      yield this.act(values);
    }
  }

  /** An act that the offer describes. @param {Chance} [chance] */
  random(chance = Math.random) {
    const picked = Object.entries(this.fields).map(([name, field]) => [name, kindOf(field).pick(field, chance)]);
    return this.act(Object.fromEntries(picked));
  }

  /** The offer in words, those of the game if they are given. @param {import("./words.js").Words} [words] */
  describe(words) {
    const open = Object.entries(this.fields).filter(([, { one_of }]) => one_of?.length !== 1 || !isNothing(one_of[0]));
    const fields = open.map(([name, field]) => {
      const taken = kindOf(field).describe(field, (value) => words?.value(value, name) ?? plain(value));
      return `${name.replaceAll("_", " ")} ${taken}`;
    });
    return [words?.label(this.type) ?? this.type, fields.join("; ")].filter(Boolean).join(": ");
  }
}

/** @param {unknown} value */
const isNothing = (value) => value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/**
 * The items of a list of different ones among these; none for null, and null for what is no such list.
 * @param {any} value @param {any[]} all @returns {any[] | null}
 */
function distinct(value, all) {
  const items = value ?? [];
  const isSet = Array.isArray(items) && new Set(items).size === items.length;
  return isSet && items.every((item) => all.includes(item)) ? items : null;
}

/** A value without a game's words. @type {Written} */
const plain = (value) => (value === null ? "none" : `${value}`);

/** Whether these are lists of the same items. @param {any} one @param {any} other */
const isSame = (one, other) => Array.isArray(one) && distinct(other, one)?.length === one.length;

/** The number of values that a list may have, in words. @param {Field} field */
const number = ({ min, max }) => (min === max ? `${min}` : `${min} to ${max}`);

/** @type {Record<string, Kind>} */
const KINDS = {
  one_of: {
    admits: ({ one_of }, value) => one_of.some((/** @type {any} */ one) => one === value || isSame(one, value)),
    values: ({ one_of }) => one_of,
    pick: ({ one_of }, chance) => anyOf(one_of, chance),
    describe: ({ one_of }, written) => `${one_of.length > 1 ? "one of " : ""}${listed(one_of, written)}`,
  },
  some_of: {
    admits({ some_of, min, max }, value) {
      const items = distinct(value, some_of);
      return items !== null && min <= items.length && items.length <= max;
    },
    *values({ some_of, min, max }) {
      for (let size = min; size <= max; size += 1) yield* combinations(some_of, size);
    },
    pick({ some_of, min, max }, chance) {
      const left = [...some_of];
      const size = min + Math.floor(chance() * (max - min + 1));
      return Array.from({ length: size }, () => left.splice(Math.floor(chance() * left.length), 1)[0]);
    },
    describe: (field, written) => `${number(field)} of ${listed(field.some_of, written)}`,
  },
  sets_of: {
    admits({ sets_of: { values, total, with: beside, min } }, value) {
      const cards = distinct(value, Object.keys(values));
      return cards !== null && cards.length >= min && splits([...beside, ...cards.map((card) => values[card])], total);
    },
    *values(field) {
      const { values, min, examples } = field.sets_of;
      const known = new Set(examples.map((/** @type {string[]} */ cards) => [...cards].sort().join()));
      yield* examples;
      let left = MOST_TRIED;
      for (let size = min; size <= Object.keys(values).length; size += 1) {
        for (const cards of combinations(Object.keys(values), size)) {
          if (left-- === 0) return;
          if (!known.has([...cards].sort().join()) && KINDS.sets_of?.admits(field, cards)) yield cards;
        }
      }
    },
    pick: ({ sets_of }, chance) => anyOf(sets_of.examples, chance),
    describe({ sets_of: { values, total, with: beside, min } }, written) {
      const known = beside.length > 0 ? ` with ${beside.join(", ")}` : "";
      return `${min} or more of ${listed(Object.keys(values), written)} that make sets of ${total}${known}`;
    },
  },
  text: {
    admits({ text: { min, max } }, value) {
      const length = typeof value === "string" && !/[\0-\x1f\x7f-\x9f]/.test(value) ? [...value].length : NaN;
      return min <= length && length <= max;
    },
    values: ({ text }) => ["-".repeat(text.min)],
    pick: ({ text }) => "-".repeat(text.min),
    describe: ({ text }) => `a text of ${number(text)} characters`,
  },
};

/** A kind that this version does not know, which the service may judge. @type {Kind} */
const OTHER = {
  admits: () => true,
  values: ({ examples }) => examples ?? [null],
  pick: ({ examples }, chance) => anyOf(examples ?? [null], chance),
  describe: () => "a value",
};

/** @param {Field} field @returns {Kind} */
const kindOf = (field) => Object.entries(KINDS).find(([name]) => name in field)?.[1] ?? OTHER;

/** @param {any[]} values @param {Written} written @returns {string} */
const listed = (values, written) =>
  values.map((value) => (Array.isArray(value) ? `[${listed(value, written)}]` : written(value))).join(", ");

/**
 * Whether all of the numbers can be put into sets that each add up to the total.
 * @param {number[]} numbers @param {number} total
 */
function splits(numbers, total) {
  /**
   * @param {number[]} left high to low @param {number} missing in a set that is begun @param {number} from
   * @returns {boolean}
   */
  const fill = (left, missing, from) => {
    if (missing === 0) return left.length === 0 || fill(left.slice(1), total - Number(left[0]), 0);
    return left.some((one, at) => at >= from && one <= missing && fill(left.toSpliced(at, 1), missing - one, at));
  };
  return fill([...numbers].sort((one, other) => other - one), 0, 0);
}

/** @template T @param {readonly T[]} items @param {number} size @returns {Generator<T[]>} */
function* combinations(items, size) {
  if (size === 0) yield [];
  for (const [at, item] of size > 0 ? items.entries() : []) {
    for (const rest of combinations(items.slice(at + 1), size - 1)) yield [item, ...rest];
  }
}

/** @param {[string, Field][]} fields @returns {Generator<Record<string, unknown>>} */
function* combined([first, ...rest]) {
  if (!first) return yield {};
  for (const value of kindOf(first[1]).values(first[1])) {
    for (const others of combined(rest)) yield { [first[0]]: value, ...others };
  }
}
