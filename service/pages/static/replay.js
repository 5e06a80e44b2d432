/** A game, step by step. The step is the address's fragment: `#17`. */

import { events, get, Problem, setToken, Steps, token } from "./api.js";
import { audit, ledger } from "./books.js";
import { byId, element, usePack } from "./dom.js";
import { sentence } from "./sentences.js";
import { felt, status } from "./table.js";

const PACE_MS = 1100;
const table = location.pathname.split("/").pop();

/** Everything that is known of the game. */
const game = {
  /** @type {any[]} */ events: [],
  /** @type {Map<string, string>} */ names: new Map(),
  /** @type {(string | null)[]} */ players: [],
  /** The game's own words. @type {any} */ words: null,
  /** @type {Steps | null} */ steps: null,
  version: 1,
  /** @type {number | undefined} */ playing: undefined,
};

const nameOf = (player) => game.names.get(player) || `${player.slice(0, 8)}…`;
const name = (seat) => (game.players[seat] ? nameOf(game.players[seat]) : `seat ${seat}`);
const speaker = () => ({ words: game.words, name });
const called = (account) => (account.startsWith("player:") ? nameOf(account.slice("player:".length)) : account);

/** Shows a failure in words. @param {unknown} error */
function fail(error) {
  const said = error instanceof Problem ? error.message : "Something went wrong on this page.";
  byId("failure").textContent = said;
  byId("failure").hidden = false;
  if (!(error instanceof Problem)) throw error;
}

/** Reads the game, and shows the step that the address names. */
async function load() {
  byId("failure").hidden = true;
  const view = await get(`/tables/${table}`);
  const [found, rules, books] = await Promise.all([
    events(table),
    get(`/games/${view.game}`),
    get(`/tables/${table}/ledger`),
  ]);
  game.events = found;
  game.words = rules.words;
  usePack(rules.pack);
  game.players = view.seats.map((seat) => seat.player);
  const seated = [...new Set(found.filter((event) => event.type === "seat-taken").map((event) => event.public.player))];
  if (seated.length) {
    const profiles = await get("/players", { id: seated });
    for (const player of profiles.items) if (player.name) game.names.set(player.player, player.name);
  }
  byId("title").textContent = `${rules.title}: ${game.players.map((player, seat) => (player ? name(seat) : "free")).join(", ")}`;
  byId("subtitle").textContent = `${view.status} · ${found.length} events · table ${table}`;
  document.title = `${byId("title").textContent} · codille`;
  eyes(view);
  list();
  byId("ledger").replaceChildren(...ledger(books, new Map(rules.rules.map((rule) => [rule.id, rule.text])), called));
  byId("slider").max = found.length;
  byId("main").hidden = false;
  await go(fragment() ?? found.length, false);
  await audits(view);
}

/** Fills the choice of eyes, and begins to see with the chosen ones. @param {any} view */
function eyes(view) {
  const select = byId("eyes");
  const chosen = select.value || "open";
  const seats = view.seats.map((seat) => [`seat:${seat.seat}`, `as ${name(seat.seat)}`]);
  const own = token() ? [["me", "as I saw it"]] : [];
  const choices = [["open", "all that is open"], ["public", "as the public"], ...own, ...seats];
  select.replaceChildren(...choices.map(([value, label]) => element("option", { value }, label)));
  select.value = choices.some(([value]) => value === chosen) ? chosen : "open";
  game.steps = new Steps(table, select.value, openUpTo(view.status), game.events.length);
}

/** The last version up to which every deal is over. @param {string} state */
function openUpTo(state) {
  if (state !== "playing") return game.events.length;
  return game.events.findLast((event) => event.type === "deal-scored")?.version ?? 0;
}

/** The list of events, by deal. */
function list() {
  byId("events").replaceChildren(
    ...game.events.map((event) =>
      element(
        "li",
        { "data-version": event.version, class: event.type === "cards-dealt" ? "dealt" : event.actor === "house" ? "house" : "" },
        element("a", { href: `#${event.version}` }, sentence(event, speaker())),
      ),
    ),
  );
}

/** The audit of every deal that has begun. @param {any} view */
async function audits(view) {
  const deals = Array.from({ length: view.deal || 0 }, (_, index) => index + 1);
  const over = new Set(game.events.filter((event) => event.type === "deal-scored").map((event) => event.deal));
  const shown = byId("audit");
  shown.replaceChildren(...(deals.length ? [] : [element("p", { class: "quiet" }, "No deal has begun.")]));
  for (const deal of deals) {
    const found = over.has(deal) ? await get(`/tables/${table}/deals/${deal}/audit`).catch((error) => error) : null;
    shown.append(audit(deal, found));
  }
}

