/** What may be chosen now: acts to take, values to pick, and what is picked so far; and cards that may be tapped. */

import { byId, cardName, element, isCard } from "../dom.js";
import { say } from "../say.js";
import { coloured } from "../sentences.js";
import { keyOf } from "./choosing.js";

/** @typedef {import("./play.js").Game} Game */
/** @typedef {import("./choosing.js").Token} Token */

/** What a field of an act is called, as the game has it. @param {any} words @param {string} field @returns {string} */
const fieldName = (words, field) => words.words.terms.field?.[field] ?? field.replaceAll("_", " ");

/** The cards of the group in a view that has this number, such as a meld's among melds; null where there is none. @param {any} view @param {string} field @param {any} value @returns {string[] | null} */
function groupOf(view, field, value) {
  if (view === null || typeof view !== "object") return null;
  const one = field.replace(/s$/, "");
  const groups = Array.isArray(view[`${one}s`]) ? view[`${one}s`] : [];
  const group = groups.find((/** @type {any} */ each) => each?.[one] === value && Array.isArray(each.cards));
  if (group) return group.cards;
  for (const inner of Object.values(view)) {
    const found = groupOf(inner, field, value);
    if (found) return found;
  }
  return null;
}

/** The cards of the group that has this number; nothing where there is none. @param {Game} game @param {string} field @param {any} value */
const cardsOf = ({ now: view, words }, field, value) => (typeof value === "number" && groupOf(view, field, value)?.map((card) => words.card(card)).join(" ")) || null;

/** A value of an act's field in words. @param {Game} game @param {string} field @param {any} value @returns {string} */
export const valueText = (game, field, value) => cardsOf(game, field, value) ?? game.words.value(value, field);

/** Whether nothing is chosen in an act of this type. @param {import("./choosing.js").Choosing} choosing @param {any} act */
const isPlain = ({ offers }, { type }) => offers.some((offer) => offer.type === type && !Object.keys(offer.fields).length);

/** An act in words, in which a group is named by its cards; one in which nothing is chosen, by its label. @param {Game} game @param {any} act */
export function actText(game, act) {
  if (isPlain(game.choosing, act)) return game.words.label(act.type);
  return game.words.act(Object.fromEntries(Object.entries(act).map(([field, value]) => [field, cardsOf(game, field, value) ?? value])));
}

/** How many cards are to be gathered, in words. @param {Game} game @returns {string[]} */
function gathered({ choosing, words }) {
  const fields = choosing.gathers();
  return fields.map(({ type, field, min, max }) => {
    // Labels begin with a verb. Of several fields, each is called by its own name.
    const [verb = ""] = words.label(type).split(" ");
    const act = fields.filter((one) => one.type === type).length > 1 ? fieldName(words, field) : verb.toLowerCase();
    return say(min === max ? "play.gather-exactly" : min ? "play.gather" : "play.gather-or-none", { act, min, max, count: max });
  });
}

/** What is still to be chosen. @param {Game} game */
function unfinished({ choosing, words }) {
  const fields = choosing.missing().map((field) => fieldName(words, field));
  return fields.length ? say("play.missing", { fields: fields.join(", ") }) : say("play.unfinished");
}

/** What a value of a field promises and costs, or an act under the name `act`, where the game says so. @param {any} words @param {string} of @param {any} value @returns {string | undefined} */
export const promiseOf = (words, of, value) => words.words.promises[of]?.[value];

/** In words what values promise and cost, or types of act under `act`: each once. @param {Game} game @param {[string, any][]} chosen @returns {string[]} */
const promises = (game, chosen) =>
  [...new Set(chosen.flatMap(([of, value]) => {
    const text = promiseOf(game.words, of, value);
    return text ? say("play.promise", { name: of === "act" ? game.words.label(value) : valueText(game, of, value), text }) : [];
  }))];

/** An act to take, or the place that it keeps while it is not open. @param {Game} game @param {any} act @param {boolean} open */
function shownAct(game, act, open) {
  const key = { "data-key": `act:${JSON.stringify(act)}` };
  if (!open) return element("span", { ...key, class: "idle", role: "button", tabindex: -1, "aria-disabled": "true" }, actText(game, act));
  return element("button", { ...key, type: "button", class: "main", "data-act": act.type, title: promiseOf(game.words, "act", act.type), click: () => void game.send(act) }, actText(game, act));
}

/** The acts and values to choose from. */
export class PlayChoices extends HTMLElement {
  connectedCallback() {
    /** The acts that stand in the page without turns, offered or not, and the phase in which. @type {{phase: string, acts: any[]}} */
    this.standing = { phase: "", acts: [] };
  }

