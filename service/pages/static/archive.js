/** Finished deals of all tables, by what happened in them. What is asked for stands in the page's address. */

import { get, token } from "./api.js";
import { asked, Choices } from "./choices.js";
import { byId, element, fail, inWords, named, readable, SIGNS, signed } from "./dom.js";
import { gamesByName, Loaded, timeOf } from "./listing.js";
import { Players } from "./names.js";
import { option, valueText } from "./options.js";
import { say } from "./say.js";

const PAGE = 20;
const MOST_PLAYERS = 6;
/** How long a file that is saved can be taken. */
const LEFT_MS = 60_000;
/** What means something within a game only. */
const WITHIN = ["contract", "trump", "outcome", "order", "rules_version", "option"];
/** What is asked for seldom. */
const FURTHER = ["amount_from", "amount_to", "length_from", "length_to", "bots", "disputed", "corrected", "rule", "rules_version", "option"];
const FIELDS = [...new Set(["game", "since", "until", "among", ...WITHIN, ...FURTHER])].filter((name) => name !== "option");
/** What may be asked for more than once. */
const SEVERAL = ["player", "option"];

const players = new Players();
const games = gamesByName();

/** A day of the address as the moment at which it begins here, or the day after it. @param {string} day @param {number} after */
function midnight(day, after) {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + after);
  // What is no day is refused in words.
  return Number.isNaN(at.getTime()) ? day : at.toISOString();
}

/** What the address asks the archive for. @returns {Record<string, any>} */
function query() {
  const given = [...asked()].filter(([name, value]) => value && FIELDS.includes(name));
  const one = Object.fromEntries(given.map(([name, value]) => [name, name === "since" ? midnight(value, 0) : name === "until" ? midnight(value, 1) : value]));
  return { ...one, ...Object.fromEntries(SEVERAL.map((name) => [name, asked().getAll(name)])) };
}

const found = byId("found");
const list = new Loaded(found, /** @type {Element} */ (found.querySelector("ul")), async (cursor) => {
  if (cursor === null) byId("count").textContent = "";
  const { items, next, count } = await get("/archive/deals", { limit: PAGE, ...query(), ...(cursor ? { cursor } : {}) });
  await players.learn(items.flatMap((/** @type {any} */ deal) => deal.seats.map(idOf)));
  if (count) byId("count").textContent = say("game.deals", { count });
  return { rows: items.map(row), next };
});

/** The id of a person; bots have no profile. @param {any} seat */
const idOf = (seat) => (seat.bot ? null : seat.player);

/** @param {any} deal */
function row(deal) {
  const ids = deal.seats.map(idOf);
  const said = element("span", { role: "status", class: "quiet" });
  return element(
    "li",
    { "data-deal": `${deal.table}/${deal.deal}` },
    element(
      "a",
      { href: deal.page },
      element("span", { class: "title" }, element("span", {}, say("archive.deal", { game: deal.title, played: playedIn(deal), outcome: deal.outcome_name })), timeOf(deal.at)),
      element("span", { class: "players" }, ...deal.seats.map((/** @type {any} */ seat) => seated(seat, ids))),
    ),
    element(
      "p",
      { class: "about quiet" },
      element("b", {}, say("archive.amount", { amount: deal.amount, unit: deal.unit })),
      ...marks(deal).map((text) => element("span", { class: "mark" }, text)),
      // The page of a deal is read without a token.
      deal.listed ? element("a", { href: `/replay/${deal.table}/deal/${deal.deal}#ledger` }, say("deal.ledger")) : null,
      element("button", { type: "button", click: (event) => void save(deal.table, /** @type {HTMLButtonElement} */ (event.currentTarget), said) }, say("archive.record")),
      said,
    ),
  );
}

/** What was played in a deal, with the comma after it: the contract, the trumps, both, or nothing. @param {any} deal */
function playedIn({ contract_name: name, trump }) {
  const [contract, suit] = [name === null ? "" : readable(name), trump === null ? "" : say(`suit.${trump}`)];
  const both = contract && suit ? say("archive.in-suit", { contract, suit }) : contract || suit;
  return both ? say("archive.played", { played: both }) : "";
}

