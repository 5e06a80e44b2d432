/**
 * Lets a client in. The browser is sent to the client by a click on this page alone, once the page has been before
 * somebody for a second: so no other page has a click fall here by surprise. What the client asks for was read by the
 * service.
 */

import { post } from "./api.js";
import { byId, element, fail } from "./dom.js";
import { identify, mountIdentity, onIdentity, whoAmI } from "./identity.js";
import { say } from "./say.js";

/** Milliseconds for which the page is seen, and has the focus, before its buttons work. */
const SEEN_MS = 1000;

const asking = byId("asking");

/** Sends the browser back, with the state that the client gave (RFC 6749, 4.1.2), and the issuer (RFC 9207). @param {Record<string, string>} answer */
function sendBack(answer) {
  const { redirect, state, issuer } = asking.dataset;
  const query = new URLSearchParams({ ...answer, ...(state === undefined ? {} : { state }), iss: issuer });
  location.replace(`${redirect}?${query}`);
}

/** Whether the page has been seen for long enough, whether somebody is there to consent, and whether one has. */
let [isSeen, isSomebody, isSent] = [false, false, false];
let seeing = 0;

function update() {
  const [yes, no] = [byId("yes"), byId("no")];
  no.disabled = !isSeen || isSent;
  if (yes) yes.disabled = !isSeen || !isSomebody || isSent;
  byId("wait").hidden = isSeen;
}

/** Begins anew to wait whenever the page is covered, or loses the focus. */
function see() {
  clearTimeout(seeing);
  isSeen = false;
  if (document.visibilityState === "visible" && document.hasFocus()) {
    seeing = window.setTimeout(() => {
      isSeen = true;
      update();
    }, SEEN_MS);
  }
  update();
}

/** Calls for a person's click. @param {() => Promise<void> | void} call */
const clicked = (call) => async (/** @type {Event} */ { isTrusted }) => {
  if (!isTrusted || !isSeen || isSent) return;
  isSent = true;
  update();
  try {
    await call();
  } catch (error) {
    isSent = false;
    await show();
    fail(error);
  }
};

async function consent() {
  const { client, redirect, scope, challenge } = asking.dataset;
  const { code } = await post("/tokens/authorize", {
    client_id: client,
    redirect_uri: redirect,
    scopes: scope.split(" "),
    code_challenge: challenge,
    days: Number(byId("days").value),
  });
  sendBack({ code });
}

/** Says as whom the client would act. */
async function show() {
  const found = await whoAmI(true);
  isSomebody = found !== null;
  byId("player").textContent = found ? found.name : say("authorize.nobody");
  byId("become").hidden = isSomebody;
  update();
}

function begin() {
  const { issuer, error } = asking.dataset;
  if (location.origin !== issuer) {
    asking.replaceChildren(element("p", { class: "failure", role: "alert" }, say("authorize.elsewhere", { issuer })));
    return;
  }
  byId("no").addEventListener("click", clicked(() => sendBack({ error: error ?? "access_denied" })));
  for (const event of ["focus", "blur", "pageshow"]) addEventListener(event, see);
  document.addEventListener("visibilitychange", see);
  see();
  if (error) return;
  byId("yes").addEventListener("click", clicked(consent));
  // Somebody new sees the recovery secret before a client is let in.
  byId("become").addEventListener("click", () => void identify({ shows: true }).catch(fail));
  onIdentity(() => void show().catch(fail));
  void show().catch(fail);
}

mountIdentity(byId("identity"));
if (asking) begin();
