/** The interface, as far as the page needs it. */

const TOKEN = "codille-token";

/** What the service answered instead: a problem document (RFC 9457), or nothing at all. */
export class Problem extends Error {
  /** @param {number} status @param {{code?: string, detail?: string, title?: string}} document */
  constructor(status, document) {
    super(document.detail || document.title || `the service answered ${status}`);
    this.status = status;
    this.code = document.code || "unreachable";
  }
}

/** @returns {string | null} The token that was given in this tab. */
export const token = () => sessionStorage.getItem(TOKEN);

/** Keeps a token for as long as the tab lives; an empty one forgets it. @param {string} secret */
export function setToken(secret) {
  if (secret) sessionStorage.setItem(TOKEN, secret);
  else sessionStorage.removeItem(TOKEN);
}

/**
 * @param {string} path
 * @param {Record<string, string | number | string[]>} query
 * @returns {Promise<any>} What a GET answers. Throws Problem.
 */
export async function get(path, query = {}) {
  const url = new URL(`/v1${path}`, location.origin);
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(one));
  }
  const headers = token() ? { Authorization: `Bearer ${token()}` } : {};
  let answer;
  try {
    answer = await fetch(url, { headers });
  } catch {
    throw new Problem(0, { detail: "The service cannot be reached." });
  }
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Problem(answer.status, body);
  return body;
}

/** @param {string} table @returns {Promise<any[]>} All events of a table, as the caller may see them. */
export async function events(table) {
  const found = [];
  for (;;) {
    const page = await get(`/tables/${table}/events`, { after: found.length, limit: 200 });
    found.push(...page.items);
    if (found.length >= page.version || page.items.length === 0) return found;
  }
}

const STEPS = 50;

/** The steps of a table, fetched some at a time and kept. */
export class Steps {
  /**
   * @param {string} table
   * @param {string} eyes `open`, or an audience as the interface has it
   * @param {number} openUpTo The last version up to which every deal is over.
   * @param {number} last The last version.
   */
  constructor(table, eyes, openUpTo, last) {
    this.table = table;
    this.eyes = eyes;
    this.openUpTo = openUpTo;
    this.last = last;
    /** @type {Map<number, Promise<any[]>>} */
    this.parts = new Map();
  }

  /** @param {number} version @returns {Promise<any>} The step, with the view after it. */
  async at(version) {
    const from = this.begin(version);
    const part = await this.part(from);
    if (version + STEPS / 2 <= this.last) void this.part(this.begin(version + STEPS / 2)).catch(() => {});
    return part[version - from];
  }

  /** Where the part begins that a version is in: no part reaches over the end of what is open. @param {number} version */
  begin(version) {
    const start = version > this.openUpTo ? this.openUpTo : 0;
    return start + Math.floor((version - start - 1) / STEPS) * STEPS + 1;
  }

  /** @param {number} from @returns {Promise<any[]>} */
  part(from) {
    let part = this.parts.get(from);
    if (!part) {
      const isOpen = from <= this.openUpTo;
      const to = Math.min(from + STEPS - 1, isOpen ? this.openUpTo : this.last);
      const eyes = this.eyes === "open" ? (isOpen ? "all" : "me") : this.eyes;
      part = get(`/tables/${this.table}/replay`, { from, to, as: eyes }).then((answer) => answer.steps);
      part.catch(() => this.parts.delete(from));
      this.parts.set(from, part);
    }
    return part;
  }
}
