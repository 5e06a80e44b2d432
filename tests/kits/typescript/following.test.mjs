/** A table is followed without a gap and without a repetition, whatever becomes of the stream. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";

import { Altered, Client, Problem, Unauthenticated, Unreachable } from "../../../api-spec/clients/typescript/src/index.js";
import { event, json, lost, over, problem, serving, snapshot, streamed, versions, view } from "./misbehaving.mjs";

const closing = [];
after(() => Promise.all(closing.map((server) => server.close())));

async function serves(...answers) {
  const server = await serving(...answers);
  closing.push(server);
  return server;
}

const tableAt = (server, settings) => new Client(server.url, "secret", settings).table("7", "friend");

test("the stream is opened again after the last event, and each event comes once", async () => {
  const half = event(5);
  const server = await serves(
    streamed(["\n", snapshot(2), event(3), event(4), half.slice(0, 40)], "cut"),
    lost,
    problem(503, "unavailable", {}, { "retry-after": "0" }),
    streamed(["\n", event(4), event(5)], "end"),
    streamed([event(6), over(7), event(8)]),
  );
  assert.deepEqual(await versions(tableAt(server)), ["snapshot 2", "event 3", "event 4", "event 5", "event 6", "event 7"]);
  assert.deepEqual(server.requests.map(({ headers }) => headers["last-event-id"]), [undefined, "4", "4", "4", "5"]);
  for (const { url, headers } of server.requests) {
    assert.equal(url, "/v1/tables/7/events/stream?view=true&offers=true&invite=friend");
    assert.equal(headers.authorization, "Bearer secret");
    assert.equal(headers.accept, "application/x-ndjson");
  }
});

test("a stream goes on after the version that is given, and after the end of the game", async () => {
  const server = await serves(streamed(["\n", event(1), over(2), event(3, { status: "finished" })]));
  const found = [];
  for await (const { version } of tableAt(server).follow({ after: 0, beyond: true })) if (found.push(version) === 3) break;
  assert.deepEqual(found, [1, 2, 3]);
  assert.equal(server.requests[0].headers["last-event-id"], "0");
});

test("texts may be cut anywhere, and hold signs at which some end lines", async () => {
  const text = "ä\u2028Ω\u0085中🂮";
  const bytes = Buffer.from(event(3, {}, { public: { text } }));
  const server = await serves(streamed([snapshot(2), ...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)), over(4)]));
  const texts = [];
  for await (const { event } of tableAt(server).follow()) texts.push(event?.public.text);
  assert.deepEqual(texts, [undefined, text, undefined]);
});

test("a silent stream is a lost connection", async () => {
  const server = await serves(streamed([snapshot(2), "\n"]), streamed(["\n", over(3)]));
  assert.deepEqual(await versions(tableAt(server, { silence: 0.2 })), ["snapshot 2", "event 3"]);
  assert.equal(server.requests[1].headers["last-event-id"], "2");
});

test("signs of life keep a stream, however long nothing happens", async () => {
  const server = await serves(streamed([snapshot(2), ...Array(60).fill("\n"), over(3)]));
  assert.deepEqual(await versions(tableAt(server, { silence: 0.2 })), ["snapshot 2", "event 3"]);
  assert.equal(server.requests.length, 1);
});

test("who takes long over a moment loses no connection by it", async () => {
  const server = await serves(streamed([snapshot(2), event(3), over(4)]));
  const found = [];
  for await (const { version } of tableAt(server, { silence: 0.1, deadline: 0.2 }).follow()) {
    found.push(version);
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
  assert.deepEqual(found, [2, 3, 4]);
  assert.equal(server.requests.length, 1);
});

test("a service that ends the stream is asked again when it says", async () => {
  const dropped = `${JSON.stringify({ frame: "dropped", data: { reason: "stopping", detail: "", retry_ms: 400 } })}\n`;
  const server = await serves(streamed([snapshot(2), dropped], "end"), streamed([over(3)]));
  assert.deepEqual(await versions(tableAt(server)), ["snapshot 2", "event 3"]);
  assert.ok(server.requests[1].at - server.requests[0].at >= 390);
});

test("a token that ends in the middle ends the stream with its problem", async () => {
  const dropped = `${JSON.stringify({ frame: "dropped", data: { reason: "token", detail: "", retry_ms: 0 } })}\n`;
  const server = await serves(streamed([snapshot(2), dropped], "end"), problem(401, "invalid-token"));
  await assert.rejects(versions(tableAt(server)), Unauthenticated);
  const hidden = await serves(problem(404, "no-such-table"));
  await assert.rejects(versions(tableAt(hidden)), (error) => error instanceof Problem && error.code === "no-such-table");
});

test("a service that is gone is given up after the deadline", async () => {
  const server = await serves(streamed([snapshot(2)], "cut"), lost);
  const found = [];
  await assert.rejects(async () => {
    for await (const { version } of tableAt(server, { deadline: 2 }).follow()) found.push(version);
  }, Unreachable);
  assert.deepEqual(found, [2]);
  assert.ok(server.requests.length > 2);
  const empty = await serves(streamed([], "end"));
  await assert.rejects(versions(tableAt(empty, { deadline: 2 })), Unreachable);
});

/** A service behind a proxy that keeps streams back; the game has as many events as are listed by now. */
function buffered(events, withhold) {
  const states = [...events];
  return ({ url }, response) => {
    const { pathname, searchParams } = new URL(url, "http://x");
    const newest = states.at(-1);
    if (pathname.endsWith("/stream")) return withhold(response);
    if (pathname.endsWith("/offers")) return json({ version: newest.version, you: 0, to_act: [0], offers: [{ type: "pass", fields: {} }] })(null, response);
    if (pathname.endsWith("/replay")) {
      const [from, to] = ["from", "to"].map((name) => Number(searchParams.get(name)));
      const steps = states.filter(({ version }) => from <= version && version <= to).slice(0, 100);
      return json({ steps: steps.map((one) => ({ version: one.version, event: { version: one.version, action: one.action, public: {} }, view: one })), version: newest.version })(null, response);
    }
    return json(newest)(null, response);
  };
}

