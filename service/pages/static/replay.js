/**
 * A game, step by step. The step is the address's fragment, with the eyes that see it if they are not the usual ones:
 * `#17&as=seat:1`. While the game runs, the page follows it.
 */

import { framesOf, get, token, setToken, unreachable } from "./api.js";
import { audit, balancesAt, keyOf, ledger } from "./books.js";
import { disputing } from "./dispute.js";
import { byId, element, fail, named, usePack } from "./dom.js";
import { eventList } from "./event_list.js";
import { takeFiles } from "./file_page.js";
import { heard, onMuted } from "./muting.js";
import { Players } from "./names.js";
import { aboutOthers } from "./others.js";
import { ruleLink } from "./rules.js";
import { say } from "./say.js";
import { RunningScores } from "./scores.js";
import { coloured, wordsOf } from "./sentences.js";
import { ServedTable } from "./served_table.js";
import { share } from "./share.js";
import { felt, result, status } from "./table.js";
import { checkUpgrade } from "./upgrade.js";

const PACE_MS = 1100;
/** Milliseconds until the page retries after a failure, at first. */
const AGAIN_MS = 1000;
const SLOWEST_MS = 60000;
/** The number of audits that are read at once: those of the last deals. Others are read when unfolded. */
const AUDITS = 3;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The table in the address; none where the page takes files. */
const table = location.pathname.split("/")[2];
/** Where the page reads from. @type {ServedTable | import("./record_file.js").RecordFile} */
let source = new ServedTable(table);

/** The state of the page. */
const game = {
  /** @type {any} */ view: null,
  /** @type {any} */ events: null,
  /** The events that end deals. @type {any[]} */ scored: [],
  /** The versions at which deals begin, once requested. @type {Promise<number[]> | null} */ dealt: null,
  /** The game's details from the interface. @type {any} */ rules: null,
  /** @type {any} */ books: null,
  /** The booked lines, by the versions of their events. @type {Map<number, any[]>} */ lines: new Map(),
  /** The last version up to which every deal is over. */ openUpTo: 0,
  /** The events in which somebody says something. @type {any[]} */ spoken: [],
  /** @type {any} */ steps: null,
  version: 1,
  /** @type {number | undefined} */ playing: undefined,
  /** Ends the stream. @type {AbortController | undefined} */ following: undefined,
  /** Who is connected, if it is known. @type {{seat: number, connected: boolean}[]} */ presence: [],
  /** Counts the readings, so that one overtaken by a later one changes nothing. */ reading: 0,
};
const players = new Players();
const scores = new RunningScores();
const plotted = element("div", {}, scores);
const list = eventList((version) => {
  pause();
  void go(version);
});

/** @param {string} player */
const nameOf = (player) => players.name(player, game.view.seats.map((seat) => seat.player));
const name = (seat) => (game.view.seats[seat]?.player ? nameOf(game.view.seats[seat].player) : say("seat", { seat: seat + 1 }));
const speaker = () => wordsOf(game.rules, name, ({ version, line }) => game.lines.get(version)?.[line]);
/** What an event says. If more than one section is open, the table shows them. @param {any} event */
const sentence = (event) => {
  try {
    return coloured(speaker().event(heard(event, (seat) => game.view.seats[seat]?.player ?? null), 1));
  } catch (error) {
    // An altered file may have any fields.
    if (source.isServed) throw error;
    return [`${event.type}`];
  }
};
const playerOf = (account) => (account.startsWith("player:") ? account.slice("player:".length) : null);
const called = (account) => (playerOf(account) === null ? say(`account.${account}`) : nameOf(playerOf(account)));

/** Whether the event books lines, or concerns a dispute of lines. @param {any} event */
const keepsBooks = (event) => event.public.lines?.length > 0 || event.type.startsWith("dispute-");
/** Whether a deal ends. @param {any} event */
const dealEnds = (event) => event.type === "deal-scored";
/** Whether the event may open sections of others. @param {any} event */
const ends = (event) => ["deal-scored", "game-finished", "table-closed", "table-expired", "text-erased"].includes(event.type);
const runs = (view) => view.status === "open" || view.status === "playing";