  /** @param {Game} game */
  show(game) {
    const { choosing, sent, words } = game;
    const acts = sent ? [] : choosing.ready();
    const open = acts.filter((act) => isPlain(choosing, act));
    const made = acts.filter((act) => !open.includes(act));
    const undo = !sent && choosing.picked.length
      ? element("button", { type: "button", "data-key": "undo", class: "undo", click: () => game.takeBack() }, say("play.undo"))
      : null;
    const said = sent ? [] : [
      choosing.lost ? say("play.lost-choice") : "",
      ...gathered(game),
      choosing.picked.length && !made.length ? unfinished(game) : "",
      ...(game.purpose ? promises(game, acts.map(({ type }) => ["act", type])) : []),
    ];
    // It lies over the table, so that nothing that may be tapped next is moved.
    byId("promise").textContent = promises(game, choosing.picked.flatMap((token) => ("type" in token ? [[token.field, token.value]] : []))).join(" ");
    this.replaceChildren(
      ...(sent ? [] : this.values(game)),
      element(
        "div",
        { class: "acts", role: "group", "aria-label": say("play.acts-label"), "data-roving": "acts" },
        ...this.plain(game, open).map((act) => shownAct(game, act, open.includes(act))),
        ...made.map((act) => shownAct(game, act, true)),
        undo,
      ),
      ...(sent ? [element("p", { class: "sent-act" }, ...coloured(words.sending(sent)))] : []),
      ...said.filter(Boolean).map((text) => element("p", { class: "quiet" }, text)),
    );
  }

  /** The acts without a choice: those that are open; without turns, all that were open in this phase, each in its place. @param {Game} game @param {any[]} open */
  plain({ now: view, choosing }, open) {
    if (view.to_act.length || view.status !== "playing") return open;
    const phase = `${view.deal}:${view.phase}`;
    if (this.standing.phase !== phase) this.standing = { phase, acts: [] };
    const { acts } = this.standing;
    for (const act of choosing.ready()) if (isPlain(choosing, act) && !acts.some(({ type }) => type === act.type)) acts.push(act);
    return acts.map((act) => open.find(({ type }) => type === act.type) ?? act);
  }

  /** Values that are not on the table, by the field of an act. @param {Game} game */
  values(game) {
    const { choosing } = game;
    // What lies on the table is chosen there, but for none of it.
    const lies = (/** @type {string} */ field) => document.querySelector(`[data-field="${field}"], [data-field="${field.replace(/s$/, "")}"]`) !== null;
    // What others have just laid will be seen.
    const lags = game.view.version < game.now.version;
    const seen = new Set([...document.querySelectorAll("play-board [data-card]:not(.trick *), play-hand [data-card]")].map((one) => /** @type {HTMLElement} */ (one).dataset.card));
    const fields = choosing.fields((card) => lags || seen.has(card));
    const left = fields.map((one) => ({ ...one, values: one.values.filter((value) => (value === null ? choosing.awaits(one.type, one.field) : !lies(one.field))) }));
    return left.filter(({ values }) => values.length).map(({ type, field, values }) => {
      const alone = choosing.offers.every((offer) => offer.type !== type || Object.keys(offer.fields).length === 1);
      const label = game.words.label(type);
      // A number says by itself nothing about what it counts.
      const legend = alone && !values.every((value) => typeof value === "number") ? label : say("play.field", { act: label, field: fieldName(game.words, field) });
      return element(
        "div",
        { class: "values", role: "group", "aria-label": legend, "data-roving": `${type}:${field}` },
        element("span", { class: "quiet", title: game.words.words.fields?.acts?.[type]?.[field] }, legend),
        ...values.map((value) => this.value(game, choosing.isCard(value) ? { card: value } : { type, field, value }, valueText(game, field, value))),
      );
    });
  }

  /** @param {Game} game @param {Token} token @param {string} text */
  value(game, token, text) {
    const { choosing } = game;
    const simple = "type" in token && choosing.isSimple(token.type);
    const picked = choosing.has(token);
    const other = !picked && choosing.picked.length > 0 && !choosing.fits(token);
    const { field, value } = "type" in token ? token : { field: "", value: token.card };
    const suit = game.words.words.terms[field]?.[value] === undefined && "shdc".includes(value) && String(value).length === 1;
    return element(
      "button",
      {
        type: "button",
        class: `value${picked ? " picked" : ""}${other ? " other" : ""}${suit ? ` of-${value}` : ""}`,
        "data-key": keyOf(token),
        "data-value": JSON.stringify(value),
        title: promiseOf(game.words, field, value),
        "aria-pressed": simple ? undefined : String(picked),
        click: () => game.tap(token),
      },
      text,
    );
  }
}

