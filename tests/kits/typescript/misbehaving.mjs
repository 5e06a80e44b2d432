/** A server that answers as a test tells it, and remembers what it was asked. */

import { createServer } from "node:http";

/**
 * @param {...((request: any, response: import("node:http").ServerResponse, body: any) => void)} answers one for each request;
 *   the last one is for all that follow
 */
export async function serving(...answers) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    const seen = { method: request.method, url: request.url, headers: request.headers, body: text ? JSON.parse(text) : null, at: performance.now() };
    requests.push(seen);
    (answers[requests.length - 1] ?? answers.at(-1))(seen, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${server.address().port}`, requests, close };
}

/** Answers with JSON. */
export const json = (value, status = 200, headers = {}) => (_, response) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(value));

/** Answers with a problem document. */
export const problem = (status, code, more = {}, headers = {}) => (_, response) =>
  response
    .writeHead(status, { "content-type": "application/problem+json", ...headers })
    .end(JSON.stringify({ type: `urn:codille:problem:${code}`, title: code, status, detail: `it is ${code}`, code, ...more }));

/** Closes the connection without an answer. */
export const lost = (_, response) => response.socket.destroy();

/** A stream that sends these pieces (texts or bytes), and then does as `ending` says: `end`, `cut`, or nothing. */
export const streamed = (pieces, ending = "silent") => async (_, response) => {
  response.writeHead(200, { "content-type": "application/x-ndjson" });
  for (const piece of pieces) {
    response.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  if (ending === "end") response.end();
  if (ending === "cut") response.socket.destroy();
};

export const view = (version, more = {}) => ({ version, status: "playing", you: 0, to_act: [0], seats: [], ...more });

export const snapshot = (version, more = {}) =>
  `${JSON.stringify({ frame: "snapshot", id: version, data: { version, view: view(version, more), offers: [] } })}\n`;

export const event = (version, more = {}, about = {}) =>
  `${JSON.stringify({ frame: "event", id: version, data: { version, type: "card-played", public: {}, more: false, ...about, view: view(version, more), offers: [] } })}\n`;

/** The last event of a game. */
export const over = (version) => event(version, { status: "finished", to_act: [] });

/** The versions of the moments of a table, until it is over. */
export async function versions(table, following) {
  const found = [];
  for await (const moment of table.follow(following)) found.push(`${moment.kind} ${moment.version}`);
  return found;
}
