/**
 * The sheet of an evening: what was entered stays in this browser and in the links made here, and the service computes
 * what each deal is worth.
 */

import { get, post, Problem } from "./api.js";
import { copy } from "./copying.js";
import { isBound } from "./deals.js";
import { byId, element, fail, inWords, signed, usePack } from "./dom.js";
import { FactForm } from "./fact_form.js";
import { chosenOptions, dealChoices, fieldsIn, option, optionRows } from "./options.js";
import { pack, unpack } from "./packing.js";
import { plot } from "./plot.js";
import { ruleLink } from "./rules.js";
import { say } from "./say.js";
import { coloured, wordsOf } from "./sentences.js";
import { isRecord, isSheet, isWhole, LONGEST_NAME, MOST_AMOUNT, MOST_SEATS, VERSION } from "./sheets.js";
import { store, stored } from "./stored.js";

/** @typedef {import("./sheets.js").Sheet} Sheet */

/** Some programs cut longer addresses. */
const LONG_LINK = 8000;
const name = location.pathname.split("/")[2] ?? "";
const KEPT = `codille-sheet-${name}`;
/** Why a deal is not scored; it stands at the field that is wrong, and stays when the form is made anew. */
const refused = byId("refused");

/** @type {any} */
let game;
/** @type {Sheet} */
let sheet;
/** What the service made of each item; null for totals by hand, and for what is not computed yet. @type {any[]} */
let answers = [];
/** @type {import("./fact_form.js").Part} */
let form;

/** Why a sheet cannot be used here, in a sentence; null if it can. @param {any} found */
function refusal(found) {
  if (isRecord(found) && isWhole(found.v, 1, 1000) && found.v !== VERSION) return say("sheet.link.version");
  if (!isSheet(found)) return say("sheet.link.broken");
  return found.game === name ? null : say("sheet.link.game", { game: found.game });
}

const seats = () => (isWhole(sheet.options["players"], 1, MOST_SEATS) ? sheet.options["players"] : game.seats);
const nameOf = (/** @type {number} */ seat) => sheet.names[seat] || say("play.seat", { seat: seat + 1 });
/** Who an account belongs to. @param {number | string} account */
const called = (account) => (typeof account === "number" ? nameOf(account) : say(`account.${account}`));
/** Texts of the service name players by their seats. @param {string} text */
const withNames = (text) => text.replace(/\bseat (\d+)\b/gi, (_, seat) => nameOf(Number(seat)));

/** The sheet that this browser keeps. @returns {{sheet: Sheet, answers: any[]} | null} */
function kept() {
  const { sheet: found, answers: known } = stored(KEPT) ?? {};
  if (refusal(found) !== null || !Array.isArray(known)) return null;
  const isAnswer = (/** @type {any} */ one) => isRecord(one?.rules) && ["antes", "lines", "shares", "totals"].every((list) => Array.isArray(one[list]));
  return { sheet: found, answers: known.map((one) => (isAnswer(one) ? one : null)) };
}

/** Keeps the sheet, with what is being entered. Where storage is denied, the link keeps it. */
const keep = () => store(KEPT, { sheet, answers });

/** The standing before an item; null while an earlier one is not computed. @param {number} count how many items stand before it */
function standingAfter(count) {
  const none = { deal: sheet.deal, totals: Array(seats()).fill(0), bank: 0, pool: 0 };
  return sheet.items.slice(0, count).reduce((/** @type {any} */ before, item, place) => {
    if (before === null) return null;
    if ("totals" in item) return { ...before, totals: item.totals, bank: item.bank, pool: item.pool };
    const answer = answers[place];
    return answer ? { deal: before.deal + 1, totals: answer.totals, bank: answer.bank, pool: answer.pool } : null;
  }, none);
}

/** What the service makes of the item at a place. Throws Problem. @param {number} place */
async function ask(place) {
  const { facts, dealer } = /** @type {{facts: any, dealer: number}} */ (sheet.items[place]);
  const standing = { ...standingAfter(place), deals: sheet.deals, dealer: hasDealer() ? dealer : null };
  return post(`/games/${name}/score`, { facts, rules_version: sheet.rules_version, options: sheet.options, standing });
}

