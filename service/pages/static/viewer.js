/**
 * Shows the document that the page around this one gives it, in Swagger UI, and has that page send what is tried. It is no
 * module, since a browser loads none for an origin that has no name. The token stays in memory, and is gone after a reload.
 */

const waiting = new Map();
let requests = 0;

window.fetch = (url, { method = "GET", headers = {}, body } = {}) =>
  new Promise((resolve, reject) => {
    const number = ++requests;
    waiting.set(number, { url, resolve, reject });
    const sent = { number, url: new URL(url, location.href).href, method, headers: [...new Headers(headers)], body };
    parent.postMessage(sent, location.origin);
  });

/** Swagger UI, once it has a document, and the token that the page around has handed to it. */
let [shown, handed] = [null, ""];

/** Has what is tried sent with this token; an empty one takes it back. */
function take(token) {
  handed = token;
  if (shown && token) shown.preauthorizeApiKey("bearer", token);
  else shown?.authActions.logout(["bearer"]);
}

addEventListener("message", ({ source, data: { spec, token, number, failure, body, ...answer } }) => {
  if (source !== parent) return;
  if (spec) {
    show(spec);
    return;
  }
  if (token !== undefined) {
    take(token);
    return;
  }
  const { url, resolve, reject } = waiting.get(number);
  waiting.delete(number);
  if (failure) reject(new TypeError(failure));
  else resolve(Object.defineProperty(new Response(body || null, answer), "url", { value: url }));
});

function show(spec) {
  shown = SwaggerUIBundle({
    spec,
    onComplete: () => handed && take(handed),
    dom_id: "#viewer",
    defaultModelsExpandDepth: 0,
    // By default a service on the internet would validate the document.
    validatorUrl: null,
    // There is one server. Its list would have no name.
    plugins: [{ wrapComponents: { ServersContainer: () => () => null } }],
  });
}

const viewer = document.getElementById("viewer");
const { title, example, body, close } = viewer.dataset;
/** What Swagger UI leaves out for those who do not see its page: attributes, by the elements that lack them. */
const LACKING = {
  "h3:not([aria-level])": { "aria-level": 2 },
  "h4:not([aria-level])": { "aria-level": 3 },
  "h5:not([aria-level])": { "aria-level": 4 },
  "table[role=region]": { role: "table" },
  ".information-container:not([role])": { role: "region", "aria-label": title },
  ".dialog-ux:not([role])": { role: "dialog", "aria-label": title },
  "pre.microlight:not([tabindex])": { tabindex: 0 },
  "select:not([aria-label])": { "aria-label": example },
  "textarea:not([aria-label])": { "aria-label": body },
  ".close-modal:not([aria-label])": { "aria-label": close },
};
new MutationObserver(() => {
  for (const [selector, attributes] of Object.entries(LACKING))
    for (const element of viewer.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}).observe(viewer, { childList: true, subtree: true });

const dark = matchMedia("(prefers-color-scheme: dark)");
dark.onchange = () => { document.documentElement.classList.toggle("dark-mode", dark.matches); };
dark.onchange();
