/** The ledger with its reasons, and the audits of the deals. */

import { element, signed } from "./dom.js";

/** Links to steps. @param {number[]} versions */
const steps = (versions) => versions.flatMap((version) => [element("a", { href: `#${version}` }, `#${version}`), " "]);

/**
 * @param {any} books the ledger as the interface answers it
 * @param {Map<string, string>} rules texts by number
 * @param {(account: string) => string} called
 * @returns {Node[]}
 */
export function ledger(books, rules, called) {
  if (!books.lines.length) return [element("p", { class: "quiet" }, "Nothing is booked yet.")];
  const balances = element(
    "table",
    { class: "balances" },
    element("caption", {}, `Balances, in ${books.unit}`),
    element(
      "tbody",
      {},
      ...books.balances.map((one) =>
        element("tr", {}, element("th", { scope: "row" }, called(one.account)), element("td", {}, signed(one.balance))),
      ),
    ),
  );
  const lines = books.lines.filter((line) => line.seat !== null);
  return [balances, ...lines.map((line) => explained(line, rules, called))];
}

/** @param {any} line @param {Map<string, string>} rules @param {(account: string) => string} called */
function explained(line, rules, called) {
  const rule = rules.get(line.rule);
  return element(
    "details",
    { class: "line", "data-version": line.version },
    element(
      "summary",
      {},
      element("span", { class: `amount ${line.amount < 0 ? "loss" : "gain"}` }, signed(line.amount)),
      element("span", {}, called(line.account)),
      element("span", { class: "quiet" }, line.deal ? `deal ${line.deal}` : ""),
      element("span", { class: "text" }, line.text),
    ),
    element(
      "div",
      { class: "why" },
      element("p", {}, element("b", {}, line.rule), rule ? ` ${rule}` : ""),
      element("p", {}, `${signed(line.amount)} from ${called(line.with)}, booked at `, ...steps([line.version])),
      element("p", {}, "Rests on ", ...steps(line.events)),
    ),
  );
}

/**
 * @param {number} deal
 * @param {any} found the audit, the problem instead, or null while the deal is on
 * @returns {Node}
 */
export function audit(deal, found) {
  if (found === null) return element("p", { class: "quiet" }, `Deal ${deal} is checked when it is over.`);
  if (found instanceof Error) return element("p", { class: "quiet" }, `Deal ${deal}: ${found.message}.`);
  const failed = found.checks.filter((check) => !check.passed);
  return element(
    "details",
    { class: "audit", open: failed.length > 0 },
    element("summary", {}, `Deal ${deal} `, element("span", { class: `badge ${found.verdict}` }, found.verdict)),
    element(
      "ul",
      {},
      ...[...failed, ...found.checks.filter((check) => check.passed)].map((check) =>
        element(
          "li",
          { class: check.passed ? "passed" : "failed" },
          element("b", {}, check.name),
          check.rule ? element("span", { class: "quiet" }, ` ${check.rule}`) : null,
          ` ${check.text} `,
          ...(check.passed
            ? []
            : [
                element("code", {}, `recorded ${JSON.stringify(check.recorded)}, computed ${JSON.stringify(check.computed)}`),
                " at ",
                ...steps(check.events),
              ]),
        ),
      ),
    ),
  );
}
