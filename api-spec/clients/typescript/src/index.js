/** A client of codille. `new Client(url, token)` is where everything begins. */

export { Client } from "./client.js";
export { loggedIn, login, logout } from "./login.js";
export { anyOf, Offer } from "./offers.js";
export { Altered, Forged, NotYourTurn, Problem, RuleViolation, Stale, Unauthenticated, Unreachable } from "./problems.js";
export { Moment, Table } from "./table.js";
export { verifyWebhook } from "./webhooks.js";
export { ENGLISH, Sentence, Words } from "./words.js";

/** @typedef {import("./types.js").Schemas} Schemas */