/** @returns {number | null} The step that the address names. */
function fragment() {
  const number = Number(location.hash.slice(1));
  return Number.isInteger(number) && number >= 1 ? number : null;
}

/** Shows a step. @param {number} version @param {boolean} remember whether the address is to follow */
async function go(version, remember = true) {
  const target = Math.min(Math.max(version, 1), game.events.length);
  game.version = target;
  if (remember && fragment() !== target) history.replaceState(null, "", `#${target}`);
  let step;
  try {
    step = await game.steps.at(target);
  } catch (error) {
    pause();
    fail(error);
    return;
  }
  // Another step may have been asked for meanwhile.
  if (game.version !== target || !step) return;
  byId("failure").hidden = true;
  byId("status").replaceChildren(...status(step.view, speaker()));
  byId("felt").replaceChildren(...felt(step.view, step.event, speaker()));
  byId("sentence").textContent = sentence(game.events[target - 1], speaker());
  byId("slider").value = target;
  byId("place").textContent = `${target} / ${game.events.length}`;
  for (const id of ["first", "back", "trick-back", "deal-back"]) byId(id).disabled = target === 1;
  for (const id of ["last", "forward", "trick-forward", "deal-forward"]) byId(id).disabled = target === game.events.length;
  const current = byId("events").children[target - 1];
  byId("events").querySelector("[aria-current]")?.removeAttribute("aria-current");
  current.setAttribute("aria-current", "step");
  // Not scrollIntoView, which would move the page as well.
  byId("events").scrollTop = current.offsetTop - byId("events").clientHeight / 2;
}

/** Goes to the next event in a direction that is a stop, or to the end. @param {(event: any) => boolean} stop @param {1 | -1} way */
function leap(stop, way) {
  let version = game.version + way;
  while (version > 1 && version < game.events.length && !stop(game.events[version - 1])) version += way;
  return go(version);
}

/** Whether a deal begins. @param {any} event */
const dealBegins = (event) => event.type === "cards-dealt";
/** Whether a trick, or what the game has instead, is complete, or a deal begins or ends. @param {any} event */
const rowEnds = (event) => dealBegins(event) || event.type === "deal-scored" || game.words.events[event.type]?.row?.ends;

function pause() {
  clearInterval(game.playing);
  game.playing = undefined;
  byId("play").textContent = "▶";
  byId("play").setAttribute("aria-pressed", "false");
  byId("play").setAttribute("aria-label", "Play");
}

function playOrPause() {
  if (game.playing !== undefined) return pause();
  if (game.version === game.events.length) void go(1);
  game.playing = setInterval(() => (game.version < game.events.length ? go(game.version + 1) : pause()), PACE_MS);
  byId("play").textContent = "❚❚";
  byId("play").setAttribute("aria-pressed", "true");
  byId("play").setAttribute("aria-label", "Pause");
}

/** What the buttons and keys do. */
const MOVES = {
  first: () => go(1),
  back: () => go(game.version - 1),
  forward: () => go(game.version + 1),
  last: () => go(game.events.length),
  "trick-back": () => leap(rowEnds, -1),
  "trick-forward": () => leap(rowEnds, 1),
  "deal-back": () => leap(dealBegins, -1),
  "deal-forward": () => leap(dealBegins, 1),
};
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  "Shift ArrowLeft": "trick-back",
  "Shift ArrowRight": "trick-forward",
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
addEventListener("hashchange", () => void go(fragment() ?? game.version, false));
addEventListener("keydown", (press) => {
  const within = press.target instanceof Element ? press.target : document.body;
  if (press.ctrlKey || press.metaKey || press.altKey || within.closest("select, dialog, input:not([type=range])")) return;
  const move = KEYS[`${press.shiftKey ? "Shift " : ""}${press.key}`];
  if (move) {
    press.preventDefault();
    pause();
    void MOVES[move]();
  } else if (press.key === " " && !within.closest("button, summary, a")) {
    press.preventDefault();
    playOrPause();
  }
});
byId("eyes").addEventListener("change", () => {
  game.steps = new Steps(table, byId("eyes").value, game.steps.openUpTo, game.events.length);
  void go(game.version);
});
byId("token-open").addEventListener("click", () => {
  byId("token").value = token() || "";
  byId("token-dialog").showModal();
});
byId("token-dialog").addEventListener("close", () => {
  const chosen = byId("token-dialog").returnValue;
  if (chosen !== "use" && chosen !== "forget") return;
  setToken(chosen === "use" ? byId("token").value.trim() : "");
  load().catch(fail);
});

load().catch(fail);
