/** The page at which a person plays: it follows the table, shows it, and sends what is chosen. */

import { get, Problem } from "../api.js";
import { byId, element, inWords as problemInWords, isCard, named, usePack } from "../dom.js";
import { identify, mountIdentity, token, whoAmI } from "../identity.js";
import { heard, spokenIn } from "../muting.js";
import { Players } from "../names.js";
import { saw } from "../notices.js";
import { say } from "../say.js";
import { calls, isLoud, setLoud } from "../sound.js";
import { wordsOf } from "../sentences.js";
import { entitle } from "../turns.js";
import { checkUpgrade } from "../upgrade.js";
import "./board.js";
import { cardField, isSaying, reachable, touchable } from "./choices.js";
import { Choosing } from "./choosing.js";
import { Connection } from "./connection.js";
import { madeBetween } from "./made.js";
import { lying, move } from "./motion.js";
import "./news.js";
import { keepingFocus, leadByArrows, markScrolled, released } from "./places.js";
import { isFirst } from "./firsts.js";
import { pace, prefers } from "./preferences.js";
import { citing } from "./rules.js";
import "./seating.js";
import "./sheet.js";
import { isActOf, Steps } from "./steps.js";
import { summed } from "./summary.js";
import "./talk.js";

/** So many events are told of what was before. */
const TOLD = 14;
/** A press of so many milliseconds asks why a card can't be chosen. */
const LONG_MS = 500;
/** Milliseconds until a moment that could not be shown is asked for again. */
const AGAIN_MS = 1000;
/** Milliseconds for which a refusal is left to be read, whatever happens at the table. */
const READ_MS = 3000;
/** Milliseconds for which the books are waited for, before there is only what a deal's end itself has booked. */
const BOOKED_MS = 2000;
/** Milliseconds for which points stand on the table. */
const MADE_MS = 2500;
/** Milliseconds for which who only watches sees what a deal came to. */
const WATCHED_MS = 5000;

/** A part of the page. @param {string} name @returns {any} */
const part = (name) => document.querySelector(name);

/** Whether a deal or the game is over with this event. @param {any} event */
const isEnd = (event) => event.type === "deal-scored" || isOver(event);
/** @param {any} event */
const isOver = (event) => event?.type === "game-finished";

/** The game at this table, as far as this page knows it. */
export class Game {
  constructor() {
    this.table = location.pathname.split("/").pop() ?? "";
    this.invitation = new URLSearchParams(location.search).get("invite");
    /** The table as it is shown, which may lag behind. @type {any} */
    this.view = null;
    /** The newest moment, which has the offers, and at which to act. @type {any} */
    this.moment = null;
    this.steps = new Steps((moment) => this.show(moment), () => this.rests());
    /** What the deal that is over came to, while that is shown. @type {import("./summary.js").Summary | null} */
    this.summary = null;
    /** The points that were made last, by seat. @type {Map<number, string>} */
    this.made = new Map();
    this.choosing = new Choosing((card) => typeof card === "string" && isCard(card), (type) => prefers(this.words?.words.final[type] ?? ""));
    /** The act that was sent and is not answered. @type {any} */
    this.sent = null;
    /** The version that the act has led to. */
    this.settled = 0;
    /** What went wrong with the last act, until the next thing happens, and for READ_MS at least. */
    this.said = "";
    /** The rule that it cites. @type {string | null} */
    this.rule = null;
    /** When it can have been read. */
    this.readBy = 0;
    /** @type {any} */
    this.rules = null;
    /** @type {import("../kit/words.js").Words | null} */
    this.words = null;
    /** @type {any} */
    this.books = null;
    /** @type {{seat: number, connected: boolean}[]} */
    this.presence = [];
    /** What each seat has said last. @type {Map<number, string>} */
    this.talked = new Map();
    /** The levels of bots. @type {{level: string}[]} */
    this.levels = [];
    /** @type {any} */
    this.saying = null;
    /** Whether one is to act, or may. */
    this.called = false;
    /** The version at which a deal or the game was over last, and that of the last such end that was seen. */
    this.ended = this.seen = 0;
    /** Whether all may act at any time. */
    this.isRaced = false;
    /** The score of a deal with which the game is over. @type {any} */
    this.scored = null;
    this.players = new Players();
    this.connection = new Connection(this.table, this.invitation, {
      moment: (moment) => {
        saw(this.table, moment.view);
        this.take(moment);
      },
      connected: (state) => connected(state),
      refused: (problem) => this.refused(problem),
    });
    /** The token with which the table is followed. @type {string | null | undefined} */
    this.used = undefined;
    /** Moments are taken one after the other. */
    this.taking = Promise.resolve();
    /** Whether something has changed that is to be painted. */
    this.painting = false;
    /** Whether there is nothing to play here, or no more. */
    this.isGone = false;
    /** The version at which the only act was looked for last. A refused one is not sent again. @type {number | undefined} */
    this.tried = undefined;
  }