const keepsHeaders = () => {};
const keepsBody = (response) => response.writeHead(200, { "content-type": "application/x-ndjson" }).flushHeaders();

test("where a proxy keeps streams back, waiting reads tell the same", async () => {
  for (const withhold of [keepsHeaders, keepsBody]) {
    const record = [view(1, { action: "a", status: "open" }), view(2, { action: "b" }), view(3, { action: "b" })];
    const later = [...Array.from({ length: 204 }, (_, at) => view(at + 4, { action: `c${at}` })), view(208, { action: "z", status: "finished" })];
    let isLater = false;
    const server = await serves((seen, response) => {
      buffered(isLater ? [...record, ...later] : record, withhold)(seen, response);
      isLater ||= seen.url.includes("/offers");
    });
    const moments = [];
    for await (const moment of tableAt(server, { answer: 1 }).follow()) moments.push(moment);
    assert.deepEqual(moments.map(({ kind, version }) => `${kind} ${version}`), ["snapshot 3", ...later.map(({ version }) => `event ${version}`)]);
    // Offers are those of the version: before the last one the table has gone on.
    assert.deepEqual(moments.filter(({ offers }) => offers.length > 0).map(({ version }) => version), [3, 208]);
    assert.ok(server.requests.some(({ url }) => url.includes("after=3&wait=25&min_version=3&invite=friend")));
    assert.equal(server.requests.filter(({ url }) => url.includes("/stream")).length, 1);
  }
});

test("waiting reads go on where a stream was kept back after some events, and tell where acts end", async () => {
  const record = [view(1), view(2), view(3, { action: "b" }), view(4, { action: "b", status: "finished" })];
  let streams = 0;
  const server = await serves((seen, response) =>
    buffered(record, (held) => (streams++ ? undefined : streamed([snapshot(2), "\n"])(null, held)))(seen, response),
  );
  const moments = [];
  for await (const moment of tableAt(server, { answer: 1, silence: 0.2 }).follow()) moments.push(moment);
  assert.deepEqual(moments.map(({ kind, version }) => `${kind} ${version}`), ["snapshot 2", "event 3", "event 4"]);
  assert.deepEqual(moments.map(({ event, offers }) => [event?.more, offers.length]), [[undefined, 0], [true, 0], [false, 1]]);
});

test("waiting reads tell who is connected, as often as that changes, if all is wanted", async () => {
  const record = [view(1), view(2)];
  const here = [true, true, false, false];
  const server = await serves((seen, response) => {
    if (seen.url.includes("/presence")) {
      json({ seats: [{ seat: 0, connected: here.shift() ?? false }] })(null, response);
      if (here.length === 2) record.push(view(3));
      if (here.length === 0) record.push(view(4, { status: "finished" }));
    } else buffered(record, keepsHeaders)(seen, response);
  });
  const moments = [];
  for await (const moment of tableAt(server, { answer: 1 }).follow({ all: true })) moments.push(moment);
  const told = moments.map(({ kind, version, data }) => `${kind} ${version} ${data?.seats?.[0].connected ?? ""}`.trim());
  assert.deepEqual(told, ["snapshot 2", "presence 2 true", "event 3", "presence 3 false", "event 4"]);
});