/**
 * Makes buttons of the cards that may be tapped, and of one's own, of which the game says why they may not.
 * @param {HTMLElement} root
 * @param {Game} game
 */
export function touchable(root, game) {
  const { choosing, sent } = game;
  const marked = new Set(sent ? Object.values(sent).flat() : []);
  const gathering = choosing.offers.length > 0 && !choosing.offers.every(({ type }) => choosing.isSimple(type));
  for (const shown of root.querySelectorAll("[data-card]")) {
    if (!(shown instanceof HTMLElement) || shown.closest(".trick")) continue;
    const { card = "" } = shown.dataset;
    const token = { card };
    const own = shown.closest('[data-place="own"] [data-roving="hand"]') !== null;
    const may = !sent && choosing.admits(token);
    if (marked.has(card)) shown.classList.add("sent");
    if (!own && !may) continue;
    const picked = choosing.has(token);
    const button = element(
      "button",
      {
        type: "button",
        class: `${shown.className} touch${may ? " may" : ""}${picked ? " picked" : ""}${may && choosing.picked.length && !picked && !choosing.fits(token) ? " other" : ""}`,
        "data-card": card,
        "data-key": `card:${card}`,
        "aria-label": cardName(card),
        "aria-disabled": may ? undefined : "true",
        "aria-pressed": may && gathering ? String(picked) : undefined,
      },
      ...shown.childNodes,
    );
    shown.replaceWith(button);
  }
}

/**
 * Makes buttons of places that are values of a field, such as melds to add to: they lie on the table under the field's
 * name, or under the name of one of its parts.
 * @param {HTMLElement} root
 * @param {Game} game
 */
export function reachable(root, game) {
  const { choosing, sent } = game;
  for (const [pile, types] of Object.entries(game.words.words.piles)) {
    const shown = root.querySelector(`[data-pile="${pile}"]`);
    const act = sent ? undefined : choosing.ready().find((one) => types.includes(one.type) && isPlain(choosing, one));
    if (!act || !shown || shown.querySelector("button")) continue;
    const label = `${actText(game, act)}, ${shown.getAttribute("aria-label")}`;
    const button = element("button", { type: "button", class: "pile-of", "data-key": `pile:${pile}`, "aria-label": label, click: () => void game.send(act) });
    button.append(...shown.childNodes);
    shown.append(button);
  }
  for (const shown of root.querySelectorAll("[data-field]")) {
    if (!(shown instanceof HTMLElement) || sent) continue;
    const { field = "", value = "" } = shown.dataset;
    const tokens = choosing.offers.flatMap((offer) =>
      [field, `${field}s`].filter((name) => name in offer.fields).map((name) => ({ type: offer.type, field: name, value: Number(value) })),
    );
    const admitted = tokens.filter((token) => choosing.admits(token));
    const token = admitted.find((one) => choosing.has(one)) ?? admitted.find((one) => choosing.fits(one)) ?? admitted[0];
    if (!token) continue;
    const picked = choosing.has(token);
    const label = shown.getAttribute("aria-label") ?? "";
    const text = say("play.place", { place: valueText(game, field, token.value), field: fieldName(game.words, field) });
    const button = element("button", {
      type: "button",
      class: `place-of${picked ? " picked" : ""}${!picked && choosing.picked.length && !choosing.fits(token) ? " other" : ""}`,
      "data-key": keyOf(token),
      "data-place-of": JSON.stringify(token),
      "aria-label": label && label !== text ? `${text}, ${label}` : text,
      "aria-pressed": String(picked),
    });
    // A column keeps its cards in their places.
    if (shown.querySelector("button") || shown.classList.contains("column")) button.textContent = say("play.here");
    else button.append(...shown.childNodes);
    shown.append(button);
  }
}

/** Whether an offer is one of saying something. @param {any} offer */
export const isSaying = (offer) => Object.values(offer.fields).some((field) => field.text);

/** The field of a card by which a seat acts now, to ask why another is not offered. @param {any[]} offers @returns {[string, string] | null} */
export function cardField(offers) {
  for (const { type, fields } of offers) {
    for (const [name, field] of Object.entries(fields)) {
      if (field.one_of?.some((/** @type {any} */ one) => typeof one === "string" && isCard(one))) return [type, name];
    }
  }
  return null;
}

customElements.define("play-choices", PlayChoices);
