/** The waiting room: the seats before the game begins, and the way to fill them; and what else one does at a table. */

import { copy } from "../copying.js";
import { isBound } from "../deals.js";
import { element, named, readable } from "../dom.js";
import { offerRecovery, onIdentity } from "../identity.js";
import { duration, say } from "../say.js";

/** @typedef {import("./play.js").Game} Game */

/** A button that does something at the table once, and says so where it is refused. @param {Game} game @param {string} key @param {string} text @param {() => Promise<unknown>} act @param {string} [kind] */
const button = (game, key, text, act, kind) =>
  element("button", { type: "button", "data-key": key, class: kind, click: () => void game.attempt(act) }, text);

/** The seats of a table that is open, who may take them, and the link by which others come. */
export class PlaySeating extends HTMLElement {
  connectedCallback() {
    if (this.firstChild) return;
    this.hidden = true;
    this.about = element("p", { class: "quiet" });
    this.seats = element("ul");
    this.level = element("select", { id: "bot-level" });
    this.fills = element("button", { type: "button", "data-key": "fill", class: "main", click: () => void this.fill() }, say("play.fill"));
    this.bots = element("p", { class: "acts" }, element("label", { for: "bot-level" }, say("play.bots")), this.level, this.fills);
    this.link = element("input", { type: "text", readonly: true, "aria-label": say("play.invite.link") });
    this.said = element("p", { role: "status", class: "quiet" });
    const copies = element("button", { type: "button", click: () => void copy(this.link, this.said) }, say("play.invite.copy"));
    this.invites = element("div", { class: "invites", hidden: true }, element("h2", {}, say("play.invite")), element("p", {}, say("play.invite.text")), element("div", { class: "one-line" }, this.link, copies), this.said);
    this.append(element("div", {}, element("h2", {}, say("play.seats")), this.about, element("p", {}, say("play.seats.text")), this.seats, this.bots), this.invites);
  }

  /** @param {Game} game */
  show(game) {
    const { now: view, levels } = game;
    this.game = game;
    this.hidden = view.status !== "open";
    // So the focus goes on from what was here.
    if (this.hidden) return this.replaceChildren();
    this.about.textContent = this.chosen();
    this.seats.replaceChildren(...view.seats.map((/** @type {any} */ seat) => this.row(seat)));
    // Who only looks may seat none.
    this.bots.hidden = game.seat === null || !levels.length;
    if (this.level.options.length !== levels.length) {
      // The strongest, which take their time to think, are for who asks for them.
      this.level.replaceChildren(...levels.map(({ level }, place) => element("option", { value: level, selected: place === 1 }, say(`level.${level}`))));
    }
    // Who has taken a seat may invite others to a private table.
    const inviter = `${game.token} ${game.seat}`;
    if (this.invites.hidden && inviter !== this.inviter) void this.invite();
    this.inviter = inviter;
  }

  /** What was chosen when the table was opened: the length of the game, its options and its clock. */
  chosen() {
    const { now: view, rules, words } = this.game;
    const options = Object.entries(view.options).filter(([name, value]) => rules.options.properties[name]?.default !== value);
    const { clock } = view.table_options ?? {};
    return [
      isBound(rules, view.deals) ? say("new.deals.bound") : say("game.deals", { count: view.deals }),
      ...options.map(([name, value]) => say("play.chosen.option", { name: readable(name), value: words.value(value, name) })),
      ...(clock ? [say(clock.reserve ? "new.clock.reserved" : "new.clock.act", { seconds: duration(clock.seconds), reserve: duration(clock.reserve) })] : []),
    ].join(" · ");
  }

  /** @param {any} seat */
  row({ seat, player, bot }) {
    const { game } = this;
    const label = element("b", {}, say("play.seat", { seat: seat + 1 }));
    const here = !bot && game.presence.find((one) => one.seat === seat)?.connected;
    const dot = here ? element("span", { class: "here", role: "img", "aria-label": say("seat.connected") }, "●") : null;
    if (player) {
      const own = seat === game.seat ? element("span", { class: "role" }, say("play.you")) : null;
      const away = bot && game.seat !== null ? button(game, `away:${seat}`, say("play.remove-bot", { seat: seat + 1 }), () => game.at.removeBot(seat)) : null;
      return element("li", { "data-seat": seat }, label, dot, element("span", { class: "name" }, ...named(game.name(seat))), own, away);
    }
    const sit = game.seat === null ? button(game, `sit:${seat}`, say("play.sit", { seat: seat + 1 }), () => game.sit(seat), "main") : null;
    const fills = game.seat !== null ? button(game, `bot:${seat}`, say("play.seat-bot", { seat: seat + 1 }), () => game.at.seatBot(this.level.value, seat)) : null;
    return element("li", { "data-seat": seat }, label, element("span", { class: "quiet" }, say("seat.free")), sit, fills);
  }

  /** Seats bots on all seats that are free, which starts the game. */
  async fill() {
    const { game } = this;
    await game.attempt(async () => {
      for (const { seat } of game.now.seats) if (!game.playerAt(seat)) await game.at.seatBot(this.level.value, seat);
    });
  }

  /** Shows the link by which others find the table. A private one lets in who has an invitation. */
  async invite() {
    const { game } = this;
    const link = new URL(`/play/${game.table}`, location.origin);
    if (game.now.table_options?.visibility === "private") {
      game.invitation ??= await game.at.invite().catch(() => null);
      if (game.invitation === null) return;
      link.searchParams.set("invite", game.invitation);
      // Loaded again, the page makes no other.
      history.replaceState(history.state, "", link);
    }
    this.link.value = link.href;
    const { qr } = await import("../qr.js");
    this.invites.append(qr(link.href, say("play.invite.code")));
    this.invites.hidden = false;
  }
}

/** What one does at a table besides playing. */
export class PlayMenu extends HTMLElement {
  connectedCallback() {
    onIdentity(() => this.game?.paint());
  }

  /** @param {Game} game */
  show(game) {
    const { now: view } = game;
    this.game = game;
    const seated = game.seat !== null;
    const agreed = view.leaving?.agreed ?? [];
    const items = [];
    if (view.status === "open" && seated) items.push(button(game, "leave", say("play.leave"), () => game.leave()));
    if (view.status === "playing" && seated && !game.hasLeft) {
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
      (view.status === "finished" && seated && offerRecovery()) || "",
    );
  }
}

customElements.define("play-seating", PlaySeating);
customElements.define("play-menu", PlayMenu);