/** Whether anything can still happen at the table. @param {any} view */
const lives = (view) => runs(view) || view.disputes.some((dispute) => dispute.status === "open");

/** Reads the whole game, and shows the step in the address. */
async function load() {
  byId("failure").hidden = true;
  await update(await source.view(), true);
  void follow();
}

/** Shows a file as a table. @param {import("./record_file.js").RecordFile} file */
async function loadFile(file) {
  source = file;
  pause();
  Object.assign(game, { view: null, rules: null, books: null, scored: [], version: 1 });
  byId("audit").replaceChildren();
  byId("eyes").parentElement.hidden = false;
  byId("eyes").replaceChildren();
  list.clear(0);
  await update(file.table, true);
}

/**
 * Reads and shows what is new in the game since the last reading.
 * @param {any} view the newest view of the table
 * @param {boolean} anew whether everything is read again
 */
async function update(view, anew = false) {
  const reading = ++game.reading;
  const known = anew ? 0 : game.events.last;
  const more = known ? await source.events({ after: known }) : [];
  // The end of a deal opens sections, so its events are read again.
  const begin = known && more.some(ends) ? (more.some((event) => event.type === "text-erased") ? 0 : game.openUpTo) : known;
  const bookkeeping = anew || !game.books || more.some(keepsBooks);
  const [scored, rules, books, disputes] = await Promise.all([
    known ? [...game.scored, ...more.filter(dealEnds)] : source.events({ type: ["deal-scored"] }),
    game.rules ?? get(`/games/${view.game}`, { rules_version: view.rules_version }),
    bookkeeping ? source.ledger() : game.books,
    bookkeeping && view.disputes.length ? source.disputes() : { items: [] },
  ]);
  const seated = [...view.seats.map((seat) => seat.player), ...books.balances.map(({ account }) => playerOf(account))];
  // Players of another house are not known here.
  await players.learn(source.isServed ? seated : seated.filter((id) => UUID.test(id)));
  players.nameBots(view.seats.map((seat) => seat.player), view.seats.map((seat) => seat.bot));
  if (!source.isServed) players.nameSeats(view.seats.map((seat) => seat.player));
  if (reading !== game.reading) return;
  const atEnd = game.version === known;
  if (!known) game.events = source.record(view.version);
  if (begin < known) game.events.forget(begin);
  if (source.isServed) {
    // Later events are shown with the next view.
    game.events.last = view.version;
    game.events.add(more);
  }
  if (!known || more.some(dealBegins)) game.dealt = null;
  Object.assign(game, { view, rules, books, scored: scored.filter((event) => event.version <= game.events.last) });
  game.lines = Map.groupBy(books.lines, ({ version }) => version);
  game.openUpTo = openUpTo(view.status);
  usePack(rules.pack);
  headline();
  rows();
  eyes();
  // Before the start a seat's player may change, and so do the names in earlier sentences.
  list.use(game.events, sentence, view.status === "open" ? 0 : begin);
  if (bookkeeping) showLedger(disputes.items);
  // Erased words are read again.
  await showOthers(begin && known);
  audits();
  const { last } = game.events;
  byId("slider").max = last;
  byId("main").hidden = false;
  byId("following").hidden = byId("to-play").hidden = !source.isServed || !runs(view);
  await (known ? go(atEnd && game.playing === undefined ? last : game.version, fragment() !== null) : go(fragment() ?? last, false));
}

