/** Requests come through whatever becomes of connections, are done once, or say why not. */

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { inspect } from "node:util";

import { Client, NotYourTurn, Problem, RuleViolation, Stale, Unauthenticated, Unreachable } from "../../../api-spec/clients/typescript/src/index.js";
import { json, lost, problem, serving, view } from "./misbehaving.mjs";

const closing = [];
after(() => Promise.all(closing.map((server) => server.close())));

async function serves(...answers) {
  const server = await serving(...answers);
  closing.push(server);
  return server;
}

const cut = (_, response) => {
  response.writeHead(201, { "content-type": "application/json", "content-length": "100" }).write('{"table": "01');
  setTimeout(() => response.socket.destroy(), 5);
};
const cutWithoutLength = (_, response) => {
  response.useChunkedEncodingByDefault = false;
  response.writeHead(201, { "content-type": "application/json", connection: "close" }).end('{"table": "01');
};

test("a call that writes is sent again with the same key after lost connections and cut answers", async () => {
  const server = await serves(lost, cut, cutWithoutLength, json({ table: "7" }, 201));
  const table = await new Client(server.url, "\ufeffsecret\r\n").openTable("ombre", { deals: 3 });
  assert.equal(table.id, "7");
  assert.equal(server.requests.length, 4);
  assert.equal(new Set(server.requests.map(({ headers }) => headers["idempotency-key"])).size, 1);
  assert.ok(server.requests[0].headers["idempotency-key"].length >= 16);
  for (const { body, headers } of server.requests) {
    assert.deepEqual(body, { game: "ombre", deals: 3 });
    assert.equal(headers.authorization, "Bearer secret");
  }
});

test("every call has a key of its own, or the one that is given", async () => {
  const server = await serves(json({}, 201));
  const client = new Client(server.url);
  await client.request("POST", "/tables", { body: {} });
  await client.request("POST", "/tables", { body: {} });
  await client.request("POST", "/tables", { body: {}, key: "mine" });
  const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
  assert.equal(new Set(keys).size, 3);
  assert.equal(keys[2], "mine");
});

test("a registration whose answer is lost is proved to be the same by its secret", async () => {
  const server = await serves(cut, json({ player: "1", token: "t1", recovery_secret: "r" }, 201), json({ player: "1" }));
  const client = new Client(server.url);
  assert.equal((await client.register("Ada")).player, "1");
  const [first, second] = server.requests;
  assert.equal(first.body.name, "Ada");
  assert.match(first.body.secret, /^[0-9a-f]{64}$/);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers["idempotency-key"], first.headers["idempotency-key"]);
  assert.equal(client.token, "t1");
  await client.me();
  assert.equal(server.requests[2].headers.authorization, "Bearer t1");
});

test("the service is waited for as long as it asks", async () => {
  const server = await serves(
    problem(429, "rate-limited", {}, { "retry-after": "1" }),
    problem(503, "unavailable", {}, { "retry-after": "0" }),
    json({ items: [] }),
  );
  assert.deepEqual(await new Client(server.url).games(), []);
  const [first, second, third] = server.requests.map(({ at }) => at);
  assert.ok(second - first >= 995, `${second - first} ms`);
  assert.ok(third - second < 995, `${third - second} ms`);
});

test("a proxy's errors are no problem documents, and name no time or a date", async () => {
  const page = (status, headers) => (_, response) => response.writeHead(status, headers).end("<html>");
  const date = { "retry-after": new Date(Date.now() + 86_400_000).toUTCString() };
  const server = await serves(page(502, {}), page(504, {}), page(503, date), json({ items: [] }));
  assert.deepEqual(await new Client(server.url).games(), []);
  assert.equal(server.requests.length, 4);
});

test("after the deadline the last failure is thrown", async () => {
  const busy = await serves(problem(503, "unavailable", {}, { "retry-after": "0" }));
  const client = new Client(busy.url, null, { deadline: 1 });
  await assert.rejects(client.games(), (error) => error instanceof Problem && error.status === 503);
  assert.ok(busy.requests.length > 1);
  const far = await serves(problem(429, "rate-limited", {}, { "retry-after": "90" }));
  await assert.rejects(new Client(far.url).games(), (error) => error instanceof Problem && error.retryAfter === 90);
  assert.equal(far.requests.length, 1);
  const gone = await serves(lost);
  await assert.rejects(new Client(gone.url, null, { deadline: 1 }).games(), (error) => error instanceof Unreachable && error.cause instanceof Error);
  assert.ok(gone.requests.length > 1);
  const mute = await serves(() => {});
  await assert.rejects(new Client(mute.url, null, { deadline: 1, answer: 0.1 }).games(), Unreachable);
  assert.ok(mute.requests.length > 1);
});

