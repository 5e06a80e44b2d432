/** The ledger with its reasons, and the audits of the deals. */

import { element, named, signed } from "./dom.js";
import { ruleLink } from "./rules.js";
import { say } from "./say.js";

/** Links to steps. @param {number[]} versions */
const steps = (versions) => versions.flatMap((version) => [element("a", { href: `#${version}` }, `#${version}`), " "]);

/** What a badge says of a dispute. @param {{dispute: number, status: string}} dispute */
export const disputeBadge = ({ dispute, status }) => say("dispute.badge", { dispute, state: say(`disputes.${status}`) });

/** @param {import("./kit/words.js").LineAt} place a line's event, and its number among that event's lines */
export const keyOf = ({ version, line }) => `${version}.${line}`;

/**
 * @typedef {object} Context What the ledger needs to know.
 * @property {Map<string, string>} rules texts by number
 * @property {import("./rules.js").Rules} game the table's game, with the version of its rules
 * @property {(account: string) => string} called
 * @property {(line: any) => (string | Node)[]} said a line in words
 * @property {Map<string, any>} disputes by the keys of their lines
 * @property {((line: any) => void) | null} dispute opens a dispute; null if the visitor may not
 * @property {(dispute: any, more?: string) => string} desk the address of a dispute's page, or of one below it
 */

/**
 * @param {any} books the ledger as served
 * @param {Context} context
 * @returns {Node[]}
 */
export function ledger(books, context) {
  if (!books.lines.length) return [element("p", { class: "quiet" }, say("books.none"))];
  const row = ({ account }) => element("tr", { "data-account": account }, element("th", { scope: "row" }, ...named(context.called(account))), element("td", {}));
  const [players, own] = [true, false].map((seated) => books.balances.filter(({ seat }) => (seat !== null) === seated));
  const balances = element(
    "table",
    { class: "balances" },
    element("caption", {}),
    element("tbody", {}, ...players.map(row)),
    element("tfoot", {}, ...own.map(row)),
  );
  return [balances, ...books.lines.filter((line) => line.seat !== null).map((line) => explained(line, context))];
}

/**
 * Shows the balances after a step, and the lines booked by then. Later lines would give the future away; one that is
 * unfolded stays, since it is read while one looks at its events.
 * @param {HTMLElement} shown the element that holds the ledger
 * @param {any} books
 * @param {number} version
 * @param {boolean} later whether later lines are shown too
 */
export function balancesAt(shown, books, version, later) {
  const caption = shown.querySelector("caption");
  if (caption) caption.textContent = say("books.balances", { version, unit: books.unit });
  /** @type {Map<string, number>} */
  const sums = new Map();
  for (const line of books.lines) {
    if (line.version <= version) sums.set(line.account, (sums.get(line.account) ?? 0) + line.amount);
  }
  for (const row of shown.querySelectorAll("[data-account]")) {
    row.querySelector("td").textContent = signed(sums.get(row.dataset.account) ?? 0);
  }
  for (const line of shown.querySelectorAll(".line")) {
    const isLater = Number(line.dataset.version) > version;
    line.classList.toggle("later", isLater);
    line.hidden = isLater && !later && !line.open;
    line.querySelector(".when").hidden = !isLater;
  }
  for (const dispute of shown.querySelectorAll(".line .badge[data-version]")) {
    dispute.hidden = Number(dispute.dataset.version) > version && !later;
  }
}

/** @param {any} line @param {Context} context */
function explained(line, { rules, game, called, said, disputes, dispute, desk }) {
  const rule = rules.get(line.rule);
  const disputed = disputes.get(keyOf(line));
  return element(
    "details",
    { class: "line", "data-version": line.version, "data-key": keyOf(line) },
    element(
      "summary",
      {},
      element("span", { class: `amount ${line.amount < 0 ? "loss" : "gain"}` }, signed(line.amount)),
      element("span", { class: "account" }, ...named(called(line.account))),
      element("span", { class: "quiet" }, line.deal ? say("books.deal", { deal: line.deal }) : ""),
      element("span", { class: "text" }, ...said(line)),
      element("span", { class: "when" }, say("deal.corrected")),
      disputed ? element("span", { class: `badge ${disputed.status}`, "data-version": disputed.version }, disputeBadge(disputed)) : null,
    ),
    element(
      "div",
      { class: "why" },
      element("p", {}, element("b", {}, ruleLink(game, line.rule)), rule ? ` ${rule}` : ""),
      element("p", {}, ...named(say("books.booked", { amount: signed(line.amount), account: called(line.with), line: line.line })), " ", ...steps([line.version])),
      element("p", {}, say("books.rests"), " ", ...steps(line.events)),
      disputed ? element("p", {}, element("a", { href: desk(disputed) }, say("books.desk", { dispute: disputed.dispute }))) : null,
      disputed ? element("p", {}, element("a", { href: desk(disputed, "/page") }, say("ruling.page"))) : null,
      dispute && !disputed
        ? element("button", { type: "button", class: "dispute", click: () => dispute(line) }, say("books.dispute"))
        : null,
    ),
  );
}

/**
 * @param {number} deal
 * @param {any} found the audit, or a problem
 * @param {import("./rules.js").Rules} game the table's game, with the version of its rules
 * @param {string | null} page the address of the deal's page, if it has one
 * @returns {Node}
 */
export function audit(deal, found, game, page) {
  if (found instanceof Error) return element("p", { class: "quiet" }, say("audit.failed", { deal, detail: found.message }));
  const failed = found.checks.filter((check) => !check.passed);
  return element(
    "details",
    { class: "audit", open: failed.length > 0 },
    element("summary", {}, say("audit.deal", { deal }), " ", element("span", { class: `badge ${found.verdict}` }, say(`audit.verdict.${found.verdict}`))),
    page === null ? null : element("p", {}, element("a", { href: page }, say("audit.page"))),
    checkList(found.checks, (rule) => ruleLink(game, rule)),
  );
}

/**
 * The checks, those that failed first.
 * @param {any[]} checks
 * @param {(rule: string) => Node | string} cited a rule as it is shown
 */
export function checkList(checks, cited) {
  const shown = (check) =>
    element(
      "li",
      { class: check.passed ? "passed" : "failed" },
      element("b", {}, check.name),
      check.rule ? element("span", { class: "quiet" }, " ", cited(check.rule)) : null,
      ` ${check.text} `,
      ...(check.passed
        ? []
        : [
            element("code", {}, say("audit.differs", { recorded: JSON.stringify(check.recorded), computed: JSON.stringify(check.computed) })),
            " ",
            say("audit.at"),
            " ",
            ...steps(check.events),
          ]),
    );
  return element("ul", { class: "checks" }, ...[false, true].flatMap((passed) => checks.filter((check) => check.passed === passed).map(shown)));
}
