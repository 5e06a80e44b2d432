/**
 * The documentation's login: it is a client like those of others, which its visitor lets in at `/authorize` (RFC 6749, 4.1,
 * with PKCE). The token stays in this page's memory, and ends when its visitor logs out.
 */

import { say } from "./say.js";

const METADATA = "/.well-known/oauth-authorization-server";
const ASKED = "codille-docs-login";

/** @param {Uint8Array} bytes @returns {string} */
const encoded = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const random = () => encoded(crypto.getRandomValues(new Uint8Array(32)));
/** @param {string} issuer The client's id: on loopback it has no port. */
const clientOf = (issuer) => `${issuer.replace(/^(http:.*):\d+$/, "$1")}/docs`;

/** @param {string} path @param {Record<string, string>} fields */
const send = (path, fields) => fetch(path, { method: "POST", body: new URLSearchParams(fields), credentials: "omit" });

/**
 * Shows the button that logs in or out, where clients can be let in at this address.
 * @param {any} button @param {any} state where is said what failed
 */
export function mountLogin(button, state) {
  let [token, issuer] = ["", ""];
  /** @type {(token: string) => void} */
  let hand = () => {};

  const show = () => {
    button.textContent = say(token ? "docs.logout" : "docs.login");
    button.hidden = location.origin !== issuer;
  };

  const leave = async () => {
    const [verifier, sent] = [random(), random()];
    sessionStorage.setItem(ASKED, JSON.stringify({ verifier, sent, issuer, search: location.search }));
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier)));
    const query = new URLSearchParams({
      response_type: "code", client_id: clientOf(issuer), redirect_uri: `${issuer}/docs`, scope: "read seat webhooks", state: sent,
      code_challenge: encoded(digest), code_challenge_method: "S256",
    });
    location.assign(`/authorize?${query}`);
  };

  const logOut = async () => {
    const ended = token;
    token = "";
    hand("");
    show();
    await send("/oauth/revoke", { token: ended, client_id: clientOf(issuer) });
  };

  /** Takes the answer in the address, which no history keeps. */
  const comeBack = async () => {
    const answer = new URLSearchParams(location.search);
    const asked = JSON.parse(sessionStorage.getItem(ASKED) ?? "null");
    if (!asked || !answer.has("iss")) return;
    sessionStorage.removeItem(ASKED);
    history.replaceState(null, "", `/docs${asked.search}`);
    const isOurs = answer.get("state") === asked.sent && answer.get("iss") === asked.issuer;
    const given = isOurs && answer.has("code") ? await send("/oauth/token", {
      grant_type: "authorization_code", code: answer.get("code") ?? "", redirect_uri: `${asked.issuer}/docs`,
      client_id: clientOf(asked.issuer), code_verifier: asked.verifier,
    }) : null;
    token = given?.ok ? (await given.json()).access_token : "";
    state.textContent = token ? "" : say("docs.login.failed");
    hand(token);
  };

  button.addEventListener("click", () => void (token ? logOut() : leave()));
  const back = comeBack();
  void Promise.all([fetch(METADATA), back]).then(async ([answer]) => {
    issuer = answer.ok ? (await answer.json()).issuer : "";
    show();
  });

  return {
    /** Calls with the token, now and whenever it is another; an empty one is none. @param {(token: string) => void} call */
    hand(call) {
      hand = call;
      if (token) call(token);
    },
  };
}