test("a clock that is wrong, or is set, changes nothing", async (context) => {
  const real = Date.now;
  let hours = 0;
  context.after(() => (Date.now = real));
  Date.now = () => real() + (hours += 5) * 3_600_000 * (hours % 2 ? 1 : -1);
  const server = await serves(problem(503, "unavailable"), lost, json({ items: [] }));
  assert.deepEqual(await new Client(server.url).games(), []);
  assert.equal(server.requests.length, 3);
});

test("no token follows a redirect to another origin", async () => {
  const other = await serves(json({ items: ["stolen"] }));
  for (const status of [301, 302, 303, 307, 308]) {
    const server = await serves((_, response) => response.writeHead(status, { location: `${other.url}/v1/games` }).end());
    await assert.rejects(new Client(server.url, "secret").games(), (error) => error instanceof Problem && error.code === "redirected");
    await assert.rejects(new Client(server.url, "secret").openTable("ombre"), (error) => error.detail.includes(other.url));
    await assert.rejects(new Client(server.url, "secret").table("7").follow().next(), { code: "redirected" });
  }
  assert.equal(other.requests.length, 0);
});

test("a redirect within the origin is followed, if it leaves the request as it is", async () => {
  const moved = (status) => ({ url }, response) => response.writeHead(status, { location: `/moved${url}` }).end();
  const server = await serves(moved(308), json({ table: "7" }, 201));
  await new Client(server.url, "secret").openTable("ombre");
  assert.equal(server.requests[1].url, "/moved/v1/tables");
  assert.equal(server.requests[1].headers.authorization, "Bearer secret");
  assert.deepEqual(server.requests[1].body, { game: "ombre" });
  const read = await serves(moved(302), json({ items: [] }));
  assert.deepEqual(await new Client(read.url).games(), []);
  const write = await serves(moved(302));
  await assert.rejects(new Client(write.url).openTable("ombre"), { code: "redirected" });
  const round = await serves(moved(307));
  await assert.rejects(new Client(round.url).games(), { code: "redirected" });
  assert.ok(round.requests.length < 10);
});

test("refusals are exceptions with what the service says, also what is not known", async () => {
  const offers = [{ type: "pass", fields: {} }];
  const server = await serves(
    problem(422, "rule-violation", { rule: "OM-3.1", version: 9, offers, errors: [{ detail: "x", pointer: "/card" }] }),
    problem(409, "not-your-turn", { version: 9 }),
    problem(412, "precondition-failed"),
    problem(409, "lost-race"),
    problem(401, "invalid-token"),
    problem(418, "no-coffee-here", { brewing: "tea" }),
    problem(500, "internal"),
  );
  const table = new Client(server.url).table("7");
  const refused = async () => table.act({ type: "pass" }).then(assert.fail, (error) => error);
  const violation = await refused();
  assert.ok(violation instanceof RuleViolation);
  assert.ok(violation instanceof Problem);
  assert.deepEqual(
    [violation.rule, violation.version, violation.offers, violation.errors, violation.status, violation.detail],
    ["OM-3.1", 9, offers, [{ detail: "x", pointer: "/card" }], 422, "it is rule-violation"],
  );
  for (const expected of [NotYourTurn, Stale, Stale, Unauthenticated]) assert.equal((await refused()).constructor, expected);
  const unknown = await refused();
  assert.deepEqual([unknown.constructor, unknown.code, unknown.document.brewing], [Problem, "no-coffee-here", "tea"]);
  assert.equal((await refused()).status, 500);
  assert.equal(server.requests.length, 7);
});

test("leaving and closing are done once too, though a lost answer leaves a refusal", async () => {
  const server = await serves(lost, problem(403, "not-seated"), json(view(4)));
  assert.equal((await new Client(server.url).table("7").leave()).version, 4);
  const closed = await serves(cut, problem(409, "table-closed"), json(view(5)));
  assert.equal((await new Client(closed.url).table("7").close()).version, 5);
  const never = await serves(problem(403, "not-seated"));
  await assert.rejects(new Client(never.url).table("7").leave(), { code: "not-seated" });
});

