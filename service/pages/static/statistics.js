/** How a game's deals end: by contract, by seat and over time, for everybody, and beside them for one player. */

import { get, token } from "./api.js";
import { bars, ranges } from "./charts.js";
import { asked } from "./choices.js";
import { byId, element, fail, readable } from "./dom.js";
import { mountIdentity } from "./identity.js";
import { gamesByName, Loaded, offerGames, titleOf } from "./listing.js";
import { plot } from "./plot.js";
import { say } from "./say.js";
import "./turns.js";

/** @typedef {{deals: number, won: number, lost: number, points: number, squares: number}} Counts */

const game = decodeURIComponent(location.pathname.split("/")[2] ?? "");
const games = gamesByName();
const player = asked().get("player");

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
const sizes = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const shares = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });
const counts = new Intl.NumberFormat();
const months = new Intl.DateTimeFormat(undefined, { month: "short", year: "numeric", timeZone: "UTC" });

/** A mean with its sign, with a true minus. @param {number} value */
const written = (value) => numbers.format(value).replace("-", "−");

/** The mean of results and their standard deviation; null without any. @param {Counts | undefined} results @returns {import("./charts.js").Range} */
function rangeOf(results) {
  if (!results?.deals) return null;
  const mean = results.points / results.deals;
  return { mean, spread: Math.sqrt(Math.max(0, results.squares / results.deals - mean ** 2)) };
}

/** @param {string} text @param {string} [kind] */
const cell = (text, kind = "number") => element("td", { class: kind }, text);

/** The mean and the spread as cells. @param {Counts | undefined} results */
function rangeCells(results) {
  const range = rangeOf(results);
  return [cell(range ? written(range.mean) : say("cell.none")), cell(range ? sizes.format(range.spread) : say("cell.none"))];
}

/** How many results, and their mean and spread. @param {Counts | undefined} results */
const resultCells = (results) => [cell(counts.format(results?.deals ?? 0)), ...rangeCells(results)];

/** The head of a table whose columns belong to groups. @param {string} first @param {[string, string[]][]} groups each with a name, or none, and its columns */
function head(first, groups) {
  const named = groups.some(([name]) => name);
  const top = element("tr", {}, element("td", {}), ...groups.map(([name, columns]) => element("th", { scope: "colgroup", colspan: columns.length }, name)));
  const columns = groups.flatMap(([, own]) => own).map((column) => element("th", { scope: "col", class: column === "column.ends" ? undefined : "number" }, say(column)));
  return element("thead", {}, ...(named ? [top] : []), element("tr", {}, element("th", { scope: "col" }, say(first)), ...columns));
}

/** A part of the page: its heading, what is drawn, and the same as a table. @param {string} name @param {(Node | null)[]} drawings @param {Node} top @param {Node[]} rows */
const part = (name, drawings, top, rows) =>
  element(
    "section",
    { "data-part": name, "aria-labelledby": `${name}-title` },
    element("h2", { id: `${name}-title` }, say(`statistics.${name}`)),
    ...drawings,
    element("div", { class: "wide", role: "group", tabindex: 0, "aria-label": say(`statistics.${name}`) }, element("table", {}, top, element("tbody", {}, ...rows))),
  );

/** What is said under a drawing. @param {string} text */
const note = (text) => element("p", { class: "quiet" }, text);

/** Whose ranges a drawing has, each with the mark of its line. @param {string[]} names */
const legend = (names) =>
  names.length < 2 ? null : element("p", { class: "legend quiet" }, ...names.map((name, number) => element("span", { class: `key key-${number}` }, name)));

/** The address of deals in the archive. @param {Record<string, string | null>} query */
function found(query) {
  const given = Object.entries({ game, ...query, ...(player ? { player } : {}) }).filter(([, value]) => value);
  return `/archive?${new URLSearchParams(/** @type {[string, string][]} */ (given))}`;
}

/** The ways in which deals ended, each with the link to them. @param {any} contract */
const endsOf = ({ contract, outcomes }) =>
  element("td", { class: "ends" }, ...outcomes.map((/** @type {any} */ { outcome, name, deals }) => element("a", { href: found({ contract, outcome, bots: "false" }) }, say("statistics.end", { outcome: name, count: counts.format(deals) }))));

/** The parts of a bar: what the declarer gained and lost, if a seat plays contracts here. @param {any} one a contract, or an outcome */
function partsOf({ deals, declarers }) {
  if (!declarers?.deals) return [{ value: deals, kind: "any" }];
  const { won, lost } = declarers;
  return [{ value: won, kind: "won" }, { value: lost, kind: "lost" }, { value: deals - won - lost, kind: "any" }];
}

/** @typedef {{statistics: any, rules: any, who: string[]}} Shown what is shown, by which rules, and whose figures stand beside each other */

