/** A dispute: the lines in question, what they rest on, what the audit computed, earlier rulings, and the ruling. */

import { Events, get, setToken, token } from "./api.js";
import { audit, keyOf } from "./books.js";
import { byId, element, fail, named, signed, usePack } from "./dom.js";
import { timeOf } from "./listing.js";
import { Players } from "./names.js";
import { reporting } from "./others.js";
import { pack } from "./packing.js";
import { ruleLink } from "./rules.js";
import { rulingForm } from "./ruling.js";
import { say } from "./say.js";
import { coloured, wordsOf } from "./sentences.js";
import { sheetOf } from "./sheets.js";
import { felt, status } from "./table.js";
import { Problem } from "./kit/problems.js";

const EARLIER = 10;
const [table = "", number = ""] = location.pathname.split("/").slice(-2);

const players = new Players();

/** What the page shows. */
const desk = {
  /** @type {any} */ dispute: null,
  /** @type {any} */ view: null,
  /** The game's details from the interface. @type {any} */ rules: null,
  /** The booked lines, by the keys of their places. @type {Map<string, any>} */ lines: new Map(),
  /** @type {any} */ books: null,
  /** @type {Events | null} */ events: null,
  /** The versions of the events that the lines rest on, and of those that booked them. @type {number[]} */ cited: [],
  version: 0,
};

const seated = () => desk.view.seats.map((/** @type {any} */ seat) => seat.player);
const name = (/** @type {number} */ seat) => {
  const player = desk.view.seats[seat]?.player;
  return player ? players.name(player, seated()) : say("seat", { seat: seat + 1 });
};
const speaker = () => wordsOf(desk.rules, name, (at) => desk.lines.get(keyOf(at)));
const playerOf = (/** @type {string} */ account) => (account.startsWith("player:") ? account.slice("player:".length) : null);
const called = (/** @type {string} */ account) => {
  const player = playerOf(account);
  return player === null ? say(`account.${account}`) : players.name(player, seated());
};

/** Reads the dispute and all that belongs to it, and shows it. */
async function load() {
  byId("failure").hidden = true;
  const [dispute, view, books] = await Promise.all([get(`/tables/${table}/disputes/${number}`), get(`/tables/${table}`), get(`/tables/${table}/ledger`)]);
  const rules = await get(`/games/${view.game}`, { rules_version: view.rules_version });
  Object.assign(desk, { dispute, view, rules, books, events: new Events(table, view.version) });
  await players.learn([dispute.player, dispute.ruling?.arbiter ?? null, ...seated(), ...books.balances.map((/** @type {any} */ { account }) => playerOf(account))]);
  players.nameBots(seated(), view.seats.map((/** @type {any} */ seat) => seat.bot));
  usePack(rules.pack);
  desk.lines = new Map(books.lines.map((/** @type {any} */ line) => [keyOf(line), line]));
  desk.cited = [...new Set(dispute.lines.flatMap((/** @type {any} */ line) => [...line.events, line.version]))].sort((one, other) => one - other);
  headline();
  byId("lines").replaceChildren(...firstOfPairs(dispute.lines).map(inQuestion));
  byId("reason").textContent = dispute.reason ?? say("desk.erased");
  reportable();
  byId("steps").replaceChildren(...(await Promise.all(desk.cited.map(step))));
  byId("audit").replaceChildren(
    ...dispute.audits.map((/** @type {any} */ { deal, audit: found }) => audit(deal, found, rules, `/replay/${table}/deal/${deal}${location.search}`)),
    ...(dispute.audits.length ? [] : [element("p", { class: "quiet" }, say("desk.audit.none"))]),
  );
  byId("loading").hidden = true;
  byId("main").hidden = false;
  await Promise.all([go(fragment() ?? desk.cited[0] ?? dispute.version), ruling(), earlier(), scoring()]);
}

/** The lines without counter-lines of others among them: a line and its counter-line are booked one after the other. @param {any[]} lines */
const firstOfPairs = (lines) => [...new Map(lines.toReversed().map((at) => [`${at.version}.${at.line >> 1}`, at])).values()].reverse();

/** Shows which dispute it is, and whose. */
function headline() {
  const { dispute, rules } = desk;
  const title = say("disputes.title", { dispute: dispute.dispute, game: rules.title });
  byId("title").replaceChildren(title, " ", element("span", { class: `badge ${dispute.status}` }, say(`disputes.${dispute.status}`)));
  byId("subtitle").replaceChildren(say("desk.opened", { name: players.name(dispute.player, seated()) }), " ", timeOf(dispute.at));
  byId("to-replay").href = `/replay/${table}${location.search}#${dispute.version}`;
  byId("to-page").href = `/disputes/${table}/${number}/page${location.search}`;
  document.title = say("page.title", { title });
}

