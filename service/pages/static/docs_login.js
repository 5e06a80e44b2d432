/**
 * The documentation's login: it is a client like those of others, which its visitor lets in at `/authorize`. The token stays
 * in this page's memory, and ends when its visitor logs out.
 */

import { Client } from "./kit/client.js";
import { begin, finish, logout } from "./kit/login.js";
import { say } from "./say.js";

const METADATA = "/.well-known/oauth-authorization-server";
const ASKED = "codille-docs-login";

/**
 * Shows the button that logs in or out, where clients can be let in at this address.
 * @param {any} button @param {any} state where is said what failed
 */
export function mountLogin(button, state) {
  let token = "";
  /** @type {(token: string) => void} */
  let hand = () => {};

  const show = () => {
    button.textContent = say(token ? "docs.logout" : "docs.login");
  };

  const leave = async () => {
    const [address, begun] = await begin(location.origin, `${location.origin}/docs`, "read seat webhooks");
    sessionStorage.setItem(ASKED, JSON.stringify({ ...begun, search: location.search }));
    location.assign(address);
  };

  const logOut = async () => {
    const ended = token;
    token = "";
    hand("");
    show();
    await logout(new Client(location.origin, ended));
  };

  /** Takes the answer in the address, which no history keeps. */
  const comeBack = async () => {
    const answer = new URLSearchParams(location.search);
    const { search, ...begun } = JSON.parse(sessionStorage.getItem(ASKED) ?? "{}");
    if (!begun.state || !answer.has("iss")) return;
    sessionStorage.removeItem(ASKED);
    history.replaceState(null, "", `/docs${search}`);
    token = await finish(begun, answer).catch(() => "");
    state.textContent = token ? "" : say("docs.login.failed");
    hand(token);
  };

  button.addEventListener("click", () => void (token ? logOut() : leave()));
  const back = comeBack();
  void Promise.all([fetch(METADATA), back]).then(async ([answer]) => {
    button.hidden = !answer.ok || (await answer.json()).issuer !== location.origin;
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