/** Shows events as they happen; what cannot be read is read again, later each time. */
async function follow() {
  game.following?.abort();
  const following = (game.following = new AbortController());
  const { signal } = following;
  if (!source.isServed || !lives(game.view) || document.hidden) return;
  let [newest, isShowing, isLost] = [game.view, false, false];
  const show = async () => {
    if (isShowing) return;
    isShowing = true;
    // Of frames that come together, the last one's view is shown.
    for (let wait = 0; newest.version > game.view.version && !signal.aborted; ) {
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (signal.aborted) return;
      try {
        await update(newest);
        byId("failure").hidden = true;
        wait = 0;
      } catch (error) {
        if (!signal.aborted) fail(error);
        wait = Math.min(2 * wait || AGAIN_MS, SLOWEST_MS);
      }
    }
    isShowing = false;
    if (!lives(game.view)) following.abort();
  };
  const lost = () => {
    isLost = true;
    fail(unreachable());
  };
  try {
    for await (const { frame, data } of framesOf(table, () => game.view.version, signal, lost)) {
      if (isLost) void checkUpgrade();
      if (isLost) byId("failure").hidden = true;
      isLost = false;
      if (frame === "presence") mark(data.seats);
      newest = data.view ?? newest;
      void show();
    }
  } catch (error) {
    if (!signal.aborted) fail(error);
  }
}

/** @param {{seat: number, connected: boolean}[]} presence who is connected from now on */
function mark(presence) {
  game.presence = runs(game.view) ? presence : [];
  for (const { seat, connected } of presence) {
    const label = byId("felt").querySelector(`[data-seat="${seat}"] .name`);
    label?.classList.toggle("here", connected && runs(game.view));
    if (label) label.ariaDescription = label.classList.contains("here") ? say("seat.connected") : null;
  }
}

/** Shows the game and its players. */
function headline() {
  const { view, rules } = game;
  const names = view.seats.map((seat) => (seat.player ? name(seat.seat) : say("replay.free"))).join(", ");
  const title = say("replay.title", { game: rules.title, names });
  const events = say("replay.count", { count: game.events.last });
  byId("title").replaceChildren(...named(title));
  byId("subtitle").textContent = say("replay.state", { state: say(`replay.state.${view.status}`), events, table: source.id });
  document.title = say("page.title", { title });
}

/**
 * Labels the buttons that step from row to row with the game's name for a row, such as trick; hides them without rows.
 */
function rows() {
  const row = Object.values(game.rules.words.events).find((words) => words.row?.ends)?.row.name;
  for (const id of ["row-back", "row-forward"]) byId(id).hidden = row === undefined;
  if (row === undefined) return;
  const begun = row[0].toUpperCase() + row.slice(1);
  label("row-back", { begun, row });
  label("row-forward", { begun, row });
}

/** @param {string} id @param {{row: string, begun: string}} row its name, within a sentence and at the beginning */
function label(id, row) {
  const button = byId(id);
  button.textContent = say(`replay.step.${id}.short`, row);
  button.title = say(`replay.step.${id}.title`, row);
  button.setAttribute("aria-label", say(`replay.step.${id}`, row));
}

/** Starts to see with these eyes, or with the usual ones if there are no such. @param {string} wanted */
function look(wanted) {
  const select = byId("eyes");
  select.value = [...select.options].some(({ value }) => value === wanted) ? wanted : "open";
  see();
}

/** Fills the choice of eyes, and starts to see with the chosen ones. */
function eyes() {
  const select = byId("eyes");
  const chosen = select.value || eyesInAddress();
  const seats = game.view.seats.map((seat) => [`seat:${seat.seat}`, say("replay.eyes.seat", { name: name(seat.seat) })]);
  const own = source.isServed && token() ? [["me", say("replay.eyes.me")]] : [];
  const choices = [["open", say("replay.eyes.open")], ["public", say("replay.eyes.public")], ...own, ...seats];
  const shown = [...select.options].map((option) => [option.value, option.label]);
  // The visitor may be choosing.
  if (JSON.stringify(shown) !== JSON.stringify(choices)) {
    select.replaceChildren(...choices.map(([value, label]) => element("option", { value }, label)));
  }
  look(chosen);
}

/** Starts to see with the chosen eyes. */
function see() {
  const { last } = game.events;
  game.steps = source.steps(byId("eyes").value, game.openUpTo, last);
  // The newest view, as this visitor sees it, is the last step.
  const seen = source.isServed && last > game.openUpTo && ["open", "me"].includes(byId("eyes").value);
  if (seen && game.view.version === last) game.steps.newest = { view: game.view };
}

