/** What a reader can do about others at a table: hide what they say, and report their names and words. */

import { post, Problem, token } from "./api.js";
import { element } from "./dom.js";
import { isMuted, mute, spokenIn } from "./muting.js";
import { say } from "./say.js";

/** So many of the last words stand in the list. */
const LAST = 20;

/** @typedef {{seat: number, player: string, name: string}} Other */

/** What came of reports, by what they are about: a second press sends one. @type {Map<string, string>} */
const states = new Map();

/**
 * A list of the others, and of what they said last.
 * @param {Other[]} others
 * @param {any[]} spoken the events in which somebody says something, in order
 * @param {string} table
 * @param {() => void} again called when it has changed
 * @returns {Node[]}
 */
export function aboutOthers(others, spoken, table, again) {
  const bySeat = new Map(others.map((other) => [other.seat, other]));
  const said = spoken.filter((event) => bySeat.has(event.public.seat)).slice(-LAST);
  return [
    element("ul", { class: "others" }, ...others.map((other) => person(other, again))),
    element(
      "ul",
      { class: "others" },
      ...said.map((event) => {
        const { player, name } = /** @type {Other} */ (bySeat.get(event.public.seat));
        const about = `event:${table}/${event.version}`;
        return isMuted(player) ? null : element("li", {}, element("q", {}, spokenIn(event)), ` ${name} `, reporting(about, say("others.report.words"), again));
      }),
    ),
  ];
}

/** @param {Other} other @param {() => void} again */
function person({ player, name }, again) {
  const hides = element("input", { type: "checkbox", checked: isMuted(player), "data-key": `mute-${player}` });
  hides.addEventListener("change", () => mute(player, hides.checked));
  return element("li", {}, element("label", {}, hides, " ", say("others.mute", { name })), " ", reporting(`player:${player}`, say("others.report.name", { name }), again));
}

/**
 * A button that reports something at the second press, or what came of it. Nothing without a token.
 * @param {string} about
 * @param {string} label
 * @param {() => void} again
 */
export function reporting(about, label, again) {
  if (!token()) return null;
  const state = states.get(about);
  if (state !== undefined && state !== "asks") return element("span", { class: "quiet", role: "status" }, state);
  const press = async () => {
    states.set(about, state === undefined ? "asks" : say("others.reporting"));
    again();
    if (state === undefined) return;
    try {
      await post("/reports", { about });
      states.set(about, say("others.reported"));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      states.set(about, error.message);
    }
    again();
  };
  return element("button", { type: "button", class: "report", "data-key": about, click: () => void press() }, state === undefined ? label : say("others.report.sure"));
}