/** Computes what is not computed yet. */
async function compute() {
  refuse(null);
  const { items } = sheet;
  const missing = [...items.keys()].filter((place) => "facts" in items[place] && !answers[place]);
  try {
    for (const place of missing) {
      const answer = await ask(place);
      if (items !== sheet.items) return;
      answers[place] = answer;
    }
  } catch (error) {
    refuse(error, false);
  }
  // The dealer and the kind of the next deal follow from what is computed now.
  if (missing.length && !sheet.draft) askFor();
  keep();
  show();
}

const hasDealer = () => game.schemas.facts["x-dealer"] !== false;
/** The deals that were scored, with their numbers and places. */
const deals = () => sheet.items.map((item, place) => ({ item, place, answer: answers[place], before: standingAfter(place) })).filter(({ item }) => "facts" in item);
/** Why the game is over; null while it goes on. */
const over = () => (sheet.items.length ? (answers[sheet.items.length - 1]?.over ?? null) : null);

/** Shows the sheet as it is now. */
function show() {
  const standing = standingAfter(sheet.items.length);
  const isStarted = sheet.items.length > 0;
  byId("rules").textContent = say("sheet.rules", { version: sheet.rules_version });
  byId("rules").href = `/games/${name}?rules_version=${sheet.rules_version}`;
  byId("totals").replaceChildren(totals());
  byId("totals").hidden = !isStarted;
  byId("over").textContent = over() ? say("sheet.over", { names: answers.at(-1).winners.map(nameOf).join(", ") }) : "";
  byId("plot").replaceChildren(...(deals().filter(({ answer }) => answer).length > 1 ? [drawnTotals()] : []));
  byId("deals-scored").replaceChildren(...deals().map(scored).reverse());
  byId("lines").hidden = !deals().length;
  for (const id of ["undo", "new-sheet", "print"]) byId(id).disabled = !isStarted;
  byId("retry").hidden = standing !== null;
  byId("deal").hidden = standing === null || over() !== null;
  byId("correcting").hidden = standing === null;
  if (standing === null) return;
  for (const field of fieldsIn(byId("options"))) field.disabled = isStarted;
  byId("deal-title").textContent = isBound(game, sheet.deals) ? say("sheet.deal", { deal: standing.deal }) : say("sheet.deal.of", { deal: standing.deal, deals: sheet.deals });
  byId("score").textContent = say("sheet.score", { deal: standing.deal });
  correcting(standing);
}

/** The names and totals, a row for each deal. */
function totals() {
  const rows = sheet.items.map((item, place) => ({ item, standing: standingAfter(place + 1), before: standingAfter(place) })).filter(({ standing }) => standing);
  const hasPool = rows.some(({ standing }) => standing.pool !== 0);
  const cell = (/** @type {number} */ value, /** @type {number} */ gain) =>
    element("td", { class: "number" }, element("b", {}, signed(value)), element("span", { class: gain < 0 ? "loss" : gain > 0 ? "gain" : "quiet" }, gain ? signed(gain) : say("cell.none")));
  return element(
    "table",
    {},
    element("caption", { class: "hidden" }, say("sheet.totals")),
    element("thead", {}, element("tr", {}, ...[say("sheet.column"), ...standingNames(), ...(hasPool ? [say("sheet.pool")] : [])].map((text) => element("th", { scope: "col" }, text)))),
    element(
      "tbody",
      {},
      ...rows.map(({ item, standing, before }) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, "totals" in item ? say("sheet.corrected") : String(before.deal)),
          ...standing.totals.map((/** @type {number} */ total, /** @type {number} */ seat) => cell(total, total - before.totals[seat])),
          hasPool ? cell(standing.pool, standing.pool - before.pool) : null,
        ),
      ),
    ),
  );
}

const standingNames = () => Array.from({ length: seats() }, (_, seat) => nameOf(seat));

/** The totals over the evening, a line for each player. */
function drawnTotals() {
  const after = sheet.items.map((_, place) => standingAfter(place + 1)).filter((one) => one !== null);
  const lines = standingNames().map((own, seat) => ({ name: own, values: after.map(({ totals: all }) => all[seat]) }));
  const said = lines.map(({ name: own, values }) => say("sheet.total", { name: own, total: signed(values.at(-1)) })).join(", ");
  const numbers = deals().map(({ before }) => say("sheet.deal", { deal: before?.deal ?? "" }));
  return plot(lines, [numbers[0] ?? "", numbers.at(-1) ?? ""], say("sheet.plot", { count: deals().length, totals: said }), signed);
}

