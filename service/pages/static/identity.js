/** Who sits before this browser: the player, the dialog in which one becomes one, and the menu in a page's header. */

import { get, post, Problem, remove } from "./api.js";
import { copy } from "./copying.js";
import { element, inWords } from "./dom.js";
import { forget as forgetKept, forgetRecovery, keep, keepRecovery, onKept, recovery, token } from "./keeping.js";
import { say } from "./say.js";
import "./upgrade.js";

export { token };

/** @typedef {{player: string, name: string, token: string}} Identity */
/** @typedef {{player: string, token: string, recovery_secret: string}} Registered */

const PLAYER = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const RECOVERY = /codille_recovery_[A-Za-z0-9_-]+/;
const MOST_LETTERS = 64;
/** For how long a code for another device is valid. */
const VALID_MS = 120_000;

/** Tells menus that the player of this browser may be another. */
const changes = new EventTarget();
onKept(() => changes.dispatchEvent(new Event("change")));

/** The player whose token was looked up last. @type {Identity | null} */
let known = null;
/** The dialog that is open. @type {Promise<Identity | null> | null} */
let asking = null;

/** Calls when the player of this browser is another. @param {() => void} call */
export const onIdentity = (call) => changes.addEventListener("change", call);

/** Forgets this browser's player. The token stays valid for who kept it. */
export function forget() {
  forgetKept();
  known = null;
  changes.dispatchEvent(new Event("change"));
}

/**
 * The player of this browser, or null. A token that is not valid any more is forgotten. Throws Problem.
 * @param {boolean} [anew] whether it is asked again for a token that was valid
 * @returns {Promise<Identity | null>}
 */
export async function whoAmI(anew = false) {
  const secret = token();
  if (secret === null || (known?.token === secret && !anew)) return secret === null ? null : known;
  try {
    const { player, name } = await get("/players/me");
    known = { player, name: name ?? "", token: secret };
    return known;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 401) throw error;
    if (token() === secret) forget();
    return null;
  }
}

/**
 * The player of this browser. If there is none, a dialog asks for a name, or for what was kept of an earlier player;
 * null if it is cancelled. Throws Problem where the service does not answer.
 * @param {{shows?: boolean}} [asked] `shows`: somebody new is shown the secrets at once
 * @returns {Promise<Identity | null>}
 */
export async function identify({ shows = false } = {}) {
  const found = await whoAmI();
  if (found) return found;
  asking ??= ask(shows).finally(() => {
    asking = null;
  });
  return asking;
}

/**
 * The menu of a page's header: who one is, or the way to become somebody.
 * @param {HTMLElement} place
 */
export function mountIdentity(place) {
  const show = async () => {
    let found;
    try {
      found = await whoAmI();
    } catch {
      // The page itself says that the service does not answer.
      found = token() ? { player: null, name: null } : null;
    }
    place.replaceChildren(found ? menu(found) : stranger());
  };
  changes.addEventListener("change", () => void show());
  document.addEventListener("click", ({ target }) => {
    const opened = place.querySelector("details[open]");
    if (opened && target instanceof Node && !opened.contains(target)) opened.removeAttribute("open");
  });
  place.addEventListener("keydown", (press) => {
    const opened = place.querySelector("details[open]");
    if (press.key !== "Escape" || !opened) return;
    opened.removeAttribute("open");
    opened.querySelector("summary")?.focus();
  });
  void show();
}

const stranger = () =>
  element("button", { type: "button", class: "stranger", click: () => void identify().catch(() => {}) }, say("identity.nobody"));

/** @param {{player: string | null, name: string | null}} found */
function menu({ player, name }) {
  const label = name === null ? say("identity.unknown") : say("identity.menu", { name });
  return element(
    "details",
    { class: "identity" },
    element("summary", {}, element("span", {}, label)),
    element(
      "ul",
      {},
      player && element("li", {}, element("a", { href: `/players/${player}` }, say("identity.page"))),
      player && recovery(player) && element("li", {}, element("button", { type: "button", click: () => showRecovery(player, name ?? "") }, say("identity.kept.recovery"))),
      element("li", {}, element("button", { type: "button", click: () => void handOver() }, say("identity.handover"))),
      element("li", {}, element("button", { type: "button", click: () => void showTokens(name ?? "") }, say("identity.tokens"))),
      element("li", {}, element("button", { type: "button", click: () => askToForget(player, name ?? "") }, say("identity.forget"))),
    ),
  );
}

