/** The first page: a game to play now, tables to join and to watch, and the games. */

import { get, post, Problem } from "./api.js";
import { byId, drawn, element, fail } from "./dom.js";
import { identify, mountIdentity, onIdentity, whoAmI } from "./identity.js";
import { gamesByName, Loaded, offerGames, tableList, tableRow } from "./listing.js";
import { Players } from "./names.js";
import { say } from "./say.js";
import "./turns.js";

const players = new Players();
const games = gamesByName();
const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7"];
const SUITS = ["♠", "♥", "♣", "♦"];

/** The page at which a table is played. @param {string} table */
const playAt = (table) => location.assign(`/play/${table}`);

/** Calls for the player of this browser, who may still have to say a name. @param {() => Promise<void>} call */
async function asSomebody(call) {
  try {
    if (await identify()) await call();
  } catch (error) {
    fail(error);
  }
}

/** Opens a short game with bots, and goes there. */
async function playNow() {
  const game = (await games).get(byId("play-game").value);
  const { items } = await get("/bots");
  // The strongest, which take their time to think, are for who asks for them.
  const { level } = items[Math.min(1, items.length - 1)];
  const bots = Object.fromEntries(Array.from({ length: game.seats - 1 }, (_, seat) => [`${seat + 1}`, level]));
  const { table } = await post("/tables", { game: game.game, deals: game.deals.least, bots });
  await post(`/tables/${table}/seats`, { seat: 0 });
  playAt(table);
}

byId("play").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const [button, state] = [byId("play-now"), byId("play-state")];
  void asSomebody(async () => {
    button.disabled = true;
    state.textContent = say("now.opens");
    state.hidden = false;
    try {
      await playNow();
    } finally {
      button.disabled = false;
      state.hidden = true;
    }
  });
});

/** A button that takes a seat, or leads to one that is taken. @param {any} table */
function joining(table) {
  const join = () =>
    asSomebody(async () => {
      await post(`/tables/${table.table}/seats`, {}).catch((error) => {
        if (!(error instanceof Problem) || error.code !== "already-seated") throw error;
      });
      playAt(table.table);
    });
  return element("button", { type: "button", click: () => void join() }, say("join"));
}

/** Three cards, which follow from the game's name. @param {string} game */
function picture(game) {
  // FNV-1a: names that differ little have quite other cards.
  let seed = 2166136261;
  for (const letter of game) seed = Math.imul(seed ^ (letter.codePointAt(0) ?? 0), 16777619) >>> 0;
  const cards = [0, 1, 2].map((place) => {
    const [rank, suit] = [RANKS[((seed >>> 8) + 3 * place) % RANKS.length], SUITS[((seed >>> 20) + place) % SUITS.length]];
    return drawn(
      "g",
      { transform: `rotate(${12 * (place - 1)} 46 150) translate(${4 * (place - 1)} 0)`, class: suit === "♥" || suit === "♦" ? "red" : "black" },
      drawn("rect", { x: 28, y: 12, width: 36, height: 52, rx: 4 }),
      drawn("text", { x: 38, y: 28 }, rank ?? ""),
      drawn("text", { x: 38, y: 45 }, suit ?? ""),
    );
  });
  return drawn("svg", { viewBox: "-8 4 108 68", "aria-hidden": "true" }, ...cards);
}

/** @param {any} game */
function offered(game) {
  const { least, most } = game.deals;
  const deals = least === most ? say("game.deals", { count: least }) : say("game.deals.range", { least, most });
  return element(
    "li",
    {},
    element(
      "a",
      { href: `/games/${game.game}` },
      picture(game.game),
      element(
        "span",
        {},
        element("b", {}, game.title),
        element("span", { class: "aim" }, game.aim.join(" ")),
        element("span", { class: "quiet" }, say("game.about", { seats: say("game.seats", { count: game.seats }), deals, unit: game.unit })),
      ),
    ),
    element("a", { class: "sets-up", href: `/new?game=${game.game}`, "aria-label": say("new.of", { game: game.title }) }, say("new")),
  );
}

/** Shows what play now opens. */
async function describe() {
  const game = (await games).get(byId("play-game").value);
  byId("play-about").textContent = say("now.about", {
    bots: say("now.bots", { count: game.seats - 1 }),
    deals: say("game.deals", { count: game.deals.least }),
  });
}

async function offerToPlay() {
  const select = byId("play-game");
  const known = await games;
  offerGames(select, known, known.has(select.dataset.default) ? select.dataset.default : null);
  select.disabled = byId("play-now").disabled = false;
  select.addEventListener("change", () => void describe());
  await describe();
}

/** The tables at which the visitor plays. */
async function showMine() {
  const section = byId("mine");
  const own = await whoAmI();
  if (own === null) {
    section.hidden = true;
    return;
  }
  const { tables } = await get("/players/me");
  section.hidden = !tables?.length;
  if (section.hidden) return;
  const list = new Loaded(section, section.querySelector("ul"), async () => {
    const known = await games;
    await players.learn(tables.flatMap((/** @type {any} */ table) => table.players));
    for (const table of tables) players.nameBots(table.players, table.bots);
    const go = (/** @type {any} */ { table }) => element("button", { type: "button", class: "main", click: () => playAt(table) }, say("play.on"));
    return { rows: tables.map((/** @type {any} */ table) => tableRow(table, players, known, go(table))), next: null };
  });
  await list.show();
}

mountIdentity(byId("identity"));
onIdentity(() => void showMine().catch(fail));
void showMine().catch(fail);
offerToPlay().catch(fail);
const open = tableList(byId("open"), () => ({ status: "open" }), players, games, joining);
void open.show();
// What was said of no table is true when it is read again.
document.addEventListener("visibilitychange", () => !document.hidden && !open.rows.children.length && void open.show());
void tableList(byId("playing"), () => ({ status: "playing" }), players, games).show();
void new Loaded(byId("all-games"), byId("games"), async () => ({ rows: [...(await games).values()].map(offered), next: null })).show();
