/** Which phases come for the first time at the first table of a game, to be explained. It stays in this browser. */

import { store, stored } from "../stored.js";

const NAME = "codille-firsts";

/** The first table of each game, with the phases that were there. @type {Record<string, {table: string, phases: string[]}>} */
const firsts = stored(NAME) ?? {};

/** The phase in which one was asked last, and whether that was the first time. */
let now = { phase: "", isFirst: false };

/** Whether a phase in which one is asked to act is there for the first time. @param {any} view */
export function isFirst({ game, table, deal, phase }) {
  const first = (firsts[game] ??= { table, phases: [] });
  const key = `${table}:${deal}:${phase}`;
  if (first.table !== table || !phase) return false;
  if (now.phase !== key) {
    now = { phase: key, isFirst: !first.phases.includes(phase) };
    if (now.isFirst) first.phases.push(phase);
    store(NAME, firsts);
  }
  return now.isFirst;
}