/** Lines of players, each once: of both sides of a line the gain, and one for partners who are paid alike by the bank. @param {any[]} lines */
function joined(lines) {
  /** @type {Map<string, any>} */
  const shown = new Map();
  for (const [place, line] of lines.entries()) {
    if (typeof line.account !== "number" || (typeof line.with === "number" && line.amount < 0)) continue;
    const alike = line.with === "bank" ? JSON.stringify([line.text, line.amount]) : "";
    const first = shown.get(alike);
    if (first && !first.accounts.includes(line.account)) first.accounts.push(line.account);
    else shown.set(alike && !first ? alike : String(place), { line, accounts: [line.account] });
  }
  return [...shown.values()];
}

/** A deal with its lines, each of which opens to its rule. @param {{place: number, answer: any, before: any}} of */
function scored({ place, answer, before }) {
  if (!answer || !before) return element("p", { class: "quiet" }, say("sheet.waits"));
  const lines = joined([...answer.antes, ...answer.lines, ...answer.shares]);
  const outcome = game.words.terms.outcome?.[answer.outcome] ?? answer.outcome;
  return element(
    "details",
    { class: "deal", open: place === sheet.items.length - 1 },
    element("summary", {}, element("b", {}, say("sheet.deal", { deal: before.deal })), `: ${outcome}`),
    ...(lines.length ? lines.map(({ line, accounts }) => explained(line, accounts, answer)) : [element("p", { class: "quiet" }, say("sheet.lines.none"))]),
  );
}

/** @param {any} line @param {number[]} accounts whose line it is @param {any} answer */
function explained(line, accounts, answer) {
  const from = typeof line.with === "number" ? element("span", { class: "quiet" }, ` ${say("sheet.from", { name: nameOf(line.with) })}`) : null;
  return element(
    "details",
    { class: "line" },
    element(
      "summary",
      {},
      element("span", { class: `amount ${line.amount < 0 ? "loss" : "gain"}` }, signed(line.amount)),
      element("span", {}, element("b", {}, accounts.map(nameOf).join(say("said.and"))), from),
      element("span", { class: "text" }, ...coloured(wordsOf(game, nameOf).line(line))),
    ),
    element("p", {}, ruleLink(game, line.rule), ` ${answer.rules[line.rule] ?? ""} `, say("sheet.with", { account: called(line.with) })),
  );
}

/** Fields for totals by hand. @param {any} standing */
function correcting(standing) {
  const hasPool = [standing, ...answers].some((one) => one?.pool);
  const field = (/** @type {string} */ text, /** @type {number} */ value, hidden = false) =>
    element("label", { hidden }, text, element("input", { type: "number", value, min: -MOST_AMOUNT, max: MOST_AMOUNT, required: true }));
  byId("corrected").replaceChildren(...standingNames().map((text, seat) => field(text, standing.totals[seat])), field(say("sheet.pool"), standing.pool, !hasPool));
}

/** Says why a deal is not scored, at the field that it is about; or nothing. @param {unknown} error @param {boolean} [isEntered] whether it is the one that is being entered */
function refuse(error, isEntered = true) {
  const said = refused;
  for (const field of document.querySelectorAll("[aria-invalid]")) {
    field.removeAttribute("aria-invalid");
    field.removeAttribute("aria-errormessage");
  }
  said.hidden = error === null;
  byId("send").prepend(said);
  if (error === null) return;
  if (!(error instanceof Problem)) {
    said.textContent = inWords(error);
    throw error;
  }
  const isRefused = error.status >= 400 && error.status < 500 && error.status !== 429;
  const text = isRefused ? withNames(inWords(error)) : `${inWords(error)} ${say("sheet.offline")}`;
  said.replaceChildren(text, ...(error.rule ? [" ", ruleLink(game, error.rule)] : []));
  if (!isEntered) return byId("retry").before(said);
  const fields = error.errors.flatMap(({ pointer = "" }) => (pointer.startsWith("/facts") ? [form.at(pointer.split("/").slice(2))] : []));
  for (const field of fields) {
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-errormessage", said.id);
  }
  (fields[0]?.closest("fieldset") ?? fields[0]?.closest(".fact"))?.append(said);
  fields[0]?.focus();
}

