/** A form made from the JSON Schema of a game's facts. It knows no game: the schema says what is asked for. */

import { element, readable, SIGNS } from "./dom.js";
import { option, valueText } from "./options.js";
import { say } from "./say.js";

/**
 * A part of the form, for one fact.
 * @typedef {object} Part
 * @property {HTMLElement} place
 * @property {() => any} read the fact; undefined where nothing was entered
 * @property {(fact: any) => void} fill shows a fact, whatever it is
 * @property {(path: string[]) => HTMLElement} at the field of what lies at this path in the fact, or around it
 */

/** A shorter description only repeats the label. */
const SAYS_MORE = 45;
const MOST_ROWS = 100;
const CARD = /(?:\d\.)?(?:jo(?:ker)?|★|(?:10|[akqjt2-9])[shdc♠♥♦♣])(?:\.\d)?/gi;

/** @param {any} value @returns {Record<string, any>} */
const record = (value) => (typeof value === "object" && value !== null && !Array.isArray(value) ? value : {});
/** A list, as far as a form can show it. @param {any} value @returns {any[]} */
const list = (value) => (Array.isArray(value) ? value.slice(0, MOST_ROWS) : []);

/** A card as people write it. @param {string} card such as `Ts.1` @returns {string} Such as `10♠`. */
function cardText(card) {
  const [, rank = "", suit = ""] = /^(?:\d\.)?(Jo|.)([shdc]?)/.exec(card) ?? [];
  return `${rank === "T" ? "10" : rank === "Jo" ? say("rank.Jo") : rank}${SIGNS[suit] ?? ""}`;
}

/** Words as they begin a line. @param {string} text */
const begun = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A card as the interface names it. @param {string} written such as `10♠` or `ts` */
function cardOf(written) {
  const card = written.toLowerCase().replace("10", "t").replace(/joker|jo|★/, "Jo").replace(/[♠♥♦♣]/, (sign) => Object.keys(SIGNS).find((suit) => SIGNS[suit] === sign) ?? "");
  return card.replace(/[akqjt](?=[shdc])/, (rank) => rank.toUpperCase());
}

export class FactForm {
  /**
   * @param {any} game the game's details
   * @param {number} seats
   * @param {(seat: number) => string} name
   */
  constructor(game, seats, name) {
    this.game = game;
    this.seats = seats;
    this.name = name;
    this.defs = game.schemas.facts.$defs ?? {};
    /** Counts fields, whose ids their labels name. */
    this.fields = 0;
    /** The form itself. @type {Part} */
    this.whole = this.part(game.schemas.facts, "", true, "");
  }

  /** What the kind of a deal tells of its facts. @param {string} kind @returns {Record<string, any>} */
  ofKind(kind) {
    const { facts } = this.game.schemas;
    const ways = Object.values(facts.discriminator?.mapping ?? {}).map(($ref) => this.resolved({ $ref }));
    for (const { properties } of ways.length ? ways : [this.resolved(facts)]) {
      const known = Object.keys(properties).filter((name) => properties[name].const !== undefined).map((name) => [name, properties[name].const]);
      const named = Object.keys(properties).find((name) => [properties[name].const, ...(this.resolved(properties[name]).enum ?? [])].includes(kind));
      if (named) return { ...Object.fromEntries(known), [named]: kind };
    }
    return {};
  }

  /** The schema itself, where it refers to another, with the name of that. @param {any} schema */
  resolved(schema) {
    const named = schema.$ref?.split("/").pop();
    return named ? { ...this.defs[named], ...schema, named } : schema;
  }

  /** The cards that a schema admits; null if it is none of cards. @param {any} schema @returns {string[] | null} */
  cardsOf(schema) {
    const all = [schema, ...(schema.anyOf ?? [])].map((one) => this.resolved(one));
    const card = all.find(({ named }) => named === "Card");
    return card ? [...new Set([...card.enum, ...all.flatMap((one) => one.const ?? [])])] : null;
  }

  /** @param {number} side partners sit opposite each other */
  nameOfSide(side) {
    return Array.from({ length: this.seats }, (_, seat) => seat).filter((seat) => seat % 2 === side).map(this.name).join(say("said.and"));
  }

