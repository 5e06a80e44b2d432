/**
 * Lets players log in on a page of the service, so that no client ever has more than what it needs: OAuth's authorization
 * code with PKCE (RFC 6749, 4.1; 7636; 9207). A page is sent there and back; `codille-client/node` is for programs.
 */

import { Client } from "./client.js";
import { Forged, Problem, problemOf, Unauthenticated, Unreachable } from "./problems.js";
import { sha256 } from "./sha256.js";
import { randomHex } from "./transport.js";

/**
 * A login that has begun, as it is kept until the answer: the state and the verifier are secrets.
 * @typedef {{state: string, verifier: string, issuer: string, token_endpoint: string, client_id: string, redirect_uri: string}} Begun
 */

/**
 * What an endpoint answers to one attempt: no request for a token may be sent twice, as a code that is presented again ends
 * the token that it gave (RFC 6749, 4.1.2).
 * @param {string} url @param {Record<string, string>} [form] @returns {Promise<any>} Throws Problem and Unreachable.
 */
async function answerOf(url, form) {
  const lost = (/** @type {unknown} */ cause) => { throw new Unreachable(`no answer from ${url}`, { cause }); };
  const request = form ? { method: "POST", body: new URLSearchParams(form) } : {};
  const signal = AbortSignal.timeout(20_000);
  const answer = await fetch(url, { ...request, credentials: "omit", redirect: "error", signal }).catch(lost);
  if (!answer.ok) throw problemOf(answer.status, await answer.text().catch(lost), answer.headers);
  return answer.json().catch(lost);
}

/**
 * A login, and the address at which the service asks the player.
 * @param {string} url @param {string} redirect_uri @param {string} scope @returns {Promise<[string, Begun]>}
 */
export async function begin(url, redirect_uri, scope) {
  const { origin } = new URL(url, globalThis.location?.href);
  const { issuer, authorization_endpoint, token_endpoint } = await answerOf(`${origin}/.well-known/oauth-authorization-server`);
  if (issuer !== origin) throw new Forged(`${origin} is the service of ${issuer}: log in there`);
  const [state, verifier] = [randomHex(32), randomHex(32)];
  // On loopback a client's id has no port (RFC 8252, 7.3).
  const client_id = redirect_uri.replace(/^(http:\/\/[^/]+):\d+(?=\/)/, "$1");
  const digest = btoa(String.fromCharCode(...sha256(new TextEncoder().encode(verifier))));
  const code_challenge = digest.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  const asking = { response_type: "code", client_id, redirect_uri, scope, state, code_challenge, code_challenge_method: "S256" };
  return [`${authorization_endpoint}?${new URLSearchParams(asking)}`, { state, verifier, issuer, token_endpoint, client_id, redirect_uri }];
}

/**
 * The token for the answer to a login.
 * @param {Begun} begun @param {URLSearchParams} answer the query with which the player came back
 * @returns {Promise<string>} Throws Forged if it is the answer of another service, and Problem without the player's consent.
 */
export async function finish({ state, verifier, issuer, token_endpoint, ...client }, answer) {
  const [code, error] = [answer.get("code"), answer.get("error") ?? "invalid_request"];
  if (answer.get("state") !== state || answer.get("iss") !== issuer) throw new Forged(`this is no answer from ${issuer}`);
  if (!code) throw new Problem(403, { code: error, detail: `nobody has logged in: ${error}` });
  const form = { grant_type: "authorization_code", code, code_verifier: verifier, ...client };
  return (await answerOf(token_endpoint, form)).access_token;
}

/** Where this page keeps what is of this service; another page of its origin keeps it elsewhere. @param {string} url */
const keyOf = (url) => `codille ${new URL(url, location.href).origin} ${location.pathname}`;

/**
 * Leads from this page to the service, where the player is asked. It comes back to this page's address without a query,
 * which is the client's name (`https:`, or loopback while it is developed). Then `loggedIn` has the client.
 * @param {string} url @param {{scope?: string}} [asking] `read`, `seat` or `webhooks`, or several with a space between
 * @returns {Promise<void>} Throws Problem and Unreachable, and Forged if the service says that it is another.
 */
export async function login(url, { scope = "seat" } = {}) {
  const [address, begun] = await begin(url, location.origin + location.pathname, scope);
  sessionStorage.setItem(keyOf(url), JSON.stringify({ ...begun, from: location.href }));
  location.assign(address);
}

/**
 * The client of the player who has logged in on this page, now or before; null if nobody has. To be called when the page is
 * loaded: it takes the answer out of the address. The token is kept in the page's `localStorage`, until `logout`.
 * @param {string} url @param {import("./types.js").Settings} [settings]
 * @returns {Promise<Client | null>} Throws Problem if the player did not consent, Unreachable, and Forged.
 */
export async function loggedIn(url, settings) {
  const key = keyOf(url);
  const { from, ...begun } = JSON.parse(sessionStorage.getItem(key) ?? "{}");
  const answer = new URLSearchParams(location.search);
  if (from && answer.get("state") === begun.state) {
    // Whatever comes of it, no reload sends the code again.
    sessionStorage.removeItem(key);
    history.replaceState(null, "", from);
    localStorage.setItem(key, await finish(begun, answer));
  }
  const token = localStorage.getItem(key);
  return token ? new Client(url, token, settings) : null;
}

/**
 * Ends the token that a login gave, and forgets it. A player's own token is left.
 * @param {Client<any>} client
 */
export async function logout(client) {
  try {
    for await (const token of client.listTokens()) if (token.current && token.client) await client.revokeToken(token.id);
  } catch (error) {
    // Its player has ended it already.
    if (!(error instanceof Unauthenticated)) throw error;
  }
  if (globalThis.location) localStorage.removeItem(keyOf(client.url));
}