/** Makes the form of the next deal. @param {{facts: any, dealer: number}} [draft] */
function askFor(draft) {
  const made = new FactForm(game, seats(), nameOf);
  form = made.whole;
  const [kinds, number] = [game.schemas.facts["x-kinds"] ?? [], standingAfter(sheet.items.length)?.deal];
  const kind = kinds[(number - 1) % kinds.length];
  if (draft) form.fill(draft.facts);
  else if (kind) form.fill(made.ofKind(kind));
  byId("facts").replaceChildren(form.place);
  byId("cards-how").hidden = !form.place.querySelector(".understood");
  byId("jokers").hidden = !Object.values(game.pack).some(({ suit }) => suit === null);
  const last = deals().at(-1);
  const dealer = draft?.dealer ?? last?.answer?.next_dealer ?? 0;
  byId("dealer").replaceChildren(...standingNames().map((text, seat) => option(String(seat), text, seat === dealer)));
  byId("dealing").hidden = !hasDealer();
}

/** What is being entered. */
const entered = () => ({ facts: form.read(), dealer: Number(byId("dealer").value) });

/** Scores the deal that was entered; what cannot be scored stays there. */
async function score() {
  const send = byId("score");
  send.disabled = true;
  refuse(null);
  sheet.draft = entered();
  keep();
  sheet.items.push(JSON.parse(JSON.stringify(sheet.draft)));
  const place = sheet.items.length - 1;
  try {
    answers[place] = await ask(place);
    delete sheet.draft;
    askFor();
  } catch (error) {
    sheet.items.pop();
    answers.length = sheet.items.length;
    refuse(error);
    return;
  } finally {
    send.disabled = false;
    keep();
  }
  byId("setup").open = false;
  show();
  lookAtTotals();
}

function lookAtTotals() {
  byId("totals").scrollIntoView({ block: "start" });
  byId("totals").focus({ preventScroll: true });
}

/** Takes off the last entry, whose facts can be mended and sent again. */
function undo() {
  const last = sheet.items.pop();
  answers.length = sheet.items.length;
  if (last && "facts" in last) sheet.draft = last;
  refuse(null);
  askFor(sheet.draft);
  keep();
  show();
  // The button is of no more use then.
  if (!sheet.items.length) byId("facts").querySelector("select, input").focus();
}

/** Asks for one of two ways. @param {string} text @param {string} yes @param {() => void} act @param {string} no @param {() => void} [otherwise] */
function decide(text, yes, act, no, otherwise = () => {}) {
  const choose = (/** @type {() => void} */ way) => () => {
    byId("asked").hidden = true;
    way();
  };
  byId("asked").replaceChildren(
    element("p", {}, text),
    element("button", { type: "button", class: "main", click: choose(act) }, yes),
    " ",
    element("button", { type: "button", click: choose(otherwise) }, no),
  );
  byId("asked").hidden = false;
  byId("asked").querySelector("button:last-child").focus();
}

/** Shows the fields of names, options and deals. */
function setUp() {
  byId("options").replaceChildren(...optionRows(game));
  for (const field of fieldsIn(byId("options"))) {
    const chosen = sheet.options[field.name.slice("option.".length)];
    if (chosen !== undefined) field.value = JSON.stringify(chosen);
  }
  byId("agreed").replaceChildren(...dealChoices(game));
  byId("agreed").value = String(sheet.deals);
  offerNames();
}

/** A field for each player's name. */
function offerNames() {
  const fields = Array.from({ length: seats() }, (_, seat) =>
    element("label", {}, say("play.seat", { seat: seat + 1 }), element("input", { type: "text", maxlength: LONGEST_NAME, autocomplete: "off", value: sheet.names[seat] ?? "" })),
  );
  byId("names").replaceChildren(...fields);
}

/** A sheet without deals, with the names and options of another. @param {Partial<Sheet>} before @returns {Sheet} */
const empty = ({ options = {}, names = [], deals: agreed = game.deals.default }) => ({
  v: VERSION,
  game: name,
  rules_version: game.rules_version,
  options: Object.fromEntries(Object.entries(options).filter(([one]) => one in game.options.properties)),
  names,
  deals: agreed,
  deal: 1,
  items: [],
});

/** Shows a sheet, or an empty one for the same players. Throws Problem. @param {Sheet | null} taken @param {any[]} [known] what was computed of it */
async function use(taken, known = []) {
  const found = await get(`/games/${name}`, taken ? { rules_version: taken.rules_version } : {});
  game = found;
  usePack(game.pack);
  sheet = taken ?? empty(sheet ?? {});
  answers = known;
  byId("title").textContent = say("sheet.of", { game: game.title });
  document.title = say("page.title", { title: byId("title").textContent });
  byId("setup").open = sheet.items.length === 0 && !sheet.draft;
  setUp();
  askFor(sheet.draft);
  byId("main").hidden = false;
  byId("loading").hidden = true;
  await compute();
}

