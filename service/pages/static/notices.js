/**
 * What calls for the player of this browser, at whichever table: one tab reads the player's stream and tells the others.
 * Each change is an event `noticed` of the window.
 */

import { isCrowded, lasting, Problem, token } from "./api.js";
import { onIdentity, whoAmI } from "./identity.js";
import { Client } from "./kit/client.js";
import { gamesByName, titleOf } from "./listing.js";
import { Players } from "./names.js";
import { OneTab } from "./one_tab.js";
import { calls, canSound } from "./sound.js";
import { store, stored } from "./stored.js";

/** @typedef {{table: string, version: number, title: string, names: string}} Called A table, and the others there. */

/** So many tables at which it is one's turn are looked at: of more, the number is known. */
const MOST = 50;
/** Milliseconds after which it is looked whether it is still one's turn: another browser of the player may have acted. */
const LOOK_MS = 60_000;
/** Milliseconds between two such looks at least. */
const LOOKED_MS = 1000;
/** Milliseconds for which the stream is read, and not read, where it gives way. */
const TURN_MS = 3000;
/** Milliseconds until the service is asked again who the player is. */
const AGAIN_MS = 5000;
/** Milliseconds for which what is known is of use to a page that begins. */
const KEPT_MS = 3_600_000;
const NAME = "codille-noticed";
/** Seconds in which who opens a table sits down there. */
const SEATED_S = 2;

/** The table whose page this is, if it is one to play at. */
const here = /^\/play\/([^/]+)$/.exec(location.pathname)?.[1];
const players = new Players();
/** The games offered, once they are needed. @type {ReturnType<typeof gamesByName> | undefined} */
let games;

/**
 * What every tab knows: up to which position of the log, at which tables it is the player's turn, and at which new ones
 * somebody waits to play again. The first are those that wait longest.
 * @type {{position: number | undefined, turns: Called[], rematches: Called[]}}
 */
let known = nothing();
/** @type {OneTab | null} */
let tab = null;
/** Ends what this tab reads for all. @type {AbortController | null} */
let reading = null;
/** When it was looked at the turns last. */
let looked = 0;
/** The tables to be looked at, with the least versions, and whether it is being done. @type {Map<string, {version: number, calls: boolean}>} */
const due = new Map();
let isLooking = false;
/** @typedef {{id: string | null, isSeen: boolean, isDue: boolean}} Calling The first tab that can sound, whether one shows the table, and whether the call is right. */
/** The call that is to sound. @type {Calling | null} */
let calling = /** @type {Calling | null} */ (null);

function nothing() {
  return { position: /** @type {number | undefined} */ (undefined), turns: /** @type {Called[]} */ ([]), rematches: /** @type {Called[]} */ ([]) };
}

/** The tables at which it is the player's turn, those that wait longest first. */
export const turns = () => known.turns;
/** The tables at which a seat is kept for the player, to play again. */
export const rematches = () => known.rematches;

/** What the last page knew, if that is not long ago. @param {string} name for which player */
function kept(name) {
  const found = stored(NAME);
  return found?.name === name && Math.abs(Date.now() - found.at) < KEPT_MS ? found.known : nothing();
}

/** Says whether it is the player's turn at a table, of which a page has this view. @param {string} table @param {any} view */
export const saw = (table, view) => view.you !== null && tell({ kind: "saw", table, version: view.version, isTurn: isCalled(view) });
/** Says that a table to play again at is taken, or not wanted. @param {string} table */
export const answered = (table) => tell({ kind: "answered", table });

/** Tells the tab that reads for all, which may be this one. @param {any} said */
function tell(said) {
  if (tab?.isChosen) hear(said);
  else tab?.say(said);
}

/** Keeps what is known by now, and tells it to all tabs. @param {Partial<typeof known>} changed */
function share(changed) {
  known = { ...known, ...changed };
  tab?.say({ kind: "known", known });
  // The next page may begin with it.
  store(NAME, { name: tab?.name, at: Date.now(), known });
  dispatchEvent(new Event("noticed"));
}