/** What is counted of those who played a contract. */
const PLAYED = ["column.won", "column.lost", "statistics.mean", "statistics.spread"];

/** @param {Counts | undefined} declarers */
const playedCells = (declarers) => [cell(counts.format(declarers?.won ?? 0)), cell(counts.format(declarers?.lost ?? 0)), ...rangeCells(declarers)];

/** By contract, or in a game without contracts by outcome. @param {Shown} shown */
function byContract({ statistics, rules, who }) {
  const hasContracts = rules.searched.contract !== null;
  const isPlayed = rules.searched.declarer;
  const kind = hasContracts ? "contract" : "outcome";
  const rowsOf = (/** @type {any} */ set) => (hasContracts ? set.contracts : set.contracts.flatMap((/** @type {any} */ one) => one.outcomes));
  const { everybody, own } = statistics;
  const all = rowsOf(everybody);
  const owns = new Map(own ? rowsOf(own).map((/** @type {any} */ one) => [one[kind], one]) : []);
  // What only the player has played, as at private tables.
  const others = [...owns.values()].filter((one) => !all.some((/** @type {any} */ other) => other[kind] === one[kind])).map((one) => ({ ...one, deals: 0, outcomes: [], declarers: undefined }));
  const name = (/** @type {any} */ one) => (one.name === null ? say("statistics.no-contract") : readable(one.name));
  const share = (/** @type {number} */ deals) => shares.format(everybody.deals ? deals / everybody.deals : 0);
  const drawing = bars(
    all.map((/** @type {any} */ one) => ({ name: name(one), parts: partsOf(one), text: share(one.deals) })),
    say("statistics.contracts.plot", { rows: all.map((/** @type {any} */ one) => say("statistics.bar", { name: name(one), share: share(one.deals) })).join(" ") }),
  );
  const key = isPlayed ? element("p", { class: "legend quiet" }, ...["won", "lost", "any"].map((part) => element("span", { class: `key ${part}` }, say(`statistics.${part}`)))) : null;
  const played = isPlayed ? PLAYED : [];
  const columns = ["column.deals", "statistics.share", ...(hasContracts ? ["column.ends"] : []), ...played];
  const table = [...all, ...others].map((one) => {
    const mine = owns.get(one[kind]);
    return element(
      "tr",
      { "data-row": one[kind] ?? "" },
      element("th", { scope: "row" }, element("a", { href: found({ [kind]: one[kind], bots: "false" }) }, name(one))),
      cell(counts.format(one.deals)),
      cell(share(one.deals)),
      ...(hasContracts ? [endsOf(one)] : []),
      ...(isPlayed ? playedCells(one.declarers) : []),
      ...(own ? [cell(counts.format(mine?.deals ?? 0)), ...(isPlayed ? playedCells(mine?.declarers) : [])] : []),
    );
  });
  return part("contracts", [drawing, key], head(`column.${kind}`, grouped(who, [columns, ["column.deals", ...played]])), table);
}

/** The columns by whose they are, without a name if all are everybody's. @param {string[]} who @param {string[][]} columns @returns {[string, string[]][]} */
const grouped = (who, columns) => who.map((name, place) => [who.length > 1 ? name : "", columns[place] ?? []]);

const RESULTS = ["statistics.results", "statistics.mean", "statistics.spread"];

/** By seat. @param {Shown} shown */
function bySeat({ statistics, rules, who }) {
  const { everybody, own } = statistics;
  const isPlayed = rules.searched.declarer;
  const sets = own ? [everybody, own] : [everybody];
  const of = (/** @type {any} */ set, /** @type {number} */ seat) => set.seats.find((/** @type {any} */ one) => one.seat === seat);
  const named = everybody.seats.map((/** @type {any} */ { seat }) => ({ seat, name: say("play.seat", { seat: seat + 1 }) }));
  const rows = named.map((/** @type {any} */ { seat, name }) => {
    const own = sets.map((set) => rangeOf(of(set, seat)?.results));
    return { name, ranges: own, text: own.map((range) => (range ? written(range.mean) : say("cell.none"))).join(" · ") };
  });
  /** @type {[string, string[]][]} */
  const groups = who.flatMap((name) => [[own || isPlayed ? name : "", RESULTS], ...(isPlayed ? [/** @type {[string, string[]]} */ ([say("statistics.as-declarer"), RESULTS])] : [])]);
  const table = named.map((/** @type {any} */ { seat, name }) => {
    const cells = sets.flatMap((set) => [...resultCells(of(set, seat)?.results), ...(isPlayed ? resultCells(of(set, seat)?.declarers) : [])]);
    return element("tr", {}, element("th", { scope: "row" }, name), ...cells);
  });
  const described = rows.map((/** @type {any} */ { name, ranges: [range] }) => said(name, range)).join(" ");
  const drawing = ranges(rows, say("statistics.seats.plot", { rows: described }));
  return part("seats", [drawing, legend(who), note(say("statistics.range"))], head("column.seat", groups), table);
}

