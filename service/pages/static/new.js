/** A new table: its game, who may sit, its bots, and how it is played. The last choice stays in this browser. */

import { get, post, Problem } from "./api.js";
import { byId, element, fail, inWords } from "./dom.js";
import { identify, mountIdentity } from "./identity.js";
import { gamesByName, offerGames } from "./listing.js";
import { chosenOptions, dealChoices, fieldsIn, option, optionRows } from "./options.js";
import { duration, say } from "./say.js";
import { store, stored } from "./stored.js";
import "./turns.js";

/** @typedef {import("./options.js").Field} Field */
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
const fieldsOf = (id) => fieldsIn(byId(id));

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
const lastChoice = () => Object(stored(NAME));

/** What every game's table has. */
const ofTable = () => fieldsOf("new").filter((field) => !ofGame().includes(field));
/** What the game decides. */
const ofGame = () => [...fieldsOf("options"), ...fieldsOf("seats"), byId("deals")];

/** Keeps this choice for the next table. */
function keepChoice() {
  const { games } = lastChoice();
  store(NAME, { table: heldBy(ofTable()), games: { ...games, [game.game]: heldBy(ofGame()) } });
}

/** The options that are chosen, but those that stand as the game has them. */
const options = () => chosenOptions(game, byId("options"));

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
  const rows = optionRows(game);
  byId("options").replaceChildren(...rows);
  byId("own").hidden = rows.length === 0;
  byId("talk").hidden = !game.words.acts.talk;
  byId("deals").replaceChildren(...dealChoices(game));
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
