/** The kit and a running service, whose address is in SERVICE_URL. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { anyOf, Client, NotYourTurn, Problem, RuleViolation, Unauthenticated, Words } from "../../../api-spec/clients/typescript/src/index.js";
import { verify } from "../../../api-spec/clients/typescript/src/verify.js";
import { serving } from "./misbehaving.mjs";

const url = process.env.SERVICE_URL;

async function players(...names) {
  return Promise.all(names.map(async (name) => {
    const client = new Client(url);
    const { player, recovery_secret } = await client.register(name);
    assert.ok(recovery_secret);
    return { client, player };
  }));
}

/** Plays with every seat until the game is over. */
async function playOut(tables) {
  await Promise.all(tables.map(async (table) => {
    for await (const turn of table.turns({ check: true })) await turn.act(anyOf(turn.offers).random());
  }));
}

async function collected(items, most = Infinity) {
  const found = [];
  for await (const item of items) if (found.push(item) >= most) break;
  return found;
}

test("a game from its opening to the ruling on a dispute", async () => {
  const [ada, berta, carl] = await players("Ada", "Berta", "Carl");
  assert.equal((await ada.client.me()).name, "Ada");
  assert.deepEqual(await ada.client.names(berta.player, carl.player), { [berta.player]: "Berta", [carl.player]: "Carl" });
  assert.deepEqual(await ada.client.names(), {});
  const summary = (await ada.client.games()).find(({ game }) => game === "ombre");
  const game = await ada.client.game("ombre");
  assert.equal(game.seats, summary.seats);

  const opened = await ada.client.openTable("ombre", { deals: 3, table: { visibility: "public", talk: true } });
  const tables = [ada, berta, carl].map(({ client }) => client.table(opened.id));
  assert.equal((await tables[0].sit()).you, 0);
  assert.equal((await tables[0].leave()).you, null);
  for (const [seat, table] of tables.entries()) assert.equal((await table.sit({ seat })).you, seat);
  assert.equal((await tables[0].sit()).you, 0);
  const listed = await collected(new Client(url).tables({ player: ada.player }), 1);
  assert.equal(listed[0].table, opened.id);

  const { to_act, version, you, offers } = await tables[0].offers();
  assert.equal(you, 0);
  const [turn] = to_act;
  const other = (turn + 1) % 3;
  await assert.rejects(tables[other].act({ type: "pass" }), NotYourTurn);
  const mine = await tables[turn].myTurn();
  assert.equal(mine.version, version);
  const wrong = await tables[turn].act({ type: "bid", contract: "solo", hold: null, no: 1 }).then(assert.fail, (error) => error);
  assert.ok(wrong instanceof Problem && wrong.errors.length > 0);
  const refused = await tables[turn].act({ type: "hold" }).then(assert.fail, (error) => error);
  assert.ok(refused instanceof RuleViolation, refused.code);
  assert.match(refused.rule, /^[A-Z]+-\d/);
  assert.deepEqual(refused.offers, [...mine.offers, mine.talk].map(({ type, fields }) => ({ type, fields })));
  assert.equal((await tables[turn].why("hold")).offered, false);
  assert.equal((await tables[turn].why("bid", { contract: "solo" })).offered, true);
  assert.ok(offers.length || turn !== 0);

  assert.deepEqual((await tables[0].presence()).seats.map(({ seat }) => seat), [0, 1, 2]);
  await playOut(tables);
  const view = await new Client(url).table(opened.id).view();
  assert.equal(view.status, "finished");
  const events = await collected(tables[0].events());
  assert.deepEqual(events.map((event) => event.version), Array.from({ length: view.version }, (_, at) => at + 1));
  assert.deepEqual((await collected(tables[0].events(3, { type: ["game-started"] }))).map(({ type }) => type), ["game-started"]);
  assert.equal((await tables[0].replay(view.version - 1, "all")).version, view.version - 1);
  assert.equal((await tables[0].audit(1)).verdict, "intact");
  const ledger = await tables[0].ledger();
  assert.equal(ledger.lines.reduce((sum, { amount }) => sum + amount, 0), 0);
  const words = new Words(game, (seat) => ["Ada", "Berta", "Carl"][seat]);
  for (const event of events) assert.doesNotMatch(String(words.event(event)), /undefined|null|NaN/);
  for (const line of ledger.lines) assert.doesNotMatch(String(words.line(line)), /undefined|null|seat \d/);
  const statement = await collected(ada.client.statement(ada.player, { game: "ombre" }));
  assert.ok(statement.length > 0);
  assert.ok((await collected(ada.client.leaderboard("ombre"))).length >= 3);
  assert.ok((await ada.client.player(ada.player)).name);
  for (const sentence of words.summary(view)) assert.doesNotMatch(String(sentence), /undefined|null|seat \d/);
  const record = await tables[0].export();
  const { items } = await ada.client.request("GET", "/log/keys");
  const report = await verify(record, [items[0].verifier]);
  assert.deepEqual([report.verdict, report.faults, report.events], ["intact", [], view.version]);

  const dispute = await tables[0].dispute("The last trick was mine.", { deal: 1 });
  assert.equal((await tables[0].disputes()).items[0].dispute, dispute.dispute);
  await assert.rejects(tables[0].rule(dispute.dispute, { ruling: "rejected", text: "No." }), { code: "missing-scope" });
  const again = await tables[0].rematch();
  assert.notEqual(again.id, opened.id);
  assert.equal((await again.view()).seats.filter(({ player }) => player === ada.player).length, 1);
});

