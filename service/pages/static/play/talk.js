/** What players say to each other at the table. */

import { element } from "../dom.js";
import { say } from "../say.js";

/** @typedef {import("./play.js").Game} Game */

/** The field in which one writes, where the table allows it. What was said stands among the news. */
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
    this.append(form);
  }

  /** @param {Game} game */
  show(game) {
    const offer = game.saying;
    this.game = game;
    this.hidden = !offer;
    if (!offer) return;
    const [, { text }] = Object.entries(offer.fields).find(([, field]) => field.text) ?? [];
    this.field?.setAttribute("maxlength", text.max);
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