/** A seat with its result. @param {any} seat @param {(string | null)[]} ids */
function seated(seat, ids) {
  const name = seat.bot ? say("bot.any") : seat.player === null ? say("seat.erased") : players.name(seat.player, ids);
  const role = seat.declarer ? [element("span", { class: "role" }, ` (${say("archive.declares")})`)] : [];
  return element("span", { class: seat.declarer ? "declarer" : undefined }, ...named(name), ...role, element("span", { class: "total" }, `\u00a0${signed(seat.result)}`));
}

/** What stands out in a deal. @param {any} deal */
const marks = (deal) => [
  ...(deal.disputed ? [say("archive.mark.disputed")] : []),
  ...(deal.corrected ? [say("archive.mark.corrected")] : []),
  ...(deal.listed ? [] : [say("archive.mark.unlisted")]),
];

/** Saves the record of a table as a file, and says how it went. @param {string} table @param {HTMLButtonElement} button @param {HTMLElement} said */
async function save(table, button, said) {
  button.disabled = true;
  said.textContent = say("loading");
  try {
    const url = URL.createObjectURL(new Blob([await get(`/tables/${table}/export`)]));
    const name = `${table}.ndjson`;
    element("a", { href: url, download: name }).click();
    // A browser may take it a moment later.
    setTimeout(() => URL.revokeObjectURL(url), LEFT_MS);
    said.replaceChildren(say("archive.saved"), " ", await commandFor(name));
  } catch (error) {
    said.textContent = inWords(error);
  } finally {
    button.disabled = false;
    button.focus();
  }
}

/** The command that checks a saved record, with the key of the log. @param {string} name */
async function commandFor(name) {
  const { items } = await get("/log/keys");
  const command = byId("command").textContent.replace(say("archive.file"), name).replace(say("archive.key"), items.at(-1).verifier);
  return element("code", {}, command);
}

/** Shows fields, each with its label, or hides them. @param {string[]} names @param {boolean} are */
const show = (names, are) => names.forEach((name) => byId(name).closest("label").toggleAttribute("hidden", !are));

/** Fills a choice, and chooses what the address asks for. @param {HTMLSelectElement} place @param {[string, string][]} values @param {string} [chosen] */
function offer(place, values, chosen = asked().get(place.id) ?? "") {
  place.replaceChildren(option("", say("list.any")), ...values.map(([value, text]) => option(value, text)));
  place.value = chosen;
  show([place.id], values.length > 0);
}

/** Offers what a game is searched by, as it says itself. */
async function offerTerms() {
  const name = asked().get("game") ?? "";
  const counted = byId("counted");
  counted.hidden = !name;
  counted.href = `/games/${encodeURIComponent(name)}/statistics`;
  show(["order", "rules_version"], name !== "");
  const game = name && (await get(`/games/${encodeURIComponent(name)}`));
  // Another may be chosen meanwhile.
  if (name !== (asked().get("game") ?? "")) return;
  const { searched, words } = game || { searched: {}, words: { terms: {} } };
  const terms = (/** @type {string | null} */ kind) => Object.entries(words.terms[kind ?? ""] ?? {}).map(([value, text]) => /** @type {[string, string]} */ ([value, readable(text)]));
  offer(byId("contract"), terms(searched.contract));
  offer(byId("outcome"), terms("outcome"));
  offer(byId("trump"), searched.trump ? Object.entries(SIGNS).map(([suit, sign]) => [suit, `${sign} ${say(`suit.${suit}`)}`]) : []);
  const rows = game ? Object.entries(game.options.properties).map((one) => optionField(game, one)).filter((field) => field !== null) : [];
  byId("options").replaceChildren(...rows);
  byId("options").hidden = !rows.length;
}

/** The values of an option that can be chosen among; null of one with too many. @param {any} game @param {any} schema @returns {any[] | null} */
function valuesOf(game, schema) {
  const { enum: values, type, minimum, maximum } = schema.$ref ? game.options.$defs[schema.$ref.split("/").pop()] : schema;
  if (values) return values;
  if (type === "boolean") return [true, false];
  return type === "integer" && maximum - minimum < 12 ? Array.from({ length: maximum - minimum + 1 }, (_, place) => minimum + place) : null;
}

