/** What players say to each other at the table. */

import { element } from "../dom.js";
import { heard, onMuted, spokenIn } from "../muting.js";
import { aboutOthers } from "../others.js";
import { say } from "../say.js";
import { coloured } from "../sentences.js";

/** @typedef {import("./play.js").Game} Game */

/** The words of so many events are kept. */
const MOST = 60;

/**
 * The field in which one writes, where the table allows it, and what can be done about others' words. What was said stands
 * among the news.
 */
export class PlayTalk extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.field = element("input", { type: "text", id: "talk-text", autocomplete: "off" });
    this.button = element("button", { type: "submit" }, say("play.talk.send"));
    const form = element("form", {}, element("label", { for: "talk-text" }, say("play.talk")), element("div", { class: "one-line" }, this.field, this.button));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.send();
    });
    this.form = form;
    /** The events in which somebody said something. @type {any[]} */
    this.spoken = [];
    this.others = element("div", {});
    this.about = element("details", { "data-kept": "others", hidden: true }, element("summary", {}, say("others.title")), this.others);
    this.append(form, this.about);
    onMuted(() => this.retell());
  }

  /** Keeps what was said among these events. @param {any[]} events */
  hear(events) {
    const last = this.spoken.at(-1)?.version ?? 0;
    this.spoken = [...this.spoken, ...events.filter((event) => event.version > last && spokenIn(event) !== "")].slice(-MOST);
  }

  /** Tells again what was said, with the words of those who are not muted. */
  retell() {
    const { game } = this;
    if (!game?.view) return;
    for (const event of this.spoken) {
      const told = heard(event, (seat) => game.playerAt(seat));
      document.querySelector(`play-news [data-version="${event.version}"]`)?.replaceChildren(...coloured(game.words.event(told, 1)));
      game.talked.set(event.public.seat, spokenIn(told));
    }
    game.paint();
  }

  /** @param {Game} game */
  show(game) {
    const offer = game.saying;
    this.game = game;
    this.showOthers();
    this.form.hidden = !offer;
    if (!offer) return;
    const [, { text }] = Object.entries(offer.fields).find(([, field]) => field.text) ?? [];
    this.field?.setAttribute("maxlength", text.max);
  }

  /** Shows the people at the table other than oneself. Bots say nothing. */
  showOthers() {
    const { game } = this;
    const people = game.view.seats.filter((/** @type {any} */ seat) => seat.player !== null && seat.seat !== game.seat && !game.isBot(seat.seat));
    const others = people.map((/** @type {any} */ { seat, player }) => ({ seat, player, name: game.name(seat) }));
    this.about.hidden = others.length === 0;
    this.others.replaceChildren(...aboutOthers(others, this.spoken, game.table, () => game.paint()));
  }

  async send() {
    const field = /** @type {HTMLInputElement} */ (this.field);
    const offer = this.game?.saying;
    const text = field.value.trim().replaceAll(/\s+/g, " ");
    if (!offer || !text) return;
    const [name] = Object.entries(offer.fields).find(([, one]) => one.text) ?? [];
    if (await this.game?.utter({ type: offer.type, [name]: text })) field.value = "";
    field.focus();
  }
}

customElements.define("play-talk", PlayTalk);
