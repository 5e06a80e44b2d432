/** The form of a sheet of scores, as browsers keep it and links carry it. */

/** A deal by its facts, or totals that were written by hand. @typedef {{facts: any, dealer: number} | {totals: number[], bank: number, pool: number}} Item */
/**
 * @typedef {object} Sheet
 * @property {number} v the version of this form of a sheet
 * @property {string} game
 * @property {number} rules_version
 * @property {Record<string, any>} options those that differ from the game's defaults
 * @property {string[]} names by seat, empty where nobody wrote one
 * @property {number} deals how many were agreed
 * @property {number} deal the number of the first deal on the sheet
 * @property {Item[]} items
 * @property {{facts: any, dealer: number}} [draft] what is being entered
 */

export const VERSION = 1;
const MOST_ITEMS = 400;
export const [MOST_SEATS, LONGEST_NAME, MOST_AMOUNT] = [16, 40, 2_000_000_000];

/** @param {any} value @param {number} least @param {number} most */
export const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;
/** @param {any} value */
export const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
/** @param {any} value */
const isAmount = (value) => isWhole(value, -MOST_AMOUNT, MOST_AMOUNT);
/** @param {any} value @param {number} most @param {(one: any) => boolean} is */
const isListOf = (value, most, is) => Array.isArray(value) && value.length <= most && value.every(is);
/** @param {any} one */
const isDeal = (one) => isRecord(one) && isRecord(one.facts) && isWhole(one.dealer, 0, MOST_SEATS - 1);
/** @param {any} one */
const isCorrection = (one) => isRecord(one) && isListOf(one.totals, MOST_SEATS, isAmount) && isAmount(one.bank) && isAmount(one.pool);

/** Whether anything has the form of a sheet. @param {any} value @returns {value is Sheet} */
export const isSheet = (value) =>
  isRecord(value) && value.v === VERSION && typeof value.game === "string" && isRecord(value.options) &&
  isListOf(value.names, MOST_SEATS, (one) => typeof one === "string" && one.length <= LONGEST_NAME) &&
  [value.rules_version, value.deals, value.deal].every((number) => isWhole(number, 1, 1000)) &&
  isListOf(value.items, MOST_ITEMS, (one) => isDeal(one) || isCorrection(one)) &&
  (value.draft === undefined || isDeal(value.draft));

/**
 * A sheet on which a deal that was played here is entered, with the totals before it.
 * @param {string} game
 * @param {any} scored the deal's facts, as the interface has them
 * @param {string[]} names
 * @returns {Sheet}
 */
export const sheetOf = (game, { facts, rules_version, options, standing: { deal, deals, dealer, totals, bank, pool } }, names) => ({
  v: VERSION,
  game,
  rules_version,
  options,
  names: names.map((name) => name.slice(0, LONGEST_NAME)),
  deals,
  deal,
  items: [totals, bank, pool].flat().some(Boolean) ? [{ totals, bank, pool }] : [],
  draft: { facts, dealer: dealer ?? 0 },
});