/** The last version up to which every deal is over. @param {string} state */
function openUpTo(state) {
  return state === "playing" ? (game.scored.at(-1)?.version ?? 0) : game.events.last;
}

/** Shows the ledger, and keeps unfolded lines unfolded. @param {any[]} disputes */
function showLedger(disputes) {
  const shown = byId("ledger");
  const unfolded = new Set([...shown.querySelectorAll(".line[open]")].map((one) => one.dataset.key));
  const byLine = new Map(disputes.flatMap((dispute) => dispute.lines.map((lineAt) => [keyOf(lineAt), dispute])));
  const rules = new Map([...game.rules.rules, ...game.rules.table_rules].map((rule) => [rule.id, rule.text]));
  // Only a player of the table may dispute.
  const said = (line) => coloured(speaker().line(line));
  const dispute = source.isServed && token() && game.view.you !== null ? (of) => disputing(table, of, called, [...said(of), " (", ruleLink(game.rules, of.rule), ")"], reload) : null;
  const desk = ({ dispute: number }, more = "") => `/disputes/${table}/${number}${more}${location.search}`;
  shown.replaceChildren(...ledger(game.books, { rules, game: game.rules, called, said, disputes: byLine, dispute, desk }));
  for (const one of shown.querySelectorAll(".line")) one.open = unfolded.has(one.dataset.key);
  shown.querySelector(".balances")?.after(plotted);
  if (source.isServed) void scores.show(table, game.books.lines, name);
}

/** Shows what can be done about others' names and words. @param {number} after the last version that was shown before */
async function showOthers(after) {
  if (!source.isServed) return;
  if (!after) game.spoken = [];
  game.spoken.push(...(await source.events({ after, type: ["table-talk"] })).filter(({ version }) => version > after));
  paintOthers();
}

function paintOthers() {
  const { view } = game;
  const people = view.seats.filter((seat) => seat.player !== null && seat.seat !== view.you && (!seat.bot || view.leaving?.bots.includes(seat.seat)));
  byId("others").hidden = people.length === 0;
  const others = people.map(({ seat, player }) => ({ seat, player, name: name(seat) }));
  byId("others").lastElementChild.replaceChildren(...aboutOthers(others, game.spoken, table, paintOthers));
}

onMuted(() => {
  if (!game.view) return;
  paintOthers();
  list.use(game.events, sentence, 0);
  void go(game.version, false);
});

/** Reads what is new. */
const reload = async () => update(await source.view());

/** Shows the audit of every deal that has begun: the last ones at once, the others when unfolded. */
function audits() {
  const deals = Array.from({ length: game.view.deal || 0 }, (_, index) => index + 1);
  const over = game.scored.map((event) => event.deal);
  const shown = byId("audit");
  const known = new Map([...shown.children].map((one) => [one.dataset.deal, one]));
  shown.replaceChildren(
    ...deals.map((deal) => {
      const key = `${deal}${over.includes(deal) ? "" : " on"}`;
      return known.get(key) ?? element("div", { "data-deal": key }, checked(deal, over));
    }),
    ...(deals.length ? [] : [element("p", { class: "quiet" }, say("audit.none"))]),
  );
}

/** The audit of a deal, or its placeholder until it is read. @param {number} deal @param {number[]} over */
function checked(deal, over) {
  if (!over.includes(deal)) return element("p", { class: "quiet" }, say("audit.waits", { deal }));
  const read = async () => {
    const found = await source.audit(deal).catch((error) => error);
    const done = audit(deal, found, game.rules, source.page(deal));
    if (placeholder.open && done instanceof HTMLDetailsElement) done.open = true;
    placeholder.replaceWith(done);
  };
  const placeholder = element("details", { class: "audit" }, element("summary", {}, say("audit.deal", { deal })));
  if (over.indexOf(deal) >= over.length - AUDITS) void read();
  else placeholder.addEventListener("toggle", () => void read(), { once: true });
  return placeholder;
}

/** @returns {number | null} The step in the address. */
function fragment() {
  const number = Number(location.hash.slice(1).split("&")[0]);
  return Number.isInteger(number) && number >= 1 ? number : null;
}

