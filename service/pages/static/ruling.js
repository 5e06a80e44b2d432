/** The form with which an arbiter rules on a dispute. */

import { post, Problem } from "./api.js";
import { element } from "./dom.js";
import { say } from "./say.js";

const MOST_LETTERS = 500;
const MOST_AMOUNT = 2_000_000_000;
/** The number of a rule, such as `CR-9.2`. */
const RULE = "[A-Z]{2}-[0-9]{1,2}(\\.[0-9]{1,2})?";

/**
 * @typedef {object} Ruling What is ruled on.
 * @property {string} path where the ruling is sent
 * @property {any[]} disputed the disputed lines
 * @property {{account: string, called: string}[]} accounts of the table's ledger, with their names
 * @property {() => Promise<void>} done called once it is ruled
 */

/** @param {Ruling} of */
export function rulingForm({ path, disputed, accounts, done }) {
  const failure = element("p", { class: "loss", role: "alert", hidden: true });
  const rows = element("ul", { class: "entries" });
  const booked = element(
    "fieldset",
    { hidden: true },
    element("legend", {}, say("ruling.lines")),
    rows,
    element("button", { type: "button", click: () => rows.append(entry(accounts, {})) }, say("ruling.lines.add")),
  );
  for (const line of disputed) rows.append(entry(accounts, line));
  const instead = element(
    "fieldset",
    { hidden: true },
    element("legend", {}, say("ruling.instead")),
    choice("instead", "computed", say("ruling.instead.computed"), true),
    choice("instead", "nothing", say("ruling.instead.nothing")),
    choice("instead", "lines", say("ruling.instead.lines")),
    booked,
  );
  const send = element("button", { type: "submit", class: "main" }, say("ruling.send"));
  /** The ruling about which the arbiter was asked once more. */
  let asked = "";
  const form = element(
    "form",
    { class: "ruling" },
    element("fieldset", {}, element("legend", {}, say("ruling.title")), choice("ruling", "rejected", say("ruling.rejected"), true), choice("ruling", "upheld", say("ruling.upheld"))),
    instead,
    element("label", { class: "wide" }, say("ruling.text"), element("textarea", { name: "text", rows: 4, maxlength: MOST_LETTERS, required: true })),
    element("p", { class: "quiet" }, say("ruling.final")),
    failure,
    send,
  );
  const chosen = (/** @type {string} */ name) => String(new FormData(form).get(name));
  const arrange = () => {
    instead.hidden = chosen("ruling") !== "upheld";
    booked.hidden = instead.hidden || chosen("instead") !== "lines";
    booked.disabled = booked.hidden;
  };
  form.addEventListener("change", arrange);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    send.disabled = true;
    failure.hidden = true;
    const text = chosen("text").trim().replaceAll(/\s+/g, " ");
    const upheld = chosen("ruling") === "upheld";
    const lines = { computed: undefined, nothing: [], lines: [...rows.children].map(entered) }[chosen("instead")];
    const ruling = { ruling: chosen("ruling"), text, ...(upheld && lines ? { lines } : {}) };
    try {
      await post(path, { ...ruling, confirmed: asked === JSON.stringify(ruling) });
      await done();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const asks = error.code === "audit-confirms";
      if (asks) asked = JSON.stringify(ruling);
      failure.textContent = asks ? say("ruling.confirm") : error.message;
      failure.hidden = false;
    } finally {
      send.disabled = false;
    }
  });
  arrange();
  return form;
}

/** @param {string} name @param {string} value @param {string} label @param {boolean} [checked] */
const choice = (name, value, label, checked = false) =>
  element("label", { class: "choice" }, element("input", { type: "radio", name, value, checked }), " ", label);

/**
 * The fields of a line to book.
 * @param {Ruling["accounts"]} accounts
 * @param {any} line what they say at first
 */
function entry(accounts, line) {
  const options = (/** @type {string} */ chosen) => accounts.map(({ account, called }) => element("option", { value: account, selected: account === chosen }, called));
  const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) => element("label", {}, say(label), input);
  const row = element(
    "li",
    {},
    field("ruling.account", element("select", { "data-field": "account" }, ...options(line.account))),
    field("ruling.with", element("select", { "data-field": "with" }, ...options(line.with ?? accounts.at(-1)?.account))),
    field("ruling.amount", element("input", { type: "number", "data-field": "amount", min: -MOST_AMOUNT, max: MOST_AMOUNT, step: 1, required: true, value: line.amount ?? 0 })),
    field("ruling.kind", element("input", { "data-field": "kind", required: true, value: line.kind ?? "", autocomplete: "off", spellcheck: "false" })),
    field("ruling.rule", element("input", { "data-field": "rule", required: true, pattern: RULE, value: line.rule ?? "", autocomplete: "off", spellcheck: "false" })),
    field("ruling.line", element("input", { "data-field": "text", required: true, maxlength: MOST_LETTERS, value: line.text ?? "", autocomplete: "off" })),
    element("button", { type: "button", click: () => row.remove() }, say("ruling.lines.remove")),
  );
  return row;
}

/** The line that the fields say. @param {Element} row */
function entered(row) {
  const fields = /** @type {HTMLInputElement[]} */ ([...row.querySelectorAll("[data-field]")]);
  const line = Object.fromEntries(fields.map((field) => [field.dataset["field"] ?? "", field.value.trim()]));
  return { ...line, amount: Number(line["amount"]) };
}
