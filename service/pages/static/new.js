/** A new table: its game, who may sit, its bots, and how it is played. The last choice stays in this browser. */

import { get, post, Problem } from "./api.js";
import { isBound } from "./deals.js";
import { byId, element, fail, inWords, readable } from "./dom.js";
import { identify, mountIdentity } from "./identity.js";
import { gamesByName, offerGames } from "./listing.js";
import { duration, say } from "./say.js";
import "./turns.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */
/** @typedef {Record<string, string | boolean>} Held What fields hold, by their names. */

const NAME = "codille-new-table";
/** The clocks that are offered, from quick to slow: seconds for an act, and in reserve for the game. */
const CLOCKS = [[15, 60], [30, 120], [60, 300], [120, 900], [86_400, 0], [259_200, 0]];
/** The seconds by which spectators may be late. */
const DELAYS = [30, 120, 600, 3600];
/** What the fields of seats and of the clock hold besides levels and clocks. */
const [FREE, OWN] = ["", "own"];

/** The game that is chosen, as the interface describes it. @type {any} */
let game = null;
/** Counts the games that were chosen: an earlier one that comes late is dropped. */
let chosen = 0;
const known = await gamesByName().catch((error) => (fail(error), new Map()));
const levels = await get("/bots").then(({ items }) => items.map((/** @type {any} */ { level }) => level), () => []);

/** @param {string} id @returns {Field[]} The fields in an element. */
const fieldsOf = (id) => [...byId(id).querySelectorAll("select, input")];

/** @param {Field[]} fields @returns {Held} */
const heldBy = (fields) =>
  Object.fromEntries(
    fields.filter((one) => one.type !== "radio" || isChecked(one)).map((one) => [one.name, one.type === "checkbox" ? isChecked(one) : one.value]),
  );

/** @param {Field} field */
const isChecked = (field) => field instanceof HTMLInputElement && field.checked;

/** Fills fields with what they held; what a field does not offer any more is left out. @param {Field[]} fields @param {Held} [held] */
function fill(fields, held = {}) {
  for (const field of fields) {
    const value = held[field.name];
    if (value === undefined) continue;
    if (field instanceof HTMLInputElement && field.type !== "number") field.checked = value === (field.type === "radio" ? field.value : true);
    else {
      const before = field.value;
      field.value = String(value);
      if (field.value !== String(value) || !field.checkValidity()) field.value = before;
    }
  }
}

/** The last choice: what every table has, and by game what its own. @returns {{table?: Held, games?: Record<string, Held>}} */
function lastChoice() {
  try {
    return Object(JSON.parse(localStorage.getItem(NAME) ?? "{}"));
  } catch {
    return {};
  }
}

/** What every game's table has. */
const ofTable = () => fieldsOf("new").filter((field) => !ofGame().includes(field));
/** What the game decides. */
const ofGame = () => [...fieldsOf("options"), ...fieldsOf("seats"), byId("deals")];

/** Keeps this choice for the next table. */
function keepChoice() {
  const { games } = lastChoice();
  const choice = { table: heldBy(ofTable()), games: { ...games, [game.game]: heldBy(ofGame()) } };
  try {
    localStorage.setItem(NAME, JSON.stringify(choice));
  } catch {
    // Where storage is denied, nothing is remembered.
  }
}

/** @param {string} value @param {string} text @param {boolean} [selected] */
const option = (value, text, selected = false) => element("option", { value, selected }, text);

/** A value of an option in words: a suit, a number, or the words of its name. @param {any} value @param {string} name */
const valueText = (value, name) => game.words.terms[name]?.[value] ?? ("shdc".includes(value) ? say(`suit.${value}`) : readable(String(value)));