test("who goes on where nothing has happened since is told who is connected", async () => {
  const presence = `${JSON.stringify({ frame: "presence", data: { table: "7", seats: [] } })}\n`;
  const server = await serves(streamed([presence], "cut"), json(view(4)), streamed([over(5)]));
  assert.deepEqual(await versions(tableAt(server), { after: 4, all: true }), ["presence 4", "event 5"]);
  assert.deepEqual(server.requests.map(({ url }) => url.replace(/\?.*/, "")).slice(1), ["/v1/tables/7/replay/4", "/v1/tables/7/events/stream"]);
});

test("other streams are opened again where they are kept back", async () => {
  const frame = (id, kind = "event") => `${JSON.stringify({ frame: kind, id, data: { id } })}\n`;
  const server = await serves(keepsHeaders, streamed([frame(5, "snapshot"), frame(6)], "cut"), streamed([frame(9, "reset"), frame(10)]));
  const found = [];
  for await (const { frame, id } of new Client(server.url, "secret", { answer: 1 }).notices()) {
    found.push(`${frame} ${id}`);
    if (id === 10) break;
  }
  assert.deepEqual(found, ["snapshot 5", "event 6", "reset 9", "event 10"]);
  assert.deepEqual(server.requests.map(({ url }) => url), Array(3).fill("/v1/players/me/stream"));
});

test("what a kit does not know is passed on", async () => {
  const strange = `${JSON.stringify({ frame: "weather", data: { sky: "blue" } })}\n`;
  const server = await serves(streamed([snapshot(2, { moon: "full" }), strange, event(3, {}, { type: "sun-risen", public: { at: 5 }, colour: "red" }), over(4)]));
  const moments = [];
  for await (const moment of tableAt(server).follow({ all: true })) moments.push(moment);
  const [first, weather, sun] = moments;
  assert.equal(first.view.moon, "full");
  assert.deepEqual([weather.kind, weather.version, weather.event, weather.data], ["weather", 2, null, { sky: "blue" }]);
  assert.deepEqual(await versions(tableAt(server)), ["snapshot 2", "event 3", "event 4"]);
  assert.deepEqual([sun.event.type, sun.event.public.at, sun.event.colour], ["sun-risen", 5, "red"]);
});

test("members that an older service lacks are not needed, and what it cannot do is a problem that says so", async () => {
  const bare = { version: 3, status: "playing", you: 0, to_act: [0], offers: [{ type: "pass" }] };
  const server = await serves(json(bare), json(bare), problem(404, "not-found", { detail: "no such route" }));
  const { offers, mine } = await tableAt(server).now();
  assert.deepEqual([offers[0].act(), mine], [{ type: "pass" }, true]);
  await assert.rejects(tableAt(server).getDealFacts(1), /no such route/);
});

test("who stops following closes the connection", async () => {
  let closed;
  const gone = new Promise((resolve) => (closed = resolve));
  const server = await serves(({ method }, response) => {
    response.on("close", () => closed(method));
    streamed([snapshot(2)])(null, response);
  });
  for await (const { version } of tableAt(server).follow()) if (version === 2) break;
  assert.equal(await gone, "GET");
  const stopping = new AbortController();
  const why = new Error("enough");
  setTimeout(() => stopping.abort(why), 50);
  await assert.rejects(async () => {
    for await (const { version } of tableAt(server).follow({ signal: stopping.signal })) assert.equal(version, 2);
  }, why);
});

const OFFER = [{ type: "pass", fields: {} }];
const turn = (version, to_act, offers = OFFER) =>
  `${JSON.stringify({ frame: "event", id: version, data: { version, type: "x", public: {}, more: false, view: view(version, { to_act }), offers } })}\n`;

test("it is one's turn where one is to act and has offers", async () => {
  const more = event(6).replace('"offers":[]', '"unknown":1');
  const server = await serves(streamed([snapshot(2), turn(3, [1]), turn(4, [0]), turn(5, [0], []), more, turn(7, [1, 0]), over(8)]));
  const table = tableAt(server);
  assert.equal((await table.myTurn()).version, 4);
  assert.equal((await table.myTurn()).version, 7);
  assert.equal(await table.myTurn(), null);
});