/** Shows how the words of the dispute are reported, or what came of it. */
function reportable() {
  const { reason, version } = desk.dispute;
  byId("report").replaceChildren((reason !== null && reporting(`event:${table}/${version}`, say("others.report.words"), reportable)) || "");
}

/** A disputed line with its rule and its events. @param {any} line */
function inQuestion(line) {
  return element(
    "li",
    { "data-key": keyOf(line) },
    element(
      "p",
      {},
      element("span", { class: `amount ${line.amount < 0 ? "loss" : "gain"}` }, signed(line.amount)),
      " ",
      ...named(say("desk.line", { account: called(line.account), other: called(line.with) })),
      line.deal ? element("span", { class: "quiet" }, " ", say("desk.deal", { deal: line.deal })) : null,
    ),
    element("p", {}, ...coloured(speaker().line(line))),
    element("p", { class: "rule-text" }, element("b", {}, ruleLink(desk.rules, line.rule)), ` ${desk.dispute.rule_texts[line.rule] ?? ""}`),
    element("p", { class: "quiet" }, say("desk.rests"), " ", ...line.events.flatMap((/** @type {number} */ version) => [link(version), " "]), say("desk.booked", { line: line.line }), " ", link(line.version)),
  );
}

/** Links to the sheet on which each disputed deal can be scored by other facts. */
async function scoring() {
  const { dispute, view } = desk;
  const deals = [...new Set(dispute.lines.map((/** @type {any} */ { deal }) => deal))].filter(Boolean);
  const links = await Promise.all(
    deals.map(async (deal) => {
      const scored = await get(`/tables/${table}/deals/${deal}/facts`).catch(() => null);
      const href = scored && `/games/${view.game}/score#sheet=${await pack(sheetOf(view.game, scored, view.seats.map((/** @type {any} */ _, /** @type {number} */ seat) => name(seat))))}`;
      return href ? [element("a", { href }, say("desk.score", { deal })), " "] : [];
    }),
  );
  byId("score").replaceChildren(...links.flat());
}

/** The text of a rule. @param {string} rule */
const textOf = (rule) => [...desk.rules.rules, ...desk.rules.table_rules].find(({ id }) => id === rule)?.text ?? "";

/** A link to a step on this page. @param {number} version */
const link = (version) => element("a", { href: `#${version}` }, `#${version}`);

/** A cited event in words. @param {number} version */
async function step(version) {
  const event = await /** @type {Events} */ (desk.events).at(version);
  return element("li", { "data-version": version }, element("a", { href: `#${version}` }, element("span", { class: "quiet" }, `#${version} `), element("span", {}, ...coloured(speaker().event(event, 1)))));
}

/** @returns {number | null} The step in the address. */
function fragment() {
  const version = Number(location.hash.slice(1));
  return Number.isInteger(version) && version >= 1 && version <= desk.view.version ? version : null;
}

/** Shows the table after an event, with all that is open. @param {number} version */
async function go(version) {
  desk.version = version;
  const path = `/tables/${table}/replay/${version}`;
  // A line may have been booked in a deal that is still running.
  const running = (/** @type {unknown} */ error) => {
    if (error instanceof Problem && error.code === "deal-not-over") return get(path);
    throw error;
  };
  const [view, event] = await Promise.all([get(path, { as: "all" }).catch(running), /** @type {Events} */ (desk.events).at(version)]);
  // Another step may have been chosen in the meantime.
  if (desk.version !== version) return;
  byId("status").replaceChildren(...status(view, speaker(), desk.rules));
  byId("felt").replaceChildren(...felt(view, speaker()));
  byId("sentence").replaceChildren(element("a", { href: `/replay/${table}${location.search}#${version}` }, `#${version}`), " ", ...coloured(speaker().event(event, 1)));
  byId("back").disabled = version <= 1;
  byId("forward").disabled = version >= desk.view.version;
  for (const one of byId("steps").children) {
    if (Number(one.dataset.version) === version) one.setAttribute("aria-current", "step");
    else one.removeAttribute("aria-current");
  }
}

