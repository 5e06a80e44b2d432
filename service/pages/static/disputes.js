/** Disputes at all tables by state, game and rule, newest first. What is asked for stands in the page's address. */

import { get } from "./api.js";
import { asked, Choices } from "./choices.js";
import { byId, element } from "./dom.js";
import { gamesByName, Loaded, timeOf, titleOf } from "./listing.js";
import { Players } from "./names.js";
import { say } from "./say.js";

const PAGE = 20;
const FILTERS = ["status", "game", "rule"];

const players = new Players();
const games = gamesByName();

const found = byId("found");
const list = new Loaded(found, /** @type {Element} */ (found.querySelector("ul")), async (cursor) => {
  const query = Object.fromEntries([...asked()].filter(([name, value]) => FILTERS.includes(name) && value));
  const [known, { items, next }] = await Promise.all([games, get("/disputes", { limit: PAGE, ...query, ...(cursor ? { cursor } : {}) })]);
  await players.learn(items.map((/** @type {any} */ dispute) => dispute.player));
  return { rows: items.map((/** @type {any} */ dispute) => row(dispute, known)), next };
});

/** @param {any} dispute @param {import("./listing.js").Games} known */
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

byId("rule").addEventListener("change", () => {
  byId("rule").value = byId("rule").value.trim().toUpperCase();
});
new Choices(FILTERS, () => list.show()).start(games);