test("what is out of date by one's own act is no turn, and a refused act shows how far the table is", async () => {
  const answers = { 3: json({ version: 5, events: [], to_act: [0] }, 201), 5: problem(412, "precondition-failed", { version: 7 }) };
  const server = await serves(({ url, headers }, response) => {
    if (url.includes("/stream")) streamed([turn(3, [0]), turn(4, [0]), turn(5, [0]), turn(6, [0]), turn(7, [0]), over(8)])(null, response);
    else answers[headers["if-match"].replaceAll('"', "")](null, response);
  });
  const found = [];
  for await (const one of tableAt(server).turns()) {
    found.push([one.version, one.version < 7 ? (await one.act(one.offers[0].act()))?.version : undefined]);
  }
  assert.deepEqual(found, [[3, 5], [5, undefined], [7, undefined]]);
});

test("without turns it is one's turn when offers change, and after one's own act", async () => {
  const other = [{ type: "move", fields: {} }];
  const server = await serves(({ url }, response) => {
    if (url.includes("/stream")) streamed([turn(2, []), turn(3, []), turn(4, [], other), turn(5, [], other), turn(6, [], other), over(7)])(null, response);
    else json({ version: 5, events: [], to_act: [] }, 201)(null, response);
  });
  const found = [];
  for await (const one of tableAt(server).turns()) {
    found.push(one.version);
    if (one.version === 4) await one.act(one.offers[0].act());
  }
  assert.deepEqual(found, [2, 4, 5]);
});

test("a turn is null only when nothing can be played any more, and then each time", async () => {
  const server = await serves(streamed([over(8)]));
  const table = tableAt(server);
  for (let time = 0; time < 2; time += 1) assert.equal(await table.myTurn(), null);
});

test("a wait that is ended by its signal changes nothing", async () => {
  const server = await serves(streamed([turn(3, [1])]), streamed([turn(3, [1]), turn(4, [0])]));
  const table = tableAt(server);
  const enough = new Error("enough");
  const waiting = new AbortController();
  setTimeout(() => waiting.abort(enough), 100);
  await assert.rejects(table.myTurn({ signal: waiting.signal }), enough);
  const later = new AbortController();
  assert.equal((await table.myTurn({ signal: later.signal })).version, 4);
  later.abort(enough);
  await assert.rejects(table.myTurn({ signal: AbortSignal.timeout(100) }), { name: "TimeoutError" });
});

test("an outage raises Unreachable each time, and a turn follows once the service is back", async () => {
  let answer = lost;
  const server = await serves((seen, response) => answer(seen, response));
  const table = tableAt(server, { deadline: 0.3 });
  for (let time = 0; time < 2; time += 1) await assert.rejects(table.myTurn(), Unreachable);
  answer = streamed([turn(3, [0])]);
  assert.equal((await table.myTurn()).version, 3);
});

test("two who wait at once are each given the turn", async () => {
  for (const to_act of [[0], []]) {
    const server = await serves(streamed([snapshot(2, { to_act: [1] }), turn(3, to_act)]));
    const table = tableAt(server);
    const turns = await Promise.all([table.myTurn(), table.myTurn()]);
    assert.deepEqual(turns.map(({ version }) => version), [3, 3]);
  }
});

test("a table that is erased, hidden or set aside is a problem each time", async () => {
  for (const [status, code] of [[404, "no-such-table"], [409, "record-unreadable"], [410, "of-later"]]) {
    const server = await serves(streamed([turn(3, [1])], "end"), problem(status, code));
    const table = tableAt(server);
    for (let time = 0; time < 2; time += 1) await assert.rejects(table.myTurn(), { code });
  }
});

test("the last moment says why nothing can be played any more", async () => {
  const ended = (type, status, public_) => event(3, { status }, { type, public: public_ });
  const cases = [
    [ended("game-finished", "finished", { reason: "all deals are played" }), "all deals are played"],
    [ended("table-closed", "closed", { reason: "closed by its opener" }), "closed by its opener"],
    [ended("table-expired", "closed", {}), "expired"],
    [snapshot(3, { status: "finished" }), "finished"],
  ];
  for (const [last, why] of cases) {
    const found = [];
    for await (const moment of tableAt(await serves(streamed([snapshot(2), last]))).follow()) found.push(moment.ended);
    assert.deepEqual(found, [null, why]);
  }
});

