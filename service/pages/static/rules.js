/** Links to the rules on the pages of games, so that every rule cited on a page leads to its text. */

import { element } from "./dom.js";

/** A game under the version of the rules at a table. @typedef {{game: string, rules_version: number}} Rules */

/** The address of a rule. @param {Rules} rules @param {string} rule such as `CR-7.3` */
export const ruleAddress = ({ game, rules_version }, rule) =>
  `/games/${encodeURIComponent(game)}?rules_version=${rules_version}#${encodeURIComponent(rule)}`;

/** A rule's number as a link to its text. @param {Rules} rules @param {string} rule such as `CR-7.3` */
export const ruleLink = (rules, rule) => element("a", { class: "rule", href: ruleAddress(rules, rule) }, rule);