  get token() { return token(); }

  /** The table of the kit. @returns {any} */
  get at() { return this.connection.table; }

  /** The table as it is by now, but not beyond the end of a deal that is still to be seen. @returns {any} */
  get now() { return this.moment && this.seen >= this.ended ? this.moment.view : this.view; }

  /** One's own seat; null for a spectator. @returns {number | null} */
  get seat() { return this.now?.you ?? null; }

  /** Why there is the phase in which one is asked to act, where it comes for the first time; empty where not. */
  get purpose() { return this.mine && isFirst(this.now) && prefers("explain") ? (this.words?.words.purposes[this.now.phase] ?? "") : ""; }

  /** Whether one has left the game that goes on. */
  get hasLeft() { return Boolean(this.now?.leaving?.abandoned.includes(this.seat)); }

  /** Whether one can act here by now: the end of a deal is seen before. */
  get mine() { return this.called && this.seen >= this.ended; }

  /** Whether one's own clock runs. */
  get isTimed() { return Boolean(this.moment?.view.deadlines?.some((/** @type {any} */ { seat }) => seat === this.seat)); }

  /** Milliseconds between two things that others do: none where they can't be waited for. */
  get pace() { return this.isTimed || this.isRaced || document.hidden ? 0 : pace(); }

  /** Begins anew, as who this browser is by now. */
  begin() {
    this.steps.end();
    this.steps = new Steps((moment) => this.show(moment), () => this.rests());
    this.view = this.moment = this.sent = this.summary = this.scored = null;
    this.ended = this.seen = 0;
    this.isGone = false;
    this.used = this.token;
    part("play-news").forget();
    this.connection.use(this.token);
    get("/bots").then(({ items }) => {
      this.levels = items;
      this.paint();
    }, () => {});
  }

  /** @param {any} moment */
  take(moment) {
    this.taking = this.taking.then(() => this.arrive(moment)).catch((error) => this.fails(error));
  }

  /** What a moment needed beside it could not be had: it comes again. @param {unknown} error */
  fails(error) {
    reportError(error);
    setTimeout(() => this.connection.again(), AGAIN_MS);
  }

  /** Offers what may be done by now, and has the moment shown when those before it were. @param {any} moment */
  async arrive(moment) {
    if (moment.kind === "presence") return this.here(moment.data.seats);
    if (moment.kind !== "snapshot" && moment.kind !== "event") return;
    const { view, event } = moment;
    const ids = view.seats.map((/** @type {any} */ seat) => seat.player);
    await this.players.learn(ids);
    this.players.nameBots(ids, view.seats.map((/** @type {any} */ seat) => seat.bot));
    this.rules ??= await get(`/games/${view.game}`, { rules_version: view.rules_version });
    usePack(this.rules.pack);
    this.words ??= wordsOf(this.rules, (seat) => this.name(seat));
    const wasCalled = this.called;
    this.called = moment.mine;
    if (!event?.more) this.isRaced = view.status === "playing" && !view.to_act.length;
    this.saying = moment.talk ?? (event?.more ? this.saying : null);
    this.moment = moment;
    if (event && isEnd(event)) this.ended = moment.version;
    this.offer();
    this.settle();
    if (event && spokenIn(event)) this.talked.set(event.public.seat, spokenIn(this.heard(event)));
    // What was done for this seat, here or elsewhere, was done by what came before.
    else if (event && isActOf(event, this.seat)) this.steps.hurry(moment.version - 1);
    if (!this.pace && !this.summary) this.steps.wake();
    this.steps.add(moment);
    byId("play").toggleAttribute("data-lags", this.steps.lags);
    if (this.view) this.paint();
    if (this.called && !wasCalled && view.to_act.length && !this.willTake()) calls();
  }

  /** Lets the newest offers be chosen from. */
  offer() { this.choosing.use(this.mine ? this.moment.offers : []); }

  /** The end of a deal was seen, or is not shown any more. @param {number} version */
  see(version) {
    this.seen = Math.max(this.seen, version);
    this.offer();
  }

