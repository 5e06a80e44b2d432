/** What can go wrong: the service refuses, it cannot be reached, or what it says does not fit what it said. */

/** @typedef {import("./types.js").ProblemDocument} ProblemDocument */

/** A refusal: the service's problem document (RFC 9457). Members and codes that are not known are kept. */
export class Problem extends Error {
  /** @param {number} status @param {ProblemDocument} document @param {number} [retryAfter] */
  constructor(status, document, retryAfter) {
    super(document.detail ?? document.title ?? `the service answered with status ${status}`);
    this.name = new.target.name;
    this.status = status;
    /** @type {ProblemDocument} */
    this.document;
    // Whoever prints the problem sees each thing once.
    Object.defineProperty(this, "document", { value: document });
    /** The kind of problem, for programs; `http-STATUS` for the answer of a proxy. */
    this.code = document.code ?? `http-${status}`;
    /** The numbered rule that a refused act breaks, the table's version, and what the seat may do at it. */
    this.rule = document.rule;
    this.version = document.version;
    this.offers = document.offers ?? [];
    /** After how many seconds to come again. */
    this.retryAfter = retryAfter;
    /** Whether an earlier attempt of this request may have been carried out, as its answer was lost. */
    this.repeated = false;
  }

  get title() { return this.document.title ?? ""; }
  get detail() { return this.document.detail ?? ""; }
  /** What is wrong with the fields of a body and parameters, one by one. */
  get errors() { return this.document.errors ?? []; }
}

/** The table waits for another seat. */
export class NotYourTurn extends Problem {}

/** The rules do not allow the act: `rule` says which, and `offers` what they allow. */
export class RuleViolation extends Problem {}

/** The table is at a later version than the act was meant for, or another player was first. */
export class Stale extends Problem {}

/** The token is missing, or no longer valid. */
export class Unauthenticated extends Problem {}

/** There was no answer until the deadline, however often the request was sent. It may have been carried out. */
export class Unreachable extends Error {
  name = "Unreachable";
}

/** What the service sent does not fit the hashes and commitments that it gave before. */
export class Altered extends Error {
  name = "Altered";
}

/** A webhook's message or a login's answer is not from the service, or was changed on the way, or is an old one. */
export class Forged extends Error {
  name = "Forged";
}

/** @type {Record<string, typeof Problem>} */
const KINDS = {
  "not-your-turn": NotYourTurn,
  "rule-violation": RuleViolation,
  "precondition-failed": Stale,
  "lost-race": Stale,
  unauthenticated: Unauthenticated,
  "invalid-token": Unauthenticated,
};

/**
 * The problem of an answer, which may be a proxy's own.
 * @param {number} status @param {string} body @param {Headers} headers
 */
export function problemOf(status, body, headers) {
  /** @type {ProblemDocument} */
  let document = {};
  try {
    // OAuth's own endpoints name a fault otherwise (RFC 6749, 5.2).
    const { error: code, error_description: detail, ...rest } = Object(JSON.parse(body));
    document = { code, detail, ...rest };
  } catch {
    // A proxy's own answer is no problem document.
  }
  // A date is of no use to a clock that may be wrong.
  const seconds = headers.get("retry-after")?.match(/^\d+$/)?.[0];
  return new (KINDS[document.code ?? ""] ?? Problem)(status, document, seconds ? Number(seconds) : undefined);
}
