/** Where this browser keeps its player's token, and the recovery secret until it is kept elsewhere: never in a link. */

const NAME = "codille-token";
const RECOVERY = "codille-recovery";

/** The token where all storage is denied, as in some private windows. It lasts as long as the page. @type {string | null} */
let held = null;

/** A storage, or null where the browser denies it. @param {"localStorage" | "sessionStorage"} kind */
function storage(kind) {
  try {
    return window[kind];
  } catch {
    return null;
  }
}

/** Whether the browser keeps a secret there. @param {"localStorage" | "sessionStorage"} kind @param {string} secret @param {string} [name] */
function put(kind, secret, name = NAME) {
  try {
    storage(kind)?.setItem(name, secret);
    return storage(kind)?.getItem(name) === secret;
  } catch {
    return false;
  }
}

/** The token of this tab, or else of this browser. @returns {string | null} */
export function token() {
  return storage("sessionStorage")?.getItem(NAME) || storage("localStorage")?.getItem(NAME) || held;
}

/**
 * Keeps a token in this browser, or for this tab or this page where the browser denies more.
 * @param {string} secret
 * @returns {boolean} whether it outlasts the page
 */
export function keep(secret) {
  storage("sessionStorage")?.removeItem(NAME);
  if (put("localStorage", secret) || put("sessionStorage", secret)) return true;
  held = secret;
  return false;
}

/**
 * Keeps a token for as long as this tab lives, where it goes before the browser's; an empty one removes it.
 * @param {string} secret
 */
export function keepInTab(secret) {
  storage("sessionStorage")?.removeItem(NAME);
  held = null;
  if (secret && !put("sessionStorage", secret)) held = secret;
}

/** Whether this browser keeps a player's recovery secret until it is forgotten. @param {string} player @param {string} secret */
export const keepRecovery = (player, secret) => put("localStorage", `${player} ${secret}`, RECOVERY);

/** The recovery secret of a player, if this browser still keeps it. @param {string} player @returns {string | null} */
export function recovery(player) {
  const [of, secret] = storage("localStorage")?.getItem(RECOVERY)?.split(" ") ?? [];
  return of === player && secret ? secret : null;
}

/** Forgets the recovery secret. */
export const forgetRecovery = () => storage("localStorage")?.removeItem(RECOVERY);

/** Forgets the token of this tab and of this browser, and the recovery secret. */
export function forget() {
  forgetRecovery();
  storage("sessionStorage")?.removeItem(NAME);
  storage("localStorage")?.removeItem(NAME);
  held = null;
}

/** Calls when another window of this browser keeps or forgets a secret. @param {() => void} call */
export function onKept(call) {
  window.addEventListener("storage", ({ key }) => {
    if (key === NAME || key === RECOVERY || key === null) call();
  });
}
