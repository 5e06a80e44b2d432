/** Tables by game, state and player, newest first. What is asked for stands in the page's address. */

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
);

/** Shows what the address asks for, in the choices and in the list. */
async function show() {
  const query = asked();
  byId("status").value = query.get("status") ?? "";
  byId("game").value = query.get("game") ?? "";
  const player = query.get("player");
  byId("player").hidden = !player;
  await list.show();
  if (!player) return;
  const { name } = await get(`/players/${encodeURIComponent(player)}`);
  byId("player-name").textContent = say("tables.of", { name: name ?? player });
}

/** Asks for something else. @param {string} name @param {string} value */
function ask(name, value) {
  const query = asked();
  if (value) query.set(name, value);
  else query.delete(name);
  history.pushState(null, "", `/tables${query.size ? `?${query}` : ""}`);
  void show().catch(fail);
}

for (const name of ["game", "status"]) byId(name).addEventListener("change", () => ask(name, byId(name).value));
byId("filters").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
byId("anybody").addEventListener("click", () => ask("player", ""));
window.addEventListener("popstate", () => void show().catch(fail));

mountIdentity(byId("identity"));
void show().catch(fail);
games
  .then((known) => {
    offerGames(byId("game"), known, asked().get("game"), say("games.all"));
    byId("game").disabled = false;
  })
  .catch(fail);
