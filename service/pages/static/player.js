/** A player: the record, the balance over time, tables that run and games to replay, and the lines of the ledger. */

import { get } from "./api.js";
import { byId, element, fail, signed } from "./dom.js";
import { mountIdentity } from "./identity.js";
import { gamesByName, Loaded, offerGames, tableList, timeOf, titleOf } from "./listing.js";
import { Players } from "./names.js";
import { plot } from "./plot.js";
import { say } from "./say.js";
import { wordsOf } from "./sentences.js";
import "./turns.js";

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
const records = new Loaded(record, record.querySelector("tbody"), async () => {
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

/** The lines of a game among people, newest first. @param {string} game */
async function linesOf(game) {
  /** @type {any[]} */
  const lines = [];
  let cursor = null;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { items, next } = await get(`/players/${player}/ledger`, { game, limit: PLOTTED, ...(cursor ? { cursor } : {}) });
    lines.push(...items.filter((/** @type {any} */ line) => !line.bots));
    cursor = next;
    if (cursor === null) break;
  }
  return lines;
}

/** The balance after each deal, first to last. @param {any[]} lines newest first */
function balances(lines) {
  // Of each deal the first line has the balance after it.
  const last = lines.filter((line, place) => place === 0 || line.table !== lines[place - 1].table || line.deal !== lines[place - 1].deal);
  return last.reverse().map(({ balance, at }) => ({ value: balance, label: day.format(new Date(at)) }));
}

/** The sum of lines, and at how many deals they were booked. @param {any[]} lines */
const booked = (lines) => ({
  deals: new Set(lines.filter(({ deal }) => deal !== null).map(({ table, deal }) => `${table} ${deal}`)).size,
  amount: lines.reduce((sum, line) => sum + line.amount, 0),
});

/** A table of results. @param {string} about @param {string[]} columns the names of their texts @param {Node[]} rows */
const tableOf = (about, columns, rows) =>
  element(
    "div",
    { class: "wide", role: "group", tabindex: 0, "aria-label": say(`results.${about}`) },
    element(
      "table",
      { "data-results": about },
      element("caption", {}, say(`results.${about}`)),
      element("thead", {}, element("tr", {}, ...columns.map((column, place) => element("th", { scope: "col", class: place ? "number" : undefined }, say(column))))),
      element("tbody", {}, ...rows),
    ),
  );

/** @param {string} name @param {any[]} groups */
const resultRow = (name, ...groups) => {
  const cells = groups.map(booked).flatMap(({ deals, amount }) => [element("td", { class: "number" }, String(deals)), amountOf(amount)]);
  return element("tr", {}, element("th", { scope: "row" }, name), ...cells);
};

/** What each seat brought. @param {any[]} lines */
function bySeat(lines) {
  const rows = [...Map.groupBy(lines.filter(({ seat }) => seat !== null), ({ seat }) => seat)].sort(([one], [other]) => one - other).map(([seat, own]) => resultRow(say("play.seat", { seat: seat + 1 }), own));
  return tableOf("seat", ["column.seat", "column.deals", "column.amount"], rows);
}

/**
 * What each contract brought that the player or others played, the most played first; null in a game without contracts.
 * The line of a contract names it first, and then who played it.
 * @param {any[]} lines
 * @param {any} game the game's details
 */
function byContract(lines, game) {
  const words = wordsOf(game, (seat) => String(seat));
  const named = lines.filter(({ kind }) => kind === "contract").flatMap((line) => {
    const [contract, ...others] = words.line(line).parts;
    const by = others.find((part) => typeof part !== "string" && part.kind === "seat");
    return typeof contract === "string" || typeof by !== "object" ? [] : [{ ...line, contract: contract?.text, isOwn: by.value === line.seat }];
  });
  if (!named.length) return null;
  const groups = [...Map.groupBy(named, ({ contract }) => contract)].sort(([, one], [, other]) => other.length - one.length);
  const rows = groups.map(([contract, all]) => resultRow(contract, all.filter(({ isOwn }) => isOwn), all.filter(({ isOwn }) => !isOwn)));
  return tableOf("contract", ["column.contract", "column.own", "column.amount", "column.others", "column.amount"], rows);
}

const balance = byId("balance");
const curve = new Loaded(balance, byId("plot"), async () => {
  const game = byId("game").value;
  byId("counted").href = `/games/${game}/statistics?player=${player}`;
  const [known, all, details] = await Promise.all([games, linesOf(game), get(`/games/${game}`)]);
  const points = balances(all);
  if (!points.length) return { rows: [], next: null };
  const values = points.map(({ value }) => value);
  const description = say("balance.plot", {
    game: titleOf(known, game),
    deals: say("game.deals", { count: points.length }),
    now: signed(values.at(-1) ?? 0),
    least: signed(Math.min(0, ...values)),
    most: signed(Math.max(0, ...values)),
  });
  const results = [bySeat(all), byContract(all, details)].filter((one) => one !== null);
  const ends = /** @type {[string, string]} */ ([points[0]?.label ?? "", points.at(-1)?.label ?? ""]);
  return { rows: [plot([{ values }], ends, description, signed), element("p", { class: "quiet" }, description), ...results], next: null };
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
        element("span", { class: "quiet" }, `${titleOf(known, line.game)}, ${say("line.place", line)}, `, timeOf(line.at)),
      ),
      amountOf(line.amount),
      element("td", { class: "number" }, line.bots ? say("line.uncounted") : signed(line.balance)),
    ),
  );
  return { rows, next };
});

mountIdentity(byId("identity"));
byId("deals").href = `/archive?player=${player}`;
introduce().catch((error) => {
  byId("main").hidden = true;
  fail(error);
});
void records.show();
offerCurves().catch(fail);
void tableList(byId("playing"), () => ({ status: "playing", player }), players, games).show();
void tableList(byId("finished"), () => ({ status: "finished", player }), players, games).show();
void statement.show();
