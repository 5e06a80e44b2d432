/** The players of a game, the best first. */

import { get } from "./api.js";
import { byId, element, fail, signed } from "./dom.js";
import { mountIdentity } from "./identity.js";
import { gamesByName, Loaded, offerGames, titleOf } from "./listing.js";
import { Players } from "./names.js";
import { say } from "./say.js";
import "./turns.js";

const PAGE = 50;
const players = new Players();
const games = gamesByName();
/** The game of the address, or the first one. @returns {Promise<string>} Throws Problem. */
const gameShown = async () => decodeURIComponent(location.pathname.split("/")[2] ?? "") || ([...(await games).keys()][0] ?? "");

/** @param {any} ranked @param {string[]} ids */
function row({ rank, player, total, games: played, wins }, ids) {
  return element(
    "tr",
    { "data-player": player },
    element("td", { class: "number" }, String(rank)),
    element("td", { class: "name" }, element("a", { href: `/players/${player}` }, players.name(player, ids))),
    element("td", { class: "number" }, signed(total)),
    element("td", { class: "number" }, String(played)),
    element("td", { class: "number" }, String(wins)),
  );
}

const board = byId("board");
const list = new Loaded(board, board.querySelector("tbody"), async (cursor) => {
  const { items, next } = await get("/leaderboard", { game: await gameShown(), limit: PAGE, ...(cursor ? { cursor } : {}) });
  const ids = items.map((/** @type {any} */ ranked) => ranked.player);
  await players.learn(ids);
  return { rows: items.map((/** @type {any} */ ranked) => row(ranked, ids)), next };
});

async function name() {
  const [known, game] = await Promise.all([games, gameShown()]);
  const title = say("leaderboard.title", { game: titleOf(known, game) });
  byId("title").textContent = title;
  document.title = say("page.title", { title });
  offerGames(byId("game"), known, game);
  byId("game").disabled = false;
  byId("rules").href = `/games/${encodeURIComponent(game)}`;
  byId("counted").href = `/games/${encodeURIComponent(game)}/statistics`;
}

byId("game").addEventListener("change", () => location.assign(`/leaderboard/${encodeURIComponent(byId("game").value)}`));
mountIdentity(byId("identity"));
void list.show();
name().catch(fail);