  /**
   * @param {any} given a schema
   * @param {string} name of the fact
   * @param {boolean} needed whether it must be entered
   * @param {string} [label]
   * @returns {Part}
   */
  part(given, name, needed, label = given.title ?? readable(name)) {
    const schema = this.resolved(given);
    const about = (schema.description ?? "").replace(/; null\b[^.;]*/, "");
    const hint = given.description && about.length > SAYS_MORE ? about : "";
    if (schema.oneOf) return this.oneOf(schema);
    if (schema.anyOf?.some((/** @type {any} */ one) => one.type === "null")) {
      return this.part({ ...schema.anyOf[0], title: schema.title, description: schema.description, nullable: true }, name, false, label);
    }
    const cards = this.cardsOf(schema);
    if (cards) {
      const plain = cards.filter((card) => !/\.\d$/.test(card));
      return this.choice(plain.map((card) => [card, cardText(card)]), label, hint, schema);
    }
    if (schema.format === "seat") return this.choice(Array.from({ length: this.seats }, (_, seat) => [seat, this.name(seat)]), label, hint, schema);
    const values = schema.enum ?? this.namedNumbers(schema, name);
    if (values) return this.choice(this.inOrder(values, name).map((value) => [value, begun(valueText(this.game, name, value))]), label, hint, schema);
    if (schema.type === "boolean") return this.check(label, hint);
    if (schema.type === "integer") return this.number(schema, label, hint);
    if (schema.type === "array") return this.array(schema, name, needed, label, hint);
    return this.object(schema, label);
  }

  /** Numbers that the game has words for. @param {any} schema @param {string} name @returns {number[] | undefined} */
  namedNumbers({ type, minimum, maximum }, name) {
    const terms = this.game.words.terms[name];
    if (type !== "integer" || !terms) return undefined;
    return Array.from({ length: maximum - minimum + 1 }, (_, place) => minimum + place);
  }

  /** Values in the order in which the game names them. @param {any[]} values @param {string} name */
  inOrder(values, name) {
    const named = Object.keys(this.game.words.terms[name] ?? {});
    return [...values].sort((one, other) => named.indexOf(String(one)) - named.indexOf(String(other)));
  }

  /** A field with its label, and what is to be known. @template {HTMLElement} T @param {T} field @param {string} label @param {string} hint */
  labelled(field, label, hint) {
    this.fields += 1;
    field.id = `fact-${this.fields}`;
    const isCheck = field instanceof HTMLInputElement && field.type === "checkbox";
    const about = hint ? element("span", { id: `${field.id}-about`, class: "quiet" }, hint) : null;
    if (about) field.setAttribute("aria-describedby", about.id);
    return isCheck
      ? element("div", { class: "fact check" }, field, element("label", { for: field.id }, label), about)
      : element("div", { class: "fact" }, element("label", { for: field.id }, label), field, about);
  }

  /** One of several values. @param {[any, string][]} values @param {string} label @param {string} hint @param {any} schema @returns {Part} */
  choice(values, label, hint, { nullable = false }) {
    const none = nullable ? option("null", say("sheet.none"), true) : option("", say("sheet.choose"), true);
    const field = element("select", { required: !nullable }, none, ...values.map(([value, text]) => option(JSON.stringify(value), text)));
    return {
      place: this.labelled(field, label, hint),
      read: () => (field.value === "" ? undefined : JSON.parse(field.value)),
      fill: (fact) => {
        field.value = JSON.stringify(fact ?? null);
        if (field.selectedIndex < 0) field.selectedIndex = 0;
      },
      at: () => field,
    };
  }

  /** @param {string} label @param {string} hint @returns {Part} */
  check(label, hint) {
    const field = element("input", { type: "checkbox" });
    return { place: this.labelled(field, label, hint), read: () => field.checked, fill: (fact) => (field.checked = fact === true), at: () => field };
  }

  /** A number; 0 where nothing is entered and it may be. @param {any} schema @param {string} label @param {string} [hint] @returns {Part} */
  number({ minimum, maximum, nullable }, label, hint = "") {
    const isZero = minimum <= 0 && !nullable;
    const field = element("input", { type: "number", inputmode: "numeric", min: minimum, max: maximum, placeholder: isZero ? "0" : undefined, required: !isZero && !nullable });
    return {
      place: this.labelled(field, label, hint),
      read: () => (field.value === "" ? (nullable ? null : isZero ? 0 : undefined) : Number(field.value)),
      fill: (fact) => (field.value = Number.isInteger(fact) && fact !== 0 ? String(fact) : ""),
      at: () => field,
    };
  }

  /** @param {any} schema @param {string} name @param {boolean} needed @param {string} label @param {string} hint @returns {Part} */
  array(schema, name, needed, label, hint) {
    const items = this.resolved(schema.items);
    const cards = this.cardsOf(items);
    if (schema["x-by"]) return this.by(schema, name, needed, label, hint);
    if (cards) return this.cards(cards, label, hint);
    const [card, seat, flag] = ["Card", "seat", "boolean"].map((kind) => this.propertyOf(items, kind));
    return card && seat ? this.piles(items, { card, seat, flag }, label, hint) : this.rows(schema, name, label, hint);
  }