/** A mean and its spread in words. @param {string} name @param {import("./charts.js").Range} range */
const said = (name, range) => say("statistics.said", { name, mean: written(range?.mean ?? 0), spread: sizes.format(range?.spread ?? 0) });

/** Over time. @param {Shown} shown */
function byMonth({ statistics, who }) {
  const { everybody, own } = statistics;
  const at = (/** @type {string} */ month) => months.format(new Date(`${month}-01T00:00Z`));
  const ownOf = new Map((own?.months ?? []).map((/** @type {any} */ one) => [one.month, one.results]));
  const all = new Map(everybody.months.map((/** @type {any} */ one) => [one.month, one.results]));
  const drawnMonths = own ? [...ownOf.keys()].filter((month) => all.has(month)) : [...all.keys()];
  const mean = (/** @type {Map<any, any>} */ of) => drawnMonths.map((month) => rangeOf(of.get(month))?.mean ?? 0);
  const lines = own
    ? [{ name: who[1] ?? "", values: mean(ownOf) }, { name: who[0] ?? "", values: mean(all) }]
    : [{ name: say("statistics.spread"), values: drawnMonths.map((month) => rangeOf(all.get(month))?.spread ?? 0) }, { name: say("statistics.mean"), values: mean(all) }];
  const description = say("statistics.months.plot", { rows: drawnMonths.map((month) => said(at(month), rangeOf((own ? ownOf : all).get(month)))).join(" ") });
  const ends = /** @type {[string, string]} */ ([at(drawnMonths[0] ?? ""), at(drawnMonths.at(-1) ?? "")]);
  // One month is no time over which anything goes.
  const drawing = drawnMonths.length > 1 ? plot(lines, ends, description, written, []) : null;
  const shownMonths = [...new Set([...all.keys(), ...ownOf.keys()])].sort().reverse();
  const table = shownMonths.map((month) => element("tr", {}, element("th", { scope: "row" }, element("time", { datetime: month }, at(month))), ...resultCells(all.get(month)), ...(own ? resultCells(ownOf.get(month)) : [])));
  return part("months", [drawing, drawing && note(say("statistics.months.note"))], head("statistics.month", grouped(who, [RESULTS, RESULTS])), table);
}

/** The player's name, who stands beside everybody. @returns {Promise<string | null>} */
async function nameOfPlayer() {
  if (!player) return null;
  const { name } = await get(`/players/${encodeURIComponent(player)}`);
  return name ?? say("player.erased");
}

const section = byId("statistics");
const list = new Loaded(section, byId("parts"), async () => {
  const path = `/games/${encodeURIComponent(game)}`;
  const [statistics, rules, name] = await Promise.all([get(`${path}/statistics`, player ? { player } : {}), get(path), nameOfPlayer()]);
  byId("player").hidden = name === null;
  byId("player-name").textContent = name ?? "";
  byId("player-name").href = `/players/${player}`;
  const { everybody, own } = statistics;
  if (!everybody.deals && !own?.deals) return { rows: [], next: null };
  const shown = { statistics, rules, who: [say("statistics.everybody"), ...(name === null ? [] : [name])] };
  const total = say("statistics.total", { deals: say("game.deals", { count: everybody.deals }), unit: statistics.unit });
  const ownTotal = own ? ` ${say("statistics.total.own", { name: name ?? "", deals: say("game.deals", { count: own.deals }) })}` : "";
  const isOwn = own !== null && token() !== null && (await get("/players/me").catch(() => ({}))).player === player;
  return { rows: [element("p", {}, total + ownTotal, isOwn ? ` ${say("statistics.total.all")}` : ""), byContract(shown), bySeat(shown), byMonth(shown)], next: null };
});

async function name() {
  const title = say("statistics.title", { game: titleOf(await games, game) });
  byId("title").textContent = title;
  document.title = say("page.title", { title });
  offerGames(byId("game"), await games, game);
  byId("game").disabled = false;
  byId("rules").href = `/games/${encodeURIComponent(game)}`;
  byId("deals").href = found({});
}

/** Shows the statistics of a game with those of a player, or alone. @param {string} of @param {string | null} whose */
const go = (of, whose) => location.assign(`/games/${encodeURIComponent(of)}/statistics${whose ? `?${new URLSearchParams({ player: whose })}` : ""}`);

byId("game").addEventListener("change", () => go(byId("game").value, player));
byId("everybody").addEventListener("click", () => go(game, null));
byId("mine").hidden = !token() || player !== null;
byId("mine").addEventListener("click", () => void get("/players/me").then(({ player: me }) => go(game, me)).catch(fail));
mountIdentity(byId("identity"));
void list.show();
name().catch(fail);