/** A choice among the values of an option. @param {any} game @param {[string, any]} of */
function optionField(game, [name, schema]) {
  const values = valuesOf(game, schema);
  if (!values) return null;
  const place = element("select", { id: `option-${name}`, name: "option" });
  const text = (/** @type {any} */ value) => (typeof value === "boolean" ? say(value ? "cell.yes" : "cell.no") : valueText(game, name, value));
  const label = element("label", {}, `${readable(name)} `, place);
  place.append(option("", say("list.any")), ...values.map((value) => option(`${name}:${value}`, text(value))));
  place.value = asked().getAll("option").find((chosen) => chosen.startsWith(`${name}:`)) ?? "";
  const chosen = () => /** @type {HTMLSelectElement[]} */ ([...byId("options").querySelectorAll("select")]).map(({ value }) => value).filter(Boolean);
  place.addEventListener("change", () => choices.ask({ option: chosen() }));
  return label;
}

/** The players who are searched for. */
const wanted = () => asked().getAll("player");

/** Shows who is searched for. */
async function showPlayers() {
  const ids = wanted();
  byId("alike").replaceChildren();
  byId("players").hidden = !ids.length;
  show(["among"], ids.length > 0);
  await players.learn(ids);
  if (ids.join() !== wanted().join()) return;
  byId("players").replaceChildren(
    ...ids.map((id) => {
      const name = players.name(id, ids);
      const leave = () => {
        const others = wanted().filter((other) => other !== id);
        choices.ask({ player: others, ...(others.length ? {} : { among: "" }) });
        byId("name").focus();
      };
      return element("li", {}, element("a", { href: `/players/${id}` }, name), " ", element("button", { type: "button", "aria-label": say("archive.player.remove", { name }), click: leave }, "×"));
    }),
  );
  for (const place of [byId("look-up"), byId("name")]) place.disabled = ids.length >= MOST_PLAYERS;
}

/** Searches for a player, too. @param {string} id */
function add(id) {
  byId("name").value = "";
  byId("alike").replaceChildren();
  choices.ask({ player: [...new Set([...wanted(), id])].slice(0, MOST_PLAYERS) });
  byId("name").focus();
}

/** Looks a name up: of several players who have it, one is chosen. */
async function lookUp() {
  const name = byId("name").value.trim();
  if (!name) return;
  const { items } = await get("/players", { name }).catch((error) => {
    byId("alike").textContent = inWords(error);
    if (error.status === undefined) throw error;
    return { items: null };
  });
  if (items === null || name !== byId("name").value.trim()) return;
  const ids = items.map((/** @type {any} */ { player }) => player);
  await players.learn(ids);
  if (items.length === 1) return add(ids[0]);
  const games = (/** @type {any} */ { record }) => (record ? say("archive.player.games", { count: record.games }) : "");
  const buttons = items.map((/** @type {any} */ one) => element("button", { type: "button", click: () => add(one.player) }, players.name(one.player, ids), " ", element("span", { class: "quiet" }, games(one))));
  byId("alike").replaceChildren(say(items.length ? "archive.player.which" : "archive.player.none", { name }), ...buttons.flatMap((/** @type {Node} */ button) => [" ", button]));
}

const choices = new Choices(FIELDS, async () => {
  if (FURTHER.some((name) => asked().has(name))) byId("further").open = true;
  await Promise.all([offerTerms(), showPlayers(), list.show()]);
}, { game: WITHIN });

byId("filters").addEventListener("submit", () => void lookUp().catch(fail));
byId("rule").addEventListener("change", () => {
  byId("rule").value = byId("rule").value.trim().toUpperCase();
});
byId("clear").addEventListener("click", () => {
  byId("name").value = "";
  choices.ask(Object.fromEntries([...FIELDS, ...SEVERAL].map((name) => [name, ""])));
});
byId("add-me").hidden = !token();
byId("add-me").addEventListener("click", () => void get("/players/me").then(({ player }) => add(player)).catch(fail));
choices.start(games);