/** The field of an option; null where this page does not know how to ask for it. @param {string} name @param {any} schema @returns {HTMLElement | null} */
function fieldOf(name, schema) {
  const named = { id: `option-${name}`, name: `option.${name}`, "aria-describedby": `about-${name}` };
  const { enum: values } = schema.$ref ? game.options.$defs[schema.$ref.split("/").pop()] : schema;
  if (values) return element("select", named, ...values.map((/** @type {any} */ value) => option(JSON.stringify(value), valueText(value, name), value === schema.default)));
  if (schema.type === "boolean") {
    return element("select", named, ...[true, false].map((value) => option(String(value), say(value ? "cell.yes" : "cell.no"), value === schema.default)));
  }
  const { type, minimum, maximum } = schema;
  return type === "integer" ? element("input", { ...named, type: "number", min: minimum, max: maximum, value: schema.default, required: true }) : null;
}

/** An option with its sentence, and the rules that it changes. @param {[string, any]} of */
function asked([name, schema]) {
  const field = fieldOf(name, schema);
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

/** The options that are chosen, but those that stand as the game has them. @returns {Record<string, any>} */
function options() {
  const given = fieldsOf("options").map((field) => /** @type {[string, any]} */ ([field.name.slice("option.".length), JSON.parse(field.value || "null")]));
  return Object.fromEntries(given.filter(([name, value]) => value !== game.options.properties[name].default));
}

/** Offers as many deals as the game may have. */
function offerDeals() {
  const { least, most, multiple_of: step, default: usual } = game.deals;
  const many = Array.from({ length: Math.floor((most - least) / step) + 1 }, (_, place) => least + place * step);
  const text = (/** @type {number} */ count) => (isBound(game, count) ? say("new.deals.bound") : say("game.deals", { count }));
  const offered = isBound(game, usual) ? [usual, ...many.slice(0, -1)] : [...new Set([usual, ...many])].sort((one, other) => one - other);
  byId("deals").replaceChildren(...offered.map((count) => option(String(count), text(count), count === usual)));
}

/** Offers the seats, as many as there are by the options: each to a person or a bot, and one to who opens the table. */
function offerSeats() {
  const number = options()["players"] ?? game.seats;
  byId("about-game").textContent = say("new.about-game", { seats: say("game.seats", { count: number }), unit: game.unit });
  const seats = [...byId("seats").querySelectorAll("label")];
  for (const seat of seats.slice(number)) seat.remove();
  const bots = levels.map((/** @type {string} */ level) => option(level, say("new.seat.bot", { level: say(`level.${level}`) })));
  for (let seat = seats.length; seat < number; seat += 1) {
    const choices = [option(FREE, say("new.seat.free")), option(OWN, say("new.seat.own"), seat === 0), ...bots.map((/** @type {Node} */ bot) => bot.cloneNode(true))];
    byId("seats").append(element("label", {}, say("play.seat", { seat: seat + 1 }), element("select", { name: `seat.${seat}` }, ...choices)));
  }
}

/** Says what will happen: how much is changed, and whether the table waits for people. */
function describe() {
  const count = Object.keys(options()).length;
  byId("changed").textContent = count ? say("new.options.changed", { count }) : say("new.options.usual");
  byId("own-clock").hidden = byId("clock").value !== OWN;
  for (const field of fieldsOf("own-clock")) field.disabled = byId("own-clock").hidden;
  const isFull = fieldsOf("seats").every(({ value }) => value !== FREE);
  byId("new").querySelector("[type=submit]").textContent = say(isFull ? "new.start" : "new.open");
  byId("next").textContent = say(isFull ? "new.next.starts" : "new.next.waits");
}

/** Shows what the chosen game offers. */
async function show() {
  chosen += 1;
  const turn = chosen;
  const submit = byId("new").querySelector("[type=submit]");
  submit.disabled = true;
  try {
    const found = await get(`/games/${byId("game").value}`);
    if (turn !== chosen) return;
    game = found;
    submit.disabled = false;
  } catch (error) {
    return refuse(error);
  }
  byId("aim").textContent = game.aim.join(" ");
  byId("rules").href = `/games/${game.game}`;
  const rows = Object.entries(game.options.properties).map(asked).filter((row) => row !== null);
  byId("options").replaceChildren(...rows);
  byId("own").hidden = rows.length === 0;
  byId("talk").hidden = !game.words.acts.talk;
  offerDeals();
  const last = lastChoice().games?.[game.game];
  for (const seat of byId("seats").querySelectorAll("label")) seat.remove();
  fill([...fieldsOf("options"), byId("deals")], last);
  offerSeats();
  fill(fieldsOf("seats"), last);
  byId("own").open = Object.keys(options()).length > 0;
  refuse(null);
  describe();
}

/** The table that is chosen, as the interface takes it. */
function wanted() {
  const { visibility, clock, delay, talk, ...others } = heldBy(ofTable());
  const own = Object.fromEntries(fieldsOf("own-clock").map(({ name, value }) => [name.slice("clock.".length), Number(value)]));
  const seats = fieldsOf("seats").map(({ value }, seat) => /** @type {[number, string]} */ ([seat, value]));
  return {
    game: others["game"],
    deals: Number(byId("deals").value),
    options: options(),
    bots: Object.fromEntries(seats.filter(([, value]) => value !== FREE && value !== OWN)),
    table: {
      visibility,
      clock: clock === OWN ? own : JSON.parse(String(clock)),
      spectator_delay: JSON.parse(String(delay)),
      talk: talk === true && !byId("talk").hidden,
    },
  };
}

/** Opens the table, sits down, and goes there. */
async function open() {
  if (!(await identify())) return;
  keepChoice();
  const body = wanted();
  const { table } = await post("/tables", body);
  const link = new URL(`/play/${table}`, location.origin);
  try {
    if (body.table.visibility === "private") link.searchParams.set("invite", (await post(`/tables/${table}/invitations`, {})).invitation);
    const seat = fieldsOf("seats").findIndex(({ value }) => value === OWN);
    if (seat >= 0) await post(`/tables/${table}/seats`, { seat });
  } catch (error) {
    // The table is open: what is missing can be done there.
    if (!(error instanceof Problem)) throw error;
  }
  location.assign(link);
}

/** Says why no table was opened, or nothing. @param {unknown} error */
function refuse(error) {
  byId("refused").hidden = error === null;
  byId("refused").textContent = error === null ? "" : inWords(error);
  if (error !== null && !(error instanceof Problem)) throw error;
}

const form = byId("new");
form.addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  const submit = form.querySelector("[type=submit]");
  submit.disabled = true;
  refuse(null);
  try {
    await open();
  } catch (error) {
    refuse(error);
  } finally {
    submit.disabled = false;
  }
});
form.addEventListener("invalid", () => (byId("own").open = true), true);
form.addEventListener("change", ({ target }) => {
  if (target === byId("game")) return void show();
  // Only one seat is one's own.
  if (target.value === OWN) for (const seat of fieldsOf("seats")) if (seat !== target && seat.value === OWN && target.name.startsWith("seat.")) seat.value = FREE;
  if (game) offerSeats();
  describe();
});

/** A clock in words. @param {number[]} clock */
const clockText = ([seconds, reserve]) =>
  reserve ? say("new.clock.reserved", { seconds: duration(seconds), reserve: duration(reserve) }) : say("new.clock.act", { seconds: duration(seconds) });
byId("clock").append(
  option("null", say("new.clock.none"), true),
  ...CLOCKS.map((clock) => option(JSON.stringify({ seconds: clock[0], reserve: clock[1] }), clockText(clock))),
  option(OWN, say("new.clock.own")),
);
byId("delay").append(option("null", say("new.delay.none"), true), ...DELAYS.map((seconds) => option(JSON.stringify({ seconds }), say("new.delay.by", { time: duration(seconds) }))));
mountIdentity(byId("identity"));
if (known.size) {
  const { table } = lastChoice();
  const linked = new URLSearchParams(location.search).get("game");
  const usual = byId("game").dataset.default;
  offerGames(byId("game"), known, known.has(usual) ? usual : null);
  fill(ofTable(), table);
  if (linked && known.has(linked)) byId("game").value = linked;
  form.hidden = false;
  await show();
}
