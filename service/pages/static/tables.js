/** Tables by game, state, player, time and result, newest first. What is asked for stands in the page's address. */

import { get } from "./api.js";
import { byId, fail } from "./dom.js";
import { mountIdentity } from "./identity.js";
import { gamesByName, offerGames, tableList } from "./lists.js";
import { Players } from "./players.js";
import { say } from "./say.js";

const players = new Players();
const games = gamesByName();

/** What the address asks for. */
const asked = () => new URLSearchParams(location.search);
const list = tableList(
  byId("found"),
  () => Object.fromEntries([...asked()].filter(([name, value]) => ["game", "status", "player"].includes(name) && value)),
  players,
  games,
  () => null,
  narrowed,
);

/** The fields in which one asks, by their names in the address. */
const FIELDS = ["game", "status", "since", "until", "result"];

/** The days within which tables were opened, and how they ended for the player; null if neither is asked for. */
function narrowed() {
  const query = asked();
  const [player, result] = [query.get("player"), query.get("result")];
  const begin = Date.parse(`${query.get("since")}T00:00`);
  const end = new Date(`${query.get("until")}T00:00`);
  end.setDate(end.getDate() + 1);
  const isAsked = result && player;
  if (Number.isNaN(begin) && Number.isNaN(end.getTime()) && !isAsked) return null;
  const isPast = (/** @type {any} */ table) => Date.parse(table.opened_at) < begin;
  const isLater = (/** @type {any} */ table) => Date.parse(table.opened_at) >= end.getTime();
  const ended = (/** @type {any} */ { winners, players: ids }) => winners && winners.includes(ids.indexOf(player)) === (result === "won");
  return { isPast, keeps: (/** @type {any} */ table) => !isPast(table) && !isLater(table) && (!isAsked || Boolean(ended(table))) };
}

/** Shows what the address asks for, in the choices and in the list. */
async function show() {
  const query = asked();
  for (const name of FIELDS) byId(name).value = query.get(name) ?? "";
  const player = query.get("player");
  byId("player").hidden = !player;
  await list.show();
  if (!player) return;
  const { name } = await get(`/players/${encodeURIComponent(player)}`);
  byId("player-name").textContent = say("tables.of", { name: name ?? player });
}

/** Asks for something else. @param {Record<string, string>} changed by name; an empty text asks for anything */
function ask(changed) {
  const query = asked();
  for (const [name, value] of Object.entries(changed)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  history.pushState(null, "", `/tables${query.size ? `?${query}` : ""}`);
  void show().catch(fail);
}

for (const name of FIELDS) byId(name).addEventListener("change", () => ask({ [name]: byId(name).value }));
byId("filters").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
byId("anybody").addEventListener("click", () => ask({ player: "", result: "" }));
window.addEventListener("popstate", () => void show().catch(fail));

mountIdentity(byId("identity"));
void show().catch(fail);
games
  .then((known) => {
    offerGames(byId("game"), known, asked().get("game"), say("games.all"));
    byId("game").disabled = false;
  })
  .catch(fail);
