/** What may be chosen now: acts to take, values to pick, and what is picked so far; and cards that may be tapped. */

import { cardName, element, isCard } from "../dom.js";
import { say } from "../say.js";
import { coloured } from "../sentences.js";
import { keyOf } from "./choosing.js";

/** @typedef {import("./play.js").Game} Game */
/** @typedef {import("./choosing.js").Token} Token */

/** The cards of the group in a view that has this number, such as a meld's; null where there is none. @param {any} view @param {string} field @param {any} value @returns {string[] | null} */
function groupOf(view, field, value) {
  if (view === null || typeof view !== "object") return null;
  if (!Array.isArray(view) && view[field.replace(/s$/, "")] === value && Array.isArray(view.cards)) return view.cards;
  for (const inner of Object.values(view)) {
    const found = groupOf(inner, field, value);
    if (found) return found;
  }
  return null;
}

/** A value of an act's field in words. @param {Game} game @param {string} field @param {any} value @returns {string} */
export function valueText({ view, words }, field, value) {
  if (value === null) return say("play.none");
  if (typeof value !== "number") return words.value(value, field);
  const cards = groupOf(view, field, value);
  return cards ? cards.map((card) => words.card(card)).join(" ") : words.value(value, field);
}

/** An act in words. @param {Game} game @param {any} act */
export function actText(game, { type, ...fields }) {
  const values = Object.entries(fields).map(([field, value]) => {
    const each = Array.isArray(value) ? value.map((one) => valueText(game, field, one)).join(" ") : valueText(game, field, value);
    return Array.isArray(value) && !value.length ? "" : each;
  });
  const said = values.filter(Boolean).join(", ");
  const label = game.words.label(type);
  if (said) return say("play.act", { act: label, values: said });
  // That no card is chosen is said where some could be.
  const gathers = game.choosing.offers.some((offer) => offer.type === type && Object.values(offer.fields).some((field) => field.some_of));
  return gathers ? say("play.act", { act: label, values: say("play.no-cards") }) : label;
}

/** The acts and values to choose from. */
export class PlayChoices extends HTMLElement {
  /** @param {Game} game */
  show(game) {
    const { choosing, sent, words } = game;
    if (sent) {
      this.replaceChildren(element("p", { class: "sent-act" }, ...coloured(words.sending(sent))));
      return;
    }
    const acts = choosing.ready();
    const [plain, made] = [acts.filter((act) => Object.keys(act).length === 1), acts.filter((act) => Object.keys(act).length > 1)];
    const hint = choosing.gathers().map(({ type, min, max }) => element("p", { class: "quiet" }, say(min === max ? "play.gather-exactly" : "play.gather", { act: words.label(type), min, max })));
    const undo = choosing.picked.length
      ? element("button", { type: "button", "data-key": "undo", class: "undo", click: () => game.takeBack() }, say("play.undo"))
      : null;
    const unfinished = choosing.picked.length && !acts.some((act) => Object.keys(act).length > 1) ? element("p", { class: "quiet" }, say("play.unfinished")) : null;
    const lost = choosing.lost ? element("p", { class: "quiet" }, say("play.lost-choice")) : null;
    this.replaceChildren(
      ...[lost, ...hint, unfinished].filter(Boolean),
      ...this.values(game),
      element(
        "div",
        { class: "acts", role: "group", "aria-label": say("play.acts-label"), "data-roving": "acts" },
        ...[...made, ...plain].map((act) =>
          element("button", { type: "button", class: "main", "data-key": `act:${JSON.stringify(act)}`, "data-act": act.type, click: () => void game.send(act) }, actText(game, act)),
        ),
        undo,
      ),
    );
  }

  /** Values that are no cards, by the field of an act. @param {Game} game */
  values(game) {
    const fields = game.choosing.fields();
    // What lies on the table is chosen there.
    const lies = (/** @type {{field: string}} */ { field }) => document.querySelector(`[data-field="${field}"], [data-field="${field.replace(/s$/, "")}"]`) !== null;
    return fields.filter((one) => !lies(one)).map(({ type, field, values }) => {
      const alone = fields.filter((one) => one.type === type).length === 1;
      const label = game.words.label(type);
      const legend = alone ? label : say("play.field", { act: label, field: field.replaceAll("_", " ") });
      return element(
        "div",
        { class: "values", role: "group", "aria-label": legend, "data-roving": `${type}:${field}` },
        element("span", { class: "quiet", title: game.words.words.fields?.acts?.[type]?.[field] }, legend),
        ...values.map((value) => this.value(game, { type, field, value })),
      );
    });
  }

  /** @param {Game} game @param {{type: string, field: string, value: any}} token */
  value(game, token) {
    const { choosing } = game;
    const text = valueText(game, token.field, token.value);
    const simple = choosing.isSimple(token.type);
    const picked = choosing.has(token);
    const other = !picked && choosing.picked.length > 0 && !choosing.fits(token);
    const suit = game.words.words.terms[token.field]?.[token.value] === undefined && "shdc".includes(token.value) && String(token.value).length === 1;
    return element(
      "button",
      {
        type: "button",
        class: `value${picked ? " picked" : ""}${other ? " other" : ""}${suit ? ` of-${token.value}` : ""}`,
        "data-key": keyOf(token),
        "data-value": JSON.stringify(token.value),
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
    const text = say("play.place", { place: valueText(game, field, token.value), field: field.replaceAll("_", " ") });
    const button = element("button", {
      type: "button",
      class: `place-of${picked ? " picked" : ""}${!picked && choosing.picked.length && !choosing.fits(token) ? " other" : ""}`,
      "data-key": keyOf(token),
      "data-place-of": JSON.stringify(token),
      "aria-label": label && label !== text ? `${text}, ${label}` : text,
      "aria-pressed": String(picked),
    });
    if (shown.querySelector("button")) button.textContent = say("play.here");
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