/** A dialog that changes its contents from step to step, and is gone when it is closed. */
class Steps {
  constructor() {
    this.dialog = element("dialog", { class: "identity-dialog", "aria-labelledby": "identity-title" });
    document.body.append(this.dialog);
    /** Resolves when the dialog is closed. @type {Promise<void>} */
    this.closed = new Promise((resolve) => {
      this.dialog.addEventListener("close", () => {
        this.dialog.remove();
        resolve();
      });
    });
  }

  /**
   * Shows a step. `send` is called for the button of that name; a Problem that it throws is said in the dialog.
   * @param {string} title
   * @param {(Node | null)[]} contents
   * @param {string} action
   * @param {() => Promise<void> | void} send
   * @param {{cancel?: boolean, other?: Node | null}} [more]
   */
  show(title, contents, action, send, { cancel = true, other = null } = {}) {
    const failure = element("p", { class: "loss", role: "alert", hidden: true });
    const submit = element("button", { type: "submit", class: "main" }, action);
    const sending = async () => {
      submit.toggleAttribute("disabled", true);
      failure.hidden = true;
      try {
        await send();
      } catch (error) {
        failure.textContent = inWords(error);
        failure.hidden = false;
        if (!(error instanceof Problem)) throw error;
      } finally {
        submit.toggleAttribute("disabled", false);
      }
    };
    const form = element(
      "form",
      {
        submit: (event) => {
          event.preventDefault();
          void sending();
        },
      },
      element("h2", { id: "identity-title", tabindex: -1 }, title),
      ...contents,
      failure,
      element(
        "div",
        { class: "buttons" },
        cancel ? element("button", { type: "button", click: () => this.dialog.close() }, say("cancel")) : null,
        submit,
      ),
      other,
    );
    this.dialog.replaceChildren(form);
    if (!this.dialog.open) this.dialog.showModal();
    const first = /** @type {HTMLElement | null} */ (form.querySelector("input:not([readonly]), textarea") ?? form.querySelector("h2"));
    first?.focus();
  }
}

/** Asks who somebody is. @param {boolean} shows whether somebody new is shown the secrets at once @returns {Promise<Identity | null>} */
async function ask(shows) {
  const steps = new Steps();
  /** @type {Identity | null} */
  let found = null;

  /** A new secret in place of one that was kept is shown at once. @param {Registered} registered @param {string} name @param {boolean} [isNew] */
  const become = (registered, name, isNew = false) => {
    const { player, token: secret, recovery_secret } = registered;
    const stays = keep(secret);
    const later = isNew && keepRecovery(player, recovery_secret) && !shows;
    found = known = { player, name, token: secret };
    changes.dispatchEvent(new Event("change"));
    if (later) steps.dialog.close();
    else showKept(steps, registered, name, stays);
  };

  /** Asks for what is entered in a field. @param {"name" | "code" | "recover"} of @param {HTMLElement} field @param {() => Promise<void>} send @param {{other?: Node}} [more] */
  const askFor = (of, field, send, more) => {
    const contents = [element("p", {}, say(`identity.${of}.text`)), element("label", { for: field.id }, say(`identity.${of}.label`)), field];
    steps.show(say(`identity.${of}.title`), contents, say(`identity.${of}.send`), send, more);
  };

  const askName = () => {
    const name = element("input", { id: "identity-name", maxlength: MOST_LETTERS, autocomplete: "nickname", spellcheck: "false" });
    askFor(
      "name",
      name,
      async () => {
        if (!name.value.trim()) throw new Problem(0, { detail: say("identity.name.empty") });
        become(await post("/players", { name: name.value }), name.value, true);
      },
      {
        other: element(
          "div",
          { class: "others" },
          element("button", { type: "button", class: "plain", click: askCode }, say("identity.name.code")),
          element("button", { type: "button", class: "plain", click: askSecret }, say("identity.name.recover")),
        ),
      },
    );
  };

  const askCode = () => {
    const code = element("input", { id: "identity-code", class: "code", required: true, maxlength: 12, autocomplete: "off", autocapitalize: "characters", spellcheck: "false" });
    askFor("code", code, async () => {
      const { token: secret } = await post("/tokens/handover/claim", { code: code.value.replace(/[\s-]/g, "") });
      keep(secret);
      found = await whoAmI();
      changes.dispatchEvent(new Event("change"));
      steps.dialog.close();
    });
  };

  const askSecret = () => {
    const pasted = element("textarea", { id: "identity-recovery", required: true, rows: 3, autocomplete: "off", spellcheck: "false" });
    askFor("recover", pasted, async () => {
      const [secret] = RECOVERY.exec(pasted.value) ?? [];
      const [player] = PLAYER.exec(pasted.value.replace(RECOVERY, "")) ?? [];
      if (!secret || !player) throw new Problem(0, { detail: say("identity.recover.incomplete") });
      const registered = await post("/players/recovery", { player, recovery_secret: secret });
      keep(registered.token);
      const { name } = await get("/players/me");
      become(registered, name);
    });
  };

  askName();
  await steps.closed;
  return found;
}

