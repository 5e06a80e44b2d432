/** Players whose words this browser's reader does not want to see. Who they are is kept in this browser alone. */

import { store, stored } from "./stored.js";

const NAME = "codille-muted";
/** The most players that are kept. */
const MOST = 500;

/** Tells pages that somebody is heard again, or no more. */
const changes = new EventTarget();

/** The ids of muted players, the latest last. @type {Set<string>} */
let muted = kept();
window.addEventListener("storage", ({ key }) => {
  if (key !== NAME && key !== null) return;
  muted = kept();
  changes.dispatchEvent(new Event("change"));
});

/** What this browser keeps; nobody where it denies storage. @returns {Set<string>} */
function kept() {
  const found = stored(NAME);
  return new Set(Array.isArray(found) ? found.filter((one) => typeof one === "string") : []);
}

/** @param {string | null} player */
export const isMuted = (player) => player !== null && muted.has(player);

/** Mutes a player, or lets this reader see the player's words again. @param {string} player @param {boolean} on */
export function mute(player, on) {
  muted.delete(player);
  if (on) muted.add(player);
  muted = new Set([...muted].slice(-MOST));
  store(NAME, [...muted]);
  changes.dispatchEvent(new Event("change"));
}

/** Calls when somebody is muted or heard again. @param {() => void} call */
export const onMuted = (call) => changes.addEventListener("change", call);

/** The words of an event in which a seat says something; empty for any other event. @param {any} event @returns {string} */
export function spokenIn(event) {
  if (!("seat" in event.public)) return "";
  return Object.values(event.sealed).map((/** @type {any} */ one) => one.data?.text).find((one) => typeof one === "string") ?? "";
}

/**
 * The event as this reader wants it: without its words if a muted player says them.
 * @param {any} event
 * @param {(seat: number) => string | null} playerAt
 */
export const heard = (event, playerAt) => (spokenIn(event) && isMuted(playerAt(event.public.seat)) ? { ...event, sealed: {} } : event);