/** @param {any} said by a tab, to all or to the one that reads */
function hear(said) {
  if (said.kind === "known") {
    known = said.known;
    dispatchEvent(new Event("noticed"));
  } else if (said.kind === "turn") tab?.say({ kind: "voice", ...voice(said.table) });
  else if (said.kind === "sound" && said.id === tab?.id) calls();
  else if (!tab?.isChosen) return;
  else if (said.kind === "saw") turn(said.table, said.version, said.isTurn);
  else if (said.kind === "answered") share({ rematches: known.rematches.filter(({ table }) => table !== said.table) });
  else if (said.kind === "voice" && calling) call({ id: calling.id ?? said.id, isSeen: calling.isSeen || said.isSeen });
  else if (said.kind === "seen") {
    share({});
    look();
  }
}

/** Whether this tab can sound, and whether it shows the table, and sounds by itself. @param {string} table */
const voice = (table) => ({ id: canSound() && tab ? tab.id : null, isSeen: table === here && !document.hidden });

/** Asks who can sound for a table. @param {string} table */
function prepareCall(table) {
  calling = { ...voice(table), isDue: false };
  tab?.say({ kind: "turn", table });
}

/**
 * Has one tab sound that it is the player's turn, unless one shows the table, and sounds by itself. There is no timer, as
 * a tab that is hidden for long would wait for it.
 * @param {Partial<Calling>} more what is known since
 */
function call(more) {
  if (!calling) return;
  calling = { ...calling, ...more };
  const { id, isSeen, isDue } = calling;
  if (!isDue || !id || isSeen) return;
  calling = null;
  if (id === tab?.id) calls();
  else tab?.say({ kind: "sound", id });
}

/** Notes whether it is the player's turn. What is known of a later version stays. @param {string} table @param {number} version @param {boolean} isTurn @param {Partial<Called>} [more] */
function turn(table, version, isTurn, more) {
  const before = known.turns.find((one) => one.table === table);
  if ((before?.version ?? 0) > version || (!before && !isTurn)) return;
  const after = { table, title: "", names: "", ...before, ...more, version };
  if (JSON.stringify(after) === JSON.stringify(before) && isTurn) return;
  share({ turns: before ? known.turns.flatMap((one) => (one.table === table ? (isTurn ? [after] : []) : [one])) : [...known.turns, after] });
}

/** The table as the service has it, or null. @param {string} table @param {{min_version?: number, after?: number, wait?: number}} query @returns {Promise<any>} */
const read = (table, query) => new Client(location.origin, token()).table(table).view(query).catch(() => null);

/** Whether it is the reader's turn. @param {any} view */
const isCalled = (view) => view.status === "playing" && view.to_act.includes(view.you);

/** Whether somebody else sits on a seat. @param {any} view @param {any} seat */
const isOther = (view, { seat, player }) => player !== null && seat !== view.you;

/** The game and the others at a table, of whom only some are named. @param {any} view @param {(seat: any) => boolean} [isNamed] */
async function described(view, isNamed = (seat) => isOther(view, seat)) {
  games ??= gamesByName();
  games.catch(() => (games = undefined));
  const ids = view.seats.map((/** @type {any} */ { player }) => player);
  await players.learn(ids);
  players.nameBots(ids, view.seats.map((/** @type {any} */ { bot }) => bot));
  return { title: titleOf(await games, view.game), names: view.seats.filter(isNamed).map((/** @type {any} */ { player }) => players.name(player, ids)).join(", ") };
}

/** Looks whether it is the player's turn at a table, and who the others are. @param {string} table @param {number} version @param {boolean} [calls] whether the player is called if so */
async function lookAt(table, version, calls = false) {
  const before = due.get(table);
  due.set(table, { version: Math.max(version, before?.version ?? 0), calls: calls || before?.calls === true });
  if (isLooking) return;
  isLooking = true;
  for (const [next, { version: least, calls: isCall }] of due) {
    due.delete(next);
    const view = await read(next, { min_version: least });
    if (!view && !isCall) continue;
    // What can't be read now is as the stream says.
    const isTurn = view ? isCalled(view) : isCall;
    const more = view && isTurn ? await described(view).catch(() => ({})) : {};
    if (!tab?.isChosen) continue;
    turn(next, view?.version ?? least, isTurn, more);
    if (isTurn && isCall) call({ isDue: true });
  }
  isLooking = false;
}