  /** Whether the only act is taken as soon as it is seen. */
  willTake() {
    return prefers("only") && this.mine && this.now.to_act.length > 0 && this.tried !== this.now.version && this.choosing.sole() !== null;
  }

  /** Everything is shown: the only act is taken where that is preferred. */
  rests() {
    byId("play").removeAttribute("data-lags");
    const sole = this.willTake() ? this.choosing.sole() : null;
    this.tried = this.now?.version;
    if (sole) void this.send(sole);
  }

  /** Shows a moment: tells and paints it, moves its cards, and leaves it to be seen. @param {any} moment */
  async show(moment) {
    const { steps } = this;
    try {
      const { view, event } = moment;
      const isPast = steps.isPast(moment);
      const isQuiet = isPast || document.hidden || !event || !this.view;
      const before = this.view;
      if (event) {
        if (!this.choosing.picked.length) this.unsay();
        this.tell([event]);
      }
      if (!isQuiet) await released();
      const shown = isQuiet ? new Map() : lying(byId("play"));
      this.view = view;
      if (!event) await this.tellBefore(view.version);
      if (event && before) this.mark(madeBetween(before, view, event.public.seat, this.words, this.rules.unit));
      // A snapshot may come after a break, in which lines were booked.
      const books = !event || event.public.lines?.length ? this.readBooks() : null;
      if (!event || isPast) this.see(view.version);
      if (isQuiet) this.paint();
      else {
        this.paintNow();
        const moved = move(byId("play"), shown, { by: event.public.seat, winner: before.last_trick?.winner });
        if (this.pace) await moved;
        if (this.pace && event.actor !== `seat:${this.seat}` && "seat" in event.public && !spokenIn(event)) await steps.pause(this.pace);
      }
      if (event && isEnd(event) && !isPast) await this.sumUp(moment, books);
    } catch (error) {
      if (steps === this.steps) this.fails(error);
    }
  }

  /** Shows points on the table for a while. @param {Map<number, string>} made */
  mark(made) {
    if (!made.size) return;
    this.made = made;
    setTimeout(() => {
      if (this.made !== made) return;
      this.made = new Map();
      this.paint();
    }, MADE_MS);
  }

  /**
   * Shows what the deal came to, or the game, until its player has seen it. If the game ends with the deal, both are one.
   * @param {any} moment @param {Promise<void> | null} books
   */
  async sumUp({ event, view }, books) {
    const { steps } = this;
    if (!isOver(event)) {
      this.scored = event;
      if (event.more && isOver((await steps.next()).event)) return;
    }
    await Promise.race([books, new Promise((resolve) => setTimeout(resolve, BOOKED_MS))]);
    await released();
    if (steps !== this.steps) return;
    const shown = lying(byId("play"));
    this.summary = summed(this, this.scored, isOver(event) ? event : null);
    this.scored = null;
    this.see(event.version);
    const { summary } = this;
    const waits = this.seat !== null && !this.hasLeft;
    this.paintNow();
    byId("summary").enter();
    void move(byId("play"), shown, { winner: view.last_trick?.winner });
    if (summary.isLast && waits) return;
    await steps.pause(waits ? Infinity : WATCHED_MS);
    if (summary !== this.summary) return;
    this.summary = null;
    this.paint();
  }

  /** Shows the table again, and what has happened there meanwhile. */
  closeSummary() {
    this.summary = null;
    this.steps.wake();
    this.paintNow();
  }

  /** Tells what happened just before a version, quietly, and how much is left out. @param {number} version */
  async tellBefore(version) {
    const after = Math.max(0, version - TOLD);
    const { items } = await this.at.request("GET", "/events", { query: { after, limit: TOLD } });
    part("play-news").skip(after, this);
    this.tell(items.filter((/** @type {any} */ event) => event.version <= version));
  }

  /** @param {any[]} events */
  tell(events) {
    for (const event of events) if (spokenIn(event)) this.talked.set(event.public.seat, spokenIn(this.heard(event)));
    part("play-talk").hear(events);
    part("play-news").tell(events.map((event) => this.heard(event)), this);
  }

  /** The event without its words if the reader has muted who says them. @param {any} event */
  heard(event) { return heard(event, (seat) => this.playerAt(seat)); }

  /** Who sits on a seat. @param {number} seat @returns {string | null} */
  playerAt(seat) { return this.now.seats[seat]?.player ?? null; }

