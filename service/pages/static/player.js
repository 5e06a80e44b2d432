/** A player: the record, the balance over time, tables that run and games to replay, and the lines of the ledger. */

import { get } from "./api.js";
import { byId, element, fail, signed } from "./dom.js";
import { mountIdentity } from "./identity.js";
import { gamesByName, Loaded, offerGames, tableList, timeOf, titleOf } from "./lists.js";
import { Players } from "./players.js";
import { plot } from "./plot.js";
import { say } from "./say.js";

/** The lines in a page of the list, and in one of those that a plot is drawn from. */
const [LINES, PLOTTED] = [20, 200];
/** How many pages of lines a plot is drawn from at most. */
const MOST_PAGES = 10;
const player = location.pathname.split("/")[2] ?? "";
const players = new Players();
const games = gamesByName();
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });

/** An amount with its sign, in the colour of a gain or a loss. @param {number} amount */
const amountOf = (amount) => element("td", { class: `number ${amount > 0 ? "gain" : amount < 0 ? "loss" : ""}` }, signed(amount));

/** The player's profile. Throws Problem. */
const profile = get(`/players/${player}`);

async function introduce() {
  const { name, created_at: since } = await profile;
  const shown = name ?? say("player.erased");
  byId("title").textContent = shown;
  document.title = say("page.title", { title: shown });
  byId("since").textContent = say("player.since", { day: day.format(new Date(since)), letters: player.slice(0, 8) });
}

const record = byId("record");
const results = new Loaded(record, record.querySelector("tbody"), async () => {
  const [known, { record: counted }] = await Promise.all([games, profile]);
  const rows = (counted?.by_game ?? []).map((/** @type {any} */ one) =>
    element(
      "tr",
      { "data-game": one.game },
      element("th", { scope: "row" }, element("a", { href: `/leaderboard/${one.game}`, title: say("leaderboard") }, titleOf(known, one.game))),
      amountOf(one.total),
      element("td", { class: "number" }, String(one.games)),
      element("td", { class: "number" }, String(one.wins)),
    ),
  );
  return { rows, next: null };
});

/** The balance after each deal of a game, first to last. @param {string} game */
async function balances(game) {
  /** @type {any[]} */
  const lines = [];
  let cursor = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, next } = await get(`/players/${player}/ledger`, { game, limit: PLOTTED, ...(cursor ? { cursor } : {}) });
    lines.push(...items.filter((/** @type {any} */ line) => !line.bots));
    cursor = next;
    if (cursor === null) break;
  }
  // Newest first: of each deal the first line has the balance after it.
  const last = lines.filter((line, place) => place === 0 || line.table !== lines[place - 1].table || line.deal !== lines[place - 1].deal);
  return last.reverse().map(({ balance, at }) => ({ value: balance, label: day.format(new Date(at)) }));
}

const balance = byId("balance");
const curve = new Loaded(balance, byId("plot"), async () => {
  const [known, points] = await Promise.all([games, balances(byId("game").value)]);
  if (!points.length) return { rows: [], next: null };
  const values = points.map(({ value }) => value);
  const description = say("balance.plot", {
    game: titleOf(known, byId("game").value),
    deals: say("game.deals", { count: points.length }),
    now: signed(values.at(-1) ?? 0),
    least: signed(Math.min(0, ...values)),
    most: signed(Math.max(0, ...values)),
  });
  return { rows: [plot(points, description, signed), element("p", { class: "quiet" }, description)], next: null };
});

async function offerCurves() {
  const [known, { record: counted }] = await Promise.all([games, profile]);
  const most = [...(counted?.by_game ?? [])].sort((one, other) => other.games - one.games);
  const played = most.map((one) => one.game);
  balance.hidden = !played.length;
  if (balance.hidden) return;
  offerGames(byId("game"), new Map([...known].filter(([game]) => played.includes(game))), played[0]);
  byId("game").addEventListener("change", () => void curve.show());
  await curve.show();
}

const lines = byId("lines");
const statement = new Loaded(lines, lines.querySelector("tbody"), async (cursor) => {
  const [known, { items, next }] = await Promise.all([
    games,
    get(`/players/${player}/ledger`, { limit: LINES, ...(cursor ? { cursor } : {}) }),
  ]);
  const rows = items.map((/** @type {any} */ line) =>
    element(
      "tr",
      {},
      element(
        "td",
        { class: "name" },
        element("a", { href: `/replay/${line.table}#${line.version}` }, line.sentence),
        " ",
        line.bots ? element("span", { class: "mark" }, say("line.bots")) : null,
        element("span", { class: "quiet" }, `${titleOf(known, line.game)}, `, timeOf(line.at)),
      ),
      amountOf(line.amount),
      element("td", { class: "number" }, line.bots ? say("line.uncounted") : signed(line.balance)),
    ),
  );
  return { rows, next };
});

mountIdentity(byId("identity"));
introduce().catch((error) => {
  byId("main").hidden = true;
  fail(error);
});
void results.show();
offerCurves().catch(fail);
void tableList(byId("playing"), () => ({ status: "playing", player }), players, games).show();
void tableList(byId("finished"), () => ({ status: "finished", player }), players, games).show();
void statement.show();
