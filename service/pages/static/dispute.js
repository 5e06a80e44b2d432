/** The dialog in which a player disputes a line of the ledger. */

import { get, post, Problem } from "./api.js";
import { byId, element, fail, named, signed } from "./dom.js";
import { say } from "./say.js";

/** The codes of refusals because of another dispute of the line. */
const DISPUTED = ["already-disputed", "already-ruled"];

/** Sends the dispute of the open dialog. @type {() => Promise<void>} */
let send = async () => {};
/** The address of the earlier dispute of the same line. @type {() => Promise<Node | null>} */
let earlier = async () => null;

/**
 * Opens the dialog for a line.
 * @param {string} table
 * @param {any} line as the ledger has it
 * @param {(account: string) => string} called
 * @param {(string | Node)[]} said the line in words
 * @param {() => Promise<void>} done called once the dispute is open
 */
export function disputing(table, line, called, said, done) {
  byId("dispute-line").replaceChildren(...named(say("dispute.line", { amount: signed(line.amount), account: called(line.account) })), " ", ...said);
  byId("dispute-failure").hidden = true;
  byId("dispute-reason").value = "";
  send = async () => {
    // A reason is one paragraph.
    const reason = byId("dispute-reason").value.trim().replaceAll(/\s+/g, " ");
    await post(`/tables/${table}/disputes`, { reason, lines: [{ version: line.version, line: line.line }] });
    byId("dispute-dialog").close();
    done().catch(fail);
  };
  earlier = async () => {
    const { items } = await get(`/tables/${table}/disputes`);
    const isOfLine = (/** @type {import("./kit/words.js").LineAt} */ place) => place.version === line.version && place.line >> 1 === line.line >> 1;
    const other = items.find((/** @type {any} */ dispute) => dispute.lines.some(isOfLine));
    return other ? element("a", { href: `/disputes/${table}/${other.dispute}${location.search}` }, say("books.disputed", { dispute: other.dispute })) : null;
  };
  byId("dispute-earlier").replaceChildren();
  byId("dispute-dialog").showModal();
}

byId("dispute-dialog").addEventListener("submit", async (submitted) => {
  if (submitted.submitter?.value !== "raise") return;
  submitted.preventDefault();
  byId("dispute-raise").disabled = true;
  try {
    await send();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    byId("dispute-failure").textContent = error.title ? say("dispute.failed", { title: error.title, detail: error.message }) : error.message;
    byId("dispute-failure").hidden = false;
    if (DISPUTED.includes(error.code)) byId("dispute-earlier").replaceChildren((await earlier()) ?? "");
  } finally {
    byId("dispute-raise").disabled = false;
  }
});