  /** Whether a bot takes part itself, and not for a player. @param {number} seat */
  isBot(seat) { return Boolean(this.view.seats[seat]?.bot) && !this.view.leaving?.bots.includes(seat); }

  async readBooks() {
    this.books = await this.at.ledger().catch(() => this.books);
    this.paint();
  }

  /** @param {{seat: number, connected: boolean}[]} seats */
  here(seats) {
    this.presence = seats;
    this.paint();
  }

  /** A player's name. @param {number} seat */
  name(seat) {
    const id = this.playerAt(seat);
    return id ? this.players.name(id, this.now.seats.map((/** @type {any} */ one) => one.player)) : say("play.seat", { seat: seat + 1 });
  }

  /** @param {Problem} problem */
  refused(problem) {
    this.ends(problem.code === "no-such-table" ? problemInWords(problem) : say("play.refused", { detail: problem.message }));
  }

  /** Says that there is nothing to play here, and leads on. @param {string} text */
  ends(text) {
    this.isGone = true;
    byId("loading").hidden = true;
    byId("main").hidden = false;
    byId("main").dataset.status = "gone";
    leadOn(text);
  }

  /** Paints soon, once for all that has changed. What is pressed is not replaced before it is clicked. */
  paint() {
    if (this.painting || !this.view) return;
    this.painting = true;
    setTimeout(async () => {
      await released();
      const { painting } = this;
      this.painting = false;
      if (painting && this.view) this.paintNow();
    });
  }

  paintNow() {
    this.painting = false;
    if (this.isGone) return;
    byId("loading").hidden = true;
    byId("main").hidden = false;
    byId("main").dataset.status = this.view.status;
    leadOn(["finished", "closed"].includes(this.view.status) && !this.summary ? say(`play.gone.${this.view.status}`) : this.hasLeft ? say("play.left-game") : "", this);
    const open = new Set([...document.querySelectorAll("details[data-kept][open]")].map((one) => one.getAttribute("data-kept")));
    const names = this.view.seats.map((/** @type {any} */ seat) => (seat.player ? this.name(seat.seat) : say("seat.free"))).join(", ");
    keepingFocus(byId("main"), () => {
      for (const name of ["play-status", "play-board", "play-summary", "play-hand", "play-turn", "play-choices", "play-seating", "play-sheet", "play-talk", "play-menu", "play-rules"]) part(name).show(this);
      // Under a summary the table still shows the deal that is over, and the hand that of the next.
      const root = this.summary ? part("play-hand") : byId("play");
      touchable(root, this);
      reachable(root, this);
      for (const one of document.querySelectorAll("details[data-kept]")) one.toggleAttribute("open", open.has(one.getAttribute("data-kept")));
      byId("title").replaceChildren(...named(say("play.title", { game: this.rules.title, names })));
      byId("play").classList.toggle("explained", this.purpose !== "");
      byId("play").classList.toggle("choosing-cards", document.querySelector("button.card.may") !== null);
    }, part("play-turn"));
    const calling = this.mine && this.now.to_act.length && !this.sent;
    const title = { game: this.rules.title };
    entitle(say("play.window", title), say("play.window.turn", title), Boolean(calling));
    tick();
  }

  /** Picks a card or a value, or sends at once what is whole by it. @param {import("./choosing.js").Token} token */
  tap(token) {
    if (this.sent || !this.choosing.admits(token)) return;
    byId("why").textContent = "";
    this.said = "";
    const { choosing } = this;
    const whole = choosing.isWhole(token);
    choosing.pick(token);
    // Without turns, others are as fast: what is left alone is meant.
    const act = choosing.has(token) && (whole || !this.now.to_act.length) ? choosing.only() : null;
    if (act) void this.send(act);
    else this.paintNow();
  }

  /** Takes back what was said of a refusal when it can have been read: where others act all the time, it would be gone at once. */
  unsay() {
    const { said, readBy } = this;
    const left = readBy - performance.now();
    if (!said || left <= 0) this.said = "";
    else setTimeout(() => said === this.said && readBy === this.readBy && ((this.said = ""), this.paint()), left);
  }

  /** Says why something was refused. @param {unknown} error */
  refuse(error) {
    this.said = inWords(error);
    this.rule = error instanceof Problem ? (error.rule ?? null) : null;
    this.readBy = performance.now() + READ_MS;
  }

  /** Takes back what is picked. */
  takeBack() {
    this.choosing.clear();
    this.paintNow();
  }

