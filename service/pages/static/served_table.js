/** What the replay page reads of a table of this house. `RecordFile` gives the same of a file. */

import { events, Events, get, Steps } from "./api.js";

export class ServedTable {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.isServed = true;
  }

  /** The newest view. */
  view() { return get(`/tables/${this.id}`); }

  /** @param {Record<string, number | string[]>} query which events: `after` a version, of some types (`type`) */
  events(query) { return events(this.id, query); }

  /** All events, read as they are looked at. @param {number} last */
  record(last) { return new Events(this.id, last); }

  /** The steps as these eyes see them. @param {string} eyes @param {number} openUpTo @param {number} last */
  steps(eyes, openUpTo, last) { return new Steps(this.id, eyes, openUpTo, last); }

  ledger() { return get(`/tables/${this.id}/ledger`); }

  disputes() { return get(`/tables/${this.id}/disputes`); }

  /** @param {number} deal */
  audit(deal) { return get(`/tables/${this.id}/deals/${deal}/audit`); }

  /** The address of a deal's page. @param {number} deal @returns {string | null} */
  page(deal) { return `/replay/${this.id}/deal/${deal}${location.search}`; }
}