/** The eyes in the address. A reader's own stand there as those of the seat, since others who open it have their own. */
function eyesInAddress() {
  const eyes = new URLSearchParams(location.hash.slice(1)).get("as") ?? "open";
  return token() && game.view.you !== null && eyes === `seat:${game.view.you}` ? "me" : eyes;
}

/** The fragment for a step, seen as now. @param {number} version */
function momentOf(version) {
  const eyes = byId("eyes").value === "me" && game.view.you !== null ? `seat:${game.view.you}` : byId("eyes").value;
  return eyes === "open" ? `#${version}` : `#${version}&as=${eyes}`;
}

/** Shows a step. @param {number} version @param {boolean} remember whether the address follows */
async function go(version, remember = true) {
  const target = Math.min(Math.max(version, 1), game.events.last);
  game.version = target;
  if (remember && location.hash !== momentOf(target)) history.replaceState(null, "", momentOf(target));
  let step, event;
  try {
    [step, event] = await Promise.all([game.steps.at(target), game.events.at(target)]);
  } catch (error) {
    // Others' eyes see a deal only when it is over.
    if (error.code === "deal-not-over" && byId("eyes").value !== "open") {
      look("open");
      return go(target, remember);
    }
    pause();
    fail(error);
    return;
  }
  // Another step may have been chosen in the meantime.
  if (game.version !== target || !step) return;
  byId("failure").hidden = true;
  byId("status").replaceChildren(...(step.view ? status(step.view, speaker(), game.rules) : []));
  byId("felt").replaceChildren(...(step.view ? [...felt(step.view, speaker()), ...outcome(step.view, target)] : [element("p", {}, say("file.no-view"))]));
  mark(game.presence);
  byId("sentence").replaceChildren(...sentence(event));
  showBooked(target);
  byId("slider").value = target;
  byId("place").textContent = say("replay.place", { step: target, steps: game.events.last });
  for (const id of ["first", "back", "row-back", "deal-back"]) byId(id).disabled = target === 1;
  for (const id of ["last", "forward", "row-forward", "deal-forward"]) byId(id).disabled = target === game.events.last;
  await list.mark(target).catch(fail);
}

/**
 * Shows the balances at a step and the lines booked by then; later ones too if they are wanted.
 * @param {number} version
 */
function showBooked(version) {
  const later = byId("later").checked;
  balancesAt(byId("ledger"), game.books, version, later);
  // It shows the totals of all deals.
  plotted.hidden = !later && version < (game.books.lines.at(-1)?.version ?? 0);
}

/**
 * The result of the deal, from its end until the next one is dealt; and the winners.
 * @param {any} view
 * @param {number} version
 */
function outcome(view, version) {
  const scored = game.scored.findLast((event) => event.version <= version);
  const deal = scored?.deal === view.deal ? view.deal : null;
  const booked = game.books.lines.filter((booked) => booked.deal === deal && booked.version <= version && booked.seat !== null);
  return deal === null && view.status !== "finished" ? [] : [result(view, deal, booked, speaker())];
}

/** Goes to the next event in a direction at which a row or a deal begins or ends. @param {1 | -1} way */
async function leapByRow(way) {
  const { events, version: from } = game;
  let version = from + way;
  while (version > 1 && version < events.last && !rowEnds(await events.at(version))) version += way;
  if (game.version === from) await go(version);
}

/** Goes to the next event in a direction at which a deal begins, or to the end. @param {1 | -1} way */
async function leapByDeal(way) {
  const { version: from } = game;
  game.dealt ??= source.events({ type: ["cards-dealt"] }).then((found) => found.map((event) => event.version));
  game.dealt.catch(() => (game.dealt = null));
  const begun = (await game.dealt).filter((version) => version <= game.events.last);
  if (game.version !== from) return;
  await go(way > 0 ? (begun.find((version) => version > from) ?? game.events.last) : (begun.findLast((version) => version < from) ?? 1));
}