  /** The first property that is a card, a seat or a boolean. @param {any} schema @param {string} kind */
  propertyOf(schema, kind) {
    const is = (/** @type {any} */ one) => [one.named, one.format, one.type].includes(kind) && one["x-counts"] !== false;
    return Object.keys(schema.properties ?? {}).find((name) => is(this.resolved(schema.properties[name])));
  }

  /** Facts of each seat or side. @param {any} schema @param {string} name @param {boolean} needed @param {string} label @param {string} hint @returns {Part} */
  by(schema, name, needed, label, hint) {
    const isSide = schema["x-by"] === "side";
    const items = this.resolved(schema.items);
    const names = isSide ? [0, 1].map((side) => this.nameOfSide(side)) : Array.from({ length: this.seats }, (_, seat) => this.name(seat));
    const parts = names.map((one) => this.part(items, name, true, one));
    const isBlank = () => parts.every((part) => part.place.querySelector("input")?.value === "");
    const isObject = items.type === "object";
    return {
      place: isObject
        ? element("div", { class: "by" }, ...parts.map(({ place }) => place))
        : group(label, hint, element("div", { class: items.type === "integer" ? "columns" : "by" }, ...parts.map(({ place }) => place))),
      read: () => (!needed && isBlank() ? (schema.nullable ? null : undefined) : parts.map((part) => part.read())),
      fill: (fact) => parts.forEach((part, place) => part.fill(list(fact)[place])),
      at: ([first, ...path]) => (parts[Number(first ?? 0)] ?? parts[0])?.at(path) ?? this.whole.place,
    };
  }

  /** Cards in a line of text, which are shown as they are understood. @param {string[]} known @param {string} label @param {string} [hint] @returns {Part} */
  cards(known, label, hint = "") {
    const field = element("input", { type: "text", autocapitalize: "off", autocomplete: "off", spellcheck: "false" });
    const understood = element("output", { class: "understood" });
    const place = this.labelled(field, label, hint);
    const read = () => (field.value.match(CARD) ?? []).map(cardOf);
    const show = () => {
      const wrong = [field.value.replace(CARD, " ").replace(/[\s,;]+/g, " ").trim(), ...read().filter((card) => !known.includes(card))].find(Boolean);
      field.setCustomValidity(wrong ? say("sheet.cards.unknown", { text: wrong }) : "");
      const shown = read().flatMap((card) => [element("span", { class: `ink-${/[shdc]/.exec(card)?.[0] ?? ""}` }, cardText(card)), " "]);
      understood.replaceChildren(...(wrong ? [field.validationMessage] : shown));
      understood.classList.toggle("loss", Boolean(wrong));
    };
    field.addEventListener("input", show);
    understood.htmlFor.add(field.id);
    place.append(understood);
    return {
      place,
      read,
      fill: (fact) => {
        field.value = list(fact).filter((card) => typeof card === "string").map((card) => card.replace(/\.\d$/, "").replace("T", "10")).join(" ");
        show();
      },
      at: () => field,
    };
  }

  /**
   * Cards with the seats that have them, as piles: a line for each player, and for what is not so.
   * @param {any} schema @param {{card: any, seat: any, flag: any}} names @param {string} label @param {string} hint
   * @returns {Part}
   */
  piles({ properties }, { card, seat, flag }, label, hint) {
    const known = this.cardsOf(properties[card]) ?? [];
    const flags = flag ? [true, false] : [undefined];
    const piles = Array.from({ length: this.seats }, (_, of) => of).flatMap((of) =>
      flags.map((is) => {
        const what = flag ? properties[flag][is ? "title" : "x-false"] : "";
        return { of, is, line: this.cards(known, what ? say("sheet.pile", { name: this.name(of), what }) : this.name(of)) };
      }),
    );
    return {
      place: group(label, hint, element("div", { class: "by" }, ...piles.map(({ line }) => line.place))),
      read: () => piles.flatMap(({ of, is, line }) => line.read().map((/** @type {string} */ one) => ({ [seat]: of, [card]: one, ...(flag ? { [flag]: is } : {}) }))),
      fill: (fact) => {
        for (const { of, is, line } of piles) {
          const own = list(fact).map(record).filter((one) => one[seat] === of && (!flag || (one[flag] ?? true) === is));
          line.fill(own.map((one) => one[card]));
        }
      },
      at: () => /** @type {any} */ (piles[0]).line.at([]),
    };
  }

