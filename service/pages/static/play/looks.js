/** How cards look, to be chosen. */

import { element } from "../dom.js";
import { choose, look, LOOKS } from "../looks.js";
import { say } from "../say.js";

/** The colours of suits, their order in a hand, and the size of cards. */
class PlayLooks extends HTMLElement {
  connectedCallback() {
    this.replaceChildren(...Object.entries(LOOKS).map(([name, ones]) => choice(name, ones)));
  }
}

/** @param {string} name @param {string[]} ones */
function choice(name, ones) {
  const options = ones.map((one) => element("option", { value: one }, say(`play.look.${name}.${one}`)));
  const select = /** @type {HTMLSelectElement} */ (element("select", { name, change: () => choose(name, select.value) }, ...options));
  select.value = look(name);
  return element("label", {}, say(`play.look.${name}`), " ", select);
}

customElements.define("play-looks", PlayLooks);
