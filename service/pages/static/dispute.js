/** The dialog in which a player disputes a line of the ledger. */

import { post, Problem } from "./api.js";
import { byId, fail, signed } from "./dom.js";

/** Sends the dispute of the open dialog. @type {() => Promise<void>} */
let send = async () => {};

/**
 * Opens the dialog for a line.
 * @param {string} table
 * @param {any} line
 * @param {import("./books.js").LineAt} lineAt
 * @param {(account: string) => string} called
 * @param {(string | Node)[]} said the line in words
 * @param {() => Promise<void>} done called once the dispute is open
 */
export function disputing(table, line, lineAt, called, said, done) {
  byId("dispute-line").replaceChildren(`${signed(line.amount)} for ${called(line.account)}: `, ...said);
  byId("dispute-failure").hidden = true;
  byId("dispute-reason").value = "";
  send = async () => {
    // A reason is one paragraph.
    const reason = byId("dispute-reason").value.trim().replaceAll(/\s+/g, " ");
    await post(`/tables/${table}/disputes`, { reason, lines: [lineAt] });
    byId("dispute-dialog").close();
    done().catch(fail);
  };
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
    byId("dispute-failure").textContent = error.title ? `${error.title}: ${error.message}.` : error.message;
    byId("dispute-failure").hidden = false;
  } finally {
    byId("dispute-raise").disabled = false;
  }
});