  /** Any number of facts of a kind. @param {any} schema @param {string} name @param {string} label @param {string} hint @returns {Part} */
  rows(schema, name, label, hint) {
    /** @type {{part: Part, place: HTMLElement}[]} */
    let rows = [];
    const shown = element("div", { class: "rows" });
    const only = this.onlyProperty(schema.items);
    const what = (only ? this.resolved(schema.items).properties[only].title : null) ?? label;
    const add = (/** @type {any} */ fact) => {
      const part = this.part(schema.items, name, true, say("sheet.numbered", { what, number: rows.length + 1 }));
      const remove = element("button", { type: "button", class: "remove", "aria-label": say("sheet.remove.what", { what, number: rows.length + 1 }) }, say("sheet.remove"));
      const row = { part, place: element("div", { class: "row" }, part.place, remove) };
      remove.addEventListener("click", () => {
        const left = rows.filter((one) => one !== row).map((one) => one.part.read());
        fill(left);
        adds.focus();
        shown.dispatchEvent(new Event("input", { bubbles: true }));
      });
      if (fact !== undefined) part.fill(fact);
      rows.push(row);
      shown.append(row.place);
      return part;
    };
    const adds = element("button", { type: "button", click: () => add(undefined).at([]).focus() }, say("sheet.add", { what }));
    const fill = (/** @type {any} */ facts) => {
      rows = [];
      shown.replaceChildren();
      for (const fact of list(facts)) add(fact);
    };
    return {
      place: group(label, hint, shown, adds),
      read: () => rows.map(({ part }) => part.read()),
      fill,
      at: ([first, ...path]) => rows[Number(first)]?.part.at(path) ?? adds,
    };
  }

  /** The one property of an object that counts. @param {any} schema */
  onlyProperty(schema) {
    const { properties = {} } = this.resolved(schema);
    const counting = Object.keys(properties).filter((name) => properties[name]["x-counts"] !== false);
    return counting.length === 1 ? counting[0] : undefined;
  }

  /** @param {any} schema @param {string} label @returns {Part} */
  object(schema, label) {
    const only = label ? this.onlyProperty(schema) : undefined;
    const asked = Object.entries(schema.properties).filter(([, one]) => one["x-counts"] !== false && one.const === undefined);
    /** @type {Record<string, Part>} */
    const parts = Object.fromEntries(asked.map(([name, one]) => [name, this.part(only ? { ...one, description: "" } : one, name, schema.required.includes(name), only ? label : undefined)]));
    const places = Object.values(parts).map(({ place }) => place);
    return {
      place: only || !label ? element("div", { class: "facts" }, ...places) : group(label, "", ...places),
      read: () => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.read()])),
      fill: (fact) => {
        for (const [name, part] of Object.entries(parts)) part.fill(record(fact)[name]);
      },
      at: ([first = "", ...path]) => (parts[first] ?? Object.values(parts)[0])?.at(path) ?? this.whole.place,
    };
  }

  /** Facts of one of several kinds, by how the deal ended. @param {any} schema @returns {Part} */
  oneOf({ discriminator: { propertyName: name, mapping } }) {
    const kinds = Object.keys(mapping);
    const label = this.resolved({ $ref: mapping[kinds[0] ?? ""] }).properties[name].title;
    const kind = element("select", { required: true }, ...kinds.map((one) => option(one, valueText(this.game, name, one), one === "played")));
    const slot = element("div", { class: "facts" });
    /** @type {Part} */
    let part;
    const show = () => {
      const before = part?.read();
      part = this.part({ $ref: mapping[kind.value] }, "", true);
      part.fill(before);
      slot.replaceChildren(part.place);
    };
    kind.addEventListener("change", show);
    const place = element("div", { class: "facts" }, this.labelled(kind, label, ""), slot);
    show();
    return {
      place,
      read: () => ({ [name]: kind.value, ...part.read() }),
      fill: (fact) => {
        kind.value = record(fact)[name];
        if (kind.selectedIndex < 0) kind.value = kinds.find((one) => one === "played") ?? kinds[0] ?? "";
        show();
        part.fill(fact);
      },
      at: ([first, ...path]) => (first === name ? kind : part.at(first === undefined ? [] : [first, ...path])),
    };
  }
}

/** @param {string} label @param {string} hint @param {...Node} children */
const group = (label, hint, ...children) =>
  element("fieldset", {}, element("legend", {}, label), hint ? element("p", { class: "quiet" }, hint) : null, ...children);