/** Whether a deal begins. @param {any} event */
const dealBegins = (event) => event.type === "cards-dealt";
/** Whether a row, such as a trick, is complete, or a deal begins or ends. @param {any} event */
const rowEnds = (event) => dealBegins(event) || dealEnds(event) || game.rules.words.events[event.type]?.row?.ends;

function pause() {
  clearInterval(game.playing);
  game.playing = undefined;
  byId("play").textContent = "▶";
  byId("play").setAttribute("aria-pressed", "false");
  byId("play").setAttribute("aria-label", say("replay.step.play"));
}

function playOrPause() {
  if (game.playing !== undefined) return pause();
  if (game.version === game.events.last) void go(1);
  game.playing = setInterval(() => (game.version < game.events.last ? go(game.version + 1) : pause()), PACE_MS);
  byId("play").textContent = "❚❚";
  byId("play").setAttribute("aria-pressed", "true");
  byId("play").setAttribute("aria-label", say("replay.step.pause"));
}

/** The moves of the buttons and keys. */
const MOVES = {
  first: () => go(1),
  back: () => go(game.version - 1),
  forward: () => go(game.version + 1),
  last: () => go(game.events.last),
  "row-back": () => leapByRow(-1).catch(fail),
  "row-forward": () => leapByRow(1).catch(fail),
  "deal-back": () => leapByDeal(-1).catch(fail),
  "deal-forward": () => leapByDeal(1).catch(fail),
};
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  "Shift ArrowLeft": "row-back",
  "Shift ArrowRight": "row-forward",
  PageUp: "deal-back",
  PageDown: "deal-forward",
  Home: "first",
  End: "last",
};

for (const [id, move] of Object.entries(MOVES)) {
  byId(id).addEventListener("click", () => {
    pause();
    void move();
  });
}
byId("play").addEventListener("click", playOrPause);
byId("slider").addEventListener("input", () => {
  pause();
  void go(Number(byId("slider").value));
});
addEventListener("hashchange", () => {
  // A step without eyes is seen as before.
  if (location.hash.includes("&as=")) look(eyesInAddress());
  void go(fragment() ?? game.version);
});
addEventListener("keydown", (press) => {
  const within = press.target instanceof Element ? press.target : document.body;
  if (!game.view || press.ctrlKey || press.metaKey || press.altKey || within.closest("select, dialog, input:not([type=range], [type=checkbox])")) return;
  const move = KEYS[`${press.shiftKey ? "Shift " : ""}${press.key}`];
  if (move) {
    press.preventDefault();
    pause();
    void MOVES[move]();
  } else if (press.key === " " && !within.closest("button, summary, a, input[type=checkbox]")) {
    press.preventDefault();
    playOrPause();
  }
});
byId("later").addEventListener("change", () => showBooked(game.version));
byId("eyes").addEventListener("change", () => {
  see();
  void go(game.version);
});
byId("share").addEventListener("click", () => {
  if (!game.view) return;
  pause();
  const { version } = game;
  const eyes = byId("eyes").value === "open" ? (version <= game.openUpTo ? "all" : "me") : byId("eyes").value;
  history.replaceState(null, "", momentOf(version));
  share({ title: byId("title").textContent ?? "", picture: `/tables/${table}/replay/${version}.svg`, as: eyes, name: `${table}-${version}` });
});
byId("token-open").addEventListener("click", () => {
  byId("token").value = token() || "";
  byId("token-dialog").showModal();
});
byId("token-dialog").addEventListener("close", () => {
  const chosen = byId("token-dialog").returnValue;
  if (chosen !== "use" && chosen !== "forget") return;
  setToken(chosen === "use" ? byId("token").value.trim() : "");
  game.following?.abort();
  load().catch(fail);
});

// A hidden tab keeps no stream open.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) game.following?.abort();
  else if (game.view) void follow();
});

if (table) {
  byId("to-play").href = `/play/${table}${location.search}`;
  load().catch(fail);
} else {
  byId("share").hidden = byId("token-open").hidden = byId("eyes").parentElement.hidden = true;
  takeFiles(loadFile);
}