  /**
   * Sends an act; what was chosen is marked at once. Where only others' words have come in between, it is sent again.
   * @param {any} act
   */
  async send(act) {
    if (this.sent) return;
    this.sent = act;
    this.settled = Infinity;
    this.said = byId("why").textContent = "";
    const { moment } = this;
    this.choosing.clear();
    this.summary = null;
    this.view = moment.view;
    this.steps.hurry(moment.version);
    this.paintNow();
    try {
      this.settled = (await this.act(act, moment)).version;
    } catch (error) {
      this.refuse(error);
      this.settled = 0;
      if (!(error instanceof Problem) && !isUnreachable(error)) throw error;
    } finally {
      this.settle();
      this.paint();
    }
  }

  /** The act that was sent is over once the page shows what came of it. */
  settle() {
    if (this.sent && this.moment?.version >= this.settled) this.sent = null;
  }

  /** @param {any} act @param {any} moment */
  async act(act, moment) {
    // Without turns, others act all the time.
    const raced = !moment.view.to_act.length;
    for (let version = raced ? undefined : moment.version; ; ) {
      try {
        return await this.at.act(act, version);
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "precondition-failed" || raced) throw error;
        const { offers, version: now, to_act } = await this.at.offers();
        const same = JSON.stringify(offers.filter((/** @type {any} */ one) => !isSaying(one))) === JSON.stringify(moment.offers);
        if (!same || !to_act.includes(this.seat) || now === version) throw error;
        version = now;
      }
    }
  }

  /** Says something at the table. @param {any} act @returns {Promise<boolean>} */
  async utter(act) {
    return this.attempt(() => this.at.act(act));
  }

  /** Does something at the table, and says so where it is refused. @param {() => Promise<unknown>} act @returns {Promise<boolean>} */
  async attempt(act) {
    try {
      await act();
      this.said = "";
      return true;
    } catch (error) {
      this.refuse(error);
      if (!(error instanceof Problem) && !isUnreachable(error)) throw error;
      return false;
    } finally {
      this.paint();
    }
  }

  /** Takes a seat, as a player that may have to be named first. @param {number} seat */
  async sit(seat) {
    const had = this.token;
    const found = await identify();
    if (!found) return;
    if (had !== found.token) this.begin();
    await this.at.sit({ seat });
    this.connection.again();
  }

  /** Leaves the table before its game begins. It may be private, and not to be seen any more. */
  async leave() {
    await this.at.leave();
    this.connection.end();
    this.ends(say("play.left"));
  }

  /** Takes one's seat where the same is played again, and goes there. */
  async rematch() {
    await this.attempt(async () => {
      const again = await this.at.rematch();
      location.assign(`/play/${again.id}`);
    });
  }

  /** Asks before something is done for good. @param {string} text @param {string} action @param {() => Promise<unknown>} act */
  confirm(text, action, act) {
    const dialog = opened(action, [element("p", {}, text)], [
      element("button", { type: "button", click: () => dialog.close() }, say("cancel")),
      element("button", { type: "button", class: "main", "data-key": "confirm", click: () => (dialog.close(), void this.attempt(act)) }, action),
    ]);
  }

  /** Says why a card can't be chosen now. @param {string} card */
  async why(card) {
    const said = byId("why");
    const shown = this.words?.card(card) ?? card;
    const asked = cardField(this.moment?.offers ?? []);
    if (this.choosing.admits({ card })) return void (said.textContent = say("play.why.may", { card: shown }));
    if (!this.mine || !asked) return void (said.textContent = say("play.why.turn", { card: shown }));
    const [type, field] = asked;
    try {
      const why = await this.at.why(type, { [field]: card });
      const text = why.text ?? why.detail ?? "";
      said.replaceChildren(...citing(this.rules, say("play.why", { card: shown, rule: why.rule ?? "", text }), why.rule));
    } catch (error) {
      said.textContent = inWords(error);
    }
  }
}

/** Says that one plays here no more, with ways on; nothing where one does. @param {string} text @param {Game} [game] */
function leadOn(text, game) {
  byId("gone").hidden = text === "";
  if (byId("gone-text").textContent !== text) byId("gone-text").textContent = text;
  if (!game) return;
  byId("gone-new").href = `/new?game=${game.view.game}`;
  byId("gone-replay").href = `/replay/${game.table}${location.search}`;
  byId("gone-replay").hidden = game.view.status !== "finished";
}