test("who sits at the table already gets the view, but for a seat that was asked for", async () => {
  const server = await serves(problem(409, "already-seated"), json(view(3)), problem(409, "already-seated"));
  const table = new Client(server.url).table("7", "invitation");
  assert.equal((await table.sit()).version, 3);
  await assert.rejects(table.sit({ seat: 1, entropy: null }), { code: "already-seated" });
  assert.match(server.requests[0].body.entropy, /^[0-9a-f]{64}$/);
  assert.deepEqual(server.requests[2].body, { seat: 1, entropy: null });
  for (const { url } of server.requests) assert.match(url, /\?invite=invitation$/);
});

test("lists are read page by page, as far as they are wanted", async () => {
  const server = await serves(json({ items: [1, 2], next: "two" }), json({ items: [3], next: null }));
  const found = [];
  for await (const item of new Client(`${server.url}/v1/`).tables({ game: "ombre", player: undefined })) found.push(item);
  assert.deepEqual(found, [1, 2, 3]);
  assert.deepEqual(server.requests.map(({ url }) => url), ["/v1/tables?game=ombre", "/v1/tables?game=ombre&cursor=two"]);
  const long = await serves(json({ items: [1], next: "again" }));
  for await (const item of new Client(long.url).leaderboard("ombre")) if (item) break;
  assert.equal(long.requests.length, 1);
});

test("answers are values, texts or bytes, and nothing", async () => {
  const bytes = (type) => (_, response) => response.writeHead(200, { "content-type": type }).end('{"a": "ä"}\n');
  const server = await serves(bytes("text/csv; charset=utf-8"), bytes("application/x-ndjson"), (_, response) => response.writeHead(204).end());
  const client = new Client(server.url);
  assert.equal(await client.request("GET", "/players/1/ledger", { headers: { accept: "text/csv" } }), '{"a": "ä"}\n');
  assert.equal(server.requests[0].headers.accept, "text/csv");
  assert.deepEqual(await client.table("7").export(), new TextEncoder().encode('{"a": "ä"}\n'));
  assert.equal(await client.request("DELETE", "/tokens/1"), null);
});

test("a request is given up when it is told to be", async () => {
  const server = await serves(() => {});
  const why = new Error("enough");
  await assert.rejects(new Client(server.url).request("GET", "/games", { signal: AbortSignal.abort(why) }), why);
  const later = new AbortController();
  const waiting = new Client(server.url).request("GET", "/games", { signal: later.signal });
  setTimeout(() => later.abort(why), 20);
  await assert.rejects(waiting, why);
});

test("wrong arguments of a request are said, and nothing is sent", async () => {
  const server = await serves(json({}));
  const client = new Client(server.url);
  const cases = [
    [["get", "/games"], "the method is get, and must be one of GET, POST, PATCH, DELETE"],
    [["GET"], "the path is undefined, and must be a text"],
    [["POST", "/tables", { game: "diloti" }], "a request has no game; it has query, body, headers, key, version, wait, signal"],
  ];
  for (const [given, message] of cases) await assert.rejects(client.request(...given), { message });
  assert.equal(server.requests.length, 0);
});

test("a path may begin with the version of the interface, or with neither it nor a stroke", async () => {
  const server = await serves(json({}));
  for (const path of ["/games", "games", "/v1/games", "v1/games"]) await new Client(server.url).request("GET", path);
  assert.deepEqual(server.requests.map(({ url }) => url), Array(4).fill("/v1/games"));
});

test("a problem that is printed says each thing once", async () => {
  const server = await serves(problem(422, "invalid-body", { errors: [{ pointer: "/a", detail: "is wrong" }] }));
  const refused = await new Client(server.url).games().then(assert.fail, (error) => error);
  assert.equal(inspect(refused).split("it is invalid-body").length, 2);
  assert.deepEqual([refused.title, refused.errors.length], ["invalid-body", 1]);
});

test("lines are disputed as the ledger has them", async () => {
  const server = await serves(json({ dispute: 1 }, 201));
  await new Client(server.url).table("7").dispute("mine", { lines: [{ account: "seat:0", amount: 2, version: 58, line: 2 }] });
  assert.deepEqual(server.requests[0].body, { reason: "mine", lines: [{ version: 58, line: 2 }] });
});
