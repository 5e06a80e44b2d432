/** The replay page without a table: it takes a record's file, says what its verification came to, and shows it. */

import { checkList } from "./books.js";
import { byId, element, fail } from "./dom.js";
import { RecordFile } from "./record_file.js";
import { say } from "./say.js";

/** The number of events without views that are added to the list at once. */
const AT_ONCE = 200;

/** The file that is shown. @type {RecordFile | null} */
let shown = null;

/**
 * Takes files, and hands over those whose events can be followed.
 * @param {(file: RecordFile) => Promise<void>} follow shows a file as a table
 */
export function takeFiles(follow) {
  byId("file").hidden = false;
  const input = byId("file-input");
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) void take(file, follow).catch(fail);
    // The same file may be chosen again.
    input.value = "";
  });
  const dropping = (/** @type {boolean} */ on) => byId("file").classList.toggle("dropping", on);
  addEventListener("dragover", (drag) => {
    drag.preventDefault();
    dropping(true);
  });
  addEventListener("dragleave", (drag) => dropping(drag.relatedTarget !== null));
  addEventListener("drop", (drop) => {
    drop.preventDefault();
    dropping(false);
    const file = drop.dataTransfer?.files[0];
    if (file) void take(file, follow).catch(fail);
  });
}

/** @param {File} file @param {(file: RecordFile) => Promise<void>} follow */
async function take(file, follow) {
  shown?.leave();
  byId("failure").hidden = byId("main").hidden = byId("verdict").hidden = byId("raw").hidden = true;
  byId("file-state").textContent = say("file.checking", { name: file.name });
  const progress = byId("file-progress");
  progress.hidden = false;
  progress.removeAttribute("value");
  const taken = (shown = new RecordFile(file, (come, all) => {
    progress.max = all;
    progress.value = come;
  }));
  try {
    await taken.read(() => taken === shown && showVerdict(taken));
  } catch (error) {
    if (taken !== shown) return;
    fail(error);
  }
  if (taken !== shown) return;
  progress.hidden = true;
  // What came before a failure is shown, too.
  if (taken.table && taken.come.last) await follow(taken);
  else if (taken.come.last) await showRaw(taken);
  byId("file-state").textContent = taken.verification ? say("file.checked", { name: file.name }) : "";
}

/** @param {RecordFile} file */
function showVerdict({ verification: found }) {
  const failed = found.checks.filter((/** @type {any} */ check) => !check.passed);
  const whom = found.audience === "public" ? say("file.everyone") : (found.audience ?? "");
  byId("verdict").hidden = false;
  byId("verdict").replaceChildren(
    element("p", {}, element("span", { class: `badge ${found.verdict}` }, say(`file.verdict.${found.verdict}`)), " ", say(`file.verdict.${found.verdict}.means`)),
    ...(found.table === null ? [] : [element("p", { class: "quiet" }, say("file.about", { table: found.table, game: found.game ?? "?", events: found.events, whom }))]),
    ...(found.line_ends === null ? [] : [element("p", {}, found.line_ends)]),
    ...found.unchecked.map((/** @type {string} */ text) => element("p", { class: "quiet" }, text)),
    element("details", { open: failed.length > 0 }, element("summary", {}, say("file.checks", { count: found.checks.length })), checkList(found.checks, (rule) => rule)),
    ...(found.omitted ? [element("p", { class: "quiet" }, say("file.omitted", { count: found.omitted }))] : []),
  );
}

/** Shows the events of a file that cannot be followed here, as they stand there. @param {RecordFile} file */
async function showRaw(file) {
  const list = byId("raw-events");
  const more = byId("raw-more");
  list.replaceChildren();
  const events = await file.events({});
  const add = () => {
    const from = list.children.length;
    list.append(...events.slice(from, from + AT_ONCE).map(rawEvent));
    more.hidden = list.children.length >= events.length;
  };
  more.onclick = add;
  add();
  byId("raw").hidden = false;
}

/** @param {any} event */
function rawEvent(event) {
  const told = element("details", {}, element("summary", {}, say("file.event", { version: event.version, type: `${event.type}`, actor: `${event.actor}`, at: `${event.at}` })));
  // Written when it is unfolded: a file has thousands.
  told.addEventListener("toggle", () => told.append(element("pre", { tabindex: 0 }, JSON.stringify(event, null, 1))), { once: true });
  return element("li", {}, told);
}