/** A player's secrets, to be copied. @param {Registered} registered @returns {Node[]} */
function secrets({ player, token: secret, recovery_secret }) {
  const kept = { player, recovery: recovery_secret, token: secret };
  const said = element("p", { role: "status", class: "quiet" });
  const lines = Object.entries(kept).map(([of, value]) => `${say(`identity.kept.${of}`)}: ${value}`);
  const all = element("textarea", { readonly: true, rows: 6, "aria-label": say("identity.kept.all"), hidden: true }, lines.join("\n"));
  const rows = Object.entries(kept).flatMap(([of, value]) => {
    const label = say(`identity.kept.${of}`);
    const shown = element("input", { id: `identity-${of}`, readonly: true, value, autocomplete: "off", spellcheck: "false" });
    const button = element("button", { type: "button", "aria-label": `${say("copy")}: ${label}`, click: () => void copy(shown, said) }, say("copy"));
    return [element("label", { for: `identity-${of}` }, label), element("div", { class: "copied" }, shown, button)];
  });
  return [...rows, element("button", { type: "button", click: () => void copy(all, said) }, say("identity.kept.copy")), all, said];
}

/**
 * Shows the secrets, once.
 * @param {Steps} steps
 * @param {Registered} registered
 * @param {string} name
 * @param {boolean} stays whether the browser keeps the token
 */
function showKept(steps, registered, name, stays) {
  const about = [stays ? "identity.kept.stays" : "identity.kept.goes", "identity.kept.once", "identity.kept.text"].map((key) => say(key)).join(" ");
  steps.show(
    say("identity.kept.title", { name }),
    [element("p", {}, about), ...secrets(registered)],
    say("done"),
    () => steps.dialog.close(),
    { cancel: false },
  );
}

/** The secrets that this browser keeps of a player, to be copied; none if the recovery secret is kept elsewhere. @param {string | null} player */
function stillKept(player) {
  const secret = player && recovery(player);
  return secret ? secrets({ player, token: token() ?? "", recovery_secret: secret }) : [];
}

/** Shows the secrets until the player has kept them. @param {string} player @param {string} name */
function showRecovery(player, name) {
  const steps = new Steps();
  steps.show(
    say("identity.kept.title", { name }),
    [element("p", {}, `${say("identity.kept.text")} ${say("identity.kept.until")}`), ...stillKept(player)],
    say("identity.kept.send"),
    () => {
      forgetRecovery();
      changes.dispatchEvent(new Event("change"));
      steps.dialog.close();
    },
  );
}

/** What a player whose game is over is offered while this browser alone keeps the recovery secret. @returns {HTMLElement | null} */
export function offerRecovery() {
  if (!known || !recovery(known.player)) return null;
  const { player, name } = known;
  return element("p", {}, say("identity.kept.offer"), " ", element("button", { type: "button", "data-key": "recovery", click: () => showRecovery(player, name) }, say("identity.kept.show")));
}

