/** The rules of the game beside the table, which open at the rule that is cited. */

import { element, named } from "../dom.js";
import { ruleAddress, ruleLink } from "../rules.js";
import { say } from "../say.js";

/** A text in which the rule that it cites is a link. @param {any} rules @param {string} text @param {string | null} [rule] */
export function citing(rules, text, rule) {
  // What is cited stands last: the text of a rule may name others, of numbers that begin alike.
  const place = rule ? text.lastIndexOf(rule) : -1;
  return rule && place >= 0 ? [...named(text.slice(0, place)), ruleLink(rules, rule), ...named(text.slice(place + rule.length))] : named(text);
}

/** The game's introduction and its rules, as its page has them. */
class PlayRules extends HTMLElement {
  connectedCallback() {
    this.panel = /** @type {HTMLDetailsElement} */ (this.parentElement);
    /** The address of what is shown. */
    this.shown = "";
    this.panel.addEventListener("toggle", () => this.panel.open && void this.load());
    document.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a.rule") : null;
      // Another key opens the page itself.
      if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void this.open(decodeURIComponent(link.hash.slice(1)));
    });
  }

  /** @param {import("./play.js").Game} game */
  show(game) {
    this.address = ruleAddress(game.rules, "").replace("#", "");
    if (this.panel.open) void this.load();
  }

  /** Has the parts of the page that the panel shows. */
  load() {
    if (this.address && this.address !== this.shown) this.loading = this.read((this.shown = this.address));
    return this.loading;
  }

  /** @param {string} address */
  async read(address) {
    if (!this.childElementCount) this.append(element("p", {}, say("loading")));
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      this.replaceChildren(...page.querySelectorAll("#introduction, section.rules"));
    } catch {
      this.shown = "";
      this.replaceChildren(element("p", {}, say("unreachable")));
    }
  }

  /** Opens the panel at a rule. @param {string} rule */
  async open(rule) {
    this.panel.open = true;
    await this.load();
    this.querySelector(".cited")?.classList.remove("cited");
    const cited = this.querySelector(`[id="${CSS.escape(rule)}"]`);
    if (!(cited instanceof HTMLElement)) return;
    cited.classList.add("cited");
    cited.tabIndex = -1;
    cited.focus({ preventScroll: true });
    this.panel.scrollIntoView({ block: "nearest" });
    this.scrollTop = cited.offsetTop - this.offsetTop;
  }
}

customElements.define("play-rules", PlayRules);
