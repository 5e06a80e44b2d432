/** The games offered, and the tables: running, open and finished. */

import { get } from "./api.js";
import { byId, counted, element, fail, signed } from "./dom.js";
import { mountIdentity } from "./identity.js";
import { Players } from "./players.js";

const PAGE = 20;
const players = new Players();
/** The games' titles by their names. @type {Map<string, string>} */
const titles = new Map();

const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A player at a table, with the total once the game has begun. @param {any} table @param {number} seat */
function seated(table, seat) {
  const player = table.players[seat];
  if (player === null) return element("span", { class: "quiet" }, "free seat");
  const total = table.deal === null ? null : element("span", { class: "total" }, ` ${signed(table.totals[seat])}`);
  return element("span", { class: table.winners?.includes(seat) ? "winner" : undefined }, players.name(player, table.players), total);
}

/** The progress of a game. @param {any} table */
function progress({ status, deal, deals }) {
  if (status === "playing") return `deal ${deal} of ${deals}`;
  const dealt = status === "finished" ? deal : deals;
  return counted(dealt, "deal");
}

/** @param {any} table */
function row(table) {
  const updated = new Date(table.updated_at);
  return element(
    "li",
    { "data-table": table.table },
    element(
      "a",
      { href: `/replay/${table.table}` },
      element(
        "span",
        { class: "title" },
        `${titles.get(table.game) ?? table.game}, ${progress(table)}`,
        element("time", { datetime: table.updated_at }, when.format(updated)),
      ),
      element("span", { class: "players" }, ...table.players.map((_, seat) => seated(table, seat))),
    ),
  );
}

/** Adds a page of the tables of a status to their list. @param {string} status @param {string} [cursor] */
async function list(status, cursor) {
  const section = byId(status);
  const { items, next } = await get("/tables", { status, limit: PAGE, ...(cursor ? { cursor } : {}) });
  await players.learn(items.flatMap((table) => table.players));
  for (const table of items) players.nameBots(table.players, table.bots);
  const rows = section.querySelector("ul");
  if (!cursor) rows.replaceChildren();
  rows.append(...items.map(row));
  section.querySelector("p").hidden = rows.children.length > 0;
  const more = section.querySelector("button");
  more.hidden = next === null;
  more.onclick = () => list(status, next).catch(fail);
  section.hidden = false;
}

/** A game, with its rules folded. @param {any} game */
function offered(game) {
  const rules = element("dl");
  const unfold = async () => {
    if (rules.children.length) return;
    const details = await get(`/games/${game.game}`);
    const all = [...details.rules, ...details.table_rules];
    rules.replaceChildren(...all.flatMap((rule) => [element("dt", {}, rule.id), element("dd", {}, rule.text)]));
  };
  return element(
    "li",
    {},
    element(
      "details",
      { toggle: () => unfold().catch(fail) },
      element("summary", {}, element("b", {}, game.title), element("span", { class: "quiet" }, described(game))),
      rules,
    ),
  );
}

/** @param {any} game */
function described({ seats, deals, unit }) {
  const numbers = deals.least === deals.most ? counted(deals.least, "deal") : `${deals.least} to ${deals.most} deals`;
  return `${counted(seats, "seat")}, ${numbers}, counted in ${unit}`;
}

async function load() {
  const { items } = await get("/games");
  for (const game of items) titles.set(game.game, game.title);
  byId("games").replaceChildren(...items.map(offered));
  await Promise.all(["playing", "open", "finished"].map((status) => list(status)));
}

mountIdentity(byId("identity"));
load().catch(fail);