/** Shows a code for another device, and for how long it is valid. */
async function handOver() {
  const steps = new Steps();
  const place = element("p", { class: "code", role: "status" });
  const left = element("p", { class: "quiet" });
  let timer = 0;
  const offer = async () => {
    const { code } = await post("/tokens/handover", {});
    place.textContent = `${code.slice(0, 4)} ${code.slice(4)}`;
    // Not by the time in the answer: the browser's clock may be wrong.
    const ends = performance.now() + VALID_MS;
    clearInterval(timer);
    const count = () => {
      const seconds = Math.ceil((ends - performance.now()) / 1000);
      left.textContent = seconds > 0 ? say("identity.handover.left", { count: seconds }) : say("identity.handover.over");
      if (seconds <= 0) {
        place.textContent = "";
        clearInterval(timer);
      }
    };
    count();
    timer = window.setInterval(count, 1000);
  };
  steps.show(
    say("identity.handover.title"),
    [element("p", {}, say("identity.handover.text", { address: location.host })), place, left],
    say("identity.handover.send"),
    offer,
  );
  await steps.closed;
  clearInterval(timer);
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** This player's valid tokens, oldest first. @returns {Promise<any[]>} Throws Problem. */
async function ownTokens() {
  const found = [];
  for (let cursor; cursor !== null; ) {
    const { items, next } = await get("/tokens", cursor ? { cursor } : {});
    found.push(...items);
    cursor = next;
  }
  return found;
}

/** Lists the tokens with which one plays as this player, to revoke one of the others, or all of them. @param {string} name */
async function showTokens(name) {
  const steps = new Steps();
  const list = element("ul", { class: "tokens" });
  const said = element("p", { role: "status", class: "quiet" }, say("loading"));
  /** Revokes tokens, and shows which are left. @param {any[]} revoked */
  const revoke = async (revoked) => {
    try {
      for (const { id } of revoked) {
        // It may have ended with another one that made it.
        await remove(`/tokens/${id}`).catch((error) => {
          if (error.code !== "no-such-token") throw error;
        });
      }
      said.textContent = revoked.length ? say("identity.tokens.revoked", { count: revoked.length }) : "";
    } catch (error) {
      said.textContent = inWords(error);
      if (!(error instanceof Problem)) throw error;
    }
    await refresh();
  };
  const all = element("button", { type: "button", hidden: true }, say("identity.tokens.others"));
  const refresh = async () => {
    try {
      const own = await ownTokens();
      const others = own.filter(({ current }) => !current);
      list.replaceChildren(...own.map((one) => tokenLine(one, () => void revoke([one]))));
      all.hidden = others.length < 2;
      all.onclick = () => void revoke(others);
    } catch (error) {
      said.textContent = inWords(error);
      if (!(error instanceof Problem)) throw error;
    }
  };
  steps.show(
    say("identity.tokens.title", { name }),
    [element("p", {}, say("identity.tokens.text")), list, all, said],
    say("done"),
    () => steps.dialog.close(),
    { cancel: false },
  );
  await revoke([]);
}

/** A token in the list. @param {any} token @param {() => void} revoke */
function tokenLine({ name, client, created_at, last_used_at, expires_at, current }, revoke) {
  const called = current ? say("identity.tokens.this") : (client ?? name ?? say("identity.tokens.unnamed"));
  const ends = expires_at ? say("identity.tokens.ends", { ends: day.format(new Date(expires_at)) }) : "";
  const added = day.format(new Date(created_at));
  const used = last_used_at ? say("identity.tokens.used", { added, used: moment.format(new Date(last_used_at)) }) : say("identity.tokens.unused", { added });
  const button = element("button", { type: "button", "aria-label": say("identity.tokens.revoke-of", { token: called, about: used }), click: revoke }, say("identity.tokens.revoke"));
  return element("li", {}, element("span", {}, element("b", {}, called), element("span", { class: "quiet" }, `${used}${ends}`)), current ? null : button);
}

/** @param {string | null} player @param {string} name */
function askToForget(player, name) {
  const steps = new Steps();
  steps.show(
    say("identity.forget.title", { name }),
    [element("p", {}, say("identity.forget.text", { name })), ...stillKept(player)],
    say("identity.forget.send"),
    () => {
      forget();
      steps.dialog.close();
    },
  );
}
