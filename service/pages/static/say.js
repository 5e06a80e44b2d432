/** What pages say. The words are data, of one language a file, which the service speaks from too. */

/** By name, a text, or one for each plural form of the hole `count`. @type {Record<string, string | Record<string, string>>} */
const sentences = await (await fetch("/page/sentences.en.json")).json();
const plurals = new Intl.PluralRules(String(sentences["language"]));

/** The units of time, long to short, in seconds. @type {[string, number][]} */
const UNITS = [["days", 86_400], ["hours", 3600], ["minutes", 60], ["seconds", 1]];

/** A length of time, in the longest unit that measures it. @param {number} seconds */
export function duration(seconds) {
  const [unit, many] = UNITS.find(([, of]) => seconds > 0 && seconds % of === 0) ?? ["seconds", 1];
  return say(`duration.${unit}`, { count: seconds / many });
}

/**
 * The text of this name, with its holes filled. Throws Error for a text or a hole that is not there.
 * @param {string} name
 * @param {Record<string, string | number>} [holes]
 */
export function say(name, holes = {}) {
  const found = sentences[name];
  const text = typeof found === "object" ? (found[plurals.select(Number(holes["count"]))] ?? found["other"]) : found;
  if (text === undefined) throw new Error(`no page says ${name}`);
  return text.replace(/\{(\w+)\}/g, (_, hole) => {
    if (holes[hole] === undefined) throw new Error(`${name} needs ${hole}`);
    return String(holes[hole]);
  });
}
