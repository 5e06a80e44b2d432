/** The choices by which a list is narrowed. They stand in the page's address. */

import { byId, fail } from "./dom.js";
import { mountIdentity } from "./identity.js";
import { offerGames } from "./listing.js";
import { say } from "./say.js";
import "./turns.js";

/** What the address asks for. */
export const asked = () => new URLSearchParams(location.search);

/** The fields of the page, one of which is `game`, and the list that they narrow. */
export class Choices {
  /**
   * @param {string[]} names the ids of the fields, which are their names in the address, too
   * @param {() => Promise<void>} show shows the list that the address asks for
   * @param {Record<string, string[]>} [within] by a field, what means nothing any more once that field changes
   */
  constructor(names, show, within = {}) {
    this.names = names;
    this.list = show;
    this.within = within;
  }

  /** Shows what the address asks for, in the fields and in the list. */
  async show() {
    for (const name of this.names) byId(name).value = asked().get(name) ?? "";
    await this.list();
  }

  /** Asks for something else. @param {Record<string, string | string[]>} changed by name; an empty text asks for anything */
  ask(changed) {
    const query = asked();
    for (const [name, value] of Object.entries(changed)) {
      if (typeof value === "string" && value) query.set(name, value);
      else query.delete(name);
      if (typeof value !== "string") for (const one of value) query.append(name, one);
    }
    history.pushState(null, "", `${location.pathname}${query.size ? `?${query}` : ""}`);
    void this.show().catch(fail);
  }

  /** What is not asked for any more once a field changes. @param {string} name */
  dropped(name) {
    return Object.fromEntries((this.within[name] ?? []).map((other) => [other, ""]));
  }

  /** Makes the page one that is asked. @param {Promise<import("./listing.js").Games>} games */
  start(games) {
    for (const name of this.names) {
      byId(name).addEventListener("change", () => byId(name).reportValidity() && this.ask({ ...this.dropped(name), [name]: byId(name).value }));
    }
    byId("filters").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
    window.addEventListener("popstate", () => void this.show().catch(fail));
    mountIdentity(byId("identity"));
    void this.show().catch(fail);
    games
      .then((known) => {
        offerGames(byId("game"), known, asked().get("game"), say("games.all"));
        byId("game").disabled = false;
      })
      .catch(fail);
  }
}
