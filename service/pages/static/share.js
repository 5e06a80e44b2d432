/** Gives on a moment of a game: its link and its picture. */

import { get } from "./api.js";
import { copy } from "./copying.js";
import { element, inWords } from "./dom.js";
import { say } from "./say.js";
import { drawingIn } from "./scores.js";

/**
 * Shows the link of the page as it is, and the moment's picture, to be copied, saved, or given to another program.
 * @param {{title: string, picture: string, as: string, name: string}} moment its title, the picture's path below `/v1`, whose eyes see it, and the name of its file
 */
export function share({ title, picture, as, name }) {
  const url = location.href;
  const said = element("p", { role: "status", class: "quiet" });
  const link = element("input", { readonly: true, value: url, "aria-label": say("share.link") });
  const shown = element("div", { class: "picture" });
  const saves = element("a", { class: "button", download: `${name}.svg`, hidden: true }, say("share.save"));
  const gives = element("button", { type: "button", hidden: !("share" in navigator) }, say("share.give"));
  const dialog = element(
    "dialog",
    { class: "share", "aria-labelledby": "share-title" },
    element("h2", { id: "share-title" }, say("share")),
    element("div", { class: "link" }, link, element("button", { type: "button", click: () => void copy(link, said) }, say("copy"))),
    said,
    shown,
    element("div", { class: "buttons" }, saves, gives, element("button", { type: "button", class: "main", click: () => dialog.close() }, say("done"))),
  );
  /** @type {File[]} */
  const files = [];
  gives.onclick = () => {
    const whole = { title, url, files };
    // A reader who changes their mind has not failed.
    navigator.share(navigator.canShare?.(whole) ? whole : { title, url }).catch(() => {});
  };
  dialog.addEventListener("close", () => {
    URL.revokeObjectURL(saves.href);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  get(picture, { as }).then(
    (body) => {
      const file = new File([body], `${name}.svg`, { type: "image/svg+xml" });
      files.push(file);
      drawingIn(shown, new TextDecoder().decode(body), "svg { display: block; width: 100%; height: auto; }");
      saves.href = URL.createObjectURL(file);
      saves.hidden = !dialog.open;
    },
    (error) => (said.textContent = inWords(error)),
  );
}
