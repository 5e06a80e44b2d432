/** A game's options as fields, and the deals that may be agreed. */

import { isBound } from "./deals.js";
import { element, readable } from "./dom.js";
import { say } from "./say.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** @param {string} value @param {string} text @param {boolean} [selected] */
export const option = (value, text, selected = false) => element("option", { value, selected }, text);

/** @param {HTMLElement} place @returns {Field[]} The fields in an element. */
export const fieldsIn = (place) => [...place.querySelectorAll("select, input")];

/** A value of a game's field in words: a suit, a number, or the words of its name. @param {any} game @param {string} name @param {any} value */
export const valueText = (game, name, value) => game.words.terms[name]?.[value] ?? ("shdc".includes(value) ? say(`suit.${value}`) : readable(String(value)));

/** The field of an option; null where pages do not know how to ask for it. @param {any} game @param {string} name @param {any} schema @returns {HTMLElement | null} */
function fieldOf(game, name, schema) {
  const named = { id: `option-${name}`, name: `option.${name}`, "aria-describedby": `about-${name}` };
  const { enum: values } = schema.$ref ? game.options.$defs[schema.$ref.split("/").pop()] : schema;
  if (values) return element("select", named, ...values.map((/** @type {any} */ value) => option(JSON.stringify(value), valueText(game, name, value), value === schema.default)));
  if (schema.type === "boolean") {
    return element("select", named, ...[true, false].map((value) => option(String(value), say(value ? "cell.yes" : "cell.no"), value === schema.default)));
  }
  const { type, minimum, maximum } = schema;
  return type === "integer" ? element("input", { ...named, type: "number", min: minimum, max: maximum, value: schema.default, required: true }) : null;
}

/** An option with its sentence, and the rules that it changes. @param {any} game @param {[string, any]} of */
function asked(game, [name, schema]) {
  const field = fieldOf(game, name, schema);
  if (!field) return null;
  const range = "minimum" in schema ? ` ${say("new.option.range", { least: schema.minimum, most: schema.maximum })}` : "";
  const rules = game.rules.filter((/** @type {any} */ rule) => rule.option === name);
  const cited = (/** @type {any} */ { id, text }) => element("p", {}, element("a", { href: `/games/${game.game}#${id}` }, id), ` ${text}`);
  return element(
    "div",
    { class: "option" },
    element("label", { for: `option-${name}` }, readable(name)),
    element("span", { id: `about-${name}`, class: "quiet" }, `${schema.description ?? ""}${range}`),
    field,
    rules.length ? element("details", {}, element("summary", {}, say("new.option.changes")), ...rules.map(cited)) : null,
  );
}

/** The game's options, each with its field. @param {any} game */
export const optionRows = (game) => Object.entries(game.options.properties).map((one) => asked(game, one)).filter((row) => row !== null);

/** The options that are chosen, but those that stand as the game has them. @param {any} game @param {HTMLElement} place @returns {Record<string, any>} */
export function chosenOptions(game, place) {
  const given = fieldsIn(place).map((field) => /** @type {[string, any]} */ ([field.name.slice("option.".length), JSON.parse(field.value || "null")]));
  return Object.fromEntries(given.filter(([name, value]) => value !== game.options.properties[name].default));
}

/** As many deals as the game may have, to choose from. @param {any} game */
export function dealChoices(game) {
  const { least, most, multiple_of: step, default: usual } = game.deals;
  const many = Array.from({ length: Math.floor((most - least) / step) + 1 }, (_, place) => least + place * step);
  const text = (/** @type {number} */ count) => (isBound(game, count) ? say("new.deals.bound") : say("game.deals", { count }));
  const offered = isBound(game, usual) ? [usual, ...many.slice(0, -1)] : [...new Set([usual, ...many])].sort((one, other) => one - other);
  return offered.map((count) => option(String(count), text(count), count === usual));
}