/** Looks at all turns, if that is some time ago. */
function look() {
  if (performance.now() - looked < LOOKED_MS) return;
  looked = performance.now();
  for (const { table, version } of known.turns.slice(0, MOST)) void lookAt(table, version);
}

/** Adds a table at which a seat is kept for the player. @param {{table: string, version: number}} notice */
async function invite({ table, version }) {
  const isPerson = (/** @type {any} */ seat) => isOther(view, seat) && !seat.bot;
  let view = await read(table, { after: version, wait: SEATED_S });
  // Who wants it sits down after the bots.
  for (let again = 0; again < 2 && view && !view.seats.some(isPerson); again += 1) view = await read(table, { after: view.version, wait: SEATED_S });
  const more = view?.status === "open" ? await described(view, isPerson).catch(() => null) : null;
  if (more && tab?.isChosen) share({ rematches: [...known.rematches.filter((one) => one.table !== table), { table, version, ...more }] });
}

/** @param {any} notice */
function take({ position, table, version, notices }) {
  share({ position });
  if (notices.includes("rematch")) void invite({ table, version });
  if (notices.some((/** @type {string} */ kind) => ["game-over", "table-closed"].includes(kind))) turn(table, version, false);
  if (!notices.includes("your-turn")) return;
  prepareCall(table);
  void lookAt(table, version, true);
}

/** The frames of the player's stream, which gives way where several windows of tables take a browser's connections. @param {string | null} secret @param {AbortSignal} signal */
async function* frames(secret, signal) {
  while (!signal.aborted) {
    const part = new AbortController();
    const until = AbortSignal.any([signal, part.signal]);
    const timer = setInterval(async () => (await isCrowded()) && part.abort(), TURN_MS);
    try {
      yield* lasting(() => new Client(location.origin, secret).notices({ after: known.position, signal: until }), until);
    } finally {
      clearInterval(timer);
    }
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  }
}

/** Reads the player's stream for all tabs. @param {AbortSignal} signal */
async function follow(signal) {
  const secret = token();
  look();
  const timer = setInterval(look, LOOK_MS);
  signal.addEventListener("abort", () => clearInterval(timer));
  try {
    for await (const { frame, data } of frames(secret, signal)) {
      if (frame === "event") take(data);
      else if (frame === "snapshot" || frame === "reset") {
        const called = data.tables.filter((/** @type {any} */ table) => table.your_turn);
        share({ position: data.position, turns: called.map((/** @type {any} */ { table, version }) => ({ title: "", names: "", ...known.turns.find((one) => one.table === table), table, version })) });
        looked = -LOOKED_MS;
        look();
      }
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    // The log was set back to before what is known.
    if (error.code === "position-beyond-end") return (known = nothing()), void follow(signal);
    end();
    if (error.status !== 401) return;
    await whoAmI(token() === secret).catch(() => {});
    await begin();
  }
}

/** Notices nothing more. */
function end() {
  tab?.end();
  tab = null;
  known = nothing();
  dispatchEvent(new Event("noticed"));
}

/** Begins anew, as who this browser's player is by now. */
async function begin() {
  const own = await whoAmI().catch(() => undefined);
  // The service does not answer.
  if (own === undefined) return void setTimeout(() => void begin(), AGAIN_MS);
  const name = own && `codille-${own.player}`;
  if (name === (tab?.name ?? null)) return;
  end();
  if (!name) return store(NAME, null);
  known = kept(name);
  dispatchEvent(new Event("noticed"));
  tab = new OneTab(name, {
    chosen: () => void follow((reading = new AbortController()).signal),
    relieved: () => reading?.abort(),
    heard: hear,
  });
  tell({ kind: "seen" });
}

onIdentity(() => void begin());
document.addEventListener("visibilitychange", () => document.hidden || tell({ kind: "seen" }));
void begin();
