/**
 * Has the viewer show an OpenAPI document: the one for any game, or that of the game in the address, as in `?game=NAME`;
 * `?game=all` is all games. The viewer has an origin of its own, and reads nothing that pages keep. So this page sends what
 * is tried there, to the interface alone.
 */

import { mountLogin } from "./docs_login.js";
import { say } from "./say.js";

const login = mountLogin(document.getElementById("login"), document.getElementById("login-state"));
const game = new URLSearchParams(location.search).get("game") ?? "";
const path = { "": "/v1/openapi/generic.json", all: "/v1/openapi.json" }[game] ?? `/v1/games/${encodeURIComponent(game)}/openapi.json`;

const choice = document.getElementById("game");
choice.onchange = () => { location.search = choice.value && `?game=${choice.value}`; };
document.getElementById("document").href = path;

const viewer = document.getElementById("viewer");
const loaded = new Promise((resolve) => { viewer.onload = resolve; });
viewer.src = "/docs/viewer";

/** The document; where it is still being built, once it is. */
async function described() {
  for (;;) {
    const response = await fetch(path);
    if (response.status !== 503) return response.json();
    document.getElementById("building").hidden = false;
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("Retry-After") ?? 1)));
  }
}

/** The document without the login that this page carries out: the viewer has no window of its own for it. */
function withoutLogin(spec) {
  delete spec.components.securitySchemes?.authorization_code;
  for (const methods of Object.values(spec.paths))
    for (const operation of Object.values(methods))
      if (operation.security) operation.security = operation.security.filter((one) => !("authorization_code" in one));
  return spec;
}

Promise.all([described(), loaded]).then(([spec]) => {
  document.getElementById("building").hidden = true;
  viewer.hidden = false;
  viewer.contentWindow.postMessage({ spec: withoutLogin(spec) }, "*");
  login.hand((token) => viewer.contentWindow.postMessage({ token }, "*"));
});

/** What the interface answers to a request of the viewer's. Nothing is sent elsewhere. */
async function answered({ url, method, headers, body }) {
  const { origin, pathname } = new URL(url);
  if (origin !== location.origin || !pathname.startsWith("/v1/")) return { failure: url };
  try {
    const response = await fetch(url, { method, headers, body, credentials: "omit", redirect: "error" });
    return { status: response.status, headers: [...response.headers], body: await response.text() };
  } catch (error) {
    return { failure: error.message };
  }
}

addEventListener("message", async ({ source, data }) => {
  if (source === viewer.contentWindow) source.postMessage({ number: data.number, ...await answered(data) }, "*");
});

fetch("/v1/games")
  .then((response) => response.json())
  .then(({ items }) => {
    const others = [...items.map(({ game: name, title }) => [name, title]), ["all", say("docs.all")]];
    choice.append(...others.map(([name, title]) => new Option(title, name, false, name === game)));
  });