/** The sheet in the address, if there is one. Says why it cannot be used. @returns {Promise<Sheet | null>} */
async function linked() {
  const packed = /^#sheet=(.+)$/.exec(location.hash)?.[1];
  if (!packed) return null;
  let found;
  try {
    found = await unpack(packed);
  } catch (error) {
    notice(say(error instanceof RangeError ? "sheet.link.large" : "sheet.link.broken"));
    return null;
  }
  const why = refusal(found);
  if (why) notice(why);
  return why ? null : found;
}

/** @param {string} text */
function notice(text) {
  byId("notice").textContent = text;
  byId("notice").hidden = text === "";
}

/** Shows the sheet of the address, or the one that is kept; if both are there, asks which. */
async function begin() {
  notice("");
  byId("asked").hidden = true;
  const [found, own] = [await linked(), kept()];
  const clear = () => history.replaceState(null, "", location.pathname + location.search);
  const take = async () => {
    try {
      await use(found);
    } catch (error) {
      if (!found || !(error instanceof Problem) || error.status === 0) throw error;
      notice(say("sheet.link.rules", { version: found.rules_version }));
      return useOwn();
    }
    clear();
  };
  const useOwn = () => use(own?.sheet ?? null, own?.answers);
  if (!found) return useOwn();
  if (!own?.sheet.items.length) return take();
  await useOwn();
  const count = found.items.filter((item) => "facts" in item).length;
  const names = found.names.filter(Boolean).join(", ") || say("sheet.nobody");
  decide(say("sheet.link.ask", { count, names }), say("sheet.link.use"), () => void take().catch(fail), say("sheet.link.keep"), clear);
}

byId("entry").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  void score().catch(fail);
});
byId("entry").addEventListener("input", () => {
  sheet.draft = entered();
  keep();
});
byId("setup").addEventListener("input", ({ target }) => {
  if (byId("names").contains(target)) {
    sheet.names = fieldsIn(byId("names")).map((field) => field.value.trim());
  } else {
    const before = seats();
    sheet.options = chosenOptions(game, byId("options"));
    sheet.deals = Number(byId("agreed").value) || game.deals.default;
    answers = [];
    if (seats() !== before) offerNames();
  }
});
byId("setup").addEventListener("change", () => {
  askFor(entered());
  keep();
  void compute();
});
byId("correction").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const values = fieldsIn(byId("corrected")).map(({ value }) => Number(value));
  const standing = standingAfter(sheet.items.length);
  sheet.items.push({ totals: values.slice(0, -1), bank: standing.bank, pool: values.at(-1) ?? 0 });
  answers.push(null);
  byId("correcting").open = false;
  keep();
  show();
  lookAtTotals();
});
byId("undo").addEventListener("click", undo);
byId("retry").addEventListener("click", () => void compute());
byId("print").addEventListener("click", () => print());
byId("new-sheet").addEventListener("click", () =>
  decide(say("sheet.new.ask"), say("sheet.new"), () => void use(null).catch(fail), say("sheet.link.keep")),
);
byId("share").addEventListener("click", async () => {
  const { draft: _, ...whole } = sheet;
  const link = new URL(`#sheet=${await pack(whole)}`, location.href).href;
  byId("link").value = link;
  byId("sharing").hidden = false;
  await copy(byId("link"), byId("copied"));
  byId("long").hidden = link.length <= LONG_LINK;
});

// Paper has no folds.
matchMedia("print").addEventListener("change", ({ matches }) => {
  if (matches) for (const deal of document.querySelectorAll("details.deal")) deal.setAttribute("open", "");
});
addEventListener("hashchange", () => void begin().catch(fail));
addEventListener("online", () => void (game && compute()));
document.addEventListener("visibilitychange", () => {
  // Another tab may have gone on with the sheet.
  const own = document.hidden || !sheet ? null : kept();
  if (own && JSON.stringify(own.sheet.items) !== JSON.stringify(sheet.items)) void use(own.sheet, own.answers).catch(fail);
});
begin().catch((error) => {
  byId("loading").hidden = true;
  fail(error);
});
