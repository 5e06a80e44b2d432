/**
 * Shows an OpenAPI document in Swagger UI: the one for any game, or that of the game in the address, as in `?game=NAME`;
 * `?game=all` is all games. The token stays in the page, and is gone after a reload.
 */

import { say } from "./say.js";

const game = new URLSearchParams(location.search).get("game") ?? "";
const path = { "": "/v1/openapi/generic.json", all: "/v1/openapi.json" }[game] ?? `/v1/games/${encodeURIComponent(game)}/openapi.json`;

const choice = document.getElementById("game");
choice.onchange = () => { location.search = choice.value && `?game=${choice.value}`; };
document.getElementById("document").href = path;

/** The document; where it is still being built, once it is. */
async function described() {
  for (;;) {
    const response = await fetch(path);
    if (response.status !== 503) return response.json();
    document.getElementById("viewer").textContent = say("docs.building");
    await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get("Retry-After") ?? 1)));
  }
}

described().then((spec) =>
  SwaggerUIBundle({
    spec,
    dom_id: "#viewer",
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    // By default a service on the internet would validate the document.
    validatorUrl: null,
  }),
);

fetch("/v1/games")
  .then((response) => response.json())
  .then(({ items }) => {
    const others = [...items.map(({ game: name, title }) => [name, title]), ["all", say("docs.all")]];
    choice.append(...others.map(([name, title]) => new Option(title, name, false, name === game)));
  });
