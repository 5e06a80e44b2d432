/// <reference types="node" />
/** Lets the player of a program on this computer log in, in the browser (RFC 8252, 7.3). It needs Node. */

import { spawn } from "node:child_process";
import { on, once } from "node:events";
import { createServer } from "node:http";
import { platform } from "node:process";

import { Client } from "./client.js";
import { begin, finish } from "./login.js";

export { logout } from "./login.js";

const OPENING = platform === "win32" ? ["rundll32", "url.dll,FileProtocolHandler"] : [platform === "darwin" ? "open" : "xdg-open"];

/** Opens an address in the player's browser, and prints it, as there may be none. @param {string} url */
function open(url) {
  const [program = "", ...first] = OPENING;
  console.error(`Log in at ${url}`);
  spawn(program, [...first, url], { stdio: "ignore", detached: true }).on("error", () => {}).unref();
}

/**
 * The client of the player who logs in, once that is done. Keep its `token` as you keep a password.
 * @param {string} url
 * @param {import("./types.js").Settings & {scope?: string, name?: string, show?: (url: string) => unknown, signal?: AbortSignal}} [asking]
 *   `scope` as in `login` of a page; `name` is the program's own, which the player sees; `show` has the address opened
 * @returns {Promise<Client>} Throws Problem if the player did not consent, Unreachable, Forged, and the signal's reason.
 */
export async function login(url, { scope = "seat", name = "codille-client", show = open, signal, ...settings } = {}) {
  if (!/^[\w.~-]+$/.test(name)) throw new RangeError(`the name is ${name}, and may have letters, digits and ._~- alone`);
  const server = createServer().listen(0, "127.0.0.1");
  try {
    await once(server, "listening");
    const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
    const [address, begun] = await begin(url, `http://127.0.0.1:${port}/${name}`, scope);
    show(address);
    for await (const [request, response] of on(server, "request", { signal })) {
      const { pathname, searchParams: answer } = new URL(request.url, begun.redirect_uri);
      // Other programs and pages may call as well.
      const isOurs = pathname === `/${name}` && answer.get("state") === begun.state;
      const [status, said] = isOurs ? [200, "Go back to the program. This page may be closed."] : [404, "No login has begun here."];
      await new Promise((done) => response.writeHead(status, { "content-type": "text/plain" }).end(said, () => done(undefined)));
      if (isOurs) return new Client(url, await finish(begun, answer), settings);
    }
    throw new Error("no request comes any more");
  } finally {
    server.close().closeAllConnections();
  }
}
