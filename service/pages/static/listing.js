/** Lists of tables, a page of which is asked for at a time: what is loaded is said, and what fails. */

import { get, Problem } from "./api.js";
import { isBound } from "./deals.js";
import { element, inWords, named, signed } from "./dom.js";
import { say } from "./say.js";

const PAGE = 20;
/** So many tables at once are looked through, and so often, for those that the interface can't be asked for. */
const [SEARCHED, MOST_ASKED] = [100, 5];
const when = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A time as people write it. @param {string} time */
export const timeOf = (time) => element("time", { datetime: time }, when.format(new Date(time)));

/** The games offered, by their names. @typedef {Map<string, any>} Games */

/** @returns {Promise<Games>} Throws Problem. */
export async function gamesByName() {
  const { items } = await get("/games");
  return new Map(items.map((/** @type {any} */ game) => [game.game, game]));
}

/** A game's title. @param {Games} games @param {string} game */
export const titleOf = (games, game) => games.get(game)?.title ?? game;

/** Fills a choice of games. @param {HTMLSelectElement} place @param {Games} games @param {string | null} chosen @param {string} [all] */
export function offerGames(place, games, chosen, all) {
  const any = all ? [element("option", { value: "" }, all)] : [];
  const options = [...games.values()].map((game) => element("option", { value: game.game, selected: game.game === chosen }, game.title));
  place.replaceChildren(...any, ...options);
}

/**
 * Something that is loaded into a section: the section says that it loads, that there is nothing, or what failed.
 * Its last paragraph is for that, and its button `more` for what follows.
 */
export class Loaded {
  /**
   * @param {HTMLElement} section
   * @param {Element} rows where the items are shown
   * @param {(cursor: string | null) => Promise<{rows: Node[], next: string | null}>} load
   */
  constructor(section, rows, load) {
    this.section = section;
    this.rows = rows;
    this.load = load;
    /** Counts what was asked for: an earlier answer that comes late is dropped. */
    this.asked = 0;
    this.state = /** @type {HTMLElement} */ (section.querySelector(".state"));
    this.more = /** @type {HTMLButtonElement} */ (section.querySelector("button.more"));
    this.none = this.state.dataset["none"] ?? "";
  }

  /** Shows what is there, from the first item on, or after a cursor. @param {string | null} [cursor] */
  async show(cursor = null) {
    this.asked += 1;
    const { asked } = this;
    this.say(say("loading"));
    this.section.setAttribute("aria-busy", "true");
    this.more.hidden = true;
    try {
      const { rows, next } = await this.load(cursor);
      if (asked !== this.asked) return;
      if (cursor === null) this.rows.replaceChildren();
      this.rows.append(...rows);
      const isNone = !this.rows.children.length && next === null;
      this.say(isNone ? say(this.none) : this.rows.children.length ? "" : say("list.on"));
      this.section.querySelector(".none")?.toggleAttribute("hidden", !isNone);
      this.more.hidden = next === null;
      this.more.onclick = () => void this.show(next);
    } catch (error) {
      if (asked !== this.asked) return;
      this.say(inWords(error), true);
      this.more.hidden = false;
      this.more.onclick = () => void this.show(cursor);
      if (!(error instanceof Problem)) throw error;
    } finally {
      if (asked === this.asked) this.section.removeAttribute("aria-busy");
    }
    this.more.textContent = say(this.state.classList.contains("loss") ? "again" : "more");
  }

  /** @param {string} text @param {boolean} [failed] */
  say(text, failed = false) {
    this.state.textContent = text;
    this.state.hidden = text === "";
    this.state.classList.toggle("loss", failed);
    if (failed) this.state.setAttribute("role", "alert");
    else this.state.removeAttribute("role");
  }
}

/** Which tables are shown, and after which of them, newest first, no other is. @typedef {{keeps: (table: any) => boolean, isPast: (table: any) => boolean}} Narrowed */

/**
 * A list of tables.
 * @param {HTMLElement} section
 * @param {() => Record<string, string>} query which tables
 * @param {import("./names.js").Players} players
 * @param {Promise<Games>} games
 * @param {(table: any) => Node | null} [aside] what stands beside a table
 * @param {() => Narrowed | null} [narrowed] which of them are shown; null for all
 */
export function tableList(section, query, players, games, aside = () => null, narrowed = () => null) {
  const rows = /** @type {Element} */ (section.querySelector("ul"));
  return new Loaded(section, rows, async (cursor) => {
    const [known, { items, next }] = await Promise.all([games, some(query(), cursor, narrowed())]);
    await players.learn(items.flatMap((/** @type {any} */ table) => table.players));
    for (const table of items) players.nameBots(table.players, table.bots);
    return { rows: items.map((/** @type {any} */ table) => tableRow(table, players, known, aside(table))), next };
  });
}

/**
 * Some tables, newest first, of which only those are kept that are wanted.
 * @param {Record<string, string>} query
 * @param {string | null} cursor
 * @param {Narrowed | null} narrowed
 */
async function some(query, cursor, narrowed) {
  if (!narrowed) return get("/tables", { limit: PAGE, ...query, ...(cursor ? { cursor } : {}) });
  const items = [];
  let next = cursor;
  for (let asked = 0; asked < MOST_ASKED && items.length < PAGE; asked += 1) {
    const page = await get("/tables", { limit: SEARCHED, ...query, ...(next ? { cursor: next } : {}) });
    items.push(...page.items.filter(narrowed.keeps));
    next = page.items.some(narrowed.isPast) ? null : page.next;
    if (next === null) break;
  }
  return { items, next };
}

/** @param {any} table @param {import("./names.js").Players} players @param {Games} games @param {Node | null} aside */
export function tableRow(table, players, games, aside = null) {
  return element(
    "li",
    { "data-table": table.table, class: table.status },
    element(
      "a",
      { href: `/replay/${table.table}` },
      element("span", { class: "title" }, `${titleOf(games, table.game)}, ${progress(table, games)}`, timeOf(table.opened_at)),
      element("span", { class: "players" }, ...table.players.map((/** @type {any} */ _, /** @type {number} */ seat) => seated(table, seat, players))),
    ),
    aside,
  );
}

/** A player at a table, with the total once the game has begun. @param {any} table @param {number} seat @param {import("./names.js").Players} players */
function seated(table, seat, players) {
  const player = table.players[seat];
  if (player === null) return element("span", { class: "quiet" }, say("seat.free"));
  const total = table.deal === null ? null : element("span", { class: "total" }, ` ${signed(table.totals[seat])}`);
  const won = table.winners?.includes(seat);
  const name = players.name(player, table.players);
  return element("span", { class: won ? "winner" : undefined, title: won ? say("winner") : undefined }, ...named(name), ...substitute(table.bots[seat], name), total);
}

/** The bot that plays on for a person. @param {{level: string} | null} bot @param {string} name */
function substitute(bot, name) {
  if (!bot || named(name).length > 1) return [];
  return [" ", element("span", { class: "mark" }, ...named(say("bot", { level: say(`level.${bot.level}`) })))];
}

/** How far a game is. @param {any} table @param {Games} games */
function progress({ game, status, deal, deals }, games) {
  const rules = games.get(game);
  const bound = rules !== undefined && isBound(rules, deals);
  if (status === "playing") return bound ? say("table.playing.to-target", { deal }) : say("table.playing", { deal, deals });
  if (status !== "finished" && bound) return say(`table.${status}.to-target`);
  return say(`table.${status}`, { count: status === "finished" ? deal : deals });
}
