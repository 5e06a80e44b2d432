/** Disputes at all tables by state, game and rule, newest first. What is asked for stands in the page's address. */

import { get } from "./api.js";
import { byId, element, fail } from "./dom.js";
import { mountIdentity } from "./identity.js";
import { gamesByName, Loaded, offerGames, timeOf, titleOf } from "./lists.js";
import { Players } from "./players.js";
import { say } from "./say.js";

const PAGE = 20;
const FILTERS = ["status", "game", "rule"];

const players = new Players();
const games = gamesByName();

/** What the address asks for. */
const asked = () => new URLSearchParams(location.search);
const found = byId("found");
const list = new Loaded(found, /** @type {Element} */ (found.querySelector("ul")), async (cursor) => {
  const query = Object.fromEntries([...asked()].filter(([name, value]) => FILTERS.includes(name) && value));
  const [known, { items, next }] = await Promise.all([games, get("/disputes", { limit: PAGE, ...query, ...(cursor ? { cursor } : {}) })]);
  await players.learn(items.map((/** @type {any} */ dispute) => dispute.player));
  return { rows: items.map((/** @type {any} */ dispute) => row(dispute, known)), next };
});

/** @param {any} dispute @param {import("./lists.js").Games} known */
function row(dispute, known) {
  const title = say("disputes.title", { dispute: dispute.dispute, game: titleOf(known, dispute.game) });
  return element(
    "li",
    { "data-dispute": `${dispute.table}/${dispute.dispute}` },
    element(
      "a",
      { href: `/disputes/${dispute.table}/${dispute.dispute}` },
      element(
        "span",
        { class: "title" },
        element("span", {}, title, " ", element("span", { class: `badge ${dispute.status}` }, say(`disputes.${dispute.status}`))),
        timeOf(dispute.at),
      ),
      element("span", { class: "words" }, dispute.reason ?? say("desk.erased")),
      element("span", { class: "quiet" }, say("disputes.by", { name: players.name(dispute.player, []), rules: dispute.rules.join(", ") })),
    ),
  );
}

/** Shows what the address asks for, in the choices and in the list. */
async function show() {
  for (const name of FILTERS) byId(name).value = asked().get(name) ?? "";
  await list.show();
}

/** Asks for something else. @param {string} name @param {string} value */
function ask(name, value) {
  const query = asked();
  if (value) query.set(name, value);
  else query.delete(name);
  history.pushState(null, "", `/disputes${query.size ? `?${query}` : ""}`);
  void show().catch(fail);
}

for (const name of FILTERS) {
  byId(name).addEventListener("change", () => {
    const value = name === "rule" ? byId(name).value.trim().toUpperCase() : byId(name).value;
    byId(name).value = value;
    if (byId(name).reportValidity()) ask(name, value);
  });
}
byId("filters").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
window.addEventListener("popstate", () => void show().catch(fail));

mountIdentity(byId("identity"));
void show().catch(fail);
games
  .then((known) => {
    offerGames(byId("game"), known, asked().get("game"), say("games.all"));
    byId("game").disabled = false;
  })
  .catch(fail);
