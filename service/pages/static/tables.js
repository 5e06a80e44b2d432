/** Tables by game, state, player, time and result, newest first. What is asked for stands in the page's address. */

import { get } from "./api.js";
import { asked, Choices } from "./choices.js";
import { byId } from "./dom.js";
import { gamesByName, tableList } from "./listing.js";
import { Players } from "./names.js";
import { say } from "./say.js";

const players = new Players();
const games = gamesByName();

const list = tableList(
  byId("found"),
  () => Object.fromEntries([...asked()].filter(([name, value]) => ["game", "status", "player"].includes(name) && value)),
  players,
  games,
  () => null,
  narrowed,
);

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

/** Shows the list that the address asks for, and whose tables these are. */
async function show() {
  const player = asked().get("player");
  byId("player").hidden = !player;
  await list.show();
  if (!player) return;
  const { name } = await get(`/players/${encodeURIComponent(player)}`);
  byId("player-name").textContent = say("tables.of", { name: name ?? player });
}

const choices = new Choices(["game", "status", "since", "until", "result"], show);
byId("anybody").addEventListener("click", () => choices.ask({ player: "", result: "" }));
choices.start(games);
