/** Which phases come for the first time at the first table of a game, to be explained. It stays in this browser. */

const NAME = "codille-firsts";

/** The first table of each game, with the phases that were there. @type {Record<string, {table: string, phases: string[]}>} */
let firsts = {};
try {
  firsts = JSON.parse(localStorage.getItem(NAME) ?? "{}");
} catch {
  // In a browser that keeps nothing each table is the first.
}

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
    try {
      localStorage.setItem(NAME, JSON.stringify(firsts));
    } catch {
      // It lasts as long as the page.
    }
  }
  return now.isFirst;
}