/** Shows the ruling, or what an arbiter needs for one. */
async function ruling() {
  const { dispute } = desk;
  const place = byId("ruling");
  if (dispute.ruling !== null) {
    place.replaceChildren(...ruled(dispute.ruling));
    return;
  }
  const scopes = token() ? (await get("/players/me")).scopes : [];
  if (!scopes.includes("arbiter")) {
    place.replaceChildren(element("p", {}, say("desk.waits")));
    return;
  }
  const disputed = firstOfPairs(dispute.lines);
  // Any line can be booked against the bank, which a ledger may not name yet.
  const names = new Set([...desk.books.balances.map((/** @type {any} */ { account }) => account), "bank"]);
  const accounts = [...names].map((account) => ({ account, called: called(account) }));
  place.replaceChildren(rulingForm({ path: `/tables/${table}/disputes/${number}/ruling`, disputed, accounts, done: load }));
}

/** A ruling in words, with the lines of its correction. @param {any} made */
function ruled(made) {
  const corrected = desk.books.lines.filter((/** @type {any} */ line) => line.version === made.correction && line.seat !== null);
  const by = say(`desk.ruled.${made.ruling}`, { name: players.name(made.arbiter, seated()) });
  return [
    element("p", {}, by, " ", timeOf(made.at)),
    element("blockquote", {}, made.text ?? say("desk.erased")),
    element("p", {}, made.correction === null ? say("desk.corrected.none") : say("desk.corrected", { back: made.taken_back / 2, booked: made.booked / 2 })),
    element(
      "ul",
      { class: "lines" },
      ...corrected.map((/** @type {any} */ line) =>
        element(
          "li",
          {},
          element("p", {}, element("span", { class: `amount ${line.amount < 0 ? "loss" : "gain"}` }, signed(line.amount)), " ", ...named(say("desk.line", { account: called(line.account), other: called(line.with) }))),
          element("p", {}, ...coloured(speaker().line(line)), " ", ruleLink(desk.rules, line.rule), element("span", { class: "quiet" }, " ", say("line.place", line))),
        ),
      ),
    ),
  ];
}

/** Shows what was ruled earlier on the rules of the disputed lines. */
async function earlier() {
  const { dispute, view } = desk;
  const place = byId("earlier");
  const groups = await Promise.all(
    dispute.rules.map(async (/** @type {string} */ rule) => {
      const { items } = await get("/disputes", { rule, game: view.game, status: "ruled", limit: EARLIER + 1 });
      const others = items.filter(isEarlier).slice(0, EARLIER);
      const all = `/disputes?${new URLSearchParams({ status: "ruled", game: view.game, rule })}`;
      return [
        element("h3", {}, ruleLink(desk.rules, rule), " ", textOf(rule)),
        others.length
          ? element("ul", { class: "earlier" }, ...others.map(former))
          : element("p", { class: "quiet" }, say("desk.earlier.none")),
        others.length ? element("p", {}, element("a", { href: all }, say("desk.earlier.all", { rule }))) : null,
      ];
    }),
  );
  place.replaceChildren(...groups.flat().filter((one) => one !== null));
}

/** Whether another dispute was ruled on before this one. @param {any} other */
const isEarlier = (other) =>
  (other.table !== desk.dispute.table || other.dispute !== desk.dispute.dispute) && (desk.dispute.ruling === null || other.ruling.at < desk.dispute.ruling.at);

/** An earlier ruling. @param {any} dispute */
const former = ({ table: of, dispute, status: result, ruling: made }) =>
  element(
    "li",
    {},
    element("a", { href: `/disputes/${of}/${dispute}` }, element("span", { class: `badge ${result}` }, say(`disputes.${result}`)), " ", timeOf(made.at)),
    " ",
    made.text ?? say("desk.erased"),
  );

byId("back").addEventListener("click", () => (location.hash = String(desk.version - 1)));
byId("forward").addEventListener("click", () => (location.hash = String(desk.version + 1)));
addEventListener("hashchange", () => {
  const version = fragment();
  if (version !== null) go(version).catch(fail);
});
byId("token-open").addEventListener("click", () => {
  byId("token").value = "";
  byId("token-dialog").returnValue = "";
  byId("token-dialog").showModal();
});
byId("token-dialog").addEventListener("close", () => {
  const chosen = byId("token-dialog").returnValue;
  if (chosen !== "use" && chosen !== "forget") return;
  setToken(chosen === "use" ? byId("token").value.trim() : "");
  load().catch(failed);
});

/** @param {unknown} error */
function failed(error) {
  byId("loading").hidden = true;
  fail(error);
}

load().catch(failed);
