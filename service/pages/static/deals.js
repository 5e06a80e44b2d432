/** How far a game has come. */

import { say } from "./say.js";

/** Whether so many deals are a bound alone, since points end the game. @param {any} rules the game's details from the interface @param {number} deals */
export const isBound = (rules, deals) => rules.deals.least < rules.deals.most && rules.deals.default === rules.deals.most && deals === rules.deals.most;

/** Which deal it is, of how many or to which target. @param {any} view @param {any} rules the game's details from the interface */
export function dealOf(view, rules) {
  const { deal, deals, options } = view;
  return options.target && isBound(rules, deals) ? say("deal.to", { deal, target: options.target, unit: rules.unit }) : say("deal.of", { deal, deals });
}