/** @param {unknown} error */
const isUnreachable = (error) => error instanceof Error && error.name === "Unreachable";

/** A failure in words. @param {unknown} error */
function inWords(error) {
  if (!(error instanceof Problem)) return isUnreachable(error) ? say("play.unreachable") : say("fault");
  if (error.code === "lost-race") return say("play.lost-race");
  if (error.code === "precondition-failed") return say("play.stale");
  const text = `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}`;
  return error.rule ? say("play.broken", { text, rule: error.rule }) : say("play.failed", { text });
}

/** A dialog that is gone when it is closed. @param {string} title @param {Node[]} contents @param {Node[]} buttons @returns {any} */
function opened(title, contents, buttons) {
  const dialog = /** @type {any} */ (element("dialog", { "aria-labelledby": "dialog-title" }, element("h2", { id: "dialog-title" }, title), ...contents, element("div", { class: "buttons" }, ...buttons)));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** @param {import("./connection.js").Connected} state */
function connected(state) {
  byId("connected").textContent = state === "here" ? "" : say(`play.connection.${state}`);
  byId("connected").hidden = state === "here" || state === "over";
  if (state !== "here") return;
  byId("failure").hidden = true;
  // The connection may have been lost to an upgrade.
  void checkUpgrade();
}

/** Shows the clocks, as they stand by now; and begins anew where this browser's player has changed. */
function tick() {
  if (game.used !== undefined && game.used !== game.token) return game.begin();
  const view = game.now;
  const due = new Map((view?.deadlines ?? []).map((/** @type {any} */ one) => [one.seat, one]));
  for (const shown of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-clock]"))) {
    const seat = Number(shown.getAttribute("data-clock"));
    const deadline = due.get(seat);
    const reserve = view.clocks?.find((/** @type {any} */ one) => one.seat === seat)?.reserve_ms;
    const left = deadline ? Math.max(0, Math.ceil((Date.parse(deadline.at) - game.connection.clock.now()) / 1000)) : null;
    const text = left !== null ? say(shown.dataset.says ?? "play.clock", { seconds: left }) : reserve && !shown.dataset.says ? say("play.reserve", { seconds: Math.round(reserve / 1000) }) : "";
    shown.textContent = text;
    shown.toggleAttribute("hidden", !text);
  }
}

const game = new Game();

connected("opening");
mountIdentity(byId("identity"));
leadByArrows(byId("main"));
markScrolled(byId("main"));

/** Shows whether one's turn is to be heard. */
function showSound() {
  byId("sound").setAttribute("aria-pressed", String(isLoud()));
  byId("sound-state").textContent = say(isLoud() ? "play.sound.on" : "play.sound.off");
}

byId("sound").addEventListener("click", () => void setLoud(!isLoud()));
addEventListener("preferred", showSound);
showSound();

/** The card of a button. @param {EventTarget | null} target @returns {HTMLElement | null} */
const cardAt = (target) => (target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("button[data-card]")) : null);

/** The timer of a long press, and whether it has just asked why. @type {{timer: number | undefined, asked: boolean}} */
const press = { timer: undefined, asked: false };

byId("play").addEventListener("pointerdown", (event) => {
  const card = cardAt(event.target)?.dataset.card;
  press.asked = false;
  clearTimeout(press.timer);
  if (card) press.timer = setTimeout(() => ((press.asked = true), void game.why(card)), LONG_MS);
});
for (const kind of ["pointerup", "pointercancel", "pointerleave"]) byId("play").addEventListener(kind, () => clearTimeout(press.timer));
byId("play").addEventListener("contextmenu", (event) => cardAt(event.target) && event.preventDefault());
byId("play").addEventListener("click", (event) => {
  const place = event.target instanceof Element ? event.target.closest("[data-place-of]") : null;
  if (place) return game.tap(JSON.parse(place.getAttribute("data-place-of") ?? ""));
  const button = cardAt(event.target);
  if (!button || press.asked) return void (press.asked = false);
  const { card = "" } = button.dataset;
  if (button.getAttribute("aria-disabled") === "true") void game.why(card);
  else game.tap({ card });
});
byId("play").addEventListener("keydown", (event) => {
  const card = cardAt(event.target)?.dataset.card;
  if (event.key === "?" && card) void game.why(card);
  else if (event.key === "Escape" && game.choosing.picked.length) game.takeBack();
});
addEventListener("preferred", () => game.paint());
setInterval(tick, 1000);

whoAmI().catch(() => null).then(() => game.begin());
