/** A page that is kept open while the service is upgraded: it says that a newer one is there, and loads nothing by itself. */

import { element } from "./dom.js";
import { say } from "./say.js";

/** A page that was hidden for so long asks whether it is still the newest. */
const HIDDEN_MS = 60_000;

/** The files that this page was made with. */
const own = document.documentElement.dataset["pages"];
let hidden = 0;

/** Asks which files are served now, and says so where they are others. What fails is asked again another time. */
export async function checkUpgrade() {
  if (document.querySelector("#upgrade")) return;
  const answer = await fetch("/page/version.json", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const { pages } = await answer.json();
  if (pages === own || document.querySelector("#upgrade")) return;
  const again = element("button", { type: "button", click: () => location.reload() }, say("upgrade.load"));
  document.querySelector("header")?.after(element("p", { id: "upgrade", class: "notice", role: "status" }, say("upgrade.text"), " ", again));
}

addEventListener("online", () => void checkUpgrade());
document.addEventListener("visibilitychange", () => {
  if (document.hidden) hidden = performance.now();
  else if (performance.now() - hidden > HIDDEN_MS) void checkUpgrade();
});