test("bots take the other seats", async () => {
  const [ada] = await players("Ada");
  assert.deepEqual((await ada.client.bots()).items.map(({ level }) => level), ["random", "quick", "strong"]);
  const table = await ada.client.openTable("crocodile", { bots: { 1: "strong" } });
  await table.removeBot(1);
  await table.sit({ seat: 0 });
  await table.seatBot("quick", 2);
  const view = await table.seatBot();
  assert.deepEqual(view.seats.map(({ bot }) => bot && bot.level), [null, "strong", "quick"]);
  assert.equal(view.status, "playing");
});

test("friends at a private table, who end the game before its end", async () => {
  const [ada, berta, carl] = await players("Ada", "Berta", "Carl");
  const table = await ada.client.openTable("crocodile", { deals: 3, table: { visibility: "private" } });
  await assert.rejects(berta.client.table(table.id).view(), { code: "no-such-table" });
  const invite = await table.invite();
  const tables = [table, berta.client.table(table.id, invite), carl.client.table(table.id, invite)];
  for (const one of tables) await one.sit();
  for (const one of tables) await one.proposeEnd(true);
  assert.equal((await table.view()).status, "finished");
  assert.equal(await tables[1].myTurn(), null);
});

test("a table that is closed, and a game that is left", async () => {
  const [ada, berta, carl] = await players("Ada", "Berta", "Carl");
  assert.equal((await (await ada.client.openTable("ombre")).close()).status, "closed");
  const left = await ada.client.openTable("ombre", { deals: 3, table: { on_abandon: "end" } });
  for (const { client } of [ada, berta, carl]) await client.table(left.id).sit();
  await berta.client.table(left.id).abandon();
  assert.equal((await left.view()).status, "finished");
});

test("the player's own stream tells of turns, and the lobby of tables", async () => {
  const [ada, berta] = await players("Ada", "Berta");
  const notices = ada.client.notices();
  const lobby = new Client(url).lobby();
  assert.equal((await notices.next()).value.frame, "snapshot");
  assert.equal((await lobby.next()).value.frame, "snapshot");
  const table = await ada.client.openTable("diloti");
  for (const { client } of [ada, berta]) await client.table(table.id).sit();
  let told = [];
  while (!told.includes("game-started")) told = (await notices.next()).value.data.notices ?? [];
  let seen;
  while (seen !== table.id) seen = (await lobby.next()).value.data.table;
  await Promise.all([notices.return(), lobby.return()]);
});

test("a token that is revoked in the middle ends what it follows", async () => {
  const [ada] = await players("Ada");
  const table = await ada.client.openTable("ombre");
  const other = await ada.client.request("POST", "/tokens", { body: { scopes: ["play"] } });
  const moments = new Client(url, other.token).table(table.id).follow();
  assert.equal((await moments.next()).value.kind, "snapshot");
  const ended = assert.rejects(moments.next(), Unauthenticated);
  await ada.client.request("DELETE", `/tokens/${other.id}`);
  await ended;
});

test("an act whose answer is lost on the way is done once, and its answer is had after all", async () => {
  const [ada, berta] = await players("Ada", "Berta");
  const table = await ada.client.openTable("diloti");
  for (const { client } of [ada, berta]) await client.table(table.id).sit();
  const [turn] = (await table.view()).to_act;
  const { client } = [ada, berta][turn];
  let done;
  const forward = async ({ method, url: path, headers, body }, response) => {
    const { host, "content-length": length, connection, ...sent } = headers;
    const answer = await fetch(url + path, { method, headers: sent, body: body && JSON.stringify(body) });
    const text = await answer.text();
    const first = done === undefined;
    done ??= JSON.parse(text);
    // The service has done it; the connection is lost before, or in the middle of, the answer.
    if (first) return response.destroy();
    response.writeHead(answer.status, Object.fromEntries([...answer.headers].filter(([name]) => !/encoding|length/.test(name)))).end(text);
  };
  const proxy = await serving(forward);
  const lossy = new Client(proxy.url, client.token).table(table.id);
  const { version, offers } = await client.table(table.id).offers();
  const acted = await lossy.act(offers[0].random(), version);
  assert.deepEqual(acted, done);
  assert.equal(proxy.requests.length, 2);
  assert.equal((await table.view()).version, acted.version);
  await proxy.close();
});

test("a registration whose answer is lost makes one player", async () => {
  let first;
  const proxy = await serving(async ({ method, url: path, headers, body }, response) => {
    const { host, "content-length": length, connection, ...sent } = headers;
    const answer = await fetch(url + path, { method, headers: sent, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (first === undefined) {
      first = JSON.parse(text).player;
      response.writeHead(201, { "content-length": String(text.length) }).write(text.slice(0, 20));
      return setTimeout(() => response.destroy(), 10);
    }
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") }).end(text);
  });
  const client = new Client(proxy.url);
  const { player } = await client.register("Ada");
  assert.equal(player, first);
  assert.equal((await client.me()).player, first);
  await proxy.close();
});