test("what one may say is no offer, and no turn", async () => {
  const talk = { type: "talk", fields: { text: { text: { min: 1, max: 200 } } } };
  const server = await serves(streamed([turn(3, [], [talk]), turn(4, [], [...OFFER, talk])]));
  const moment = await tableAt(server).myTurn();
  assert.deepEqual([moment.version, moment.offers.map(({ type }) => type)], [4, ["pass"]]);
  assert.deepEqual(moment.talk.act({ text: "Good luck" }), { type: "talk", text: "Good luck" });
});

test("what needs an answer at any table comes one after the other, once each", async () => {
  const versions = { a: 3, b: 3, gone: 3, c: 3 };
  const server = await serves(({ url, method }, response) => {
    const [, , , id, last] = new URL(url, "http://x").pathname.split("/");
    if (id === "me") {
      const tables = Object.keys(versions).map((table) => ({ table, version: 3, your_turn: table !== "c" }));
      const frames = [["snapshot", { tables }], ["event", { table: "c", version: 3, notices: ["your-turn"] }]];
      return streamed(frames.map(([frame, data], at) => `${JSON.stringify({ frame, id: at + 1, data })}\n`))(null, response);
    }
    if (id === "gone") return problem(404, "no-such-table")(null, response);
    if (method === "POST") return json({ version: (versions[id] += 1), events: [], to_act: [] }, 201)(null, response);
    const isMine = versions[id] < (id === "b" ? 6 : 4);
    return json({ ...view(versions[id], { to_act: isMine ? [0] : [1] }), table: id, offers: last ? OFFER : undefined })(null, response);
  });
  const had = [];
  for await (const moment of new Client(server.url).turns()) {
    had.push(moment.version + (await moment.act(moment.offers[0].act())).version);
    if (had.length === 5) break;
  }
  assert.deepEqual(had, [7, 7, 9, 11, 7]);
});

/** The events of a published record, as a stream has them, and as a list. */
function recorded(edit = (event) => event) {
  const file = new URL("../../../api-spec/examples/records/finished-diloti.ndjson", import.meta.url);
  const events = readFileSync(file, "utf8").trim().split("\n").slice(1, -1).map((line) => edit(JSON.parse(line)));
  const last = events.at(-1).version;
  const viewAt = (version) => view(version, version === last ? { status: "finished" } : {});
  const frames = events.map((data) => `${JSON.stringify({ frame: "event", id: data.version, data: { ...data, more: false, view: viewAt(data.version), offers: [] } })}\n`);
  return { events, frames, last };
}

/** A service that streams such a record from a version on, with a snapshot first. */
const streams = ({ events, frames }, from) => ({ url }, response) => {
  const { pathname, searchParams } = new URL(url, "http://x");
  if (pathname.endsWith("/stream")) return streamed(from ? [snapshot(from), ...frames.slice(from)] : frames)(null, response);
  const after = Number(searchParams.get("after"));
  return json({ items: events.slice(after, after + 200), version: events.length })(null, response);
};

test("what is followed is checked from the first event on, where that is asked for", async () => {
  const record = recorded();
  for (const from of [0, 40]) {
    const server = await serves(streams(record, from));
    const found = await versions(tableAt(server), from ? { check: true } : { check: true, after: 0 });
    assert.equal(found.length, from ? record.last - from + 1 : record.last);
  }
  for (const [from, version] of [[0, 30], [40, 30], [40, 50]]) {
    const altered = recorded((event) => (event.version === version ? { ...event, public: { ...event.public, seat: 1 - event.public.seat } } : event));
    const server = await serves(streams(altered, from));
    const following = from ? {} : { after: 0 };
    await assert.rejects(versions(tableAt(server), { check: true, ...following }), (error) => error instanceof Altered && error.message.startsWith(`event ${version}:`));
    assert.ok((await versions(tableAt(server), following)).length > 0);
  }
});

test("what is read after a moment or an act is not older", async () => {
  const server = await serves(({ url, method }, response) => {
    if (url.includes("/stream")) return streamed([snapshot(2), over(3)])(null, response);
    if (method === "POST") return json({ version: 9, events: [], to_act: [] }, 201)(null, response);
    return json({ ...view(4), table: "7", offers: [], lines: [] })(null, response);
  });
  const table = tableAt(server);
  await versions(table);
  await table.view();
  await table.ledger();
  await table.act({ type: "pass" });
  await table.offers();
  await table.view({ min_version: 4 });
  await table.getDealFacts(1);
  await table.view({ min_version: 12 });
  const asked = server.requests.filter(({ method, url }) => method === "GET" && !url.includes("/stream"));
  assert.deepEqual(asked.map(({ url }) => new URL(url, "http://x").searchParams.get("min_version")), ["3", "4", "9", "9", "9", "12"]);
});
