/** What was just done, as sentences, and whose turn it is: what a screen reader hears. */

import { element } from "../dom.js";
import { say } from "../say.js";
import { coloured } from "../sentences.js";
import { citing } from "./rules.js";

/** @typedef {import("./play.js").Game} Game */

/** So many sentences stand in the page. */
const MOST = 60;

/** The events that were, each in a sentence, the newest at the bottom. */
export class PlayNews extends HTMLElement {
  connectedCallback() {
    this.isPinned = true;
    /** How far the list was scrolled when it was last. */
    this.scrolled = 0;
    /** The last event that was told. */
    this.told = 0;
    this.list = element("div", { class: "said", role: "log", "aria-live": "polite", "aria-relevant": "additions", "aria-label": say("play.news"), tabindex: 0 });
    this.replaceChildren(element("h2", {}, say("play.news")), this.list);
    const { list } = this;
    // A reader who has scrolled back stays there. Lines that wrap anew, or a list that is lower by now, move nobody else.
    list.addEventListener("scroll", () => {
      const { scrollTop, scrollHeight, clientHeight } = list;
      this.isPinned = scrollHeight - scrollTop - clientHeight < 40 || (this.isPinned && scrollTop >= this.scrolled);
      this.scrolled = scrollTop;
    });
    new ResizeObserver(() => this.show()).observe(list);
  }

  /**
   * Tells events that were not told yet; those of before quietly.
   * @param {any[]} events
   * @param {Game} game
   */
  tell(events, game) {
    const { list } = this;
    for (const event of events) {
      if (event.version <= this.told) continue;
      this.told = event.version;
      const said = coloured(game.words.event(event, 1));
      list.append(element("p", { "data-version": event.version, class: event.actor === "house" ? "house" : undefined }, ...said));
    }
    while (list.children.length > MOST) list.firstElementChild?.remove();
    this.show();
  }

  /** Says how many events up to a version are not told, with the way to look at them. @param {number} upto @param {Game} game */
  skip(upto, { table }) {
    const count = upto - this.told;
    if (count <= 0) return;
    const link = element("a", { href: `/replay/${table}${location.search}#${this.told + 1}` }, say("play.news.replay"));
    this.list.append(element("p", { class: "house", "data-skipped": count }, say("play.news.skipped", { count }), " ", link));
    this.told = upto;
  }

  /** Shows the newest. */
  show() {
    if (this.isPinned) this.list.scrollTop = this.list.scrollHeight;
  }

  /** Forgets what was told, where the page is another reader's from now on. */
  forget() {
    this.told = 0;
    this.list?.replaceChildren();
  }
}

/** Whose turn it is. */
export class PlayTurn extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.setAttribute("role", "status");
    this.tabIndex = -1;
    this.append(element("span"));
  }

  /** @param {Game} game */
  show(game) {
    const prompt = this.text(game);
    const { said, sent } = game;
    const purpose = said || sent ? "" : game.purpose;
    const text = [prompt, purpose].filter(Boolean).join(" ");
    this.classList.toggle("mine", game.mine && !game.sent);
    const shown = /** @type {HTMLElement} */ (this.firstChild);
    // The same text again would be read out again.
    if (shown.textContent !== text) shown.replaceChildren(...citing(game.rules, prompt, said && game.rule), ...(purpose ? [" ", element("span", { class: "purpose" }, purpose)] : []));
  }

  /** @param {Game} game */
  text({ now: view, words, mine, moment, sent, seat, said }) {
    if (said) return said;
    if (view.status === "finished") return view.winners?.length ? say("play.won", { names: view.winners.map(words.name).join(", ") }) : say("play.status.finished");
    if (view.status !== "playing") return say(`play.status.${view.status}`);
    if (sent) return say("play.waits");
    if (mine) return `${words.prompt(view, moment.offers) ?? say(view.to_act.length ? "play.your-turn" : "play.may")}`;
    const others = view.to_act.filter((/** @type {number} */ one) => one !== seat).map(words.name);
    return others.length ? say("play.waiting", { names: others.join(", ") }) : say("play.waits");
  }
}

customElements.define("play-news", PlayNews);
customElements.define("play-turn", PlayTurn);
