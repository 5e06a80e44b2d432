/** Seats before the game begins, and what else one does at a table: invite, leave, offer the end, play again. */

import { element, named } from "../dom.js";
import { say } from "../say.js";

/** @typedef {import("./play.js").Game} Game */

/** A button that does something at the table once, and says so where it is refused. @param {Game} game @param {string} key @param {string} text @param {() => Promise<unknown>} act @param {string} [kind] */
const button = (game, key, text, act, kind) =>
  element("button", { type: "button", "data-key": key, class: kind, click: () => void game.attempt(act) }, text);

/** The seats of a table that is open, and who may take them. */
export class PlaySeating extends HTMLElement {
  /** @param {Game} game */
  show(game) {
    const { view, words, levels } = game;
    this.hidden = view.status !== "open";
    if (this.hidden) return this.replaceChildren();
    const seated = game.seat !== null;
    const rows = view.seats.map((/** @type {any} */ { seat, player, bot }) => {
      const label = say("play.seat", { seat: seat + 1 });
      if (player) {
        const away = bot && game.stays ? button(game, `away:${seat}`, say("play.remove-bot", { seat: seat + 1 }), () => game.at.removeBot(seat)) : null;
        return element("li", {}, element("b", {}, label), element("span", {}, ...named(words.name(seat))), away);
      }
      const sit = seated ? null : button(game, `sit:${seat}`, say("play.sit", { seat: seat + 1 }), () => game.sit(seat), "main");
      const bots = game.token ? levels.map((/** @type {any} */ { level }) => button(game, `bot:${seat}:${level}`, say("play.seat-bot", { level: say(`level.${level}`), seat: seat + 1 }), () => game.at.seatBot(level, seat))) : [];
      return element("li", {}, element("b", {}, label), element("span", { class: "quiet" }, say("seat.free")), sit, ...bots);
    });
    this.replaceChildren(element("h2", {}, say("play.seats")), element("p", { class: "quiet" }, say("play.seats.text")), element("ul", {}, ...rows));
  }
}

/** What one does at a table besides playing. */
export class PlayMenu extends HTMLElement {
  /** @param {Game} game */
  show(game) {
    const { view } = game;
    const seated = game.seat !== null;
    const agreed = view.leaving?.agreed ?? [];
    const abandoned = view.leaving?.abandoned ?? [];
    const free = view.seats.some((/** @type {any} */ seat) => !seat.player);
    const items = [];
    if (view.status === "open" && free) items.push(this.invitation(game));
    if (view.status === "open" && seated) items.push(button(game, "leave", say("play.leave"), () => game.at.leave()));
    if (view.status === "playing" && seated && !abandoned.includes(game.seat)) {
      const own = agreed.includes(game.seat);
      const text = own ? say("play.end.back") : agreed.length ? say("play.end.agree") : say("play.end.offer");
      items.push(button(game, "end", text, () => game.at.proposeEnd(!own)));
      items.push(element("button", { type: "button", "data-key": "abandon", click: () => game.confirm(say("play.abandon.text"), say("play.abandon"), () => game.at.abandon()) }, say("play.abandon")));
    }
    if (view.status === "finished" && seated) items.push(element("button", { type: "button", "data-key": "rematch", class: "main", click: () => void game.rematch() }, say("play.rematch")));
    const names = agreed.map(game.words.name).join(", ");
    this.replaceChildren(
      ...(agreed.length && view.status === "playing" ? [element("p", {}, ...named(say("play.end.agreed", { names })))] : []),
      element("div", { class: "acts" }, ...items),
    );
  }

  /** @param {Game} game */
  invitation(game) {
    return element("button", { type: "button", "data-key": "invite", click: () => void game.invite() }, say("play.invite"));
  }
}

customElements.define("play-seating", PlaySeating);
customElements.define("play-menu", PlayMenu);
